import { sql } from 'kysely'
import { sum } from '#domain/money.ts'
import { underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  cancelDocument,
  contentOf,
  creditDocument,
  issuePrepared,
  loadDocument,
  loadPayments,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import { isIncomeItself, typeById } from '#features/sales/documents/types/index.ts'
import { refundToCustomer } from '#features/sales/payments/server/index.ts'
import { refusalOf } from './refusal.ts'
import { shopKind, refundsOf, setRefund, type OrderRow, type RefundRow } from './rows.ts'

/**
 * A credit for each refund of an order that has its document, never above what was paid; refunds of an order
 * without one are left until it has.
 */
export async function workRefunds(ctx: Ctx, order: OrderRow): Promise<void> {
  const refunds = await refundsOf(ctx, order.id)
  if (!order.document_id) {
    // Nothing was issued and nothing will be: there is no document to refund.
    if (order.state === 'ignored')
      for (const refund of refunds)
        if (refund.state === 'new') await setRefund(ctx, refund.id, { state: 'ignored', trouble: null })
    return
  }
  let left =
    order.issued_agorot! -
    sum(refunds.filter(({ state }) => state === 'issued').map((one) => one.amount_agorot))
  for (const refund of refunds) {
    if (refund.state === 'issued' || refund.state === 'ignored') continue
    if (refund.amount_agorot > left) {
      await beInTrouble(ctx, order, refund, 'refundAbove', { left })
      continue
    }
    await sql`savepoint refund`.execute(ctx.tx)
    try {
      const booked = await underOrder(ctx, shopKind, order.shop_id, (bound) =>
        book(bound, order, refund, left),
      )
      if (!('done' in booked)) {
        await beInTrouble(ctx, order, refund, 'refundRefused', { code: 'approvals.needed' })
        continue
      }
      const { creditId, receiptId } = booked.done
      await setRefund(ctx, refund.id, {
        state: 'issued',
        trouble: null,
        trouble_params: '{}',
        credit_id: creditId,
        receipt_id: receiptId,
      })
      await ctx.audit('shops.refund', 'shopOrders', order.id, undefined, {
        number: order.number,
        creditId,
        agorot: refund.amount_agorot,
      })
      left -= refund.amount_agorot
    } catch (e) {
      const refusal = refusalOf(e)
      await sql`rollback to savepoint refund`.execute(ctx.tx)
      await beInTrouble(ctx, order, refund, 'refundRefused', {
        code: refusal.errors[0]?.code ?? refusal.code,
      })
    }
  }
}

async function beInTrouble(
  ctx: Ctx,
  order: OrderRow,
  refund: RefundRow,
  code: string,
  params: Record<string, string | number>,
): Promise<void> {
  await setRefund(ctx, refund.id, { state: 'trouble', trouble: code, trouble_params: JSON.stringify(params) })
  if (refund.trouble !== code)
    await ctx.audit('shops.trouble', 'shopOrders', order.id, undefined, { number: order.number, code })
}

/**
 * The papers of money that went back: the document's whole credit where all of it did, else a credit of the
 * sum and the receipt of the money.
 */
async function book(
  ctx: Ctx,
  order: OrderRow,
  refund: RefundRow,
  left: number,
): Promise<{ creditId: string; receiptId: string | null }> {
  const paper = await loadDocument(ctx, order.document_id!, true)
  const type = typeById(paper.type)!
  const agorot = refund.amount_agorot
  const reason = refund.reason || say(paper.language, 'shops.refundReason', { number: order.number })
  const isWhole = agorot === order.issued_agorot && left === order.issued_agorot
  const money = {
    amountAgorot: agorot,
    means: order.content.payments[0]?.means ?? 4,
    reference: refund.external_id.slice(0, 100),
    notes: reason,
  }
  if (type.name === 'taxInvoiceReceipt' && isWhole)
    return { creditId: (await cancelDocument(ctx, { id: paper.id, reason })).id, receiptId: null }
  if (isIncomeItself(type, (await companyOf(ctx)).kind) && type.name === 'receipt') {
    if (isWhole)
      return { creditId: (await cancelDocument(ctx, { id: paper.id, reason })).id, receiptId: null }
    const [first] = contentOf(paper, [], await loadPayments(ctx, paper.id)).payments!
    const back = {
      ...contentOf(paper, []),
      clientKey: undefined,
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
          reference: money.reference,
        },
      ],
    }
    return {
      creditId: (await issuePrepared(ctx, await prepareDocument(ctx, back), undefined, { reason })).id,
      receiptId: null,
    }
  }
  const credit = await creditDocument(ctx, { id: paper.id, reason, agorot })
  const receipt = await refundToCustomer(ctx, { ...money, documentId: credit.id } as Parameters<
    typeof refundToCustomer
  >[1])
  return { creditId: credit.id, receiptId: receipt.id }
}
