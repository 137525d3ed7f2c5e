import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { runReport } from '#kit/server/described/serveReports.ts'
import { say } from '#kit/server/words.ts'
import { companyIn, transferText } from '#features/base/companies/inLanguage.ts'
import { companyOf, logoOf, businessOnPaper } from '#features/base/companies/server/index.ts'
import {
  nameOfPaper,
  openingNumber,
  owedNow,
  type NamedPaper,
  type StatementSource,
} from '#features/sales/documents/server/index.ts'
import { reports as ledgerReports } from '#features/base/ledger/server/index.ts'
import type { StatementKind } from '../endpoints.ts'
import { addressee, type Addressee } from './addressees.ts'

export interface Which {
  kind: StatementKind
  from?: Day | undefined
  to?: Day | undefined
}

/** To whom letters about money go: the people who get reminders, or the customer's own mail. */
export async function addressesOf(ctx: Ctx, customer: Pick<Addressee, 'id' | 'email'>): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select distinct email from customer_contacts
    where company_id = ${ctx.companyId} and party_id = ${customer.id} and gets_reminders and email is not null
      and archived_at is null order by 1 limit 10`.execute(ctx.tx)
  if (rows.length > 0) return rows.map(({ email }) => email)
  return customer.email ? [customer.email] : []
}

type Entry = StatementSource['entries'][number]

/** Everything of the period as the card has it: the same figures, in the customer's language. */
async function fromCard(
  ctx: Ctx,
  customer: Addressee,
  from: Day,
  to: Day,
): Promise<{ opening: number; entries: Entry[] }> {
  const card = ledgerReports.find(({ name }) => name === 'customerCard')!
  const { rows } = await runReport(ctx, card, { party: customer.id, from, to })
  const [opening, ...moves] = rows
  const ids = moves.flatMap(({ open }) => (typeof open === 'string' ? [open.split('/').at(-1)!] : []))
  const { rows: papers } = await sql<
    NamedPaper & { id: string; due: Day | null }
  >`select d.id, d.type, d.number, d.due_day as due, ${openingNumber('d')} as opening
    from documents d where d.company_id = ${ctx.companyId} and d.id = any(${ids}::uuid[])`.execute(ctx.tx)
  const byId = new Map(papers.map((paper) => [paper.id, paper]))
  return {
    opening: Number(opening?.balanceAgorot ?? 0),
    entries: moves.map((row): Entry => {
      const paper = typeof row.open === 'string' ? byId.get(row.open.split('/').at(-1)!) : undefined
      const kind = say(customer.language, `ledger.kinds.${String(row.kind)}`)
      return {
        date: String(row.day),
        document: paper
          ? nameOfPaper(customer.language, paper)
          : [kind, row.reference].filter(Boolean).join(' '),
        ...(row.details ? { details: String(row.details) } : {}),
        ...(paper?.due && row.debitAgorot ? { due: paper.due } : {}),
        ...(row.debitAgorot ? { debit: Number(row.debitAgorot) } : {}),
        ...(row.creditAgorot ? { credit: Number(row.creditAgorot) } : {}),
        balance: Number(row.balanceAgorot ?? 0),
      }
    }),
  }
}

interface OpenItem extends NamedPaper {
  day: Day
  due: Day | null
  subject: string
  amount: number
}

/** What is not paid yet, of the customer's documents and of those issued to records merged into the customer. */
async function openItems(ctx: Ctx, customer: Addressee): Promise<OpenItem[]> {
  const { rows } =
    await sql<OpenItem>`select d.day, d.due_day as due, d.type, d.number, d.subject, d.open_agorot as amount,
        ${openingNumber('d')} as opening
    from parties g join documents d on d.company_id = g.company_id and d.customer_id = g.id
    where g.company_id = ${ctx.companyId} and (g.id = ${customer.id} or g.merged_into = ${customer.id})
      and d.open_agorot <> 0
    order by d.day, d.number`.execute(ctx.tx)
  return rows
}

function fromOpen(items: OpenItem[], language: Language): Entry[] {
  let balance = 0
  return items.map(({ subject, day, due, amount, ...paper }): Entry => {
    balance += amount
    return {
      date: day,
      document: nameOfPaper(language, paper),
      ...(subject && paper.opening === null ? { details: subject } : {}),
      ...(due && amount > 0 ? { due } : {}),
      ...(amount > 0 ? { debit: amount } : { credit: -amount }),
      balance,
    }
  })
}

/**
 * Not yet due, overdue up to 30, 31 to 60, 61 to 90, above 90 days. Money on account covers the oldest debts; what is
 * left of it lowers what is not due yet.
 */
async function agesOf(
  ctx: Ctx,
  customer: Addressee,
  items: OpenItem[],
  today: Day,
): Promise<StatementSource['ageing']> {
  const ages: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  const { rows } = await sql<{ due: Day | null; amount: number }>`select d.due_day as due, w.owed as amount
    from ${owedNow(ctx, sql`${customer.id}::uuid`)} w join documents d on d.company_id = ${ctx.companyId}
      and d.id = w.id and d.open_agorot > 0`.execute(ctx.tx)
  const total = (all: readonly { amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0)
  ages[0] = total(items) - total(rows)
  for (const { due, amount } of rows) {
    const at =
      !due || due >= today
        ? 0
        : due >= addDays(today, -30)
          ? 1
          : due >= addDays(today, -60)
            ? 2
            : due >= addDays(today, -90)
              ? 3
              : 4
    ages[at] += amount
  }
  return ages
}

/** What a statement says of a customer. The person who may not see figures gets none of it. */
export async function statementOf(
  ctx: Ctx,
  id: string,
  { kind, from, to }: Which,
): Promise<{ source: StatementSource; customer: Addressee }> {
  // An account holds papers of every type: a part of it would not be true.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (ctx.caller.docsAllow.length) throw forbidden({ sight: 'documents' })
  const customer = await addressee(ctx, id)
  // The account of a merged customer is on the remaining record.
  if (customer.mergedInto) return statementOf(ctx, customer.mergedInto, { kind, from, to })
  const end = to ?? ctx.today
  const begin = from ?? `${end.slice(0, 4)}-01-01`
  if (begin > end) throw to ? failField('to', 'fields.dayOrder') : failField('from', 'expenses.dateInFuture')
  const items = await openItems(ctx, customer)
  const { opening, entries } =
    kind === 'card'
      ? await fromCard(ctx, customer, begin, end)
      : { opening: 0, entries: fromOpen(items, customer.language) }
  const sum = (side: 'debit' | 'credit') => entries.reduce((total, entry) => total + (entry[side] ?? 0), 0)
  const [charged, credited] = [sum('debit'), sum('credit')]
  const balance = opening + charged - credited
  const company = await companyOf(ctx)
  const logo = await logoOf(ctx)
  const { language } = customer
  const transfer = transferText(companyIn(company, language), language !== company.language)
  return {
    customer,
    source: {
      language,
      currency: 'ILS',
      from: kind === 'card' ? begin : (entries[0]?.date ?? end),
      to: end,
      madeAt: ctx.now,
      opening,
      charged,
      credited,
      balance,
      entries,
      ageing: await agesOf(ctx, customer, items, ctx.today),
      ...(balance > 0 && transfer ? { notes: transfer.split('\n').filter((one) => one.trim() !== '') } : {}),
      business: businessOnPaper(company, logo, language),
      customer: {
        name: customer.nameOnDocument || customer.name,
        ...(customer.contact ? { contact: customer.contact } : {}),
        address: [
          customer.street,
          [customer.city, customer.zip].filter(Boolean).join(' '),
          customer.country,
        ].filter((one): one is string => !!one),
        ...(customer.taxId
          ? {
              taxId: {
                kind: customer.isDealer ? ('licensedDealer' as const) : ('idNumber' as const),
                number: customer.taxId,
              },
            }
          : {}),
      },
      settings: { accent: company.accent, showPinkas: company.showCreditLine, brandName: brandHere()?.name },
    },
  }
}
