import { sql } from 'kysely'
import type { Day, Period } from '#domain/day.ts'
import { differencesOfPaid, differencesOfSums, type Keyed } from '#domain/filings/withheld.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportAnswer } from '#kit/describe/report.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDonation, isIncome, isInvoiceOrCredit, isIssued, sign } from '#kit/server/data/documentFacts.ts'
import { vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { paidByBooks, paidByPapers } from './payees.ts'

/*
 * Where the two ways to the figures of a return part: by the paper or the entry, with what each way says.
 * While there is such a line no return of these figures leaves. What another program's file brought was
 * reported there and is compared with nothing.
 */

/**
 * What the papers' way counts as turnover of a document: what it charged before VAT, without lines on
 * accounts that are no turnover. A receipt that has no lines is income of the ordinary kind, a donation of
 * its own: whole, or not at all where that account is no turnover.
 */
const turnoverOf = sql`${sign('d')} * case
    when exists (select 1 from document_lines l where l.company_id = d.company_id and l.document_id = d.id)
  then d.ils_net_agorot - coalesce((
    select sum(l.ils_net_agorot) from document_lines l join accounts a on a.company_id = l.company_id
      and a.id = l.account_id
    where l.company_id = d.company_id and l.document_id = d.id
      and (a.kind <> 'income' or a.outside_turnover)), 0)
  when (select a.kind <> 'income' or a.outside_turnover from accounts a where a.company_id = d.company_id
    and (a.number = '4000' or a.number = '4050' and ${isDonation('d')}) order by a.number desc limit 1) then 0
  else d.ils_net_agorot end`

const isBroughtPaper = sql`exists (select 1 from uniform_papers u where u.company_id = d.company_id
    and u.document_id = d.id)`
const isBroughtEntry = sql`exists (select 1 from uniform_entries u where u.company_id = e.company_id
    and u.entry_id in (e.id, e.reverses_id))`

/** A donation's cheque that came back takes income back by its entry alone: no document says so. */
const cameBack = sql`coalesce(o.kind, e.kind) in ('bounced', 'chequeGivenBack')`

interface Turnover {
  /** Of documents, and of entries without a document: those count as documents. */
  papers: Keyed[]
  books: Keyed[]
  /** Of the first, what came with another program's file. */
  brought: ReadonlySet<string>
}

/**
 * The turnover of a period both ways. `books`: the accounts of income that are turnover, by the document or
 * the entry a line comes of.
 */
export async function turnoverIn(ctx: Ctx, { from, to }: Period): Promise<Turnover> {
  const { rows: papers } = await sql<
    Keyed & { brought: boolean }
  >`select d.id as key, (${turnoverOf})::bigint as amount, ${isBroughtPaper} as brought
    from documents d where d.company_id = ${ctx.companyId} and ${isIssued('d')}
      and d.series not like '%#opening' and ${isIncome('d')}
      and d.day between ${from} and ${to}`.execute(ctx.tx)
  const { rows: books } = await sql<Keyed & { brought: boolean; typed: boolean }>`
    select case when ${cameBack} then coalesce(e.reverses_id, e.id)
      else coalesce(e.document_id, o.document_id, e.reverses_id, e.id) end as key,
      -sum(p.amount_agorot)::bigint as amount, bool_or(${isBroughtEntry}) as brought,
      bool_and(e.document_id is null and o.document_id is null or ${cameBack}) as typed
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries e on e.company_id = p.company_id and e.id = p.entry_id
      left join entries o on o.company_id = e.company_id and o.id = e.reverses_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to} and a.kind = 'income'
      and not a.outside_turnover
    group by 1`.execute(ctx.tx)
  const typed = books.filter((one) => one.typed && !one.brought)
  return {
    papers: [...papers, ...typed],
    books,
    brought: new Set([...papers, ...books].filter((one) => one.brought).map((one) => one.key)),
  }
}

/** The tax customers withheld in a period, receipt by receipt, both ways. */
export async function withheldIn(
  ctx: Ctx,
  { from, to }: Period,
): Promise<{ papers: Keyed[]; books: Keyed[]; brought: ReadonlySet<string> }> {
  const { rows: papers } = await sql<
    Keyed & { brought: boolean }
  >`select d.id as key, sum(y.ils_agorot)::bigint as amount, ${isBroughtPaper} as brought
    from documents d join document_payments y on y.company_id = d.company_id and y.document_id = d.id
      and y.means = 7
    where d.company_id = ${ctx.companyId} and ${isIssued('d')} and d.day between ${from} and ${to}
    group by d.company_id, d.id`.execute(ctx.tx)
  const { rows: books } = await sql<
    Keyed & { brought: boolean }
  >`select e.document_id as key, sum(p.amount_agorot)::bigint as amount,
      bool_or(${isBroughtEntry}) as brought
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to}
      and a.number = ${systemAccounts.withheldByCustomers} and e.document_id is not null
    group by 1`.execute(ctx.tx)
  return {
    papers,
    books,
    brought: new Set([...papers, ...books].filter((one) => one.brought).map((one) => one.key)),
  }
}

/** Documents whose head has another total than their lines: the first way contradicts itself. */
async function headsAndLines(ctx: Ctx, { from, to }: Period) {
  const { rows } = await sql<{
    key: string
    paper: number
    books: number
  }>`select d.id as key, d.ils_net_agorot as paper, sum(l.ils_net_agorot)::bigint as books
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
    where d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isInvoiceOrCredit('d')}
      and d.series not like '%#opening' and d.day between ${from} and ${to}
      and not ${isBroughtPaper}
    group by d.id, d.ils_net_agorot having sum(l.ils_net_agorot) <> d.ils_net_agorot`.execute(ctx.tx)
  return rows
}

/**
 * Accounts of turnover whose monthly totals, kept as entries are posted, are not those of their lines: a line was
 * changed afterwards.
 */
async function sumsAndLines(ctx: Ctx, { from, to }: Period) {
  const { rows } = await sql<{ key: string; paper: number; books: number }>`
    with lines as (select account_id, date_trunc('month', day)::date as month, -sum(amount_agorot) as amount
    from postings
        where company_id = ${ctx.companyId} and day between ${from} and ${to} group by 1, 2),
      sums as (select account_id, month, credit_agorot - debit_agorot as amount from account_months
        where company_id = ${ctx.companyId} and month between ${from} and ${to})
    select a.id as key, sum(coalesce(s.amount, 0))::bigint as paper, sum(coalesce(l.amount, 0))::bigint as
      books
    from sums s full join lines l on l.account_id = s.account_id and l.month = s.month
      join accounts a on a.company_id = ${ctx.companyId} and a.id = coalesce(s.account_id, l.account_id)
        and a.kind = 'income' and not a.outside_turnover
    group by a.id having bool_or(coalesce(s.amount, 0) <> coalesce(l.amount, 0))`.execute(ctx.tx)
  return rows
}

export type DifferenceForm = 'paid' | 'turnover' | 'withheldFromUs'

/** One line about which the two ways disagree. */
export interface FilingDifference {
  form: DifferenceForm
  in: 'gross' | 'withheld' | 'turnover' | 'lines' | 'sums'
  /** The first day of what it is about. */
  day: Day
  name: string
  number: string
  paperAgorot: number
  booksAgorot: number
  open: string
}

/** Forms 856, 857 and 102: supplier by supplier and month by month. */
export async function differencesOfPaidIn(
  ctx: Ctx,
  from: Day,
  to: Day,
  only?: readonly string[],
): Promise<FilingDifference[]> {
  const found = differencesOfPaid(await paidByPapers(ctx, from, to), await paidByBooks(ctx, from, to)).filter(
    ({ supplierId }) => !only || only.includes(supplierId),
  )
  if (!found.length) return []
  const { rows } = await sql<{ id: string; name: string }>`select id, name from parties
    where company_id = ${ctx.companyId} and id = any(${found.map((one) => one.supplierId)}::uuid[])`.execute(
    ctx.tx,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return found.map(({ month, supplierId, in: what, paper, books }) => ({
    form: 'paid' as const,
    in: what,
    day: `${month}-01`,
    name: names.get(supplierId) ?? '',
    number: '',
    paperAgorot: paper,
    booksAgorot: books,
    open: `/invoice/suppliers/${supplierId}`,
  }))
}

/** Where a document or an entry is, and what it is called. */
export async function namesOf(ctx: Ctx, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; day: Day; name: string; number: string; isDocument: boolean }>`
    select id, day, customer->>'name' as name, coalesce(number::text, '') as number, true as "isDocument"
    from documents
      where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])
    union all select id, day, details, reference, false from entries where company_id = ${ctx.companyId}
      and id = any(${ids}::uuid[])
    union all select id, null, name, number, null from accounts where company_id = ${ctx.companyId}
      and id = any(${ids}::uuid[])`.execute(ctx.tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Advances: the turnover and the tax withheld from us, paper by paper. */
export async function differencesOfAdvancesIn(ctx: Ctx, period: Period): Promise<FilingDifference[]> {
  const turnover = await turnoverIn(ctx, period)
  const tax = await withheldIn(ctx, period)
  const parts = [
    ...differencesOfSums(turnover.papers, turnover.books)
      .filter(({ key }) => !turnover.brought.has(key))
      .map((one) => ({ ...one, form: 'turnover' as const, in: 'turnover' as const })),
    ...(await headsAndLines(ctx, period)).map((one) => ({
      ...one,
      form: 'turnover' as const,
      in: 'lines' as const,
    })),
    ...(await sumsAndLines(ctx, period)).map((one) => ({
      ...one,
      form: 'turnover' as const,
      in: 'sums' as const,
    })),
    ...differencesOfSums(tax.papers, tax.books)
      .filter(({ key }) => !tax.brought.has(key))
      .map((one) => ({ ...one, form: 'withheldFromUs' as const, in: 'withheld' as const })),
  ]
  if (!parts.length) return []
  const names = await namesOf(
    ctx,
    parts.map(({ key }) => key),
  )
  return parts.map(({ key, form, in: what, paper, books }) => {
    const known = names.get(key)
    return {
      form,
      in: what,
      day: known?.day ?? period.from,
      name: known?.name ?? '',
      number: known?.number ?? '',
      paperAgorot: paper,
      booksAgorot: books,
      open:
        known?.isDocument === false
          ? `/invoice/entries/${key}`
          : known?.isDocument === true
            ? `/invoice/preview/${key}`
            : `/invoice/cardskarteset/${key}?from=${period.from}&to=${period.to}`,
    }
  })
}

/** The same for days that may lie inside periods: an advance is that of its whole period. */
export async function differencesOfAdvancesOver(ctx: Ctx, from: Day, to: Day): Promise<FilingDifference[]> {
  const periodOn = await vatPeriodsOf(ctx)
  return differencesOfAdvancesIn(ctx, { from: periodOn(from).from, to: periodOn(to).to })
}

/** What is filed or given to others leaves only when both ways agree. */
export function refuseDifferences(found: readonly FilingDifference[]): void {
  if (found.length) throw fail('filings.differ', { count: found.length })
}

/** For a report that tells of itself whether both ways agree: its file is what goes to the authority. */
export const refuseDifferent =
  (checks: readonly string[]) =>
  ({ checks: told }: ReportAnswer): void => {
    const failed = told.filter(({ name, ok }) => !ok && checks.includes(name))
    if (failed.length) throw fail('filings.differ', { count: failed.length })
  }
