import { closedFields, isForDrafts, isForKeys, isReading, type Endpoint } from '#kit/describe/endpoint.ts'
import { errorStatus } from '#kit/describe/errors.ts'
import { allEvents } from '#kit/describe/event.ts'
import { wings, wingTitles, type Wing } from '#kit/describe/wings.ts'
import type { Language } from '../context.ts'
import { madeBy, type Made } from '../contract/made.ts'
import { say, wordsOf } from '../words.ts'
import { exampleFor } from './examples.ts'
import { callText, meaningOf } from './meanings.ts'
import {
  inputSchema,
  isSaidByName,
  namesApart,
  outputSchema,
  SchemaBook,
  singular,
  type JsonSchema,
} from './schemas.ts'

/** What is answered beside the calls of the contract: for the person who runs the server, and the words. */
const plain: { path: string; name: string; type: string; also?: object }[] = [
  { path: '/healthz', name: 'server.alive', type: 'application/json' },
  { path: '/readyz', name: 'server.ready', type: 'application/json' },
  { path: '/metrics', name: 'server.metrics', type: 'text/plain' },
  { path: '/api/openapi.json', name: 'server.describe', type: 'application/json' },
  {
    path: '/static/lang/{lang}.json',
    name: 'server.words',
    type: 'application/json',
    also: {
      parameters: [
        {
          name: 'lang',
          in: 'path',
          required: true,
          description: 'he, en, ar, ru or fr',
          schema: { type: 'string', pattern: '^[a-z]{2}$' },
          example: 'en',
        },
      ],
    },
  },
]

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  deprecated?: boolean
  security?: object[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, unknown>
  /** Codes it may refuse with, besides those every call may; `components.x-errors` says what each means. */
  'x-errors'?: string[]
  /** It is open to keys held to drafts and to agents. */
  'x-drafts-only'?: true
}

export interface ApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  security: object[]
  tags: { name: string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  /** What is sent to the addresses of a business, by the name of the event. */
  webhooks: Record<string, { post: { operationId: string; summary: string } & object }>
  components: {
    securitySchemes: object
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: JsonSchema }>
    requestBodies: Record<string, unknown>
    responses: Record<string, unknown>
    schemas: Record<string, JsonSchema>
    /** Every code of a refusal: its status, what it means, and what to do. */
    'x-errors': Record<string, { status: number; title: string; remedy?: string }>
    /** What to do about a refusal whose code has no advice, by its status. */
    'x-remedies': Record<string, string>
  }
}

/** Refusals any call may answer with. */
export const commonErrors = [
  'kit.badInput',
  'kit.badJson',
  'http.badText',
  'http.wrongType',
  'kit.tooMany',
  'kit.tooManyCalls',
  'kit.unavailable',
  'kit.failed',
] as const
const ofCaller = [
  'session.needed',
  'apiKeys.unknown',
  'apiKeys.revoked',
  'apiKeys.expired',
  'apiKeys.withoutPerson',
  'session.forbidden',
  'kit.notForKeys',
  'kit.areaOff',
  'kit.otherCompany',
] as const
const ofWriting = ['kit.keyReadOnly', 'kit.keyReused', 'kit.keyRunning'] as const

/** What no call declares, because every call may answer it. */
export const everyCallMayAnswer: readonly string[] = [
  ...commonErrors,
  ...ofCaller,
  ...ofWriting,
  'kit.keyDraftsOnly',
  'kit.moduleNeeded',
  'session.verifyFirst',
]

/** Whether a call may refuse a key because it is held to drafts. */
const mayRefuseDrafts = (endpoint: Endpoint): boolean =>
  endpoint.access !== 'open' &&
  endpoint.access !== 'key' &&
  isForKeys(endpoint) &&
  (!isForDrafts(endpoint) || closedFields(endpoint).length > 0)

/**
 * Codes that stand for a refusal of the whole call. Those of a field (`fields.ref`) come inside `kit.badInput`, which
 * every call may answer.
 */
const ofCalls = (codes: readonly string[] = []): string[] => [
  ...new Set(codes.filter((code) => code in errorStatus)),
]

