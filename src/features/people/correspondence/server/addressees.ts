import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'

/** A customer as the recipient of messages. */
export interface Addressee {
  id: string
  name: string
  nameOnDocument: string | null
  contact: string | null
  taxId: string | null
  isDealer: boolean
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
  email: string | null
  language: Language
  mergedInto: string | null
}

/** Customers by their ids, in the order of the ids; 'not found' when one of them is not the caller's. */
export async function addressees(ctx: Ctx, ids: readonly string[]): Promise<Addressee[]> {
  const once = [...new Set(ids)]
  if (!once.length) return []
  const { rows } =
    await sql<Addressee>`select id, name, name_on_document as "nameOnDocument", contact, tax_id as "taxId",
        is_dealer as "isDealer",
    street, city, zip, country, email, language, merged_into as "mergedInto" from parties
    where company_id = ${ctx.companyId} and id = any(${once}::uuid[]) and role = 'customer'`.execute(ctx.tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return once.map((id) => {
    const row = byId.get(id)
    if (!row) throw fail('kit.notFound')
    return row
  })
}

export const addressee = async (ctx: Ctx, id: string): Promise<Addressee> => (await addressees(ctx, [id]))[0]!
