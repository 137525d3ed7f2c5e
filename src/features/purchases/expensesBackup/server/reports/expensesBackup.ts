import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, number, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { expensesOf } from '../archive.ts'

/**
 * The expenses of a period month by month: how many have their picture, and how many are still to be asked
 * for.
 */
export const expensesBackup = defineReport({
  name: 'expensesBackup',
  feature: 'expensesBackup',
  group: 'purchases',
  path: '/invoice/reportexpensesbackup',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { from: day({ need: true }), to: day({ need: true }), supplier: ref('suppliers') },
  columns: {
    month: text(),
    expenses: { ...number(), main: true },
    pictured: number(),
    without: number(),
    pictures: number(),
    totalAgorot: money(),
  },
  totals: ['expenses', 'pictured', 'without', 'pictures', 'totalAgorot'],
  rows: async (ctx, asked) => {
    const { rows } = await sql<ReportRow>`
      with e as (select e.day, e.ils_total_agorot as total,
        (select count(*) from file_links l where l.company_id = e.company_id and l.entity = 'expenses'
        and l.entity_id = e.id) as pictures
        from expenses e where ${expensesOf(ctx, asked)})
      select to_char(day, 'MM/YYYY') as month, count(*)::int as expenses,
        count(*) filter (where pictures > 0)::int as pictured, count(*) filter (where pictures = 0)::int as
        without,
        sum(pictures)::int as pictures, sum(total)::bigint as "totalAgorot",
        '/invoice/Expenses/all?day.gte=' || greatest(date_trunc('month', day)::date, ${asked.from}::date) ||
        '&day.lte=' || least((date_trunc('month', day) + interval '1 month - 1 day')::date, ${asked.to}::date)
        as open
      from e group by date_trunc('month', day), 1 order by date_trunc('month', day)`.execute(ctx.tx)
    return rows
  },
  must: { picturedOrNot: (t) => t.expenses === t.pictured! + t.without! },
})
