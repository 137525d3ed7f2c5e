import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isCancelled } from '#kit/server/data/documentFacts.ts'
import { cancelDocument } from '#features/sales/documents/server/index.ts'
import { cancelSupplierPayment } from '#features/purchases/expenses/server/index.ts'

interface Line {
  supplierPaymentId: string | null
  receiptId: string | null
  isReturned: boolean
  /** The payment or the receipt was reversed directly before. */
  isReversed: boolean
}

/**
 * A file that should not have been made: what it paid is owed again, what it collected is open again, in one
 * transaction. Once the bank sent something of it back the file was carried out, and what is wrong with it is
 * put right payment by payment.
 */
export async function undo(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<{ done: true }> {
  const { rows } = await sql<{
    number: number
    direction: string
    undone: boolean
  }>`select number, direction, undone_at is not null as undone
    from masav_runs where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const run = rows[0]
  if (!run) throw fail('kit.notFound')
  if (run.undone) throw fail('masav.undone')
  const { rows: lines } =
    await sql<Line>`select l.supplier_payment_id as "supplierPaymentId", l.receipt_id as "receiptId",
        l.returned_on is not null as "isReturned",
      coalesce(p.cancelled_at is not null, ${isCancelled('d')}, false) as "isReversed"
    from masav_lines l left join supplier_payments p on p.company_id = l.company_id
      and p.id = l.supplier_payment_id
      left join documents d on d.company_id = l.company_id and d.id = l.receipt_id
    where l.company_id = ${ctx.companyId} and l.run_id = ${id} order by l.line for update of l`.execute(
      ctx.tx,
    )
  if (lines.some((l) => l.isReturned)) throw fail('masav.cameBack')
  for (const l of lines.filter((one) => !one.isReversed)) {
    if (l.supplierPaymentId) await cancelSupplierPayment(ctx, l.supplierPaymentId)
    else if (l.receiptId) await cancelDocument(ctx, { id: l.receiptId, reason })
  }
  await sql`update masav_lines set undone_at = now() where company_id = ${ctx.companyId}
      and run_id = ${id}`.execute(ctx.tx)
  await sql`update masav_runs set undone_at = now(), undone_by = ${ctx.caller.userId}, undo_reason = ${reason}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('masav.undo', 'masav', id, undefined, {
    number: run.number,
    direction: run.direction,
    lines: lines.length,
    reason,
  })
  return { done: true }
}
