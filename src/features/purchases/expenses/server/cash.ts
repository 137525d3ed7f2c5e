import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { refuseCash } from '#domain/documents/cashLaw.ts'
import { formatMoney } from '#domain/format.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'

/** The law on cash looks at the whole deal: what was paid in cash before counts too. */
export async function refuseTooMuchCash(
  ctx: Ctx,
  expense: { id: string; total: number },
  means: string,
  day: Day,
  amount: number,
): Promise<void> {
  if (means !== 'cash') return
  const { rows } = await sql<{
    paid: number
  }>`select coalesce(sum(amount_agorot), 0)::bigint as paid from expense_payments
    where company_id = ${ctx.companyId} and expense_id = ${expense.id} and means = 'cash'
      and cancelled_at is null`.execute(ctx.tx)
  const refusal = refuseCash({
    day,
    price: Math.abs(expense.total),
    cash: Math.abs(rows[0]!.paid + amount),
    deal: 'business',
  })
  if (refusal)
    throw failField('means', 'expenses.cashAboveLimit', { limit: formatMoney(refusal.params.limit) })
}
