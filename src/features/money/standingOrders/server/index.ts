import { sql } from 'kysely'
import { typeFacts } from '#domain/documents/facts.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  implementOutside,
} from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Report } from '#kit/server/described/reports.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerHoldings } from '#features/money/paymentLinks/server/index.ts'
import { soon as waitSoon } from '#features/money/acquirers/server/index.ts'
import { registerReceiptType, registerReturned } from '#features/money/masav/server/index.ts'
import { fail } from '#kit/describe/errors.ts'
import * as calls from '../endpoints.ts'
import type { OrderGiven } from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import './holdings.ts'
import './importing.ts'
import './purpose.ts'
import { answerOf } from './answer.ts'
import { askPending } from './card.ts'
import {
  askCustomer,
  cancel,
  cardsForOrder,
  change,
  changePrices,
  chargeNext,
  create,
  createOrder,
  decide,
  moveCard,
  pause,
  preview,
  resume,
  skip,
} from './actions.ts'
import { debitReturned, giveUpNow, retryNow } from './dunning.ts'
import { dropIndex, importIndices, keepIndex, listIndices } from './indices.ts'
import { brought, orderList, toldState } from './list.ts'
import {
  cancelByKey,
  checkByKey,
  pageLogo,
  pauseByKey,
  payByKey,
  renewByKey,
  resumeByKey,
  showPage,
} from './page.ts'
import { raise } from './raise.ts'
import { revenueRetainer } from './reports/revenue.ts'
import { subscriptions } from './reports/subscriptions.ts'
import {
  dropCampaign,
  keepCampaign,
  keepSettings,
  listCampaigns,
  progressOf,
  settingsOf,
  shownSettings,
  stopRun,
} from './settings.ts'
import { serveOrder } from './sweep.ts'
import { keepWords, listWords } from './words.ts'
import { yearlyReceipts } from './yearly.ts'

// A merged customer's orders are those of the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update standing_orders set customer_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

registerReturned(async (ctx, { documentId, reason }) => debitReturned(ctx, documentId, reason))

// A donation that the bank collects gets the receipt of a donation, with the money.
registerReceiptType(async (ctx, documentId) => {
  const { rows } = await sql<{ type: number }>`select o.document_type as type from standing_periods p
    join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
    where p.company_id = ${ctx.companyId} and p.document_id = ${documentId}`.execute(ctx.tx)
  return typeFacts(rows[0]?.type).isDonation ? rows[0]!.type : undefined
})

export { paperDay } from './paper.ts'
export { ownWords } from './words.ts'
export { registerOrigin } from './holdings.ts'
export { holds, registerPasses, type SubscribedSource } from './subscribed.ts'
export { cancel as cancelStandingOrder, changeByWish } from './actions.ts'
export { showStandingOrders } from './demo.ts'
export { step as stepStandingOrder } from './make.ts'
export { comingIncome } from './ahead.ts'
export { start } from './sweep.ts'

registerHoldings(async (ctx, customerId) => {
  const { rows } = await sql<{ title: string; when: string; agorot: number; key: string }>`select t.title,
      coalesce(t.next_day::text, '') as when, t.next_total_agorot as agorot, t.page_key as key
    from standing_orders t where t.company_id = ${ctx.companyId} and t.customer_id = ${customerId}
      and t.state in ('active', 'failing', 'paused', 'held') order by t.next_day nulls last, t.id
      limit 20`.execute(ctx.tx)
  return rows.map(({ key, ...row }) => ({ kind: 'order' as const, ...row, url: `/retainer/${key}` }))
})

