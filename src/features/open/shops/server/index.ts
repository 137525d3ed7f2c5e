import { implement, implementOpenOutside } from '#kit/server/implement.ts'
import type { Job } from '#kit/server/jobs.ts'
import type { Report } from '#kit/server/reports.ts'
import { smsDocumentTo } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { days, shopDifferences } from './days.ts'
import { workOrder } from './engine/work.ts'
import { changeShop, createShop, dropShop, shops, signShop } from './keep.ts'
import { noticeOfShop } from './notices.ts'
import { plugin } from './plugin.ts'
import { again, againAll, ignore, notices, orders, orderShown, sendOrder, trySample } from './orders.ts'

export { start } from './sweep.ts'
export { showShop } from './demo.ts'

export const implementations = [
  implement(calls.listShops, async (ctx) => ({ rows: await shops(ctx), offered: ['generic', 'woocommerce'] as const as never })),
  implement(calls.createShop, (ctx, given) => createShop(ctx, given as never)),
  implement(calls.changeShop, (ctx, given) => changeShop(ctx, given as never)),
  implement(calls.dropShop, async (ctx, { id }) => {
    await dropShop(ctx, id)
    return { done: true as const }
  }),
  implement(calls.signShop, signShop),
  implement(calls.trySample, trySample),
  implement(calls.listOrders, orders),
  implement(calls.getOrder, (ctx, { id }) => orderShown(ctx, id)),
  implement(calls.sendOrder, sendOrder),
  implement(calls.againOrder, again),
  implement(calls.againAll, (ctx, { id }) => againAll(ctx, id)),
  implement(calls.ignoreOrder, ignore),
  implement(calls.listDays, (ctx, { id }) => days(ctx, id)),
  implement(calls.listNotices, (ctx, { id }) => notices(ctx, id)),
  implement(calls.pluginFile, async () => plugin()),
  implementOpenOutside(calls.noticeOfShop, noticeOfShop as never),
]

export const reports: Report[] = [shopDifferences]

export const jobs: Record<string, Job> = {
  'shops.work': async (ctx, { orderId }) => void (await workOrder(ctx, String(orderId))),
  'shops.sms': async (ctx, { id, to }) => void (await smsDocumentTo(ctx, { id: String(id), to: String(to) })),
}
