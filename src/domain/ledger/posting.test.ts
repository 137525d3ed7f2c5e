import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf } from '../documents/arithmetic.ts'
import { systemAccounts } from './chart.ts'
import type { Posting } from './entry.ts'
import {
  postCreditInvoice,
  postExpense,
  postReceipt,
  postSupplierPayment,
  postTaxInvoice,
  recognisedVat,
} from './posting.ts'

const {
  customers,
  outputVat,
  rounding,
  suppliers,
  inputVat,
  inputVatFixedAssets,
  withheldByCustomers,
  withheldFromSuppliers,
  bank,
} = systemAccounts
const customer = { customers, customer: 'cohen', outputVat, rounding }
const supplier = { suppliers, supplier: 'paz', inputVat, inputVatFixedAssets }

/** Entries as a bookkeeper writes them: 'D 1100/cohen 11800'. */
const written = (entry: Posting[]) =>
  entry.map(
    ({ account, party, debit, credit }) =>
      `${debit > 0 ? 'D' : 'C'} ${account}${party ? `/${party}` : ''} ${debit + credit}`,
  )

describe('the examples of the books', () => {
  const invoice = { lines: [{ account: '4000', net: 10_000 }], vat: 1800, rounding: 0, total: 11_800 }

  test('an invoice of 100 and its VAT', () => {
    expect(written(postTaxInvoice(invoice, customer))).toEqual([
      'D 1100/cohen 11800',
      'C 4000 10000',
      'C 2100 1800',
    ])
  })

  test('its credit is the reverse', () => {
    expect(written(postCreditInvoice(invoice, customer))).toEqual([
      'C 1100/cohen 11800',
      'D 4000 10000',
      'D 2100 1800',
    ])
  })

  test('a total rounded down costs us, rounded up it is ours', () => {
    expect(written(postTaxInvoice({ ...invoice, rounding: -50, total: 11_750 }, customer))).toContain(
      'D 8900 50',
    )
    expect(written(postTaxInvoice({ ...invoice, rounding: 50, total: 11_850 }, customer))).toContain(
      'C 8900 50',
    )
  })

  test('a receipt of 1,250 of which the customer withheld 250', () => {
    const payments = [
      { account: bank, amount: 100_000 },
      { account: withheldByCustomers, amount: 25_000 },
    ]
    expect(written(postReceipt(payments, customer))).toEqual([
      'D 1010 100000',
      'D 1300 25000',
      'C 1100/cohen 125000',
    ])
  })

  test('fuel with two thirds of the VAT recognised', () => {
    const line = {
      account: '6060',
      net: 10_000,
      vat: 1800,
      recognisedVat: recognisedVat(1800, 2, 3),
      isFixedAsset: false,
    }
    expect(written(postExpense([line], supplier))).toEqual([
      'D 6060 10600',
      'D 1200 1200',
      'C 2000/paz 11800',
    ])
  })

  test('a computer has an account of its own for its VAT, hospitality has none', () => {
    const lines = [
      { account: '1520', net: 100_000, vat: 18_000, recognisedVat: 18_000, isFixedAsset: true },
      { account: '6120', net: 1000, vat: 180, recognisedVat: recognisedVat(180, 0, 1), isFixedAsset: false },
    ]
    expect(written(postExpense(lines, supplier))).toEqual([
      'D 1520 100000',
      'D 1210 18000',
      'D 6120 1180',
      'C 2000/paz 119180',
    ])
  })

  test('a supplier paid less the tax withheld', () => {
    const accounts = { suppliers, supplier: 'paz', paidFrom: bank, withheldFromSuppliers }
    expect(written(postSupplierPayment(80_000, 20_000, accounts))).toEqual([
      'D 2000/paz 100000',
      'C 1010 80000',
      'C 2200 20000',
    ])
  })

  test('amounts that contradict each other are refused', () => {
    expect(() => postTaxInvoice({ ...invoice, total: 11_801 }, customer)).toThrow(RangeError)
    expect(() => postTaxInvoice({ ...invoice, rounding: 1 }, customer)).toThrow(RangeError)
  })
})

test('whatever the document, its totals post', () => {
  const line = fc.record({
    quantity: fc.integer({ min: -100_000, max: 1_000_000 }),
    unitPrice: fc.integer({ min: 0, max: 10_000_000 }),
    vatKind: fc.constantFrom('beforeVat', 'includingVat', 'withoutVat'),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), fc.constantFrom('none', 'whole', 'half'), (lines, to) => {
      const totals = totalsOf({ lines, vatRate: 1800, rounding: to, discount: { basisPoints: 333 } })
      const posted = {
        ...totals,
        lines: totals.lines.map(({ net }, index) => ({ account: `40${index % 2}0`, net })),
      }
      const invoice = postTaxInvoice(posted, customer)
      expect(
        invoice
          .filter((each) => each.account === customers)
          .reduce((sum, each) => sum + each.debit - each.credit, 0),
      ).toBe(totals.total)
      expect(
        invoice
          .filter((each) => each.account === outputVat)
          .reduce((sum, each) => sum + each.credit - each.debit, 0),
      ).toBe(totals.vat)
    }),
  )
})
