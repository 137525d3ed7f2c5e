import { sql } from 'kysely'
import { systemAccounts } from '#domain/ledger/chart.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'

/**
 * Gives every customer and supplier in the books or on a document a card key, `<control account>-<number>`, in the
 * order they were entered. A key once given stays.
 */
export async function giveCardKeys(ctx: Ctx): Promise<void> {
  await sql`insert into uniform_cards (company_id, party_id, key)
    select ${ctx.companyId}, p.id, case p.role when 'customer' then ${systemAccounts.customers}
      else ${systemAccounts.suppliers} end || '-' ||
      lpad(((select count(*) from uniform_cards c join parties q on q.company_id = c.company_id
      and q.id = c.party_id
        where c.company_id = ${ctx.companyId} and q.role = p.role) + row_number() over (partition by p.role
        order by p.id))::text, 6, '0')
    from parties p where p.company_id = ${ctx.companyId}
      and not exists (select 1 from uniform_cards c where c.company_id = p.company_id and c.party_id = p.id)
      and (exists (select 1 from party_months m where m.company_id = p.company_id and m.party_id = p.id)
        or exists (select 1 from documents d where d.company_id = p.company_id and d.customer_id = p.id
        and ${isIssued('d')})
        or exists (select 1 from expenses x where x.company_id = p.company_id and x.supplier_id = p.id
        and x.state in ('approved', 'cancelled')))
    on conflict do nothing`.execute(ctx.tx)
}

/**
 * The card key of a line of the books: the party's where the account is the control account of its role, else the
 * account's number.
 */
export const cardKey = sql`case when a.number in (${systemAccounts.customers}, ${systemAccounts.suppliers})
    then coalesce(c.key, a.number) else a.number end`

/** Turnover of a range by card. */
export interface CardTurnover {
  key: string
  name: string
  sortCode: string
  kind: string
  code6111: string
  parent: string
  partyId: string | null
  accountId: string
  openingAgorot: number
  debitAgorot: number
  creditAgorot: number
}

/**
 * Every card with a balance or a movement in the range. Income and expenses begin each year with nothing: what
 * earlier years left is in retained earnings, so that the openings add up to zero.
 */
export async function cardTurnovers(ctx: Ctx, from: string, to: string): Promise<CardTurnover[]> {
  await giveCardKeys(ctx)
  const year = `${from.slice(0, 4)}-01-01`
  const month = `${from.slice(0, 7)}-01`
  const { rows } = await sql<CardTurnover>`
    with opening as (
      select account_id, party_id, month < ${year} as earlier, sum(amount)::bigint as amount from (
        select account_id, party_id, month, debit_agorot - credit_agorot as amount from party_months
        where company_id = ${ctx.companyId} and month < ${month}
        union all
        select account_id, null, month, debit_agorot - credit_agorot from account_months
        where company_id = ${ctx.companyId} and month < ${month}
        union all
        select account_id, null, month, credit_agorot - debit_agorot from party_months
        where company_id = ${ctx.companyId} and month < ${month}
        union all
        select account_id, party_id, day, amount_agorot from postings where company_id = ${ctx.companyId}
          and day >= ${month} and day < ${from}
      ) x group by 1, 2, 3
    ), moves as (
      select account_id, party_id, sum(greatest(amount_agorot, 0))::bigint as debit,
        sum(greatest(-amount_agorot, 0))::bigint as credit
      from postings where company_id = ${ctx.companyId} and day between ${from} and ${to} group by 1, 2
    ), retained as (
      select id from accounts where company_id = ${ctx.companyId} and number = '3900'
    ), parts as (
      select o.account_id, o.party_id, o.amount as opening, 0::bigint as debit, 0::bigint as credit
      from opening o
        join accounts a on a.company_id = ${ctx.companyId} and a.id = o.account_id
        where not (o.earlier and a.kind in ('income', 'expense'))
      union all
      select coalesce((select id from retained), o.account_id), null, o.amount, 0, 0 from opening o
        join accounts a on a.company_id = ${ctx.companyId} and a.id = o.account_id
        where o.earlier and a.kind in ('income', 'expense')
      union all select account_id, party_id, 0, debit, credit from moves
    )
    select ${cardKey} as key, case when a.number in (${systemAccounts.customers}, ${systemAccounts.suppliers})
      and c.key is not null then p.name else a.name end as name,
      a.sort_code as "sortCode", a.kind, a.code6111, case
      when a.number in (${systemAccounts.customers}, ${systemAccounts.suppliers})
      and c.key is not null then a.number else '' end as parent,
      min(x.party_id::text)::uuid as "partyId", min(a.id::text) as "accountId",
      sum(x.opening)::bigint as "openingAgorot",
      sum(x.debit)::bigint as "debitAgorot", sum(x.credit)::bigint as "creditAgorot"
    from parts x join accounts a on a.company_id = ${ctx.companyId} and a.id = x.account_id
      left join parties p on p.company_id = ${ctx.companyId} and p.id = x.party_id
      left join uniform_cards c on c.company_id = ${ctx.companyId} and c.party_id = x.party_id
    group by 1, 2, 3, 4, 5, 6 having sum(x.opening) <> 0 or sum(x.debit) <> 0 or sum(x.credit) <> 0
    order by 1`.execute(ctx.tx)
  return rows
}