/** Every code a call may refuse with. */
export const errorsOf = (endpoint: Endpoint): string[] => [
  ...new Set([
    ...ofCalls(endpoint.errors),
    ...(endpoint.clientKeys ? [`${endpoint.clientKeys.of}.clientKeyTaken`] : []),
    ...commonErrors,
    ...(endpoint.access === 'open' || endpoint.access === 'key' ? [] : ofCaller),
    ...(typeof endpoint.access === 'object' && endpoint.access.module ? ['kit.moduleNeeded'] : []),
    ...(endpoint.verified ? ['session.verifyFirst'] : []),
    ...(isReading(endpoint) ? [] : ofWriting),
    ...(mayRefuseDrafts(endpoint) ? ['kit.keyDraftsOnly'] : []),
  ]),
]

export const tagOf = (call: string): string => call.split('.')[0]!
const verbOf = (call: string): string => call.split('.').at(-1)!

const verbs = ['list', 'get', 'create', 'createMany', 'change', 'archive', 'restore', 'export'] as const
/** The seven calls every described thing has are said once, of the thing in its own words. */
const isDescribed = ({ name, summary }: Endpoint): boolean =>
  (verbs as readonly string[]).includes(verbOf(name)) &&
  /^(The list of|One of|Makes one of|Makes up to 100 of|Changes one of|Puts one of|Brings one of) |as CSV or XLSX, with the list’s filters$|as CSV or XLSX, with the list's filters$/.test(
    summary,
  )

export function summaryOf(endpoint: Endpoint, language: Language): string {
  const tag = tagOf(endpoint.name)
  const things = wordsOf(language)[`${tag}.title`]
  if (isDescribed(endpoint) && things && !things.includes('{'))
    return say(language, `api.verbs.${verbOf(endpoint.name)}`).replace('#', things)
  return callText(endpoint.name, 'summary', language) ?? endpoint.summary
}

/** What is said of keys held to drafts: a call that prepares is open to them, a read with a secret is not. */
const draftsSaid = (endpoint: Endpoint): 'drafts' | 'noDrafts' | undefined =>
  !isForKeys(endpoint) || endpoint.access === 'open' || endpoint.access === 'key'
    ? undefined
    : isReading(endpoint) === isForDrafts(endpoint)
      ? undefined
      : isReading(endpoint)
        ? 'noDrafts'
        : 'drafts'

/** What a call is for, where more is to be said than its summary. */
export const aboutOf = (endpoint: Endpoint, language: Language): string | undefined =>
  callText(endpoint.name, 'about', language) ??
  endpoint.about ??
  (isDescribed(endpoint) ? say(language, `api.about.${verbOf(endpoint.name)}`) : undefined)

/**
 * What it is for, what it needs, and what it does to what is there; in brief without what the document says of the call
 * by its parameters, answers and extensions.
 */
export function descriptionOf(
  endpoint: Endpoint,
  language: Language,
  { makes = false, isBrief = false }: { makes?: boolean; isBrief?: boolean } = {},
): string {
  const { access, file, upload } = endpoint
  const words = (key: string, params: Record<string, string | number> = {}) =>
    say(language, `api.says.${key}`, params)
  const about = isBrief && isDescribed(endpoint) ? undefined : aboutOf(endpoint, language)
  const who =
    access === 'open'
      ? words('open')
      : access === 'key'
        ? words('key')
        : access === 'login'
          ? words('person')
          : access === 'member'
            ? words('login')
            : words('rule', { rule: wordsOf(language)[`team.rules.${access.rule}`] ?? access.rule })
  const closed = closedFields(endpoint)
  return [
    ...(about ? [about] : []),
    who,
    ...(typeof access === 'object' && access.person ? [words('person')] : []),
    ...(isBrief ? [] : isReading(endpoint) ? [words('reads')] : endpoint.file ? [] : [words('once')]),
    ...(makes && !isBrief ? [words('makes')] : []),
    ...(draftsSaid(endpoint) ? [words(draftsSaid(endpoint)!)] : []),
    ...(closed.length > 0 ? [words('draftsExcept', { fields: closed.join(', ') })] : []),
    ...(file && !isBrief ? [words('file')] : []),
    ...(upload ? [words('upload', { mb: Math.round(upload.maxBytes / 1_000_000) })] : []),
  ].join(' ')
}

