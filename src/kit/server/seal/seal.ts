import { createHash } from 'node:crypto'
import { assertValid, type Signer } from './certificates.ts'
import { detachedSignature } from './cms.ts'
import { objectOf, pdfDate, readPdf, reference, SealError, textString, updatedPdf, type PdfFile } from './pdfFile.ts'

/** What the signature says of itself. `at` is the moment of sealing: it is written into the file, and the certificate must be valid at it. */
export interface SealWords {
  readonly name: string
  readonly reason: string
  readonly at: Date
  readonly location?: string
}

/**
 * Signs a PDF (PAdES B-B) by an incremental update: the bytes before stay as they are, the file's /ID stays, PDF/A stays PDF/A, and an
 * earlier signature stays valid. The field is invisible; what people see is the seal drawn on the paper. Always the last step.
 * Throws CertificateError when the certificate is not valid at `at`, SealError when the file cannot be extended.
 */
export function sealPdf(pdf: Uint8Array, signer: Signer, words: SealWords): Uint8Array {
  assertValid(signer, words.at)
  const file = readPdf(Buffer.from(pdf))
  const room = signer.chain.reduce((sum, der) => sum + der.length, 0) + 2048
  const updated = addSignature(file, words, room)
  const opening = updated.indexOf('/Contents <', pdf.length) + '/Contents '.length
  const closing = opening + room * 2 + 2
  const range = [0, opening, closing, updated.length - closing]
  const placeholder = '/ByteRange [0 ########## ########## ##########]'
  const rangeAt = updated.indexOf(placeholder, pdf.length)
  updated.write(`/ByteRange [${range.join(' ')}]`.padEnd(placeholder.length), rangeAt, 'latin1')

  const digest = createHash('sha256').update(updated.subarray(0, opening)).update(updated.subarray(closing)).digest()
  const signature = Buffer.from(detachedSignature(digest, signer)).toString('hex')
  if (signature.length > room * 2) throw new SealError('the signature is larger than the room kept for it')
  updated.write(signature, opening + 1, 'latin1')
  return new Uint8Array(updated)
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

function addSignature(file: PdfFile, words: SealWords, room: number): Buffer {
  const signature = file.size
  const field = file.size + 1
  const page = firstPage(file)
  const objects = new Map<number, string>()
  objects.set(
    signature,
    [
      '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached',
      '/ByteRange [0 ########## ########## ##########]',
      `/Contents <${'0'.repeat(room * 2)}>`,
      `/Name ${textString(words.name)} /Reason ${textString(words.reason)}${words.location ? ` /Location ${textString(words.location)}` : ''}`,
      `/M (${pdfDate(words.at)})`,
    ].join('\n'),
  )
  const pageDictionary = objectOf(file, page)
  const catalog = objectOf(file, file.root)
  const earlier = /\/AcroForm\s*<<[^>]*\/Fields\s*\[([^\]]*)\]/.exec(catalog)?.[1]?.trim() ?? ''
  if (earlier === '' && catalog.includes('/AcroForm')) throw new SealError('the file has a form of its own')
  const count = earlier === '' ? 1 : earlier.split('R').length
  // Printed and locked, and of no size: PDF/A then asks for no appearance.
  objects.set(field, `/Type /Annot /Subtype /Widget /FT /Sig /T (Seal${count}) /V ${signature} 0 R /F 132 /Rect [0 0 0 0] /P ${page} 0 R`)
  objects.set(page, withAnnotation(file, pageDictionary, field))
  const fields = `${earlier} ${field} 0 R`.trim()
  const form = `/AcroForm << /SigFlags 3 /Fields [${fields}] >>`
  objects.set(file.root, earlier === '' ? `${catalog}\n${form}` : catalog.replace(/\/AcroForm\s*<<[^>]*>>/, form))

  return updatedPdf(file, objects, file.size + 2)
}

function withAnnotation(file: PdfFile, page: string, field: number): string {
  const tabs = /\/Tabs\b/.test(page) ? page : `${page}\n/Tabs /S`
  const inline = /\/Annots\s*\[([^\]]*)\]/.exec(tabs)
  if (inline) return tabs.replace(inline[0], `/Annots [${`${inline[1]!.trim()} ${field} 0 R`.trim()}]`)
  const far = /\/Annots\s+(\d+) \d+ R/.exec(tabs)
  if (!far) return `${tabs}\n/Annots [${field} 0 R]`
  const offset = file.offsets.get(Number(far[1]))
  const listed = offset === undefined ? null : /^\d+ \d+ obj\s*\[([^\]]*)\]/.exec(file.bytes.toString('latin1', offset, offset + 4000))
  if (!listed) throw new SealError('the page has notes that cannot be read')
  return tabs.replace(far[0], `/Annots [${listed[1]!.trim()} ${field} 0 R]`)
}
