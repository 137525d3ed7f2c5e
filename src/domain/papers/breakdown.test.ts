import { expect, test } from 'vitest'
import { partsByRate, shareBreakdown } from './breakdown.ts'

const line = (description: string, netAgorot: number, category: string, vatRateBp: number) => ({
  description,
  quantity: '1',
  netAgorot,
  category,
  vatRateBp,
})

test('the discount of the whole goes into the lines, to the agora', () => {
  const lines = shareBreakdown(
    [line('a', 1000, 'S', 1800), line('b', 333, 'S', 1800), line('c', 500, 'E', 0)],
    [
      { category: 'S', vatRateBp: 1800, netAgorot: 1200, vatAgorot: 216 },
      { category: 'E', vatRateBp: 0, netAgorot: 450, vatAgorot: 0 },
    ],
  )
  expect(lines.map((one) => [one.netAgorot, one.vatAgorot])).toEqual([
    [900, 162],
    [300, 54],
    [450, 0],
  ])
  expect(partsByRate(lines, { net: 1650, vat: 216 })).toEqual([
    { netAgorot: 1200, vatAgorot: 216, description: '' },
    { netAgorot: 450, vatAgorot: 0, description: 'c' },
  ])
})

test('goods taken back among sold ones do not blow shares up', () => {
  const lines = shareBreakdown(
    [line('a', 1000, 'S', 1800), line('b', -1000, 'S', 1800)],
    [{ category: 'S', vatRateBp: 1800, netAgorot: 0, vatAgorot: 0 }],
  )
  expect(lines.map((one) => one.vatAgorot)).toEqual([0, 0])
})

test('one rate, a sum changed by hand, or a category not broken down: the sums of the invoice are enough', () => {
  const known = shareBreakdown(
    [line('a', 100, 'S', 1800), line('b', 50, 'E', 0)],
    [
      { category: 'S', vatRateBp: 1800, netAgorot: 100, vatAgorot: 18 },
      { category: 'E', vatRateBp: 0, netAgorot: 50, vatAgorot: 0 },
    ],
  )
  expect(partsByRate(known, { net: 150, vat: 18 })).toHaveLength(2)
  expect(partsByRate(known, { net: 150, vat: 20 })).toBeUndefined()
  expect(partsByRate(known, { net: 1500, vat: 18 })).toBeUndefined()
  expect(partsByRate(known.slice(0, 1), { net: 100, vat: 18 })).toBeUndefined()
  expect(
    partsByRate(shareBreakdown([line('a', 1, 'S', 1800), line('b', 1, 'E', 0)], []), { net: 2, vat: 0 }),
  ).toBeUndefined()
})
