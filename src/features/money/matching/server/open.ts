import { sql, type RawBuilder } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { OpenBankLine, OpenPostingRow } from '../endpoints.ts'

/** What the bank knows, and what the books say of it, is of the whole business. */
export const whole = (ctx: Ctx): void => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

export interface Account {
  id: string
  name: string
  currency: string
  accountId: string
  accountName: string
  /**
   * The currency of the account in the books: its currency, unless a bank account in another one is posted there
   * too.
   */
  held: string
  /** All bank accounts that are posted to that account of the books, this one among them. */
  bankAccountIds: string[]
}

/** A bank account with the account of the books behind it. */
export async function loadAccount(ctx: Ctx, id: string): Promise<Account> {
  const { rows } = await sql<Account>`select b.id, b.name, b.currency, b.account_id as "accountId",
        a.number || ' ' || a.name as "accountName", currency_of_account(b.company_id, b.account_id) as held,
      array(select x.id from bank_accounts x where x.company_id = b.company_id and x.account_id = b.account_id
      order by x.id) as "bankAccountIds"
    from bank_accounts b join accounts a on a.company_id = b.company_id and a.id = b.account_id
    where b.company_id = ${ctx.companyId} and b.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** The same, to be matched: two currencies on one account of the books cannot be told apart. */
export async function matchedAccount(ctx: Ctx, id: string): Promise<Account> {
  const account = await loadAccount(ctx, id)
  if (account.currency !== account.held)
    throw fail('matching.foreignCurrency', { currency: account.currency })
  return account
}

/**
 * The person who matches on these accounts of the books waits for the others who do; in the order of ids, so that
 * nobody waits crosswise.
 */
export const lockAccounts = (ctx: Ctx, ...accountIds: string[]) =>
  sql`select 1 from bank_accounts where company_id = ${ctx.companyId}
      and account_id = any(${accountIds}::uuid[]) order by id for update`.execute(ctx.tx)

export const keyOf = (entryId: string, line: number): string => `${entryId}:${line}`
export const partsOf = (key: string): { entryId: string; line: number } => {
  const [entryId = '', line = ''] = key.split(':')
  return { entryId, line: Number(line) }
}

/** A line of the bank as answers have it; `l` is the line. */
export const lineColumns = sql`l.id, l.bank_account_id as "bankAccountId", l.day, l.text, l.details,
    l.reference, l.amount_agorot as "amountAgorot"`

/** A posting's amount in a currency; `p` is the posting. */
export const amountIn = (currency: string): RawBuilder<number> =>
  currency === 'ILS'
    ? sql`p.amount_agorot`
    : sql`amount_in(${currency}, p.amount_agorot, p.currency, p.foreign_amount)`

/** A posting as answers have it; `p` is the posting, `e` its entry. */
export const postingColumnsIn = (
  currency: string,
  amount = amountIn(currency),
): RawBuilder<unknown> => sql`p.entry_id || ':' || p.line as key, p.day, e.kind, e.reference, e.details,
    ${amount} as "amountAgorot",
  (select a.name from postings o join parties a on a.company_id = o.company_id and a.id = o.party_id
    where o.company_id = p.company_id and o.entry_id = p.entry_id and o.party_id is not null order by o.line
    limit 1) as party,
  coalesce((select
  string_agg(distinct (select a.name from accounts a where a.company_id = o.company_id
  and a.id = o.account_id), ', ') from postings o
    where o.company_id = p.company_id and o.entry_id = p.entry_id
      and (o.amount_agorot > 0) <> (p.amount_agorot > 0)), '') as counter,
  case when e.document_id is not null then '/invoice/preview/' || e.document_id
    else coalesce((select '/invoice/Expenses/all/' || x.expense_id from expense_entries x
    where x.company_id = e.company_id and x.entry_id = e.id),
      (select '/invoice/supplierpayment/' || x.id from supplier_payments x where x.company_id = e.company_id
      and x.entry_id in (e.id, e.reverses_id)),
      (select '/invoice/deposits/' || x.id from deposits x where x.company_id = e.company_id
      and x.entry_id in (e.id, e.reverses_id))) end as open`

export const postingColumns = postingColumnsIn('ILS')

/**
 * The entry this one reverses: by name, or because its document cancels the document of the other: that one is found
 * first, by its key, so that no entries are scanned. `e` is the entry.
 */
export const takesBack: RawBuilder<string | null> =
  sql`coalesce(e.reverses_id, case when e.document_id is not null then
      (select (array_agg(o.id order by o.id))[1] from entries o
  where o.company_id = e.company_id
    and o.document_id =
    any(array(select d.id from documents d where d.company_id = e.company_id
    and d.cancelled_by_id = e.document_id))) end)`

/** What matches took of a posting, in a currency; `p` is the posting. */
const takenIn = (currency: string): RawBuilder<number> =>
  sql`coalesce((select sum(matched_part(${amountIn(currency)}, x.amount_agorot, p.amount_agorot))
    from match_postings x
    where x.company_id = p.company_id and x.entry_id = p.entry_id and x.line = p.line), 0)`

/** What of a posting is in no match yet; `p` is the posting. */
export const restIn = (currency: string): RawBuilder<number> =>
  sql`(${amountIn(currency)} - ${takenIn(currency)})::bigint`

/**
 * Not in a match yet, or only a part of it; `p` is the posting. Amounts are summed only for the few lines that were
 * matched in part.
 */
export const unmatchedPosting = sql<boolean>`(not exists (select 1 from match_postings x
  where x.company_id = p.company_id and x.entry_id = p.entry_id and x.line = p.line
    and x.amount_agorot is null)
  and (not exists (select 1 from match_postings x where x.company_id = p.company_id
  and x.entry_id = p.entry_id and x.line = p.line and x.amount_agorot is not null)
    or ${restIn('ILS')} <> 0))`
/** Not in a match yet; `l` is the line. */
export const unmatchedLine = sql<boolean>`not exists (select 1 from match_lines x
  where x.company_id = l.company_id and x.line_id = l.id)`

export const linesShown = 1000
export const postingsShown = 2000

export async function openLines(
  ctx: Ctx,
  bankAccountIds: readonly string[],
  limit = linesShown,
): Promise<OpenBankLine[]> {
  // The first of each account by its index, instead of all of all of them in order.
  const { rows } =
    await sql<OpenBankLine>`select ${lineColumns} from unnest(${[...bankAccountIds]}::uuid[]) b cross
      join lateral (
      select l.* from bank_lines l where l.company_id = ${ctx.companyId} and l.bank_account_id = b
        and ${unmatchedLine}
      order by l.day, l.statement_id, l.position limit ${limit}) l
    order by l.day, l.statement_id, l.position limit ${limit}`.execute(ctx.tx)
  return rows
}

export async function openPostings(
  ctx: Ctx,
  { accountId, currency }: Pick<Account, 'accountId' | 'currency'>,
  from: string | null,
  limit = postingsShown,
): Promise<OpenPostingRow[]> {
  const { rows } =
    await sql<OpenPostingRow>`select ${postingColumnsIn(currency, restIn(currency))} from postings p
      join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.account_id = ${accountId} and ${amountIn(currency)} <> 0
      and ${from ? sql`p.day >= ${from}` : sql`true`} and ${unmatchedPosting}
    order by p.day, p.entry_id, p.line limit ${limit}`.execute(ctx.tx)
  return rows
}

/** Bills of a currency: money in shekels in the bank may pay any of them. `x` is the bill. */
export const billsIn = (currency: string): RawBuilder<boolean> =>
  currency === 'ILS' ? sql`true` : sql`x.currency = ${currency}`

/** What is open of a bill in a currency: of its own sum the part that is open in shekels. `x` is the bill. */
export const openInCurrency = (currency: string): RawBuilder<number> =>
  currency === 'ILS'
    ? sql`x.open_agorot`
    : sql`round(x.total_agorot::numeric * x.open_agorot / x.ils_total_agorot)::bigint`
