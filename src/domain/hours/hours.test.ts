import { describe, expect, test } from 'vitest'
import { momentAt } from '../day.ts'
import {
  clockText,
  hoursOf,
  isMinorOn,
  ordinaryLength,
  ordinaryOf,
  paidHundredths,
  sumRates,
  usualTerms,
  type Stretch,
  type WorkTerms,
} from './hours.ts'
import { holidayOn } from './holidays.ts'

const at = (day: string, hour: number, minutes = 0): number =>
  momentAt(day, hour).getTime() + minutes * 60_000
const shift = (day: string, from: number, long: number): Stretch => ({
  start: at(day, from),
  end: at(day, from) + Math.round(long * 60) * 60_000,
})
const one = (stretches: Stretch[], terms: Partial<WorkTerms> = {}) =>
  hoursOf(stretches, [{ ...usualTerms, ...terms }])

describe('a day by the law', () => {
  // A Sunday in the middle of November 2026, far from holidays.
  const sunday = '2026-11-15'
  test.each<[string, Stretch[], Partial<WorkTerms>, Record<number, number>, string]>([
    ['a short day is ordinary', [shift(sunday, 8, 5)], {}, { 100: 300 }, 'fiveDays'],
    ['8:36 is a whole day of a five-day week', [shift(sunday, 8, 8.6)], {}, { 100: 516 }, 'fiveDays'],
    [
      'two hours more are at 125, those after at 150',
      [shift(sunday, 8, 12)],
      {},
      { 100: 516, 125: 120, 150: 84 },
      'fiveDays',
    ],
    [
      'a day of two stretches is one day',
      [shift(sunday, 8, 5), shift(sunday, 14, 5)],
      {},
      { 100: 516, 125: 84 },
      'fiveDays',
    ],
    [
      'the short day of the week is an hour shorter',
      [shift('2026-11-19', 8, 8.6)],
      {},
      { 100: 456, 125: 60 },
      'shortDay',
    ],
    ['six days: eight hours', [shift(sunday, 8, 9)], { days: 6 }, { 100: 480, 125: 60 }, 'sixDays'],
    [
      'the eve of the rest day: seven',
      [shift('2026-11-20', 7, 8)],
      { days: 6 },
      { 100: 420, 125: 60 },
      'restEve',
    ],
    [
      'two hours of it in the night make seven of it',
      [shift(sunday, 15, 9)],
      {},
      { 100: 420, 125: 120 },
      'night',
    ],
    ['an hour and fifty minutes do not', [shift(sunday, 15, 8.83)], {}, { 100: 516, 125: 14 }, 'fiveDays'],
    ['agreed to less', [shift(sunday, 8, 8)], { dayMinutes: 420 }, { 100: 420, 125: 60 }, 'agreed'],
    [
      'on the rest day once and a half, and overtime above it',
      [shift('2026-11-21', 8, 11)],
      {},
      { 150: 516, 175: 120, 200: 24 },
      'fiveDays',
    ],
    [
      'without overtime agreed all is ordinary',
      [shift(sunday, 8, 12)],
      { overtime: false },
      { 100: 720 },
      'fiveDays',
    ],
    ['on Rosh Hashana as on a rest day', [shift('2026-09-13', 8, 4)], {}, { 150: 240 }, 'fiveDays'],
  ])('%s', (_, stretches, terms, byRate, rule) =>
    expect(one(stretches, terms)[0]).toMatchObject({ byRate, rule }),
  )

  test.each<[string, 5 | 6, number | null, string, number, number]>([
    ['five days by the law', 5, null, '2026-11-15', 516, 2520],
    ['six days by the law', 6, null, '2026-11-15', 480, 2520],
    ['the week of 43 hours before April 2018', 5, null, '2018-03-31', 516, 2580],
    ['a day agreed shorter makes the week shorter', 5, 420, '2026-11-15', 420, 2100],
    ['a day agreed longer is still no more than the law’s', 6, 540, '2026-11-15', 480, 2520],
  ])('%s', (_, days, dayMinutes, on, day, week) =>
    expect(ordinaryLength({ days, dayMinutes }, on)).toEqual({ day, week }),
  )

  test('a shift over midnight into the rest day is paid more from midnight on, and keeps the levels of its day', () => {
    // Friday 20:00 to Saturday 06:00: a night, seven hours ordinary; four before midnight.
    expect(one([shift('2026-11-20', 20, 10)])).toMatchObject([
      { day: '2026-11-20', minutes: 600, byRate: { 100: 240, 150: 180, 175: 120, 200: 60 }, isNight: true },
    ])
  })
  test('the night in which clocks go forward has an hour less, the other one more', () => {
    const night = (day: string) =>
      one([
        {
          start: at(day, 22),
          end: momentAt(day === '2026-03-26' ? '2026-03-27' : '2026-10-25', 6).getTime(),
        },
      ])[0]!.minutes
    expect(night('2026-03-26')).toBe(7 * 60)
    expect(night('2026-10-24')).toBe(9 * 60)
  })
  test('what is agreed changes within the year, and each day goes by its own', () => {
    const terms: WorkTerms[] = [usualTerms, { ...usualTerms, from: '2026-11-16', dayMinutes: 360 }]
    expect(
      hoursOf([shift(sunday, 8, 8), shift('2026-11-16', 8, 8)], terms).map(({ byRate }) => byRate),
    ).toEqual([{ 100: 480 }, { 100: 360, 125: 120 }])
  })
  test('six ordinary days are more than a week', () => {
    const week = ['15', '16', '17', '18', '19', '20'].map((day) => shift(`2026-11-${day}`, 7, 7.5))
    const days = one(week, { dayMinutes: null })
    expect(sumRates(days)[100]).toBe(42 * 60 - 0)
    expect(days.at(-1)).toMatchObject({ rule: 'week' })
  })
  test('before April 2018 the week had an hour more', () =>
    expect(ordinaryOf('2018-03-04', usualTerms, false)).toEqual({ minutes: 516, rule: 'fiveDays' }))
  test('what is paid is exact', () => {
    expect(paidHundredths({ 100: 480, 125: 60 })).toBe(48_000 + 7_500)
    expect(clockText(1505)).toBe('25:05')
  })
})

