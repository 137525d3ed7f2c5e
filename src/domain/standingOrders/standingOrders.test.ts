import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, endOfMonth, monthsBetween, weekday, type Day } from '../day.ts'
import { isBankDay, shifted, shifts } from '../bankDays.ts'
import { stepsFor, usualCampaign } from './campaign.ts'
import { chained, knownIndex } from './indices.ts'
import { forbids, noticesOf } from './notices.ts'
import { linkedPrice, monthlyOf, partPrice, ratioOf, reductionOf } from './price.ts'
import { movements, overProducts, revenueByMonth, revenueByProduct, type Earning } from './recurring.ts'
import { endOf, turnsOf, units, type Plan, type Turn } from './schedule.ts'
import { fillWords } from './words.ts'

const usual: Plan = {
  start: '2026-01-10',
  every: 1,
  unit: 'month',
  billingDay: 0,
  shift: 'none',
  chargeToday: true,
  prorate: false,
  arrears: false,
  trialDays: 0,
  until: null,
  times: null,
}
const first = (count: number, plan: Partial<Plan>): Turn[] => {
  const found: Turn[] = []
  for (const turn of turnsOf({ ...usual, ...plan })) {
    if (found.length >= count) break
    found.push(turn)
  }
  return found
}
const days = (count: number, plan: Partial<Plan>) => first(count, plan).map(({ day }) => day)

describe('the days of a standing order', () => {
  test('count from the first day and never from the last run: the 31st comes back after a short month', () => {
    expect(days(5, { start: '2026-01-31' })).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
    expect(days(3, { start: '2027-12-30' })).toEqual(['2027-12-30', '2028-01-30', '2028-02-29'])
    expect(days(3, { start: '2026-01-31', every: 1, unit: 'year', billingDay: 31 })).toEqual([
      '2026-01-31',
      '2027-01-31',
      '2028-01-31',
    ])
    expect(days(3, { start: '2028-02-29', unit: 'year' })).toEqual(['2028-02-29', '2029-02-28', '2030-02-28'])
    expect(days(3, { start: '2026-03-27', unit: 'week', every: 2 })).toEqual([
      '2026-03-27',
      '2026-04-10',
      '2026-04-24',
    ])
  })
  test('a billing day: the days before it are free, a whole charge at once, or a part', () => {
    expect(days(2, { billingDay: 1, chargeToday: false })).toEqual(['2026-02-01', '2026-03-01'])
    expect(
      first(2, { billingDay: 1, chargeToday: true }).map(({ from, to, part }) => ({ from, to, part })),
    ).toEqual([
      { from: '2026-01-10', to: '2026-01-31', part: null },
      { from: '2026-02-01', to: '2026-02-28', part: null },
    ])
    expect(
      first(2, { billingDay: 1, prorate: true }).map(({ from, day, part }) => ({ from, day, part })),
    ).toEqual([
      { from: '2026-01-10', day: '2026-01-10', part: { days: 22, of: 31 } },
      { from: '2026-02-01', day: '2026-02-01', part: null },
    ])
    // A quarter paid on the first day is not paid for again a few weeks later.
    expect(days(2, { billingDay: 1, every: 3 })).toEqual(['2026-01-10', '2026-04-01'])
  })
  test('an end: by its day, in part where parts cost their part, or by the number of charges', () => {
    expect(first(9, { start: '2026-01-01', until: '2026-02-14', prorate: true }).at(-1)).toMatchObject({
      from: '2026-02-01',
      to: '2026-02-14',
      part: { days: 14, of: 28 },
    })
    expect(days(99, { times: 3 })).toEqual(['2026-01-10', '2026-02-10', '2026-03-10'])
    expect(endOf({ ...usual, times: 3 })).toBe('2026-04-09')
    expect(days(9, { trialDays: 14, times: 1 })).toEqual(['2026-01-24'])
    expect(days(2, { arrears: true })).toEqual(['2026-02-10', '2026-03-10'])
  })
  test('banks rest: on Friday, Saturday and the days of the order', () => {
    // New Year 5787 (12 and 13 September 2026), Day of Atonement and its eve, Tabernacles, its eighth day.
    for (const day of ['2026-09-12', '2026-09-13', '2026-09-20', '2026-09-21', '2026-09-26', '2026-10-03'])
      expect(isBankDay(day)).toBe(false)
    // Passover 5786, Independence Day (5 Iyar is a Wednesday), Pentecost, the Ninth of Av, Purim 5786.
    for (const day of ['2026-04-02', '2026-04-08', '2026-04-22', '2026-05-22', '2026-07-23', '2026-03-03'])
      expect(isBankDay(day)).toBe(false)
    // Of 5785: 5 Iyar was a Saturday and was kept on Thursday; the Ninth of Av, a Saturday and then a Sunday.
    expect(['2025-05-01', '2025-08-03', '2025-05-05'].map(isBankDay)).toEqual([false, false, true])
    // Of 5784, a leap year: 5 Iyar was a Monday and was kept on Tuesday; Purim in the second Adar.
    expect(['2024-05-13', '2024-05-14', '2024-03-24', '2024-02-25'].map(isBankDay)).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(shifted('2026-09-12', 'next')).toBe('2026-09-14')
    expect(shifted('2026-09-12', 'previous')).toBe('2026-09-10')
  })

  test('are those of a naive walk over days', () => {
    const plan = fc.record({
      start: fc.integer({ min: 0, max: 1500 }).map((n) => addDays('2024-01-01', n)),
      every: fc.integer({ min: 1, max: 4 }),
      unit: fc.constantFrom(...units),
      billingDay: fc.constantFrom(0, 1, 10, 15, 28, 31),
      shift: fc.constantFrom(...shifts),
      chargeToday: fc.boolean(),
      prorate: fc.boolean(),
      arrears: fc.boolean(),
      trialDays: fc.constantFrom(0, 0, 7, 30),
      until: fc.option(fc.integer({ min: 0, max: 1200 }), { nil: null }),
      times: fc.option(fc.integer({ min: 1, max: 40 }), { nil: null }),
    })
    fc.assert(
      fc.property(plan, ({ until, ...rest }) => {
        const one: Plan = { ...rest, until: until === null ? null : addDays(rest.start, until) }
        const last = addMonths(one.start, 36)
        const found: Turn[] = []
        for (const turn of turnsOf(one)) {
          if (turn.from > last) break
          found.push(turn)
        }
        expect(found).toEqual(naive(one, last))
        // No day is charged twice and none inside is left out.
        for (const [i, turn] of found.entries())
          if (i > 0) expect(turn.from).toBe(addDays(found[i - 1]!.to, 1))
      }),
      { numRuns: 400 },
    )
  })
})

