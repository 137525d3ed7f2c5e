import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import type { Wing } from '#kit/describe/wings.ts'
import type { Language } from '../context.ts'
import { openapiSteps, type ApiDocument } from './document.ts'

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
  packed.clear()
}
export function contract(): Contract {
  if (!known) throw new Error('the contract is not known before the server is made')
  return known
}

const documents = new Map<Language, Promise<string>>()
const packed = new Map<Language, Promise<Buffer>>()

/** Others are answered in between: no part of the work is longer. */
const sliceMs = 15

async function slowly(language: Language): Promise<ApiDocument> {
  const { endpoints, version, wingOf } = contract()
  const steps = openapiSteps(endpoints, version, wingOf, language)
  for (let since = performance.now(); ;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < sliceMs) continue
    await new Promise((go) => setImmediate(go))
    since = performance.now()
  }
}

/** The whole document as text; made when it is first asked for, and kept. */
export function documentText(language: Language): Promise<string> {
  const there = documents.get(language)
  if (there) return there
  const made = slowly(language).then((document) => JSON.stringify(document))
  documents.set(language, made)
  return made
}

const pack = promisify(brotliCompress)

/**
 * The same, packed once and well: two megabytes of names that come back again and again. It is done beside
 * the thread that answers.
 */
export function packedDocument(language: Language): Promise<Buffer> {
  const there = packed.get(language)
  if (there) return there
  const made = documentText(language).then((text) =>
    pack(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  )
  packed.set(language, made)
  return made
}
