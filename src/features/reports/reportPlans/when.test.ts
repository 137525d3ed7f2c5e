import { describe, expect, test } from 'vitest'
import { vatPeriod, type Day } from '#domain/day.ts'
import { reportingDays } from '#domain/law/dues.ts'
import { daysOf, nextRing, ringing, type Rhythm, type Span } from './when.ts'

const two = (day: Day) => vatPeriod(day, 2)
const one = (day: Day) => vatPeriod(day, 1)
const rhythm = (given: Partial<Rhythm>): Rhythm => ({
  every: 'day',
  weekday: 0,
  monthDay: 1,
  daysBefore: 3,
  hour: 8,
  ...given,
})
const dueOn = reportingDays(false).vat
const first = (from: Day, given: Partial<Rhythm>, count: number, periodOn = two) => {
  const days = []
  for (const day of ringing(from, rhythm(given), periodOn, dueOn)) {
    days.push(day)
    if (days.length === count) break
  }
  return days
}

describe('the days on which it rings', () => {
  test.each<[string, Day, Partial<Rhythm>, Day[]]>([
    [
      'each day, the first among them',
      '2026-02-27',
      { every: 'day' },
      ['2026-02-27', '2026-02-28', '2026-03-01'],
    ],
    [
      'each Thursday',
      '2026-11-24',
      { every: 'week', weekday: 4 },
      ['2026-11-26', '2026-12-03', '2026-12-10'],
    ],
    ['on its weekday itself', '2026-11-24', { every: 'week', weekday: 2 }, ['2026-11-24', '2026-12-01']],
    [
      'a day of the month that is past',
      '2026-11-24',
      { every: 'month', monthDay: 10 },
      ['2026-12-10', '2027-01-10'],
    ],
    [
      'the last day of months of every length',
      '2026-01-31',
      { every: 'month', monthDay: 31 },
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'three days before a return of two months',
      '2026-11-24',
      { every: 'vat', daysBefore: 3 },
      ['2027-01-15', '2027-03-12'],
    ],
    [
      'a return of the period before is still due',
      '2026-11-10',
      { every: 'vat', daysBefore: 3 },
      ['2026-11-13', '2027-01-15'],
    ],
    ['on the very day', '2026-11-15', { every: 'vat', daysBefore: 0 }, ['2026-11-16', '2027-01-18']],
  ])('%s', (_, from, given, days) => expect(first(from, given, days.length)).toEqual(days))

  test('a return of each month', () => {
    expect(first('2026-11-24', { every: 'vat', daysBefore: 14 }, 3, one)).toEqual([
      '2026-12-01',
      '2027-01-04',
      '2027-02-01',
    ])
  })
})

describe('the next time', () => {
  test.each<[string, string, Partial<Rhythm>, string]>([
    ['later today', '2026-11-24T05:59:59Z', {}, '2026-11-24T06:00:00.000Z'],
    ['not the same moment again', '2026-11-24T06:00:00Z', {}, '2026-11-25T06:00:00.000Z'],
    ['by the clock on the wall in summer', '2026-07-01T09:00:00Z', {}, '2026-07-02T05:00:00.000Z'],
    ['across the change of clocks', '2027-03-25T09:00:00Z', {}, '2027-03-26T05:00:00.000Z'],
    ['midnight belongs to its own day', '2026-11-24T20:00:00Z', { hour: 0 }, '2026-11-24T22:00:00.000Z'],
  ])('%s', (_, now, given, at) =>
    expect(nextRing(new Date(now), rhythm(given), two, dueOn).at.toISOString()).toBe(at),
  )
})

test.each<[Span, Day, [Day, Day] | undefined]>([
  ['yesterday', '2026-03-01', ['2026-02-28', '2026-02-28']],
  // 24 November 2026 is a Tuesday.
  ['lastWeek', '2026-11-24', ['2026-11-15', '2026-11-21']],
  ['lastWeek', '2026-11-22', ['2026-11-15', '2026-11-21']],
  ['thisMonth', '2026-11-24', ['2026-11-01', '2026-11-24']],
  ['lastMonth', '2026-03-31', ['2026-02-01', '2026-02-28']],
  ['lastQuarter', '2026-02-10', ['2025-10-01', '2025-12-31']],
  ['thisVat', '2026-11-24', ['2026-11-01', '2026-11-24']],
  ['lastVat', '2026-11-12', ['2026-09-01', '2026-10-31']],
  ['thisYear', '2026-11-24', ['2026-01-01', '2026-11-24']],
  ['lastYear', '2026-11-24', ['2025-01-01', '2025-12-31']],
  ['own', '2026-11-24', undefined],
])('%s, told on %s', (span, day, days) => {
  expect(daysOf(span, day, two)).toEqual(days && { from: days[0], to: days[1] })
})
