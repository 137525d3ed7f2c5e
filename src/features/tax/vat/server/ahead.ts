import { sql } from 'kysely'
import { endOfMonth, startOfMonth, type Period } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { basisChanges, bringsVat, chargingCompany } from './basis.ts'
import { refusePart } from './filings.ts'
import { summarise } from './summary.ts'

/** Output VAT less input VAT of the running period so far. */
export async function ahead(ctx: Ctx): Promise<{ amountAgorot: number }> {
  refusePart(ctx)
  const { periodOn } = await chargingCompany(ctx)
  const period = periodOn(ctx.today)
  const { rows } = await sql<{ waits: boolean }>`select ${bringsVat(ctx)} as waits`.execute(ctx.tx)
  const counts = rows[0]!.waits || (await basisChanges(ctx)).some(({ basis }) => basis === 'cash')
  return {
    amountAgorot: counts ? (await summarise(ctx, period)).exact.toPay : await standsInBooks(ctx, period),
  }
}

/** Where everything counts as it is written, the months of the books tell it without their papers. */
async function standsInBooks(ctx: Ctx, { from, to }: Period): Promise<number> {
  const { rows } = await sql<{
    amount: number
  }>`select coalesce(sum(m.credit_agorot - m.debit_agorot), 0)::bigint as amount from account_months m
    join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and a.number in ('2100', '1200', '1210')
      and m.month between ${startOfMonth(from)} and ${endOfMonth(to)}`.execute(ctx.tx)
  return rows[0]!.amount
}
