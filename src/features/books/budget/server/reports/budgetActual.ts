import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, flag, money, percent, text } from '#kit/fields/field.ts'
import { timesFraction } from '#domain/money.ts'
import { budgetFor } from '#kit/server/described/budgets.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { realIn } from '../budget.ts'
import { seesSums } from '../sight.ts'

/** Real figures of a stretch of days beside the budget, account by account. */
export const budgetActual = defineReport({
  name: 'budgetActual',
  feature: 'budget',
  group: 'books',
  path: '/invoice/reportbudget',
  allow: 'budget.see',
  filters: { from: day({ need: true }), to: day({ need: true }), over: flag() },
  columns: {
    section: choice(['income', 'expense'], { words: 'budget.kinds' }),
    number: text(),
    name: { ...text(), names: true },
    budgetAgorot: money(),
    actualAgorot: { ...money(), main: true },
    differenceAgorot: money(),
    usedBp: percent(),
  },
  groupBy: 'section',
  totals: [],
  rows: async (ctx, { from, to, over }) => {
    if (!seesSums(ctx)) throw forbidden({ sight: 'whole' })
    const [accounts, budget] = [await realIn(ctx, { from, to }), await budgetFor(ctx, { from, to })]
    const { language } = ctx.caller
    const rows: ReportRow[] = []
    const result = { budget: 0, actual: 0 }
    for (const kind of ['income', 'expense'] as const) {
      const whole = { budget: 0, actual: 0 }
      for (const { accountId, number, name, agorot: actual } of accounts.filter((one) => one.kind === kind)) {
        const meant = budget?.get(accountId) ?? 0
        whole.budget += meant
        whole.actual += actual
        // Less income than meant, or more expense.
        if (
          (meant === 0 && actual === 0) ||
          (over && (kind === 'income' ? actual >= meant : actual <= meant))
        )
          continue
        rows.push({
          section: kind,
          number,
          name,
          ...figures(meant, actual),
          open: `/invoice/cardskarteset/${accountId}?from=${from}&to=${to}`,
        })
      }
      const sign = kind === 'income' ? 1 : -1
      result.budget += sign * whole.budget
      result.actual += sign * whole.actual
      if (!over && (whole.budget !== 0 || whole.actual !== 0))
        rows.push({
          section: kind,
          kind,
          name: say(language, `budget.totalOf.${kind}`),
          sum: true,
          ...figures(whole.budget, whole.actual),
        })
    }
    if (!over && rows.length > 0)
      rows.push({
        section: 'expense',
        kind: 'result',
        name: say(language, 'budget.result'),
        sum: true,
        ...figures(result.budget, result.actual),
      })
    return rows
  },
  must: {
    resultIsSum: (_totals, rows) => {
      const result = rows.findLast((row) => row.sum)
      return (
        !result ||
        (['budgetAgorot', 'actualAgorot'] as const).every(
          (figure) =>
            result[figure] ===
            rows
              .filter((row) => !row.sum)
              .reduce((all, row) => all + Number(row[figure]) * (row.section === 'income' ? 1 : -1), 0),
        )
      )
    },
  },
})

const figures = (meant: number, actual: number) => ({
  budgetAgorot: meant,
  actualAgorot: actual,
  differenceAgorot: actual - meant,
  usedBp: meant === 0 ? null : timesFraction(10_000, actual, Math.abs(meant), 'halfAwayFromZero'),
})
