import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const callLine = z.object({ name: z.string(), method: z.string(), path: z.string(), summary: z.string() })
export type CallLine = z.infer<typeof callLine>

const group = z.object({
  wing: z.string(),
  name: z.string(),
  tags: z.array(z.object({ tag: z.string(), title: z.string(), calls: z.array(callLine) })),
})
export type Group = z.infer<typeof group>

export const docsMenu = defineEndpoint({
  name: 'docs.menu',
  method: 'GET',
  path: '/api/docs/menu',
  access: 'open',
  input: z.object({}),
  output: z.object({ version: z.string(), groups: z.array(group) }),
  summary: 'Every call by its job, in the language of x-language',
})

/** What a value is, as a reader would say it. */
export const fieldKinds = [
  'text',
  'id',
  'day',
  'month',
  'moment',
  'email',
  'address',
  'agorot',
  'decimal',
  'basisPoints',
  'whole',
  'number',
  'yesNo',
  'choice',
  'object',
  'list',
  'map',
  'file',
  'any',
] as const

const field = z.object({
  /** 'lines[].unitPrice'. */
  path: z.string(),
  kind: z.enum(fieldKinds),
  /** Of a list: what is in it. */
  of: z.enum(fieldKinds).optional(),
  need: z.boolean(),
  mayBeNull: z.boolean(),
  meaning: z.string(),
  choices: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** What numbers stand for, by the number. */
  names: z.record(z.string(), z.string()).optional(),
  least: z.number().optional(),
  most: z.number().optional(),
  longest: z.number().optional(),
  mostRows: z.number().optional(),
  start: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** In the path or in the query instead of the body. */
  in: z.enum(['path', 'query', 'body']).optional(),
})
export type DocField = z.infer<typeof field>

const refusal = z.object({ code: z.string(), status: z.number(), title: z.string(), remedy: z.string() })
export type Refusal = z.infer<typeof refusal>

const oneCall = callLine.extend({
  description: z.string(),
  tag: z.string(),
  tagTitle: z.string(),
  wing: z.string(),
  takes: z.array(field),
  gives: z.array(field),
  /** Needs a key. */
  needsKey: z.boolean(),
  /** A key may call it; what is of a person's session may not. */
  forKeys: z.boolean(),
  isFile: z.boolean(),
  /** Takes the bytes of a file as its body. */
  takesFile: z.boolean(),
  changes: z.boolean(),
  /** What would be sent, by place. */
  example: z.object({
    path: z.record(z.string(), z.any()),
    query: z.record(z.string(), z.any()),
    body: z.any().optional(),
  }),
  answer: z.any(),
  errors: z.array(refusal),
  /** It will end: the day it was announced, the last day it works, and what takes its place. */
  deprecated: z.object({ since: z.string(), until: z.string(), instead: z.string() }).optional(),
})
export type DocCall = z.infer<typeof oneCall>

export const docsCall = defineEndpoint({
  name: 'docs.call',
  method: 'GET',
  path: '/api/docs/calls/{name}',
  access: 'open',
  input: z.object({ name: z.string().max(100) }),
  output: oneCall,
  summary: 'One call: what it takes, gives and refuses, with an example',
  errors: ['kit.notFound'],
})

export const docsErrors = defineEndpoint({
  name: 'docs.errors',
  method: 'GET',
  path: '/api/docs/errors',
  access: 'open',
  input: z.object({}),
  output: z.object({ rows: z.array(refusal) }),
  summary: 'Every code of a refusal, with cause and remedy',
})

/** The plug-in for WooCommerce is with its shop (`shops.plugin`). */
export const clientFiles = ['pinkas-client.tgz', 'Pinkas.php'] as const

export const docsClient = defineEndpoint({
  name: 'docs.client',
  method: 'GET',
  path: '/api/clients/{file}',
  access: 'open',
  input: z.object({ file: z.enum(clientFiles, { error: 'fields.choice' }) }),
  output: z.any(),
  file: true,
  summary:
    'A client of the API, as it belongs to this version: the package for TypeScript or the file for PHP',
  errors: ['kit.notFound'],
})
