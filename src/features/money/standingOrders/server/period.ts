import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { TurnContent } from './paper.ts'

/** One charge, as it is kept. */
export interface StoredPeriod {
  id: string
  order_id: string
  period_start: Day
  period_end: Day
  no: number
  due_day: Day
  state: 'asked' | 'billed' | 'failed' | 'done' | 'givenUp' | 'skipped'
  total_agorot: number
  content: TurnContent | null
  document_id: string | null
  charge_id: string | null
  failure_class: string
  failure_code: string
  failed_on: Day | null
  step_no: number
  step_at: string | null
  tries: number
}

export async function periodOf(ctx: Ctx, orderId: string, start: Day): Promise<StoredPeriod> {
  const { rows } = await sql<StoredPeriod>`select * from standing_periods where company_id = ${ctx.companyId}
        and order_id = ${orderId} and period_start = ${start}
    for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function setPeriod(
  ctx: Ctx,
  { order_id: orderId, period_start: start }: Pick<StoredPeriod, 'order_id' | 'period_start'>,
  values: Record<string, unknown>,
): Promise<void> {
  const columns = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update standing_periods set ${sql.join(columns)} where company_id = ${ctx.companyId}
      and order_id = ${orderId} and period_start = ${start}`.execute(ctx.tx)
}
