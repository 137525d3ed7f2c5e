import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { expenses } from '../expenses.ts'
import './dress.tsx'

/** The bills of one project, on its card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <ListScreen resource={expenses} fixed={{ projectId: row.id }} embedded archive={false} newHref={false} />
)
