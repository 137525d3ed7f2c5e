import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, number, ref, text } from '#kit/fields/field.ts'
import { receivesGoods, suppliesGoods, tradesGoods } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { noBatch } from '../move.ts'

/**
 * The number of a paper and where it is opened; both null where there is none, or the person who asks may not see
 * it.
 */
const paper = (
  column: string,
  name: string,
) => sql`(select d.number::text from documents d where d.company_id = s.company_id
    and d.id = ${sql.ref(`s.${column}`)} and sees_type(d.type)) as ${sql.ref(name)},
        (select case when ${receivesGoods('d')} then '/invoice/previewex/' else '/invoice/preview/' end ||
        d.id
        from documents d
          where d.company_id = s.company_id and d.id = ${sql.ref(`s.${column}`)} and sees_type(d.type)) as
            ${sql.ref(`${name}Opens`)}`

/** Units that lie here, by place, with how long. */
export const serialsInStock = defineReport({
  name: 'serialsInStock',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/serialsinstock',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { item: ref('items'), place: ref('stockplaces') },
  columns: {
    place: text(),
    serial: { ...text(), main: true },
    item: text(),
    sku: text(),
    inDay: day(),
    inPaper: { ...text(), opens: 'inPaperOpens', whenFilled: true },
    ageDays: number(),
  },
  groupBy: 'place',
  totals: [],
  rows: async (ctx, { item, place }, most) => {
    const { rows } = await sql<ReportRow>`select p.name as place, i.name as item, i.sku, s.number as serial,
          s.in_day as "inDay", ${paper('in_document_id', 'inPaper')}, ${ctx.today}::date - s.in_day as
          "ageDays", '/invoice/serialssearch?id=' || s.id as open
      from serials s join items i on i.company_id = s.company_id and i.id = s.item_id left
      join stock_places p on p.company_id = s.company_id and p.id = s.place_id
      where s.company_id = ${ctx.companyId} and s.state in ('inStock', 'returned')
        ${item ? sql`and s.item_id = ${item}` : sql``}
        ${place ? sql`and (p.id = ${place} or p.parent_id = ${place})` : sql``}
      order by p.name, i.name, s.number limit ${most}`.execute(ctx.tx)
    return rows
  },
})

/** Which customer has which unit, and until when its warranty runs. */
export const serialsCustomers = defineReport({
  name: 'serialsCustomers',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/serialscustomers',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { customer: ref('customers'), item: ref('items'), until: day() },
  columns: {
    customer: text(),
    serial: { ...text(), main: true },
    item: text(),
    sku: text(),
    inPaper: { ...text(), opens: 'inPaperOpens', whenFilled: true },
    outDay: day(),
    outPaper: { ...text(), opens: 'outPaperOpens', whenFilled: true },
    warrantyUntil: day(),
  },
  groupBy: 'customer',
  totals: [],
  rows: async (ctx, { customer, item, until }, most) => {
    const { rows } =
      await sql<ReportRow>`select c.name as customer, i.name as item, i.sku, s.number as serial,
          s.out_day as "outDay", ${paper('in_document_id', 'inPaper')},
          ${paper('out_document_id', 'outPaper')}, s.warranty_until as "warrantyUntil",
          '/invoice/serialssearch?id=' || s.id as open
      from serials s join items i on i.company_id = s.company_id and i.id = s.item_id
      join parties c on c.company_id = s.company_id and c.id = s.customer_id
      where s.company_id = ${ctx.companyId}
        and s.state = 'sold' ${customer ? sql`and s.customer_id = ${customer}` : sql``}
        ${item ? sql`and s.item_id = ${item}` : sql``}
        ${until ? sql`and s.warranty_until <= ${until}` : sql``}
      order by c.name, i.name, s.number limit ${most}`.execute(ctx.tx)
    return rows
  },
})

const faults = [
  'soldWithout',
  'receivedWithout',
  'backWithout',
  'missing',
  'gap',
  'moreThanBooks',
  'placeDiffers',
] as const

/** No more numbers than so many are missing inside a run; further apart are two runs. */
const longestGap = 20

/**
 * What does not add up: papers whose units nobody named, units that are missing or whose number a run of
 * numbers lacks, and more units than the books know of, in all or in one place. A paper named its units when
 * it went out: what became of them later changes nothing about that.
 */
export const serialsMissing = defineReport({
  name: 'serialsMissing',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/serialsmissing',
  allow: 'stock.see',
  filters: { item: ref('items') },
  columns: {
    what: choice(faults),
    item: text(),
    sku: text(),
    serial: { ...text(), whenFilled: true },
    place: { ...text(), whenFilled: true },
    type: { ...choice(documentTypeNames, { words: 'documents.types' }), whenFilled: true },
    number: { ...number(), whenFilled: true },
    day: { ...day(), whenFilled: true },
    missing: { ...number(), main: true },
  },
  totals: ['missing'],
  rows: async (ctx, { item }) => {
    const only = item ? sql`and i.id = ${item}` : sql``
    const { rows } = await sql<ReportRow & { typeId: number | null }>`
      with u as (select s.item_id, s.place_id, count(*) as units from serials s
      where s.company_id = ${ctx.companyId} and s.state in ('inStock', 'returned') group by 1, 2),
      n as (select s.item_id, s.in_day, x[1] as shown, lower(x[1]) as prefix, length(x[2]) as digits,
      x[2]::bigint as n from serials s, regexp_match(s.number, '^(.*?)(\\d{1,15})$') x
      where s.company_id = ${ctx.companyId} and x is not null),
      g as (select n.*, lead(n) over w as next, lead(in_day) over w as next_day, lead(n, 2) over w as after,
      lag(n) over w as before from n window w as (partition by item_id, prefix order by n))
      select case when ${suppliesGoods('d')} then 'soldWithout' else 'receivedWithout' end as what,
        i.name as item, i.sku, null as serial, null as place, d.type as "typeId", d.number, d.day,
        (abs(m.quantity) - m.named)::int as missing, case when ${receivesGoods('d')} then
        '/invoice/previewex/'
        else '/invoice/preview/' end || d.id as open
      from (select m.item_id, m.document_id, sum(m.quantity) as quantity,
        (select count(distinct e.serial_id) from serial_events e join serials s on s.company_id = e.company_id
        and s.id = e.serial_id and s.item_id = m.item_id
          where e.company_id = ${ctx.companyId} and e.document_id = m.document_id
            and e.kind in ('sold', 'received')) as named
        from stock_moves m where m.company_id = ${ctx.companyId} and m.kind in ('issue', 'receive', 'cancel')
          and m.document_id is not null group by 1, 2) m
        join items i on i.company_id = ${ctx.companyId} and i.id = m.item_id and i.tracking = 'serial'
        join documents d on d.company_id = i.company_id and d.id = m.document_id
      where abs(m.quantity) > m.named and ${tradesGoods('d')} ${only}
      union all select 'backWithout', i.name, i.sku, null, null, d.type, d.number, d.day,
        (x.units - greatest(0, x.sold))::int, '/invoice/preview/' || d.id
        from (select s.item_id, s.out_document_id, count(*) as units,
          (select -sum(o.quantity +
          coalesce((select sum(r.quantity) from stock_moves r where r.company_id = o.company_id
          and r.reverses_id = o.id), 0))
            from stock_moves o where o.company_id = ${ctx.companyId} and o.document_id = s.out_document_id
              and o.item_id = s.item_id and o.kind = 'issue') as sold
          from serials s where s.company_id = ${ctx.companyId} and s.state = 'sold'
            and s.out_document_id is not null group by 1, 2) x
        join items i on i.company_id = ${ctx.companyId} and i.id = x.item_id
        join documents d on d.company_id = i.company_id and d.id = x.out_document_id
        where x.units > x.sold ${only}
      union all select 'missing', i.name, i.sku, s.number, null, null, null, s.in_day, 1,
        '/invoice/serialssearch?id=' || s.id from serials s join items i on i.company_id = s.company_id
        and i.id = s.item_id
        where s.company_id = ${ctx.companyId} and s.state = 'missing' ${only}
      union all select 'gap', i.name, i.sku,
        g.shown || lpad((g.n + 1)::text, greatest(g.digits, length((g.n + 1)::text)), '0') || case
        when g.next > g.n + 2 then ' – ' || g.shown ||
        lpad((g.next - 1)::text, greatest(g.digits, length((g.next - 1)::text)), '0') else '' end,
          null, null, null, coalesce(g.next_day, g.in_day), (g.next - g.n - 1)::int,
          '/invoice/serialssearch?q=' || g.shown
        from g join items i on i.company_id = ${ctx.companyId} and i.id = g.item_id
        where g.next - g.n between 2 and ${longestGap + 1} and (g.before = g.n - 1 or g.after = g.next + 1)
          ${only}
      union all select 'moreThanBooks', i.name, i.sku, null, null, null, null, null,
        (x.units - coalesce(k.quantity, 0))::int, '/invoice/stockproducts/' || i.id
        from (select item_id, sum(units) as units from u group by 1) x
          join items i on i.company_id = ${ctx.companyId} and i.id = x.item_id left
          join stock_items k on k.company_id = i.company_id and k.item_id = i.id
        where x.units > coalesce(k.quantity, 0) ${only}
      union all select 'placeDiffers', i.name, i.sku, null, p.name, null, null, null,
        (u.units - coalesce(h.quantity, 0))::int, '/invoice/serialsinstock'
        from u join items i on i.company_id = ${ctx.companyId} and i.id = u.item_id
        join stock_places p on p.company_id = i.company_id and p.id = u.place_id
          left join stock_on_hand h on h.company_id = i.company_id and h.item_id = u.item_id
            and h.place_id = u.place_id and h.batch_id = ${noBatch}::uuid
        where u.units > coalesce(h.quantity, 0) and (select sum(a.units) from u a where a.item_id = u.item_id)
          <= (select k.quantity from stock_items k where k.company_id = ${ctx.companyId}
          and k.item_id = u.item_id) ${only}
      order by 1, 2, 8`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({
      ...row,
      type: typeId === null ? null : documentTypeById(typeId)!,
    }))
  },
})
