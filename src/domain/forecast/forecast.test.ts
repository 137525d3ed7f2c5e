import { describe, expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, endOfMonth, startOfMonth, type Day } from '../day.ts'
import {
  biggestDebtors,
  calm,
  forecastDays,
  lessCredits,
  lineOf,
  monthlyDuty,
  onDay,
  movementsOf,
  salesAhead,
  tellingOf,
  type CashFacts,
  type Debt,
  type Movement,
} from './cash.ts'
import { expectedOn, median } from './habit.ts'
import { comingBills, nextByCycle, plannedDays, recognise, type PastBill } from './recurring.ts'

const today = '2026-11-24'

test.each([
  [[], undefined],
  [[7], 7],
  [[9, 1, 5], 5],
  // Of two in the middle the earlier: a day somebody really took.
  [[10, 2, 4, 8], 4],
  [[-3, 0, 0, 40], 0],
])('the middle of %j is %s', (values, expected) => {
  expect(median(values)).toBe(expected)
})

describe('the day a debt is paid', () => {
  const own = { lateDays: 10, papers: 3 }
  const all = { lateDays: 4, papers: 50 }
  test.each([
    ['his own habit', '2026-12-01', own, all, '2026-12-11', 'customer', 10],
    [
      'too few papers of his own',
      '2026-12-01',
      { lateDays: 10, papers: 2 },
      all,
      '2026-12-05',
      'business',
      4,
    ],
    ['no habit at all', '2026-12-01', undefined, { lateDays: 4, papers: 2 }, '2026-12-01', 'terms', 0],
    ['early payers', '2026-12-10', { lateDays: -5, papers: 9 }, all, '2026-12-05', 'customer', -5],
    ['should have come today', '2026-11-14', own, all, '2026-12-01', 'customer', 10],
    ['half a year ago to the day', addDays(today, -190), own, all, '2026-12-01', 'customer', 10],
    ['longer than half a year ago', addDays(today, -191), own, all, null, 'customer', 10],
  ] as const)('%s', (_, due, mine, everybody, day, by, lateDays) => {
    expect(expectedOn(due, mine, everybody, today)).toEqual({ day, by, lateDays })
  })
})

describe('bills that come back', () => {
  const bill = (day: Day, agorot = 1_000_00, more: Partial<PastBill> = {}): PastBill => ({
    supplierId: 's',
    typeId: 't',
    day,
    agorot,
    vatAgorot: 152_54,
    paidAfter: 30,
    ...more,
  })
  const every = (count: number, step: (n: number) => Day, agorot?: number) =>
    Array.from({ length: count }, (_, n) => bill(step(n), agorot))

  test.each([
    ['every month', every(6, (n) => addMonths('2026-11-05', -n)), ['monthly']],
    [
      'every month, a day or two off',
      [bill('2026-11-03'), bill('2026-10-06'), bill('2026-09-02'), bill('2026-08-05')],
      ['monthly'],
    ],
    [
      'every month but one',
      [bill('2026-11-05'), bill('2026-10-05'), bill('2026-08-05'), bill('2026-07-05')],
      ['monthly'],
    ],
    ['every week', every(5, (n) => addDays('2026-11-20', -7 * n)), ['weekly']],
    ['every two months', every(4, (n) => addMonths('2026-10-10', -2 * n)), ['twoMonthly']],
    ['every quarter', every(4, (n) => addMonths('2026-10-10', -3 * n)), ['quarterly']],
    ['twice only', every(2, (n) => addMonths('2026-11-05', -n)), []],
    ['long over', every(6, (n) => addMonths('2026-08-05', -n)), []],
    ['no rhythm', [bill('2026-11-05'), bill('2026-10-20'), bill('2026-07-01'), bill('2026-06-28')], []],
    [
      'two missing',
      [bill('2026-11-05'), bill('2026-09-05'), bill('2026-07-05'), bill('2026-06-05'), bill('2026-05-05')],
      [],
    ],
    ['sums apart', [bill('2026-11-05', 100_00), bill('2026-10-05', 150_00), bill('2026-09-05', 300_00)], []],
    [
      'two contracts of one supplier',
      [
        ...every(4, (n) => addMonths('2026-11-05', -n), 120_00),
        ...every(4, (n) => addMonths('2026-11-12', -n), 300_00),
      ],
      ['monthly', 'monthly'],
    ],
    [
      'a supplier’s credit is no bill',
      [...every(3, (n) => addMonths('2026-11-05', -n)), bill('2026-11-06', -1_000_00)],
      ['monthly'],
    ],
  ] as [string, PastBill[], string[]][])('%s', (_, bills, expected) => {
    expect(recognise(bills, today).map(({ rhythm }) => rhythm)).toEqual(expected)
  })

  test('the sum is that of the newest, the key stays what it was when a bill more has come', () => {
    const bills = [
      bill('2026-11-05', 1_100_00),
      bill('2026-10-05', 1_050_00),
      bill('2026-09-05', 1_040_00),
      bill('2026-08-05', 1_000_00),
    ]
    const [now] = recognise(bills, today)
    expect(now).toMatchObject({
      key: 's:t:monthly',
      agorot: 1_050_00,
      lastDay: '2026-11-05',
      bills: 4,
      paidAfter: 30,
    })
    expect(recognise([...bills, bill('2026-12-04', 1_080_00)], '2026-12-05')[0]!.key).toBe(now!.key)
  })

  test('they go on in their rhythm; one that should have come already comes tomorrow, once', () => {
    expect(comingBills({ rhythm: 'monthly', lastDay: '2026-10-31' }, today, '2027-02-22')).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
    ])
    expect(comingBills({ rhythm: 'monthly', lastDay: '2026-10-10' }, today, '2027-01-09')).toEqual([
      '2026-11-25',
      '2026-12-10',
    ])
    expect(comingBills({ rhythm: 'weekly', lastDay: '2026-11-01' }, today, '2026-12-01')).toEqual([
      '2026-11-25',
      '2026-11-29',
    ])
    expect(nextByCycle('quarterly', '2026-12-15', today, '2027-04-01')).toEqual(['2026-12-15', '2027-03-15'])
    expect(nextByCycle('yearly', '2026-11-01', today, '2027-01-01')).toEqual(['2026-11-25'])
  })
})