/** Checks every day separately whether something begins on it. */
function naive(plan: Plan, last: Day): Turn[] {
  const zero = addDays(plan.start, plan.trialDays)
  const isMonthly = plan.unit === 'month' || plan.unit === 'year'
  const months = plan.every * (plan.unit === 'year' ? 12 : 1)
  const isBillingDay = (day: Day) =>
    plan.billingDay === 31 ? day === endOfMonth(day) : Number(day.slice(8)) === plan.billingDay
  const begins: { day: Day; part: boolean; charged: Day }[] = []
  let anchor: Day | undefined
  // A whole period that was paid on the first day hides the billing days inside it.
  let free: Day | undefined
  for (let day = zero; day <= addMonths(last, 2 * months + 2); day = addDays(day, 1)) {
    if (!isMonthly) {
      if (daysBetween(zero, day) % (plan.every * (plan.unit === 'week' ? 7 : 1)) === 0)
        begins.push({ day, part: false, charged: day })
    } else if (plan.billingDay === 0) {
      const wanted = Math.min(Number(zero.slice(8)), Number(endOfMonth(day).slice(8)))
      if (Number(day.slice(8)) === wanted && monthsBetween(zero, day) % months === 0)
        begins.push({ day, part: false, charged: day })
    } else if (isBillingDay(day)) {
      if (free !== undefined && day < free) continue
      anchor ??= day
      if (monthsBetween(anchor, day) % months === 0) begins.push({ day, part: false, charged: day })
    } else if (day === zero) {
      let next = day
      while (!isBillingDay(next)) next = addDays(next, 1)
      if (plan.prorate) begins.push({ day, part: true, charged: plan.chargeToday ? day : next })
      else if (plan.chargeToday) {
        begins.push({ day, part: false, charged: day })
        let end = addMonths(day, months)
        while (!isBillingDay(end)) end = addDays(end, -1)
        free = end
      }
    }
  }
  const turns: Turn[] = []
  for (const [i, { day, part, charged }] of begins.entries()) {
    if (day > last || (plan.until !== null && day > plan.until) || (plan.times !== null && i >= plan.times))
      break
    const next = begins[i + 1]!.day
    const whole = addDays(next, -1)
    const to = plan.until !== null && plan.until < whole ? plan.until : whole
    const of = daysBetween(part ? addMonths(next, -months) : day, next)
    const length = daysBetween(day, to) + 1
    let on = plan.arrears ? addDays(to, 1) : charged
    while (plan.shift !== 'none' && !isBankDay(on)) on = addDays(on, plan.shift === 'next' ? 1 : -1)
    turns.push({
      no: i + 1,
      from: day,
      to,
      day: on,
      part: plan.prorate && (part || to < whole) && length < of ? { days: length, of } : null,
    })
  }
  return turns
}

