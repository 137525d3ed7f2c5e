import { expect, test } from 'vitest'
import { handLines, isTooMuchVat, type HandSums } from './input.ts'
import { rateFor, workOut } from '../../workOut.ts'

const row: HandSums = { netAgorot: 100_000, vatAgorot: 18_000 }
const sums = (given: Partial<HandSums>) => {
  const lines = handLines({ ...row, ...given }, 1800, 'x')
  const totals = workOut(
    {
      lines: lines.map((line) => ({
        quantity: '1',
        unitPrice: String(line.unitPrice),
        vatKind: line.vatKind,
      })),
    },
    {
      kind: 'licensedDealer',
      zeroRate: false,
      vatRateBp: rateFor('licensedDealer', '2026-02-01'),
      defaultVatKind: 1,
      rounding: 'none',
    },
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
