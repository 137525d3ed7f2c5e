import type { z } from 'zod'
import { statusFacts } from '#domain/documents/facts.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { issuePrepared, loadDocument, prepareDocument } from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { refundMoney } from '../endpoints.ts'

/**
 * Money on account, or a credit, goes back to the customer: a receipt with the sum turned, which what gave
 * the money closes.
 */
export async function refund(
  ctx: Ctx,
  given: z.output<typeof refundMoney.input>,
): Promise<{ id: string; number: number }> {
  const source = await loadDocument(ctx, given.documentId, true)
  if (!statusFacts(source.status).isLive || source.open_in_currency_agorot >= 0 || !source.customer_id)
    throw fail('payments.nothingToRefund')
  const { means, bank, branch, account, reference } = given
  const content = {
    type: typeId('receipt'),
    customerId: source.customer_id,
    ...(given.date ? { date: given.date } : {}),
    language: source.language,
    currency: source.currency,
    ...(source.currency === 'ILS' ? {} : { rate: source.rate }),
    sourceId: source.id,
    notes: given.notes ?? '',
    lines: [],
    payments: [{ means, amountAgorot: -given.amountAgorot, bank, branch, account, reference }],
    closes: [{ documentId: source.id, amountAgorot: given.amountAgorot, takesAgorot: given.amountAgorot }],
  }
  const issued = await issuePrepared(ctx, await prepareDocument(ctx, content))
  await ctx.audit('payments.refund', 'documents', source.id, undefined, {
    receiptId: issued.id,
    amountAgorot: given.amountAgorot,
  })
  return issued
}
