import { expect, test } from 'vitest'
import { handInput, isTooMuchVat, type HandRow } from './input.ts'
import { rateFor, workOut } from '../../workOut.ts'

const row: HandRow = { type: 8, number: 7, day: '2026-02-01', customerId: 'c', netAgorot: 100_000, vatAgorot: 18_000, means: 'cash' }
const sums = (given: Partial<HandRow>) => {
  const input = handInput({ ...row, ...given }, 1800, 'x')
  const totals = workOut(
    { lines: (input.lines ?? []).map((line) => ({ quantity: '1', unitPrice: String(line.unitPrice), vatKind: line.vatKind })) },
    { kind: 'licensedDealer', zeroRate: false, vatRateBp: rateFor('licensedDealer', '2026-02-01'), defaultVatKind: 1, rounding: 'none' },
  )
  return [totals.net, totals.vat]
}

test('net and VAT are those of the paper, whatever part of it was taxed', () => {
  for (const [netAgorot, vatAgorot] of [
    [100_000, 18_000],
    [100_000, 0],
    [100_000, 9_000],
    [99_999, 17_999],
    [123_457, 1],
    [1, 0],
  ] as const)
    expect(sums({ netAgorot, vatAgorot })).toEqual([netAgorot, vatAgorot])
})

test('more VAT than the rate is refused', () => {
  expect(isTooMuchVat({ netAgorot: 100_000, vatAgorot: 18_001 }, 1800)).toBe(true)
  expect(isTooMuchVat({ netAgorot: 100_000, vatAgorot: 18_000 }, 1800)).toBe(false)
})

test('a receipt of the book is what was paid; an invoice with receipt is paid with its VAT', () => {
  expect(handInput({ ...row, type: 6, vatAgorot: 0 }, 1800, 'x')).toMatchObject({
    lines: [],
    payments: [{ means: 1, amountAgorot: 100_000 }],
  })
  expect(handInput({ ...row, type: 9 }, 1800, 'x').payments).toEqual([{ means: 1, amountAgorot: 118_000 }])
})
