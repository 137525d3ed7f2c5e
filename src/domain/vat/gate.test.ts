import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../taxId.ts'
import { isAtRisk, reasonsOf, type GateBill, type GateReason } from './gate.ts'

const period = { from: '2026-07-01', to: '2026-08-31' }
const good: GateBill = {
  paper: 'taxInvoice',
  day: '2026-07-10',
  vatDay: '2026-07-10',
  supplierTaxId: completeCheckDigit('51234567'),
  number: '77',
  net: 500_000,
  vat: 90_000,
  recognised: 90_000,
  isForeign: false,
  allocation: '',
  answer: null,
  hasTwin: false,
}

describe('why the VAT of a bill might not be allowed', () => {
  test.each<[string, Partial<GateBill>, GateReason[]]>([
    ['nothing, exactly at the threshold', {}, []],
    ['an agora above the threshold without a number', { net: 500_001 }, ['noAllocation']],
    ['the threshold is that of the bill’s day', { net: 900_000, vat: 162_000, day: '2026-05-31' }, []],
    [
      'a number nobody asked about is a thing to do',
      { net: 600_000, vat: 108_000, allocation: '123456789' },
      ['allocationUnchecked'],
    ],
    [
      'a number that was confirmed',
      { net: 600_000, vat: 108_000, allocation: '123456789', answer: 'confirmed' },
      [],
    ],
    ['a number of another invoice', { allocation: '123456789', answer: 'differs' }, ['allocationWrong']],
    ['a number nobody knows', { allocation: '123456789', answer: 'notFound' }, ['allocationWrong']],
    ['a supplier without a number', { supplierTaxId: null }, ['noTaxId']],
    ['a wrong check digit', { supplierTaxId: '123456789' }, ['badTaxId']],
    ['a bill without a number', { number: '' }, ['noNumber']],
    ['zeros are no number', { number: '000' }, ['noNumber']],
    ['the same bill twice', { hasTwin: true }, ['duplicate']],
    ['six months to the day', { day: '2026-02-28', vatDay: '2026-08-28' }, []],
    ['a day more', { day: '2026-02-28', vatDay: '2026-08-29' }, ['tooOld']],
    ['late, but in the period of its own day', { vatDay: '2027-02-01' }, []],
    ['the last day of the period', { day: '2026-08-31' }, []],
    ['a day after the period', { day: '2026-09-01' }, ['tooEarly']],
    ['VAT at the old rate', { vat: 85_000, recognised: 85_000 }, ['arithmetic']],
    [
      'VAT at the rate of its day',
      { vat: 85_000, recognised: 85_000, day: '2024-12-31', vatDay: '2024-12-31' },
      [],
    ],
    ['ten agorot are no mistake', { vat: 90_010 }, []],
    ['eleven are', { vat: 90_011 }, ['arithmetic']],
    ['an import has its own arithmetic', { paper: 'import', net: 0, vat: 90_000 }, []],
    ['an import without its entry number', { paper: 'import', number: '' }, ['noImportEntry']],
    [
      'a self-invoice asks the seller for nothing',
      { paper: 'selfInvoice', supplierTaxId: null, number: '', net: 2_000_000, vat: 360_000 },
      [],
    ],
    [
      'petty cash names nobody',
      { paper: 'pettyCash', supplierTaxId: null, number: '', net: 1_000, vat: 180 },
      [],
    ],
    [
      'what claims nothing is not asked',
      { recognised: 0, supplierTaxId: null, number: '', hasTwin: true },
      [],
    ],
    [
      'several at once',
      { net: 600_000, supplierTaxId: null, hasTwin: true },
      ['noAllocation', 'noTaxId', 'duplicate', 'arithmetic'],
    ],
  ])('%s', (_, change, expected) => {
    expect(reasonsOf({ ...good, ...change }, period)).toEqual(expected)
  })

  test('only what is wrong is at risk', () => {
    expect([isAtRisk('noAllocation'), isAtRisk('allocationUnchecked')]).toEqual([true, false])
  })
})
