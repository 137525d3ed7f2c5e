import { BanknoteArrowUp } from 'lucide-react'
import { dayInJerusalem, endOfMonth, startOfMonth } from '../../../domain/day.ts'
import { formatDay } from '../../../domain/format.ts'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '../../../kit/web/screens/dress.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { supplierPayments, type SupplierPaymentRow } from '../supplierPayments.ts'
import { paymentPath } from './deeds.ts'

function State({ row }: { row: SupplierPaymentRow }) {
  const t = useWords()
  return <StatusPill tone={row.state === 'cancelled' ? 'draft' : 'done'}>{t(`supplierpayments.state.${row.state}`)}</StatusPill>
}

/** The year goes where it is this one. */
function ShortDay({ value }: { value: string | null }) {
  if (!value) return null
  const text = formatDay(value)
  return <Num>{value.slice(0, 4) === dayInJerusalem(new Date()).slice(0, 4) ? text.slice(0, 5) : text}</Num>
}

dress(supplierPayments, {
  icon: BanknoteArrowUp,
  cells: { state: State, day: ShortDay } as never,
  columns: {
    number: { width: 'fit', phone: 'line', align: undefined },
    day: { width: 'fit', phone: 'line' },
    supplierId: { strong: true, width: 'trim', phone: 'title' },
    bills: { width: '8rem' },
    means: { width: 'fit', phone: 'line' },
    netAgorot: { phone: 'amount' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  href: (row) => paymentPath(row.id),
  rowName: (row, t) => t('supplierpayments.named', { number: String(row.number) }),
  isOff: (row) => row.state === 'cancelled',
  views: (t): BuiltView[] => {
    const today = dayInJerusalem(new Date())
    return [
      { key: 'month', label: t('supplierpayments.views.month'), query: { 'day.gte': startOfMonth(today), 'day.lte': endOfMonth(today) } },
      { key: 'withheld', label: t('supplierpayments.views.withheld'), query: { 'withheldAgorot.gte': '1', 'state.in': 'paid' } },
    ]
  },
})
