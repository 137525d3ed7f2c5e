import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { letters } from '../letters.ts'
import './dress.tsx'

/** The letters a customer received, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  const merged = (row.mergedIds as string[] | undefined) ?? []
  const fixed: Record<string, string> =
    merged.length > 0 ? { 'customerId.in': [row.id, ...merged].join(',') } : { customerId: row.id }
  return (
    <ListScreen
      embedded
      resource={letters}
      fixed={fixed}
      newHref={`/invoice/InvoiceDocumentLetter/new?to=${row.id}`}
    />
  )
}
