import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { payMeans } from '../../supplierPayments.ts'

/**
 * Payments to suppliers in a period, with the tax withheld; what was paid together with its bill is included.
 */
export const providerPayment = defineReport({
  name: 'providerPayment',
  feature: 'supplierPayments',
  group: 'purchases',
  path: '/invoice/reportproviderpayment',
  allow: 'supplierPayments.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    supplier: ref('suppliers'),
    means: choice(payMeans),
  },
  columns: {
    supplier: text(),
    day: day(),
    number: text(),
    bills: text(),
    means: choice(payMeans),
    reference: text(),
    grossAgorot: money(),
    withheldAgorot: money(),
    netAgorot: money(),
  },
  groupBy: 'supplier',
  totals: ['grossAgorot', 'withheldAgorot', 'netAgorot'],
  rows: async (ctx, filters, most) => {
    const { rows } =
      await sql<ReportRow>`select supplier, day, number, bills, means, reference, gross as "grossAgorot",
          withheld as "withheldAgorot", net as "netAgorot", open
      from (${paid(ctx, filters)}) y order by supplier, supplier_id, day, id limit ${most}`.execute(ctx.tx)
    return rows
  },
  sums: async (ctx, filters) => {
    const { rows } = await sql<{
      rows: number
      grossAgorot: number
      withheldAgorot: number
      netAgorot: number
    }>`
      select count(*)::int as rows, coalesce(sum(gross), 0)::bigint as "grossAgorot",
        coalesce(sum(withheld), 0)::bigint as "withheldAgorot",
        coalesce(sum(net), 0)::bigint as "netAgorot" from (${paid(ctx, filters)}) y`.execute(ctx.tx)
    const { rows: count, ...totals } = rows[0]!
    return { rows: count, totals }
  },
  must: { netIsGrossLessWithheld: (t) => t.netAgorot === t.grossAgorot! - t.withheldAgorot! },
})

const paid = (
  ctx: Ctx,
  {
    from,
    to,
    supplier,
    means,
  }: { from: Day; to: Day; supplier: string | undefined; means: (typeof payMeans)[number] | undefined },
) => sql`select * from (
    select p.name as supplier, t.supplier_id, t.day, t.number::text as number,
      coalesce((select string_agg(nullif(e.supplier_number, ''), ', ' order by e.day) from expense_payments x
        join expenses e on e.company_id = x.company_id and e.id = x.expense_id
        where x.company_id = t.company_id and x.supplier_payment_id = t.id), '') as bills, t.means,
          t.reference,
      t.gross_agorot as gross, t.withheld_agorot as withheld, t.net_agorot as net,
      '/invoice/supplierpayment/' || t.id as open, t.id
    from supplier_payments t join parties p on p.company_id = t.company_id and p.id = t.supplier_id
    where t.company_id = ${ctx.companyId} and t.cancelled_at is null and t.day between ${from} and ${to}
    union all select p.name, e.supplier_id, x.day, '', e.supplier_number, x.means, x.reference,
      x.amount_agorot, 0, x.amount_agorot, '/invoice/Expenses/all/' || e.id, x.id
    from expense_payments x join expenses e on e.company_id = x.company_id and e.id = x.expense_id
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where x.company_id = ${ctx.companyId} and x.cancelled_at is null and x.supplier_payment_id is null
      and x.day between ${from} and ${to}) z
  where (${supplier ? sql`supplier_id in ${groupOf(ctx, supplier)}` : sql`true`})
    and (${means ?? null}::text is null or means = ${means ?? null})`
