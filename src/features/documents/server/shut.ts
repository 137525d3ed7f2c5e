import { sql } from 'kysely'
import { failField } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { isPurchase } from '../types/index.ts'
import type { Prepared } from './prepare.ts'

/**
 * Nothing new is issued to a customer who is shut, put away, or turned out to be another. What he owes he may pay, and what he was charged
 * may be credited.
 */
export async function refuseShut(ctx: Ctx, { type, customerId }: Pick<Prepared, 'type' | 'customerId'>): Promise<void> {
  if (!customerId || type.debt === -1 || isPurchase(type)) return
  const { rows } = await sql<{ archived: boolean; merged: string | null; blocked: boolean; reason: string | null }>`select
      p.archived_at is not null as archived, p.blocked, p.blocked_reason as reason,
      (select k.name from parties k where k.company_id = p.company_id and k.id = p.merged_into) as merged
    from parties p where p.company_id = ${ctx.companyId} and p.id = ${customerId} and (p.archived_at is not null or p.merged_into is not null or p.blocked)`.execute(
    ctx.tx,
  )
  const [one] = rows
  if (!one) return
  if (one.merged) throw failField('customerId', 'documents.customerMerged', { name: one.merged })
  if (one.blocked) throw failField('customerId', 'documents.customerBlocked', { reason: one.reason ?? '' })
  throw failField('customerId', 'documents.customerArchived')
}
