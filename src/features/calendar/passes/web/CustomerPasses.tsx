import type { AnyRow } from '#kit/web/screens/resources.ts'
import { PassList } from './PassList.tsx'

/** The passes a customer has or had. */
export function Panel({ row }: { row: AnyRow }) {
  return <PassList customer={{ key: row.id, label: String(row.name ?? '') }} />
}