test.each([
  ['2026-04-02', 'pesach'],
  ['2026-04-08', 'pesach'],
  ['2026-05-22', 'shavuot'],
  ['2026-09-21', 'yomKippur'],
  ['2026-09-26', 'sukkot'],
  ['2026-10-03', 'shminiAtzeret'],
  // The fifth of Iyar fell on a Wednesday in 2026, on a Monday in 2024 and on a Saturday in 2021.
  ['2026-04-22', 'independence'],
  ['2024-05-14', 'independence'],
  ['2021-04-15', 'independence'],
  ['2026-12-25', undefined],
])('%s is %s', (day, holiday) => expect(holidayOn(day)).toBe(holiday))

/**
 * The same again, told by somebody who knows nothing of the code: minute by minute, with the offset of
 * Israel's clocks from the Law on the Determination of Time (from the Friday before the last Sunday of March
 * to the last Sunday of October, both at two in the morning).
 */
describe('random workers over a year', () => {
  const lastSunday = (year: number, month: number): number => {
    const end = new Date(Date.UTC(year, month + 1, 0))
    return Date.UTC(year, month, end.getUTCDate() - end.getUTCDay())
  }
  const offsetAt = (moment: number): number => {
    const year = new Date(moment).getUTCFullYear()
    const summer = lastSunday(year, 2) - 2 * 86_400_000
    const winter = lastSunday(year, 9)
    return moment >= summer && moment < winter - 3_600_000 ? 3 : 2
  }
  /** Days since 1970 and minutes of the day that a wall clock shows. */
  const wall = (moment: number): { day: number; minute: number; weekday: number } => {
    const local = moment + offsetAt(moment) * 3_600_000
    const day = Math.floor(local / 86_400_000)
    return { day, minute: Math.floor((local - day * 86_400_000) / 60_000), weekday: (day + 4) % 7 }
  }
  const text = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

  function naive(stretches: Stretch[], terms: WorkTerms): Record<number, number> {
    const all: Record<number, number> = {}
    const byDay = new Map<number, number[]>()
    for (const { start, end } of stretches) {
      const day = wall(start).day
      const minutes = byDay.get(day) ?? []
      for (let at = Math.floor(start / 60_000); at < Math.floor(end / 60_000); at++) minutes.push(at * 60_000)
      byDay.set(day, minutes)
    }
    const weeks = new Map<number, number>()
    for (const [day, minutes] of [...byDay].toSorted(([a], [b]) => a - b)) {
      const weekday = (day + 4) % 7
      const isNight =
        minutes.filter((m) => wall(m).minute >= 22 * 60 || wall(m).minute < 6 * 60).length >= 120
      const isEve = weekday === (terms.restDay + 6) % 7 || holidayOn(text(day + 1)) !== undefined
      const limits = [
        terms.days === 6 ? 480 : weekday === terms.shortDay ? 456 : 516,
        isNight ? 420 : 999,
        isEve ? 420 : 999,
        terms.dayMinutes ?? 999,
      ]
      const ordinary = Math.min(...limits)
      const week = Math.floor((day + 4) / 7)
      let done = 0
      let extra = 0
      const count = { 100: 0 } as Record<number, number>
      for (const m of minutes) {
        const isRest = wall(m).weekday === terms.restDay || holidayOn(text(wall(m).day)) !== undefined
        let rate = !terms.overtime || done < ordinary ? 100 : done < ordinary + 120 ? 125 : 150
        if (isRest) rate += 50
        else if (rate === 100) {
          const sum = weeks.get(week) ?? 0
          weeks.set(week, sum + 1)
          if (terms.overtime && sum >= 42 * 60) {
            extra++
            rate = 0
          }
        }
        if (rate) count[rate] = (count[rate] ?? 0) + 1
        done++
      }
      // Above the week's hours: the first two hours of overtime of the day at 125, whatever of them the day
      // used already.
      const room = Math.max(0, 120 - (count[125] ?? 0))
      count[125] = (count[125] ?? 0) + Math.min(room, extra)
      count[150] = (count[150] ?? 0) + Math.max(0, extra - room)
      for (const [rate, n] of Object.entries(count)) if (n) all[Number(rate)] = (all[Number(rate)] ?? 0) + n
    }
    return all
  }

  const seeded = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }

  test.each(
    Array.from(
      { length: Number(process.env.WORKERS_TRIED ?? 6) },
      (_, n) => n + Number(process.env.SEED ?? 1),
    ),
  )('worker %i', (seed) => {
    const random = seeded(seed * 7919)
    const terms: WorkTerms = {
      from: '2000-01-01',
      days: random() < 0.5 ? 5 : 6,
      shortDay: Math.floor(random() * 6),
      restDay: ([6, 5, 0] as const)[Math.floor(random() * 3)]!,
      dayMinutes: random() < 0.3 ? 420 + Math.floor(random() * 60) : null,
      overtime: random() < 0.9,
    }
    const stretches: Stretch[] = []
    const begin = Date.UTC(2026, 0, 1)
    let at = begin
    while (at < begin + 365 * 86_400_000) {
      // Shifts of all hours, seconds included; some begin a minute after the last, some a day later.
      at += Math.floor(random() * 22 * 3_600_000) + 60_000
      const end = at + Math.floor((0.2 + random() * 13) * 3_600_000)
      stretches.push({ start: at, end })
      at = end
    }
    expect(sumRates(hoursOf(stretches, [terms]))).toEqual(naive(stretches, terms))
  })
})

