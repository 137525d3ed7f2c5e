import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import {
  billingAccountSubTypes,
  documentTypeById,
  documentTypes,
  type PaperLabel,
} from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx, type Language } from '#kit/server/context.ts'
import { isUntouched, status } from '#kit/server/data/documentFacts.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'

databaseFailures.PK4B0 = () => fail('documents.openingItem')

/** Of a separate series: not a document of this business, and distinguished by it wherever documents are listed. */
export const isOpeningItem = (series: string): boolean => series.endsWith('#opening')

/**
 * The number an opening item has on the paper of the time; empty where another program's books named none,
 * null of every other document. `d` is the table of documents in the query, as in 'd'.
 */
export const openingNumber = (d: string): RawBuilder<string | null> =>
  sql`case when ${sql.ref(`${d}.series`)} like '%#opening' then coalesce((select x.number from opening_items x
    where x.company_id = ${sql.ref(`${d}.company_id`)} and x.document_id = ${sql.ref(`${d}.id`)}), '') end`

/** `labelOf` of the domain in a query, where a paper is named; `d` as above. */
export const paperLabel = (d: string): RawBuilder<PaperLabel | null> =>
  sql`case when ${sql.ref(`${d}.type`)} = ${sql.lit(documentTypes.paymentRequest.id)}
      and ${sql.ref(`${d}.sub_type`)} in (${sql.join(billingAccountSubTypes.map((id) => sql.lit(id)))})
    then 'billingAccount' when ${sql.ref(`${d}.type`)} = ${sql.lit(documentTypes.priceQuote.id)}
    and ${sql.ref(`${d}.pro`)} then 'priceQuoteRequest' end`

/** The word of a paper's type, or of the label it has in place of it. */
export const typeOfPaper = (language: Language, type: number, label?: PaperLabel | null): string =>
  say(language, `documents.types.${label ?? documentTypeById(type) ?? 'taxInvoice'}`)

/** The gender of that word, for sentences that agree with it (`Noun`). */
export const genderOfPaper = (language: Language, type: number, label?: PaperLabel | null): string =>
  say(language, `documents.gender.${label ?? documentTypeById(type) ?? 'taxInvoice'}`)

export interface NamedPaper {
  type: number
  number: number | null
  /** See `paperLabel`; not asked for where only debts and money are named. */
  label?: PaperLabel | null
  /** See `openingNumber`. */
  opening: string | null
}

/**
 * What a paper is called where its customer reads it: 'Tax invoice 1044', or an opening item by its number of
 * the time.
 */
export const nameOfPaper = (language: Language, { type, number, opening, label }: NamedPaper): string =>
  opening === null
    ? [typeOfPaper(language, type, label), number].filter((part) => part !== null).join(' ')
    : // A name set into a sentence is isolated there as a whole.
      say(language, 'documents.openingItem', { number: opening })
        .replace(/[\u2066-\u2069]/g, '')
        .trim()

/**
 * Which of these documents are debts that no year has counted as income yet, because the business counts by
 * cash: they are it once they are paid.
 */
export async function countsWhenPaid(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{ id: string }>`select document_id as id from opening_items
    where company_id = ${ctx.companyId} and document_id = any(${[...ids]}::uuid[])
      and income_when_paid`.execute(ctx.tx)
  return new Set(rows.map(({ id }) => id))
}

export interface OpeningItem {
  customerId: string
  /** As it is on the original document. */
  number: string
  day: Day
  dueDay: Day | null
  currency: string
  rate: string
  /**
   * Owed to us in its currency, and in shekels at the rate; negative: money or a credit of the customer's.
   */
  agorot: number
  ilsAgorot: number
}

/**
 * Keeps what customers owed before the books began here as open items; their entries are the caller's affair.
 * Answers their ids.
 */
export async function keepOpeningItems(ctx: Ctx, items: readonly OpeningItem[]): Promise<string[]> {
  const company = await companyOf(ctx)
  const { rows: customers } = await sql<{
    id: string
  }>`select id, coalesce(name_on_document, name) as name, tax_id as "taxId", is_dealer as "isDealer",
      contact, email, phone, street, city, zip, country from parties
    where company_id = ${ctx.companyId}
      and id = any(${items.map(({ customerId }) => customerId)}::uuid[])`.execute(ctx.tx)
  const customerOf = new Map(customers.map(({ id, ...customer }) => [id, customer]))
  const { rows: known } = await sql<{ series: string; number: number }>`select series, number from documents
    where company_id = ${ctx.companyId} and series like 'receipt%#opening'`.execute(ctx.tx)
  const taken = new Set(known.map(({ series, number }) => `${series}:${number}`))
  /**
   * Its own number where it is one; an invoice and a credit of the time, or those of two branches, may share
   * it.
   */
  const place = (written: string): { series: string; number: number } => {
    const number = /^\d{1,15}$/.test(written) && Number(written) > 0 ? Number(written) : undefined
    for (let n = 1; ; n++) {
      const series =
        number === undefined || n > 1 ? `receipt@${number === undefined ? 1 : n}#opening` : 'receipt#opening'
      const key = `${series}:${number ?? n}`
      if (taken.has(key)) continue
      taken.add(key)
      return { series, number: number ?? n }
    }
  }
  const business = {
    name: company.name,
    kind: company.kind,
    taxId: company.taxId,
    layout: company.layout,
    accent: company.accent,
  }
  const kept = items.map((item) => ({
    ...item,
    // Nothing was said of when it is due: it has been since its day.
    dueDay: item.dueDay ?? (item.agorot > 0 ? item.day : null),
    ...place(item.number),
    id: newId(),
    language: company.language,
    customer: customerOf.get(item.customerId) ?? {},
    business,
    subject: say(company.language, 'documents.openingItem', { number: item.number }),
    pageKey: newToken(),
    by: byOf(ctx),
    at: ctx.now.toISOString(),
  }))
  await sql`select keep_opening_items(${ctx.companyId}, ${JSON.stringify(kept)}::jsonb)`.execute(ctx.tx)
  return kept.map(({ id }) => id)
}

/**
 * Takes opening items back that nothing has closed yet, not even in part; false when something has closed one
 * of them.
 */
export async function dropOpeningItems(ctx: Ctx, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`update documents set status = ${status('cancelled')}, open_agorot = 0,
        open_in_currency_agorot = 0,
        updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::uuid[]) and series like '%#opening'
      and ${isUntouched()}
      and open_in_currency_agorot = -total_agorot returning id`.execute(ctx.tx)
  return rows.length === ids.length
}
