import { createHash } from 'node:crypto'
import { readPdf, textString } from '#kit/server/seal/pdfFile.ts'
import { pagesOf, writtenEntries } from '#kit/server/seal/pdfValues.ts'
import {
  Additions,
  appendPages,
  attach,
  attachedIn,
  byStructure,
  drawOver,
  Guest,
  pageHashes,
  type Placement,
} from '#kit/server/seal/stamp.ts'

/*
 * How a signed paper is put together. Pure and without a database: it runs in a thread, for papers are as
 * long as people make them.
 */

/** Entries of a page that change when a seal or a field is put on it. */
export const besidePaper = ['Annots', 'Tabs']
export const evidenceName = 'evidence.json'

export interface Composition {
  base: Uint8Array
  /** Fields as pages of their size, and where each lies. */
  set: Uint8Array
  placements: { page: number; matrix: Placement['matrix'] }[]
  /** The pages of evidence, whole. */
  evidencePages: Uint8Array
  evidence: Record<string, unknown>
  files: { name: string; mime: string; bytes: Uint8Array }[]
  at: string
  words: { evidence: string; file: string }
}

/** The paper with everything on it in its pages, the evidence behind it and inside it; not yet sealed. */
export function compose({
  base,
  set,
  placements,
  evidencePages,
  evidence,
  files,
  at,
  words,
}: Composition): Uint8Array {
  const into = new Additions(readPdf(Buffer.from(base)))
  const pages = pagesOf(into.file)
  const guest = new Guest(set, into)
  const byPage = new Map<number, { form: number; matrix: Placement['matrix'] }[]>()
  for (const [from, { page, matrix }] of placements.entries())
    byPage.set(page, [...(byPage.get(page) ?? []), { form: guest.drawing(from), matrix }])
  for (const [page, drawings] of byPage) drawOver(into, pages[page - 1]!, drawings)
  const behind = new Guest(evidencePages, into)
  appendPages(into, (parent) => behind.pages.map((_, index) => behind.page(index, parent)))
  return withEvidence(into.written(), evidence, files, at, words)
}

/** The fingerprints of the pages as they are now go into the evidence, which is laid inside. */
export function withEvidence(
  bytes: Buffer,
  evidence: Record<string, unknown>,
  files: Composition['files'],
  at: string,
  words: Composition['words'],
): Uint8Array {
  const file = readPdf(bytes)
  const pages = pageHashes(file, besidePaper)
  const into = new Additions(file)
  const json = Buffer.from(JSON.stringify({ ...evidence, pages }, null, 1))
  attach(into, [
    {
      name: evidenceName,
      mime: 'application/json',
      description: words.evidence,
      bytes: json,
      at: new Date(at),
    },
    ...files.map((one) => ({ ...one, description: words.file, at: new Date(at) })),
  ])
  return new Uint8Array(into.written())
}

export interface FormField {
  name: string
  page: number
  /** Left, bottom, right, top on the unrotated page. */
  rect: readonly [number, number, number, number]
  kind: 'text' | 'signature'
}

export interface Form {
  base: Uint8Array
  evidencePages: Uint8Array
  fields: FormField[]
  evidence: Record<string, unknown>
  at: string
  words: Composition['words']
}

/**
 * The paper as a form: every field, every signature and the places of the evidence are there before the first
 * seal, so that the person who signs later only fills in. `page` of a field counts on into the pages of evidence.
 */
export function makeForm({ base, evidencePages, fields, evidence, at, words }: Form): Uint8Array {
  const into = new Additions(readPdf(Buffer.from(base)))
  const own = pagesOf(into.file).map(({ number }) => number)
  const behind = new Guest(evidencePages, into)
  const added = appendPages(into, (parent) => behind.pages.map((_, index) => behind.page(index, parent)))
  const pages = [...own, ...added]
  const font = into.add('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding')
  const numbers = fields.map(({ name, page, rect, kind }) => {
    const box = rect.map((one) => Math.round(one * 100) / 100).join(' ')
    const number = into.add(
      `/Type /Annot /Subtype /Widget /FT /${kind === 'signature' ? 'Sig' : 'Tx'} /T ${textString(name)} /F 4 /Rect [${box}] /P ${pages[page - 1]} 0 R${kind === 'text' ? ' /DA (/Helv 0 Tf 0 g)' : ''}`,
    )
    return { number, page }
  })
  for (const [at0, page] of pages.entries()) {
    const here = numbers.filter((one) => one.page === at0 + 1).map(({ number }) => `${number} 0 R`)
    if (!here.length) continue
    const entries = into.entries(page)
    const kept = entries.get('Annots')
    // Links and notes of the paper itself are left as they are where they stand in the page; a list elsewhere
    // is taken over whole.
    const before = kept?.startsWith('[') ? kept.slice(1, -1) : (listAt(into, kept) ?? '')
    entries.set('Annots', `[${before} ${here.join(' ')}]`)
    if (!entries.has('Tabs')) entries.set('Tabs', byStructure)
    into.objects.set(page, writtenEntries(entries))
  }
  const catalog = into.entries(into.file.root)
  catalog.set(
    'AcroForm',
    `<< /SigFlags 3 /Fields [${numbers.map(({ number }) => `${number} 0 R`).join(' ')}] /DR << /Font << /Helv ${font} 0 R >> >> /DA (/Helv 0 Tf 0 g) >>`,
  )
  into.objects.set(into.file.root, writtenEntries(catalog))
  return withEvidence(into.written(), evidence, [], at, words)
}

function listAt(into: Additions, value: string | undefined): string | undefined {
  const number = /^(\d+) \d+ R$/.exec(value ?? '')?.[1]
  if (number === undefined) return undefined
  const offset = into.file.offsets.get(Number(number))
  return offset === undefined
    ? undefined
    : /^\d+ \d+ obj\s*\[([^\]]*)\]/.exec(into.file.bytes.toString('latin1', offset, offset + 20_000))?.[1]
}

/** The evidence of a document, as embedded in it. */
export function evidenceIn(bytes: Buffer): Record<string, unknown> | undefined {
  const found = attachedIn(readPdf(bytes), evidenceName)
  return found ? (JSON.parse(found.toString('utf8')) as Record<string, unknown>) : undefined
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
