import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { inShekels } from '#domain/bank/inCurrency.ts'
import { sum } from '#domain/money.ts'
import { bankBalanceOn } from '#features/money/bank/server/index.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { ratesOn } from '#features/registers/rates/server/index.ts'
import type { RevaluationLine } from '../endpoints.ts'

export interface BankBalance {
  accountId: string
  currency: string
  foreignAgorot: number
}

export interface HeldAccount {
  id: string
  /** A bank account's difference is beside it, any other card's on the card. */
  what: 'bank' | 'card'
  name: string
  booksAgorot: number
  /** What it is held in, and how much of it; null where no bank account says. */
  currency: string | null
  foreignAgorot: number | null
}

interface Position {
  what: RevaluationLine['what']
  accountId: string
  partyId: string | null
  name: string
  currency: string
  foreignAgorot: number
  booksAgorot: number
}

/**
 * What customers owed at the end of a day by open papers in foreign currency: as they stand now, with what
 * was closed later put back.
 */
async function ofCustomers(ctx: Ctx, day: Day): Promise<Position[]> {
  const { rows } = await sql<Position>`
    with later as (
      select to_id as id, to_agorot as amount, to_ils_agorot as ils from settlements
      where company_id = ${ctx.companyId} and day > ${day}
      union all select from_id, -from_agorot, -from_ils_agorot from settlements
      where company_id = ${ctx.companyId} and day > ${day}
    ), back as (select id, sum(amount) as amount, sum(ils) as ils from later group by id)
    select 'customers' as what, a.id as "accountId", d.customer_id as "partyId", p.name, d.currency,
      sum(d.open_in_currency_agorot + coalesce(b.amount, 0))::bigint as "foreignAgorot",
      sum(d.open_agorot + coalesce(b.ils, 0))::bigint as "booksAgorot"
    from documents d join accounts a on a.company_id = d.company_id and a.number = ${systemAccounts.customers}
      left join parties p on p.company_id = d.company_id and p.id = d.customer_id left
      join back b on b.id = d.id
    where d.company_id = ${ctx.companyId} and ${isIssued('d')} and d.currency <> 'ILS' and d.day <= ${day}
    group by a.id, d.customer_id, p.name, d.currency
    having sum(d.open_in_currency_agorot + coalesce(b.amount, 0)) <> 0
      or sum(d.open_agorot + coalesce(b.ils, 0)) <> 0`.execute(ctx.tx)
  return rows
}

/**
 * What was owed to suppliers by bills in foreign currency: the open part of each in its own currency, in
 * proportion.
 */
