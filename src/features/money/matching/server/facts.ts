import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import {
  propose,
  type Facts,
  type OpenDebt,
  type OpenLine,
  type OpenParty,
  type OwnRule,
  type Proposal,
  type Returnable,
} from '#domain/matching/propose.ts'
import type { Ctx } from '#kit/server/context.ts'
import { asks, isLive } from '#kit/server/data/documentFacts.ts'
import { bankBalanceOn, startOf } from '#features/money/bank/server/index.ts'
import { openingNumber } from '#features/sales/documents/server/index.ts'
import type { OpenBankLine, OpenPostingRow, ProposalRow } from '../endpoints.ts'
import {
  amountIn,
  billsIn,
  linesShown,
  openInCurrency,
  openLines,
  openPostings,
  partsOf,
  postingsShown,
  matchedAccount,
  takesBack,
  unmatchedLine,
  type Account,
} from './open.ts'

/** Money in transit: postings of so many days before the first statement may still come through the bank. */
const before = 30

const asLine = (line: OpenBankLine): OpenLine => ({
  id: line.id,
  bankAccountId: line.bankAccountId,
  day: line.day,
  amount: line.amountAgorot,
  text: `${line.text} ${line.details}`.trim(),
  reference: line.reference,
})

interface PostingFacts {
  key: string
  partyId: string | null
  numbers: string[]
  reversesId: string | null
}

/**
 * By whom and by which numbers postings are known: their paper, its cheques and references, the slip, the
 * payment.
 */
async function factsOfPostings(
  ctx: Ctx,
  accountId: string,
  keys: readonly string[],
): Promise<Map<string, PostingFacts>> {
  const entries = keys.map((key) => partsOf(key).entryId)
  const { rows } = await sql<PostingFacts & { entryId: string }>`
    select e.id as "entryId", ${takesBack} as "reversesId",
      (select min(coalesce(y.merged_into, y.id)::text) from postings o
      join parties y on y.company_id = o.company_id and y.id = o.party_id
        where o.company_id = e.company_id and o.entry_id = e.id
        having count(distinct coalesce(y.merged_into, y.id)) = 1) as "partyId",
      array(select n from (
        select e.reference as n
        union select unnest(array[y.number, y.reference]) from document_payments y
          where y.company_id = e.company_id and y.document_id = e.document_id and y.account_id = ${accountId}
        union select c.number::text from settlements s join documents c on c.company_id = s.company_id
          and c.id = s.to_id
          where s.company_id = e.company_id and s.from_id = e.document_id and s.reverses_id is null
        union select unnest(array[d.number::text, d.reference]) from deposits d
        where d.company_id = e.company_id and d.entry_id = e.id
        union select y.number from deposits d join deposit_payments x on x.company_id = d.company_id
          and x.deposit_id = d.id
          join document_payments y on y.company_id = x.company_id and y.id = x.payment_id
          where d.company_id = e.company_id and d.entry_id = e.id
        union select unnest(array[s.number::text, s.reference]) from supplier_payments s
        where s.company_id = e.company_id and s.entry_id = e.id
        union select b.supplier_number from supplier_payments s
        join expense_payments y on y.company_id = s.company_id and y.supplier_payment_id = s.id
          join expenses b on b.company_id = y.company_id and b.id = y.expense_id
          where s.company_id = e.company_id and s.entry_id = e.id
        union select b.supplier_number from expense_entries x join expenses b on b.company_id = x.company_id
          and b.id = x.expense_id
          where x.company_id = e.company_id and x.entry_id = e.id
      ) known where n <> '') as numbers
    from entries e where e.company_id = ${ctx.companyId} and e.id = any(${entries}::uuid[])`.execute(ctx.tx)
  const byEntry = new Map(rows.map((row) => [row.entryId, row]))
  return new Map(
    keys.flatMap((key) =>
      byEntry.has(partsOf(key).entryId) ? [[key, { ...byEntry.get(partsOf(key).entryId)!, key }]] : [],
    ),
  )
}