/** A short description of an order, for its payer. */
export async function standingOrderOf(ctx: Ctx, id: string) {
  const { rows } = await sql<{
    title: string
    state: string
    nextDay: string | null
    nextAgorot: number
    card: string
    failedAgorot: number
    key: string
  }>`select t.title, ${toldState} as state, case when t.state in ('active', 'failing') then t.next_day::text
      end as "nextDay", t.next_total_agorot as "nextAgorot",
      coalesce((select trim(c.brand || ' ' || c.last4) from cards c where c.company_id = t.company_id
      and c.id = t.card_id and c.state = 'active'), '') as card,
      coalesce((select sum(p.total_agorot) from standing_periods p where p.company_id = t.company_id
      and p.order_id = t.id
        and p.state in ('failed', 'givenUp') and p.reason <> 'forgiven'), 0)::bigint as "failedAgorot",
        t.page_key as key
    from standing_orders t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { key, ...order } = rows[0]
  return { ...order, url: `/retainer/${key}` }
}

/**
 * For features that begin an order themselves. What its first day owes is charged as soon as their
 * transaction is over.
 */
export async function createStandingOrder(ctx: Ctx, given: OrderGiven): Promise<string> {
  const id = await createOrder(ctx, given)
  await ctx.later('standingOrders.begin', { id })
  return id
}

/** An action that may charge a card: the card is charged after its commit, and the answer has the outcome. */
const asking =
  <G extends { id: string }>(work: (ctx: Parameters<typeof answerOf>[0], given: G) => Promise<unknown>) =>
  async (
    {
      app,
      companyId,
      within,
    }: {
      app: Parameters<typeof askPending>[0]
      companyId: string
      within: <T>(inside: (ctx: Parameters<typeof answerOf>[0]) => Promise<T>) => Promise<T>
    },
    given: G,
  ) => {
    await within((ctx) => work(ctx, given))
    await askPending(app, companyId, given.id)
    return within((ctx) => answerOf(ctx, given.id))
  }

export const implementations = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.previewOrder, preview),
  implement(calls.raiseMany, raise),
  implement(calls.listOrderWords, listWords),
  implement(calls.keepOrderWords, keepWords),
  implement(calls.listCampaigns, listCampaigns),
  implement(calls.keepCampaign, keepCampaign),
  implement(calls.dropCampaign, dropCampaign),
  implement(calls.orderSettings, async (ctx) => shownSettings(await settingsOf(ctx))),
  implement(calls.keepSettings, keepSettings),
  implement(calls.runProgress, progressOf),
  implement(calls.stopRun, stopRun),
  implement(calls.listIndices, listIndices),
  implement(calls.importIndices, importIndices),
  implement(calls.keepIndex, keepIndex),
  implement(calls.cardsForOrder, cardsForOrder),
  implement(calls.dropIndex, dropIndex),
  ...serveResource({ ...orderList, verbs: ['list', 'export'] }),
  implement(calls.getOrder, (ctx, { id }) => answerOf(ctx, id)),
  implement(calls.createOrder, create),
  implement(calls.changeOrder, change),
  implement(calls.changePrices, changePrices),
  implement(calls.pauseOrder, pause),
  implement(calls.resumeOrder, resume),
  implement(calls.skipTurn, skip),
  implement(calls.cancelOrder, cancel),
  implement(calls.askCustomer, askCustomer),
  implementOutside(
    calls.chargeNow,
    asking((ctx, { id, start }) => chargeNext(ctx, id, start)),
  ),
  implementOutside(
    calls.decideMissed,
    asking((ctx, { id, how }) => decide(ctx, id, how)),
  ),
  implementOutside(
    calls.retryTurn,
    asking((ctx, { id, start }) => retryNow(ctx, id, start)),
  ),
  implementOutside(
    calls.giveUpTurn,
    asking((ctx, { id, start, how }) => giveUpNow(ctx, id, start, how)),
  ),
  implementOutside(calls.moveCard, asking(moveCard)),
  implement(calls.ordersOfCustomer, async (ctx, { id }) => {
    const { rows: known } = await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${id}
          and role = 'customer'`.execute(ctx.tx)
    if (!known.length) throw fail('kit.notFound')
    const { rows } =
      await sql<never>`select t.id, t.title, ${toldState} as state, t.means, t.every_n as "everyN", t.unit,
        case when t.state in ('active', 'failing') then t.next_day end as "nextDay",
        t.next_total_agorot as "sumAgorot", ${brought} as "broughtAgorot", t.currency
      from standing_orders t where t.company_id = ${ctx.companyId} and t.customer_id = ${id}
      order by t.number desc limit 200`.execute(ctx.tx)
    return { rows }
  }),
  implementOpen(calls.showOrderPage, showPage),
  implementOpen(calls.orderPageLogo, pageLogo),
  implementOpen(calls.pauseByKey, pauseByKey),
  implementOpen(calls.resumeByKey, resumeByKey),
  implementOpen(calls.cancelByKey, cancelByKey),
  implementOpenOutside(calls.renewByKey, renewByKey),
  implementOpenOutside(calls.payByKey, payByKey),
  implementOpenOutside(calls.checkByKey, checkByKey),
]

export const reports: Report[] = [revenueRetainer, subscriptions]

export const jobs: Record<string, Job> = {
  'standingOrders.ask': inLane(
    'money',
    async (ctx, { id }) => void soon(ctx, askPending(ctx.app, ctx.companyId, String(id))),
  ),
  'standingOrders.begin': inLane('money', (ctx, { id }) =>
    waitSoon(ctx.app, serveOrder(ctx.app, ctx.companyId, String(id))),
  ),
  'standingOrders.yearly': yearlyReceipts,
}

/**
 * What takes longer than a job may is completed in the background; should the process die, every recorded charge is
 * looked up at its acquirer.
 */
const soon = (ctx: Parameters<typeof answerOf>[0], work: Promise<unknown>) =>
  work.catch((e: unknown) => ctx.app.log.warn({ err: (e as Error).message }, 'a card could not be asked'))

export const machines: Machines = {
  'standingOrders.ask': { completes: 'asks the acquirer for charges that were written within the order' },
  'standingOrders.begin': { orders: ['standingOrders'] },
  'standingOrders.yearly': {
    completes: 'the summary of a year of receipts that were issued within the order',
  },
  'timer sweep.ts': { orders: ['standingOrders'] },
}
