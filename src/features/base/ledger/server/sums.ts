import { sql, type RawBuilder } from 'kysely'
import { addDays, addMonths, endOfMonth, startOfMonth, type Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'

export interface Sums {
  debit: number
  credit: number
}

/** A stretch of days as whole months and the days of months that are cut. */
export function monthsAndDays(
  from: Day | undefined,
  to: Day,
): { months: { from: Day | undefined; before: Day }; days: { from: Day; to: Day }[] } {
  const before = to === endOfMonth(to) ? addMonths(startOfMonth(to), 1) : startOfMonth(to)
  const first = from === undefined || from === startOfMonth(from) ? from : addMonths(startOfMonth(from), 1)
  // Both ends in one month that is not whole.
  if (first !== undefined && first > before)
    return { months: { from: first, before: first }, days: [{ from: from!, to }] }
  const days: { from: Day; to: Day }[] = []
  if (from !== undefined && first !== undefined && from < first)
    days.push({ from, to: endOfMonth(from) < to ? endOfMonth(from) : to })
  if (before <= to && (from === undefined || before >= from)) days.push({ from: before, to })
  return { months: { from: first, before }, days }
}

interface SummedBy {
  months: string
  column: 'account_id' | 'party_id'
}

/**
 * Debit and credit in a range of days (both included; without a beginning, ever), by account or party. Whole months
 * come from the monthly totals; the lines of a partial month are read by the index of what moved in that month.
 */
async function sumsBy(
  ctx: Ctx,
  { months: table, column }: SummedBy,
  from: Day | undefined,
  to: Day,
): Promise<Map<string, Sums>> {
  if (from !== undefined && from > to) return new Map()
  const { months, days } = monthsAndDays(from, to)
  const id = sql.ref(`m.${column}`)
  const ids = sql.ref(`p.${column}`)
  const parts: RawBuilder<unknown>[] = [
    sql`select ${id} as id, m.debit_agorot as debit, m.credit_agorot as credit from ${sql.table(table)} m
      where m.company_id = ${ctx.companyId} and m.month < ${months.before}
        and m.month >= ${months.from ?? '0001-01-01'}`,
    ...days.map(
      (cut) => sql`select ${id} as id, l.debit, l.credit
        from (select distinct m.company_id, m.${sql.ref(column)} from ${sql.table(table)} m
        where m.company_id = ${ctx.companyId} and m.month = ${startOfMonth(cut.from)}) m
        cross join lateral (select coalesce(sum(greatest(p.amount_agorot, 0)), 0) as debit,
          coalesce(sum(greatest(-p.amount_agorot, 0)), 0) as credit
          from postings p where p.company_id = m.company_id and ${ids} = ${id} and p.day between ${cut.from}
            and ${cut.to}) l`,
    ),
  ]
  const { rows } = await sql<{
    id: string
    debit: number
    credit: number
  }>`select id, sum(debit)::bigint as debit, sum(credit)::bigint as credit
    from (${sql.join(parts, sql` union all `)}) s group by id`.execute(ctx.tx)
  return new Map(rows.map(({ id: key, debit, credit }) => [key, { debit, credit }]))
}

/** What moved on each account from a day to a day. */
export const accountSums = (ctx: Ctx, from: Day | undefined, to: Day): Promise<Map<string, Sums>> =>
  sumsBy(ctx, { months: 'account_months', column: 'account_id' }, from, to)

/** What moved for each customer and supplier, on whichever account. */
export const partySums = (ctx: Ctx, from: Day | undefined, to: Day): Promise<Map<string, Sums>> =>
  sumsBy(ctx, { months: 'party_months', column: 'party_id' }, from, to)

/**
 * What some customers or suppliers stand at together at the end of a day, debit less credit; `among` selects
 * their ids.
 */
export async function partiesNet(ctx: Ctx, among: RawBuilder<unknown>, to: Day): Promise<number> {
  // The whole of the month, less what is dated after the day: of a day near today that is next to nothing.
  const last = endOfMonth(to)
  const parts = [
    sql`select sum(m.debit_agorot - m.credit_agorot) as net from party_months m
      where m.company_id = ${ctx.companyId} and m.month <= ${startOfMonth(to)}
      and m.party_id in (select id from asked)`,
    ...(to === last
      ? []
      : [
          sql`select -sum(p.amount_agorot) from postings p where p.company_id = ${ctx.companyId}
              and p.day between ${addDays(to, 1)} and ${last}
            and p.party_id in (select id from asked)`,
        ]),
  ]
  const { rows } = await sql<{
    net: number
  }>`with asked as materialized (${among}) select coalesce(sum(net), 0)::bigint as net
    from (${sql.join(parts, sql` union all `)}) s`.execute(ctx.tx)
  return rows[0]!.net
}

/** Debit less credit. */
export const net = (sums: Sums | undefined): number => (sums ? sums.debit - sums.credit : 0)

/**
 * The balance of an account today, as its card shows it: income and expense since 1 January, everything else since
 * ever, and nothing that is dated ahead. `account` is its id, `isOfYear` whether it begins every year again, `t` the
 * row with the company. The monthly totals as far as this month, less the few lines of it that are still to come.
 */
export const balanceToday = (
  account: RawBuilder<unknown>,
  isOfYear: RawBuilder<unknown>,
): RawBuilder<number> =>
  sql<number>`(coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
    where m.company_id = t.company_id and m.account_id = ${account}
      and m.month <= ${todayThere}
      and (not (${isOfYear}) or m.month >= date_trunc('year', ${todayThere})::date)), 0)
    - coalesce((select sum(p.amount_agorot) from postings p where p.company_id = t.company_id
    and p.account_id = ${account}
      and p.day > ${todayThere} and p.day < (date_trunc('month', ${todayThere}) + interval '1 month')::date),
      0))::bigint`

/**
 * What was debited to or credited to an account from 1 January to today: the monthly totals, less the few lines of
 * this month that are still to come.
 */
export const sideThisYear = (account: RawBuilder<unknown>, side: 'debit' | 'credit'): RawBuilder<number> =>
  sql<number>`(coalesce((select sum(m.${sql.ref(`${side}_agorot`)}) from account_months m
    where m.company_id = t.company_id and m.account_id = ${account}
      and m.month between date_trunc('year', ${todayThere})::date and ${todayThere}), 0)
    - coalesce((select sum(greatest(${side === 'debit' ? sql`p.amount_agorot` : sql`-p.amount_agorot`}, 0))
    from postings p
      where p.company_id = t.company_id and p.account_id = ${account}
      and p.day > ${todayThere} and p.day < (date_trunc('month', ${todayThere}) + interval '1 month')::date),
      0))::bigint`
