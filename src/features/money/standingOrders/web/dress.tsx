import { CirclePlay, Link2, Pause, Pencil, Repeat } from 'lucide-react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { go } from '#kit/web/routes/place.ts'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { pauseOrder, resumeOrder } from '../endpoints.ts'
import { standingOrders, type OrderRow } from '../standingOrders.ts'
import { openAsk, openRaise } from './open.tsx'
import { everyWords, OrderStatePill, refreshOrders } from './words.tsx'

function Every({ row }: { row: OrderRow }) {
  const t = useWords()
  return <>{everyWords(t, { everyN: row.everyN ?? 1, unit: row.unit ?? 'month' })}</>
}

function Why({ row }: { row: OrderRow }) {
  const t = useWords()
  return <>{row.failure && (wordIfAny(t, `standingOrders.failure.${row.failure}`) ?? row.failure)}</>
}

function HeldWhy({ row }: { row: OrderRow }) {
  const t = useWords()
  return <>{row.heldWhy && (wordIfAny(t, `errors.${row.heldWhy}`) ?? row.heldWhy)}</>
}

const deed = (t: Words, work: () => Promise<unknown>, said: string) => () =>
  void work()
    .then(() => banner.success(t(said)))
    .catch((e: unknown) => banner.error(failureText(t, e)))
    .finally(() => void refreshOrders())

/** Brings the words of: errors */
dress(standingOrders, {
  icon: Repeat,
  cells: {
    state: ({ row }: { row: OrderRow }) => <OrderStatePill state={row.state!} />,
    everyN: Every,
    failure: Why,
    heldWhy: HeldWhy,
  } as never,
  columns: {
    number: { width: 'fit' },
    title: { strong: true, width: 'trim', phone: 'title' },
    customerId: { width: 'trim', phone: 'line' },
    sumAgorot: { phone: 'amount' },
    everyN: { width: 'fit', align: 'start' },
    means: { width: 'fit' },
    nextDay: { width: 'fit', phone: 'line' },
    monthsLeft: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  isOff: (row) => row.state === 'ended' || row.state === 'cancelled',
  views: (t): BuiltView[] => [
    {
      key: 'running',
      label: t('standingOrders.views.running'),
      query: { 'state.in': 'trial,active,ending,failing,needsCard' },
    },
    {
      key: 'failing',
      label: t('standingOrders.views.failing'),
      query: { 'state.in': 'failing,needsCard,held' },
      tone: 'late',
    },
    {
      key: 'needsCard',
      label: t('standingOrders.state.needsCard'),
      query: { 'state.in': 'needsCard' },
      tone: 'late',
    },
    { key: 'paused', label: t('standingOrders.state.paused'), query: { 'state.in': 'paused' } },
    { key: 'over', label: t('standingOrders.views.over'), query: { 'state.in': 'ended,cancelled' } },
  ],
  actions: (row, t) => {
    const may = mayDo(session(), 'standingOrders.change')
    const over = row.state === 'ended' || row.state === 'cancelled'
    if (!may || over) return []
    return [
      {
        key: 'edit',
        label: t('kit.lists.edit'),
        icon: Pencil,
        onPress: () => go(`/invoice/retainers/${row.id}/edit`),
      },
      ...(row.state === 'draft'
        ? []
        : row.state === 'paused'
          ? [
              {
                key: 'resume',
                label: t('standingOrders.deeds.resume'),
                icon: CirclePlay,
                onPress: deed(t, () => call(resumeOrder, { id: row.id }), 'standingOrders.said.resumed'),
              },
            ]
          : [
              {
                key: 'pause',
                label: t('standingOrders.deeds.pause'),
                icon: Pause,
                onPress: deed(t, () => call(pauseOrder, { id: row.id }), 'standingOrders.said.paused'),
              },
            ]),
      {
        key: 'ask',
        label: t('standingOrders.deeds.ask'),
        icon: Link2,
        onPress: () => openAsk(row.id),
      },
    ]
  },
  bulk: (t) =>
    mayDo(session(), 'standingOrders.change') && !session()?.HideTotalPrices
      ? [
          {
            key: 'raise',
            label: t('standingOrders.raise.title'),
            icon: Repeat,
            run: (rows) => openRaise(rows.map(({ id }) => id)),
          },
        ]
      : [],
})