test.each([
  [{ cycle: 'once', firstDay: '2026-12-01', lastDay: null }, ['2026-12-01']],
  [{ cycle: 'once', firstDay: '2026-11-20', lastDay: null }, []],
  [{ cycle: 'monthly', firstDay: '2026-08-31', lastDay: null }, ['2026-11-30', '2026-12-31', '2027-01-31']],
  [{ cycle: 'monthly', firstDay: '2026-08-09', lastDay: '2026-12-31' }, ['2026-12-09']],
  [
    { cycle: 'weekly', firstDay: '2026-12-03', lastDay: '2026-12-17' },
    ['2026-12-03', '2026-12-10', '2026-12-17'],
  ],
  [{ cycle: 'twoMonthly', firstDay: '2026-10-01', lastDay: null }, ['2026-12-01', '2027-02-01']],
  [{ cycle: 'yearly', firstDay: '2020-02-29', lastDay: null }, []],
] as const)('%j moves on %j', (sum, expected) => {
  expect(plannedDays(sum, '2026-11-25', '2027-02-22')).toEqual(expected)
})

test.each([
  // Owed of last month until the fifteenth, which has passed; of this month next month.
  [
    1_000,
    400,
    today,
    15,
    [
      ['2026-11-25', 600],
      ['2026-12-15', 400],
    ],
  ],
  [
    1_000,
    400,
    '2026-11-10',
    15,
    [
      ['2026-11-15', 600],
      ['2026-12-15', 400],
    ],
  ],
  [300, 400, today, 15, [['2026-12-15', 300]]],
  [-50, 400, today, 15, []],
  [1_000, 0, '2026-11-02', 9, [['2026-11-09', 1_000]]],
] as const)(
  '%i owed, %i of it of this month, on %s by the %ith',
  (owed, ofMonth, on, dayOfMonth, expected) => {
    expect(monthlyDuty(owed, ofMonth, on, onDay(dayOfMonth)).map(({ day, agorot }) => [day, agorot])).toEqual(
      expected,
    )
  },
)

const debt = (customerId: string, due: Day, agorot: number, more: Partial<Debt> = {}): Debt => ({
  customerId,
  customer: customerId,
  what: 'חשבונית 1',
  kind: 'debt',
  due,
  agorot,
  open: '/invoice/preview/1',
  debitOn: null,
  byMandate: false,
  ...more,
})
const facts = (more: Partial<CashFacts> = {}): CashFacts => ({
  today,
  openingAgorot: 100_00,
  debts: [],
  habits: new Map(),
  habitOfAll: undefined,
  sales: undefined,
  bills: [],
  vat: [],
  advances: [],
  known: [],
  ...more,
})
const told = ({ movements }: { movements: Movement[] }) =>
  movements.map(({ day, agorot, kind }) => [day, agorot, kind])

