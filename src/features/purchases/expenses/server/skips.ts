import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import type { pastOfRecurring } from '../endpoints.ts'

/**
 * Says that the bill awaited on `day` does not come this time: it is not missed any longer, and the next one
 * is awaited. The day is asked for, so that a press too many does not skip the one after.
 */
export async function skipRecurring(
  ctx: Ctx,
  { id, day, reason }: { id: string; day: Day; reason: string },
): Promise<{ nextDay: Day | null }> {
  const { rows } = await sql<{
    awaited: Day | null
  }>`select awaited_day(r) as awaited from recurring_expenses r
    where r.company_id = ${ctx.companyId} and r.id = ${id} and r.archived_at is null for update`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].awaited !== day) throw failField('day', 'expenses.notAwaited')
  await sql`insert into recurring_skips (company_id, id, recurring_id, day, reason, skipped_by)
    values (${ctx.companyId}, ${newId()}, ${id}, ${day}, ${reason}, ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('recurringexpenses.skip', 'recurringexpenses', id, undefined, { day, reason })
  return awaitedOf(ctx, id)
}

/** It comes after all: the period is awaited again, unless a later bill has come since. */
export async function unskipRecurring(
  ctx: Ctx,
  { id, day }: { id: string; day: Day },
): Promise<{ nextDay: Day | null }> {
  const { rows } = await sql<{ reason: string }>`update recurring_skips set taken_back_at = now()
    where company_id = ${ctx.companyId} and recurring_id = ${id} and day = ${day} and taken_back_at is null
    returning reason`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await ctx.audit(
    'recurringexpenses.unskip',
    'recurringexpenses',
    id,
    { day, reason: rows[0].reason },
    undefined,
  )
  return awaitedOf(ctx, id)
}

async function awaitedOf(ctx: Ctx, id: string): Promise<{ nextDay: Day | null }> {
  const { rows } = await sql<{
    nextDay: Day | null
  }>`select awaited_day(r) as "nextDay" from recurring_expenses r
    where r.company_id = ${ctx.companyId} and r.id = ${id}`.execute(ctx.tx)
  return rows[0]!
}

/** What became of each time a bill was expected, the latest first: the bill that came, or why none did. */
export async function pastOf(ctx: Ctx, id: string): Promise<OutputOf<typeof pastOfRecurring>> {
  const { rows: known } =
    await sql`select 1 from recurring_expenses where company_id = ${ctx.companyId} and id = ${id}`.execute(
      ctx.tx,
    )
  if (!known[0]) throw fail('kit.notFound')
  const { rows } = await sql<OutputOf<typeof pastOfRecurring>['rows'][number]>`select * from (
      select e.recurring_day as day, e.id as "expenseId", e.supplier_number as "supplierNumber",
        e.ils_total_agorot as "totalAgorot",
        null::text as reason, false as "takenBack", u.full_name as who, e.created_at as at
      from expenses e left join users u on u.id = e.entered_by
      where e.company_id = ${ctx.companyId} and e.recurring_id = ${id}
        and e.state not in ('rejected', 'cancelled')
      union all select s.day, null, null, null, s.reason, s.taken_back_at is not null, u.full_name,
        s.created_at
      from recurring_skips s left join users u on u.id = s.skipped_by
      where s.company_id = ${ctx.companyId} and s.recurring_id = ${id}) x
    order by day desc, at desc limit 200`.execute(ctx.tx)
  return { rows }
}
