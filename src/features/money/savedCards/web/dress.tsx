import { CreditCard } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import { brandWord } from '#features/base/companies/means.ts'
import { savedCards, type SavedCardRow } from '../savedCards.ts'
import { openAsk, openCard } from './open.tsx'
import { CardState, endless, monthYear } from './says.tsx'

const Day = ({ value }: { value: string | null }) =>
  value ? <Num>{formatDay(dayInJerusalem(new Date(value)))}</Num> : null
function Brand({ value }: { value: string }) {
  return <bdi>{brandWord(value, useWords())}</bdi>
}
/** The business's own name of it, or the acquirer's. */
function Terminal({ value }: { value: string }) {
  const t = useWords()
  return <bdi>{wordIfAny(t, `cardCharges.acquirer.${value}`) ?? value}</bdi>
}

dress(savedCards, {
  icon: CreditCard,
  cells: {
    state: ({ row }: { row: SavedCardRow }) => <CardState of={row.state!} />,
    brand: Brand,
    last4: ({ value }: { value: string }) => <Num>{value}</Num>,
    expiry: ({ value }: { value: string }) => (endless(value) ? null : <Num>{monthYear(value)}</Num>),
    terminal: Terminal,
    lastUsedAt: Day,
    createdAt: Day,
  } as never,
  columns: {
    customerId: { strong: true, width: 'trim', phone: 'title' },
    brand: { width: 'fit', phone: 'line' },
    last4: { width: 'fit', phone: 'line' },
    expiry: { width: 'fit' },
    isDefault: { width: 'fit' },
    terminal: { width: 'fit' },
    lastUsedAt: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [
    { key: 'expiring', label: t('savedCards.views.expiring'), query: { state: 'expiring' }, tone: 'wait' },
    { key: 'expired', label: t('savedCards.views.expired'), query: { state: 'expired' }, tone: 'late' },
  ],
  isOff: (row) => row.state === 'removed' || row.state === 'replaced',
  rowName: (row) => `${String(row.customerIdName ?? '')} ${String(row.last4 ?? '')}`,
  actions: (row, t) => [
    { key: 'open', label: t('savedCards.open'), icon: CreditCard, onPress: () => openCard(row.id) },
    ...(mayDo(session(), 'savedCards.change') && row.state !== 'removed' && row.state !== 'replaced'
      ? [
          {
            key: 'renew',
            label: t('savedCards.renew'),
            icon: CreditCard,
            onPress: () => openAsk(String(row.customerId), row.id),
          },
        ]
      : []),
  ],
})
