import { readPdf } from '#kit/server/seal/pdfFile.ts'
import { pagesOf } from '#kit/server/seal/pdfValues.ts'
import { pageHashes } from '#kit/server/seal/stamp.ts'
import { sealsOf, type FoundSeal } from '#kit/server/seal/verify.ts'
import { besidePaper, compose, evidenceIn, makeForm, sha256 } from './compose.ts'

export interface Verified {
  verdict: 'holds' | 'changed' | 'unsealed' | 'broken'
  seals: FoundSeal[]
  pages: number
  changedPages: number[]
  changedElse: boolean
  evidence: Record<string, unknown> | null
  sha256: string
}

/** What of a PDF holds: its seals, and its pages against the fingerprints that lie inside. */
export function verified(given: Uint8Array): Verified {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const seals = sealsOf(bytes)
  const holds = seals.length > 0 && seals.every(({ isValid, after }) => isValid && after !== 'changed')
  let pages = 0
  let changedPages: number[] = []
  let evidence: Record<string, unknown> | null = null
  let isReadable = true
  try {
    const file = readPdf(bytes)
    pages = pagesOf(file).length
    try {
      evidence = evidenceIn(bytes) ?? null
    } catch {
      // What should tell of the pages is itself broken.
    }
    const known = Array.isArray(evidence?.pages) ? (evidence.pages as unknown[]) : undefined
    if (known && !holds)
      changedPages = hashesOf(file, pages)
        .map((hash, at) => (hash === known[at] ? 0 : at + 1))
        .filter((one) => one > 0)
  } catch {
    isReadable = false
  }
  const verdict = seals.length === 0 ? (isReadable ? 'unsealed' : 'broken') : holds ? 'holds' : 'changed'
  return {
    verdict,
    seals,
    pages,
    changedPages,
    changedElse: verdict === 'changed' && changedPages.length === 0,
    evidence,
    sha256: sha256(bytes).toString('hex'),
  }
}

/** Of a file whose objects are broken, each page that cannot be read is told as changed. */
function hashesOf(file: ReturnType<typeof readPdf>, pages: number): (string | undefined)[] {
  try {
    return pageHashes(file, besidePaper)
  } catch {
    return Array.from({ length: pages }, () => undefined)
  }
}

/** What threads do with papers that are signed. */
export const readers = {
  'signing.compose': compose,
  'signing.form': makeForm,
  'signing.verify': ({ bytes }: { bytes: Uint8Array }) => verified(bytes),
}
