import { sql } from 'kysely'
import { endOfMonth, startOfMonth } from '../../../../domain/day.ts'
import type { ReportRow } from '../../../../kit/describe/report.ts'
import { day, money, text } from '../../../../kit/fields/field.ts'
import { defineReport } from '../../../../kit/server/reports.ts'

/**
 * Opening, movements and closing of every account in a period, from the monthly sums; the parts of months at its ends are added up
 * from the lines.
 */
export const trialBalance = defineReport({
  name: 'trialBalance',
  feature: 'ledger',
  group: 'bookkeeping',
  path: '/invoice/maazanbohan',
  allow: 'reports.accounting',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    sortCode: text(),
    number: text(),
    account: text(),
    openingAgorot: money(),
    debitAgorot: money({ band: 'movements' } as object),
    creditAgorot: money({ band: 'movements' } as object),
    balanceAgorot: money(),
  },
  groupBy: 'sortCode',
  totals: ['openingAgorot', 'debitAgorot', 'creditAgorot', 'balanceAgorot'],
  rows: async (ctx, { from, to }) => {
    // Whole months come from the sums; only a month that is cut is read line by line.
    const firstWhole = from === startOfMonth(from) ? from : startOfNextMonth(from)
    const cutEnd = to !== endOfMonth(to)
    const lastWholeEnd = cutEnd ? startOfMonth(to) : startOfNextMonth(to)
    const { rows } = await sql<ReportRow>`
      with opening as (
        select account_id, sum(debit_agorot - credit_agorot) as amount from account_months where company_id = ${ctx.companyId} and month < ${startOfMonth(from)} group by account_id
        union all
        select account_id, sum(amount_agorot) from postings where company_id = ${ctx.companyId} and day >= ${startOfMonth(from)} and day < ${from} group by account_id
      ), moves as (
        select account_id, sum(debit_agorot) as debit, sum(credit_agorot) as credit from account_months
          where company_id = ${ctx.companyId} and month >= ${firstWhole} and month < ${lastWholeEnd} group by account_id
        union all
        select account_id, sum(greatest(amount_agorot, 0)), sum(greatest(-amount_agorot, 0)) from postings
          where company_id = ${ctx.companyId} and day between ${from} and ${to} and (day < ${firstWhole} or day >= ${lastWholeEnd}) group by account_id
      ), o as (select account_id, sum(amount) as amount from opening group by account_id),
      m as (select account_id, sum(debit) as debit, sum(credit) as credit from moves group by account_id)
      select a.sort_code as "sortCode", a.number, a.name as account, coalesce(o.amount, 0)::bigint as "openingAgorot", coalesce(m.debit, 0)::bigint as "debitAgorot",
        coalesce(m.credit, 0)::bigint as "creditAgorot", (coalesce(o.amount, 0) + coalesce(m.debit, 0) - coalesce(m.credit, 0))::bigint as "balanceAgorot",
        '/invoice/cardskarteset/' || a.id || '?from=' || ${from} || '&to=' || ${to} as open
      from accounts a left join o on o.account_id = a.id left join m on m.account_id = a.id
      where a.company_id = ${ctx.companyId} and (o.amount <> 0 or m.debit <> 0 or m.credit <> 0) order by a.sort_code, a.number`.execute(
      ctx.tx,
    )
    return rows
  },
  must: {
    debitIsCredit: (totals) => totals.debitAgorot === totals.creditAgorot,
    openingIsZero: (totals) => totals.openingAgorot === 0,
    balanceIsZero: (totals) => totals.balanceAgorot === 0,
  },
})

const startOfNextMonth = (d: string): string => {
  const [year, month] = [Number(d.slice(0, 4)), Number(d.slice(5, 7))]
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}
