import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { say } from '#kit/server/words.ts'
import { incomeOf, shareBp } from '../parts.ts'

/** What each customer bought in a period, in shekels, the largest first: what was invoiced, what was credited, his part of all. */
export const perCustomer = defineReport({
  name: 'perCustomer',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/reportpercustomer',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
  },
  columns: {
    customer: text(),
    count: number(),
    lastDay: day(),
    invoicedAgorot: money(),
    creditedAgorot: { ...money(), whenFilled: true },
    netAgorot: { ...money(), main: true },
    exemptAgorot: { ...money(), whenFilled: true },
    vatAgorot: money(),
    totalAgorot: money(),
    shareBp: percent(),
  },
  totals: ['count', 'invoicedAgorot', 'creditedAgorot', 'netAgorot', 'exemptAgorot', 'vatAgorot', 'totalAgorot'],
  rows: async (ctx, { from, to, customer, customerType, agent }) => {
    // First by the card on the paper, then by whom it turned out to be: a year has many papers and few customers.
    const { rows } = await sql<ReportRow & { netAgorot: number; id: string | null }>`
      with d as (
        select d.customer_id, count(*) as n, max(d.day) as last, sum(d.ils_net_agorot) filter (where d.type <> 10) as invoiced,
          sum(d.ils_net_agorot) filter (where d.type = 10) as credited, sum(case when d.type = 10 then -d.ils_untaxed_agorot else d.ils_untaxed_agorot end) as exempt,
          sum(case when d.type = 10 then -d.ils_vat_agorot else d.ils_vat_agorot end) as vat,
          sum(case when d.type = 10 then -d.ils_total_agorot else d.ils_total_agorot end) as total
        from documents d where ${incomeOf(ctx, from, to, { customer, customerType, agent })} group by d.customer_id
      )
      select p.id, coalesce(p.name, ${say(ctx.caller.language, 'salesReports.noCustomer')}) as customer, sum(n)::int as count, max(last) as "lastDay",
        coalesce(sum(invoiced), 0)::bigint as "invoicedAgorot", nullif(-sum(credited), 0)::bigint as "creditedAgorot",
        (coalesce(sum(invoiced), 0) - coalesce(sum(credited), 0))::bigint as "netAgorot", nullif(sum(exempt), 0)::bigint as "exemptAgorot", sum(vat)::bigint as "vatAgorot", sum(total)::bigint as "totalAgorot",
        case when p.id is not null then '/invoice/documents?customerId=' || p.id || '&day.gte=' || ${from}::text || '&day.lte=' || ${to}::text end as open
      from d left join parties i on i.company_id = ${ctx.companyId} and i.id = d.customer_id
        left join parties p on p.company_id = i.company_id and p.id = coalesce(i.merged_into, i.id)
      group by p.id, p.name order by 7 desc, 2`.execute(ctx.tx)
    const whole = rows.reduce((sum, { netAgorot }) => sum + netAgorot, 0)
    return rows.map(({ id: _, ...row }) => ({ ...row, shareBp: ctx.caller.hideTotalPrices ? null : shareBp(row.netAgorot, whole) }))
  },
  must: {
    creditsTakeAway: (t) => t.invoicedAgorot! + t.creditedAgorot! === t.netAgorot,
    netAndVat: (t) => Math.abs(t.netAgorot! + t.vatAgorot! - t.totalAgorot!) <= 100 * (t.count ?? 0),
  },
})
