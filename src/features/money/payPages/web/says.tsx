import { useContext } from 'react'
import { queryClient } from '#kit/web/calls/call.ts'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { couponStates, PageState, PurchaseState } from '../payPages.ts'

const tones: Record<PageState, StatusTone> = {
  draft: 'draft',
  open: 'done',
  full: 'wait',
  over: 'plain',
  closed: 'draft',
}
const purchaseTones: Record<PurchaseState, StatusTone> = {
  begun: 'info',
  freed: 'draft',
  paid: 'done',
  held: 'wait',
  released: 'plain',
  subscribed: 'done',
  surplus: 'late',
}
const couponTones: Record<(typeof couponStates)[number], StatusTone> = {
  running: 'done',
  waiting: 'info',
  usedUp: 'plain',
  over: 'plain',
  stopped: 'draft',
}

function Said({ word, tone }: { word: string; tone: StatusTone }) {
  return useContext(PlainCells) ? <span>{word}</span> : <StatusPill tone={tone}>{word}</StatusPill>
}
export function PageStatus({ of }: { of: PageState }) {
  return <Said word={useWords()(`payPages.state.${of}`)} tone={tones[of]} />
}
export function PurchaseStatus({ of }: { of: PurchaseState }) {
  return <Said word={useWords()(`payPurchases.state.${of}`)} tone={purchaseTones[of]} />
}
export function CouponStatus({ of }: { of: (typeof couponStates)[number] }) {
  return <Said word={useWords()(`coupons.state.${of}`)} tone={couponTones[of]} />
}

/** What shows pages, payers or coupons, or follows from them, is asked again. */
export const refreshPages = (): Promise<unknown> =>
  Promise.all(
    [
      'payPages.list',
      'payPages.get',
      'payPurchases.list',
      'payPurchases.get',
      'coupons.list',
      'coupons.get',
      'cardCharges.list',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )
