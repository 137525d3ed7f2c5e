import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, number, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'

/** The number of a paper and where it is opened; both null where there is none, or whoever asks may not see it. */
const paper = (column: string, name: string) => sql`(select d.number::text from documents d where d.company_id = s.company_id and d.id = ${sql.ref(`s.${column}`)}) as ${sql.ref(name)},
        (select case when d.type in (12, 13) then '/invoice/previewex/' else '/invoice/preview/' end || d.id from documents d
          where d.company_id = s.company_id and d.id = ${sql.ref(`s.${column}`)}) as ${sql.ref(`${name}Opens`)}`

/** Units that lie here, by place, with how long. */
export const serialsInStock = defineReport({
  name: 'serialsInStock',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/serialsinstock',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { item: ref('items'), place: ref('stockplaces') },
  columns: { place: text(), serial: { ...text(), main: true }, item: text(), sku: text(), inDay: day(), inPaper: { ...text(), opens: 'inPaperOpens', whenFilled: true }, ageDays: number() },
  groupBy: 'place',
  totals: [],
  rows: async (ctx, { item, place }, most) => {
    const { rows } =
      await sql<ReportRow>`select p.name as place, i.name as item, i.sku, s.number as serial, s.in_day as "inDay", ${paper('in_document_id', 'inPaper')}, ${ctx.today}::date - s.in_day as "ageDays", '/invoice/serialssearch?id=' || s.id as open
      from serials s join items i on i.company_id = s.company_id and i.id = s.item_id left join stock_places p on p.company_id = s.company_id and p.id = s.place_id
      where s.company_id = ${ctx.companyId} and s.state in ('inStock', 'returned') ${item ? sql`and s.item_id = ${item}` : sql``} ${place ? sql`and (p.id = ${place} or p.parent_id = ${place})` : sql``}
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
      await sql<ReportRow>`select c.name as customer, i.name as item, i.sku, s.number as serial, s.out_day as "outDay", ${paper('in_document_id', 'inPaper')}, ${paper('out_document_id', 'outPaper')}, s.warranty_until as "warrantyUntil", '/invoice/serialssearch?id=' || s.id as open
      from serials s join items i on i.company_id = s.company_id and i.id = s.item_id join parties c on c.company_id = s.company_id and c.id = s.customer_id
      where s.company_id = ${ctx.companyId} and s.state = 'sold' ${customer ? sql`and s.customer_id = ${customer}` : sql``} ${item ? sql`and s.item_id = ${item}` : sql``} ${until ? sql`and s.warranty_until <= ${until}` : sql``}
      order by c.name, i.name, s.number limit ${most}`.execute(ctx.tx)
    return rows
  },
})

const faults = ['soldWithout', 'receivedWithout', 'missing', 'moreThanBooks'] as const

/** What does not add up: papers whose units nobody named, units that are missing, and more units than the books know of. */
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
    type: { ...choice(documentTypeNames, { words: 'documents.types' }), whenFilled: true },
    number: { ...number(), whenFilled: true },
    day: { ...day(), whenFilled: true },
    missing: { ...number(), main: true },
  },
  totals: ['missing'],
  rows: async (ctx, { item }) => {
    const only = item ? sql`and i.id = ${item}` : sql``
    const { rows } = await sql<ReportRow & { typeId: number | null }>`
      select case when d.type in (3, 8, 9) then 'soldWithout' else 'receivedWithout' end as what, i.name as item, i.sku, null as serial, d.type as "typeId", d.number, d.day,
        (abs(m.quantity) - m.named)::int as missing, case when d.type in (12, 13) then '/invoice/previewex/' else '/invoice/preview/' end || d.id as open
      from (select m.item_id, m.document_id, sum(m.quantity) as quantity, (select count(*) from serials s where s.company_id = ${ctx.companyId} and s.item_id = m.item_id
          and (s.out_document_id = m.document_id or s.in_document_id = m.document_id)) as named
        from stock_moves m where m.company_id = ${ctx.companyId} and m.kind in ('issue', 'receive', 'cancel') and m.document_id is not null group by 1, 2) m
        join items i on i.company_id = ${ctx.companyId} and i.id = m.item_id and i.tracking = 'serial' join documents d on d.company_id = i.company_id and d.id = m.document_id
      where abs(m.quantity) > m.named and d.type in (3, 8, 9, 12, 13) ${only}
      union all select 'missing', i.name, i.sku, s.number, null, null, s.in_day, 1, '/invoice/serialssearch?id=' || s.id from serials s join items i on i.company_id = s.company_id and i.id = s.item_id
        where s.company_id = ${ctx.companyId} and s.state = 'missing' ${only}
      union all select 'moreThanBooks', i.name, i.sku, null, null, null, null, (x.units - coalesce(k.quantity, 0))::int, '/invoice/stockproducts/' || i.id
        from (select s.item_id, count(*) as units from serials s where s.company_id = ${ctx.companyId} and s.state in ('inStock', 'returned') group by 1) x
          join items i on i.company_id = ${ctx.companyId} and i.id = x.item_id left join stock_items k on k.company_id = i.company_id and k.item_id = i.id
        where x.units > coalesce(k.quantity, 0) ${only}
      order by 1, 2, 7`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({ ...row, type: typeId === null ? null : documentTypeById(typeId)! }))
  },
})