describe('the sums', () => {
  test('follow an index to the agora, up and, only where the deal says so, down', () => {
    const base = { value: '103.5', of: '2026-01-01' }
    const ratio = ratioOf({ base, falls: false }, { value: '105.2', of: '2026-09-01' })
    expect(linkedPrice('350', ratio)).toBe('355.75')
    expect(linkedPrice('350', ratioOf({ base, falls: false }, { value: '101', of: '2026-09-01' }))).toBe(
      '350',
    )
    expect(linkedPrice('350', ratioOf({ base, falls: true }, { value: '101', of: '2026-09-01' }))).toBe(
      '341.55',
    )
  })
  test('of a linked price lie within half an agora of the exact product', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 50_000, max: 200_000 }),
        (agorot, known) => {
          const ratio = ratioOf(
            { base: { value: '100', of: '2026-01-01' }, falls: true },
            { value: String(known / 1000), of: '2026-02-01' },
          )
          const got = Math.round(Number(linkedPrice(String(agorot / 100), ratio)) * 100)
          expect(Math.abs(got - (agorot * known) / 100_000)).toBeLessThanOrEqual(0.5 + 1e-6)
        },
      ),
      { numRuns: 200 },
    )
  })
  test('the index that is known is the last published one, and a new base is linked to the old', () => {
    const indices = [
      { month: '2026-09-01', value: '105.2', coefficient: '1' },
      { month: '2026-10-01', value: '100.4', coefficient: '1.0532' },
    ]
    expect(knownIndex(indices, '2026-11-14')).toEqual({ value: '105.2', of: '2026-09-01' })
    expect(knownIndex(indices, '2026-11-15')).toEqual({ value: '105.74128', of: '2026-10-01' })
    expect(knownIndex(indices, '2026-10-14')).toBeUndefined()
    expect(chained({ value: '100', coefficient: '1' })).toBe('100')
  })
  test('a part of a period costs its part, the first charge its own price, the next ones less', () => {
    expect(partPrice('350', { days: 22, of: 31 })).toBe('248.39')
    const benefit = { firstPriceAgorot: 19_900, discountBp: 1000, discountTurns: 3 }
    expect(reductionOf({ no: 1 }, benefit, 35_000)).toEqual({ kind: 'first', discount: { agorot: 15_100 } })
    expect(reductionOf({ no: 2 }, benefit, 35_000)).toEqual({
      kind: 'discount',
      discount: { basisPoints: 1000 },
    })
    expect(reductionOf({ no: 4 }, benefit, 35_000)).toBeUndefined()
  })
  test('are worth their part of a year in a month', () => {
    expect([
      monthlyOf(120_000, 1, 'year'),
      monthlyOf(30_000, 3, 'month'),
      monthlyOf(3_000, 1, 'week'),
      monthlyOf(1_200, 2, 'day'),
    ]).toEqual([10_000, 10_000, 13_000, 18_250])
  })
})

describe('the words of a line', () => {
  const turn = { no: 3, from: '2026-10-01', to: '2026-10-31', of: 12 }
  test.each([
    ['Lessons {month} {year}', 'Lessons October 2026', 'en'],
    ['Rent {from}-{to}', 'Rent 01/10/2026-31/10/2026', 'en'],
    ['Rent {from-to}', 'Rent 01/10/2026-31/10/2026', 'en'],
    ['Payment {n of m}', 'Payment 3 of 12', 'en'],
    ['מנוי {חודש} {שנה}', 'מנוי אוקטובר 2026', 'he'],
    ['تشرين {n}/{m}', 'تشرين 3/12', 'ar'],
    ['Keeps {this} as it is', 'Keeps {this} as it is', 'en'],
  ] as const)('%s', (text, said, language) => expect(fillWords(text, turn, language)).toBe(said))
  test('without an end there is no number of all', () =>
    expect(fillWords('Payment {n of m}', { ...turn, of: null }, 'en')).toBe('Payment 3'))
})