/** Lays what each field means into a schema, as the calls of a tag have it. */
export function withMeanings(schema: JsonSchema, tag: string, language: Language): JsonSchema {
  const made: JsonSchema = { ...schema }
  if (made.properties)
    made.properties = Object.fromEntries(
      Object.entries(made.properties).map(([name, inner]) => {
        const meaning = inner.description ?? meaningOf(tag, name, language)
        return [name, { ...withMeanings(inner, tag, language), ...(meaning ? { description: meaning } : {}) }]
      }),
    )
  if (made.items) made.items = withMeanings(made.items, tag, language)
  if (typeof made.additionalProperties === 'object')
    made.additionalProperties = withMeanings(made.additionalProperties, tag, language)
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (made[key]) made[key] = made[key].map((one) => withMeanings(one, tag, language))
  return made
}

/** 'customers.get' answers a Customer, 'customers.list' a CustomerPage; the rest is named after its call. */
function schemaNames(call: string, side: 'Input' | 'Answer'): string[] {
  const [tag = '', verb = ''] = [tagOf(call), verbOf(call)]
  const one = singular(tag)
  const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  const long = `${title(tag)}${title(verb)}${side}`
  if (side === 'Answer' && verb === 'get') return [one, long]
  if (side === 'Answer' && verb === 'list') return [`${one}Page`, long]
  if (verb === 'create' || verb === 'change')
    return [`${one}${title(verb)}${side === 'Input' ? '' : 'Answer'}`, long]
  return [long]
}

const problem: JsonSchema = {
  type: 'object',
  description: 'RFC 9457: why a call was refused',
  required: ['type', 'title', 'status', 'code'],
  properties: {
    type: { type: 'string', description: 'about:blank' },
    title: {
      type: 'string',
      description: 'The refusal in the language of x-language, to be shown to people',
    },
    status: { type: 'integer', description: 'The HTTP status again' },
    detail: {
      type: 'string',
      description: 'The title, and the permission that is missing where one is',
    },
    instance: { type: 'string', description: 'The path that was called' },
    code: { type: 'string', description: 'What programs go by: it never changes' },
    requestId: { type: 'string', description: 'Names this very call; the same as the header request-id' },
    params: { type: 'object', description: 'What the title was filled with', additionalProperties: true },
    errors: {
      type: 'array',
      description: 'The fields that were refused',
      items: {
        type: 'object',
        required: ['path', 'code'],
        properties: {
          path: { type: 'string', description: 'The field, as lines.2.quantity' },
          code: { type: 'string', description: 'What is wrong with it' },
          detail: { type: 'string', description: 'The same in a sentence, in the language of the title' },
          params: {
            type: 'object',
            description: 'Its bounds, where it broke some',
            additionalProperties: true,
          },
        },
      },
    },
  },
}

/**
 * Any other answer is a refusal or a failure in one form. The usual one is named beside: linters want a 4xx, and
 * generators make names of statuses that `4XX` breaks.
 */
const refusedSaid = {
  '422': { $ref: '#/components/responses/Refused' },
  default: { $ref: '#/components/responses/Refused' },
}

/** A file in a form; its name is taken from the form where the address gives none. */
const uploadForm: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file; the first one of the form counts' },
  },
}