/** Which postings went to the bank in one file: payments of suppliers, and receipts of what was collected. */
async function runsOfPostings(ctx: Ctx, keys: readonly string[]): Promise<Map<string, string>> {
  const entries = keys.map((key) => partsOf(key).entryId)
  const { rows } = await sql<{ entryId: string; runId: string }>`
    select s.entry_id as "entryId", m.run_id as "runId" from supplier_payments s
      join masav_lines m on m.company_id = s.company_id and m.supplier_payment_id = s.id
      where s.company_id = ${ctx.companyId} and s.entry_id = any(${entries}::uuid[])
    union all select e.id, m.run_id from masav_lines m join entries e on e.company_id = m.company_id
      and e.document_id = m.receipt_id
      where m.company_id = ${ctx.companyId} and m.receipt_id is not null
        and e.id = any(${entries}::uuid[])`.execute(ctx.tx)
  return new Map(rows.map((row) => [row.entryId, row.runId]))
}

const debtsShown = 5000

/**
 * What is owed in a currency, by customers and to suppliers; under the one who stays where two were merged.
 */
async function debtsOf(ctx: Ctx, currency: string): Promise<OpenDebt[]> {
  // The newest of each side are found by their day before anything is worked out of them.
  const { rows } = await sql<OpenDebt>`
    (select d.id, coalesce(y.merged_into, y.id) as "partyId", 'customer' as role,
    coalesce(nullif(${openingNumber('d')}, ''), d.number::text) as number, d.day,
        case when ${asks('d')} then d.asked_agorot else d.open_in_currency_agorot end as open
      from documents d join parties y on y.company_id = d.company_id and y.id = d.customer_id
      where d.company_id = ${ctx.companyId} and ${isLive('d')}
        and d.currency = ${currency} and (d.open_agorot > 0 or d.asked_agorot > 0)
      order by d.day desc limit ${debtsShown})
    union all
    (select x.id, coalesce(y.merged_into, y.id), 'supplier', coalesce(x.supplier_number, ''), x.day,
    ${openInCurrency(currency)}
      from expenses x join parties y on y.company_id = x.company_id and y.id = x.supplier_id
      where x.company_id = ${ctx.companyId} and x.state = 'approved' and x.open_agorot > 0
        and ${billsIn(currency)}
      order by x.day desc limit ${debtsShown})
    order by day desc limit ${debtsShown}`.execute(ctx.tx)
  return rows
}

async function partiesOf(ctx: Ctx): Promise<OpenParty[]> {
  const { rows } = await sql<OpenParty>`select coalesce(merged_into, id) as id, name, role from parties
    where company_id = ${ctx.companyId} and (archived_at is null or merged_into is not null) order by id
    limit 20000`.execute(ctx.tx)
  return rows
}

/** Cheques that lie on this account and have not come back. */
async function returnablesOf(ctx: Ctx, accountId: string): Promise<Returnable[]> {
  const { rows } =
    await sql<Returnable>`select t.id as "paymentId", t.number, t.ils_agorot as amount, s.day as since
    from document_payments t join deposits s on s.company_id = t.company_id and s.id = t.deposit_id
    where t.company_id = ${ctx.companyId} and t.state = 'deposited' and t.means = 2
      and s.account_id = ${accountId} and s.cancelled_at is null
      and s.day >= ${addDays(ctx.today, -400)}`.execute(ctx.tx)
  return rows
}

async function rulesOf(ctx: Ctx): Promise<OwnRule[]> {
  const { rows } = await sql<OwnRule>`select id, contains, direction, deed, account_id as "accountId",
        coalesce(customer_id, supplier_id) as "partyId",
      bank_account_id as "bankAccountId", automatic from bank_rules where company_id = ${ctx.companyId}
      and archived_at is null order by length(contains) desc, id`.execute(ctx.tx)
  return rows
}

