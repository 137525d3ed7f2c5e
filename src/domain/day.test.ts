import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  compareDays,
  dayInJerusalem,
  daysBetween,
  endOfMonth,
  isDay,
  isInside,
  momentInJerusalem,
  monthOf,
  monthPeriod,
  monthsBetween,
  parseDay,
  quarterPeriod,
  startOfMonth,
  vatPeriod,
  weekday,
  yearOf,
  yearPeriod,
} from './day.ts'

const anyDay = fc.integer({ min: -25_000, max: 80_000 }).map((days) => addDays('2000-01-01', days))

test('a text is a day exactly where the calendar of the machine has it', () => {
  for (const year of [1000, 1900, 1999, 2000, 2024, 2025, 2100, 9999])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const date = new Date(Date.UTC(year, month - 1, day))
        expect([text, isDay(text)]).toEqual([text, date.toISOString().startsWith(text)])
      }
})
test.each(['2025-12-31', '2024-02-29', '2000-02-29', '1976-07-01'])('%s is a day', (text) =>
  expect(isDay(text)).toBe(true),
)
test.each([
  '2025-02-29',
  '1900-02-29',
  '2025-13-01',
  '2025-00-01',
  '2025-1-1',
  '2025-01-00',
  '25-01-01',
  '2025-01-01T00:00',
  '',
  '0025-01-01',
])('%j is no day', (text) => expect(isDay(text)).toBe(false))

describe('reading a day', () => {
  test.each([
    ['2025-12-31', '2025-12-31'],
    ['31/12/2025', '2025-12-31'],
    ['1/2/2025', '2025-02-01'],
    ['1.2.25', '2025-02-01'],
    ['3-4-2025', '2025-04-03'],
    ['1.2.99', '1999-02-01'],
    ['1.2.80', '1980-02-01'],
    ['1.2.79', '2079-02-01'],
    ['31122025', '2025-12-31'],
    ['311225', '2025-12-31'],
    ['31/12', '2026-12-31'],
    ['3112', '2026-12-31'],
    ['5.6', '2026-06-05'],
    ['\u206631/12/2025\u2069', '2025-12-31'],
    [' 31 / 12 / 2025 ', '2025-12-31'],
    ['٣١/١٢/٢٠٢٥', '2025-12-31'],
  ])('%s', (text, day) => expect(parseDay(text, '2026-03-03')).toBe(day))

  test.each([
    '30/02/2025',
    '12/31/2025',
    '31/12-2025',
    '1/2/3',
    '31',
    '311',
    '2025-2-3',
    '29/02',
    'today',
    '',
    '1/2/025',
  ])('%j is refused', (text) => expect(parseDay(text, '2026-03-03')).toBeUndefined())

  test('without a year there must be a reference', () => {
    expect(parseDay('31/12')).toBeUndefined()
    expect(parseDay('29/02', '2024-01-01')).toBe('2024-02-29')
  })
})

describe('counting', () => {
  test.each([
    ['2025-01-31', 1, '2025-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2025-12-15', 1, '2026-01-15'],
    ['2025-01-15', -1, '2024-12-15'],
    ['2025-03-31', -13, '2024-02-29'],
    ['2025-05-05', 0, '2025-05-05'],
  ])('%s and %d months', (day, months, expected) => expect(addMonths(day, months)).toBe(expected))

  test('over the end of a year and a leap day', () => {
    expect(addDays('2025-12-31', 1)).toBe('2026-01-01')
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
    expect(daysBetween('2024-01-01', '2025-01-01')).toBe(366)
    expect(endOfMonth('2024-02-01')).toBe('2024-02-29')
    expect(endOfMonth('2025-12-31')).toBe('2025-12-31')
    expect(startOfMonth('2025-12-31')).toBe('2025-12-01')
    expect(monthsBetween('2025-01-31', '2025-02-01')).toBe(1)
    expect(monthsBetween('2026-01-01', '2025-12-31')).toBe(-1)
    expect([yearOf('2025-12-31'), monthOf('2025-12-31')]).toEqual([2025, 12])
  })

  test.each([
    ['1948-05-14', 5], // a Friday
    ['1969-12-31', 3],
    ['1970-01-01', 4],
    ['2026-11-20', 5],
    ['2026-11-22', 0],
  ])('%s is weekday %d', (day, expected) => expect(weekday(day)).toBe(expected))

  test('adding and measuring agree, and text order is the order of time', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -9999, max: 9999 }), (day, days) => {
        const other = addDays(day, days)
        expect(daysBetween(day, other)).toBe(days)
        expect(Math.sign(compareDays(other, day))).toBe(Math.sign(days))
      }),
    )
  })

  test('a day that does not exist is refused', () => {
    expect(() => addDays('2025-02-30', 1)).toThrow(RangeError)
    expect(() => endOfMonth('31/12/2025')).toThrow(RangeError)
    expect(() => weekday('')).toThrow(RangeError)
  })
})

describe('the clock of Jerusalem', () => {
  test.each([
    ['2025-12-31T21:59:59Z', '2025-12-31', '23:59'],
    ['2025-12-31T22:00:00Z', '2026-01-01', '00:00'], // winter, two hours ahead
    ['2026-07-01T20:59:00Z', '2026-07-01', '23:59'], // summer, three
    ['2026-07-01T21:00:00Z', '2026-07-02', '00:00'],
    ['2026-03-27T00:30:00Z', '2026-03-27', '03:30'], // the night the clock moves on
  ])('%s', (moment, day, time) => {
    expect(momentInJerusalem(new Date(moment))).toEqual({ day, time })
    expect(dayInJerusalem(new Date(moment))).toBe(day)
  })
})

describe('periods', () => {
  test.each([
    ['2026-01-31', 2, '2026-01-01', '2026-02-28'],
    ['2026-02-01', 2, '2026-01-01', '2026-02-28'],
    ['2024-12-05', 2, '2024-11-01', '2024-12-31'],
    ['2024-02-05', 1, '2024-02-01', '2024-02-29'],
  ] as const)('the VAT period of %s by %d', (day, months, from, to) =>
    expect(vatPeriod(day, months)).toEqual({ from, to }),
  )

  test('month, quarter, year', () => {
    expect(monthPeriod('2026-04-17')).toEqual({ from: '2026-04-01', to: '2026-04-30' })
    expect(quarterPeriod('2026-05-17')).toEqual({ from: '2026-04-01', to: '2026-06-30' })
    expect(yearPeriod('2026-05-17')).toEqual({ from: '2026-01-01', to: '2026-12-31' })
  })

  test('every day lies in its own periods, and the next period begins the day after', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const period = vatPeriod(day, 2)
        expect(isInside(day, period)).toBe(true)
        expect(vatPeriod(addDays(period.to, 1), 2).from).toBe(addDays(period.to, 1))
      }),
    )
    expect(isInside('2026-03-01', { from: '2026-01-01', to: '2026-02-28' })).toBe(false)
  })
})
