import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { writeCii } from './cii.ts'
import { countryCode } from '../countries.ts'
import { faultsOf } from './faults.ts'
import { fromDocument } from './fromDocument.ts'
import type { EInvoice } from './model.ts'
import { sampleDocument } from './samples.ts'
import { writeUbl } from './ubl.ts'
import { unitCode } from './units.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const cents = (value: string) => Math.round(Number(value) * 100)

describe('a document as an electronic invoice', () => {
  test('breaks no rule, and comes to the agora to what the document came to', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const source = sampleDocument(seed)
      const invoice = fromDocument(source)
      expect(faultsOf(invoice), `seed ${seed}`).toEqual([])
      expect(invoice.totals.vat).toBe(source.vat)
      expect(invoice.totals.payable + invoice.totals.paid).toBe(source.total)
      // The person who multiplies gets the line: the prices before VAT are fine enough.
      for (const line of invoice.lines) {
        const off = line.allowance ? line.allowance.amount * (line.allowance.isCharge ? -1 : 1) : 0
        expect(
          Math.abs(Number(line.quantity) * Number(line.price) * 100 - off - line.net),
          `seed ${seed}`,
        ).toBeLessThan(2)
      }
    }
  })

  test('prices with VAT become prices before it, and the line discount is an allowance', () => {
    const source = sampleDocument(1)
    const line = {
      ...source.lines[0]!,
      quantity: 30_000,
      unitPrice: 1_180_000,
      hasDiscount: true,
      pricesIncludeVat: true,
      isDeposit: false,
      vatClass: 'standard' as const,
      amount: 31_860,
      discountShare: 0,
      net: 27_000,
      vat: 4_860,
    }
    const invoice = fromDocument({
      ...source,
      rateBp: 1800,
      isCredit: false,
      lines: [line],
      vat: 4_860,
      rounding: 0,
      total: 31_860,
      payments: [],
    })
    expect(invoice.lines[0]).toMatchObject({
      price: '100',
      quantity: '3',
      net: 27_000,
      allowance: { isCharge: false, amount: 3_000, reasonCode: '95' },
    })
    expect(invoice.breakdown).toEqual([{ category: 'S', rateBp: 1800, taxable: 27_000, vat: 4_860 }])
  })

  test('money in trust alone is outside VAT and then no VAT number is told; beside other lines it is exempt', () => {
    const source = sampleDocument(1)
    const trust = {
      ...source.lines[0]!,
      isDeposit: true,
      vatClass: 'exempt' as const,
      pricesIncludeVat: false,
      net: 1000,
      vat: 0,
      amount: 1000,
      discountShare: 0,
      hasDiscount: false,
    }
    const alone = fromDocument({ ...source, lines: [trust], vat: 0, total: 1000, rounding: 0, payments: [] })
    expect(alone.breakdown.map((one) => one.category)).toEqual(['O'])
    expect([alone.seller.vatId, alone.buyer?.vatId]).toEqual([undefined, undefined])
    const taxed = { ...trust, line: 2, isDeposit: false, vatClass: 'standard' as const, vat: 180 }
    const mixed = fromDocument({
      ...source,
      rateBp: 1800,
      lines: [trust, taxed],
      vat: 180,
      total: 2180,
      rounding: 0,
      payments: [],
    })
    expect(mixed.breakdown.map((one) => one.category)).toEqual(['E', 'S'])
    expect(mixed.seller.vatId).toBe('IL514000009')
  })
})

