import { sql } from 'kysely'
import { typeFacts } from '#domain/documents/facts.ts'
import { documentTypeById, documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, currency, day, money, number, ref, text } from '#kit/fields/field.ts'
import {
  incomeNet,
  incomeTotal,
  incomeUntaxed,
  isIncome,
  isIssued,
  sign,
} from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '../list.ts'

/** The types whose nets can be income. */
const incomeTypes = documentTypeNames.filter(
  (name) => typeFacts(name).isInvoiceOrCredit || typeFacts(name).mayBeIncome,
)

/** Income by month and document type, in shekels whatever the currency of the papers; credits take away. */
export const income = defineReport({
  name: 'income',
  feature: 'documents',
  group: 'sales',
  path: '/invoice/reportincome',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    customer: ref('customers'),
    type: choice(incomeTypes, { words: 'documents.types' }),
    currency: currency(),
  },
  columns: {
    month: text(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    count: number(),
    netAgorot: money(),
    exemptAgorot: money(),
    vatAgorot: money(),
    totalAgorot: money(),
  },
  groupBy: 'month',
  totals: ['count', 'netAgorot', 'exemptAgorot', 'vatAgorot', 'totalAgorot'],
  rows: async (ctx, { from, to, customer, type, currency: inOne }) => {
    const { rows } = await sql<ReportRow>`
      with d as (
        select to_char(day, 'MM/YYYY') as month, date_trunc('month', day) as at, type, ${sign()} as sign,
          ${incomeNet()} as net, ils_vat_agorot, ${incomeTotal()} as total,
          ${incomeUntaxed()} as untaxed
        from documents where company_id = ${ctx.companyId} and ${isIssued()} and ${isIncome()}
          and day between ${from} and ${to}${onlyAllowed(ctx, 'type')}
          ${customer ? sql`and customer_id in ${groupOf(ctx, customer)}` : sql``}
          ${type ? sql`and type = ${documentTypes[type].id}` : sql``}
          ${inOne ? sql`and currency = ${inOne}` : sql``}
      )
      select month, type as "typeId", count(*)::int as count, sum(sign * net)::bigint as
        "netAgorot", sum(sign * untaxed)::bigint as "exemptAgorot",
        sum(sign * ils_vat_agorot)::bigint as "vatAgorot", sum(sign * total)::bigint as
        "totalAgorot",
        '/invoice/documents/' || type || '?day.gte=' || greatest(at::date, ${from}::date) || '&day.lte=' ||
        least((at + interval '1 month - 1 day')::date, ${to}::date)
          || ${customer ? `&customerId=${customer}` : ''}::text || ${inOne ? `&currency=${inOne}` : ''}::text
          as open
      from d group by month, at, type order by at, type`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({ ...row, type: documentTypeById(Number(typeId))! }))
  },
  must: { netAndVat: (t) => Math.abs(t.netAgorot! + t.vatAgorot! - t.totalAgorot!) <= 100 * (t.count ?? 0) },
})
