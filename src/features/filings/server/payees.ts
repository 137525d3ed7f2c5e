import { sql } from 'kysely'
import type { Day } from '../../../domain/day.ts'
import { systemAccounts } from '../../../domain/ledger/chart.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { ensureCodes } from './codes.ts'

/*
 * What suppliers were paid and what was withheld from them, twice: from the payments, and from the entries by code that knows nothing of payments.
 */

/** One supplier in one month. */
export interface PayeeMonth {
  month: string
  supplierId: string
  payments: number
  gross: number
  withheld: number
}

/** From the papers: payments on their day, and those that were reversed on the day of the reversal. */
export async function paidByPapers(ctx: Ctx, from: Day, to: Day): Promise<PayeeMonth[]> {
  const { rows } = await sql<PayeeMonth>`
    with paid as (
      select supplier_id, day, gross_agorot as gross, withheld_agorot as withheld, entry_id from supplier_payments where company_id = ${ctx.companyId}
      union all
      select e.supplier_id, x.day, x.amount_agorot, 0, x.entry_id from expense_payments x
        join expenses e on e.company_id = x.company_id and e.id = x.expense_id
        where x.company_id = ${ctx.companyId} and x.supplier_payment_id is null and e.supplier_id is not null
    ), moves as (
      select supplier_id, day, gross, withheld, 1 as one from paid
      union all
      select p.supplier_id, r.day, -p.gross, -p.withheld, -1 from paid p join entries r on r.company_id = ${ctx.companyId} and r.reverses_id = p.entry_id
    )
    select to_char(day, 'YYYY-MM') as month, supplier_id as "supplierId", sum(one)::int as payments, sum(gross)::bigint as gross, sum(withheld)::bigint as withheld
    from moves where day between ${from} and ${to} group by 1, 2 having sum(one) <> 0 or sum(gross) <> 0 or sum(withheld) <> 0 order by 1, 2`.execute(
    ctx.tx,
  )
  return rows
}

/** From the books: what payments took from suppliers' cards, and what those entries left on the account of tax withheld. */
export async function paidByBooks(ctx: Ctx, from: Day, to: Day): Promise<Omit<PayeeMonth, 'payments'>[]> {
  const { rows } = await sql<Omit<PayeeMonth, 'payments'>>`
    with e as (
      select n.id, n.day from entries n left join entries o on o.company_id = n.company_id and o.id = n.reverses_id
      where n.company_id = ${ctx.companyId} and n.day between ${from} and ${to} and coalesce(o.kind, n.kind) = 'supplierPayment'
    ), cards as (
      select e.id, e.day, p.party_id, sum(p.amount_agorot) as gross from e join postings p on p.company_id = ${ctx.companyId} and p.entry_id = e.id
        join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where a.number = ${systemAccounts.suppliers} and p.party_id is not null group by 1, 2, 3
    ), tax as (
      select e.id, -sum(p.amount_agorot) as withheld from e join postings p on p.company_id = ${ctx.companyId} and p.entry_id = e.id
        join accounts a on a.company_id = p.company_id and a.id = p.account_id where a.number = ${systemAccounts.withheldFromSuppliers} group by 1
    )
    select to_char(c.day, 'YYYY-MM') as month, c.party_id as "supplierId", sum(c.gross)::bigint as gross, coalesce(sum(t.withheld), 0)::bigint as withheld
    from cards c left join tax t on t.id = c.id group by 1, 2 having sum(c.gross) <> 0 or coalesce(sum(t.withheld), 0) <> 0`.execute(ctx.tx)
  return rows
}

export interface OtherEntry {
  entryId: string
  day: Day
  kind: string
  reference: string
  details: string
  /** What the account grew by: a credit of what was withheld from suppliers, a debit of what was withheld from us. */
  amountAgorot: number
}

/** Entries on the account of tax withheld from suppliers that are no payment to one: what was paid to the authority, and entries by hand. */
export async function otherWithheld(ctx: Ctx, from: Day, to: Day): Promise<OtherEntry[]> {
  const { rows } = await sql<OtherEntry>`
    select n.id as "entryId", n.day, n.kind, n.reference, n.details, -sum(p.amount_agorot)::bigint as "amountAgorot"
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id join entries n on n.company_id = p.company_id and n.id = p.entry_id
      left join entries o on o.company_id = n.company_id and o.id = n.reverses_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to} and a.number = ${systemAccounts.withheldFromSuppliers}
      and coalesce(o.kind, n.kind) <> 'supplierPayment'
    group by n.id, n.day, n.kind, n.reference, n.details having sum(p.amount_agorot) <> 0 order by n.day, n.id limit 500`.execute(ctx.tx)
  return rows
}

export interface Payee {
  supplierId: string
  name: string
  taxId: string | null
  incomeTaxFile: string | null
  address: string
  language: 'he' | 'en' | 'ar' | 'ru' | 'fr'
  email: string | null
  code: string
  kind856: string
  payments: number
  grossAgorot: number
  withheldAgorot: number
  booksGrossAgorot: number
  booksWithheldAgorot: number
  /** What we owe him at the end, from his card. */
  balanceAgorot: number
}

/** Every supplier who was paid in a period, both ways, with what form 856 says of him. */
export async function payeesIn(ctx: Ctx, from: Day, to: Day, only?: readonly string[]): Promise<Payee[]> {
  await ensureCodes(ctx)
  const papers = await paidByPapers(ctx, from, to)
  const books = await paidByBooks(ctx, from, to)
  const ids = [...new Set([...papers, ...books].map((one) => one.supplierId))].filter((id) => !only || only.includes(id))
  if (!ids.length) return []
  const { rows } = await sql<Omit<Payee, 'payments' | 'grossAgorot' | 'withheldAgorot' | 'booksGrossAgorot' | 'booksWithheldAgorot'>>`
    select p.id as "supplierId", p.name, p.tax_id as "taxId", p.income_tax_file as "incomeTaxFile",
      concat_ws(', ', nullif(p.street, ''), nullif(concat_ws(' ', nullif(p.city, ''), nullif(p.zip, '')), ''), nullif(p.country, '')) as address, p.language, p.email,
      coalesce(p.withholding_kind, '06') as code, coalesce(c.kind856, p.withholding_kind, '06') as kind856,
      coalesce((select -sum(x.amount_agorot) from postings x where x.company_id = p.company_id and x.party_id = p.id and x.day <= ${to}), 0)::bigint as "balanceAgorot"
    from parties p left join withholding_codes c on c.company_id = p.company_id and c.code = coalesce(p.withholding_kind, '06')
    where p.company_id = ${ctx.companyId} and p.id = any(${ids}::uuid[]) order by p.name, p.id`.execute(ctx.tx)
  const total = <T>(list: readonly (T & { supplierId: string })[], id: string, of: (one: T) => number) =>
    list.filter((one) => one.supplierId === id).reduce((sum, one) => sum + of(one), 0)
  return rows.map((row) => ({
    ...row,
    payments: total(papers, row.supplierId, (one) => one.payments),
    grossAgorot: total(papers, row.supplierId, (one) => one.gross),
    withheldAgorot: total(papers, row.supplierId, (one) => one.withheld),
    booksGrossAgorot: total(books, row.supplierId, (one) => one.gross),
    booksWithheldAgorot: total(books, row.supplierId, (one) => one.withheld),
  }))
}
