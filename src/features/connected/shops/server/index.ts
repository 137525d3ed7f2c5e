import { allowInside } from '#kit/server/http/framed.ts'
import { implement, implementOpenOutside, implementOutside } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { sendDocumentSms } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import './events.ts'
import { days, shopDifferences } from './days.ts'
import { workOrder } from './engine/work.ts'
import { askOrder, shopifyNotice, wixNotice } from './elsewhere.ts'
import { openEmbedded, saveEmbedded, testEmbedded } from './embedded.ts'
import { beginTie, endTie } from './ties.ts'
import type { App } from '#kit/server/context.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import type { ShopKind } from '../shops.ts'
import { changeShop, createShop, dropShop, shops, signShop } from './keep.ts'
import { noticeOfShop } from './notices.ts'
import { plugin } from './plugin.ts'
import { tellJob } from './sweep.ts'
import { dryRun, makeShopKey } from './dryRun.ts'
import { again, againAll, ignore, notices, orders, orderShown, sendOrder, trySample } from './orders.ts'

export { start } from './sweep.ts'
export { showShop } from './demo.ts'

// The settings are inside the administration of Shopify, whose shops have separate names, and inside that of Wix.
allowInside('/shopifypage', ['https://*.myshopify.com', 'https://admin.shopify.com'])
allowInside('/wixpage', ['https://*.wix.com', 'https://manage.wix.com'])

const offeredBy = ({ shopify, wix }: App['settings']): ShopKind[] => [
  'generic',
  'woocommerce',
  ...(shopify ? ['shopify' as const] : []),
  ...(wix ? ['wix' as const] : []),
]

export const implementations = [
  implement(calls.listShops, async (ctx) => ({
    rows: await shops(ctx),
    offered: offeredBy(ctx.app.settings),
  })),
  implement(calls.createShop, (ctx, given) => createShop(ctx, given as never)),
  implement(calls.changeShop, (ctx, given) => changeShop(ctx, given as never)),
  implement(calls.dropShop, async (ctx, { id }) => {
    await dropShop(ctx, id)
    return { done: true as const }
  }),
  implement(calls.signShop, signShop),
  implement(calls.trySample, trySample),
  implement(calls.tryShop, dryRun),
  implement(calls.makeShopKey, makeShopKey),
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
  implement(calls.beginTie, beginTie),
  implementOutside(calls.endTie, endTie),
  implementOpenOutside(calls.shopifyNotice, shopifyNotice as never),
  implementOpenOutside(calls.wixNotice, wixNotice as never),
  implementOpenOutside(calls.openEmbedded, openEmbedded),
  implementOpenOutside(calls.saveEmbedded, saveEmbedded as never),
  implementOpenOutside(calls.testEmbedded, testEmbedded),
]

export const reports: Report[] = [shopDifferences]

export const jobs: Record<string, Job> = {
  'shops.work': async (ctx, { orderId }) => void (await workOrder(ctx, String(orderId))),
  // Behind the transaction: a shop may be slow.
  'shops.ask': (ctx, { shopId, externalId }) =>
    Promise.resolve(
      ctx.afterCommit!(() => askOrder(ctx.app, ctx.companyId, String(shopId), String(externalId))),
    ),
  'shops.mail': tellJob,
  'shops.sms': async (ctx, { id, to }) =>
    void (await sendDocumentSms(ctx, { id: String(id), to: String(to) })),
}

export const machines: Machines = {
  'shops.work': { orders: ['shops'] },
  'shops.ask': { inside: 'reads what the shop says of one order; documents are made by shops.work' },
  'shops.mail': { inside: 'notifies the person who connected the shop, or an owner' },
  'shops.sms': { completes: 'the message of a document that the order of the shop issued' },
  'timer sweep.ts': { orders: ['shops'] },
}
