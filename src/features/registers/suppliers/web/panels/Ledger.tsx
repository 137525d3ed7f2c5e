import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'

/** The supplier's card in the books, on the supplier page. */
export const Ledger = ({ row }: { row: AnyRow }) => (
  <ReportScreen name="providerCard" bare fixed={{ party: row.id }} />
)
