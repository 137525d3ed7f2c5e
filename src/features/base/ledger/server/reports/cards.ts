import { sql, type RawBuilder } from 'kysely'
import { startOfMonth } from '#domain/day.ts'
import type { AccountKind } from '#domain/ledger/chart.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { entryKinds } from '../../entries.ts'
import { isProfit, startOfYear } from '../chart.ts'
import { counterOf, openOf } from '../entryWords.ts'

const columns = {
  day: day(),
  valueDay: day(),
  kind: choice(entryKinds, { words: 'ledger.kinds' }),
  reference: text(),
  details: text(),
  counter: text(),
  debitAgorot: money(),
  creditAgorot: money(),
  balanceAgorot: money(),
}

/**
 * Lines of a card with their running balance, after an opening line that carries everything before the
 * period.
 */
async function cardLines(
  ctx: Ctx,
  which: { months: RawBuilder<unknown>; lines: RawBuilder<boolean> },
  from: string,
  to: string,
  most: number | null,
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow & { amount: number }>`
    with opening as (
      select coalesce((${which.months}), 0) +
        coalesce((select sum(p.amount_agorot) from postings p
        where ${which.lines} and p.day >= ${startOfMonth(from)} and p.day < ${from}), 0) as amount
    )
    select null::date as day, null::date as "valueDay", 'opening' as kind, '' as reference, '' as details,
      '' as counter, null::bigint as "debitAgorot", null::bigint as "creditAgorot",
      null::text as currency, null::bigint as "foreignAgorot",
      amount::bigint as "balanceAgorot", null::text as open, 0 as n from opening
    union all
    select p.day, e.value_day, e.kind, e.reference, e.details,
      ${counterOf},
      case when p.amount_agorot > 0 then p.amount_agorot end, case
      when p.amount_agorot < 0 then -p.amount_agorot end,
      nullif(p.currency, 'ILS'), case when p.currency <> 'ILS' then p.foreign_amount end,
      ((select amount from opening) + sum(p.amount_agorot) over (order by p.day, p.entry_id, p.line))::bigint,
      ${openOf}, row_number() over (order by p.day, p.entry_id, p.line)
    from postings p join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where ${which.lines} and p.day between ${from} and ${to} order by n limit ${most}`.execute(ctx.tx)
  // Only the line that carries what was before: an entry of opening balances is an entry like any other, with
  // its day and its reference.
  return rows.map(({ n, ...row }) => (Number(n) === 0 ? { ...row, sum: true } : row) as ReportRow)
}

const closesRight = {
  runningBalance: (_: Record<string, number>, rows: ReportRow[]) => {
    const [opening, ...moves] = rows
    return (
      moves.reduce(
        (sum, r) => sum + Number(r.debitAgorot ?? 0) - Number(r.creditAgorot ?? 0),
        Number(opening?.balanceAgorot ?? 0),
      ) === Number(rows.at(-1)?.balanceAgorot ?? 0)
    )
  },
}

/** The card of an account. */
export const accountCard = defineReport({
  name: 'accountCard',
  feature: 'ledger',
  group: 'books',
  path: '/invoice/reportmanualcard',
  allow: 'reports.accounting',
  filters: { account: ref('accounts', { need: true }), from: day({ need: true }), to: day({ need: true }) },
  // Of a card that is held in another currency, or moved one.
  columns: {
    ...columns,
    currency: { ...text(), whenFilled: true },
    foreignAgorot: { ...money(), whenFilled: true },
  },
  totals: ['debitAgorot', 'creditAgorot'],
  rows: async (ctx, { account, from, to }, most) => {
    const { rows } = await sql<{
      kind: AccountKind
    }>`select kind from accounts where company_id = ${ctx.companyId} and id = ${account}`.execute(ctx.tx)
    if (!rows[0]) throw fail('kit.notFound')
    // Income and expense start from zero every year.
    const since = isProfit(rows[0].kind) ? startOfYear(from) : '0001-01-01'
    return cardLines(
      ctx,
      {
        months: sql`select sum(debit_agorot - credit_agorot) from account_months
          where company_id = ${ctx.companyId} and account_id = ${account} and month >= ${since}
            and month < ${startOfMonth(from)}`,
        lines: sql<boolean>`p.company_id = ${ctx.companyId} and p.account_id = ${account}`,
      },
      from,
      to,
      most,
    )
  },
  must: closesRight,
})

/** A party's card: everything that touches it, on whichever account. */
export const partyCard = (name: string, path: string, role: 'customer' | 'supplier', allow: string) =>
  defineReport({
    name,
    feature: 'ledger',
    group: 'people',
    path,
    allow,
    respects: ['ownCustomers'],
    filters: { party: ref(`${role}s`, { need: true }), from: day({ need: true }), to: day({ need: true }) },
    columns,
    totals: ['debitAgorot', 'creditAgorot'],
    rows: async (ctx, { party, from, to }, most) => {
      // Merged customers are on the card too; the entries that moved their balances would count twice.
      const { rows } = await sql<{
        id: string
      }>`select id from parties where company_id = ${ctx.companyId} and role = ${role}
        and (id = ${party} or merged_into = ${party})`.execute(ctx.tx)
      const ids = rows.map((row) => row.id)
      if (!ids.includes(party)) throw fail('kit.notFound')
      const told =
        ids.length > 1
          ? sql`and (select x.kind from entries x where x.company_id = p.company_id and x.id = p.entry_id) <>
              'merge'`
          : sql``
      return cardLines(
        ctx,
        {
          months: sql`select sum(debit_agorot - credit_agorot) from party_months
            where company_id = ${ctx.companyId} and party_id = any(${ids}::uuid[])
              and month < ${startOfMonth(from)}`,
          lines: sql<boolean>`p.company_id = ${ctx.companyId} and p.party_id = any(${ids}::uuid[]) ${told}`,
        },
        from,
        to,
        most,
      )
    },
    must: closesRight,
  })
