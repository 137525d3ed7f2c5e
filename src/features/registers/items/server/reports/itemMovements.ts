import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, price, quantity, ref, text } from '#kit/fields/field.ts'
import { isCredit, isIncomeLine, isInvoiceOrCredit, isIssued } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'

/**
 * The sales of one item and its variants, line by line, in shekels; what was credited comes back with a
 * minus.
 */
export const itemMovements = defineReport({
  name: 'itemMovements',
  feature: 'items',
  group: 'stock',
  path: '/invoice/reportitemmovements',
  allow: 'items.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { item: ref('items', { need: true }), from: day({ need: true }), to: day({ need: true }) },
  columns: {
    day: day(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    number: number(),
    customer: text(),
    description: text(),
    quantity: quantity(),
    unit: text(),
    unitPrice: price(),
    currency: text(),
    netAgorot: money(),
  },
  totals: ['netAgorot'],
  rows: async (ctx, { item, from, to }) => {
    const { rows: known } =
      await sql`select 1 from items where company_id = ${ctx.companyId} and id = ${item}`.execute(ctx.tx)
    if (!known.length) throw fail('kit.notFound')
    const types = ctx.caller.docsAllow.length ? sql`and d.type = any(${ctx.caller.docsAllow}::int[])` : sql``
    const { rows } = await sql<ReportRow>`
      select d.day, d.type as "typeId", d.number, d.customer->>'name' as customer, l.description, l.unit,
        l.unit_price as "unitPrice", d.currency,
        case when ${isCredit('d')} then -l.quantity else l.quantity end as quantity,
        (case when not ${isIncomeLine()} then 0 when ${isCredit('d')} then -l.ils_net_agorot
          else l.ils_net_agorot end)::bigint as "netAgorot",
        '/invoice/preview/' || d.id as open
      from document_lines l join documents d on d.company_id = l.company_id and d.id = l.document_id
      where l.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isInvoiceOrCredit('d')}
        and d.day between ${from} and ${to} ${types}
        and l.item_id in (select i.id from items i where i.company_id = ${ctx.companyId}
        and (i.id = ${item} or i.parent_id = ${item}))
      order by d.day, d.number, l.line`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({ ...row, type: documentTypeById(Number(typeId))! }))
  },
})
