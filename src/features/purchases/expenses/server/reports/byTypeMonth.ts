import { sql } from 'kysely'
import { monthOf, monthsBetween, startOfMonth } from '#domain/day.ts'
import { failField } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { typeName } from '../types.ts'

const months = Array.from({ length: 12 }, (_, i) => `m${i + 1}Agorot`)

/**
 * What each kind of expense cost in each month: net and the VAT that is not recognised, as the books carry
 * it.
 */
export const byTypeMonth = defineReport({
  name: 'expensesByTypeMonth',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/reportexpensestypemonth',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { from: day({ need: true }), to: day({ need: true }), supplier: ref('suppliers') },
  columns: { type: text(), ...Object.fromEntries(months.map((m) => [m, money()])), totalAgorot: money() },
  totals: [...months, 'totalAgorot'],
  // Two kinds may be called the same.
  key: ['typeId', 'type'],
  budget: {
    account: 'accountId',
    // The first kind of an account represents it.
    missing: async (ctx, accountIds) => {
      const { rows } =
        await sql<ReportRow>`select distinct on (t.account_id) t.account_id as "accountId", t.id as "typeId",
            ${typeName(ctx.caller.language)} as type
        from expense_types t join accounts a on a.company_id = t.company_id and a.id = t.account_id
        where t.company_id = ${ctx.companyId} and a.kind = 'expense'
          and t.account_id = any(${[...accountIds]}::uuid[]) and t.archived_at is null
        order by t.account_id, t.id`.execute(ctx.tx)
      return rows.map((row) => ({ ...row, ...Object.fromEntries(months.map((m) => [m, 0])) }))
    },
  },
  rows: async (ctx, { from, to, supplier }) => {
    // A column is a month of the calendar; two of the same would be one.
    if (monthsBetween(startOfMonth(from), startOfMonth(to)) > 11)
      throw failField('to', 'expenses.longerThanYear')
    const { rows } = await sql<{
      id: string
      accountId: string | null
      type: string
      month: string
      amount: number
    }>`select t.id, case when a.kind = 'expense' then a.id end as "accountId",
        ${typeName(ctx.caller.language)} as type, date_trunc('month', e.day)::date as month,
        sum(l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot)::bigint as amount
      from expenses e join expense_lines l on l.company_id = e.company_id and l.expense_id = e.id
      join expense_types t on t.company_id = l.company_id and t.id = l.type_id
      join accounts a on a.company_id = t.company_id and a.id = t.account_id
      where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.source <> 'opening'
        and e.day between ${from}
        and ${to} ${supplier ? sql`and e.supplier_id in ${groupOf(ctx, supplier)}` : sql``}
      group by t.id, a.id, a.kind, 3, 4, a.number order by a.number, 3`.execute(ctx.tx)
    const byType = new Map<string, ReportRow>()
    for (const { id, accountId, type, month, amount } of rows) {
      const row = byType.get(id) ?? {
        typeId: id,
        accountId,
        type,
        totalAgorot: 0,
        open: `/invoice/reportexpenses?type=${id}&from=${from}&to=${to}`,
      }
      row[`m${monthOf(month)}Agorot`] = amount
      row.totalAgorot = Number(row.totalAgorot) + amount
      byType.set(id, row)
    }
    return [...byType.values()]
  },
  must: { monthsSum: (t) => months.reduce((sum, m) => sum + t[m]!, 0) === t.totalAgorot },
})