describe('debts', () => {
  test('money on account is taken off what falls due first, of the same customer alone', () => {
    expect(
      lessCredits([
        debt('a', '2026-12-10', 500),
        debt('a', '2026-12-01', 300),
        debt('a', '2026-11-01', -400),
        debt('b', '2026-12-01', 70),
      ]).map(({ customerId, due, agorot }) => [customerId, due, agorot]),
    ).toEqual([
      ['b', '2026-12-01', 70],
      ['a', '2026-12-10', 400],
    ])
    // What was only asked for stays asked.
    expect(
      lessCredits([debt('a', '2026-12-01', 300, { kind: 'asked' }), debt('a', '2026-11-01', -400)]),
    ).toMatchObject([{ agorot: 300 }])
  })

  test('a debit at the bank and a mandate go before habits; what is too old is told and not counted', () => {
    const answer = movementsOf(
      facts({
        habitOfAll: { lateDays: 20, papers: 9 },
        debts: [
          debt('a', '2026-12-01', 100),
          debt('b', '2026-12-01', 200, { byMandate: true }),
          debt('c', '2026-12-01', 300, { debitOn: '2026-12-05' }),
          debt('d', '2026-01-01', 400),
          debt('e', '2027-06-01', 500),
        ],
      }),
    )
    expect(told(answer)).toEqual([
      ['2026-12-01', 200, 'debt'],
      ['2026-12-05', 300, 'debit'],
      ['2026-12-21', 100, 'debt'],
    ])
    expect(answer.doubtfulAgorot).toBe(400)
  })

  test('under stress the biggest debtors pay later, all their papers, and nobody else does', () => {
    const debts = [
      debt('a', '2026-12-01', 300),
      debt('a', '2026-12-02', 300),
      debt('b', '2026-12-01', 500),
      debt('c', '2026-12-01', 100),
    ]
    expect([...biggestDebtors(debts, 2)]).toEqual(['a', 'b'])
    expect(told(movementsOf(facts({ debts }), { biggest: 1, laterDays: 30, noNewIncome: false }))).toEqual([
      ['2026-12-01', 500, 'debt'],
      ['2026-12-01', 100, 'debt'],
      ['2026-12-31', 300, 'debt'],
      ['2027-01-01', 300, 'debt'],
    ])
  })
})

describe('sales to come', () => {
  const sales = { monthlyAgorot: 300_00, vatBp: 1_525, atOnceBp: 2_000, delayDays: 45 }
  test('three stretches a month; of the running one what is left of it', () => {
    expect(salesAhead(sales, today, '2026-12-31').map(({ day, agorot }) => [day, agorot])).toEqual([
      // Six of ten days.
      ['2026-11-30', 60_00],
      ['2026-12-10', 100_00],
      ['2026-12-20', 100_00],
      ['2026-12-31', 100_00],
    ])
  })

  test('part is paid at once, the rest after the usual delay; without new income neither it nor its taxes are there', () => {
    const period = { from: '2026-11-01', to: '2026-12-31', payDay: '2027-01-15', what: '', open: '' }
    const of = facts({
      sales,
      vat: [{ ...period, soFarAgorot: 50_00 }],
      advances: [{ ...period, turnoverAgorot: 1_000_00, withheldAgorot: 5_00, rateBp: 300 }],
    })
    const answer = movementsOf(of)
    expect(told(answer).filter(([day]) => day! <= '2026-12-10')).toEqual([
      ['2026-11-30', 12_00, 'newIncome'],
      ['2026-12-10', 20_00, 'newIncome'],
    ])
    expect(told(answer)).toContainEqual(['2027-01-14', 48_00, 'newIncome'])
    // VAT of 360.00 to come is 15.25% of each slice: 9.15 + 3 × 15.25.
    expect(answer.movements.find(({ kind }) => kind === 'vat')).toMatchObject({
      day: '2027-01-15',
      agorot: -(50_00 + 9_15 + 45_75),
    })
    // 3% of 1,000.00 and of 360.00 less 54.90, less 5.00 that was withheld.
    expect(answer.movements.find(({ kind }) => kind === 'advance')).toMatchObject({ agorot: -(39_15 - 5_00) })
    expect(told(movementsOf(of, { ...calm, noNewIncome: true }))).toEqual([
      ['2027-01-15', -25_00, 'advance'],
      ['2027-01-15', -50_00, 'vat'],
    ])
  })

  test('bills to come take their VAT off; a refund is not counted on', () => {
    const vat = [
      { from: '2026-11-01', to: '2026-12-31', payDay: '2027-01-15', soFarAgorot: 50_00, what: '', open: '' },
    ]
    const bill = (vatAgorot: number) => ({
      kind: 'recurring' as const,
      who: 'x',
      what: '',
      open: null,
      agorot: 118_00,
      vatAgorot,
      days: [{ billed: '2026-12-01', paid: '2026-12-31' }],
    })
    expect(told(movementsOf(facts({ vat, bills: [bill(18_00)] })))).toEqual([
      ['2026-12-31', -118_00, 'recurring'],
      ['2027-01-15', -32_00, 'vat'],
    ])
    expect(told(movementsOf(facts({ vat, bills: [bill(80_00)] })))).toEqual([
      ['2026-12-31', -118_00, 'recurring'],
    ])
  })
})

