import { sql } from 'kysely'
import type { Day } from '../../../domain/day.ts'
import { fail } from '../../../kit/describe/errors.ts'
import { databaseFailures } from '../../../kit/server/api.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import { newToken } from '../../../kit/server/vault.ts'
import { say } from '../../../kit/server/words.ts'
import { companyOf } from '../../companies/server/index.ts'
import { byOf } from './keep.ts'

databaseFailures.PK4B0 = () => fail('documents.openingItem')

/** Of a series of its own: no paper of this business, and told apart by it wherever papers are listed. */
export const isOpeningItem = (series: string): boolean => series.endsWith('#opening')

export interface OpeningItem {
  customerId: string
  /** As it stands on the paper of the time. */
  number: string
  day: Day
  dueDay: Day | null
  currency: string
  rate: string
  /** Owed to us in its currency, and in shekels at the rate; negative: money or a credit of the customer's. */
  agorot: number
  ilsAgorot: number
}

/** Keeps what customers owed before the books began here as open items; their entries are the caller's affair. Answers their ids. */
export async function keepOpeningItems(ctx: Ctx, items: readonly OpeningItem[]): Promise<string[]> {
  const company = await companyOf(ctx)
  const { rows: customers } = await sql<{
    id: string
  }>`select id, coalesce(name_on_document, name) as name, tax_id as "taxId", is_dealer as "isDealer",
      contact, email, phone, street, city, zip, country from parties
    where company_id = ${ctx.companyId} and id = any(${items.map(({ customerId }) => customerId)}::uuid[])`.execute(ctx.tx)
  const customerOf = new Map(customers.map(({ id, ...customer }) => [id, customer]))
  const { rows: known } = await sql<{ series: string; number: number }>`select series, number from documents
    where company_id = ${ctx.companyId} and series like 'receipt%#opening'`.execute(ctx.tx)
  const taken = new Set(known.map(({ series, number }) => `${series}:${number}`))
  /** Its own number where it is one; an invoice and a credit of the time, or those of two branches, may share it. */
  const place = (written: string): { series: string; number: number } => {
    const number = /^\d{1,15}$/.test(written) && Number(written) > 0 ? Number(written) : undefined
    for (let n = 1; ; n++) {
      const series = number === undefined || n > 1 ? `receipt@${number === undefined ? 1 : n}#opening` : 'receipt#opening'
      const key = `${series}:${number ?? n}`
      if (taken.has(key)) continue
      taken.add(key)
      return { series, number: number ?? n }
    }
  }
  const business = { name: company.name, kind: company.kind, taxId: company.taxId, layout: company.layout, accent: company.accent }
  const kept = items.map((item) => ({
    ...item,
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

/** Takes opening items back that nothing has closed yet, not even in part; false when something has closed one of them. */
export async function dropOpeningItems(ctx: Ctx, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`update documents set status = 'cancelled', open_agorot = 0, open_in_currency_agorot = 0, updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::uuid[]) and series like '%#opening' and status = 'issued'
      and open_in_currency_agorot = -total_agorot returning id`.execute(ctx.tx)
  return rows.length === ids.length
}
