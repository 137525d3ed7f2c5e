import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import './dress.tsx'

/** External documents of a customer, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  const merged = (row.mergedIds as string[] | undefined) ?? []
  const fixed: Record<string, string> =
    merged.length > 0 ? { 'customerId.in': [row.id, ...merged].join(',') } : { customerId: row.id }
  return (
    <ListScreen
      embedded
      resource={outsideDocuments}
      fixed={fixed}
      newHref={`${outsideDocuments.screens.list}?upload=1&customer=${row.id}`}
    />
  )
}