/** Open lines of the other accounts in its currency whose money is elsewhere in the books. */
async function othersOf(ctx: Ctx, account: Account): Promise<OpenLine[]> {
  const { rows } =
    await sql<OpenLine>`select l.id, l.bank_account_id as "bankAccountId", l.day, l.amount_agorot as amount,
        l.text || ' ' || l.details as text, l.reference
    from bank_lines l join bank_accounts b on b.company_id = l.company_id and b.id = l.bank_account_id
    where l.company_id = ${ctx.companyId} and b.currency = ${account.currency}
      and b.account_id <> ${account.accountId} and ${unmatchedLine} order by l.day
      limit ${linesShown}`.execute(ctx.tx)
  return rows
}

export interface Desk {
  account: Account
  lines: OpenBankLine[]
  postings: OpenPostingRow[]
  /** There are more lines than these. */
  more: boolean
  proposals: Proposal[]
  debts: OpenDebt[]
  parties: OpenParty[]
  since: string | null
}

/** Everything open on a bank account, with what belongs together. */
export async function deskOf(ctx: Ctx, id: string): Promise<Desk> {
  const account = await matchedAccount(ctx, id)
  const starts = (await Promise.all(account.bankAccountIds.map((one) => startOf(ctx, one)))).flatMap(
    (start) => start?.day ?? [],
  )
  const since = starts.toSorted()[0] ?? null
  const found = await openLines(ctx, account.bankAccountIds, linesShown + 1)
  const lines = found.slice(0, linesShown)
  const postings = since ? await openPostings(ctx, account, addDays(since, -before)) : []
  const known = await factsOfPostings(
    ctx,
    account.accountId,
    postings.map((posting) => posting.key),
  )
  const runs = await runsOfPostings(
    ctx,
    postings.map((posting) => posting.key),
  )
  const [debts, parties] = [await debtsOf(ctx, account.currency), await partiesOf(ctx)]
  const facts: Facts = {
    lines: lines.map(asLine),
    postings: postings.map((posting) => {
      const { partyId, numbers, reversesId } = known.get(posting.key)!
      const { key, day, kind, amountAgorot } = posting
      const { entryId } = partsOf(key)
      return {
        key,
        entryId,
        day,
        kind,
        amount: amountAgorot,
        partyId,
        numbers,
        reversesId,
        runId: runs.get(entryId) ?? null,
      }
    }),
    debts,
    parties,
    returnables: account.currency === 'ILS' ? await returnablesOf(ctx, account.accountId) : [],
    rules: await rulesOf(ctx),
    others: await othersOf(ctx, account),
  }
  return {
    account,
    lines,
    postings,
    more: found.length > linesShown,
    proposals: propose(facts),
    debts,
    parties,
    since,
  }
}

const idOf = ({ lines, postings }: Pick<Proposal, 'lines' | 'postings'>): string =>
  createHash('sha256')
    .update([...lines, ...postings].toSorted().join())
    .digest('hex')
    .slice(0, 24)

