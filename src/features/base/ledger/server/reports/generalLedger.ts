import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { entryKinds } from '../../entries.ts'
import { chartOf, isProfit, startOfYear } from '../chart.ts'
import { counterOf, openOf } from '../entryWords.ts'
import { accountSums, net } from '../sums.ts'

/** Every movement of the period by account, with what was before and a running balance. */
export const generalLedger = defineReport({
  name: 'generalLedger',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/accountingledger',
  allow: 'reports.accounting',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    account: ref('accounts'),
    kind: choice(
      entryKinds.filter((kind) => kind !== 'merge'),
      { words: 'ledger.kinds' },
    ),
  },
  columns: {
    account: text(),
    day: day(),
    kind: choice(entryKinds, { words: 'ledger.kinds' }),
    reference: text(),
    details: text(),
    counter: text(),
    debitAgorot: money(),
    creditAgorot: money(),
    balanceAgorot: { ...money(), whenFilled: true },
  },
  groupBy: 'account',
  totals: ['debitAgorot', 'creditAgorot'],
  rows: async (ctx, { from, to, account, kind }, most) => {
    const chart = await chartOf(ctx)
    const { rows: lines } = await sql<ReportRow & { accountId: string; amount: number }>`
      select p.account_id as "accountId", p.day, e.kind, e.reference, e.details, ${counterOf} as counter,
        p.amount_agorot as amount, ${openOf} as open
      from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id
      join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where e.company_id = ${ctx.companyId} and e.day between ${from}
        and ${to} ${account ? sql`and p.account_id = ${account}` : sql``}
        ${kind ? sql`and e.kind = ${kind}` : sql``}
      order by a.number, p.day, p.entry_id, p.line limit ${most}`.execute(ctx.tx)
    // A running balance over some kinds only would be no balance.
    const hasBalance = !kind
    const ever = hasBalance ? await accountSums(ctx, undefined, addDays(from, -1)) : new Map<string, never>()
    const year = hasBalance
      ? await accountSums(ctx, startOfYear(from), addDays(from, -1))
      : new Map<string, never>()
    const rows: ReportRow[] = []
    const byAccount = new Map<string, typeof lines>()
    for (const line of lines) {
      const known = byAccount.get(line.accountId)
      if (known) known.push(line)
      else byAccount.set(line.accountId, [line])
    }
    for (const { id, number, name, kind: nature } of chart.accounts) {
      if (account && id !== account) continue
      const title = `${number} ${name}`
      let balance = net((isProfit(nature) ? year : ever).get(id))
      const own = byAccount.get(id) ?? []
      if (own.length === 0 && balance === 0) continue
      if (hasBalance)
        rows.push({
          account: title,
          sum: true,
          kind: 'opening',
          debitAgorot: null,
          creditAgorot: null,
          balanceAgorot: balance,
        })
      for (const { amount, accountId: _, ...line } of own) {
        balance += amount
        rows.push({
          ...(line as ReportRow),
          account: title,
          debitAgorot: amount > 0 ? amount : null,
          creditAgorot: amount < 0 ? -amount : null,
          balanceAgorot: hasBalance ? balance : null,
        })
      }
    }
    return rows
  },
})
