import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { signRequests } from '../signing.ts'
import './dress.tsx'

/** What a customer was sent to sign, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  const merged = (row.mergedIds as string[] | undefined) ?? []
  const fixed: Record<string, string> =
    merged.length > 0 ? { 'customerId.in': [row.id, ...merged].join(',') } : { customerId: row.id }
  return <ListScreen embedded resource={signRequests} fixed={fixed} newHref={false} />
}