/** The matching screen as it is sent. */
export async function deskAnswer(ctx: Ctx, id: string) {
  const { account, lines, postings, more, proposals, debts, parties, since } = await deskOf(ctx, id)
  const names = await namesOf(ctx, proposals)
  const [lineOf, postingOf, debtOf, partyOf] = [
    new Map(lines.map((line) => [line.id, line])),
    new Map(postings.map((posting) => [posting.key, posting])),
    new Map(debts.map((debt) => [debt.id, debt])),
    new Map(parties.map((party) => [party.id, party.name])),
  ]
  const named = (one: string | undefined, of: ReadonlyMap<string, string>) =>
    one && of.has(one) ? { id: one, name: of.get(one)! } : null
  const balances = await Promise.all(account.bankAccountIds.map((one) => bankBalanceOn(ctx, one, ctx.today)))
  const { rows } = await sql<{ ledger: number; foreign: number; matched: number }>`select
      ${
        account.currency === 'ILS'
          ? sql`0`
          : sql`coalesce((select sum(${amountIn(account.currency)}) from postings p
            where p.company_id = ${ctx.companyId} and p.account_id = ${account.accountId}
        and p.day <= ${ctx.today}), 0)`
      }::bigint as foreign,
      -- What is dated ahead is no part of what the bank can know.
      (coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
      where m.company_id = ${ctx.companyId} and m.account_id = ${account.accountId}
          and m.month <= ${ctx.today}), 0)
        - coalesce((select sum(p.amount_agorot) from postings p where p.company_id = ${ctx.companyId}
        and p.account_id = ${account.accountId}
          and p.day > ${ctx.today} and p.day < date_trunc('month', ${ctx.today}::date) + interval '1 month'),
          0))::bigint as ledger,
      (select count(*)::int from matches m where m.company_id = ${ctx.companyId}
      and m.account_id = ${account.accountId} and m.kind = 'bank') as matched`.execute(ctx.tx)
  return {
    account: {
      id: account.id,
      name: account.name,
      accountId: account.accountId,
      accountName: account.accountName,
      currency: account.currency,
    },
    lines,
    postings,
    proposals: proposals.map((one): ProposalRow => {
      const own = one.lines.map((line) => lineOf.get(line)!)
      const theirs = one.postings.map((key) => postingOf.get(key)!)
      return {
        id: idOf(one),
        lines: own,
        postings: theirs,
        deed: one.deed,
        confidence: one.confidence,
        reasons: [...one.reasons],
        amountAgorot: own.length
          ? own.reduce((sum, line) => sum + line.amountAgorot, 0)
          : Math.abs(theirs[0]?.amountAgorot ?? 0),
        party: named(one.partyId, partyOf),
        account: named(one.accountId, names.accounts),
        bankAccount: named(one.bankAccountId, names.bankAccounts),
        payment: named(one.paymentId, names.payments),
        otherLineId: one.otherLineId ?? null,
        closes: (one.closes ?? []).map(({ id: debt, amount }) => ({
          id: debt,
          number: debtOf.get(debt)?.number ?? '',
          amountAgorot: amount,
        })),
      }
    }),
    bankAgorot: balances.every((one) => one === null)
      ? null
      : balances.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    ledgerAgorot: account.currency === 'ILS' ? rows[0]!.ledger : rows[0]!.foreign,
    carriedAgorot: account.currency === 'ILS' ? null : rows[0]!.ledger,
    linesAgorot: lines.reduce((sum, line) => sum + line.amountAgorot, 0),
    postingsAgorot: postings.reduce((sum, posting) => sum + posting.amountAgorot, 0),
    since,
    matched: rows[0]!.matched,
    more: more || postings.length === postingsShown,
  }
}

async function namesOf(ctx: Ctx, proposals: readonly Proposal[]) {
  const ids = (of: (one: Proposal) => string | undefined) => proposals.flatMap((one) => of(one) ?? [])
  const { rows } = await sql<{ kind: 'accounts' | 'bankAccounts' | 'payments'; id: string; name: string }>`
    select 'accounts' as kind, id, number || ' ' || name as name from accounts
    where company_id = ${ctx.companyId} and id = any(${ids((one) => one.accountId)}::uuid[])
    union all select 'bankAccounts', id, name from bank_accounts where company_id = ${ctx.companyId}
      and id = any(${ids((one) => one.bankAccountId)}::uuid[])
    union all select 'payments', t.id, t.number || ' · ' || coalesce(d.customer->>'name', '')
    from document_payments t
      join documents d on d.company_id = t.company_id and d.id = t.document_id
      where t.company_id = ${ctx.companyId} and t.id = any(${ids((one) => one.paymentId)}::uuid[])`.execute(
    ctx.tx,
  )
  const of = (kind: (typeof rows)[number]['kind']) =>
    new Map(rows.filter((row) => row.kind === kind).map((row) => [row.id, row.name]))
  return { accounts: of('accounts'), bankAccounts: of('bankAccounts'), payments: of('payments') }
}
