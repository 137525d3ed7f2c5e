import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isTurnover,
  mayTakeFrom,
  smallPayments,
  smallStatement,
  takesSmall,
  type SmallElection,
  type SmallFacts,
} from './smallBusiness.ts'

const from = (fromYear: number, takes = true): SmallElection => ({ fromYear, takes })

test.each<[string, SmallElection[], number, boolean]>([
  ['without an election', [], 2026, false],
  ['in its first year', [from(2026)], 2026, true],
  ['in the year before', [from(2026)], 2025, false],
  ['until it is ended', [from(2025), from(2027, false)], 2026, true],
  ['after it was ended', [from(2025), from(2027, false)], 2027, false],
  ['in any order', [from(2027, false), from(2025)], 2026, true],
  ['before the law', [from(2020)], 2023, false],
  ['in the first year of the law', [from(2020)], 2024, true],
])('the deduction is taken or not %s', (_, elections, year, takes) => {
  expect(takesSmall(elections, year)).toBe(takes)
})

test.each<[string, SmallElection[], number, number]>([
  ['never elected', [], 2026, 2026],
  ['before the law', [], 2020, 2024],
  ['going on', [from(2025)], 2026, 2026],
  // Taken in 2025 and not in 2026: neither in 2027 nor in 2028.
  ['in the year of stopping, which is then none', [from(2025), from(2026, false)], 2026, 2026],
  ['a year after stopping', [from(2025), from(2026, false)], 2027, 2029],
  ['two years after stopping', [from(2025), from(2026, false)], 2028, 2029],
  ['three years after stopping', [from(2025), from(2026, false)], 2029, 2029],
])('the deduction may be taken %s', (_, elections, year, first) => {
  expect(mayTakeFrom(elections, year)).toBe(first)
})

const facts = (more: Partial<SmallFacts> = {}): SmallFacts => ({
  year: 2026,
  months: [4_000_000, 6_000_000],
  payments: [],
  expenses: 2_000_000,
  otherDeductions: 0,
  withheld: 0,
  ...more,
})

test.each<[string, Partial<SmallFacts>, object]>([
  [
    'a part of the turnover is deducted',
    {},
    { whole: 10_000_000, deduction: 3_000_000, income: 7_000_000, actualIncome: 8_000_000, better: 'small' },
  ],
  ['expenses above the part', { expenses: 3_000_001 }, { better: 'actual', difference: 1 }],
  ['expenses of the part itself', { expenses: 3_000_000 }, { better: 'same', difference: 0 }],
  [
    'deductions outside the books count against it',
    { otherDeductions: 1_500_000 },
    { actual: 3_500_000, better: 'actual', difference: 500_000 },
  ],
  [
    'compensation for war damage is turnover',
    { payments: [{ kind: 'war', amountAgorot: 1_000_000, withheldAgorot: 0 }] },
    { whole: 11_000_000, deduction: 3_300_000, income: 7_700_000, otherPayments: 0 },
  ],
  [
    'of 2024 it was not',
    { year: 2024, payments: [{ kind: 'war', amountAgorot: 1_000_000, withheldAgorot: 0 }] },
    { whole: 10_000_000, deduction: 3_000_000, income: 8_000_000, otherPayments: 1_000_000 },
  ],
  [
    'what replaces income is taxed whole',
    { payments: [{ kind: 'reserve', amountAgorot: 500_000, withheldAgorot: 70_000 }], withheld: 30_000 },
    { whole: 10_000_000, income: 7_500_000, otherPayments: 500_000, withheld: 100_000 },
  ],
  ['a year of credits has nothing to deduct from', { months: [-100] }, { deduction: 0, income: -100 }],
  ['half an agora goes up', { months: [5] }, { deduction: 2 }],
  ['nothing is deducted before the law', { year: 2023 }, { rateBp: 0, deduction: 0 }],
  ['below four fifths', { months: [9_826_639] }, { ceiling: { state: 'within', limit: 12_283_300 } }],
  ['at four fifths', { months: [9_826_640] }, { ceiling: { state: 'near', limit: 12_283_300 } }],
  ['at the ceiling', { months: [12_283_300] }, { ceiling: { state: 'near', limit: 12_283_300 } }],
  ['above it', { months: [12_283_301] }, { ceiling: { state: 'passed', limit: 12_283_300 } }],
  [
    'compensation leads above it too',
    { months: [12_283_300], payments: [{ kind: 'war', amountAgorot: 1, withheldAgorot: 0 }] },
    { ceiling: { state: 'passed', limit: 12_283_300 } },
  ],
  ['a year whose ceiling is not known', { year: 2027 }, { ceiling: { state: 'unknown', limit: null } }],
])('%s', (_, more, found) => {
  expect(smallStatement(facts(more))).toMatchObject(found)
})

const amount = fc.integer({ min: 0, max: 1_000_000_000 })
const years = fc.record({
  year: fc.integer({ min: 2024, max: 2027 }),
  months: fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), { maxLength: 12 }),
  payments: fc.array(
    fc.record({ kind: fc.constantFrom(...smallPayments), amountAgorot: amount, withheldAgorot: amount }),
    { maxLength: 5 },
  ),
  expenses: amount,
  otherDeductions: amount,
  withheld: amount,
})

test('of any year both methods start from the same income and end at its difference', () => {
  fc.assert(
    fc.property(years, (given) => {
      const one = smallStatement(given)
      const received = [...given.months, ...given.payments.map(({ amountAgorot }) => amountAgorot)]
      const all = received.reduce((sum, next) => sum + next, 0)
      expect(one.income + one.deduction).toBe(all)
      expect(one.actualIncome + one.actual).toBe(all)
      expect(one.whole + one.otherPayments).toBe(all)
      expect(one.difference).toBe(Math.abs(one.deduction - one.actual))
      expect(one.better === 'small').toBe(one.deduction > one.actual)
      expect(one.compensation).toBe(
        given.payments
          .filter(({ kind }) => isTurnover(kind, given.year))
          .reduce((sum, next) => sum + next.amountAgorot, 0),
      )
    }),
  )
})

test('a year in which the deduction may be taken is never within two years of a stop', () => {
  const elections = fc.array(
    fc.record({ fromYear: fc.integer({ min: 2022, max: 2034 }), takes: fc.boolean() }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(elections, fc.integer({ min: 2024, max: 2036 }), (given, year) => {
      const first = mayTakeFrom(given, year)
      expect(first).toBeGreaterThanOrEqual(year)
      for (const stopped of first === year ? [year - 2, year - 1] : [])
        expect(takesSmall(given, stopped - 1) && !takesSmall(given, stopped)).toBe(false)
      if (first > year) expect(takesSmall(given, year)).toBe(false)
    }),
  )
})
