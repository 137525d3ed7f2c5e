import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import type { Wing } from '#kit/describe/wings.ts'
import type { Language } from '../context.ts'
import { languages } from '../words.ts'
import { everyCallMayAnswer, openapiSteps, type ApiDocument, type Scope } from './document.ts'

export interface Contract {
  endpoints: readonly Endpoint[]
  version: string
  wingOf: ReadonlyMap<string, Wing>
}

let known: Contract | undefined

/** What this server answers, for whatever describes it. The same for every server of a process. */
export const provideContract = (contract: Contract): void => {
  known = contract
  documents.clear()
  parsed.clear()
  packed.clear()
}
export function contract(): Contract {
  if (!known) throw new Error('the contract is not known before the server is made')
  return known
}

const documents = new Map<string, Promise<string>>()
const packed = new Map<string, Promise<Buffer>>()

/** Others are answered in between: no part of the work is longer. */
const sliceMs = 15

async function slowly(language: Language, scope: Scope): Promise<ApiDocument> {
  const { endpoints, version, wingOf } = contract()
  const steps = openapiSteps(endpoints, version, wingOf, language, scope)
  for (let since = performance.now(); ;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < sliceMs) continue
    await new Promise((go) => setImmediate(go))
    since = performance.now()
  }
}

/** The promise of a value that is made once for each language and scope, also when it is requested at once. */
function once<T>(
  kept: Map<string, Promise<T>>,
  language: Language,
  scope: Scope,
  make: () => Promise<T>,
): Promise<T> {
  const key = `${language}.${scope}`
  const there = kept.get(key)
  if (there) return there
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}

/** Where the build lays the documents: beside the built server, whose contract they describe. */
const builtFolder = new URL('openapi/', import.meta.url)
const builtFile = (language: Language, scope: Scope): URL =>
  new URL(`${language}.${scope}.json.br`, builtFolder)

/** The packed document that was made with this build; undefined where the server runs from its source. */
const built = (language: Language, scope: Scope): Promise<Buffer | undefined> =>
  readFile(builtFile(language, scope)).catch((e: NodeJS.ErrnoException) => {
    if (e.code === 'ENOENT') return undefined
    throw e
  })

/** The document as text: from the build, or made when it is first asked for; kept. */
export const documentText = (language: Language, scope: Scope = 'keys'): Promise<string> =>
  once(documents, language, scope, async () => {
    const there = await built(language, scope)
    return there ? (await unpack(there)).toString() : JSON.stringify(await slowly(language, scope))
  })

/** Documents of which parts are read; parsing one takes longer than the part. */
const parsed = new Map<string, Promise<ApiDocument>>()

const parsedDocument = (language: Language): Promise<ApiDocument> =>
  once(parsed, language, 'all', async () => JSON.parse(await documentText(language, 'all')) as ApiDocument)

/** Every pointer in a part of a document, as `schemas/Customer`. */
const pointersIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, pointer]) => pointer!)

/**
 * The part of the document with the calls of these tags and what they point at; undefined where a tag is unknown. The
 * whole is too large to be read at once, and a program that needs ten calls needs no types of all others.
 */
export async function partText(language: Language, tags: readonly string[]): Promise<string | undefined> {
  const whole = await parsedDocument(language)
  if (!tags.length || tags.some((tag) => !whole.tags.some(({ name }) => name === tag))) return undefined
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([, one]) => one.tags.some((tag) => tags.includes(tag)))
      return kept.length ? [[path, Object.fromEntries(kept)]] : []
    }),
  )
  const webhooks = tags.includes('webhooks') ? whole.webhooks : {}
  const { components } = whole
  const kept: Record<string, Record<string, unknown>> = {}
  const waiting = pointersIn([paths, webhooks])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [kind, name] = next.split('/') as [keyof typeof components, string]
    if (kept[kind]?.[name]) continue
    const one = (components[kind] as Record<string, unknown>)[name]
    ;(kept[kind] ??= {})[name] = one
    waiting.push(...pointersIn(one))
  }
  const codes = new Set<string>([
    ...everyCallMayAnswer,
    ...Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((one) => one['x-errors'] ?? []),
    ),
  ])
  return JSON.stringify({
    ...whole,
    tags: whole.tags.filter(({ name }) => tags.includes(name)),
    'x-tagGroups': whole['x-tagGroups']
      .map((group) => ({ ...group, tags: group.tags.filter((tag) => tags.includes(tag)) }))
      .filter((group) => group.tags.length > 0),
    paths,
    webhooks,
    components: {
      ...kept,
      securitySchemes: components.securitySchemes,
      'x-remedies': components['x-remedies'],
      'x-errors': Object.fromEntries(
        Object.entries(components['x-errors']).filter(([code]) => codes.has(code)),
      ),
    },
  })
}

const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)

/**
 * The same, packed once and well: two megabytes of names that come back again and again. It is done beside
 * the thread that answers.
 */
export const packedDocument = (language: Language, scope: Scope = 'keys'): Promise<Buffer> =>
  once(
    packed,
    language,
    scope,
    async () =>
      (await built(language, scope)) ??
      pack(await documentText(language, scope), {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 10,
          [constants.BROTLI_PARAM_LGWIN]: 24,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      }),
  )

/** Makes the documents of programs in a folder, for the build; the complete one is made on request. */
export async function writeDocuments(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(
    languages.map(async (language) =>
      writeFile(join(folder, `${language}.keys.json.br`), await packedDocument(language)),
    ),
  )
}
