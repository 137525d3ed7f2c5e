import { sql } from 'kysely'
import { documentTypes } from '#domain/documents/kinds.ts'
import { addDays } from '#domain/day.ts'
import { parse } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createOrder } from '#features/money/standingOrders/endpoints.ts'
import { createStandingOrder, stepStandingOrder } from '#features/money/standingOrders/server/index.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { written } from './actions.ts'

/**
 * Passes that come again each month: those who were billed and paid have theirs, and one whose card nobody
 * gave yet has none.
 */
export async function showRenewals(
  ctx: Ctx,
  kind: { id: string; name: string; agorot: number },
  people: readonly string[],
): Promise<void> {
  for (const [n, customerId] of people.entries()) {
    const fails = n === people.length - 1
    const orderId = await createStandingOrder(
      ctx,
      parse(createOrder.input, {
        title: kind.name,
        customerId,
        startDay: addDays(ctx.today, fails ? -3 : -4 - 6 * n),
        unit: 'month',
        means: fails ? 'card' : 'bill',
        documentType: documentTypes[fails ? 'taxInvoiceReceipt' : 'taxInvoice'].id,
        send: 'none',
        partyKind: 'consumer',
        lines: [{ description: `${kind.name} {מיום}–{עד}`, unitPrice: written(kind.agorot), vatKind: 2 }],
      }),
    )
    await sql`insert into pass_renewals (company_id, order_id, kind_id, customer_id, created_by)
      values (${ctx.companyId}, ${orderId}, ${kind.id}, ${customerId}, ${ctx.caller.userId})`.execute(ctx.tx)
    await stepStandingOrder(ctx, orderId)
    const { rows } = await sql<{
      id: string
      agorot: number
    }>`select d.id, d.total_agorot as agorot from standing_periods p
      join documents d on d.company_id = p.company_id and d.id = p.document_id
      where p.company_id = ${ctx.companyId} and p.order_id = ${orderId}`.execute(ctx.tx)
    for (const { id, agorot } of rows)
      await issuePrepared(
        ctx,
        await prepareDocument(ctx, {
          type: documentTypes.receipt.id,
          customerId,
          date: ctx.today,
          lines: [],
          payments: [{ means: 3, amountAgorot: agorot }],
          closes: [{ documentId: id, amountAgorot: agorot }],
        }),
      )
  }
}
