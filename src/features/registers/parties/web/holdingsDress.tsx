import { RefreshCw, Ticket } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import type { MenuAction } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, dressOf, type BuiltView } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { holdings, type HoldingRow } from '../holdings.ts'

const tones: Record<NonNullable<HoldingRow['state']>, StatusTone> = {
  ahead: 'info',
  active: 'done',
  ending: 'wait',
  paused: 'wait',
  waiting: 'late',
  ended: 'plain',
  cancelled: 'plain',
}

function State({ row: { state } }: { row: HoldingRow }) {
  const t = useWords()
  return state && <StatusPill tone={tones[state]}>{t(`holdings.state.${state}`)}</StatusPill>
}

function Left({ row: { left, leftOf } }: { row: HoldingRow }) {
  const t = useWords()
  return left !== null && leftOf && <Num>{t(`holdings.left.${leftOf}`, { count: left })}</Num>
}

/** Renewing is an action of the feature that sold it, found among the actions of the row. */
function Renewal({ row }: { row: HoldingRow }) {
  const t = useWords()
  const deed = dressOf(holdings)
    .actions?.(row, t)
    .find((one): one is MenuAction => typeof one === 'object' && 'key' in one && one.key === 'renew')
  if (deed?.onPress)
    return (
      <Button
        size="s"
        icon={RefreshCw}
        onPress={deed.onPress}
        label={`${t('holdings.renew')}: ${row.customerIdName ?? ''}`}
      >
        {t('holdings.renew')}
      </Button>
    )
  return row.renewal === 'itself' && <>{t('holdings.renewal.itself')}</>
}

dress(holdings, {
  icon: Ticket,
  cells: { state: State, left: Left, renewal: Renewal } as never,
  columns: {
    customerId: { strong: true, width: 'trim', phone: 'title' },
    packageId: { width: 'trim', phone: 'line' },
    fromDay: { width: 'fit' },
    toDay: { width: 'fit', phone: 'line' },
    left: { width: 'fit', phone: 'line' },
    state: { width: 'fit', phone: 'state' },
    renewal: { width: 'fit' },
  } as never,
  views: (t): BuiltView[] => [
    { key: 'now', label: t('holdings.views.now'), query: { 'state.in': 'active,ending,paused,waiting' } },
    {
      key: 'ending',
      label: t('holdings.views.ending'),
      query: { 'state.in': 'ending', sort: 'toDay' },
      tone: 'wait',
    },
    {
      key: 'over',
      label: t('holdings.views.over'),
      query: { 'state.in': 'ended,cancelled', sort: '-toDay' },
    },
  ],
  isOff: (row) => row.state === 'ended' || row.state === 'cancelled',
  href: (row) => (row as unknown as HoldingRow).open,
  rowName: (row) =>
    `${(row as unknown as HoldingRow).packageIdName ?? ''} ${(row as unknown as HoldingRow).customerIdName ?? ''}`,
})