async function ofSuppliers(ctx: Ctx, day: Day): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select 'suppliers' as what, a.id as "accountId", e.supplier_id as "partyId", p.name, e.currency,
      -sum(round(case when e.paper = 'selfInvoice' then e.net_agorot else e.total_agorot end::numeric *
      e.open_then / e.owed_agorot))::bigint as "foreignAgorot", -sum(e.open_then)::bigint as "booksAgorot"
    from (select e.*,
      e.open_agorot +
      coalesce((select sum(x.amount_agorot) from expense_payments x where x.company_id = e.company_id
      and x.expense_id = e.id
        and x.cancelled_at is null and x.day > ${day}), 0) as open_then from expenses e
        where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.currency <> 'ILS'
          and e.books_day <= ${day} and e.owed_agorot <> 0) e
      join accounts a on a.company_id = e.company_id and a.number = ${systemAccounts.suppliers}
      join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where e.open_then <> 0 group by a.id, e.supplier_id, p.name, e.currency`.execute(ctx.tx)
  return rows
}

/**
 * Cards of the balance sheet that may be kept in foreign currency: not those of customers and suppliers,
 * which are their open items. `a` is the account.
 */
const mayBeHeld = sql`a.kind in ('asset', 'liability') and a.archived_at is null
    and a.number not in (${systemAccounts.customers}, ${systemAccounts.suppliers})
  and coalesce(a.key, '') not in ('customersRevaluation', 'suppliersRevaluation', 'bankRevaluation')`
const isBank = sql`(a.code6111 = '7120' or h.on_bank)`

/**
 * Accounts that hold foreign currency, with their balance in the books at the end of a day: those of banks by their
 * line of form 6111 or by a linked bank account, every other card on which foreign currency was posted, and
 * requested ones. For those with a bank account, how much of it was there: by the statements, else as it was posted.
 * A card without a bank account is held in the currency its lines were typed in, when that is one.
 */
export async function heldAccounts(ctx: Ctx, day: Day, also: readonly string[] = []): Promise<HeldAccount[]> {
  const { rows } = await sql<
    HeldAccount & { bankIds: string[] }
  >`select a.id, case when ${isBank} then 'bank' else 'card' end as what, a.number || ' ' || a.name as name,
      coalesce((select sum(p.amount_agorot) from postings p where p.company_id = a.company_id
      and p.account_id = a.id and p.day <= ${day}), 0)::bigint as "booksAgorot",
      h.currency,
      coalesce((select sum(amount_in(h.currency, 0, p.currency, p.foreign_amount)) from postings p
        where p.company_id = a.company_id and p.account_id = a.id and p.currency is not null
          and p.day <= ${day}), 0)::bigint as "foreignAgorot",
      array(select b.id from bank_accounts b where b.company_id = a.company_id and b.account_id = a.id
      and b.archived_at is null order by b.id) as "bankIds"
    from accounts a
      cross join lateral
        (select exists (select 1 from bank_accounts b where b.company_id = a.company_id
        and b.account_id = a.id)
        and currency_of_account(a.company_id, a.id) <> 'ILS' as on_bank) b
      cross join lateral
        (select b.on_bank, case when exists (select 1 from bank_accounts b where b.company_id = a.company_id
        and b.account_id = a.id)
        then nullif(currency_of_account(a.company_id, a.id), 'ILS')
        else (select min(p.currency) from postings p where p.company_id = a.company_id and p.account_id = a.id
        and p.currency <> 'ILS' having count(distinct p.currency) = 1) end as currency) h
    where a.company_id = ${ctx.companyId} and ${mayBeHeld} and (${isBank} or a.id = any(${also}::uuid[])
      or exists (select 1 from postings p where p.company_id = a.company_id and p.account_id = a.id
      and p.currency <> 'ILS')) order by a.number`.execute(ctx.tx)
  const known: HeldAccount[] = []
  for (const { bankIds, ...row } of rows) {
    // A loan that was paid back has nothing left to be told.
    if (row.what === 'card' && !row.booksAgorot && !row.foreignAgorot && !also.includes(row.id)) continue
    const balances: (number | null)[] = []
    if (row.currency) for (const id of bankIds) balances.push(await bankBalanceOn(ctx, id, day))
    const isTold = balances.length > 0 && balances.every((one) => one !== null)
    known.push({
      ...row,
      foreignAgorot:
        row.currency === null ? null : isTold ? sum(balances.map((one) => one ?? 0)) : row.foreignAgorot,
    })
  }
  return known
}

/** Every other card that may be told to be kept in foreign currency. */
export async function otherCards(
  ctx: Ctx,
  known: readonly HeldAccount[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select a.id, a.number || ' ' || a.name as name from accounts a
    where a.company_id = ${ctx.companyId} and ${mayBeHeld}
      and a.id <> all(${known.map(({ id }) => id)}::uuid[]) order by a.number`.execute(ctx.tx)
  return rows
}

async function ofAccounts(ctx: Ctx, day: Day, banks: readonly BankBalance[]): Promise<Position[]> {
  if (!banks.length) return []
  const known = await heldAccounts(
    ctx,
    day,
    banks.map(({ accountId }) => accountId),
  )
  return banks.map(({ accountId, currency, foreignAgorot }, i) => {
    const account = known.find((one) => one.id === accountId)
    if (!account || banks.findIndex((one) => one.accountId === accountId) !== i)
      throw failField(`banks.${i}.accountId`, 'fields.ref')
    if (currency === 'ILS') throw failField(`banks.${i}.currency`, 'fields.choice')
    return {
      what: account.what,
      accountId,
      partyId: null,
      name: account.name,
      currency,
      foreignAgorot,
      booksAgorot: account.booksAgorot,
    }
  })
}

/** Every balance in foreign currency at the end of a day, at that day's rate. */
export async function positionsAt(
  ctx: Ctx,
  day: Day,
  banks: readonly BankBalance[],
): Promise<RevaluationLine[]> {
  const rates = new Map((await ratesOn(ctx, day)).map((one) => [one.currency, one.rate]))
  const positions = [
    ...(await ofCustomers(ctx, day)),
    ...(await ofSuppliers(ctx, day)),
    ...(await ofAccounts(ctx, day, banks)),
  ]
  return positions
    .map((one): RevaluationLine => {
      const rate = rates.get(one.currency) ?? null
      const value = rate === null ? null : inShekels(one.foreignAgorot, rate)
      return {
        ...one,
        rate,
        valueAgorot: value,
        differenceAgorot: value === null ? null : value - one.booksAgorot,
      }
    })
    .toSorted((a, b) => a.what.localeCompare(b.what) || a.name.localeCompare(b.name))
}