/** What is sent of an event; a full notice holds the thing itself. */
const notice: JsonSchema = {
  type: 'object',
  description: 'A notice of an event, as Standard Webhooks wants it',
  required: ['type', 'apiVersion', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', description: 'The name of the event' },
    apiVersion: { type: 'string', description: 'The form of the notice, the day it was introduced' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
    data: {
      type: 'object',
      description: 'What it happened to',
      required: ['id', 'version', 'link'],
      properties: {
        id: { type: ['string', 'null'], description: 'The id of the thing' },
        number: { type: 'integer', description: 'The number of a document' },
        type: { type: 'integer', description: 'The type of a document, by its number' },
        status: { type: 'string', description: 'The status of a document when it happened' },
        externalId: {
          type: ['string', 'null'],
          description: 'The id of a program, where things of this kind can have one',
        },
        version: { type: 'integer', description: 'Grows with every event of the thing' },
        link: { type: 'string', description: 'The path that answers the thing' },
        object: {
          type: ['object', 'null'],
          description: 'The thing itself in a full notice; null when it is gone',
          additionalProperties: true,
        },
      },
    },
  },
}

const headersSaid = (language: Language): ApiDocument['components']['headers'] => ({
  RequestId: { description: say(language, 'api.says.requestId'), schema: { type: 'string', format: 'uuid' } },
  RetryAfter: { description: say(language, 'api.says.retryAfter'), schema: { type: 'integer', minimum: 0 } },
  ETag: { description: say(language, 'api.says.etag'), schema: { type: 'string' } },
  Location: {
    description: say(language, 'api.says.location'),
    schema: { type: 'string', format: 'uri-reference' },
  },
  Deprecation: { description: say(language, 'api.says.deprecation'), schema: { type: 'string' } },
  Sunset: { description: say(language, 'api.says.sunset'), schema: { type: 'string' } },
  Link: { description: say(language, 'api.says.link'), schema: { type: 'string' } },
})

const webhooksSaid = (language: Language): ApiDocument['webhooks'] =>
  Object.fromEntries(
    [...allEvents().values()].map(({ name, see }) => [
      name,
      {
        post: {
          operationId: `webhooks.${name}`,
          summary: say(language, `webhooks.events.${name}`),
          tags: ['webhooks'],
          security: [],
          // The call that answers the thing; a full notice holds the same.
          'x-see': see,
          requestBody: { $ref: '#/components/requestBodies/Notice' },
          responses: { '2XX': { $ref: '#/components/responses/Noticed' } },
        },
      },
    ]),
  )

/** Which calls a document describes: those that a program can make, or also those of people and of pages with a key. */
export type Scope = 'keys' | 'all'

/** What a key can call, and what anybody can: no call of a person alone, and none of the pages that a link opens. */
export const isOfPrograms = (endpoint: Endpoint): boolean => isForKeys(endpoint) && endpoint.access !== 'key'

/**
 * OpenAPI 3.1 of every call, made from the contract and said in a language. What each field means comes from
 * the words of the screens, so that a form and the document never say two things.
 */
export function* openapiSteps(
  every: readonly Endpoint[],
  version: string,
  wingOf: ReadonlyMap<string, Wing>,
  language: Language,
  scope: Scope,
): Generator<void, ApiDocument> {
  const endpoints = scope === 'all' ? every : every.filter(isOfPrograms)
  const book = new SchemaBook(
    new Set(
      endpoints.flatMap(({ name }) =>
        (['Input', 'Answer'] as const).flatMap((side) => schemaNames(name, side)),
      ),
    ),
  )
  const parameters: Record<string, Parameter> = {}
  const counted = new Map<string, number>()
  // The person who answers one record names its schema.
  const inOrder = [...endpoints].toSorted(
    (a, b) => Number(verbOf(b.name) === 'get') - Number(verbOf(a.name) === 'get'),
  )
  const made = new Map<Endpoint, Operation>()
  const makes = madeBy(endpoints)
  for (const endpoint of inOrder) {
    made.set(endpoint, operationOf(endpoint, book, language, makes(endpoint)))
    yield
  }
  for (const { parameters: list } of made.values())
    for (const one of list ?? [])
      counted.set(JSON.stringify(one), (counted.get(JSON.stringify(one)) ?? 0) + 1)
  const titles = new Map<string, string>()
  const shared = (one: Parameter, tag: string): Parameter | { $ref: string } => {
    const text = JSON.stringify(one)
    if (counted.get(text)! < 2) return one
    let title = titles.get(text)
    if (!title) {
      const plain = one.name.replace(/\W+(\w)/g, (_, c: string) => c.toUpperCase())
      const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
      const taken = new Set(Object.keys(parameters).map((name) => name.toLowerCase()))
      const names = [plain, `${plain}In${capital(one.in)}`, `${tag}${capital(plain)}`]
      title = names.find((name) => !taken.has(name.toLowerCase())) ?? names[2]!
      for (let n = 2; taken.has(title.toLowerCase()); n++) title = `${names[2]}${n}`
      titles.set(text, title)
      parameters[title] = one
    }
    return { $ref: `#/components/parameters/${title}` }
  }
  const paths: ApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const operation = made.get(endpoint)!
    if (operation.parameters?.length)
      operation.parameters = operation.parameters.map((one) => shared(one as Parameter, tagOf(endpoint.name)))
    else delete operation.parameters
    ;(paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation
  }
  for (const { path, name, type, also } of plain)
    paths[path] = {
      get: {
        operationId: name,
        summary: callText(name, 'summary', language) ?? name,
        description: callText(name, 'about', language) ?? '',
        tags: ['server'],
        security: [],
        ...also,
        responses: {
          200: { description: say(language, 'api.says.answer'), content: { [type]: { schema: {} } } },
          ...refusedSaid,
        },
      },
    }
  const groups = tagGroups(endpoints, wingOf, language)
  const answers = sharedAnswers(paths)
  const schemas = { ...book.all(), Problem: problem, Notice: notice, UploadForm: uploadForm }
  const apart = namesApart(schemas)
  const document: ApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Pinkas',
      version,
      description: say(language, 'api.says.info'),
      contact: { name: 'Pinkas' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { bearer: [] }, { basic: [] }],
    tags: groups
      .flatMap(({ tags }) => tags)
      .map((tag) => ({ name: tag, description: tagTitle(tag, language) })),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags })),
    paths,
    webhooks: webhooksSaid(language),
    components: {
      headers: headersSaid(language),
      requestBodies: {
        Notice: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Notice' } } },
        },
      },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'x-access-token',
          description: say(language, 'api.says.token'),
        },
        bearer: { type: 'http', scheme: 'bearer', description: say(language, 'api.says.bearer') },
        basic: { type: 'http', scheme: 'basic', description: say(language, 'api.says.basic') },
      },
      parameters,
      responses: {
        ...answers,
        Noticed: { description: say(language, 'api.says.noticed') },
        Refused: {
          description: say(language, 'api.says.refused'),
          headers: {
            'request-id': { $ref: '#/components/headers/RequestId' },
            'retry-after': { $ref: '#/components/headers/RetryAfter' },
          },
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [apart.get(name) ?? name, schema]),
      ),
      ...refusalsSaid(language, scope === 'all' ? undefined : new Set(endpoints.flatMap(errorsOf))),
    },
  }
  const renamed = JSON.stringify(document).replace(
    /"#\/components\/schemas\/(\w+)"/g,
    (whole, name: string) => (apart.has(name) ? `"#/components/schemas/${apart.get(name)}"` : whole),
  )
  return JSON.parse(renamed) as ApiDocument
}

