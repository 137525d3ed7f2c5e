import type { AnyRow } from '#kit/web/screens/resources.ts'
import { Timeline } from './Timeline.tsx'

/** Everything that happened with a customer in one list, on the customer card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <Timeline customerId={row.id} mayAdd={row.archivedAt === null} />
)
