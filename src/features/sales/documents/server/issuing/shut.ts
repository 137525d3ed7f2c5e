import { failField } from '#kit/describe/errors.ts'
import { isPurchase } from '../../types/index.ts'
import type { Prepared } from '../content/shapes.ts'

/**
 * Nothing new is issued to a customer who is blocked or archived. What is owed may be paid, and what was charged may be
 * credited. What names a merged customer is issued to the surviving one (`partyOf`).
 */
export function refuseShut({ type, shut }: Pick<Prepared, 'type' | 'shut'>): void {
  if (!shut || type.debt === -1 || isPurchase(type)) return
  if (shut.blocked) throw failField('customerId', 'documents.customerBlocked', { reason: shut.reason ?? '' })
  throw failField('customerId', 'documents.customerArchived')
}
