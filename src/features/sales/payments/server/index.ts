import { seesWhole } from '#kit/describe/session.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { serveResource, withExpanded } from '#kit/server/described/resources.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { bounce, giveBack, undoReturn } from './bounce.ts'
import { create } from './create.ts'
import { createDeposit, loadDeposit, moneyInHand, undoDeposit } from './deposit.ts'
import { depositList, paymentList, paymentOf } from './lists.ts'
import { refund } from './refund.ts'
import { byMeans } from './reports/byMeans.ts'
import { checks } from './reports/checks.ts'
import { slip } from './slip.ts'

const whole = (ctx: Parameters<typeof moneyInHand>[0]) => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

export { bounce as bouncePayment, undoReturn } from './bounce.ts'
export { bankAccounts, createDeposit } from './deposit.ts'
export { inHand as chequesInHand, postStorno, stateOf } from './money.ts'
export { refund as refundToCustomer } from './refund.ts'

export const implementations = [
  ...serveResource({
    ...paymentList,
    parts: { names: ['document', 'deposit', 'returns'], recordOf: paymentOf },
    verbs: ['list', 'export'],
  }),
  ...serveResource({
    ...depositList,
    parts: { names: ['cheques'], recordOf: loadDeposit },
    verbs: ['list', 'export'],
  }),
  // Before `{id}`, which would take these words for one.
  implement(calls.moneyInHand, moneyInHand),
  implement(calls.refundMoney, refund),
  implement(calls.createPayment, create),
  implement(calls.getPayment, async (ctx, { id, expand }) =>
    withExpanded(ctx, 'payments', expand, await paymentOf(ctx, id)),
  ),
  implement(calls.bouncePayment, async (ctx, given) => {
    await bounce(ctx, given)
    return paymentOf(ctx, given.id)
  }),
  implement(calls.giveBackPayment, async (ctx, given) => {
    await giveBack(ctx, given)
    return paymentOf(ctx, given.id)
  }),
  implement(calls.undoReturn, async (ctx, { id }) => {
    await undoReturn(ctx, id)
    return paymentOf(ctx, id)
  }),
  implement(calls.createDeposit, createDeposit),
  implement(calls.getDeposit, async (ctx, { id, expand }) => {
    whole(ctx)
    return withExpanded(ctx, 'deposits', expand, await loadDeposit(ctx, id))
  }),
  implement(calls.undoDeposit, async (ctx, { id }) => {
    whole(ctx)
    return undoDeposit(ctx, id)
  }),
  implement(calls.depositSlip, async (ctx, { id }) => {
    whole(ctx)
    return slip(ctx, id)
  }),
]

export const reports = [checks, byMeans]
