import { readFileSync } from 'node:fs'
import { CertificateError, openPkcs12 } from '#kit/server/seal/certificates.ts'
import { readPdf } from '#kit/server/seal/pdfFile.ts'
import { entriesOf, pagesOf, rawObject } from '#kit/server/seal/pdfValues.ts'
import { fieldNamed } from '#kit/server/seal/seal.ts'
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

/** In a file with broken objects, each page that cannot be read is reported as changed. */
function hashesOf(file: ReturnType<typeof readPdf>, pages: number): (string | undefined)[] {
  try {
    return pageHashes(file, besidePaper)
  } catch {
    return Array.from({ length: pages }, () => undefined)
  }
}

/** A stranger's PKCS#12 file: its key and certificates as DER, or why they cannot be had. */
function certificateIn({
  bytes,
  password,
}: {
  bytes: Uint8Array
  password: string
}): { key: Uint8Array; certificates: Uint8Array[] } | { fault: string } {
  try {
    const { key, chain } = openPkcs12(bytes, password)
    return { key: key.export({ format: 'der', type: 'pkcs8' }), certificates: [...chain] }
  } catch (e) {
    return { fault: e instanceof CertificateError ? e.code : 'notPkcs12' }
  }
}

type Back = { certificate: { subject: string; issuer: string; fingerprint: string } } | { why: string }

/**
 * What came back of a file that was handed out: the same bytes, and behind them one signature in its own
 * place and nothing else.
 */
function handedBack({
  bytes,
  handedOut,
  field,
}: {
  bytes: Uint8Array
  handedOut: Uint8Array
  field: string
}): Back {
  const [file, out] = [Buffer.from(bytes), Buffer.from(handedOut)]
  if (file.length <= out.length || !file.subarray(0, out.length).equals(out))
    return { why: file.equals(out) ? 'unsigned' : 'other' }
  const seals = sealsOf(file)
  const more = seals.length - sealsOf(out).length
  const own = seals.at(-1)
  if (more < 1 || !own) return { why: 'unsigned' }
  if (!own.isValid) return { why: 'broken' }
  if (
    more > 1 ||
    own.after !== 'nothing' ||
    seals.slice(0, -1).some(({ isValid, after }) => !isValid || after === 'changed')
  )
    return { why: 'changed' }
  try {
    const pdf = readPdf(file)
    const number = fieldNamed(pdf, field)
    if (number === undefined || !entriesOf(rawObject(pdf, number).text).has('V')) return { why: 'elsewhere' }
  } catch {
    return { why: 'broken' }
  }
  if (own.isSelfMade) return { why: 'selfMade' }
  return { certificate: { subject: own.name, issuer: own.issuer, fingerprint: own.fingerprint } }
}

/** What threads do with papers that are signed. */
export const readers = {
  'signing.compose': compose,
  'signing.form': makeForm,
  'signing.certificate': certificateIn,
  'signing.handedBack': handedBack,
  'signing.verify': ({ bytes }: { bytes: Uint8Array }) => verified(bytes),
  /** Of a file on the disk; undefined when it is no PDF. */
  'signing.verifyFile': ({ path }: { path: string }): Verified | undefined => {
    const bytes = readFileSync(path)
    return bytes.subarray(0, 1024).includes('%PDF-') ? verified(bytes) : undefined
  },
}
