import { sql, type RawBuilder } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, flag, money, number, quantity, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive, isOpen } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { takers } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { decimal, inCategory, narrowed, sameItem, type Narrowed } from '../parts.ts'

const sides = ['order', 'purchaseOrder'] as const
type Side = (typeof sides)[number]

interface Asked extends Narrowed {
  side?: Side | undefined
  item?: string | undefined
  category?: string | undefined
  promisedBy?: string | undefined
  late?: boolean | undefined
}

/**
 * The lines of orders of which something is still to come. An order that nobody closed and whose lines are
 * all taken has none.
 */
const openLines = (
  ctx: Ctx,
  { side = 'order', item, category, promisedBy, late, ...asked }: Asked,
): RawBuilder<unknown> => sql`
  select * from (
    select d.id, d.type, d.number, d.day, d.valid_until as promised, d.customer_id, d.customer, l.line,
      l.item_id, l.sku, l.description, l.unit, l.quantity as ordered,
      coalesce(t.taken, 0) as supplied, l.quantity - coalesce(t.taken, 0) as remains,
      round(l.ils_net_agorot * (l.quantity - coalesce(t.taken, 0)) / nullif(l.quantity, 0))::bigint as worth
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
      left join lateral (select sum(x.takes) as taken from document_lines x
      join documents f on f.company_id = x.company_id and f.id = x.document_id
        where x.company_id = l.company_id and x.source_document_id = l.document_id and x.source_line = l.line
          and ${isLive('f')} and f.type = any(${[...takers[side]]}::int[])) t on true
    where d.company_id = ${ctx.companyId} and d.type = ${documentTypes[side].id}
      and ${isOpen('d')}${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}
      ${item ? sql`and l.item_id in ${sameItem(ctx, item)}` : sql``}
      ${category ? sql`and l.item_id in ${inCategory(ctx, category)}` : sql``}
      ${promisedBy ? sql`and d.valid_until <= ${promisedBy}` : sql``}
      ${
        late === undefined
          ? sql``
          : late
            ? sql`and d.valid_until <
          ${ctx.today}`
            : sql`and (d.valid_until is null or d.valid_until >= ${ctx.today})`
      }
  ) o where o.remains > 0`

const filters = {
  side: choice(sides, { words: 'documents.types' }),
  item: ref('items'),
  category: ref('categories'),
  customer: ref('customers'),
  agent: ref('agents'),
  promisedBy: day(),
  late: flag(),
}

/**
 * What is still to be supplied of each product, by all orders together: so much must be made, bought or taken
 * from the shelf.
 */
export const openOrdersByProduct = defineReport({
  name: 'openOrdersByProduct',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/openordersproduct',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters,
  columns: {
    product: text(),
    sku: text(),
    unit: text(),
    promisedDay: day(),
    orders: number(),
    ordered: quantity(),
    supplied: quantity(),
    left: { ...quantity(), main: true },
    lateLeft: { ...quantity(), whenFilled: true },
    leftAgorot: money(),
  },
  totals: ['leftAgorot'],
  rows: async (ctx, asked) => {
    // A line without an item is a product by its words.
    const { rows } = await sql<ReportRow>`
      with o as (select o.*, i.id as of,
        coalesce(i.name, nullif(o.description, ''), ${say(ctx.caller.language, 'salesReports.noItem')}) as
        product, coalesce(i.sku, o.sku) as code, coalesce(i.unit, o.unit) as counted
        from (${openLines(ctx, asked)}) o left join items i on i.company_id = ${ctx.companyId}
          and i.id = o.item_id)
      select product, max(code) as sku, max(counted) as unit, min(promised) as "promisedDay",
        count(distinct id)::int as orders, ${decimal(sql`sum(ordered)`)} as ordered,
        ${decimal(sql`sum(supplied)`)} as supplied, ${decimal(sql`sum(remains)`)} as "left",
        ${decimal(sql`sum(remains) filter (where promised < ${ctx.today})`)} as "lateLeft",
        sum(worth)::bigint as "leftAgorot", '/invoice/openorderscustomer?item=' ||
        of${asked.side === 'purchaseOrder' ? sql` || '&side=purchaseOrder'` : sql``} as open
      from o group by of, product order by min(promised) nulls last, product, of`.execute(ctx.tx)
    return rows
  },
})

/** What is still to be supplied to each customer, line by line of the customer's orders. */
export const openOrdersByCustomer = defineReport({
  name: 'openOrdersByCustomer',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/openorderscustomer',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters,
  columns: {
    customer: text(),
    number: number(),
    day: day(),
    promisedDay: day(),
    daysLate: number(),
    product: text(),
    sku: text(),
    ordered: quantity(),
    supplied: quantity(),
    left: { ...quantity(), main: true },
    leftAgorot: money(),
  },
  groupBy: 'customer',
  totals: ['leftAgorot'],
  rows: async (ctx, asked, most) => {
    const { rows } = await sql<ReportRow>`
      select coalesce(p.name, o.customer->>'name', ${say(ctx.caller.language, 'salesReports.noCustomer')}) as
        customer, o.number, o.day, o.promised as "promisedDay",
        case when o.promised < ${ctx.today} then ${ctx.today}::date - o.promised end as "daysLate",
        coalesce(nullif(o.description, ''), i.name) as product, coalesce(nullif(o.sku, ''), i.sku) as sku,
        ${decimal(sql`o.ordered`)} as ordered, ${decimal(sql`o.supplied`)} as supplied,
        ${decimal(sql`o.remains`)} as "left", o.worth as "leftAgorot",
        ${asked.side === 'purchaseOrder' ? '/invoice/previewex/' : '/invoice/preview/'}::text || o.id as open
      from (${openLines(ctx, asked)}) o left join items i on i.company_id = ${ctx.companyId}
        and i.id = o.item_id
        left join parties w on w.company_id = ${ctx.companyId} and w.id = o.customer_id left
        join parties p on p.company_id = w.company_id and p.id = coalesce(w.merged_into, w.id)
      order by 1, p.id, o.day, o.number, o.line limit ${most}`.execute(ctx.tx)
    return rows
  },
})
