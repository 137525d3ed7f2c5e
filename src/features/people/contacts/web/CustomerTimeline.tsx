import type { AnyRow } from '#kit/web/screens/resources.ts'
import { Timeline } from './Timeline.tsx'

/** Everything with a customer on one line, on his card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <Timeline customerId={row.id} mayAdd={row.archivedAt === null} />
)
