import { sql } from 'kysely'
import { addMonths, startOfMonth } from '#domain/day.ts'
import { money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { expenseFigures, myExpenses as mineCall } from '../endpoints.ts'
import { ensureTypes, typeName } from './types.ts'

/** Expenses at a glance. The month is that of the paper, whichever day it was entered on. */
export async function figures(ctx: Ctx): Promise<OutputOf<typeof expenseFigures>> {
  const month = startOfMonth(ctx.today)
  const before = addMonths(month, -1)
  const { rows } = await sql<{
    month: number
    last: number
    waiting: number
    drafts: number
    open: number
    late: number
  }>`
    select coalesce(sum(ils_total_agorot - recognised_vat_agorot) filter
      (where state = 'approved' and source <> 'opening' and day >= ${month}), 0)::bigint as month,
      coalesce(sum(ils_total_agorot - recognised_vat_agorot) filter
      (where state = 'approved' and source <> 'opening' and day >= ${before} and day < ${month}), 0)::bigint
      as last,
      count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'draft')::int
      as drafts,
      coalesce(sum(open_agorot), 0)::bigint as open,
      coalesce(sum(open_agorot) filter (where due_day < ${ctx.today}), 0)::bigint as late
    from expenses where company_id = ${ctx.companyId}
      and (day >= ${before} or open_agorot <> 0 or state in ('waiting', 'draft'))`.execute(ctx.tx)
  const { rows: missing } = await sql<{ id: string; name: string; day: string; totalAgorot: number }>`
    select * from (select r.id, r.name, r.total_agorot as "totalAgorot", awaited_day(r) as day
      from recurring_expenses r where r.company_id = ${ctx.companyId} and r.archived_at is null) x
      where day < ${ctx.today} order by day limit 20`.execute(ctx.tx)
  const f = rows[0]!
  return {
    monthAgorot: f.month,
    lastMonthAgorot: f.last,
    waiting: f.waiting,
    drafts: f.drafts,
    openAgorot: f.open,
    lateAgorot: f.late,
    missing,
  }
}

const minePage = 60

interface MineAsked {
  from?: string | undefined
  to?: string | undefined
  typeId?: string | undefined
}

/**
 * What this person entered in a period; of a kind, when one is chosen: the lines of it count, not the whole
 * bill.
 */
const ownOf = (ctx: Ctx, { from, to, typeId }: MineAsked) => {
  const since = from ?? addMonths(startOfMonth(ctx.today), -11)
  const until = to ?? '9999-12-31'
  const own = sql`e.company_id = ${ctx.companyId} and e.source <> 'opening'
      and e.entered_by = ${ctx.caller.userId} and e.day between ${since} and ${until}`
  return { own, ofType: typeId ? sql`and l.type_id = ${typeId}` : sql`` }
}

async function sumsOf(ctx: Ctx, asked: MineAsked): Promise<OutputOf<typeof mineCall>['sums']> {
  const { own, ofType } = ownOf(ctx, asked)
  const { rows } = await sql<
    OutputOf<typeof mineCall>['sums'][number]
  >`select date_trunc('month', e.day)::date as month, ${typeName(ctx.caller.language)} as type,
      sum(l.ils_net_agorot)::bigint as "netAgorot", sum(l.ils_vat_agorot)::bigint as "vatAgorot",
      sum(l.ils_net_agorot + l.ils_vat_agorot)::bigint as "totalAgorot"
    from expenses e join expense_lines l on l.company_id = e.company_id and l.expense_id = e.id
    join expense_types t on t.company_id = l.company_id and t.id = l.type_id
    where ${own} and e.state not in ('rejected', 'cancelled', 'draft') ${ofType} group by 1, 2
    order by 1 desc, 2`.execute(ctx.tx)
  return rows
}

/** What this person entered, for the area of people who see nothing else: the newest first, page by page. */
export async function mine(
  ctx: Ctx,
  { q, cursor, ...asked }: MineAsked & { q?: string | undefined; cursor?: string | undefined },
): Promise<OutputOf<typeof mineCall>> {
  await ensureTypes(ctx)
  const { own, ofType } = ownOf(ctx, asked)
  const words = q?.trim()
  const pattern = `%${(words ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const found = words
    ? sql`and (p.name ilike ${pattern} or e.supplier_number ilike ${pattern} or e.details ilike ${pattern}
        or ${typeName(ctx.caller.language)} ilike ${pattern})`
    : sql``
  const { rows } = await sql<
    OutputOf<typeof mineCall>['rows'][number]
  >`select e.id, e.day, p.name as supplier, e.supplier_number as "supplierNumber",
      ${typeName(ctx.caller.language)} as type,
      e.state, e.reason, e.ils_net_agorot as "netAgorot", e.ils_vat_agorot as "vatAgorot",
      e.ils_total_agorot as "totalAgorot",
      exists (select 1 from file_links k where k.company_id = e.company_id and k.entity = 'expenses'
      and k.entity_id = e.id) as "hasPaper"
    from expenses e join expense_types t on t.company_id = e.company_id and t.id = e.type_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where ${own} ${found} ${cursor ? sql`and e.id < ${cursor}::uuid` : sql``}
      and exists (select 1 from expense_lines l where l.company_id = e.company_id
      and l.expense_id = e.id ${ofType})
    order by e.id desc limit ${minePage + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, minePage)
  return {
    rows: shown,
    nextCursor: rows.length > minePage ? shown.at(-1)!.id : null,
    sums: await sumsOf(ctx, asked),
  }
}

/** The totals of the area's report as a table; amounts only for people who may see them. */
export async function mineExport(
  ctx: Ctx,
  { format, ...asked }: MineAsked & { format: 'csv' | 'xlsx' },
): Promise<FileAnswer> {
  await ensureTypes(ctx)
  const hides = ctx.caller.hideTotalPrices
  const sums = (await sumsOf(ctx, asked)).map((row) => ({
    ...row,
    month: `${row.month.slice(5, 7)}/${row.month.slice(0, 4)}`,
  }))
  const figures = ['netAgorot', 'vatAgorot', 'totalAgorot'] as const
  return exportTable({
    format,
    language: ctx.caller.language,
    name: 'expenses',
    title: 'screens.reportExpensesOnly',
    columns: [
      { name: 'month', field: text(), title: 'expenses.area.month', words: '' },
      { name: 'type', field: text(), title: 'expenses.fields.typeId', words: '' },
      ...(hides
        ? []
        : figures.map((name) => ({ name, field: money(), title: `expenses.fields.${name}`, words: '' }))),
    ],
    rows: sums,
    ...(hides
      ? {}
      : {
          totals: Object.fromEntries(
            figures.map((name) => [name, sums.reduce((all, row) => all + row[name], 0)]),
          ),
        }),
  })
}
