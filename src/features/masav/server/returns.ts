import { sql } from 'kysely'
import { readMasav } from '../../../domain/filings/masav/file.ts'
import { fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { issuePrepared, prepareDocument } from '../../documents/server/index.ts'
import { cancelSupplierPayment } from '../../expenses/server/index.ts'
import { bouncePayment } from '../../payments/server/index.ts'
import { runOf } from './runs.ts'

interface Waiting {
  runId: string
  line: number
  name: string
  supplierPaymentId: string | null
  receiptId: string | null
  returnedOn: string | null
}

const waiting = sql`run_id as "runId", line, name, supplier_payment_id as "supplierPaymentId", receipt_id as "receiptId", returned_on as "returnedOn"`

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
        order by returned_on nulls first, run_id desc limit 1 for update`.execute(ctx.tx)
      const line = rows[0]
      if (!line) answer.strangers.push({ name: payment.name, amountAgorot: payment.amountAgorot, reference: payment.reference })
      else if (line.returnedOn) answer.known++
      else {
        await takeBack(ctx, line, '', 0)
        answer.returned++
      }
    }
  return answer
}

/** The money of a debit file lies in the bank: each line that did not return gets its receipt, dated with the day of the debit. */
export async function collect(ctx: Ctx, id: string): Promise<{ receipts: number }> {
  const { rows: locked } = await sql<{
    payDay: string
    done: boolean
  }>`select pay_day as "payDay", collected_at is not null as done from masav_runs
    where company_id = ${ctx.companyId} and id = ${id} and direction = 'debit' for update`.execute(ctx.tx)
  const run = locked[0]
  if (!run) throw fail('kit.notFound')
  if (run.done) throw fail('masav.alreadyCollected')
  if (run.payDay > ctx.today) throw fail('masav.notDueYet', { day: run.payDay })
  const { rows } = await runOf(ctx, id)
  let receipts = 0
  for (const line of rows.filter((l) => !l.returnedOn && !l.receiptId)) {
    const prepared = await prepareDocument(ctx, {
      type: 6,
      customerId: line.partyId,
      lines: [],
      payments: [{ means: 3, amountAgorot: line.amountAgorot, reference: line.reference }],
      closes: [{ documentId: line.documentId!, amountAgorot: await leftOf(ctx, line.documentId!, line.amountAgorot) }].filter(
        (c) => c.amountAgorot > 0,
      ),
    })
    const { id: receiptId } = await issuePrepared(ctx, prepared)
    await sql`update masav_lines set receipt_id = ${receiptId} where company_id = ${ctx.companyId} and run_id = ${id} and line = ${line.line}`.execute(
      ctx.tx,
    )
    receipts++
  }
  await sql`update masav_runs set collected_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('masav.collect', 'masav', id, undefined, { receipts })
  return { receipts }
}

/** The invoice may have been paid another way meanwhile: what is over stands to the customer's credit. */
async function leftOf(ctx: Ctx, documentId: string, agorot: number): Promise<number> {
  const { rows } = await sql<{
    open: number
  }>`select open_agorot as open from documents where company_id = ${ctx.companyId} and id = ${documentId}`.execute(ctx.tx)
  return Math.max(0, Math.min(agorot, rows[0]?.open ?? 0))
}
