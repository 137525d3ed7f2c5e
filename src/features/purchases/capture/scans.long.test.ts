import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, describe, expect, test } from 'vitest'
import { readPaper } from '#domain/papers/read.ts'
import { root } from '#kit/server/settings.ts'
import { readElectronicInvoice } from './server/einvoice.ts'
import { closeReader, readFileWords } from './server/reading/reader.ts'

const folder = join(root, 'tests/papers/samples')
const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Record<
  string,
  Record<string, string | number>
>
const options = { today: '2026-03-15', ownTaxId: '514237650', ownName: 'זרם טוב בע"מ' }
afterAll(closeReader)

/** The photograph turned by quarters to the right, as a phone's sensor stores it. */
async function turned(photo: Buffer, quarters: number): Promise<Buffer> {
  const image = await loadImage(photo)
  const isAside = quarters % 2 === 1
  const canvas = createCanvas(isAside ? image.height : image.width, isAside ? image.width : image.height)
  const draw = canvas.getContext('2d')
  draw.translate(canvas.width / 2, canvas.height / 2)
  draw.rotate((quarters * Math.PI) / 2)
  draw.drawImage(image, -image.width / 2, -image.height / 2)
  return canvas.encode('jpeg', 92)
}

/** The picture with an EXIF head that says how it is to be turned (tag 0x0112). */
function withOrientation(photo: Buffer, orientation: number): Buffer {
  // Big-endian; one directory of one entry: its tag, a short, one of it, the value.
  const tiff = Buffer.from(`4d4d002a00000008000101120003${'00000001'}000${orientation}000000000000`, 'hex')
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xffe1, 0)
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([photo.subarray(0, 2), head, body, photo.subarray(2)])
}

/**
 * A PDF of one page that is nothing but a photograph, as scanners make it; with an XML file inside where one
 * is given.
 */
async function scanned(photo: Buffer, xml?: { name: string; text: string }): Promise<Buffer> {
  const { width, height } = await loadImage(photo)
  const page = [595, Math.round((595 * height) / width)]
  const content = Buffer.from(`q ${page[0]} 0 0 ${page[1]} 0 0 cm /P Do Q`)
  const parts = [
    Buffer.from(
      `<< /Type /Catalog /Pages 2 0 R ${xml ? `/Names << /EmbeddedFiles << /Names [(${xml.name}) 6 0 R] >> >>` : ''} >>`,
    ),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page[0]} ${page[1]}] /Resources << /XObject << /P 4 0 R >> >> /Contents 5 0 R >>`,
    ),
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${photo.length} >>\nstream\n`,
      ),
      photo,
      Buffer.from('\nendstream'),
    ]),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    ...(xml
      ? [
          Buffer.from(`<< /Type /Filespec /F (${xml.name}) /UF (${xml.name}) /EF << /F 7 0 R >> >>`),
          Buffer.from(
            `<< /Type /EmbeddedFile /Length ${Buffer.byteLength(xml.text)} >>\nstream\n${xml.text}\nendstream`,
          ),
        ]
      : []),
  ]
  const file: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  for (const [i, part] of parts.entries()) {
    places.push(Buffer.concat(file).length)
    file.push(Buffer.from(`${i + 1} 0 obj\n`), part, Buffer.from('\nendobj\n'))
  }
  const start = Buffer.concat(file).length
  file.push(
    Buffer.from(
      `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${parts.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(file)
}

const photo = readFileSync(join(folder, 'till-2.jpg'))
const said = truth['till-2.jpg']!
async function read(bytes: Buffer, mime: string) {
  const { pages } = await readFileWords(bytes, mime)
  const { total, day, supplierTaxId } = readPaper(pages, options)
  return {
    from: pages[0]!.from,
    values: [total?.value, day?.value, supplierTaxId?.value],
    upright: pages[0]!.height > pages[0]!.width,
  }
}
const right = [said.total, said.day, said.supplierTaxId]

describe('papers that are only a picture', () => {
  test('a scanned PDF is read as a photograph is', async () => {
    expect(await read(await scanned(photo), 'application/pdf')).toEqual({
      from: 'picture',
      values: right,
      upright: true,
    })
  }, 120_000)

  test('a photograph that its EXIF head says to turn is turned', async () => {
    // Stored a quarter to the left, to be turned a quarter to the right: orientation 6.
    expect(await read(withOrientation(await turned(photo, 3), 6), 'image/jpeg')).toMatchObject({
      values: right,
      upright: true,
    })
  }, 120_000)

  test.each([1, 2, 3])(
    'a photograph lying %s quarters over, with no word of it, is set upright',
    async (quarters) => {
      expect(await read(await turned(photo, quarters), 'image/jpeg')).toMatchObject({
        values: right,
        upright: true,
      })
    },
    120_000,
  )
})

test('a Factur-X PDF is read by the XML inside it, not by its print', async () => {
  const xml = `<rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="a" xmlns:udt="u"><rsm:ExchangedDocument><ram:ID>FX-1</ram:ID><ram:TypeCode>380</ram:TypeCode>
<ram:IssueDateTime><udt:DateTimeString format="102">20260301</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Imprimerie</ram:Name></ram:SellerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">20.00</ram:TaxTotalAmount><ram:GrandTotalAmount>120.00</ram:GrandTotalAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`
  const { attachments } = await readFileWords(
    await scanned(photo, { name: 'factur-x.xml', text: xml }),
    'application/pdf',
  )
  expect(attachments.map(({ name }) => name)).toEqual(['factur-x.xml'])
  expect(readElectronicInvoice(attachments[0]!.bytes)?.proposal).toMatchObject({
    number: { value: 'FX-1' },
    total: { value: 12_000 },
    currency: { value: 'EUR' },
    supplierName: { value: 'Imprimerie', reason: 'exact' },
  })
}, 120_000)
