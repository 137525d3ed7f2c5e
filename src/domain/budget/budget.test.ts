import { describe, expect, test } from 'vitest'
import { sum } from '../money.ts'
import { budgetIn, monthsIn, newestLike, raised, spreadYear } from './budget.ts'
import { monthNamed, readBudgetSheet } from './sheet.ts'

describe('spreading a year', () => {
  test.each([
    [12_000_00, undefined, Array.from({ length: 12 }, () => 1_000_00)],
    // What is left over goes to the earliest of equals.
    [10, undefined, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]],
    [100_00, [3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [75_00, 25_00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    // A reversed month carries no weight.
    [100_00, [3, -50, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [75_00, 0, 25_00, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    // A year without anything is spread evenly.
    [24, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], Array.from({ length: 12 }, () => 2)],
  ] as const)('%i like %j', (total, like, expected) => {
    expect(spreadYear(total, like)).toEqual(expected)
  })

  test('loses and invents nothing, whatever the sum and the weights', () => {
    let state = 7
    const roll = (sides: number) => (state = (state * 48_271) % 2_147_483_647) % sides
    for (let i = 0; i < 300; i++) {
      const total = roll(90_000_000) - 30_000_000
      const like = Array.from({ length: 12 }, () => roll(5_000) - 800)
      const months = spreadYear(total, like)
      expect(sum(months)).toBe(total)
      expect(months).toHaveLength(12)
    }
  })
})

test.each([
  [100_00, 500, 105_00],
  [100_01, 500, 105_01],
  [-100_00, 1_000, -110_00],
  [33_33, -10_000, 0],
])('%i raised by %i basis points is %i', (amount, percent, expected) => {
  expect(raised(amount, percent)).toBe(expected)
})

test.each([
  ['2026-03-01', '2026-11-24', '2026-03-01'],
  // The running month is not whole.
  ['2026-11-01', '2026-11-24', '2025-11-01'],
  ['2027-02-01', '2026-11-24', '2026-02-01'],
  ['2027-12-01', '2026-11-24', '2025-12-01'],
])('the newest like %s on %s is %s', (month, today, expected) => {
  expect(newestLike(month, today)).toBe(expected)
})

test.each([
  ['2026-01-01', '2026-12-31', 12_000_00],
  ['2026-02-01', '2026-02-28', 1_000_00],
  ['2026-02-01', '2026-02-14', 500_00],
  // Ten days of January, all of February, one day of March: 322.58 + 1,000 + 32.26.
  ['2026-01-22', '2026-03-01', 322_58 + 1_000_00 + 32_26],
  ['2025-01-01', '2025-12-31', 0],
])('from %s to %s the budget is %i', (from, to, expected) => {
  const months = new Map(monthsIn(2026).map((month) => [month, 1_000_00]))
  expect(budgetIn(months, { from, to })).toBe(expected)
})

describe('a sheet with a budget', () => {
  test.each([
    ['1', 0],
    ['03/2026', 2],
    ['2026-11', 10],
    ['12.26', 11],
    ['13', undefined],
    ['03/2025', undefined],
    ['ינואר', 0],
    ['ינו׳', 0],
    ['דצמבר', 11],
    ['January', 0],
    ['août', 7],
    ['сентябрь', 8],
    ['يونيو', 5],
    ['חשבון', undefined],
  ])('%s names month %s', (title, month) => {
    expect(monthNamed(title, 2026)).toBe(month)
  })

  const accounts = [
    { id: 'a', number: '4000', name: 'הכנסות משירותים' },
    { id: 'b', number: '6010', name: 'שכר דירה ואחזקה' },
  ]
  const rows = (...lines: string[]) => lines.map((line, i) => ({ row: i + 1, cells: line.split('|') }))
  const even = (agorot: number) => Array.from({ length: 12 }, () => agorot)

  test('months by their titles, in any order, what is empty left as it is', () => {
    const { months, faults } = readBudgetSheet(
      rows('תקציב 2026', 'מספר|שם|02/2026|01/2026', '4000|הכנסות|200|1,000.50', '|סה״כ|200|1'),
      accounts,
      2026,
    )
    expect(faults).toEqual([])
    expect([...months]).toEqual([['a', [1_000_50, 200_00, ...Array.from({ length: 10 }, () => null)]]])
  })

  test('without titles: twelve months, or one sum for the year', () => {
    const { months } = readBudgetSheet(
      rows('הכנסות משירותים|1|2|3|4|5|6|7|8|9|10|11|12', '6010|שכר דירה ואחזקה|12,000'),
      accounts,
      2026,
    )
    expect(months.get('a')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((one) => one * 100))
    expect(months.get('b')).toEqual(even(1_000_00))
  })

  test('a column of the year is spread where the months are empty', () => {
    const { months } = readBudgetSheet(rows('Account|Jan|Feb|Total', '6010|||120'), accounts, 2026)
    expect(months.get('b')).toEqual(even(10_00))
  })

  test('what cannot be read is told by its line', () => {
    const { months, faults } = readBudgetSheet(
      rows(
        'מספר|שם|01/2026|02/2026',
        '4000|הכנסות|10|עשר',
        '7777|אין כזה|5|5',
        '6010|שכירות|1|1',
        '6010|שכירות|2|2',
        '|סה״כ הכנסות|9|9',
      ),
      accounts,
      2026,
    )
    expect(faults).toEqual([
      { row: 2, why: 'sum', text: 'עשר', month: 2 },
      { row: 3, why: 'unknown', text: '7777 אין כזה' },
      { row: 5, why: 'twice', text: '6010 שכירות' },
    ])
    expect(months.get('a')?.slice(0, 2)).toEqual([10_00, null])
  })
})
