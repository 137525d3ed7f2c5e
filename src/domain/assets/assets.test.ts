import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../day.ts'
import { balance } from '../ledger/entry.ts'
import { assetKindNames, costAccountOf, kindOfAccount, lawfulRate, wornAccountOf } from './kinds.ts'
import { gainOf, postDepreciation, postDisposal } from './postings.ts'
import { planOf, wornUntil, type AssetTerms } from './worn.ts'

const computer: AssetTerms = { cost: 365_000, rateBp: 3300, startDay: '2026-01-01' }

describe('what an asset has lost', () => {
  test.each([
    ['the first day is a day of use', computer, '2026-01-01', 330],
    ['before it, nothing', computer, '2025-12-31', 0],
    ['half a year by days', computer, '2026-06-30', Math.round((365_000 * 0.33 * 181) / 365)],
    ['a whole year is its rate', computer, '2026-12-31', 120_450],
    ['so is a leap year', { ...computer, startDay: '2028-01-01' }, '2028-12-31', 120_450],
    [
      'begun in the middle of the year',
      { ...computer, startDay: '2026-07-01' },
      '2026-12-31',
      Math.round((120_450 * 184) / 365),
    ],
    ['three years', computer, '2028-12-31', 361_350],
    ['never more than the cost', computer, '2031-12-31', 365_000],
    ['an asset with no rate stays', { ...computer, rateBp: 0 }, '2050-12-31', 0],
    [
      'sold in the middle: that day is none of use',
      { ...computer, disposedDay: '2026-07-01' },
      '2026-12-31',
      Math.round((120_450 * 181) / 365),
    ],
    [
      'before the sale nothing changes',
      { ...computer, disposedDay: '2026-07-01' },
      '2026-03-31',
      Math.round((120_450 * 90) / 365),
    ],
    ['sold on its first day', { ...computer, disposedDay: '2026-01-01' }, '2026-12-31', 0],
    [
      'an opening goes on from what was worn',
      { ...computer, startDay: '2024-01-01', openingDay: '2025-12-31', openingWorn: 200_000 },
      '2026-12-31',
      320_450,
    ],
    [
      'an opening ends at the cost',
      { ...computer, startDay: '2024-01-01', openingDay: '2025-12-31', openingWorn: 300_000 },
      '2026-12-31',
      365_000,
    ],
    [
      'an opening of something worn out',
      { ...computer, startDay: '2015-01-01', openingDay: '2025-12-31', openingWorn: 365_000 },
      '2026-12-31',
      365_000,
    ],
    [
      'an opening that lags behind its line ends at the cost all the same',
      { ...computer, startDay: '2022-01-01', openingDay: '2025-12-31', openingWorn: 200_000 },
      '2027-12-31',
      365_000,
    ],
  ] satisfies [string, AssetTerms, string, number][])('%s', (_, asset, day, worn) => {
    expect(wornUntil(asset, day)).toBe(worn)
  })

  test('months add up to the year whatever the cost, and never fall', () => {
    for (let cost = 1; cost < 4_000_000; cost = cost * 3 + 7)
      for (const rateBp of [200, 400, 600, 1000, 1500, 3300]) {
        const asset = { cost, rateBp, startDay: addDays('2023-01-01', cost % 700) }
        let before = 0
        for (let day = '2023-01-31'; day < '2029-01-01'; day = addDays(day, 29)) {
          const now = wornUntil(asset, day)
          expect(now).toBeGreaterThanOrEqual(before)
          expect(now).toBeLessThanOrEqual(cost)
          before = now
        }
        const years = planOf(asset)
        expect(years.reduce((sum, year) => sum + year.depreciation, 0)).toBe(years.at(-1)!.worn)
        expect(years.at(-1)!.left).toBe(0)
      }
  })

  test('at any rate of its own it never falls, never exceeds the cost, and in the end sums to it', () => {
    const terms = fc
      .record({
        cost: fc.integer({ min: 1, max: 10_000_000_000 }),
        // From two in a hundred to all of it at once: accelerated, by shifts, as a certificate says.
        rateBp: fc.integer({ min: 200, max: 10_000 }),
        start: fc.integer({ min: 0, max: 12_000 }),
        opening: fc.option(
          fc.record({ days: fc.integer({ min: 0, max: 4_000 }), part: fc.integer({ min: 0, max: 100 }) }),
        ),
      })
      .map(({ cost, rateBp, start, opening }): AssetTerms => {
        const startDay = addDays('1995-01-01', start)
        return {
          cost,
          rateBp,
          startDay,
          ...(opening
            ? {
                openingDay: addDays(startDay, opening.days),
                openingWorn: Math.floor((cost * opening.part) / 100),
              }
            : {}),
        }
      })
    fc.assert(
      fc.property(terms, fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 12 }), (asset, after) => {
        let before = 0
        for (const days of after.toSorted((a, b) => a - b)) {
          const now = wornUntil(asset, addDays(asset.startDay, days))
          expect(now).toBeGreaterThanOrEqual(before)
          expect(now).toBeLessThanOrEqual(asset.cost)
          before = now
        }
        const years = planOf(asset)
        expect(years.every(({ depreciation }) => depreciation >= 0)).toBe(true)
        expect(years.reduce((sum, { depreciation }) => sum + depreciation, 0)).toBe(asset.cost)
        expect(years.at(-1)!.left).toBe(0)
      }),
    )
  })

  test('a plan without depreciation has one year', () => {
    expect(planOf({ ...computer, rateBp: 0 })).toEqual([
      { year: 2026, depreciation: 0, worn: 0, left: computer.cost },
    ])
  })

  test('a plan at the lowest rate ends after a hundred years', () => {
    expect(planOf({ ...computer, rateBp: 1 })).toHaveLength(100)
  })

  test('a plan ends with the sale', () => {
    expect(
      planOf({ ...computer, disposedDay: '2027-01-01' }).map((y) => [y.year, y.depreciation, y.left]),
    ).toEqual([
      [2026, 120_450, 244_550],
      [2027, 0, 244_550],
    ])
  })
})

