import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, test } from 'vitest'
import { readPaper } from '#domain/papers/read.ts'
import { root } from '#kit/server/settings.ts'
import { readElectronicInvoice } from './server/einvoice.ts'
import { closeReader, readFileWords } from './server/reading/reader.ts'

/**
 * A few of the papers that `tools/readPapers.ts` measures; the rest is printed by a browser and measured
 * there.
 */
const folder = join(root, 'tests/papers/samples')
const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Record<
  string,
  Record<string, string | number>
>
const options = { today: '2026-03-15', ownTaxId: '514237650', ownName: 'זרם טוב בע"מ' }
afterAll(closeReader)

describe('printed papers', () => {
  test.each(readdirSync(folder).filter((name) => name.endsWith('.pdf')))(
    '%s is read without a mistake',
    async (name) => {
      const { pages } = await readFileWords(readFileSync(join(folder, name)), 'application/pdf')
      const proposal = readPaper(pages, options) as Record<string, { value: unknown }>
      const said = Object.fromEntries(
        Object.keys(truth[name]!).map((field) => [field, proposal[field]?.value]),
      )
      expect(said).toEqual(truth[name])
    },
  )

  test.each(['till-2.jpg', 'slip-2.jpg'])(
    '%s gives its sum, day and supplier',
    async (name) => {
      const { pages } = await readFileWords(readFileSync(join(folder, name)), 'image/jpeg')
      const { total, day, supplierTaxId } = readPaper(pages, options)
      expect([total?.value, day?.value, supplierTaxId?.value]).toEqual([
        truth[name]!.total,
        truth[name]!.day,
        truth[name]!.supplierTaxId,
      ])
    },
    120_000,
  )

  test('bytes that are no picture are refused, and the reader lives', async () => {
    await expect(readFileWords(Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg')).rejects.toMatchObject({
      why: 'broken',
    })
    await expect(readFileWords(Buffer.from('%PDF-1.4 nothing'), 'application/pdf')).rejects.toMatchObject({
      why: 'broken',
    })
    expect(
      (await readFileWords(readFileSync(join(folder, 'english-2.pdf')), 'application/pdf')).pages,
    ).toHaveLength(1)
  })
})

const ubl = (inside = '', head = '') => `<?xml version="1.0" encoding="UTF-8"?>${head}
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="a" xmlns:cbc="b">
<cbc:ID>INV-17</cbc:ID><cbc:IssueDate>2025-11-20</cbc:IssueDate><cbc:DueDate>2025-12-20</cbc:DueDate><cbc:DocumentCurrencyCode>ILS</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>IL514237650</cbc:CompanyID></cac:PartyTaxScheme>
<cac:PartyLegalEntity><cbc:RegistrationName>Harbor &amp; Sons${inside}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
<cac:TaxTotal><cbc:TaxAmount currencyID="ILS">18.00</cbc:TaxAmount></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="ILS">100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="ILS">118.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
<cac:InvoiceLine><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="ILS">100.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Rope</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>18</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>
</Invoice>`

const cii = `<rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="a" xmlns:udt="u"><rsm:ExchangedDocument><ram:ID>C-9</ram:ID><ram:TypeCode>381</ram:TypeCode>
<ram:IssueDateTime><udt:DateTimeString format="102">20251120</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Lieferant</ram:Name></ram:SellerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:TaxBasisTotalAmount>200.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">38.00</ram:TaxTotalAmount><ram:GrandTotalAmount>238.00</ram:GrandTotalAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`

describe('electronic invoices', () => {
  const read = (xml: string) => readElectronicInvoice(Buffer.from(xml))
  test('UBL is taken as it is written', () => {
    expect(read(ubl())).toMatchObject({
      proposal: {
        supplierName: { value: 'Harbor & Sons', confidence: 1, reason: 'exact' },
        supplierTaxId: { value: '514237650' },
        number: { value: 'INV-17' },
        day: { value: '2025-11-20' },
        dueDay: { value: '2025-12-20' },
        net: { value: 10_000 },
        vat: { value: 1800 },
        total: { value: 11_800 },
        documentKind: { value: 'taxInvoice' },
      },
      lines: [{ description: 'Rope', quantity: '2', netAgorot: 10_000, vatRateBp: 1800 }],
    })
  })
  test('CII too, a credit by its type', () => {
    expect(read(cii)?.proposal).toMatchObject({
      supplierName: { value: 'Lieferant' },
      number: { value: 'C-9' },
      day: { value: '2025-11-20' },
      net: { value: 20_000 },
      vat: { value: 3800 },
      total: { value: 23_800 },
      currency: { value: 'EUR' },
      documentKind: { value: 'credit' },
    })
  })
  test('entities are never opened, whatever they promise', () => {
    expect(read(ubl('&x;', '<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>'))).toBeUndefined()
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    )
    expect(read(ubl('&l9;', `<!DOCTYPE Invoice [<!ENTITY l0 "ha">${laughs}]>`))).toBeUndefined()
    expect(read(ubl('&x;'))?.proposal.supplierName?.value).toBe('Harbor & Sons&x;')
  })
  test('what was paid ahead and the buyer’s number are kept', () => {
    const xml = ubl()
      .replace(
        '<cac:TaxTotal>',
        '<cac:AccountingCustomerParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>IL516000128</cbc:CompanyID></cac:PartyTaxScheme></cac:Party></cac:AccountingCustomerParty><cac:TaxTotal>',
      )
      .replace(
        '</cac:LegalMonetaryTotal>',
        '<cbc:PrepaidAmount currencyID="ILS">100.00</cbc:PrepaidAmount><cbc:PayableAmount currencyID="ILS">18.00</cbc:PayableAmount></cac:LegalMonetaryTotal>',
      )
    expect(read(xml)?.proposal).toMatchObject({ total: { value: 11_800 }, prepaid: { value: 10_000 } })
  })
  test('bytes are read in the encoding that the file declares, and refused where they are not that', () => {
    const xml = ubl('').replace('Harbor &amp; Sons', 'נמל ובניו')
    const bytes = iconv.encode(xml.replace('UTF-8', 'windows-1255'), 'windows-1255')
    expect(readElectronicInvoice(bytes)?.proposal.supplierName?.value).toBe('נמל ובניו')
    expect(readElectronicInvoice(iconv.encode(xml, 'windows-1255'))).toBeUndefined()
  })
  test('anything else is none', () => {
    for (const xml of ['', '<a/>', '<Invoice/>', '<Invoice>', '{}', `<Invoice>${'<a>'.repeat(5000)}`])
      expect(read(xml)).toBeUndefined()
  })
})
