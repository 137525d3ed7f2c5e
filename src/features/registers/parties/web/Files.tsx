import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { customers } from '../customers.ts'

/** The files of a customer: contracts, pictures, received files. */
export function Files({ row }: { row: AnyRow }) {
  const may = useCan()
  return (
    <FilesPanel
      entity="customers"
      id={row.id}
      mayChange={may(customers.allow.change) && row.archivedAt === null}
    />
  )
}