describe('what may not leave the house', () => {
  const right = fromDocument({ ...sampleDocument(3), currency: 'ILS' })
  const broken: [string, (of: EInvoice) => EInvoice][] = [
    ['BR-07', (of) => ({ ...of, buyer: undefined })],
    ['BR-07', (of) => ({ ...of, buyer: { ...of.buyer!, name: ' ' } })],
    ['BR-11', (of) => ({ ...of, buyer: { ...of.buyer!, country: undefined } })],
    ['BR-11', (of) => ({ ...of, buyer: { ...of.buyer!, country: 'QQ' } })],
    ['BR-06', (of) => ({ ...of, seller: { ...of.seller, name: '' } })],
    ['BR-CO-09', (of) => ({ ...of, seller: { ...of.seller, vatId: '514000009' } })],
    ['BR-CO-26', (of) => ({ ...of, seller: { ...of.seller, vatId: undefined, registration: undefined } })],
    ['BR-16', (of) => ({ ...of, lines: [] })],
    ['BR-25', (of) => ({ ...of, lines: of.lines.map((line) => ({ ...line, name: '' })) })],
    ['BR-27', (of) => ({ ...of, lines: of.lines.map((line) => ({ ...line, price: '-1' })) })],
    ['BR-CO-10', (of) => ({ ...of, totals: { ...of.totals, lines: of.totals.lines + 1 } })],
    ['BR-CO-14', (of) => ({ ...of, totals: { ...of.totals, vat: of.totals.vat + 1 } })],
    ['BR-CO-16', (of) => ({ ...of, totals: { ...of.totals, payable: of.totals.payable - 1 } })],
    ['BR-05', (of) => ({ ...of, currency: 'XQQ' })],
    ['BR-55', (of) => ({ ...of, typeCode: 381, preceding: undefined })],
    ['BR-CO-18', (of) => ({ ...of, breakdown: [] })],
    ['BR-DEC', (of) => ({ ...of, totals: { ...of.totals, rounding: 0.5 } })],
    ['BR-CO-17', (of) => ({ ...of, breakdown: of.breakdown.map((one) => ({ ...one, vat: one.vat + 150 })) })],
  ]
  test.each(broken)('%s', (rule, damage) => {
    expect(faultsOf(right)).toEqual([])
    expect(faultsOf(damage(right)).map((one) => one.rule)).toContain(rule)
  })
})

describe('the two syntaxes', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    removeNSPrefix: true,
    attributeNamePrefix: '@',
  })

  test('are whole XML whatever people type, and say the same sums', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const source = sampleDocument(seed)
      const invoice = fromDocument(source)
      const [ubl, cii] = [text(writeUbl(invoice)), text(writeCii(invoice))]
      expect(XMLValidator.validate(ubl)).toBe(true)
      expect(XMLValidator.validate(cii)).toBe(true)
      expect(ubl + cii).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
      const u = parser.parse(ubl)[source.isCredit ? 'CreditNote' : 'Invoice']
      const c =
        parser.parse(cii).CrossIndustryInvoice.SupplyChainTradeTransaction.ApplicableHeaderTradeSettlement
      const sums = c.SpecifiedTradeSettlementHeaderMonetarySummation
      expect(cents(u.LegalMonetaryTotal.PayableAmount['#text'])).toBe(invoice.totals.payable)
      expect(cents(sums.DuePayableAmount)).toBe(invoice.totals.payable)
      expect(cents(sums.GrandTotalAmount)).toBe(cents(u.LegalMonetaryTotal.TaxInclusiveAmount['#text']))
      expect(Array.isArray(u.TaxTotal)).toBe(source.currency !== 'ILS')
      if (source.currency !== 'ILS') {
        expect(u.TaxTotal[1].TaxAmount).toEqual({ '#text': expect.anything(), '@currencyID': 'ILS' })
        expect(cents(u.TaxTotal[1].TaxAmount['#text'])).toBe(source.ilsVat)
        expect(c.TaxCurrencyCode).toBe('ILS')
      }
      if (source.isCredit) {
        expect(u.BillingReference.InvoiceDocumentReference.ID).toBe(String(source.preceding!.number))
        expect(c.InvoiceReferencedDocument.FormattedIssueDateTime.DateTimeString['#text']).toBe('20240115')
      }
    }
  })
})

test.each([
  ['ישראל', 'IL'],
  ['Deutschland', 'DE'],
  ['ארה"ב', 'US'],
  ['Великобритания', 'GB'],
  ['États-Unis', 'US'],
  ['فرنسا', 'FR'],
  ['fr', 'FR'],
  ['נרניה', undefined],
  ['European Union', undefined],
  ['', undefined],
])('the country %s is %s', (name, code) => {
  expect(countryCode(name)).toBe(code)
})

test.each([
  ['שעות', 'HUR'],
  ['ק"ג', 'KGM'],
  ['יח׳', 'C62'],
  ['', 'C62'],
])('the unit %s is %s', (name, code) => {
  expect(unitCode(name)).toBe(code)
})