/** Answers that several calls give alike, said once; the calls point there. */
function sharedAnswers(paths: ApiDocument['paths']): Record<string, unknown> {
  const all = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => ({ responses, status, text: JSON.stringify(responses[status]) })),
    ),
  )
  const counts = new Map<string, number>()
  for (const { text } of all) counts.set(text, (counts.get(text) ?? 0) + 1)
  const titles = new Map<string, string>()
  const shared: Record<string, unknown> = {}
  for (const { responses, status, text } of all) {
    if (counts.get(text)! < 2) continue
    let title = titles.get(text)
    if (!title) {
      const wanted = `${/schemas\/(\w+)"/.exec(text)?.[1] ?? 'Plain'}${status === '201' ? 'Made' : 'Answered'}`
      title = wanted
      for (let n = 2; shared[title]; n++) title = `${wanted}${n}`
      titles.set(text, title)
      shared[title] = responses[status]
    }
    responses[status] = { $ref: `#/components/responses/${title}` }
  }
  return shared
}

/** What kind of file a call answers, where its address says so. */
const fileTypeOf = ({ path }: Endpoint): string =>
  /(^|[/.])pdf$/.test(path)
    ? 'application/pdf'
    : path.endsWith('.zip')
      ? 'application/zip'
      : 'application/octet-stream'

