import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { addDays, momentInJerusalem, weekday } from '../day.ts'
import { cancelling, offeredUntil, overlaps, payOf } from './rules.ts'
import { asRrule, occurrences, type Series } from './series.ts'

/** The same series by a library that knows RFC 5545, on its days. */
function byLibrary(of: Series, from: string, to: string): string[] {
  const recur = ICAL.Recur.fromString(asRrule(of))
  const steps = recur.iterator(ICAL.Time.fromDateString(of.first))
  const days: string[] = []
  for (let next = steps.next(); next && days.length < 5000; next = steps.next()) {
    const day = next.toString().slice(0, 10)
    if (day > to) break
    if (day >= from) days.push(day)
  }
  return days
}

const day = fc.integer({ min: 0, max: 1500 }).map((n) => addDays('2029-01-01', n))

test('a thousand series have the days that an independent reading of RFC 5545 gives them', () => {
  fc.assert(
    fc.property(
      fc.record({
        unit: fc.constantFrom('day', 'week', 'month' as const),
        every: fc.integer({ min: 1, max: 6 }),
        days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 5 }),
        first: day,
        end: fc.option(fc.integer({ min: 0, max: 500 }), { nil: null }),
        count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
        skip: fc.integer({ min: 0, max: 400 }),
      }),
      ({ unit, every, days, first, end, count, skip }) => {
        // A series begins on a day of its own rule; the product moves it there before it is kept.
        let begins = first
        if (unit === 'week' && days.length)
          while (!days.includes(weekday(begins))) begins = addDays(begins, 1)
        const of = {
          unit,
          every,
          days,
          first: begins,
          until: end === null || count !== null ? null : addDays(begins, end),
          count,
        } as Series
        const [from, to] = [addDays(begins, skip), addDays(begins, skip + 200)]
        expect(occurrences(of, from, to)).toEqual(byLibrary(of, from, to))
      },
    ),
    { numRuns: 1000, seed: 23 },
  )
})

test.each([
  [
    'the 31st is passed over in shorter months',
    { unit: 'month', every: 1, days: [], first: '2030-01-31', until: null, count: 4 },
    ['2030-01-31', '2030-03-31', '2030-05-31', '2030-07-31'],
  ],
  [
    'every second week on two days',
    { unit: 'week', every: 2, days: [0, 3], first: '2030-01-06', until: null, count: 4 },
    ['2030-01-06', '2030-01-09', '2030-01-20', '2030-01-23'],
  ],
  [
    'the last day counts',
    { unit: 'day', every: 1, days: [], first: '2030-01-01', until: '2030-01-02', count: null },
    ['2030-01-01', '2030-01-02'],
  ],
] as [string, Series, string[]][])('%s', (_, of, wanted) =>
  expect(occurrences(of, of.first, '2031-12-31')).toEqual(wanted),
)

describe('a seat that came free', () => {
  const wall = (date: Date | null) => date && `${momentInJerusalem(date).day} ${momentInJerusalem(date).time}`
  test.each([
    ['an hour in the day', '2030-06-10T09:00:00Z', '2030-06-12T09:00:00Z', '2030-06-10 13:00'],
    [
      'what is left at ten in the evening is had in the morning',
      '2030-06-10T18:40:00Z',
      '2030-06-12T09:00:00Z',
      '2030-06-11 07:40',
    ],
    ['nothing of the night counts', '2030-06-10T21:00:00Z', '2030-06-12T09:00:00Z', '2030-06-11 08:00'],
    [
      'before seven in the morning, neither',
      '2030-06-11T02:00:00Z',
      '2030-06-12T09:00:00Z',
      '2030-06-11 08:00',
    ],
    ['never into the last hour', '2030-06-10T09:00:00Z', '2030-06-10T10:30:00Z', '2030-06-10 12:30'],
    ['in the last hour it is anybody’s', '2030-06-10T09:30:00Z', '2030-06-10T10:30:00Z', null],
    ['the night on which clocks change', '2030-03-28T21:30:00Z', '2030-03-30T09:00:00Z', '2030-03-29 08:00'],
  ])('%s', (_, now, starts, until) => expect(wall(offeredUntil(new Date(starts), new Date(now)))).toBe(until))
})

test.each([
  [12, '2030-06-10T07:00:00Z', '2030-06-10T19:00:01Z', false],
  [12, '2030-06-10T07:00:01Z', '2030-06-10T19:00:00Z', true],
  [0, '2030-06-10T18:59:59Z', '2030-06-10T19:00:00Z', false],
])('cancelled by the clock of the server: %i hours, at %s for %s', (cancelHours, now, starts, isLate) => {
  const cost = cancelling(
    { cancelHours, lateFeeAgorot: 3000, noShowFeeAgorot: 5000 },
    new Date(starts),
    new Date(now),
  )
  expect(cost).toMatchObject({ isLate, feeAgorot: isLate ? 3000 : 0, returnsVisit: !isLate })
})

test.each([
  [{ by: 'class', agorot: 12000 }, { minutes: 50, came: 3 }, 12000],
  [{ by: 'head', agorot: 1500 }, { minutes: 50, came: 7 }, 10500],
  [{ by: 'hour', agorot: 12000 }, { minutes: 50, came: 3 }, 10000],
  [{ by: 'hour', agorot: 10001 }, { minutes: 45, came: 0 }, 7501],
  [{ by: 'hour', agorot: 1 }, { minutes: 30, came: 0 }, 1],
] as const)('a trainer is paid %j for %j', (pay, held, agorot) => expect(payOf(pay, held)).toBe(agorot))

test('what ends as another begins does not meet it', () => {
  const at = (hour: number) => new Date(Date.UTC(2030, 0, 1, hour))
  expect(overlaps({ from: at(1), to: at(2) }, { from: at(2), to: at(3) })).toBe(false)
  expect(overlaps({ from: at(1), to: at(3) }, { from: at(2), to: at(4) })).toBe(true)
})
