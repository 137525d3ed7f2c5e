import { sql, type RawBuilder } from 'kysely'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { broughtOf, type Brought, type BroughtLine } from '#domain/vat/brought.ts'
import { bookFiguresOf, noFigures, type BookFigures, type LedgerSums } from '#domain/vat/twoWays.ts'
import { paidPart, type InputPaper } from '#domain/vat/papers.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isInvoiceOrCredit } from '#kit/server/data/documentFacts.ts'
import { basisDayOf, countsWhenPaid, type BasisChange } from './basis.ts'
import type { Paid } from './paid.ts'

/**
 * What an entry is about, beside its amounts: the paper's type and the day of its basis, for those that count
 * when they are paid.
 */
interface Of {
  type: number | null
  basisDay: Day | null
}

/** The amounts of an entry, and its day. */
export type DaySums = LedgerSums & Of & { day: Day }

/** Of these entries the turnover is read; what a settlement posts beside them is none. */
const ofSale = sql`(e.document_id is not null
    and (e.kind in ('taxInvoice', 'taxInvoiceReceipt', 'creditInvoice') or ${isInvoiceOrCredit('d')}
    and u.entry_id is not null))`

/**
 * Once it is paid, also what the opening brought of an open item is turnover: its amount is posted against opening
 * balances there.
 */
const ofPaid = sql`(${ofSale} or e.kind = 'opening' and e.document_id is not null and e.reverses_id is null)`

/** Accounts that a VAT code of the business posts to. */
const codedAccounts = (
  ctx: Ctx,
) => sql`(select distinct on (account_id) account_id, kind from vat_codes where company_id = ${ctx.companyId}
  and account_id is not null and kind in ('sale', 'input', 'equipment') order by account_id, kind)`

/** The accounts with what they are to VAT: `role`. */
export const accountsByRole = (
  ctx: Ctx,
) => sql`(select a.id, a.number, a.kind, case when a.number = '2100' or v.kind = 'sale' then 'outputVat'
      when a.number = '1200' or v.kind = 'input' then 'inputVat' when a.number = '1210'
      or v.kind = 'equipment' then 'equipmentVat'
      when a.number in ('1100', '2000') then 'party' when a.number = '8900' then 'rounding'
      when a.number = '2310' then 'held' else 'other' end as role
    from accounts a left join ${codedAccounts(ctx)} v on v.account_id = a.id
    where a.company_id = ${ctx.companyId})`

const vatRoles = sql`('outputVat', 'inputVat', 'equipmentVat')`

/**
 * What an entry `e` belongs to: a bill, what another program's file brought, a document. The document is only
 * looked up where it is needed: separately (`offset 0`), because joined it would make the database
 * read every document of the business.
 */
const aboutEntry = (
  needsDocument: boolean,
) => sql`left join expense_entries x on x.company_id = e.company_id and x.entry_id = e.id
    left join uniform_entries u on u.company_id = e.company_id and u.entry_id = coalesce(e.reverses_id, e.id)
    left join lateral (select o.type, ${basisDayOf('o')} as "basisDay" from documents o
    where o.company_id = e.company_id and o.id = e.document_id
      ${needsDocument ? sql`` : sql`and u.entry_id is not null`} offset 0) d on true`

/**
 * Entries with the totals of their lines by role and what they are about; the figures of a paper are never
 * looked at. `postings` chooses the lines `p` on accounts `a`, `entries` the entries.
 */
const sumsWhere = (
  ctx: Ctx,
  postings: RawBuilder<unknown>,
  entries: RawBuilder<unknown>,
  {
    ofBills = false,
    needsDocument = false,
    sale = ofSale,
  }: { ofBills?: boolean; needsDocument?: boolean; sale?: RawBuilder<unknown> } = {},
) => {
  const on = (role: string) =>
    sql`coalesce(sum(p.amount_agorot) filter (where a.role = ${sql.lit(role)}), 0)::bigint`
  return sql<DaySums>`
  with known as materialized ${accountsByRole(ctx)},
    summed as materialized (select p.entry_id, ${ofBills ? sql`p.party_id is not null` : sql.lit(false)} as
    has_party, ${on('outputVat')} as output_vat, ${on('inputVat')} as input_vat,
        ${on('equipmentVat')} as equipment_vat, ${on('party')} as party, ${on('other')} as other,
        coalesce(sum(p.amount_agorot) filter (where a.role = 'other' and a.kind = 'income'), 0)::bigint as
        income, bool_or(a.role in ${vatRoles}) as has_vat
      from known a join postings p on p.company_id = ${ctx.companyId} and p.account_id = a.id
      where ${postings} group by 1, 2)
  select case when x.expense_id is not null then 'expense:' || x.expense_id
      when e.document_id is not null and (u.entry_id is null or ${isInvoiceOrCredit('d')}) then 'document:' ||
      e.document_id
      else 'entry:' || coalesce(e.reverses_id, e.id) end as key,
    ${sale} as "isSale", e.kind = 'expense' and s.has_party as "isBill", s.output_vat as "outputVat",
    s.input_vat as "inputVat",
    -- Where another program's entry put what a sale brought is no turnover.
    s.equipment_vat as "equipmentVat", s.party, case when u.entry_id is null then s.other
    else s.income end as other, d.type, d."basisDay", e.day
  from summed s join entries e on e.company_id = ${ctx.companyId}
    and e.id = s.entry_id ${aboutEntry(needsDocument)} where ${entries}`
}

/**
 * Lines of the books on accounts of VAT with what they are about. Each line leads to its entry (`offset 0`):
 * a database that does not know yet how much a young business has would look for it among all entries.
 */
const vatLines = (ctx: Ctx, { from, to }: Period) => sql<Of & { accountId: string; amount: number }>`
  with known as materialized (select id from ${accountsByRole(ctx)} r where r.role in ${vatRoles})
  select p.account_id as "accountId", p.amount_agorot as amount, d.type, d."basisDay"
  from known a
    cross join lateral (select l.entry_id, l.account_id, l.amount_agorot from postings l
      where l.company_id = ${ctx.companyId} and l.account_id = a.id and l.day between ${from}
        and ${to} offset 0) p
    cross join lateral (select * from entries n where n.company_id = ${ctx.companyId}
      and n.id = p.entry_id offset 0) e ${aboutEntry(true)}
  where not ${isApart}`

/** Lines of an entry by which another program's is understood: `s` the line, `b` its account. */
const inEntry = (
  what: RawBuilder<unknown>,
) => sql`exists (select 1 from postings s join accounts b on b.company_id = s.company_id
    and b.id = s.account_id
  where s.company_id = e.company_id and s.entry_id = e.id and ${what})`

/**
 * Whether an entry brings no VAT of the period: what was there before (an opening balance), and what only
 * moves the VAT owed to the settlement account: our own entry says so by its kind, one by hand touches that
 * account. Another program's entry that neither earns nor spends is one of both too, unless it buys
 * equipment.
 */
const isApart = sql`(e.kind = 'opening'
    or exists (select 1 from entries o where o.company_id = e.company_id and o.id = e.reverses_id
    and o.kind in ('opening', 'vatSettlement'))
  or e.document_id is null and x.expense_id is null
  and (e.kind = 'vatSettlement' or ${inEntry(sql`b.number = '2110'`)}
    or u.entry_id is not null and not ${inEntry(sql`b.kind in ('income', 'expense')`)}
      and (${inEntry(sql`(b.number = '2100' or b.kind = 'equity')`)}
        or not ${inEntry(sql`(b.number in ('1200', '1210') and s.amount_agorot > 0
            or s.party_id is not null)`)})))`

/** The lines of an invoice on cash basis count when it is paid, not when it is entered in the books. */
const waitsBy = (changes: readonly BasisChange[]) => (l: Of) =>
  l.type !== null &&
  !typeFacts(l.type).isPaidInvoice &&
  !typeFacts(l.type).isSelfBilled &&
  countsWhenPaid(changes, l.basisDay)

/**
 * What each account of VAT holds of a period, debit positive; what was paid of invoices on cash basis is
 * on `outputVat`. `left` stays there: by how much the VAT of another program's journal is above that of its
 * documents, which nobody owes and nobody rounds.
 */
export async function vatByAccount(
  ctx: Ctx,
  period: Period,
  paid: ReadonlyMap<string, Paid>,
  changes: readonly BasisChange[],
  outputVat: string,
  left: number,
): Promise<Map<string, number>> {
  const { rows } = await vatLines(ctx, period).execute(ctx.tx)
  const waits = waitsBy(changes)
  const balances = new Map<string, number>()
  const add = (account: string, amount: number) =>
    balances.set(account, (balances.get(account) ?? 0) + amount)
  for (const line of rows) if (!changes.length || !waits(line)) add(line.accountId, line.amount)
  if (paid.size) {
    const books = await booksOf(ctx, period, paid, changes, new Map())
    for (const id of paid.keys()) add(outputVat, -(books.get(`document:${id}`)?.outputVat ?? 0))
  }
  add(outputVat, left)
  return new Map([...balances].filter(([, amount]) => amount !== 0))
}

