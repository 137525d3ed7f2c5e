import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { expenses } from '../expenses.ts'
import './dress.tsx'

/** The bills of one supplier, on the supplier card. */
export function Panel({ row }: { row: AnyRow }) {
  const may = useCan()
  // Bills of records that turned out to be this supplier stay under their own ids.
  const merged = (row.mergedIds as string[] | undefined) ?? []
  const fixed: Record<string, string> =
    merged.length > 0 ? { 'supplierId.in': [row.id, ...merged].join(',') } : { supplierId: row.id }
  return (
    <ListScreen
      resource={expenses}
      fixed={fixed}
      embedded
      archive={false}
      newHref={may('expenses.enter') ? `${expenses.screens.form}?supplier=${row.id}` : false}
    />
  )
}
