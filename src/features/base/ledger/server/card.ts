import { sql } from 'kysely'
import { addDays, startOfMonth } from '#domain/day.ts'
import type { AccountKind } from '#domain/ledger/chart.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { lineCursor, packed } from '#kit/server/data/cursors.ts'
import type { z } from 'zod'
import type { cardLines as call } from '../endpoints.ts'
import { isProfit, startOfYear } from './chart.ts'
import { batchOf, counterOf, openOf } from './entryWords.ts'
import { accountSums, net } from './sums.ts'

type Input = z.output<typeof call.input>
type Answer = z.input<typeof call.output>
type Line = Answer['rows'][number] & { line: number }

const cursorOf = ({ day, entryId, line }: Pick<Line, 'day' | 'entryId' | 'line'>): string =>
  packed(JSON.stringify([day, entryId, line]))

/**
 * A page of an account's card. The first page and the last cost the same: lines are found by the index of the
 * account, and the balance before them is the monthly totals plus the lines of the page's month before it.
 */
export async function cardLines(
  ctx: Ctx,
  { id, from, to, after, before, last, size }: Input,
): Promise<Answer> {
  const { rows: accounts } = await sql<{
    kind: AccountKind
  }>`select kind from accounts where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!accounts[0]) throw fail('kit.notFound')
  const backwards = last === 'true' || before !== undefined
  const at = after ? lineCursor(after, 'after') : before ? lineCursor(before, 'before') : undefined
  const where = at
    ? sql`and (p.day, p.entry_id, p.line) ${sql.raw(backwards ? '<' : '>')}
        (${at[0]}::date, ${at[1]}::uuid, ${at[2]}::smallint)`
    : sql``
  const way = sql.raw(backwards ? 'desc' : 'asc')
  const { rows: found } = await sql<Line & { amount: number }>`
    select p.entry_id as "entryId", p.line, p.day, e.value_day as "valueDay", e.kind, e.reference, e.details,
      ${counterOf} as counter,
      (select x.name from parties x where x.company_id = p.company_id and x.id = p.party_id) as party,
      ${batchOf} as batch, p.amount_agorot as amount,
      nullif(p.currency, 'ILS') as currency, case when p.currency <> 'ILS' then p.foreign_amount end as
      "foreignAgorot", ${openOf} as open
    from (select * from postings p where p.company_id = ${ctx.companyId} and p.account_id = ${id}
      and p.day between ${from} and ${to} ${where}
      order by p.day ${way}, p.entry_id ${way}, p.line ${way} limit ${size + 1}) p
    join entries e on e.company_id = p.company_id and e.id = p.entry_id
    order by p.day ${way}, p.entry_id ${way}, p.line ${way}`.execute(ctx.tx)
  const hasMore = found.length > size
  const page = found.slice(0, size)
  if (backwards) page.reverse()

  const since = isProfit(accounts[0].kind) ? startOfYear(from) : undefined
  const opening = net((await accountSums(ctx, since, addDays(from, -1))).get(id))
  const period = (await accountSums(ctx, from, to)).get(id) ?? { debit: 0, credit: 0 }
  const first = page[0]
  let carried = opening
  if (first && (first.day !== from || at !== undefined || backwards)) {
    const month = startOfMonth(first.day)
    const { rows } = await sql<{
      amount: number
    }>`select (coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
        where m.company_id = ${ctx.companyId} and m.account_id = ${id} and m.month < ${month}
          and m.month >= ${since ?? '0001-01-01'}), 0)
      + coalesce((select sum(p.amount_agorot) from postings p where p.company_id = ${ctx.companyId}
      and p.account_id = ${id} and p.day >= ${month}
        and (p.day, p.entry_id, p.line) <
        (${first.day}::date, ${first.entryId}::uuid, ${first.line}::smallint)), 0))::bigint as
        amount`.execute(ctx.tx)
    carried = rows[0]!.amount
  }
  let balance = carried
  const rows = page.map(({ amount, ...line }) => {
    balance += amount
    return {
      ...line,
      debitAgorot: Math.max(amount, 0),
      creditAgorot: Math.max(-amount, 0),
      balanceAgorot: balance,
    }
  })
  const { rows: foreign } = await sql<Answer['foreign'][number]>`select currency,
      coalesce(sum(foreign_amount) filter (where day < ${from}), 0)::bigint as "openingAgorot",
      coalesce(sum(foreign_amount) filter (where day >= ${from} and foreign_amount > 0), 0)::bigint as
      "debitAgorot",
      coalesce(-sum(foreign_amount) filter (where day >= ${from} and foreign_amount < 0), 0)::bigint as
      "creditAgorot",
      sum(foreign_amount)::bigint as "closingAgorot"
    from postings where company_id = ${ctx.companyId} and account_id = ${id} and currency <> 'ILS'
      and foreign_amount is not null
      and day between ${since ?? '0001-01-01'} and ${to} group by currency order by currency`.execute(ctx.tx)
  const end = page.at(-1)
  return {
    rows: rows.map(({ line: _, ...row }) => row),
    openingAgorot: opening,
    carriedAgorot: carried,
    debitAgorot: period.debit,
    creditAgorot: period.credit,
    closingAgorot: opening + net(period),
    foreign,
    previous: first && (backwards ? hasMore : at !== undefined) ? cursorOf(first) : null,
    next: end && (backwards ? before !== undefined : hasMore) ? cursorOf(end) : null,
  }
}
