import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'

/** The customer's card in the books, on the customer's own page. */
export const CustomerLedger = ({ row }: { row: AnyRow }) => (
  <ReportScreen name="customerCard" bare fixed={{ party: row.id }} />
)
