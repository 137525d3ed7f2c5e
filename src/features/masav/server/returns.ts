import { sql } from 'kysely'
import { readMasav } from '../../../domain/filings/masav/file.ts'
import { fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { cancelSupplierPayment } from '../../expenses/server/index.ts'
import { bouncePayment } from '../../payments/server/index.ts'

interface Waiting {
  runId: string
  line: number
  name: string
  supplierPaymentId: string | null
  receiptId: string | null
  returnedOn: string | null
  isUndone: boolean
}

const waiting = sql`run_id as "runId", line, name, supplier_payment_id as "supplierPaymentId", receipt_id as "receiptId", returned_on as "returnedOn", undone_at is not null as "isUndone"`

/**
 * A payment came back. A supplier's is reversed, so that his bills are open again; a customer's receipt loses its money, or is never issued when the
 * money had not come yet.
 */
async function takeBack(ctx: Ctx, l: Waiting, reason: string, feeAgorot: number): Promise<void> {
  if (l.supplierPaymentId) {
    const { rows } = await sql<{ done: boolean }>`select cancelled_at is not null as done from supplier_payments
      where company_id = ${ctx.companyId} and id = ${l.supplierPaymentId}`.execute(ctx.tx)
    if (!rows[0]?.done) await cancelSupplierPayment(ctx, l.supplierPaymentId)
  } else if (l.receiptId) {
    const { rows } = await sql<{
      id: string
    }>`select id from document_payments where company_id = ${ctx.companyId} and document_id = ${l.receiptId}`.execute(ctx.tx)
    await bouncePayment(ctx, { id: rows[0]!.id, reason, feeAgorot })
  }
  await sql`update masav_lines set returned_on = ${ctx.today}, return_reason = ${reason} where company_id = ${ctx.companyId} and run_id = ${l.runId} and line = ${l.line}`.execute(
    ctx.tx,
  )
  await ctx.audit('masav.return', 'masav', l.runId, undefined, { line: l.line, name: l.name, reason })
}

export async function returnLine(
  ctx: Ctx,
  given: { id: string; line: number; reason: string; feeAgorot: number },
): Promise<{ done: true }> {
  const { rows } =
    await sql<Waiting>`select ${waiting} from masav_lines where company_id = ${ctx.companyId} and run_id = ${given.id} and line = ${given.line} for update`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].isUndone) throw fail('masav.undone')
  if (rows[0].returnedOn) throw fail('masav.alreadyReturned')
  await takeBack(ctx, rows[0], given.reason, given.feeAgorot)
  return { done: true }
}

/** The bank's file of what it could not pay or collect, in the layout of the files we send. Read twice it changes nothing twice. */
export async function readReturns(ctx: Ctx, { bytes }: { bytes: Uint8Array }) {
  const { files, faults } = readMasav(bytes)
  if (files.length === 0) throw fail('masav.unreadable', { line: faults[0]?.line ?? 1 })
  const answer: { returned: number; known: number; strangers: { name: string; amountAgorot: number; reference: string }[] } = {
    returned: 0,
    known: 0,
    strangers: [],
  }
  for (const file of files)
    for (const payment of file.payments) {
      const { rows } =
        await sql<Waiting>`select ${waiting} from masav_lines l where company_id = ${ctx.companyId} and reference = ${payment.reference}
        and amount_agorot = ${payment.amountAgorot} and ltrim(account, '0') = ${payment.account.replace(/^0+/, '')}
        and exists (select 1 from masav_runs r where r.company_id = l.company_id and r.id = l.run_id and r.direction = ${file.direction})
        order by undone_at is not null, returned_on nulls first, run_id desc limit 1 for update`.execute(ctx.tx)
      const line = rows[0]
      if (!line) answer.strangers.push({ name: payment.name, amountAgorot: payment.amountAgorot, reference: payment.reference })
      // What was taken back here is open already, whatever the bank says of it.
      else if (line.returnedOn || line.isUndone) answer.known++
      else {
        await takeBack(ctx, line, '', 0)
        answer.returned++
      }
    }
  return answer
}
