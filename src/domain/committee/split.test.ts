import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instalmentsOf, payOldest, splitOver, splitRules, type Flat } from './split.ts'

const flat = (more: Partial<Flat> = {}): Flat => ({
  isExempt: false,
  area: '80',
  floorWeight: 100,
  shareBp: 2500,
  ownAgorot: 28_000,
  ...more,
})

test.each([
  ['equal', [flat(), flat(), flat()], 10_000, [3334, 3333, 3333]],
  ['area', [flat({ area: '60' }), flat({ area: '90.5' }), flat({ area: '120' })], 10_000, [2218, 3346, 4436]],
  [
    'floor',
    [
      flat({ floorWeight: 50 }),
      flat(),
      flat({ floorWeight: 150, isExempt: true }),
      flat({ floorWeight: 120 }),
    ],
    27_001,
    [5000, 10_000, 0, 12_001],
  ],
  [
    'share',
    [flat({ shareBp: 2000 }), flat({ shareBp: 3000 }), flat({ shareBp: 5000 })],
    10_001,
    [2000, 3000, 5001],
  ],
  [
    'own',
    [flat({ ownAgorot: 100 }), flat({ isExempt: true }), flat({ ownAgorot: 300 })],
    1000,
    [250, 0, 750],
  ],
] as const)('by %s together exactly the sum', (rule, flats, sum, parts) => {
  expect(splitOver(flats, rule, sum)).toEqual(parts)
})

test('what cannot be split says why', () => {
  expect(splitOver([], 'equal', 100)).toBe('noFlats')
  expect(splitOver([flat({ isExempt: true })], 'equal', 100)).toBe('noFlats')
  expect(splitOver([flat({ area: null })], 'area', 100)).toBe('noArea')
  expect(splitOver([flat(), flat({ floorWeight: null })], 'floor', 100)).toBe('noFloor')
  expect(splitOver([flat({ floorWeight: 0 })], 'floor', 100)).toBe('noFloor')
  expect(splitOver([flat({ shareBp: 9999 })], 'share', 100)).toBe('sharesNotWhole')
  expect(splitOver([flat({ ownAgorot: null })], 'own', 'own')).toBe('noOwn')
  expect(splitOver([flat({ ownAgorot: 5 }), flat({ isExempt: true, ownAgorot: 7 })], 'own', 'own')).toEqual([
    5, 0,
  ])
})

test('parts and instalments of any house are whole: nothing is lost and nobody pays below zero', () => {
  const flats = fc.array(
    fc.record({
      isExempt: fc.boolean(),
      area: fc.integer({ min: 10, max: 300 }).map(String),
      floorWeight: fc.integer({ min: 0, max: 300 }),
      shareBp: fc.constant(0),
      ownAgorot: fc.integer({ min: 0, max: 50_000 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(
      flats,
      fc.constantFrom(...splitRules),
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 1, max: 60 }),
      (house, rule, sum, count) => {
        const whole = house.map((one, i) => ({
          ...one,
          shareBp: Math.floor(10_000 / house.length) + (i < 10_000 % house.length ? 1 : 0),
        }))
        const parts = splitOver(whole, rule, sum)
        if (typeof parts === 'string') return
        expect(parts.reduce((all, one) => all + one, 0)).toBe(sum)
        for (const [i, part] of parts.entries()) {
          expect(part).toBeGreaterThanOrEqual(0)
          if (whole[i]!.isExempt) expect(part).toBe(0)
          expect(instalmentsOf(part, count).reduce((all, one) => all + one, 0)).toBe(part)
        }
      },
    ),
  )
})

test('money pays the oldest first, and what is left stays for what comes', () => {
  const dues = [
    { id: 'c', month: '2031-02-01', kind: 'levy', openAgorot: 500 },
    { id: 'b', month: '2031-02-01', kind: 'month', openAgorot: 280 },
    { id: 'a', month: '2031-01-01', kind: 'month', openAgorot: 100 },
  ] as const
  expect(payOldest(dues, 400)).toEqual({
    paid: [
      { id: 'a', agorot: 100 },
      { id: 'b', agorot: 280 },
      { id: 'c', agorot: 20 },
    ],
    ahead: 0,
  })
  expect(payOldest(dues, 1000)).toMatchObject({ ahead: 120 })
})