/** The bills of a non-profit by their suppliers' cards: no account of VAT knows them. */
export async function billedOf(ctx: Ctx, inputs: readonly InputPaper[]): Promise<Map<string, BookFigures>> {
  const ids = inputs.flatMap(({ key, gross }) => (gross === null ? [] : [key.slice('expense:'.length)]))
  if (!ids.length) return new Map()
  return bookFiguresOf(await billsIn(ctx, ids))
}

/** The suppliers' lines of bills. */
export async function billsIn(ctx: Ctx, expenses: readonly string[]): Promise<LedgerSums[]> {
  const own = sql`p.entry_id in (select entry_id from expense_entries where company_id = ${ctx.companyId}
      and expense_id = any(${expenses}::uuid[]))`
  const { rows } = await sumsWhere(ctx, sql`a.number = '2000' and ${own}`, sql`e.kind = 'expense'`, {
    ofBills: true,
  }).execute(ctx.tx)
  return rows
}

/**
 * Documents that came from another program and are sales of the period or were paid in it; and of the first,
 * whether an entry of its journal is theirs.
 */
const broughtSales = (ctx: Ctx, { from, to }: Period, paid: readonly string[]) => sql<{
  id: string
  isTied: boolean
}>`select d.id, d.day not between ${from} and ${to} or
    exists (select 1 from entries e where e.company_id = d.company_id and e.document_id = d.id) as "isTied"
  from uniform_papers u join documents d on d.company_id = u.company_id and d.id = u.document_id
  where u.company_id = ${ctx.companyId} and ${isInvoiceOrCredit('d')}
    and (d.day between ${from} and ${to} or d.id = any(${paid}::uuid[]))`

/**
 * Until when another program kept and reported the books; null where none did. A file made ahead of its
 * year's end tells no more than its own day.
 */
export async function broughtUntil(ctx: Ctx): Promise<Day | null> {
  const { rows } = await sql<{
    until: Day | null
  }>`select max(least((report->'program'->>'to')::date, (ended_at at time zone 'Asia/Jerusalem')::date)) as
      until
    from uniform_imports where company_id = ${ctx.companyId} and state = 'done'`.execute(ctx.tx)
  return rows[0]!.until
}

/** The end of the last whole period before that day: what the other program can have reported. */
export const reportedUntil = (until: Day, periodOn: (day: Day) => Period): Day => {
  const period = periodOn(until)
  return period.to === until ? until : addDays(period.from, -1)
}

/**
 * What another program's file brought into the period: its entries as separate documents, and by which keys
 * the papers and entries are known.
 */
export async function broughtIn(
  ctx: Ctx,
  period: Period,
  paid: ReadonlyMap<string, Paid>,
): Promise<Brought & { keys: Set<string> }> {
  const { rows: documents } = await broughtSales(ctx, period, [...paid.keys()]).execute(ctx.tx)
  const { rows } = await sql<BroughtLine & { ofSale: boolean }>`
    select 'entry:' || u.entry_id as key, p.day, e.reference, e.details,
      coalesce(${isInvoiceOrCredit('d')}, false)
      as "ofSale",
      case when a.number = '2100' or v.kind = 'sale' then 'outputVat' when a.number = '1200'
      or v.kind = 'input' then 'inputVat'
        when a.number = '1210' or v.kind = 'equipment' then 'equipmentVat'
        when a.number in ('1100', '2000', '8900') then 'other'
        when a.kind in ('income', 'expense', 'asset') then a.kind else 'other' end as role,
      p.amount_agorot as amount, nullif(c.tax_id, '') as "taxId", c.name
    from uniform_entries u join entries e on e.company_id = u.company_id
      and (e.id = u.entry_id or e.reverses_id = u.entry_id)
      join postings p on p.company_id = e.company_id and p.entry_id = e.id
      join accounts a on a.company_id = p.company_id and a.id = p.account_id
      left join ${codedAccounts(ctx)} v on v.account_id = a.id
      left join expense_entries x on x.company_id = e.company_id and x.entry_id = e.id
      left join documents d on d.company_id = e.company_id and d.id = e.document_id
      left join parties c on c.company_id = p.company_id and c.id = p.party_id
    where u.company_id = ${ctx.companyId} and p.day between ${period.from} and ${period.to} and not ${isApart}
      and exists (select 1 from postings s join accounts b on b.company_id = s.company_id
      and b.id = s.account_id left join ${codedAccounts(ctx)} w on w.account_id = b.id
        where s.company_id = p.company_id and s.entry_id = p.entry_id
          and (b.number in ('1200', '1210', '2100') or w.kind is not null))
    order by p.day, e.id, p.line`.execute(ctx.tx)
  const brought = broughtOf(
    rows.filter(({ ofSale }) => !ofSale),
    documents.some(({ isTied }) => !isTied),
  )
  return {
    ...brought,
    keys: new Set([...documents.map(({ id }) => `document:${id}`), ...rows.map(({ key }) => key)]),
  }
}

