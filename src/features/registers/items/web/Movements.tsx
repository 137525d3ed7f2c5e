import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'

/** The sales of the item, on its card. */
export const Panel = ({ row }: { row: AnyRow }) => (
  <ReportScreen name="itemMovements" bare fixed={{ item: row.id }} />
)
