import {
  implement,
  implementOpen,
  implementOpenOutside,
  implementOutside,
} from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { forgetCard } from './cards/forget.ts'
import { proveKept } from './cards/prove.ts'
import { closeForm } from './charges/ask.ts'
import { testForm, testNotice, testPay } from './gateways/test/form.ts'
import { cardFrame } from './frame.ts'
import { notice } from './notices.ts'
import {
  addTerminal,
  changeTerminal,
  dropTerminal,
  listTerminals,
  moveTerminal,
  offered,
  showTerminal,
} from './terminals/manage.ts'
import { proveTerminal } from './terminals/prove.ts'
import { giveBack } from './refunds/refund.ts'
import { soon } from './soon.ts'

export { lapse, openPage, planPage } from './charges/begin.ts'
export { chargeNow, planCardCharge, type CardOutcome, type CardWish } from './charges/card.ts'
export { captureHold, releaseHold } from './charges/hold.ts'
export { cardById, cardsOf, defaultCard, isChargeable, lastDay, type Card } from './cards/card.ts'
export { makeDefault, removeCard } from './cards/forget.ts'
export { addCard } from './cards/keep.ts'
export { consentText, offeredConsent, registerKeeping } from './cards/consent.ts'
export { proveCard } from './cards/prove.ts'
export { askReplaced } from './cards/replaced.ts'
export { registerCardUser, usersOf, type CardUse, type CardUser } from './cards/users.ts'
export { sayUnpaid, settleCharge } from './charges/ask.ts'
export { chargeKind, chargeOf, setCharge, tell, type Charge } from './charges/charge.ts'
export { registerPurpose, type Purpose } from './charges/purposes.ts'
export { mendPapers } from './charges/papers.ts'
export { take } from './charges/take.ts'
export { askRefund, isWholeOnly, leftOf, sayRefund } from './refunds/refund.ts'
export {
  gatewayHere,
  lacksCurrency,
  mostInstalmentsOf,
  needKeeping,
  terminalById,
  terminalFor,
  testRow,
  walletsOf,
} from './terminals/terminals.ts'
export { connectTest } from './terminals/test.ts'
export { AcquirerAway, KeysRefused } from './door.ts'
export { soon } from './soon.ts'
export { start } from './sweep.ts'

export const implementations = [
  implement(calls.offeredAcquirers, offered),
  implement(calls.listTerminals, listTerminals),
  implement(calls.getTerminal, (ctx, { id }) => showTerminal(ctx, id)),
  implement(calls.addTerminal, addTerminal),
  implement(calls.changeTerminal, changeTerminal),
  implement(calls.moveTerminal, moveTerminal),
  implement(calls.dropTerminal, dropTerminal),
  implementOutside(calls.proveTerminal, async ({ app, companyId, within }, { id }) => {
    const proofs = await proveTerminal(app, companyId, id)
    return { proofs, terminal: await within((ctx) => showTerminal(ctx, id)) }
  }),
  implementOpenOutside(calls.acquirerNotice, notice as never),
  implementOpen(calls.cardFrame, cardFrame),
  implementOpen(calls.testForm, testForm),
  implementOpen(calls.testPay, testPay),
]

export const jobs: Record<string, Job> = {
  'acquirers.close': inLane('money', (ctx, { chargeId }) =>
    soon(ctx.app, closeForm(ctx.app, ctx.companyId, String(chargeId))),
  ),
  'acquirers.refund': inLane('money', (ctx, { refundId }) =>
    soon(ctx.app, giveBack(ctx.app, ctx.companyId, String(refundId))),
  ),
  'acquirers.forgetCard': inLane('money', (ctx, { cardId }) =>
    soon(ctx.app, forgetCard(ctx.app, ctx.companyId, String(cardId))),
  ),
  'acquirers.proveCard': inLane('money', (ctx, { cardId }) =>
    soon(ctx.app, proveKept(ctx.app, ctx.companyId, String(cardId))),
  ),
  'acquirers.testNotice': inLane('money', testNotice),
}

export const machines: Machines = {
  'acquirers.close': { completes: 'closes a form that is no longer needed' },
  'acquirers.refund': { completes: 'asks the acquirer for a refund that was allowed when it was written' },
  'acquirers.forgetCard': { completes: 'has the acquirer delete a card that a person removed' },
  'acquirers.proveCard': { completes: 'asks whether a card that was brought can be charged; no money moves' },
  'acquirers.testNotice': { completes: 'the notice of a payment with the test acquirer' },
  'timer sweep.ts': [
    { completes: 'writes what an acquirer answered while the database was away' },
    { orders: ['charges'] },
  ],
}