describe('the line', () => {
  const move = (day: Day, agorot: number): Movement => ({
    day,
    agorot,
    kind: 'typed',
    who: '',
    what: '',
    open: null,
  })

  test('says its lowest point, and when it falls below nothing and below a floor', () => {
    const points = lineOf(today, 100_00, [
      move('2026-12-01', -60_00),
      move('2026-12-05', -50_00),
      move('2026-12-05', 5_00),
      move('2026-12-20', 90_00),
    ])
    expect(points).toHaveLength(forecastDays + 1)
    expect(tellingOf(points, 50_00)).toEqual({
      lowest: { day: '2026-12-05', agorot: -5_00, inAgorot: 5_00, outAgorot: 50_00 },
      belowZero: '2026-12-05',
      belowFloor: '2026-12-01',
    })
    expect(tellingOf(points, null).belowFloor).toBeNull()
    expect(tellingOf(lineOf(today, 0, []), 0)).toMatchObject({
      lowest: { day: today, agorot: 0 },
      belowZero: null,
      belowFloor: null,
    })
  })

  test('what should have moved already moves tomorrow, and what lies beyond the last day does not', () => {
    const answer = movementsOf(
      facts({
        known: [
          move('2026-11-01', -5),
          move(today, -6),
          move(addDays(today, 90), -7),
          move(addDays(today, 91), -8),
        ],
      }),
    )
    expect(told(answer)).toEqual([
      ['2026-11-25', -5, 'typed'],
      ['2026-11-25', -6, 'typed'],
      [addDays(today, 90), -7, 'typed'],
    ])
  })

  // A year of random facts, each processed separately: no code of the forecast is used to know what is expected.
  test('is the sum of its parts, by an independent computation', () => {
    let state = 20_261_124
    const roll = (sides: number) => (state = (state * 48_271) % 2_147_483_647) % sides
    for (let round = 0; round < 60; round++) {
      const day = addDays('2026-01-01', roll(365))
      const opening = roll(10_000_000) - 2_000_000
      const known = Array.from({ length: roll(40) }, () =>
        move(addDays(day, roll(200) - 60), roll(2_000_000) - 1_000_000),
      )
      const debts = Array.from({ length: roll(30) }, () =>
        debt(`c${roll(6)}`, addDays(day, roll(300) - 200), 1 + roll(500_000)),
      )
      const habits = new Map(
        Array.from({ length: 6 }, (_, n) => [`c${n}`, { lateDays: roll(60) - 10, papers: roll(6) }]),
      )
      const all = { lateDays: roll(30), papers: 40 }
      const bills = Array.from({ length: roll(6) }, () => {
        const billed = addDays(day, 1 + roll(80))
        return {
          kind: 'recurring' as const,
          who: '',
          what: '',
          open: null,
          agorot: 1 + roll(300_000),
          vatAgorot: 0,
          days: [{ billed, paid: addDays(billed, roll(40)) }],
        }
      })
      const given = facts({
        today: day,
        openingAgorot: opening,
        known,
        debts,
        habits,
        habitOfAll: all,
        bills,
      })
      const { movements, doubtfulAgorot } = movementsOf(given)
      const points = lineOf(day, opening, movements)
      const naive = (until: Day) => {
        let cash = opening
        const moves = (on: Day, agorot: number) => {
          const really = on <= day ? addDays(day, 1) : on
          if (really <= until) cash += agorot
        }
        for (const one of known) moves(one.day, one.agorot)
        for (const one of bills) moves(one.days[0]!.paid, -one.agorot)
        for (const one of debts) {
          const habit = habits.get(one.customerId)!
          const on = addDays(one.due, habit.papers >= 3 ? habit.lateDays : all.lateDays)
          if (on > day) moves(on, one.agorot)
          else if (daysBetween(on, day) <= 180) moves(addDays(day, 7), one.agorot)
        }
        return cash
      }
      for (const { day: at, agorot } of points) if (at > day) expect([at, agorot]).toEqual([at, naive(at)])
      const gone = debts.filter((one) => {
        const habit = habits.get(one.customerId)!
        return daysBetween(addDays(one.due, habit.papers >= 3 ? habit.lateDays : all.lateDays), day) > 180
      })
      expect(doubtfulAgorot).toBe(gone.reduce((sum, { agorot }) => sum + agorot, 0))
    }
  })

  test('new sales of three whole months come to three months of sales', () => {
    const from = endOfMonth('2026-11-01')
    const sum = salesAhead(
      { monthlyAgorot: 1_000_01, vatBp: 0, atOnceBp: 0, delayDays: 0 },
      from,
      endOfMonth(addMonths(startOfMonth(from), 3)),
    )
    expect(sum.reduce((all, { agorot }) => all + agorot, 0)).toBe(3 * 1_000_01)
  })
})
