import { BookCheck, CreditCard, Undo2, Landmark, MessageSquareText, Scale } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { dress } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { acquirerDeals, acquirerDeposits, type DealRow, type DepositRow } from '../settlements.ts'
import { openBook, openDeny, openExplain } from './open.tsx'
import { DealStatus, DepositStatus, TerminalName } from './says.tsx'

const Day = ({ value }: { value: string | null }) => (value ? <Num>{formatDay(value)}</Num> : null)
const Code = ({ value }: { value: string | null }) => (value ? <bdi className="num">{value}</bdi> : null)
const may = () => mayDo(session(), 'settlements.change')

dress(acquirerDeals, {
  icon: Scale,
  cells: {
    state: ({ row }: { row: DealRow }) => <DealStatus of={row.state!} />,
    terminal: TerminalName,
    day: Day,
    uid: Code,
    last4: Code,
  } as never,
  columns: {
    day: { width: 'fit', phone: 'line' },
    terminal: { width: 'fit' },
    uid: { strong: true, width: 'fit', phone: 'title' },
    last4: { width: 'fit' },
    toldAgorot: { width: 'fit' },
    ownAgorot: { width: 'fit' },
    differenceAgorot: { phone: 'amount' },
    note: { width: 'trim' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [
    {
      key: 'different',
      label: t('acquirerDeals.views.different'),
      query: { 'state.in': 'unknown,missing,sum,currency,takenBack' },
      tone: 'late',
    },
    { key: 'explained', label: t('acquirerDeals.views.explained'), query: { 'state.in': 'explained' } },
  ],
  rowName: (row) => String(row.uid ?? row.day ?? ''),
  actions: (row, t) => {
    const { chargeId } = row as { chargeId?: string | null }
    return [
      ...(chargeId
        ? [
            {
              key: 'charge',
              label: t('acquirerDeals.charge'),
              icon: CreditCard,
              onPress: () => go(`/invoice/historypayments/${chargeId}`),
            },
          ]
        : []),
      ...(row.state === 'takenBack' && mayDo(session(), 'charges.refund')
        ? [
            {
              key: 'deny',
              label: t('acquirerDeals.deny'),
              icon: Undo2,
              onPress: () => openDeny(row as DealRow),
            },
          ]
        : []),
      ...(row.state !== 'matched' && may()
        ? [
            {
              key: 'explain',
              label: t('acquirerDeals.explain'),
              icon: MessageSquareText,
              onPress: () => openExplain(row.id),
            },
          ]
        : []),
    ]
  },
})

dress(acquirerDeposits, {
  icon: Landmark,
  cells: {
    state: ({ row }: { row: DepositRow }) => <DepositStatus of={row.state!} />,
    terminal: TerminalName,
    day: Day,
    externalId: Code,
    matchNumber: Code,
  } as never,
  columns: {
    day: { width: 'fit', phone: 'line' },
    terminal: { width: 'fit', phone: 'line' },
    externalId: { strong: true, width: 'trim', phone: 'title' },
    netAgorot: { phone: 'amount' },
    feeAgorot: { width: 'fit' },
    feeVatAgorot: { width: 'fit' },
    matchNumber: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [
    { key: 'found', label: t('acquirerDeposits.views.found'), query: { 'state.in': 'found' }, tone: 'wait' },
  ],
  rowName: (row) => String(row.externalId ?? ''),
  actions: (row, t) =>
    row.state === 'found' && may()
      ? [
          {
            key: 'book',
            label: t('acquirerDeposits.book'),
            icon: BookCheck,
            onPress: () => openBook(row.id, Number(row.netAgorot ?? 0)),
          },
        ]
      : [],
})
