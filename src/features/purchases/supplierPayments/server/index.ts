import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { serveInWords, withExpanded } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import {
  enterCancelPayment,
  enterPayment,
  workOutPayment,
} from '#features/purchases/expenses/server/index.ts'
import { postAll, type Entry } from '#features/base/ledger/server/index.ts'
import * as calls from '../endpoints.ts'
import type { SupplierPaymentAnswer } from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { letter, mailLetter, send } from './letter.ts'
import { due, openBillsOf, paymentList, paymentOf } from './lists.ts'
import { providerPayment } from './reports/providerPayment.ts'

export { send as sendSupplierPayment } from './letter.ts'

/** The entry comes last, when all is read that the answer needs. */
async function posted(ctx: Ctx, id: string, entry: Entry): Promise<SupplierPaymentAnswer> {
  const answer = await paymentOf(ctx, id)
  await postAll(ctx, [entry])
  return answer
}

export const implementations = [
  ...serveInWords((_, today) => ({
    ...paymentList(today),
    parts: { names: ['bills'], recordOf: paymentOf },
    verbs: ['list', 'export'],
  })),
  // Before `{id}`, which would take this word for one.
  implement(calls.dueBills, (ctx, { until }) => due(ctx, until)),
  implement(calls.openBills, (ctx, { supplierId }) => openBillsOf(ctx, supplierId)),
  implement(calls.workOutSupplierPayment, async (ctx, given) => {
    const { grossAgorot, withheldAgorot, netAgorot, rateBp, reason } = await workOutPayment(ctx, given)
    return { grossAgorot, withheldAgorot, netAgorot, rateBp, reason }
  }),
  implement(calls.createSupplierPayment, async (ctx, { bills, ...given }) => {
    const { id, entry } = await enterPayment(ctx, {
      ...given,
      bills: bills.map((one) => ({ id: one.id, agorot: one.amountAgorot })),
    })
    return posted(ctx, id, entry)
  }),
  implement(calls.getSupplierPayment, async (ctx, { id, expand }) =>
    withExpanded(ctx, 'supplierpayments', expand, await paymentOf(ctx, id)),
  ),
  implement(calls.cancelPaymentOfSupplier, async (ctx, { id }) => {
    const entry = await enterCancelPayment(ctx, id)
    return posted(ctx, id, entry)
  }),
  implement(calls.supplierPaymentPdf, (ctx, { id }) => letter(ctx, id)),
  implement(calls.sendSupplierPayment, send),
]

export const jobs: Record<string, Job> = { 'supplierPayments.mail': mailLetter }

export const reports = [providerPayment]

export const machines: Machines = {
  'supplierPayments.mail': { completes: 'a letter that a call queued within the rights of its caller' },
}
