import { createHash } from 'node:crypto'
import { assertValid, type Signer } from './certificates.ts'
import { detachedSignature, type Stamper } from './cms.ts'
import { objectOf, pdfDate, readPdf, reference, SealError, textString, type PdfFile } from './pdfFile.ts'
import { dictionaryOf, entriesOf, itemsOf, rawObject, resolved, writtenEntries } from './pdfValues.ts'
import { Additions, byStructure } from './stamp.ts'

/**
 * What the signature says of itself. `at` is the moment of sealing: it is written into the file, and the
 * certificate must be valid at it.
 */
export interface SealWords {
  readonly name: string
  readonly reason: string
  readonly at: Date
  readonly location?: string
}

/** The relation of a seal to the form of its file. */
export interface SealPlace {
  /** The object of a signature field that waits for it; otherwise an invisible field is made. */
  readonly field?: number
  /** Certifies the file: from here on only forms may be filled in and signed (DocMDP, P 2). */
  readonly certifies?: true
  /** Fields by name that are locked by this seal (FieldMDP). */
  readonly locks?: readonly string[]
  /** Changes that belong to the same revision as the seal. */
  readonly additions?: Additions
}

const rangePlace = '/ByteRange [0 ########## ########## ##########]'

/**
 * Signs a PDF (PAdES B-B) by an incremental update: the bytes before stay as they are, the file's /ID stays,
 * PDF/A stays PDF/A, and an earlier signature stays valid. The field is invisible unless one is named; what
 * people see is the seal drawn on the paper. Always the last step. Throws CertificateError when the
 * certificate is not valid at `at`, SealError when the file cannot be extended.
 */
export function sealPdf(
  pdf: Uint8Array,
  signer: Signer,
  words: SealWords,
  place: SealPlace = {},
): Uint8Array {
  const { digest, put } = prepared(pdf, signer, words, place, 0)
  return put(detachedSignature(digest, signer).der())
}

/** Room for the token of a time-stamp authority with its certificates. */
const stampRoom = 12 * 1024

/**
 * The same with the word of a time-stamp authority (PAdES B-T): `stamp` is asked for a token over the
 * signature's value.
 */
export async function sealPdfStamped(
  pdf: Uint8Array,
  signer: Signer,
  words: SealWords,
  stamp: Stamper,
  place: SealPlace = {},
): Promise<Uint8Array> {
  const { digest, put } = prepared(pdf, signer, words, place, stampRoom)
  const signature = detachedSignature(digest, signer)
  return put(signature.der(await stamp(signature.value)))
}

function prepared(pdf: Uint8Array, signer: Signer, words: SealWords, place: SealPlace, more: number) {
  assertValid(signer, words.at)
  const into = place.additions ?? new Additions(readPdf(Buffer.from(pdf)))
  const length = into.file.bytes.length
  const room = signer.chain.reduce((sum, der) => sum + der.length, 0) + 2048 + more
  addSignature(into, words, room, place)
  const updated = into.written()
  const opening = updated.indexOf('/Contents <0000', length) + '/Contents '.length
  const closing = opening + room * 2 + 2
  const range = [0, opening, closing, updated.length - closing]
  updated.write(
    `/ByteRange [${range.join(' ')}]`.padEnd(rangePlace.length),
    updated.indexOf(rangePlace, length),
    'latin1',
  )
  const digest = createHash('sha256')
    .update(updated.subarray(0, opening))
    .update(updated.subarray(closing))
    .digest()
  const put = (der: Uint8Array): Uint8Array => {
    const signature = Buffer.from(der).toString('hex')
    if (signature.length > room * 2) throw new SealError('the signature is larger than the room kept for it')
    updated.write(signature, opening + 1, 'latin1')
    return new Uint8Array(updated)
  }
  return { digest, put }
}

function firstPage(file: PdfFile): number {
  let node = reference(objectOf(file, file.root), 'Pages')
  for (;;) {
    const dictionary = objectOf(file, node)
    if (!/\/Type\s*\/Pages\b/.test(dictionary)) return node
    const kid = /\/Kids\s*\[\s*(\d+) \d+ R/.exec(dictionary)?.[1]
    if (kid === undefined) throw new SealError('the file has no pages')
    node = Number(kid)
  }
}

function addSignature(
  into: Additions,
  words: SealWords,
  room: number,
  { field, certifies, locks }: SealPlace,
): void {
  const { file } = into
  const references = [
    ...(certifies
      ? [
          '<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 2 /V /1.2 >> >>',
        ]
      : []),
    ...(locks
      ? [
          `<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /Include /Fields [${locks.map(textString).join(' ')}] /V /1.2 >> >>`,
        ]
      : []),
  ]
  const signature = into.add(
    [
      '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached',
      rangePlace,
      `/Contents <${'0'.repeat(room * 2)}>`,
      `/Name ${textString(words.name)} /Reason ${textString(words.reason)}${words.location ? ` /Location ${textString(words.location)}` : ''}`,
      `/M (${pdfDate(words.at)})`,
      ...(references.length ? [`/Reference [${references.join(' ')}]`] : []),
    ].join('\n'),
  )
  if (field !== undefined) {
    const entries = into.entries(field)
    entries.set('V', `${signature} 0 R`)
    into.objects.set(field, writtenEntries(entries))
    return
  }
  const page = firstPage(file)
  const catalog = into.entries(file.root)
  const form = new Map(dictionaryOf(file, catalog.get('AcroForm')))
  const written = resolved(file, form.get('Fields'))
  const earlier = written === undefined ? [] : itemsOf(written)
  if (form.has('XFA')) throw new SealError('the file has a form of its own')
  const seals = earlier.filter((one) => /\/FT\s*\/Sig\b/.test(resolved(file, one) ?? '')).length
  // Printed and locked, and of no size: PDF/A then asks for no appearance.
  const made = into.add(
    `/Type /Annot /Subtype /Widget /FT /Sig /T (Seal${seals + 1}) /V ${signature} 0 R /F 132 /Rect [0 0 0 0] /P ${page} 0 R`,
  )
  const pageEntries = into.entries(page)
  const notes = resolved(file, pageEntries.get('Annots'))
  if (notes !== undefined && !notes.startsWith('['))
    throw new SealError('the page has notes that cannot be read')
  pageEntries.set('Annots', `[${[...(notes ? itemsOf(notes) : []), `${made} 0 R`].join(' ')}]`)
  if (!pageEntries.has('Tabs')) pageEntries.set('Tabs', byStructure)
  into.objects.set(page, writtenEntries(pageEntries))
  form.set('SigFlags', '3')
  form.set('Fields', `[${[...earlier, `${made} 0 R`].join(' ')}]`)
  catalog.set('AcroForm', `<< ${writtenEntries(form)} >>`)
  if (certifies) {
    const perms = dictionaryOf(file, catalog.get('Perms'))
    perms.set('DocMDP', `${signature} 0 R`)
    catalog.set('Perms', `<< ${writtenEntries(perms)} >>`)
  }
  into.objects.set(file.root, writtenEntries(catalog))
}

/** The object of a form field by its name (of top-level fields, as ours are). */
export function fieldNamed(file: PdfFile, name: string): number | undefined {
  const form = dictionaryOf(file, entriesOf(rawObject(file, file.root).text).get('AcroForm'))
  const fields = resolved(file, form.get('Fields'))
  for (const one of fields ? itemsOf(fields) : []) {
    const title = dictionaryOf(file, one).get('T')
    if (title === textString(name) || title === `(${name})`) return Number(/^\d+/.exec(one)?.[0])
  }
  return undefined
}
