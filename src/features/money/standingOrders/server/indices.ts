import { sql } from 'kysely'
import { startOfMonth, type Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { readers } from './readers.ts'

interface Kept {
  month: Day
  value: string
  coefficient: string
  source: 'typed' | 'file'
}

export async function listIndices(ctx: Ctx): Promise<{ rows: Kept[] }> {
  const { rows } =
    await sql<Kept>`select month, trim_scale(value)::text as value, trim_scale(coefficient)::text as
        coefficient, source
    from price_indices where company_id = ${ctx.companyId} order by month desc limit 600`.execute(ctx.tx)
  return { rows }
}

const put = (ctx: Ctx, rows: readonly Omit<Kept, 'source'>[], source: Kept['source']) =>
  sql`insert into price_indices (company_id, month, value, coefficient, source, created_by)
    select ${ctx.companyId}, x.month, x.value, x.coefficient, ${source}, ${ctx.caller.userId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
      x(month date, value numeric, coefficient numeric)
    on conflict (company_id, month) do update set value = excluded.value, coefficient = excluded.coefficient,
      source = excluded.source,
      created_by = excluded.created_by, updated_at = now()`.execute(ctx.tx)

export async function keepIndex(
  ctx: Ctx,
  given: { month: Day; value: string; coefficient: string },
): Promise<{ rows: Kept[] }> {
  const month = startOfMonth(given.month)
  if (month > ctx.today) throw failField('month', 'rates.future')
  await put(ctx, [{ ...given, month }], 'typed')
  await ctx.audit('priceIndices.keep', 'priceIndices', null, undefined, { ...given, month })
  return listIndices(ctx)
}

export async function dropIndex(ctx: Ctx, { month }: { month: Day }): Promise<{ rows: Kept[] }> {
  const { rows } = await sql<{
    value: string
  }>`delete from price_indices where company_id = ${ctx.companyId} and month = ${month}
    returning value`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await ctx.audit('priceIndices.drop', 'priceIndices', null, { month, value: rows[0].value })
  return listIndices(ctx)
}

export async function importIndices(
  ctx: Ctx,
  { bytes, look }: { bytes: Uint8Array; look: 'true' | 'false' },
) {
  const read = await readIn<typeof readers>()('standingOrders.indices', { bytes })
  const rows = read.rows
    .filter(({ month }) => month <= ctx.today)
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
  if (!rows.length) throw fail('standingOrders.indexNotFound')
  const told = {
    count: rows.length,
    from: rows[0]!.month,
    to: rows.at(-1)!.month,
    skipped: read.skipped + read.rows.length - rows.length,
  }
  if (look === 'false') {
    await put(ctx, rows, 'file')
    await ctx.audit('priceIndices.import', 'priceIndices', null, undefined, told)
  }
  return told
}
