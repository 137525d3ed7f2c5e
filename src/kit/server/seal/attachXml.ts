import { createHash } from 'node:crypto'
import {
  objectOf,
  pdfDate,
  readPdf,
  reference,
  SealError,
  streamOf,
  textString,
  updatedPdf,
  type PdfStream,
} from './pdfFile.ts'

/** A file inside a PDF/A-3 and what the PDF's own description says of it. */
export interface AttachedXml {
  readonly name: string
  readonly bytes: Uint8Array
  readonly description: string
  readonly at: Date
  /** The properties of a Factur-X file: namespace `fx`. */
  readonly facturX: { readonly documentType: string; readonly version: string; readonly level: string }
}

/**
 * Puts an XML file into a PDF/A-3 as its alternative form (Factur-X, ZUGFeRD): the embedded file, its name in
 * the catalog, and the description that readers look for. Before the seal, which is always the last step.
 * Throws SealError when the file has attachments already.
 */
export function attachXml(
  pdf: Uint8Array,
  { name, bytes, description, at, facturX }: AttachedXml,
): Uint8Array {
  const file = readPdf(Buffer.from(pdf))
  const catalog = objectOf(file, file.root)
  if (/\/(Names|AF)\b/.test(catalog)) throw new SealError('the file has attachments of its own')
  const [embedded, specification] = [file.size, file.size + 1]
  const metadata = reference(catalog, 'Metadata')
  const checksum = createHash('md5').update(bytes).digest('hex')
  const fileName = textString(name)
  return new Uint8Array(
    updatedPdf(
      file,
      new Map<number, string | PdfStream>([
        [
          embedded,
          {
            dictionary: `/Type /EmbeddedFile /Subtype /text#2Fxml /Params << /Size ${bytes.length} /ModDate (${pdfDate(at)}) /CheckSum <${checksum}> >>`,
            bytes,
          },
        ],
        [
          specification,
          `/Type /Filespec /F ${fileName} /UF ${fileName} /Desc ${textString(description)} /AFRelationship /Alternative /EF << /F ${embedded} 0 R /UF ${embedded} 0 R >>`,
        ],
        [
          metadata,
          {
            dictionary: '/Type /Metadata /Subtype /XML',
            bytes: described(streamOf(file, metadata).bytes, name, facturX),
          },
        ],
        [
          file.root,
          `${catalog}\n/AF [${specification} 0 R]\n/Names << /EmbeddedFiles << /Names [${fileName} ${specification} 0 R] >> >>`,
        ],
      ]),
      file.size + 2,
    ),
  )
}

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** PDF/A wants every property of a foreign namespace described by an extension schema. */
function described(
  xmp: Buffer,
  name: string,
  { documentType, version, level }: AttachedXml['facturX'],
): Buffer {
  const values = {
    DocumentFileName: name,
    DocumentType: documentType,
    Version: version,
    ConformanceLevel: level,
  }
  const properties = Object.keys(values).map(
    (key) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${key}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${key} of the attached invoice</pdfaProperty:description></rdf:li>`,
  )
  const schema = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${properties.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  const own = `<rdf:Description rdf:about="" xmlns:fx="${namespace}">${Object.entries(values)
    .map(([key, value]) => `<fx:${key}>${value}</fx:${key}>`)
    .join('')}</rdf:Description>`
  const text = xmp.toString('utf8')
  const list = /<pdfaExtension:schemas>\s*<rdf:Bag>/
  if (!list.test(text) || !text.includes('</rdf:RDF>'))
    throw new SealError('the file describes itself in another way')
  return Buffer.from(
    text.replace(list, (opening) => opening + schema).replace('</rdf:RDF>', () => `${own}</rdf:RDF>`),
  )
}
