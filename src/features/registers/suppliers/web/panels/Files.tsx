import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { suppliers } from '../../suppliers.ts'

/** The files of a supplier: agreements, certificates, answers of the tax authority. */
export function Files({ row }: { row: AnyRow }) {
  const may = useCan()
  return (
    <FilesPanel
      entity="suppliers"
      id={row.id}
      mayChange={may(suppliers.allow.change) && row.archivedAt === null}
    />
  )
}
