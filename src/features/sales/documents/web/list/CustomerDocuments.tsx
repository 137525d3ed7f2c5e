import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { documents } from '../../documents.ts'
import '../documents.css'
import './dress.tsx'
import { JoinDialog } from './JoinDialog.tsx'

/** The documents of one customer, on the customer card. */
export function Panel({ row }: { row: AnyRow }) {
  // Papers issued to records that turned out to be this customer stay under their own ids.
  const merged = (row.mergedIds as string[] | undefined) ?? []
  const fixed: Record<string, string> =
    merged.length > 0 ? { 'customerId.in': [row.id, ...merged].join(',') } : { customerId: row.id }
  return (
    <>
      <ListScreen embedded resource={documents} fixed={fixed} />
      <JoinDialog />
    </>
  )
}