describe('kinds', () => {
  test('rates of the regulations', () => {
    expect(assetKindNames.map((kind) => lawfulRate(kind, '2026-01-01'))).toEqual([
      400,
      200,
      1000,
      1000,
      1500,
      2000,
      3300,
      600,
      undefined,
    ])
  })
  test('an account tells the kind, and what is worn stands on the line that form 6111 has for it', () => {
    expect(kindOfAccount('8040', 2000)).toBe('commercialVehicle')
    expect(kindOfAccount('8040', 1500)).toBe('vehicle')
    expect(kindOfAccount('8010', 200)).toBe('solidBuilding')
    expect(kindOfAccount('', 1000)).toBe('other')
    for (const kind of assetKindNames.filter((one) => one !== 'other'))
      expect(Number(wornAccountOf(kind).code6111) - Number(costAccountOf(kind).code6111)).toBe(100)
  })
})

describe('entries', () => {
  const accounts = { cost: 'cost', worn: 'worn', proceeds: 'bank', gain: 'gain', loss: 'loss' }
  test.each([
    ['sold above what is left', { cost: 1000, worn: 600, proceeds: 700 }, 300, { gain: -300 }],
    ['sold below', { cost: 1000, worn: 600, proceeds: 100 }, -300, { loss: 300 }],
    ['sold at it', { cost: 1000, worn: 600, proceeds: 400 }, 0, {}],
    ['scrapped', { cost: 1000, worn: 600, proceeds: 0 }, -400, { loss: 400 }],
    ['scrapped when worn out', { cost: 1000, worn: 1000, proceeds: 0 }, 0, {}],
  ])('%s', (_, of, gain, result) => {
    expect(gainOf(of)).toBe(gain)
    const lines = postDisposal(of, {
      ...accounts,
      proceeds: of.proceeds ? 'bank' : undefined,
    } as typeof accounts)
    expect(balance(lines)).toBe(0)
    const sides = Object.fromEntries(lines.map((line) => [line.account, line.debit - line.credit]))
    expect(sides.cost).toBe(-1000)
    expect({ gain: sides.gain, loss: sides.loss }).toEqual({ gain: undefined, loss: undefined, ...result })
  })
  test('depreciation by kind, too much of it taken back', () => {
    expect(
      postDepreciation(
        [
          { worn: 'a', amount: 50 },
          { worn: 'b', amount: -20 },
          { worn: 'a', amount: 5 },
        ],
        'expense',
      ),
    ).toEqual([
      { account: 'expense', debit: 35, credit: 0 },
      { account: 'a', debit: 0, credit: 55 },
      { account: 'b', debit: 20, credit: 0 },
    ])
  })
})
