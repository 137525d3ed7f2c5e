import type { AnyRow } from '#kit/web/screens/resources.ts'
import { TaskList } from './Tasks.tsx'

/** What is to do for a customer, on his card. */
export const Panel = ({ row }: { row: AnyRow }) => <TaskList customerId={row.id} />
