import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { languageValue } from '#kit/fields/schema.ts'
import { blockValue, spanValue } from './blocks.ts'
import { filmed, walkList } from './walks.ts'

const article = z.object({
  key: z.string(),
  /** The part of the menu it belongs to: words `menu.<wing>`. */
  wing: z.string(),
  /** Names of the screens it is about; the first is the one it leads to. */
  screens: z.array(z.string()),
  title: z.string(),
  /** Other words people look for it by. */
  also: z.string(),
  blocks: z.array(blockValue),
})
export type Article = z.output<typeof article>

export const helpArticles = defineEndpoint({
  name: 'help.articles',
  method: 'GET',
  path: '/api4/invoice/help/articles',
  access: 'member',
  input: z.object({ lang: languageValue }),
  output: z.object({
    /** Of the texts: English where the language asked for has none. */
    language: languageValue,
    articles: z.array(article),
  }),
  summary: 'All articles of the help, in a language',
})

const release = z.object({
  version: z.string(),
  /** Null while it is not out. */
  day: z.string().nullable(),
  isNew: z.boolean(),
  /** False where this release is not available in the requested language, and is in English. */
  translated: z.boolean(),
  /** Its lines that say how a default or a rule is another from now on. */
  changes: z.array(z.array(spanValue)),
  changesLanguage: languageValue,
  groups: z.array(z.object({ title: z.string().nullable(), blocks: z.array(blockValue) })),
})
export type Release = z.output<typeof release>

export const helpReleases = defineEndpoint({
  name: 'help.releases',
  method: 'GET',
  path: '/api4/invoice/help/releases',
  access: 'member',
  input: z.object({ lang: languageValue }),
  output: z.object({ releases: z.array(release) }),
  summary: 'What is new, release by release, and what of it I have not seen yet',
})

export const helpNews = defineEndpoint({
  name: 'help.news',
  method: 'GET',
  path: '/api4/invoice/help/news',
  access: 'member',
  input: z.object({}),
  output: z.object({
    count: z.number(),
    /** Defaults that changed and were not announced to me yet, and the newest release among them. */
    changed: z.object({ count: z.number(), version: z.string() }).nullable(),
  }),
  summary: 'How many releases I have not seen yet',
})

export const helpSeen = defineEndpoint({
  name: 'help.seen',
  method: 'PUT',
  path: '/api4/invoice/help/seen',
  access: 'login',
  input: z.strictObject({ version: z.string().regex(/^\d+\.\d+\.\d+$/, { error: 'fields.choice' }) }),
  output: z.object({ done: z.literal(true) }),
  summary: 'I have seen what is new up to a release',
})

export const helpTold = defineEndpoint({
  name: 'help.told',
  method: 'PUT',
  path: '/api4/invoice/help/told',
  access: 'login',
  input: helpSeen.input,
  output: z.object({ done: z.literal(true) }),
  summary: 'Changed defaults were announced to me up to a release',
})

const walkName = z.enum(walkList.map(({ name }) => name) as [string, ...string[]], { error: 'fields.choice' })

export const helpVideos = defineEndpoint({
  name: 'help.videos',
  method: 'GET',
  path: '/api4/invoice/help/videos',
  access: 'member',
  input: z.object({
    /** The language of the screens that were filmed. */
    shown: z.enum(filmed, { error: 'fields.choice' }),
  }),
  output: z.object({ videos: z.array(z.object({ name: walkName, seconds: z.number() })) }),
  summary: 'The videos of the help, and how long each is',
})

export const helpCaptions = defineEndpoint({
  name: 'help.captions',
  method: 'GET',
  path: '/api4/invoice/help/captions',
  access: 'member',
  input: z.object({
    name: walkName,
    /** The language of the screens that were filmed. */
    shown: z.enum(filmed, { error: 'fields.choice' }),
    lang: languageValue,
  }),
  output: z.object({ cues: z.array(z.object({ from: z.number(), to: z.number(), text: z.string() })) }),
  summary: 'The captions of a video, in a language, by the second',
})
