import { sql } from 'kysely'
import type { z } from 'zod'
import { addMonths, type Day } from '#domain/day.ts'
import { plannedDays, type Cycle } from '#domain/forecast/recurring.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { mostSums, type addSum, type TypedSum } from '../endpoints.ts'

interface StoredSum {
  id: string
  name: string
  agorot: number
  cycle: Cycle
  firstDay: Day
  lastDay: Day | null
}

export async function sumsOf(ctx: Ctx): Promise<StoredSum[]> {
  const { rows } =
    await sql<StoredSum>`select id, name, amount_agorot as agorot, cycle, first_day as "firstDay",
        last_day as "lastDay" from forecast_sums
    where company_id = ${ctx.companyId} order by first_day, name, id`.execute(ctx.tx)
  return rows
}

/** The next day is looked for within a year, the longest cycle. */
const nextDayOf = (ctx: Ctx, sum: StoredSum): Day | null => {
  const from = sum.firstDay > ctx.today ? sum.firstDay : ctx.today
  return plannedDays(sum, from, addMonths(from, 13))[0] ?? null
}

export const list = async (ctx: Ctx): Promise<{ rows: TypedSum[] }> => ({
  rows: (await sumsOf(ctx)).map((sum) => ({ ...sum, nextDay: nextDayOf(ctx, sum) })),
})

type Given = z.output<typeof addSum.input>

function check({ cycle, firstDay, lastDay }: Given): void {
  if (cycle !== 'once' && lastDay !== null && lastDay < firstDay)
    throw failField('lastDay', 'fields.dayOrder')
}

/** What comes once has no last day. */
const endOf = ({ cycle, lastDay }: Given): Day | null => (cycle === 'once' ? null : lastDay)

export async function add(ctx: Ctx, given: Given): Promise<{ id: string }> {
  check(given)
  const { rows } = await sql<{
    many: number
  }>`select count(*)::int as many from forecast_sums where company_id = ${ctx.companyId}`.execute(ctx.tx)
  if (rows[0]!.many >= mostSums) throw fail('kit.tooMuch')
  const id = newId()
  const { name, agorot, cycle, firstDay } = given
  await sql`insert into forecast_sums (company_id, id, name, amount_agorot, cycle, first_day, last_day,
      created_by)
    values (${ctx.companyId}, ${id}, ${name}, ${agorot}, ${cycle}, ${firstDay}, ${endOf(given)},
      ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('forecast.addSum', 'forecastSums', id, undefined, given)
  return { id }
}

async function lock(ctx: Ctx, id: string): Promise<StoredSum> {
  const { rows } =
    await sql<StoredSum>`select id, name, amount_agorot as agorot, cycle, first_day as "firstDay",
        last_day as "lastDay" from forecast_sums
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function change(ctx: Ctx, { id, ...given }: Given & { id: string }): Promise<{ id: string }> {
  check(given)
  const before = await lock(ctx, id)
  const { name, agorot, cycle, firstDay } = given
  await sql`update forecast_sums set name = ${name}, amount_agorot = ${agorot}, cycle = ${cycle},
      first_day = ${firstDay}, last_day = ${endOf(given)}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('forecast.changeSum', 'forecastSums', id, before, given)
  return { id }
}

export async function drop(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const before = await lock(ctx, id)
  await sql`delete from forecast_sums where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('forecast.dropSum', 'forecastSums', id, before)
  return { done: true }
}

export async function leaveOut(
  ctx: Ctx,
  { key, isLeftOut }: { key: string; isLeftOut: boolean },
): Promise<{ done: true }> {
  const { numAffectedRows } = await (
    isLeftOut
      ? sql`insert into forecast_left_out (company_id, series) values (${ctx.companyId}, ${key})
        on conflict do nothing`
      : sql`delete from forecast_left_out where company_id = ${ctx.companyId} and series = ${key}`
  ).execute(ctx.tx)
  if (numAffectedRows)
    await ctx.audit('forecast.leaveOut', 'forecastSeries', null, undefined, { key, isLeftOut })
  return { done: true }
}
