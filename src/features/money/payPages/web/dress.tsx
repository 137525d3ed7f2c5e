import { ShoppingBag, TicketPercent, Users } from 'lucide-react'
import { formatDay, formatMoment, formatPercent } from '#domain/format.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import {
  coupons,
  payPages,
  payPurchases,
  type CouponRow,
  type PayPageRow,
  type PurchaseRow,
} from '../payPages.ts'
import { openCoupon, openPurchase } from './open.tsx'
import { CouponStatus, PageStatus, PurchaseStatus } from './says.tsx'

const Moment = ({ value }: { value: string | null }) =>
  value ? <Num>{formatMoment(new Date(value))}</Num> : null
const Day = ({ value }: { value: string | null }) => (value ? <Num>{formatDay(value)}</Num> : null)

dress(payPages, {
  icon: ShoppingBag,
  cells: {
    state: ({ row }: { row: PayPageRow }) => <PageStatus of={row.state!} />,
    closesAt: Moment,
    createdAt: Moment,
  } as never,
  columns: {
    title: { strong: true, width: 'trim', phone: 'title' },
    kind: { width: 'fit', phone: 'line' },
    views: { width: 'fit' },
    started: { width: 'fit' },
    paid: { width: 'fit', phone: 'line' },
    broughtAgorot: { phone: 'amount' },
    placesLeft: { width: 'fit' },
    closesAt: { width: 'fit' },
    acquirer: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [
    { key: 'open', label: t('payPages.views.open'), query: { 'state.in': 'open' } },
    { key: 'full', label: t('payPages.views.full'), query: { 'state.in': 'full,over' }, tone: 'wait' },
    { key: 'draft', label: t('payPages.views.draft'), query: { 'state.in': 'draft' } },
  ],
  isOff: (row) => row.state === 'closed',
  rowName: (row) => String(row.title ?? ''),
})

dress(payPurchases, {
  icon: Users,
  cells: {
    state: ({ row }: { row: PurchaseRow }) => <PurchaseStatus of={row.state!} />,
    createdAt: Moment,
    heldUntil: Moment,
  } as never,
  columns: {
    createdAt: { width: 'fit', phone: 'line' },
    payer: { strong: true, width: 'trim', phone: 'title' },
    what: { width: 'trim' },
    sumAgorot: { phone: 'amount' },
    coupon: { width: 'fit' },
    files: { width: 'fit' },
    paperNumber: { width: 'fit' },
    pageId: { width: 'trim', phone: 'line' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [
    { key: 'paid', label: t('payPurchases.views.paid'), query: { 'state.in': 'paid,subscribed' } },
    { key: 'held', label: t('payPurchases.views.held'), query: { 'state.in': 'held' }, tone: 'wait' },
    { key: 'begun', label: t('payPurchases.views.begun'), query: { 'state.in': 'begun,freed' } },
  ],
  isOff: (row) => row.state === 'freed' || row.state === 'released',
  rowName: (row) => String(row.payer ?? ''),
  actions: (row, t) => [
    { key: 'open', label: t('payPurchases.open'), icon: Users, onPress: () => openPurchase(row.id) },
  ],
})

dress(coupons, {
  icon: TicketPercent,
  cells: {
    state: ({ row }: { row: CouponRow }) => <CouponStatus of={row.state!} />,
    code: ({ value }: { value: string }) => <bdi className="num">{value}</bdi>,
    valueBp: ({ value }: { value: number | null }) =>
      value === null ? null : <Num>{formatPercent(value)}</Num>,
    fromDay: Day,
    toDay: Day,
  } as never,
  columns: {
    code: { strong: true, width: 'fit', phone: 'title' },
    name: { width: 'trim', phone: 'line' },
    valueBp: { width: 'fit', phone: 'line' },
    pageId: { width: 'trim' },
    toDay: { width: 'fit' },
    used: { width: 'fit', phone: 'line' },
    usesMax: { width: 'fit' },
    givenAgorot: { width: 'fit' },
    broughtAgorot: { phone: 'amount' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  views: (t) => [{ key: 'running', label: t('coupons.views.running'), query: { state: 'running' } }],
  isOff: (row) => row.state === 'stopped' || row.state === 'over' || row.state === 'usedUp',
  rowName: (row) => String(row.code ?? ''),
  actions: (row, t) =>
    mayDo(session(), coupons.allow.change)
      ? [{ key: 'edit', label: t('coupons.edit'), icon: TicketPercent, onPress: () => openCoupon(row.id) }]
      : [],
})
