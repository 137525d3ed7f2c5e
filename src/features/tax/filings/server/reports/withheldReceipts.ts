import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { standsFor } from '#features/registers/parties/server/index.ts'
import { certificatesGot, receiptsWithTax } from '../withheldFromUs.ts'

/**
 * Receipt by receipt, the tax that customers withheld from us, and whether the certificate of the year has
 * come.
 */
export const withheldReceipts = defineReport({
  name: 'withheldReceipts',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/reportmakorreceipts',
  allow: 'filings.see',
  filters: { from: day({ need: true }), to: day({ need: true }), customer: ref('customers') },
  columns: {
    customer: text(),
    taxId: text(),
    withholdsFile: { ...text(), whenFilled: true },
    day: day(),
    number: text(),
    receivedAgorot: money(),
    rateBp: percent(),
    withheldAgorot: money(),
    certificate: choice(['got', 'missing']),
  },
  groupBy: 'customer',
  totals: ['receivedAgorot', 'withheldAgorot'],
  rows: async (ctx, { from, to, customer }, most) => {
    const { rows } = await sql<ReportRow>`
      select p.name as customer, p.tax_id as "taxId", nullif(p.withholds_file, '') as "withholdsFile", r.day,
        r.number::text as number, r.received::bigint as "receivedAgorot",
        case when r.received <> 0 then round(10000.0 * r.withheld / r.received)::int else 0 end as "rateBp",
        r.withheld::bigint as "withheldAgorot",
        case when exists (select 1 from (${certificatesGot(ctx)}) c where c.customer_id = r.customer_id
          and c.year = extract(year from r.day)) then 'got' else 'missing' end as certificate,
          '/invoice/preview/' || r.id as open
      from (${receiptsWithTax(ctx, from, to)}) r left join parties p on p.company_id = ${ctx.companyId}
        and p.id = r.customer_id
      where (${customer ?? null}::uuid is null
        or r.customer_id = ${customer ? await standsFor(ctx, customer) : null})
      order by p.name, p.id, r.day, r.number, r.id limit ${most}`.execute(ctx.tx)
    return rows
  },
  sums: async (ctx, { from, to, customer }) => {
    const { rows } = await sql<{ rows: number; receivedAgorot: number; withheldAgorot: number }>`
      select count(*)::int as rows, coalesce(sum(r.received), 0)::bigint as "receivedAgorot",
        coalesce(sum(r.withheld), 0)::bigint as "withheldAgorot"
      from (${receiptsWithTax(ctx, from, to)}) r
      where (${customer ?? null}::uuid is null
        or r.customer_id = ${customer ? await standsFor(ctx, customer) : null})`.execute(ctx.tx)
    const { rows: count, ...totals } = rows[0]!
    return { rows: count, totals }
  },
})
