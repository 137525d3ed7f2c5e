import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'

/**
 * What is owed to each supplier by how late it is, from the open bills; beside it the supplier's balance in the
 * books.
 */
export const supplierBalances = defineReport({
  name: 'supplierBalances',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/reportsupplierbalances',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {},
  columns: {
    supplier: text(),
    notDueAgorot: money(),
    d30Agorot: money(),
    moreAgorot: money(),
    openAgorot: money(),
    cardAgorot: money(),
  },
  totals: ['notDueAgorot', 'd30Agorot', 'moreAgorot', 'openAgorot', 'cardAgorot'],
  rows: async (ctx) => {
    const { today } = ctx
    const month = addDays(today, -30)
    const { rows } = await sql<ReportRow>`
      with owed as (select coalesce(s.merged_into, s.id) as supplier_id,
        sum(open_agorot) filter (where due_day >= ${today} or due_day is null) as not_due,
          sum(open_agorot) filter (where due_day < ${today} and due_day >= ${month}) as d30,
          sum(open_agorot) filter (where due_day < ${month}) as more, sum(open_agorot) as open
        from expenses e join parties s on s.company_id = e.company_id and s.id = e.supplier_id
        where e.company_id = ${ctx.companyId} and open_agorot <> 0 group by 1),
      cards as (select coalesce(p.merged_into, p.id) as party_id, sum(m.credit_agorot - m.debit_agorot) as
      card from party_months m join parties p on p.company_id = m.company_id and p.id = m.party_id
        where m.company_id = ${ctx.companyId} and p.role = 'supplier' group by 1)
      select p.name as supplier, coalesce(o.not_due, 0)::bigint as "notDueAgorot",
        coalesce(o.d30, 0)::bigint as "d30Agorot", coalesce(o.more, 0)::bigint as "moreAgorot",
        coalesce(o.open, 0)::bigint as "openAgorot", coalesce(c.card, 0)::bigint as "cardAgorot",
        '/invoice/reportprovidercard?party=' || p.id as open
      from parties p left join owed o on o.supplier_id = p.id left join cards c on c.party_id = p.id
      where p.company_id = ${ctx.companyId} and p.role = 'supplier' and (o.open <> 0 or c.card <> 0)
      order by coalesce(c.card, 0) desc, p.name`.execute(ctx.tx)
    return rows
  },
  must: { agesSum: (t) => t.openAgorot === t.notDueAgorot! + t.d30Agorot! + t.moreAgorot! },
})
