import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { suppliers, type Supplier } from '../suppliers.ts'
import { BankChangeNote } from './BankChange.tsx'

/**
 * Warns the person who pays a supplier whose account was replaced lately. Nothing for those who may not see
 * suppliers.
 */
export function PayWarning({ supplierId }: { supplierId: string }) {
  const row = useRecord(suppliers, supplierId).data as (AnyRow & Supplier) | undefined
  return row ? <BankChangeNote changedAt={row.bankChangedAt} changedBy={row.bankChangedBy} /> : null
}
