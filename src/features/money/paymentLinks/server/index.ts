import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  implementOutside,
} from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Report } from '#kit/server/described/reports.ts'
import { serveResource, withExpanded } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerOnlinePayment } from '#features/sales/documents/server/index.ts'
import { bankAccounts } from '#features/sales/payments/server/index.ts'
import '#features/base/companies/rules.ts'
import '#features/registers/parties/rules.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { dispute, endDispute } from './disputes.ts'

export { dispute }
export { registerHoldings } from './portal.ts'
import './signed.ts'
import {
  askRefund,
  chargeOf,
  mendPapers,
  sayRefund,
  sayUnpaid,
  settleCharge,
  terminalFor,
} from '#features/money/acquirers/server/index.ts'
import {
  documentSign,
  dropPage,
  history,
  makePage,
  pageLogo,
  sendPage,
  showPage,
  answerOnPage,
  checkOnPage,
  pageStatement,
  payOnPage,
} from './customerPage.ts'
import { answersOf } from './portal.ts'
import {
  cancelLink,
  changeLink,
  checkedLink,
  linkByReference,
  linkOfDocument,
  makeLink,
  refundLink,
  remindJob,
  sendLink,
  showWhole,
} from './links.ts'
import { chargeList, linkList, needWhole, showCharge } from './lists.ts'
import {
  beginDocument,
  beginLink,
  checkDocument,
  checkLink,
  documentPay,
  linkLogo,
  linkPage,
} from './page.ts'
import { cardDeclines } from './reports.ts'

registerOnlinePayment(async (ctx) => (await terminalFor(ctx)) !== undefined)

// A merged customer's links belong to the remaining one; the address of the merged page opens nothing any more.
registerFollower('customer', async (ctx, keepId, gone) => {
  const ids = sql`any(${[...gone]}::uuid[])`
  await sql`update payment_links set customer_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and customer_id = ${ids} and state = 'open'`.execute(ctx.tx)
  await sql`delete from customer_pages where company_id = ${ctx.companyId} and customer_id = ${ids}`.execute(
    ctx.tx,
  )
})

export { addPaymentsOnline } from './demo.ts'
export { documentOfPayment, issueFor, linesOfAmount } from './paper.ts'
export { backUrl, linkOfDocument } from './links.ts'
export { payableOf } from './payable.ts'

export const reports: Report[] = [cardDeclines]

export const implementations = [
  ...serveResource({ ...linkList, beforeSave: checkedLink, verbs: ['list', 'export'] }),
  implement(calls.createLink, makeLink as never),
  implement(calls.linkByReference, (ctx, { reference }) => linkByReference(ctx, reference)),
  implement(calls.getLink, async (ctx, { id, expand }) =>
    withExpanded(
      ctx,
      'paymentLinks',
      expand,
      (await showWhole(ctx, id)) as Record<string, unknown> & { id: string },
    ),
  ),
  implement(calls.refundLink, refundLink),
  implement(calls.changeLink, (ctx, given) => changeLink(ctx, given as { id: string }) as never),
  implement(calls.linkOfDocument, (ctx, { id }) => linkOfDocument(ctx, id) as never),
  implement(calls.cancelLink, (ctx, { id }) => cancelLink(ctx, id) as never),
  implement(calls.sendLink, (ctx, given) => sendLink(ctx, given) as never),
  ...serveResource({ ...chargeList, verbs: ['list', 'export'] }),
  implement(calls.getCharge, async (ctx, { id, expand }) =>
    withExpanded(ctx, 'cardCharges', expand, await showCharge(ctx, id)),
  ),
  implementOutside(calls.checkCharge, async ({ app, companyId, within }, { id }) => {
    // The person who may not see it may not have it asked about either.
    await within((ctx) => chargeOf(ctx, id))
    if (!(await settleCharge(app, companyId, id, 'person'))) throw fail('paymentLinks.acquirerAway')
    return within((ctx) => showCharge(ctx, id))
  }),
  implement(calls.refundCharge, async (ctx, given) => {
    needWhole(ctx)
    await askRefund(ctx, given)
    return showCharge(ctx, given.id)
  }),
  implement(calls.sayUnpaid, async (ctx, { id }) => {
    needWhole(ctx)
    await sayUnpaid(ctx, id)
    return showCharge(ctx, id)
  }),
  implement(calls.disputeCharge, async (ctx, given) => {
    needWhole(ctx)
    await dispute(ctx, given as never)
    return showCharge(ctx, given.id)
  }),
  implement(calls.endDispute, async (ctx, given) => {
    needWhole(ctx)
    await endDispute(ctx, given)
    return showCharge(ctx, given.id)
  }),
  implement(calls.sayRefund, async (ctx, given) => {
    needWhole(ctx)
    await sayRefund(ctx, given)
    return showCharge(ctx, given.id)
  }),
  implement(calls.paperAgain, async (ctx, { id }) => {
    const charge = await chargeOf(ctx, id, true)
    if (charge.state !== 'paid' || charge.surplus) throw fail('paymentLinks.notPaid')
    if (charge.paper_id) throw fail('paymentLinks.hasPaper')
    await mendPapers(ctx, id)
    return showCharge(ctx, id)
  }),
  implement(calls.bankAccounts, async (ctx) => ({ rows: await bankAccounts(ctx) })),
  implement(calls.getCustomerPage, showPage),
  implement(calls.makeCustomerPage, makePage),
  implement(calls.dropCustomerPage, dropPage),
  implement(calls.sendCustomerPage, sendPage),
  implementOpen(calls.linkPage, linkPage),
  implementOpen(calls.linkLogo, linkLogo),
  implementOpenOutside(calls.beginLink, beginLink),
  implementOpenOutside(calls.checkLink, checkLink),
  implementOpen(calls.documentPay, documentPay),
  implementOpenOutside(calls.beginDocument, beginDocument),
  implementOpenOutside(calls.checkDocument, checkDocument),
  implementOpen(calls.documentSign, documentSign),
  implementOpen(calls.customerHistory, history),
  implementOpen(calls.customerPageLogo, pageLogo),
  implementOpen(calls.customerPageStatement, pageStatement),
  implementOpenOutside(calls.payOnCustomerPage, payOnPage),
  implementOpenOutside(calls.checkOnCustomerPage, checkOnPage),
  implementOpen(calls.answerQuote, answerOnPage),
  implement(calls.quoteAnswers, answersOf),
]

export const jobs: Record<string, Job> = {
  'paymentLinks.remind': remindJob,
}

export const machines: Machines = {
  'paymentLinks.remind': { orders: ['paymentLinks'] },
}
