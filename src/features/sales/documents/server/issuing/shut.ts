import { failField } from '#kit/describe/errors.ts'
import { isPurchase } from '../../types/index.ts'
import type { Prepared } from '../content/shapes.ts'

/**
 * Nothing new is issued to a customer who is blocked, archived, or merged into another. What is owed may be paid,
 * and what was charged may be credited.
 */
export function refuseShut({ type, shut }: Pick<Prepared, 'type' | 'shut'>): void {
  if (!shut || type.debt === -1 || isPurchase(type)) return
  if (shut.merged) throw failField('customerId', 'documents.customerMerged', { name: shut.merged })
  if (shut.blocked) throw failField('customerId', 'documents.customerBlocked', { reason: shut.reason ?? '' })
  throw failField('customerId', 'documents.customerArchived')
}
