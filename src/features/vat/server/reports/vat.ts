import { sql } from 'kysely'
import type { ReportRow } from '../../../../kit/describe/report.ts'
import { choice, day, money } from '../../../../kit/fields/field.ts'
import { defineReport } from '../../../../kit/server/reports.ts'

const lines = ['taxableSales', 'exemptSales', 'outputVat', 'inputVatAssets', 'inputVatOther', 'toPay'] as const

/**
 * The periodic VAT return. Sales and output VAT are worked out from the documents, input VAT from the expenses; beside each figure stands
 * what the books say, worked out by itself, and the two must agree.
 */
export const vat = defineReport({
  name: 'vat',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportvat',
  allow: 'reports.tax',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: { line: choice(lines), fromDocumentsAgorot: money(), fromBooksAgorot: money(), shekels: money() },
  totals: [],
  rows: async (ctx, { from, to }) => {
    const { rows: documents } = await sql<{ taxable: number; exempt: number; vat: number }>`
      select coalesce(sum(sign * (ils_net_agorot - ils_untaxed_agorot)), 0)::bigint as taxable, coalesce(sum(sign * ils_untaxed_agorot), 0)::bigint as exempt,
        coalesce(sum(sign * ils_vat_agorot), 0)::bigint as vat
      from (select case when type = 10 then -1 else 1 end as sign, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot
        from documents where company_id = ${ctx.companyId} and status <> 'draft' and type in (8, 9, 10) and day between ${from} and ${to}) d`.execute(
      ctx.tx,
    )
    // An expense counts in the period its VAT is claimed in; its reversal in that of the reversal.
    const { rows: expenses } = await sql<{ assets: number; other: number }>`
      select coalesce(sum(sign * equipment_vat_agorot), 0)::bigint as assets, coalesce(sum(sign * (recognised_vat_agorot - equipment_vat_agorot)), 0)::bigint as other
      from (select 1 as sign, vat_day as on_day, equipment_vat_agorot, recognised_vat_agorot from expenses where company_id = ${ctx.companyId} and state in ('approved', 'cancelled')
        union all select -1, cancelled_vat_day, equipment_vat_agorot, recognised_vat_agorot from expenses where company_id = ${ctx.companyId} and state = 'cancelled') e
      where on_day between ${from} and ${to}`.execute(ctx.tx)
    const { rows: books } = await sql<{ number: string; amount: number }>`
      select case when a.kind = 'income' then 'income' else a.number end as number, sum(-p.amount_agorot)::bigint as amount from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to} and (a.number in ('2100', '1200', '1210') or (a.kind = 'income' and a.number <> '8910')) group by 1`.execute(
      ctx.tx,
    )
    const d = documents[0]!
    const input = expenses[0]!
    const booked = (number: string) => books.find((b) => b.number === number)?.amount ?? 0
    const assets = -booked('1210')
    const other = -booked('1200')
    const sales = booked('income')
    const fromDocuments = {
      taxableSales: d.taxable,
      exemptSales: d.exempt,
      outputVat: d.vat,
      inputVatAssets: input.assets,
      inputVatOther: input.other,
      toPay: d.vat - input.assets - input.other,
    }
    // The books know sales as one sum; what is exempt there is what the taxable part leaves.
    const fromBooks = {
      taxableSales: sales - d.exempt,
      exemptSales: d.exempt,
      outputVat: booked('2100'),
      inputVatAssets: assets,
      inputVatOther: other,
      toPay: booked('2100') - assets - other,
    }
    return lines.map((line): ReportRow => ({
      line,
      fromDocumentsAgorot: fromDocuments[line],
      fromBooksAgorot: fromBooks[line],
      // The return is in whole shekels, each figure rounded by itself.
      shekels: Math.sign(fromDocuments[line]) * Math.round(Math.abs(fromDocuments[line]) / 100) * 100,
      open:
        line === 'toPay'
          ? null
          : line.startsWith('input')
            ? `/invoice/Expenses?state=approved&vatDay.gte=${from}&vatDay.lte=${to}`
            : `/invoice/documents?type.in=8,9,10&day.gte=${from}&day.lte=${to}`,
    }))
  },
  must: { bothWays: (_totals, rows) => rows.every((r) => r.fromDocumentsAgorot === r.fromBooksAgorot) },
})