describe('a minor', () => {
  const sunday = '2026-11-15'
  const born = '2010-11-16'
  const of = (stretches: Stretch[], terms: Partial<WorkTerms> = {}) => one(stretches, { born, ...terms })

  test.each<[string, Stretch[], Partial<WorkTerms>, Record<number, number>, string, number]>([
    ['eight hours are his day', [shift(sunday, 8, 8)], {}, { 100: 480 }, 'minor', 0],
    [
      'what is above them is no overtime, and is told',
      [shift(sunday, 8, 11)],
      {},
      { 100: 660 },
      'minor',
      180,
    ],
    [
      'agreed to less: what the law forbids begins above its own',
      [shift(sunday, 8, 9)],
      { dayMinutes: 360 },
      { 100: 540 },
      'agreed',
      60,
    ],
    ['the eve of the rest day: seven', [shift('2026-11-20', 7, 8)], { days: 6 }, { 100: 480 }, 'restEve', 60],
  ])('%s', (_, stretches, terms, byRate, rule, above) =>
    expect(of(stretches, terms)[0]).toMatchObject({ byRate, rule, above }),
  )

  test('above forty hours of a week the day says so', () => {
    const days = ['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']
    const worked = of(
      days.map((day) => shift(day, 8, 7)),
      { days: 6 },
    )
    expect(worked.map(({ above, rule }) => [above, rule])).toEqual([
      ...Array.from({ length: 5 }, () => [0, 'minor']),
      [120, 'week'],
    ])
    expect(sumRates(worked)).toEqual({ 100: 42 * 60 })
  })

  test('is one until the day he is eighteen', () => {
    expect([
      isMinorOn({ born }, '2028-11-15'),
      isMinorOn({ born }, '2028-11-16'),
      isMinorOn({ born: null }, sunday),
      isMinorOn({}, sunday),
    ]).toEqual([true, false, false, false])
    const grown = one([shift('2028-11-16', 8, 11)], { born })[0]!
    expect([grown.byRate, grown.above]).toEqual([{ 100: 456, 125: 120, 150: 84 }, undefined])
  })
})
