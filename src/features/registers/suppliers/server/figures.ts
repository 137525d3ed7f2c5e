import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { served } from './served.ts'

const weekDays = 7

/** What all suppliers together are owed: a page of the list knows its own rows alone. */
export async function figures(ctx: Ctx) {
  const { balanceAgorot, overdueAgorot, dueDay } = served.compute!
  const { rows } = await sql<{ owedAgorot: number; overdueAgorot: number; dueThisWeek: number }>`
    select coalesce(sum(greatest(balance, 0)), 0)::bigint as "owedAgorot", coalesce(sum(overdue), 0)::bigint
      as "overdueAgorot",
      (count(*) filter (where due between ${ctx.today} and ${addDays(ctx.today, weekDays)}))::int as
      "dueThisWeek"
    from (select ${balanceAgorot} as balance, ${overdueAgorot} as overdue, ${dueDay} as due from parties t
      where t.company_id = ${ctx.companyId} and t.role = 'supplier' and t.archived_at is null) x`.execute(
    ctx.tx,
  )
  const { dueThisWeek, ...sums } = rows[0]!
  return ctx.caller.hideTotalPrices ? { dueThisWeek } : { ...sums, dueThisWeek }
}
