import type { AnyRow } from '#kit/web/screens/resources.ts'
import { TaskList } from './Tasks.tsx'

/** The tasks of a customer, on the customer card. */
export const Panel = ({ row }: { row: AnyRow }) => <TaskList customerId={row.id} />
