import { statusFacts } from '#domain/documents/facts.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  cancelDocument,
  contentOf,
  creditDocument,
  freeMoney,
  issuePrepared,
  loadDocument,
  loadPayments,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import { isIncomeItself, typeById } from '#features/sales/documents/types/index.ts'
import { refundToCustomer } from '#features/sales/payments/server/index.ts'
import type { Charge } from '../charges/charge.ts'
import type { Refund } from './row.ts'

/** The documents of a refund; undefined when a person reversed the receipt before. */
export async function bookRefund(
  ctx: Ctx,
  charge: Charge,
  refund: Refund,
  reference: string,
): Promise<string | undefined> {
  const paper = await loadDocument(ctx, charge.paper_id!, true)
  if (statusFacts(paper.status).isCancelled) return undefined
  const type = typeById(paper.type)!
  const agorot = refund.amount_agorot
  const isWhole = agorot === charge.amount_agorot
  const money = { amountAgorot: agorot, means: 4 as const, reference, notes: refund.reason }
  if (type.name === 'taxInvoiceReceipt') {
    if (isWhole) return (await cancelDocument(ctx, { id: paper.id, reason: refund.reason })).id
    const credit = await creditDocument(ctx, { id: paper.id, reason: refund.reason, agorot })
    return (await refundToCustomer(ctx, { ...money, documentId: credit.id })).id
  }
  if (isIncomeItself(type, (await companyOf(ctx)).kind)) {
    if (isWhole) return (await cancelDocument(ctx, { id: paper.id, reason: refund.reason })).id
    const [first] = contentOf(paper, [], await loadPayments(ctx, paper.id)).payments!
    const content = {
      ...contentOf(paper, []),
      sourceId: paper.id,
      date: ctx.today,
      dueDate: null,
      lines: [],
      closes: [],
      payments: [
        {
          ...first!,
          amountAgorot: -agorot,
          date: ctx.today,
          dueDate: ctx.today,
          instalments: null,
          reference,
        },
      ],
    }
    return (
      await issuePrepared(ctx, await prepareDocument(ctx, content), undefined, { reason: refund.reason })
    ).id
  }
  // What the receipt had closed is open again by so much, and that much of it goes back to the payer.
  await freeMoney(ctx, paper.id, agorot)
  return (await refundToCustomer(ctx, { ...money, documentId: paper.id })).id
}
