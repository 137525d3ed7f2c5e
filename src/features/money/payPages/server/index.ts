import { authorize } from '#kit/server/rights/authority.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  implementOutside,
} from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { registerPaying } from '#kit/server/outside/mailLimit.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerPlans } from '#features/base/companies/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { fail } from '#kit/describe/errors.ts'
import { captureHold, releaseHold } from '#features/money/acquirers/server/index.ts'
import { sql } from 'kysely'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import './holdings.ts'
import './purpose.ts'
import './shell.ts'
import { changeCoupon, couponList, createCoupon, makeCoupons, showCoupon, stopCoupon } from './coupons.ts'
import { pageList, purchaseList, showPurchase } from './lists.ts'
import { addFile, begin, check, price, publicLogo, publicPicture, showPublic, wordsOfPage } from './page.ts'
import { openFile } from './files.ts'
import { chooseModules, hasPaidPlan, plansHad, showMainPayment, showPricing } from './mainPayment.ts'
import { dropPicture, getPicture, setPicture } from './picture.ts'
import { purchaseOf } from './purchase.ts'
import { couponUse } from './reports/couponUse.ts'
import { changePage, closePage, copyPage, createPage, openPage, showPage } from './store.ts'
import { thanksKey } from './thanks.ts'

export { billingKeyOf } from './mainPayment.ts'
export { start } from './sweep.ts'
export { addPayPages } from './demo.ts'

// A merged customer's purchases are those of the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update pay_purchases set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

registerPlans(plansHad)
registerPaying(hasPaidPlan)

export const implementations = [
  ...serveResource({ ...pageList, verbs: ['list', 'export'] }),
  implement(calls.mainPayment, showMainPayment),
  implement(calls.chooseModules, chooseModules),
  implementOpen(calls.pricing, showPricing),
  implement(calls.pageWords, wordsOfPage),
  implement(calls.getPage, (ctx, { id }) => showPage(ctx, id)),
  implement(calls.createPage, createPage),
  implement(calls.changePage, changePage),
  implement(calls.openPayPage, (ctx, { id }) => openPage(ctx, id)),
  implement(calls.closePayPage, (ctx, { id }) => closePage(ctx, id)),
  implement(calls.copyPage, (ctx, { id }) => copyPage(ctx, id)),
  implement(calls.thanksKey, thanksKey),
  implement(calls.getPicture, (ctx, { id }) => getPicture(ctx, id)),
  implement(calls.setPicture, setPicture),
  implement(calls.dropPicture, (ctx, { id }) => dropPicture(ctx, id)),
  ...serveResource({ ...purchaseList, verbs: ['list', 'export'] }),
  implement(calls.getPurchase, (ctx, { id }) => showPurchase(ctx, id)),
  implement(calls.getPurchaseFile, openFile),
  implementOutside(calls.capturePurchase, async ({ app, companyId, within }, { id, amountAgorot }) => {
    const chargeId = await within(async (ctx) => {
      await authorize(ctx, 'charge', { agorot: amountAgorot })
      return chargeIdOf(ctx, id)
    })
    await captureHold(app, companyId, chargeId, amountAgorot)
    return within((ctx) => showPurchase(ctx, id))
  }),
  implementOutside(calls.releasePurchase, async ({ app, companyId, within }, { id }) => {
    await releaseHold(app, companyId, await within((ctx) => chargeIdOf(ctx, id)))
    return within((ctx) => showPurchase(ctx, id))
  }),
  ...serveResource({ ...couponList, verbs: ['list', 'export'] }),
  implement(calls.makeCoupons, makeCoupons),
  implement(calls.getCoupon, (ctx, { id }) => showCoupon(ctx, id)),
  implement(calls.createCoupon, createCoupon),
  implement(calls.changeCoupon, changeCoupon),
  implement(calls.stopCoupon, stopCoupon),
  implementOpen(calls.showPayPage, showPublic),
  implementOpen(calls.payPageLogo, publicLogo),
  implementOpen(calls.payPagePicture, publicPicture),
  implementOpen(calls.addPageFile, addFile),
  implementOpen(calls.pricePage, price),
  implementOpenOutside(calls.beginPage, begin),
  implementOpenOutside(calls.checkPage, check),
]

/** The charge of a purchase whose money is set aside. */
async function chargeIdOf(ctx: Parameters<typeof showPurchase>[0], id: string): Promise<string> {
  const { state, charge_id: chargeId } = await purchaseOf(ctx, id)
  if (state !== 'held' || !chargeId) throw fail('paymentLinks.notHeld')
  return chargeId
}

export const reports: Report[] = [couponUse]

export const jobs: Record<string, Job> = {
  'payPages.release': async (ctx, { chargeId }) =>
    void releaseHold(ctx.app, ctx.companyId, String(chargeId)).catch((e: unknown) =>
      ctx.app.log.warn({ charge: chargeId, err: (e as Error).message }, 'a hold could not be let go'),
    ),
}

export const machines: Machines = {
  'payPages.release': { completes: 'gives back a hold whose purchase was refused' },
  'timer sweep.ts': { inside: 'places that nobody paid for are free again' },
}