function operationOf(
  endpoint: Endpoint,
  book: SchemaBook,
  language: Language,
  makes: Made | undefined,
): Operation {
  const tag = tagOf(endpoint.name)
  const input = withMeanings(inputSchema(endpoint), tag, language)
  const output = outputSchema(endpoint)
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
  const rest = Object.entries(input.properties ?? {}).filter(
    ([name]) =>
      !inPath.includes(name) && !(endpoint.upload && name === 'bytes') && !(endpoint.raw && name === 'raw'),
  )
  // `size` and `cursor` are what `limit` and `after` were called before; they are taken, and not offered.
  const isFormer = (name: string) =>
    (name === 'size' && input.properties?.limit) ||
    (name === 'cursor' && input.properties?.after) ||
    // A file has all rows.
    (endpoint.file && ['page', 'limit', 'after', 'size', 'cursor', 'expand', 'fields'].includes(name))
  const asQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || !!endpoint.upload
  const isWriting = endpoint.method !== 'GET' && !endpoint.reads
  const parameterOf = (
    name: string,
    where: 'path' | 'query',
    { description, ...schema }: JsonSchema,
    required: boolean,
  ): Parameter => ({
    name,
    in: where,
    ...(required ? { required } : {}),
    ...(description && !(where === 'query' && isSaidByName(description, name)) ? { description } : {}),
    schema,
  })
  const example = exampleFor(endpoint)
  const body: JsonSchema = {
    ...input,
    properties: Object.fromEntries(rest),
    required: (input.required ?? []).filter((name) => !inPath.includes(name)),
  }
  if (!body.required?.length) delete body.required
  const isOpen = endpoint.access === 'open' || endpoint.access === 'key'
  const etag = 'updatedAt' in (output.properties ?? {}) ? { etag: { $ref: '#/components/headers/ETag' } } : {}
  const ends = endpoint.deprecated
    ? Object.fromEntries(
        ['Deprecation', 'Sunset', 'Link'].map((name) => [
          name.toLowerCase(),
          { $ref: `#/components/headers/${name}` },
        ]),
      )
    : {}
  const headers = (own: object) => {
    const all = { ...own, ...ends }
    return Object.keys(all).length ? { headers: all } : {}
  }
  const content = endpoint.file
    ? undefined
    : {
        'application/json': {
          schema: book.lay(
            withMeanings(output, tag, language),
            schemaNames(endpoint.name, 'Answer'),
            tag,
            true,
          ),
        },
      }
  return {
    operationId: endpoint.name,
    summary: summaryOf(endpoint, language),
    description: descriptionOf(endpoint, language, { isBrief: true }),
    tags: [tag],
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    ...(isOpen ? { security: [] } : isForDrafts(endpoint) ? { 'x-drafts-only': true } : {}),
    parameters: [
      ...inPath.map((name) =>
        parameterOf(name, 'path', input.properties?.[name] ?? { type: 'string' }, true),
      ),
      ...(asQuery
        ? rest
            .filter(([name]) => !isFormer(name))
            .map(([name, schema]) =>
              parameterOf(name, 'query', schema, input.required?.includes(name) ?? false),
            )
        : []),
      ...(endpoint.matches
        ? [
            {
              name: 'If-Match',
              in: 'header' as const,
              description: say(language, 'api.says.ifMatch'),
              schema: { type: 'string', maxLength: 200 },
            },
          ]
        : []),
      ...(endpoint.method === 'GET' && 'updatedAt' in (output.properties ?? {})
        ? [
            {
              name: 'If-None-Match',
              in: 'header' as const,
              description: say(language, 'api.says.ifNoneMatch'),
              schema: { type: 'string', maxLength: 200 },
            },
          ]
        : []),
      ...(isWriting
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header' as const,
              description: say(language, 'api.says.idempotency'),
              schema: { type: 'string', maxLength: 255 },
            },
          ]
        : []),
    ],
    ...(endpoint.upload
      ? {
          requestBody: {
            required: true,
            content: {
              'application/octet-stream': {
                schema: { type: 'string', format: 'binary', maxLength: endpoint.upload.maxBytes },
              },
              'multipart/form-data': { schema: { $ref: '#/components/schemas/UploadForm' } },
            },
          },
        }
      : {}),
    ...(endpoint.raw
      ? {
          requestBody: {
            required: true,
            content: { '*/*': { schema: { type: 'string', maxLength: endpoint.raw.maxBytes } } },
          },
        }
      : {}),
    ...(!asQuery && rest.length && !endpoint.raw
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: book.lay(body, schemaNames(endpoint.name, 'Input'), tag, false),
                example: bodyOf(example, inPath),
              },
            },
          },
        }
      : {}),
    responses: {
      ...(endpoint.file
        ? {
            200: {
              description: say(language, 'api.says.file'),
              content: { [fileTypeOf(endpoint)]: { schema: { type: 'string', format: 'binary' } } },
            },
          }
        : {
            // A repeat under a key of the program makes nothing.
            ...(!makes || endpoint.clientKeys
              ? { 200: { description: say(language, 'api.says.answer'), ...headers(etag), content } }
              : {}),
            ...(makes
              ? {
                  201: {
                    description: say(language, 'api.says.made'),
                    ...headers({ location: { $ref: '#/components/headers/Location' }, ...etag }),
                    content,
                  },
                }
              : {}),
          }),
      ...refusedSaid,
    },
    ...(ofCalls(endpoint.errors).length > 0 ? { 'x-errors': ofCalls(endpoint.errors) } : {}),
  }
}

