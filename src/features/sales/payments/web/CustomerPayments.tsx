import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { payments } from '../payments.ts'
import './dress.tsx'

/** What one customer paid, on the customer card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <ListScreen resource={payments} fixed={{ customerId: row.id }} embedded archive={false} newHref={false} />
)
