import { HandCoins, Landmark } from 'lucide-react'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { ShortDayCell } from '#kit/web/fields/cells.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { deposits, payments, type DepositRow, type PaymentRow } from '../payments.ts'
import { depositPath, newDepositPath, paymentPath } from './actions.ts'
import { PaymentState } from './state.tsx'

const may = (rule: string) => mayDo(session(), rule)
const isCheque = (row: PaymentRow) => row.means === 'cheque' && row.state === 'received'

const State = ({ row }: { row: PaymentRow }) => <PaymentState state={row.state!} />

/** Money that has its day still to come says when. */
const DueDay = ({ row }: { row: PaymentRow }) => (
  <ShortDayCell value={row.dueDay === row.day && row.means !== 'cheque' ? null : row.dueDay} />
)

dress(payments, {
  icon: HandCoins,
  cells: { state: State, day: ShortDayCell, dueDay: DueDay, depositDay: ShortDayCell } as never,
  columns: {
    day: { width: 'fit', phone: 'line' },
    customerId: { strong: true, width: 'trim', phone: 'title' },
    means: { width: 'fit', phone: 'line' },
    reference: { strong: false, width: '8rem', phone: 'line' },
    dueDay: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
    sumAgorot: { phone: 'amount' },
  } as never,
  href: (row) => paymentPath(row.id),
  rowName: (row, t) => `${t(`payments.means.${String(row.means)}`)} ${row.reference ?? ''}`.trim(),
  isOff: (row) => row.state === 'cancelled',
  views: (t): BuiltView[] => {
    const today = dayInJerusalem(new Date())
    const hand = { 'means.in': 'cheque', 'state.in': 'received' }
    return [
      { key: 'hand', label: t('payments.views.hand'), query: { ...hand, sort: 'dueDay' } },
      {
        key: 'ready',
        label: t('payments.views.ready'),
        query: { ...hand, 'dueDay.lte': today, sort: 'dueDay' },
      },
      {
        key: 'soon',
        label: t('payments.views.soon'),
        query: { ...hand, 'dueDay.gte': addDays(today, 1), 'dueDay.lte': addDays(today, 7), sort: 'dueDay' },
      },
      { key: 'back', label: t('payments.views.back'), query: { 'state.in': 'bounced,returned' } },
    ]
  },
  actions: (row, t) =>
    may('payments.change') && isCheque(row as unknown as PaymentRow)
      ? [
          {
            key: 'deposit',
            label: t('payments.actions.deposit'),
            icon: Landmark,
            href: `${newDepositPath}?ids=${row.id}`,
          },
        ]
      : [],
  bulk: (t) =>
    may('payments.change')
      ? [
          {
            key: 'deposit',
            label: t('payments.actions.deposit'),
            icon: Landmark,
            hi: true,
            run: (rows) =>
              go(
                `${newDepositPath}?ids=${rows
                  .filter((row) => isCheque(row as unknown as PaymentRow))
                  .map((row) => row.id)
                  .join(',')}`,
              ),
          },
        ]
      : [],
})

function SlipState({ row }: { row: DepositRow }) {
  const t = useWords()
  return (
    <StatusPill tone={row.state === 'undone' ? 'draft' : 'done'}>
      {t(`deposits.state.${row.state}`)}
    </StatusPill>
  )
}

dress(deposits, {
  icon: Landmark,
  cells: { state: SlipState, day: ShortDayCell } as never,
  columns: {
    number: { strong: true, width: 'fit', phone: 'title' },
    day: { width: 'fit', phone: 'line' },
    accountId: { width: 'trim', phone: 'line' },
    reference: { width: '8rem' },
    totalAgorot: { phone: 'amount' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  href: (row) => depositPath(row.id),
  rowName: (row, t) => t('deposits.named', { number: String(row.number) }),
  isOff: (row) => row.state === 'undone',
})
