import { sql } from 'kysely'
import type { z } from 'zod'
import type { Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { AdvanceRate, setAdvanceRate as set } from '../endpoints.ts'

export async function listAdvanceRates(ctx: Ctx): Promise<{ rows: AdvanceRate[] }> {
  const { rows } =
    await sql<AdvanceRate>`select id, from_day as "from", rate_bp as "rateBp" from advance_rates
    where company_id = ${ctx.companyId} order by from_day desc`.execute(ctx.tx)
  return { rows }
}

export async function setAdvanceRate(
  ctx: Ctx,
  { from, rateBp }: z.output<typeof set.input>,
): Promise<AdvanceRate> {
  const { rows } =
    await sql<AdvanceRate>`insert into advance_rates (company_id, id, from_day, rate_bp, set_by)
    values (${ctx.companyId}, ${newId()}, ${from}, ${rateBp}, ${ctx.caller.userId})
    on conflict (company_id, from_day) do update set rate_bp = excluded.rate_bp, set_by = excluded.set_by
    returning id, from_day as "from", rate_bp as "rateBp"`.execute(ctx.tx)
  await ctx.audit('companies.setAdvanceRate', 'companies', ctx.companyId, undefined, { from, rateBp })
  return rows[0]!
}

export async function dropAdvanceRate(ctx: Ctx, { id }: { id: string }) {
  const { rows } = await sql<{
    from: string
    rateBp: number
  }>`delete from advance_rates where company_id = ${ctx.companyId} and id = ${id}
    returning from_day as "from", rate_bp as "rateBp"`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await ctx.audit('companies.dropAdvanceRate', 'companies', ctx.companyId, rows[0])
  return { done: true as const }
}

/**
 * The rate of advances that holds on a day, in hundredths of a per cent; none before the first that was set.
 */
export async function advanceRateOn(ctx: Ctx): Promise<(day: Day) => number> {
  const { rows } = await listAdvanceRates(ctx)
  return (day) => rows.find(({ from }) => from <= day)?.rateBp ?? 0
}
