import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { pestSites } from '../pest.ts'
import './dress.tsx'

/** The places of one customer, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  return <ListScreen embedded resource={pestSites} fixed={{ customerId: row.id }} />
}
