import { sum, type Agorot } from '#domain/money.ts'
import type { BudgetRow, BudgetYear } from '../endpoints.ts'

/** A cell that is about to be kept. */
export interface Cell {
  accountId: string
  month: number
  agorot: Agorot | null
}

export const yearSum = (months: readonly (Agorot | null)[]): Agorot =>
  sum(months.map((agorot) => agorot ?? 0))

/**
 * Whether a row says anything: what never moved and has no budget is shown only when somebody asks for all.
 */
export const isQuiet = ({ budget, actual, before }: BudgetRow): boolean =>
  budget.every((agorot) => agorot === null) && [...actual, ...before].every((agorot) => agorot === 0)

/** The rows with cells laid over them. */
export function withCells(data: BudgetYear, cells: readonly Cell[]): BudgetYear {
  const byAccount = new Map<string, Cell[]>()
  for (const cell of cells) byAccount.set(cell.accountId, [...(byAccount.get(cell.accountId) ?? []), cell])
  return {
    ...data,
    rows: data.rows.map((row) => {
      const own = byAccount.get(row.accountId)
      if (!own) return row
      const budget = [...row.budget]
      for (const { month, agorot } of own) budget[month - 1] = agorot
      return { ...row, budget }
    }),
  }
}

/** A column of figures of rows: what they come to, month by month. */
export const monthSums = (rows: readonly { months: readonly (Agorot | null)[] }[]): Agorot[] =>
  Array.from({ length: 12 }, (_, i) => sum(rows.map(({ months }) => months[i] ?? 0)))

/** Totals of a month and from January to it. */
export function upTo(row: BudgetRow, month: number) {
  const part = (of: readonly (Agorot | null)[], from: number, to: number) =>
    sum(of.slice(from, to).map((agorot) => agorot ?? 0))
  return {
    month: { budget: part(row.budget, month - 1, month), actual: part(row.actual, month - 1, month) },
    year: { budget: part(row.budget, 0, month), actual: part(row.actual, 0, month) },
    whole: yearSum(row.budget),
  }
}
