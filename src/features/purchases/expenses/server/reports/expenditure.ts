import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { paidMeans } from '../../expenses.ts'
import { typeName } from '../types.ts'

/** The cash side of expenses: what was paid out, when and how. */
export const expenditure = defineReport({
  name: 'expenditure',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/expenditure',
  allow: 'expenses.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    means: choice(paidMeans),
    supplier: ref('suppliers'),
  },
  columns: {
    month: text(),
    day: day(),
    supplier: text(),
    type: text(),
    number: text(),
    means: choice(paidMeans),
    reference: text(),
    paidAgorot: money(),
  },
  groupBy: 'month',
  totals: ['paidAgorot'],
  rows: async (ctx, { from, to, means, supplier }) => {
    const { rows } =
      await sql<ReportRow>`select to_char(x.day, 'MM/YYYY') as month, x.day, coalesce(p.name, '') as supplier,
          ${typeName(ctx.caller.language)} as type,
        e.supplier_number as number, x.means, x.reference, x.amount_agorot as "paidAgorot",
        '/invoice/Expenses/all/' || e.id as open
      from expense_payments x join expenses e on e.company_id = x.company_id and e.id = x.expense_id
      join expense_types t on t.company_id = e.company_id and t.id = e.type_id left
      join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      where x.company_id = ${ctx.companyId} and x.cancelled_at is null and x.day between ${from} and ${to}
        ${means ? sql`and x.means = ${means}` : sql``}
        ${supplier ? sql`and e.supplier_id in ${groupOf(ctx, supplier)}` : sql``}
      order by date_trunc('month', x.day) desc, x.day desc, x.id desc`.execute(ctx.tx)
    return rows
  },
})
