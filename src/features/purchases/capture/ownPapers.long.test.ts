import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPaper } from '#domain/papers/read.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { createDocument, pdfOfDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type World } from '../../../../tests/world.ts'
import { closeReader, readFileWords } from './server/reading/reader.ts'

/*
 * Bills of this product are read back by the reader: in every language, with figures in the name of the supplier and
 * with lines that speak of another document.
 */
let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-28T10:00:00Z'))
})
afterAll(async () => {
  await closePaper()
  await closeReader()
  await world.close()
})

const bills = [
  ['he', 'זיכוי בגין חשבונית מספר 777777 מיום 01/01/2020', 1],
  ['he', 'חשבונית מספר 777777 מיום 01/01/2020', 4],
  ['en', 'For invoice no. 777777 dated 01/01/2020', 1],
  ['ar', 'خدمة عن فاتورة رقم 777777 بتاريخ 01/01/2020', 1],
  ['ru', 'Услуга по счёту № 777777 от 01/01/2020', 1],
  ['fr', 'Service sur facture n° 777777 du 01/01/2020', 1],
] as const

describe.each(['מחסני 2000 בע"מ', 'Studio 54 Ltd', 'פיצה 365'])('bills of %s', (name) => {
  test('say their number, day and sums', { timeout: 300_000 }, async () => {
    const shop = await newBusiness(world, { name })
    const customer = await shop.customer('הצרכן הגדול 613 בע"מ')
    for (const [language, description, vatKind] of bills) {
      const made = await shop.call(createDocument, {
        type: 8,
        customerId: customer.id,
        language: language as 'he',
        lines: [{ description, unitPrice: '1451.25', vatKind: vatKind as 4 }],
      })
      const bytes = (await shop.call(pdfOfDocument, { id: made.id, variant: 'original' })) as Uint8Array
      const { pages } = await readFileWords(Buffer.from(bytes), 'application/pdf')
      const read = readPaper(pages, { today: '2026-11-28', ownName: 'הצרכן הגדול 613 בע"מ' })
      const { vatAgorot, totalAgorot } = made.totals
      expect([
        language,
        read.supplierName?.value,
        read.number?.value,
        read.day?.value,
        read.net?.value,
        read.vat?.value,
        read.total?.value,
        read.documentKind?.value,
      ]).toEqual([
        language,
        name,
        String(made.number),
        made.date,
        totalAgorot - vatAgorot,
        vatAgorot,
        totalAgorot,
        'taxInvoice',
      ])
    }
  })
})
