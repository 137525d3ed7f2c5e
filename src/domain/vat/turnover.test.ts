import { expect, test } from 'vitest'
import { limitOf, turnoverLines, type TurnoverFacts } from './turnover.ts'

const facts = (more: Partial<TurnoverFacts>): TurnoverFacts => ({
  kind: 'exemptDealer',
  isSmall: false,
  year: 2026,
  turnover: 0,
  vatMonths: 2,
  isDetailed: false,
  ...more,
})

test.each<[string, Partial<TurnoverFacts>, string[]]>([
  ['an exempt dealer below four fifths', { turnover: 9_826_639 }, []],
  ['at four fifths of the ceiling', { turnover: 9_826_640 }, ['exemptCeiling near']],
  ['at the ceiling itself', { turnover: 12_283_300 }, ['exemptCeiling near']],
  ['an agora above it', { turnover: 12_283_301 }, ['exemptCeiling passed']],
  ['the ceiling of the year before', { year: 2025, turnover: 12_000_001 }, ['exemptCeiling passed']],
  ['a year whose figure is not out yet', { year: 2027, turnover: 9_826_640 }, ['exemptCeiling unknown']],
  ['one far below the last figure', { year: 2027, turnover: 9_826_639 }, []],
  ['the first year of the table', { year: 2024, turnover: 12_000_001 }, ['exemptCeiling passed']],
  ['a year before the table', { year: 2023, turnover: 99_000_000 }, []],
  [
    'a small business that is a licensed dealer, near',
    { kind: 'licensedDealer', isSmall: true, turnover: 9_826_640 },
    ['smallCeiling near'],
  ],
  [
    'and above its ceiling',
    { kind: 'licensedDealer', isSmall: true, turnover: 12_283_301 },
    ['smallCeiling passed'],
  ],
  ['an exempt dealer hears of it once', { isSmall: true, turnover: 12_283_301 }, ['exemptCeiling passed']],
  ['a dealer is not told ahead', { kind: 'licensedDealer', turnover: 50_000_000 }, []],
  ['a dealer above half a million', { kind: 'licensedDealer', turnover: 50_000_001 }, ['detailedVat passed']],
  ['who reports in detail already', { kind: 'licensedDealer', turnover: 50_000_001, isDetailed: true }, []],
  [
    'a partnership above both',
    { kind: 'partnership', turnover: 177_500_001 },
    ['monthlyVat passed', 'detailedVat passed'],
  ],
  [
    'who reports each month already',
    { kind: 'partnership', turnover: 177_500_001, vatMonths: 1 },
    ['detailedVat passed'],
  ],
  ['a company at the limit', { kind: 'company', turnover: 177_500_000 }, []],
  [
    'a company above it, which reports in detail in any case',
    { kind: 'company', turnover: 177_500_001 },
    ['monthlyVat passed'],
  ],
  ['before the limits were known', { kind: 'licensedDealer', year: 2025, turnover: 900_000_000 }, []],
  ['a non-profit charges no VAT', { kind: 'nonProfit', turnover: 900_000_000 }, []],
])('%s', (_, more, lines) =>
  expect(turnoverLines(facts(more)).map(({ duty, state }) => `${duty} ${state}`)).toEqual(lines),
)

test('a limit is in agorot', () => {
  expect(limitOf('exemptCeiling', 2025)).toBe(120_000_00)
  expect(limitOf('exemptCeiling', 2026)).toBe(122_833_00)
  expect(limitOf('monthlyVat', 2026)).toBe(1_775_000_00)
})
