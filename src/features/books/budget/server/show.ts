import { addDays, addMonths, startOfMonth, yearOf } from '#domain/day.ts'
import { sum } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { budgetOf, copy, keep } from './budget.ts'
import { add } from './sums.ts'

const hundreds = (agorot: number): number => Math.round(agorot / 10_000) * 10_000

/**
 * A budget of this year and the next, as a business would make it, and the cash amounts that the books cannot know;
 * so that new users see them filled.
 */
export async function showBudget(ctx: Ctx): Promise<void> {
  const year = yearOf(ctx.today)
  for (const [of, percentBp] of [
    [year, 400],
    [year + 1, 700],
  ] as const) {
    await copy(ctx, { year: of, from: 'newest', percentBp, onlyEmpty: false })
    // As people plan: round hundreds, the same every month but where the year is uneven by nature.
    const { rows } = await budgetOf(ctx, { year: of })
    const cells = rows.flatMap(({ accountId, kind, budget }) => {
      const moved = budget.filter((agorot) => agorot !== null && agorot !== 0)
      // What comes once or twice a year stays in its months.
      if (moved.length < 4)
        return budget.flatMap((agorot, i) =>
          agorot === null ? [] : [{ accountId, month: i + 1, agorot: hundreds(agorot) || null }],
        )
      const usual = moved.length === 0 ? 0 : hundreds(sum(budget.map((agorot) => agorot ?? 0)) / moved.length)
      // What comes to less than a hundred a month nobody plans.
      return budget.flatMap((agorot, i) =>
        agorot === null
          ? []
          : [
              {
                accountId,
                month: i + 1,
                agorot: usual === 0 ? null : kind === 'expense' ? usual : hundreds(agorot || usual),
              },
            ],
      )
    })
    await keep(ctx, { year: of, cells })
  }
  const next = startOfMonth(addMonths(ctx.today, 1))
  for (const one of [
    { name: 'שכר עובדים', agorot: -18_500_00, cycle: 'monthly', firstDay: addDays(next, 8), lastDay: null },
    { name: 'משיכת בעלים', agorot: -12_000_00, cycle: 'monthly', firstDay: addDays(next, 0), lastDay: null },
    {
      name: 'החזר הלוואה לרכב',
      agorot: -2_140_00,
      cycle: 'monthly',
      firstDay: addDays(next, 14),
      lastDay: addMonths(next, 18),
    },
    {
      name: 'ביטוח לאומי של הבעלים',
      agorot: -1_980_00,
      cycle: 'monthly',
      firstDay: addDays(next, 14),
      lastDay: null,
    },
    {
      name: 'מענק לרכישת ציוד',
      agorot: 15_000_00,
      cycle: 'once',
      firstDay: addDays(ctx.today, 40),
      lastDay: null,
    },
  ] as const)
    await add(ctx, one)
}
