import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { partsByRate } from '#domain/papers/breakdown.ts'
import { randomOf } from '#domain/einvoice/samples.ts'
import { readElectronicInvoice } from '#features/purchases/capture/server/einvoice.ts'
import { closeReader, readFileWords } from '#features/purchases/capture/server/reading/reader.ts'
import { createDocument, creditDocument } from '#features/sales/documents/endpoints.ts'
import { checkElectronicInvoice, electronicInvoice, formats } from './endpoints.ts'

let world: World
let business: Business
beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
})
afterAll(async () => {
  await closeReader()
  await world.close()
})

const file = async (id: string, format: (typeof formats)[number] = 'ubl') =>
  Buffer.from((await business.call(electronicInvoice, { id, format })) as Uint8Array)
const line = (description: string, quantity: string, unitPrice: string, more: object = {}) => ({
  description,
  quantity,
  unitPrice,
  ...more,
})

test('an invoice reads back as it was issued, in both syntaxes and out of the PDF', async () => {
  const { id: customerId } = await business.customer('Müller & Söhne <GmbH>', {
    country: 'Deutschland',
    city: 'Berlin',
  })
  const invoice = await business.call(createDocument, {
    type: 8,
    customerId,
    discount: { basisPoints: 500 },
    rounding: 'whole',
    lines: [
      line('ייעוץ "שנתי"', '2.5', '100.1234', { discount: { basisPoints: 1000 } }),
      line('כולל מע״מ', '3', '59.90', { vatKind: 2 }),
      line('אגרה', '1', '50', { vatKind: 4 }),
    ],
  })
  const pdf = await file(invoice.id, 'facturx')
  expect(pdf.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached')
  const { attachments } = await readFileWords(pdf, 'application/pdf')
  expect(attachments.map((one) => one.name)).toEqual(['factur-x.xml'])
  for (const xml of [await file(invoice.id, 'ubl'), await file(invoice.id, 'cii'), attachments[0]!.bytes]) {
    const read = readElectronicInvoice(xml)!
    expect(read.proposal.number?.value).toBe(String(invoice.number))
    expect(read.proposal.day?.value).toBe(invoice.date)
    expect(read.proposal.vat?.value).toBe(invoice.totals.vatAgorot)
    expect(read.proposal.total?.value).toBe(invoice.totals.totalAgorot)
    // Each line as it was issued, with its part of the discount; booked rate by rate they come to the whole.
    expect(read.lines.map((one) => one.vatRateBp)).toEqual([1800, 1800, 0])
    const taxed = read.lines.filter((one) => one.vatRateBp === 1800)
    expect(taxed.reduce((sum, one) => sum + one.netAgorot, 0)).toBe(invoice.totals.netTaxableAgorot)
    expect(taxed.reduce((sum, one) => sum + one.vatAgorot!, 0)).toBe(invoice.totals.vatAgorot)
    expect(partsByRate(read.lines, { net: read.proposal.net!.value, vat: read.proposal.vat!.value })).toEqual(
      [
        {
          netAgorot: invoice.totals.netTaxableAgorot + invoice.totals.roundingAgorot,
          vatAgorot: invoice.totals.vatAgorot,
          description: '',
        },
        { netAgorot: invoice.totals.netExemptAgorot, vatAgorot: 0, description: 'אגרה' },
      ],
    )
    expect(read.proposal.documentKind?.value).toBe('taxInvoice')
    expect(read.lines.map((one) => one.quantity)).toEqual(['2.5', '3', '1'])
  }
})

test('a credit names the invoice it credits, and both are told apart', async () => {
  const { id: customerId } = await business.customer('לקוח מישראל', { country: 'ישראל' })
  const invoice = await business.invoice(customerId, '1000')
  const credit = await business.call(creditDocument, { id: invoice.id, reason: 'החזרה', agorot: 11_800 })
  const xml = (await file(credit.id)).toString()
  expect(xml).toContain('<CreditNote ')
  expect(xml).toMatch(new RegExp(`<cac:InvoiceDocumentReference>\\s*<cbc:ID>${invoice.number}</cbc:ID>`))
  expect(readElectronicInvoice(Buffer.from(xml))?.proposal).toMatchObject({
    total: { value: 11_800 },
    documentKind: { value: 'credit' },
  })
})

test('says where the goods go, with a country even where nobody wrote one', async () => {
  const { id: customerId } = await business.customer('מקבל סחורה', { country: 'ישראל' })
  const deliverTo = { name: 'מחסן צפון', street: 'דרך העצמאות 40', city: 'חיפה', zip: '3303405' }
  const invoice = await business.invoice(customerId, '1000', { deliverTo })
  expect((await business.call(checkElectronicInvoice, { id: invoice.id })).faults).toEqual([])
  const ubl = (await file(invoice.id, 'ubl')).toString().replace(/>\s+</g, '><')
  expect(/<cac:Delivery>.*<\/cac:Delivery>/.exec(ubl)?.[0]).toBe(
    '<cac:Delivery><cac:DeliveryLocation><cac:Address><cbc:StreetName>דרך העצמאות 40</cbc:StreetName><cbc:CityName>חיפה</cbc:CityName>' +
      '<cbc:PostalZone>3303405</cbc:PostalZone><cac:Country><cbc:IdentificationCode>IL</cbc:IdentificationCode></cac:Country></cac:Address>' +
      '</cac:DeliveryLocation><cac:DeliveryParty><cac:PartyName><cbc:Name>מחסן צפון</cbc:Name></cac:PartyName></cac:DeliveryParty></cac:Delivery>',
  )
  const cii = (await file(invoice.id, 'cii')).toString().replace(/>\s+</g, '><')
  expect(/<ram:ShipToTradeParty>.*<\/ram:ShipToTradeParty>/.exec(cii)?.[0]).toContain(
    '<ram:Name>מחסן צפון</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>3303405</ram:PostcodeCode>',
  )
  const plain = await business.invoice(customerId, '10')
  expect((await file(plain.id, 'ubl')).toString()).not.toContain('cac:Delivery')
})

test('what the standard would refuse is refused here, and mended on the customer’s record', async () => {
  const { id: customerId } = await business.customer('ללא ארץ')
  const invoice = await business.invoice(customerId, '10')
  expect(await business.call(checkElectronicInvoice, { id: invoice.id })).toEqual({
    faults: [{ rule: 'BR-11', place: 'buyerCountry', line: null }],
    customerId,
  })
  for (const format of formats)
    await expect(file(invoice.id, format)).rejects.toMatchObject({
      status: 422,
      code: 'einvoice.incomplete',
      errors: [{ path: 'buyerCountry', code: 'einvoice.missing.buyerCountry' }],
    })
  await business.send('PATCH', `/api4/invoice/customers/${customerId}`, { country: 'France' })
  expect((await business.call(checkElectronicInvoice, { id: invoice.id })).faults).toEqual([])
  expect((await file(invoice.id)).toString()).toContain('<cbc:IdentificationCode>FR</cbc:IdentificationCode>')
})

test('drafts and papers that are no invoices have no electronic form', async () => {
  const { id: customerId } = await business.customer('טיוטה')
  const draft = await business.invoice(customerId, '10', { draft: true })
  await expect(file(draft.id)).rejects.toMatchObject({ code: 'documents.stillDraft' })
  const quote = await business.call(createDocument, { type: 1, customerId, lines: [line('הצעה', '1', '10')] })
  await expect(file(quote.id)).rejects.toMatchObject({ code: 'einvoice.notThisType' })
})

// Files for tools/checkEinvoices.ts, which asks the official rules: EINVOICES=<folder> turns it on.
const folder = process.env.EINVOICES
test('writes varied invoices for the official rules', async ({ skip }) => {
  skip(!folder, 'EINVOICES names no folder to write to')
  mkdirSync(folder!, { recursive: true })
  const random = randomOf(2026)
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!
  const customers = [
    await business.customer('אורן תעשיות', {
      country: 'ישראל',
      taxId: '514000009',
      isDealer: true,
      street: 'הרצל 1',
      city: 'חיפה',
    }),
    await business.customer('Tour & Travel', { country: 'USA', zeroRate: true, email: 'ap@tour.example' }),
    await business.customer('דוד כהן', { country: 'Israel' }),
  ]
  for (let n = 0; n < Number(process.env.EINVOICES_COUNT ?? 100); n++) {
    const type = pick([8, 8, 9])
    const currency = pick(['ILS', 'ILS', 'USD', 'EUR'])
    const content = {
      type,
      customerId: pick(customers).id,
      currency,
      ...(currency === 'ILS' ? {} : { rate: '3.6512' }),
      subject: pick(['', 'עבודות <יוני> & יולי']),
      orderNumber: pick(['', 'PO-7']),
      rounding: pick(['none', 'whole', 'half'] as const),
      ...(random(2) ? { discount: pick([{ basisPoints: 750 }, { agorot: 333 }]) } : {}),
      lines: Array.from({ length: 1 + random(6) }, (_, i) =>
        line(`פריט ${i}`, pick(['1', '2.5', '0.3333', '12']), `${1 + random(900)}.${1000 + random(8999)}`, {
          vatKind: pick([1, 1, 2, 3, 4]),
          unit: pick(['', 'שעה', 'ק"ג']),
          ...(random(3) === 0 ? { discount: { basisPoints: 1250 } } : {}),
        }),
      ),
    }
    const draft = await business.call(createDocument, { ...content, type: 8, draft: true })
    const issued = await business.call(createDocument, {
      ...content,
      ...(type === 9
        ? { payments: [{ means: pick([3, 4, 5, 6]), amountAgorot: draft.totals.totalAgorot }] }
        : {}),
    })
    // By a sum: a sum with VAT off the whole.
    const credit = { id: issued.id, reason: 'החזרה', agorot: Math.min(100 + n, issued.totals.totalAgorot) }
    const credits = n % 4 === 0 ? [await business.call(creditDocument, credit)] : []
    for (const d of [issued, ...credits])
      for (const format of ['ubl', 'cii'] as const)
        writeFileSync(join(folder!, `${d.type}-${d.number}-${format}.xml`), await file(d.id, format))
  }
}, 300_000)
