import { sql } from 'kysely'
import { addDays } from '../../../../domain/day.ts'
import type { ReportRow } from '../../../../kit/describe/report.ts'
import { money, text } from '../../../../kit/fields/field.ts'
import { defineReport } from '../../../../kit/server/reports.ts'

/** Open debts of customers by how late they are today, from the open items. */
export const ageing = defineReport({
  name: 'ageing',
  feature: 'documents',
  group: 'debts',
  path: '/invoice/reportgiol',
  allow: 'reports.debts',
  filters: {},
  columns: {
    customer: text(),
    notDueAgorot: money(),
    d30Agorot: money(),
    d60Agorot: money(),
    d90Agorot: money(),
    moreAgorot: money(),
    openAgorot: money(),
  },
  totals: ['notDueAgorot', 'd30Agorot', 'd60Agorot', 'd90Agorot', 'moreAgorot', 'openAgorot'],
  rows: async (ctx) => {
    const { today } = ctx
    const { rows } = await sql<ReportRow>`
      select p.name as customer, coalesce(sum(d.open_agorot) filter (where d.due_day >= ${today} or d.due_day is null), 0)::bigint as "notDueAgorot",
        coalesce(sum(d.open_agorot) filter (where d.due_day < ${today} and d.due_day >= ${addDays(today, -30)}), 0)::bigint as "d30Agorot",
        coalesce(sum(d.open_agorot) filter (where d.due_day < ${addDays(today, -30)} and d.due_day >= ${addDays(today, -60)}), 0)::bigint as "d60Agorot",
        coalesce(sum(d.open_agorot) filter (where d.due_day < ${addDays(today, -60)} and d.due_day >= ${addDays(today, -90)}), 0)::bigint as "d90Agorot",
        coalesce(sum(d.open_agorot) filter (where d.due_day < ${addDays(today, -90)}), 0)::bigint as "moreAgorot", sum(d.open_agorot)::bigint as "openAgorot",
        '/invoice/reportcustomercard?party=' || p.id as open
      from documents d join parties p on p.company_id = d.company_id and p.id = d.customer_id
      where d.company_id = ${ctx.companyId} and d.open_agorot <> 0 group by p.id, p.name order by sum(d.open_agorot) desc, p.name`.execute(
      ctx.tx,
    )
    return rows
  },
  must: { agesSum: (t) => t.notDueAgorot! + t.d30Agorot! + t.d60Agorot! + t.d90Agorot! + t.moreAgorot! === t.openAgorot },
})
