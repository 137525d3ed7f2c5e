import { sql } from 'kysely'
import { startOfMonth, type Day } from '#domain/day.ts'
import type { AccountKind } from '#domain/ledger/chart.ts'
import { fail } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isProfit, startOfYear } from './chart.ts'

/**
 * The balance of an account at the end of a day, as its card shows it: earlier months from their totals, the day's
 * month from its lines.
 */
export async function balanceOn(
  ctx: Ctx,
  { id, day }: { id: string; day: Day },
): Promise<{ balanceAgorot: number | null; since: Day | null }> {
  const { rows: accounts } = await sql<{
    kind: AccountKind
  }>`select kind from accounts where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!accounts[0]) throw fail('kit.notFound')
  const since = isProfit(accounts[0].kind) ? startOfYear(day) : null
  if (!seesWhole(ctx.caller)) return { balanceAgorot: null, since }
  const month = startOfMonth(day)
  const { rows } = await sql<{
    amount: number
  }>`select (coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
      where m.company_id = ${ctx.companyId} and m.account_id = ${id} and m.month < ${month}
        and m.month >= ${since ?? '0001-01-01'}), 0)
    + coalesce((select sum(p.amount_agorot) from postings p where p.company_id = ${ctx.companyId}
    and p.account_id = ${id}
      and p.day between ${month} and ${day}), 0))::bigint as amount`.execute(ctx.tx)
  return { balanceAgorot: rows[0]!.amount, since }
}
