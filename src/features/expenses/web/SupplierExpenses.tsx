import { ListScreen } from '../../../kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '../../../kit/web/screens/resources.ts'
import { useCan } from '../../../kit/web/session.ts'
import { expenses } from '../expenses.ts'
import './dress.tsx'

/** The bills of one supplier, on his card. */
export function Panel({ row }: { row: AnyRow }) {
  const may = useCan()
  return (
    <ListScreen
      resource={expenses}
      fixed={{ supplierId: row.id }}
      embedded
      archive={false}
      newHref={may('expenses.enter') ? `${expenses.screens.form}?supplier=${row.id}` : false}
    />
  )
}
