import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, flag, money, percent, text } from '#kit/fields/field.ts'
import { timesFraction } from '#domain/money.ts'
import { budgetFor } from '#kit/server/budgets.ts'
import { defineReport } from '#kit/server/reports.ts'
import { fail } from '#kit/describe/errors.ts'
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
    kind: choice(['income', 'expense'], { words: 'budget.kinds' }),
    number: text(),
    name: text(),
    budgetAgorot: money(),
    actualAgorot: { ...money(), main: true },
    differenceAgorot: money(),
    usedBp: percent(),
  },
  groupBy: 'kind',
  totals: [],
  rows: async (ctx, { from, to, over }) => {
    if (!seesSums(ctx)) throw fail('session.forbidden')
    const [accounts, budget] = [await realIn(ctx, { from, to }), await budgetFor(ctx, { from, to })]
    const rows: ReportRow[] = []
    for (const { accountId, number, name, kind, agorot } of accounts) {
      const budgetAgorot = budget?.get(accountId) ?? 0
      if (budgetAgorot === 0 && agorot === 0) continue
      // Less income than meant, or more expense.
      const isOver = kind === 'income' ? agorot < budgetAgorot : agorot > budgetAgorot
      if (over && !isOver) continue
      rows.push({
        kind,
        number,
        name,
        budgetAgorot,
        actualAgorot: agorot,
        differenceAgorot: agorot - budgetAgorot,
        usedBp: budgetAgorot === 0 ? null : timesFraction(10_000, agorot, budgetAgorot, 'halfAwayFromZero'),
        open: `/invoice/cardskarteset/${accountId}?from=${from}&to=${to}`,
      })
    }
    return rows
  },
})
