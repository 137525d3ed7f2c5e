import { expect, it } from 'vitest'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { linesOf } from './reportLines.ts'

const grouped: Pick<ReportAnswer, 'shape' | 'rows'> = {
  shape: {
    name: 'x',
    words: 'x',
    columns: { code: { kind: 'text' }, name: { kind: 'text' }, debit: { kind: 'money' } },
    filters: {},
    totals: ['debit'],
    group: 'code',
  },
  rows: [
    { code: '100', name: 'a', debit: 5 },
    { code: '100', name: 'b', debit: 7 },
    { code: '200', name: 'c', debit: 9 },
  ],
}

it('sums a group of several rows, and leaves a single row alone', () => {
  expect(
    linesOf(grouped).map(({ row, sumOf, opensGroup }) => [row.name ?? `sum ${sumOf}`, row.debit, opensGroup]),
  ).toEqual([
    ['a', 5, true],
    ['b', 7, false],
    ['sum 100', 12, false],
    ['c', 9, true],
  ])
})

const card = (rows: ReportAnswer['rows']): Pick<ReportAnswer, 'shape' | 'rows'> => ({
  shape: {
    name: 'card',
    words: 'card',
    columns: { day: { kind: 'day' }, debit: { kind: 'money' }, balance: { kind: 'money' } },
    filters: {},
    totals: ['debit'],
  },
  rows,
})
const moves = Array.from({ length: 14 }, (_, i) => ({
  day: i < 8 ? '2026-01-05' : '2026-02-05',
  debit: 10,
  balance: 100 + 10 * (i + 1),
}))

it('sums a long card by month, with the balance each month closes with', () => {
  const lines = linesOf(card([{ day: null, debit: null, balance: 100, sum: true }, ...moves]))
  expect(lines.filter(({ sumOf }) => sumOf).map(({ sumOf, row }) => [sumOf, row.debit, row.balance])).toEqual(
    [
      ['2026-01', 80, 180],
      ['2026-02', 60, 240],
    ],
  )
  expect(lines[0]!.row.sum).toBe(true)
})

it('says no quantity and no price of a month: they are those of a row', () => {
  const { shape } = card([])
  const columns = {
    ...shape.columns,
    quantity: { kind: 'quantity' as const },
    left: { kind: 'quantity' as const, main: true },
  }
  const rows = moves.map((row, i) => ({ ...row, quantity: '2', left: String(i) }))
  const sums = linesOf({ shape: { ...shape, columns }, rows }).filter(({ sumOf }) => sumOf)
  expect(sums.map(({ row }) => [row.quantity, row.left, row.balance])).toEqual([
    [undefined, '7', 180],
    [undefined, '13', 240],
  ])
})

it('leaves a short card, and a card of one month, without subtotals', () => {
  expect(linesOf(card(moves.slice(6, 10))).some(({ sumOf }) => sumOf)).toBe(false)
  expect(linesOf(card(moves.map((row) => ({ ...row, day: '2026-01-05' })))).some(({ sumOf }) => sumOf)).toBe(
    false,
  )
})

it('shows nothing for nothing', () => {
  expect(linesOf(card([]))).toEqual([])
})

it('lets an opening balance begin its group, and sums the records only', () => {
  const shape = {
    ...grouped.shape,
    columns: { ...grouped.shape.columns, balance: { kind: 'money' as const } },
  }
  const opening = (code: string) => ({ code, sum: true, kind: 'opening', debit: null, balance: 50 })
  const rows = [
    opening('100'),
    { code: '100', name: 'a', debit: 5 },
    opening('200'),
    { code: '200', name: 'b', debit: 2 },
    { code: '200', name: 'c', debit: 3 },
  ]
  expect(
    linesOf({ shape, rows }).map(({ row, sumOf, opensGroup }) => [
      sumOf ?? row.name ?? 'opening',
      row.debit,
      opensGroup,
    ]),
  ).toEqual([
    ['opening', null, true],
    ['a', 5, false],
    ['opening', null, true],
    ['b', 2, false],
    ['c', 3, false],
    ['200', 5, false],
  ])
})
