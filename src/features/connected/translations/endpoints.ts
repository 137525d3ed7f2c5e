import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, languageValue } from '#kit/fields/schema.ts'
import { queryNumber } from '#kit/fields/query.ts'

// Below /api/user: words are a person's affair and no key's.
const base = '/api/user/translations'
const access = 'login' as const
const domain = z
  .string()
  .toLowerCase()
  .max(253)
  .default('')
  .describe('A white label whose own words these are; empty: the product')
const key = z.string().max(200)

const proposal = z.object({
  text: z.string(),
  was: z.string().describe('What stood there when it was written'),
  isStale: z.boolean().describe('The source, or the text it replaces, has changed since'),
  by: z.string(),
  at: z.string(),
})
const row = z.object({
  key: z.string(),
  group: z.string(),
  texts: z.record(z.string(), z.string()).describe('By language; absent where it is missing'),
  proposals: z.record(z.string(), proposal),
  changedAt: z.string().nullable().describe('When this installation first saw the text it has now'),
})
export type WordRow = z.output<typeof row>

export const translator = defineEndpoint({
  name: 'translations.me',
  method: 'GET',
  path: `${base}/me`,
  access,
  input: z.object({}),
  output: z.object({
    may: z.boolean(),
    groups: z.array(z.string()),
    brands: z
      .array(z.object({ domain: z.string(), name: z.string() }))
      .describe('White labels that may have words of their own'),
    proposals: z.number(),
  }),
  summary: 'Whether this person translates for the installation, and what there is',
})
export const listWords = defineEndpoint({
  name: 'translations.list',
  method: 'GET',
  path: base,
  access,
  input: z.object({
    domain,
    group: z.string().max(60).optional(),
    search: z.string().max(200).optional().describe('A part of the key or of a text in any language'),
    only: z.enum(['all', 'missing', 'proposed', 'stale']).default('all'),
    sinceDay: dayValue.optional().describe('Only what changed since'),
    page: queryNumber(z.int().min(1).max(1000)).default(1),
  }),
  output: z.object({ rows: z.array(row), total: z.number(), size: z.number() }),
  summary: 'The words of the product in five languages, with what is proposed',
  errors: ['translations.notTranslator', 'translations.unknownBrand'],
})
export const propose = defineEndpoint({
  name: 'translations.propose',
  method: 'PUT',
  path: base,
  access,
  input: z.strictObject({
    domain,
    key,
    language: languageValue,
    text: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(4000, { error: 'fields.tooLong' }),
  }),
  output: row,
  summary: 'Proposes a text; of a white label it holds at once, of the product once the file is taken over',
  errors: [
    'translations.notTranslator',
    'translations.unknownKey',
    'translations.unknownBrand',
    'translations.holes',
    'translations.badMessage',
    'translations.tooLong',
  ],
})
export const withdraw = defineEndpoint({
  name: 'translations.withdraw',
  method: 'DELETE',
  path: base,
  access,
  input: z.object({ domain, key, language: languageValue }),
  output: row,
  summary: 'Takes a proposal back',
  errors: ['translations.notTranslator', 'translations.unknownKey'],
})
export const exportWords = defineEndpoint({
  name: 'translations.export',
  method: 'GET',
  path: `${base}/export`,
  access,
  input: z.object({ domain }),
  output: z.any(),
  file: true,
  summary:
    'The files of words with what is proposed and not stale, under their paths in the product; of a white label its own words',
  errors: ['translations.notTranslator', 'translations.unknownBrand'],
})