/**
 * Of entries typed into the journal with a VAT code of sales: what is on the accounts that were sold on,
 * but for their lines without such a code.
 */
async function typedSales(ctx: Ctx, { from, to }: Period): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; net: number }>`/*=*/
    with coded as (select distinct l.entry_id, coalesce(l.credit_account_id, l.debit_account_id) as account_id
        from journal_lines l join vat_codes c on c.company_id = l.company_id and c.id = l.vat_code_id
          and c.return_line in ('taxedSales', 'exemptSales')
        where l.company_id = ${ctx.companyId} and l.entry_id is not null),
      times as (select n.entry_id, e.id, case when e.id = n.entry_id then 1 else -1 end as sign
      from (select distinct entry_id from coded) n
        join entries e on e.company_id = ${ctx.companyId}
          and (e.id = n.entry_id or e.reverses_id = n.entry_id) and e.day between ${from} and ${to}),
      parts as (
        select t.entry_id, -p.amount_agorot as amount from times t
        join postings p on p.company_id = ${ctx.companyId} and p.entry_id = t.id
          join coded o on o.entry_id = t.entry_id and o.account_id = p.account_id
        union all
        select t.entry_id, -t.sign * case when l.credit_account_id = o.account_id
            then l.amount_agorot - case when l.debit_account_id is null then
            coalesce(l.posted_recognised_agorot, 0) else 0 end
            else coalesce(l.posted_recognised_agorot, 0) - l.amount_agorot end
          from times t join journal_lines l on l.company_id = ${ctx.companyId} and l.entry_id = t.entry_id
          join coded o on o.entry_id = t.entry_id
            and o.account_id in (l.credit_account_id, l.debit_account_id)
          left join vat_codes c on c.company_id = l.company_id and c.id = l.vat_code_id
          where c.return_line is null or c.return_line not in ('taxedSales', 'exemptSales'))
    select 'entry:' || entry_id as key, sum(amount)::bigint as net from parts group by 1`.execute(ctx.tx)
  return new Map(rows.map(({ key, net }) => [key, net]))
}

/**
 * The entries of sales and of VAT in the period, each with the totals of its lines: an entry of one day never
 * says anything of another's.
 */
export async function sumsOf(
  ctx: Ctx,
  { from, to }: Period,
  changes: readonly BasisChange[],
): Promise<DaySums[]> {
  const within = (day: string) => sql`${sql.ref(day)} between ${from} and ${to}`
  const lines = sql`a.role not in ('party', 'rounding', 'held') and ${within('p.day')}`
  // A line has the day of its entry: asked of both, the entries of the period are read and not all there are.
  const entries = sql`${within('e.day')} and (${ofSale} or s.has_vat and not ${isApart})`
  return (await sumsWhere(ctx, lines, entries, { needsDocument: changes.length > 0 }).execute(ctx.tx)).rows
}

/**
 * The second way: everything of the period from the lines of the books, by what they are about. `sums` where
 * they were read before.
 */
export async function booksOf(
  ctx: Ctx,
  period: Period,
  paid: ReadonlyMap<string, Paid>,
  changes: readonly BasisChange[],
  brought: ReadonlyMap<string, BookFigures>,
  sums?: readonly DaySums[],
): Promise<Map<string, BookFigures>> {
  const rows = sums ?? (await sumsOf(ctx, period, changes))
  const bills = [...new Set(rows.map((l) => l.key).filter((key) => key.startsWith('expense:')))].map((key) =>
    key.slice(8),
  )
  const waits = waitsBy(changes)
  const counted = changes.length ? rows.filter((l) => !waits(l)) : rows
  const books = bookFiguresOf([...counted, ...(bills.length ? await billsIn(ctx, bills) : [])])
  for (const [key, net] of await typedSales(ctx, period))
    books.set(key, { ...(books.get(key) ?? noFigures), net })
  for (const [key, figures] of brought) books.set(key, figures)
  if (!paid.size) return books
  const own = sql`p.entry_id in (select id from entries where company_id = ${ctx.companyId}
      and document_id = any(${[...paid.keys()]}::uuid[]))`
  const { rows: old } = await sumsWhere(ctx, own, ofPaid, { sale: ofPaid }).execute(ctx.tx)
  for (const [key, whole] of bookFiguresOf(old)) {
    const { before, after, total } = paid.get(key.slice('document:'.length))!
    const part = (amount: number) =>
      paidPart(amount, after, total) - (before === 0 ? 0 : paidPart(amount, before, total))
    books.set(key, { ...whole, net: part(whole.net), outputVat: part(whole.outputVat) })
  }
  return books
}