describe('what a consumer is told', () => {
  const deal = {
    party: 'consumer' as const,
    start: '2026-01-01',
    end: '2026-12-31',
    benefitUntil: '2026-03-31',
    raises: ['2026-07-01'],
  }
  test('the end, lower prices that end and a raise, each between sixty and thirty days before', () => {
    expect(noticesOf(deal)).toEqual([
      { kind: 'benefit', forDay: '2026-03-31', from: '2026-01-30', to: '2026-03-01' },
      { kind: 'raise', forDay: '2026-07-01', from: '2026-05-02', to: '2026-06-01' },
      { kind: 'end', forDay: '2026-12-31', from: '2026-11-01', to: '2026-12-01' },
      { kind: 'endShort', forDay: '2026-12-31', from: '2026-12-07', to: '2026-12-10' },
    ])
  })
  test('a business nothing; of a short benefit at its beginning', () => {
    expect(noticesOf({ ...deal, party: 'business' })).toEqual([])
    expect(noticesOf({ ...deal, end: null, raises: [], benefitUntil: '2026-01-14' })).toEqual([
      { kind: 'benefit', forDay: '2026-01-14', from: '2026-01-01', to: '2026-01-04' },
    ])
  })
  test('a window never ends before it begins, and the last day lies before the day it tells of', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 400 }),
        (start, end, benefit) => {
          const began = addDays('2026-01-01', start)
          for (const one of noticesOf({
            party: 'consumer',
            start: began,
            end: addDays(began, end),
            benefitUntil: addDays(began, Math.min(benefit, end - 1)),
            raises: [addDays(began, benefit)],
          })) {
            expect(one.from <= one.to).toBe(true)
            expect(one.from >= began).toBe(true)
            if (daysBetween(began, one.forDay) > 1) expect(one.to < one.forDay).toBe(true)
          }
        },
      ),
    )
  })
  test('forbids the higher price alone', () => {
    expect(forbids({ kind: 'benefit', forDay: '2026-03-31' }, '2026-04-01')).toBe(true)
    expect(forbids({ kind: 'benefit', forDay: '2026-03-31' }, '2026-03-31')).toBe(false)
    expect(forbids({ kind: 'raise', forDay: '2026-07-01' }, '2026-07-01')).toBe(true)
    expect(forbids({ kind: 'end', forDay: '2026-07-01' }, '2026-08-01')).toBe(false)
  })
})

describe('what failed', () => {
  test('a letter goes out on the day of the first failure, whatever the kind, and the campaign has an end', () => {
    for (const kind of ['soft', 'hard'] as const) {
      const steps = stepsFor(usualCampaign, kind, '2026-11-01')
      expect(steps[0]).toMatchObject({ deed: 'mail', day: '2026-11-01' })
      expect(['pause', 'cancel', 'leaveOpen']).toContain(steps.at(-1)!.deed)
    }
    expect(stepsFor(usualCampaign, 'hard', '2026-11-01').some(({ deed }) => deed === 'retry')).toBe(false)
  })
})

