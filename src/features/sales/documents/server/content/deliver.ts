import { sql } from 'kysely'
import type { DocumentType } from '#kit/describe/documentType.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { DeliverTo } from '../../endpoints.ts'
import type { Given } from './shapes.ts'

const parts = ['name', 'street', 'city', 'zip', 'country', 'contact', 'phone', 'notes'] as const

/**
 * Where the goods of a document go, as it is frozen with it: what was written, the chosen address of the customer,
 * or, on a document that goes with goods and says nothing, the customer's only address for deliveries. Of several
 * none is better than another, so a person chooses.
 */
export async function deliverToOf(
  ctx: Ctx,
  type: DocumentType,
  customerId: string | null,
  given: Given['deliverTo'],
): Promise<DeliverTo | null> {
  if (!type.parts.includes('deliverTo') || given === null) return null
  if (given === undefined) {
    if (!type.delivers || !customerId) return null
    const [only, another] = await addressesOf(ctx, customerId)
    return only && !another ? only : null
  }
  if ('addressId' in given) {
    const [chosen] = customerId ? await addressesOf(ctx, customerId, given.addressId) : []
    if (!chosen) throw new Failure('kit.badInput', {}, [{ path: 'deliverTo', code: 'fields.ref' }])
    return chosen
  }
  const written = given as Partial<DeliverTo>
  const place = Object.fromEntries(parts.map((part) => [part, written[part]?.trim() ?? ''])) as DeliverTo
  return parts.some((part) => place[part]) ? place : null
}

/** The customer's addresses for deliveries, or the requested one, of whatever kind. */
async function addressesOf(ctx: Ctx, customerId: string, id?: string): Promise<DeliverTo[]> {
  const { rows } = await sql<DeliverTo>`select
        ${sql.join(parts.map((part) => sql`coalesce(${sql.ref(part)}, '') as ${sql.ref(part)}`))}
    from customer_addresses where company_id = ${ctx.companyId} and party_id = ${customerId}
      and archived_at is null
      and ${id ? sql`id = ${id}` : sql`kind = 'delivery'`} order by created_at, id limit 2`.execute(ctx.tx)
  return rows
}
