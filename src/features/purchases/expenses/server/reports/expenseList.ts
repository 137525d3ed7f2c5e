import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { states } from '../../expenses.ts'
import { typeName } from '../types.ts'

/**
 * Every line of every bill of a period, with the part the law recognizes. What was sent back is in no report.
 */
export const expenseList = defineReport({
  name: 'expenseList',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/reportexpenses',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    supplier: ref('suppliers'),
    type: ref('expensetypes'),
    state: choice(states),
  },
  columns: {
    day: day(),
    supplier: text(),
    number: text(),
    type: text(),
    details: text(),
    netAgorot: money(),
    vatAgorot: money(),
    recognisedVatAgorot: money(),
    costAgorot: money(),
    incomeTaxAgorot: money(),
    allocation: text(),
    state: choice(states),
  },
  totals: ['netAgorot', 'vatAgorot', 'recognisedVatAgorot', 'costAgorot', 'incomeTaxAgorot'],
  rows: async (ctx, { from, to, supplier, type, state }) => {
    const { rows } =
      await sql<ReportRow>`select e.day, coalesce(p.name, '') as supplier, e.supplier_number as number,
          ${typeName(ctx.caller.language)} as type,
        coalesce(nullif(l.details, ''), e.details) as details, l.ils_net_agorot as "netAgorot",
        l.ils_vat_agorot as "vatAgorot", l.recognised_vat_agorot as "recognisedVatAgorot",
        l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot as "costAgorot",
        round((l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot)::numeric * l.income_tax_bp /
        10000)::bigint as "incomeTaxAgorot",
        e.allocation_number as allocation, e.state, '/invoice/Expenses/all/' || e.id as open
      from expenses e join expense_lines l on l.company_id = e.company_id and l.expense_id = e.id
      join expense_types t on t.company_id = l.company_id and t.id = l.type_id left
      join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      where e.company_id = ${ctx.companyId} and e.source <> 'opening' and e.day between ${from} and ${to}
        and ${state ? sql`e.state = ${state}` : sql`e.state not in ('draft', 'rejected', 'cancelled')`}
        ${supplier ? sql`and e.supplier_id in ${groupOf(ctx, supplier)}` : sql``}
        ${type ? sql`and l.type_id = ${type}` : sql``}
      order by e.day, e.id, l.line`.execute(ctx.tx)
    return rows
  },
  must: { costIsTheRest: (t) => t.costAgorot === t.netAgorot! + t.vatAgorot! - t.recognisedVatAgorot! },
})