describe('recurring revenue', () => {
  const one = (orderId: string, from: Day, to: Day, monthlyAgorot: number): Earning => ({
    orderId,
    customerId: 'c',
    from,
    to,
    monthlyAgorot,
  })
  test('is told by what came, grew, shrank, went and came back', () => {
    const months = revenueByMonth(
      [
        one('a', '2026-01-01', '2026-01-31', 100),
        one('a', '2026-02-01', '2026-02-28', 120),
        one('a', '2026-04-01', '2026-04-30', 120),
        one('b', '2026-02-15', '2026-04-14', 50),
      ],
      '2026-01-01',
      '2026-04-30',
      '2026-12-31',
    )
    expect(
      months.map(({ start, end, changes }) => [
        start,
        end,
        changes.map(({ kind, agorot }) => `${kind} ${agorot}`),
      ]),
    ).toEqual([
      [0, 100, ['new 100']],
      [100, 170, ['up 20', 'new 50']],
      [170, 50, ['lost -120']],
      [50, 120, ['lost -50', 'back 120']],
    ])
  })
  test('a sum over products is the sum, to the agora', () => {
    const of = (agorot: number, weights: number[]) => [
      ...overProducts(
        agorot,
        weights.map((weight, i) => ({ product: 'abc'[i]!, weight })),
      ),
    ]
    expect(of(100, [1, 1, 1])).toEqual([
      ['a', 34],
      ['b', 33],
      ['c', 33],
    ])
    // A line that takes off, and lines that come to nothing.
    expect(of(900, [1000, -100])).toEqual([
      ['a', 1000],
      ['b', -100],
    ])
    expect(of(7, [0, 0])).toEqual([
      ['a', 4],
      ['b', 3],
    ])
    expect([
      ...overProducts(90, [
        { product: 'a', weight: 1 },
        { product: 'b', weight: 1 },
        { product: 'a', weight: 1 },
      ]),
    ]).toEqual([
      ['a', 60],
      ['b', 30],
    ])
  })
  test('by product: who comes or goes brings or takes them all, who stays moves each', () => {
    const of = (from: Day, to: Day, a: number, b: number, orderId = 'o') => ({
      ...one(orderId, from, to, a + b),
      shares: [
        { product: 'a', weight: a },
        { product: 'b', weight: b },
      ],
    })
    const rows = revenueByProduct(
      [
        of('2026-01-01', '2026-01-31', 100, 20),
        // The one took the place of the other: the order is worth what it was.
        of('2026-02-01', '2026-02-28', 50, 70),
        of('2026-04-01', '2026-04-30', 50, 70),
        of('2026-02-01', '2026-03-31', 10, 0, 'p'),
      ],
      '2026-01-01',
      '2026-04-30',
      '2026-12-31',
    )
    expect(
      [...rows].map(([product, { start, end, changes, orders }]) => [
        product,
        start,
        Object.values(changes),
        end,
        orders.size,
      ]),
    ).toEqual([
      // new, back, up, down, lost
      ['a', 0, [110, 50, 0, -50, -60], 50, 2],
      ['b', 0, [20, 70, 50, 0, -70], 70, 1],
    ])
  })
  test('always adds up', () => {
    const earning = fc.record({
      orderId: fc.constantFrom('a', 'b', 'c'),
      day: fc.integer({ min: 0, max: 500 }),
      length: fc.integer({ min: 1, max: 90 }),
      monthlyAgorot: fc.integer({ min: 0, max: 1000 }),
    })
    fc.assert(
      fc.property(fc.array(earning, { maxLength: 30 }), (list) => {
        const earnings = list.map(({ day, length, ...rest }) => ({
          ...rest,
          customerId: 'c',
          from: addDays('2026-01-01', day),
          to: addDays('2026-01-01', day + length),
        }))
        const months = revenueByMonth(earnings, '2026-01-01', '2027-06-30', '2027-03-10')
        months.forEach(({ start, end, changes }, i) => {
          expect(start + changes.reduce((all, { agorot }) => all + agorot, 0)).toBe(end)
          if (i > 0) expect(start).toBe(months[i - 1]!.end)
        })
        // Product by product too, and all of them together are what the months are.
        const rows = [
          ...revenueByProduct(
            earnings.map((each, i) => ({
              ...each,
              shares: [
                { product: 'x', weight: i % 3 },
                { product: `y${i % 2}`, weight: 7 },
              ],
            })),
            '2026-01-01',
            '2027-06-30',
            '2027-03-10',
          ).values(),
        ]
        for (const { start, end, changes } of rows)
          expect(start + movements.reduce((all, kind) => all + changes[kind], 0)).toBe(end)
        const all = (pick: (row: (typeof rows)[number]) => number) =>
          rows.reduce((total, row) => total + pick(row), 0)
        const inMonths = (...kinds: string[]) =>
          months
            .flatMap(({ changes }) => changes)
            .reduce((total, { kind, agorot }) => total + (kinds.includes(kind) ? agorot : 0), 0)
        expect([all(({ start }) => start), all(({ end }) => end)]).toEqual([
          months[0]!.start,
          months.at(-1)!.end,
        ])
        for (const kind of ['new', 'back', 'lost'] as const)
          expect(all(({ changes }) => changes[kind])).toBe(inMonths(kind))
        expect(all(({ changes }) => changes.up + changes.down)).toBe(inMonths('up', 'down'))
      }),
    )
  })
})

test('a week has two days without banks', () => {
  let open = 0
  for (let day = '2026-06-07'; day < '2026-06-14'; day = addDays(day, 1)) if (isBankDay(day)) open++
  expect(open).toBe(5)
  expect(weekday('2026-06-07')).toBe(0)
})
