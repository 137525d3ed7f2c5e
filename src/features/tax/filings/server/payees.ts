import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import {
  paidByBooks as booksByMonth,
  paidByPapers as papersByMonth,
  type PaidLine,
  type PaidPaper,
  type PayeeMonth,
} from '#domain/filings/withheld.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import type { Ctx } from '#kit/server/context.ts'
import { ensureCodes } from './codes.ts'

/*
 * What suppliers were paid and what was withheld from them, twice: from the payments, and from the entries by
 * code that knows nothing of payments.
 */

/** Who stands for a payee: the person who was entered twice and made one is one in every return. */
const standing = (ctx: Ctx, id: RawBuilder<unknown>) =>
  sql`coalesce((select m.merged_into from parties m where m.company_id = ${ctx.companyId} and m.id = ${id}),
      ${id})`

/** A payment with where it is opened. */
export type OpenedPayment = PaidPaper & { number: string; open: string }

/** Payments to suppliers one by one: on their day, and those that were reversed on the day of the reversal. */
export async function paymentsIn(ctx: Ctx, from: Day, to: Day): Promise<OpenedPayment[]> {
  const { rows } = await sql<OpenedPayment>`
    with paid as (
      select supplier_id, day, gross_agorot as gross, withheld_agorot as withheld, entry_id,
        number::text as number,
        '/invoice/supplierpayment/' || id as open
      from supplier_payments where company_id = ${ctx.companyId}
      union all
      select e.supplier_id, x.day, x.amount_agorot, 0, x.entry_id, e.supplier_number,
        '/invoice/Expenses/all/' || e.id from expense_payments x
        join expenses e on e.company_id = x.company_id and e.id = x.expense_id
        where x.company_id = ${ctx.companyId} and x.supplier_payment_id is null and e.supplier_id is not null
    ), moves as (
      select supplier_id, day, gross, withheld, 1 as count, number, open from paid
      union all
      select p.supplier_id, r.day, -p.gross, -p.withheld, -1, p.number, p.open from paid p
      join entries r on r.company_id = ${ctx.companyId} and r.reverses_id = p.entry_id
    )
    select ${standing(ctx, sql`moves.supplier_id`)} as "supplierId", day, count, gross, withheld, number, open
    from moves where day between ${from} and ${to} order by day, open, count desc`.execute(ctx.tx)
  return rows
}

/** From the papers: what was paid by supplier and month. */
export const paidByPapers = async (ctx: Ctx, from: Day, to: Day): Promise<PayeeMonth[]> =>
  papersByMonth(await paymentsIn(ctx, from, to))

/**
 * From the books: what payments took from suppliers' cards, and what those entries left on the account of tax
 * withheld.
 */
export async function paidByBooks(ctx: Ctx, from: Day, to: Day): Promise<PayeeMonth[]> {
  const { rows } = await sql<PaidLine>`
    with payments as materialized (select id, day from entries where company_id = ${ctx.companyId}
      and kind = 'supplierPayment'),
      taken_back as materialized (select r.id, r.day from payments y
        cross join lateral (select id, day from entries where company_id = ${ctx.companyId}
          and reverses_id = y.id offset 0) r)
    select n.id as "entryId", n.day, case when a.number = ${systemAccounts.suppliers} then 'card'
      else 'tax' end as role,
      ${standing(ctx, sql`p.party_id`)} as "supplierId",
      p.amount_agorot as amount
    from (select * from payments union select * from taken_back) n
      -- An entry leads to its lines (offset 0): a database that does not know a young business yet would look for them among all there are.
      cross join lateral (select * from postings where company_id = ${ctx.companyId}
        and entry_id = n.id offset 0) p
      join accounts a on a.company_id = ${ctx.companyId} and a.id = p.account_id
    where n.day between ${from} and ${to}
      and a.number in (${systemAccounts.suppliers}, ${systemAccounts.withheldFromSuppliers})
    order by n.id, p.line`.execute(ctx.tx)
  return booksByMonth(rows)
}

export interface OtherEntry {
  entryId: string
  day: Day
  kind: string
  reference: string
  details: string
  /**
   * What the account grew by: a credit of what was withheld from suppliers, a debit of what was withheld from
   * us.
   */
  amountAgorot: number
}

/**
 * Entries on the account of tax withheld from suppliers that are no payment to one: what was paid to the
 * authority, and entries by hand.
 */
export async function otherWithheld(ctx: Ctx, from: Day, to: Day): Promise<OtherEntry[]> {
  const { rows } = await sql<OtherEntry>`
    select n.id as "entryId", n.day, n.kind, n.reference, n.details, -sum(p.amount_agorot)::bigint as
      "amountAgorot"
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries n on n.company_id = p.company_id and n.id = p.entry_id
      left join entries o on o.company_id = n.company_id and o.id = n.reverses_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to}
      and a.number = ${systemAccounts.withheldFromSuppliers}
      and coalesce(o.kind, n.kind) <> 'supplierPayment'
    group by n.id, n.day, n.kind, n.reference, n.details having sum(p.amount_agorot) <> 0 order by n.day, n.id
    limit 500`.execute(ctx.tx)
  return rows
}

export interface Payee {
  supplierId: string
  name: string
  taxId: string | null
  incomeTaxFile: string | null
  occupation: string | null
  assessingOffice: string | null
  isPaResident: boolean
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
  /** What we owe the supplier at the end, from the supplier's card. */
  balanceAgorot: number
}

/** Every supplier who was paid in a period, both ways, with the data of form 856. */
export async function payeesIn(ctx: Ctx, from: Day, to: Day, only?: readonly string[]): Promise<Payee[]> {
  await ensureCodes(ctx)
  const papers = await paidByPapers(ctx, from, to)
  const books = await paidByBooks(ctx, from, to)
  const ids = [...new Set([...papers, ...books].map((one) => one.supplierId))].filter(
    (id) => !only || only.includes(id),
  )
  if (!ids.length) return []
  const { rows } = await sql<
    Omit<Payee, 'payments' | 'grossAgorot' | 'withheldAgorot' | 'booksGrossAgorot' | 'booksWithheldAgorot'>
  >`
    select p.id as "supplierId", p.name, p.tax_id as "taxId", p.income_tax_file as "incomeTaxFile",
      p.occupation, p.assessing_office as "assessingOffice", p.is_pa_resident as "isPaResident",
      concat_ws(', ', nullif(p.street, ''), nullif(concat_ws(' ', nullif(p.city, ''), nullif(p.zip, '')), ''),
      nullif(p.country, '')) as address, p.language, p.email,
      coalesce(p.withholding_kind, '06') as code, coalesce(c.kind856, p.withholding_kind, '06') as kind856,
      coalesce((select -sum(x.amount_agorot) from postings x where x.company_id = p.company_id
      and x.party_id = any(array(
        select g.id from parties g where g.company_id = p.company_id
          and (g.id = p.id or g.merged_into = p.id))) and x.day <= ${to}), 0)::bigint as "balanceAgorot"
    from parties p left join withholding_codes c on c.company_id = p.company_id
      and c.code = coalesce(p.withholding_kind, '06')
    where p.company_id = ${ctx.companyId} and p.id = any(${ids}::uuid[]) order by p.name, p.id`.execute(
    ctx.tx,
  )
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
