import { BanknoteArrowUp } from 'lucide-react'
import { dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { Link } from 'react-aria-components/Link'
import { ShortDayCell } from '#kit/web/fields/cells.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { useCan } from '#kit/web/session/session.ts'
import { supplierPayments, type SupplierPaymentRow } from '../supplierPayments.ts'
import { paymentPath } from './actions.ts'
import { PaymentState } from './PaymentState.tsx'

function State({ row }: { row: SupplierPaymentRow }) {
  return <PaymentState state={row.state ?? 'paid'} />
}

/** The way to the file it went out in, for the person who may see files. */
function FileNumber({ row }: { row: SupplierPaymentRow }) {
  const may = useCan()
  if (!row.fileNumber) return null
  return may('masav.see') ? (
    <Link className="link" href={`/invoice/masavfile/${row.fileId}`}>
      <Num>{row.fileNumber}</Num>
    </Link>
  ) : (
    <Num>{row.fileNumber}</Num>
  )
}

dress(supplierPayments, {
  icon: BanknoteArrowUp,
  cells: { state: State, day: ShortDayCell, fileNumber: FileNumber } as never,
  columns: {
    number: { width: 'fit', phone: 'line', align: undefined },
    day: { width: 'fit', phone: 'line' },
    supplierId: { strong: true, width: 'trim', phone: 'title' },
    bills: { width: '8rem' },
    means: { width: 'fit', phone: 'line' },
    fileNumber: { width: 'fit', align: undefined },
    netAgorot: { phone: 'amount' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  href: (row) => paymentPath(row.id),
  rowName: (row, t) => t('supplierpayments.named', { number: String(row.number) }),
  isOff: (row) => row.state === 'cancelled',
  views: (t): BuiltView[] => {
    const today = dayInJerusalem(new Date())
    return [
      {
        key: 'month',
        label: t('supplierpayments.views.month'),
        query: { 'day.gte': startOfMonth(today), 'day.lte': endOfMonth(today) },
      },
      {
        key: 'withheld',
        label: t('supplierpayments.views.withheld'),
        query: { 'withheldAgorot.gte': '1', 'state.in': 'paid,onTheWay' },
      },
    ]
  },
})