const bodyOf = (example: Record<string, unknown>, inPath: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)))

/** The statuses whose refusals have one way out, whatever their code. */
const remedyOf = (code: string, language: Language): string => {
  const words = wordsOf(language)
  return words[`api.remedy.${code}`] ?? words[`api.remedy.s${errorStatus[code]}`] ?? words['api.remedy.s422']!
}

/** A text with holes is shown with their names. */
const unfilled = (text: string): string => text.replace(/\{(\w+)(?:,[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}/g, '<$1>')

/** Every declared refusal in words, with what to do written once for those that say no more than their status. */
function refusalsSaid(
  language: Language,
  only: ReadonlySet<string> | undefined,
): Pick<ApiDocument['components'], 'x-errors' | 'x-remedies'> {
  const remedies: Record<string, string> = {}
  const errors: ApiDocument['components']['x-errors'] = {}
  for (const [code, { status, title, remedy }] of Object.entries(errorsSaid(language))) {
    if (only && !only.has(code) && !everyCallMayAnswer.includes(code)) continue
    const isOwn = wordsOf(language)[`api.remedy.${code}`] !== undefined
    if (!isOwn) remedies[status] = remedy
    errors[code] = { status, title, ...(isOwn ? { remedy } : {}) }
  }
  return { 'x-errors': errors, 'x-remedies': remedies }
}

/** Every declared refusal in words: why, and what to do. */
export const errorsSaid = (
  language: Language,
): Record<string, { status: number; title: string; remedy: string }> =>
  Object.fromEntries(
    Object.entries(errorStatus)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([code, status]) => [
        code,
        {
          status,
          title: unfilled(wordsOf(language)[`errors.${code}`] ?? code),
          remedy: remedyOf(code, language),
        },
      ]),
  )

/** What a group of calls is about, in the words of its screen where it has one. */
export function tagTitle(tag: string, language: Language): string {
  const words = wordsOf(language)
  const own = [`${tag}.title`, `screens.${tag}`]
    .map((key) => words[key])
    .find((text) => text && !text.includes('{'))
  return own ?? callText(tag, 'summary', language) ?? tag
}

/** The tags of each wing under its title. Calls of the kit (reports) are with the books. */
export function tagGroups(
  endpoints: readonly Endpoint[],
  wingOf: ReadonlyMap<string, Wing>,
  language: Language,
): { wing: Wing | 'server'; name: string; tags: string[] }[] {
  const wingOfTag = new Map<string, Wing>()
  for (const { name } of endpoints) {
    const wing = wingOf.get(name)
    if (wing && !wingOfTag.has(tagOf(name))) wingOfTag.set(tagOf(name), wing)
  }
  const tags = [...new Set(endpoints.map(({ name }) => tagOf(name)))].toSorted()
  return wings
    .map((wing): { wing: Wing | 'server'; name: string; tags: string[] } => ({
      wing,
      name: wordsOf(language)[`api.wings.${wing}`] ?? wingTitles[wing],
      tags: tags.filter((tag) => (wingOfTag.get(tag) ?? 'reports') === wing),
    }))
    .filter((group) => group.tags.length > 0)
    .concat({ wing: 'server', name: wordsOf(language)['api.wings.server'] ?? 'The server', tags: ['server'] })
}
