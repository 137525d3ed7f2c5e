import { sql } from 'kysely'
import type { Fault } from '#domain/filings/masav/file.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { isCancelled } from '#kit/server/data/documentFacts.ts'
import { cancelSupplierPayment } from '#features/purchases/expenses/server/index.ts'
import { bouncePayment } from '#features/sales/payments/server/index.ts'
import type { Returns } from '../endpoints.ts'
import type { readers } from './readers.ts'

interface Waiting {
  runId: string
  /** Of the file. */
  number: number
  line: number
  name: string
  supplierPaymentId: string | null
  documentId: string | null
  receiptId: string | null
  returnedOn: string | null
  isUndone: boolean
}

const waiting = sql`l.run_id as "runId", r.number, l.line, l.name,
    l.supplier_payment_id as "supplierPaymentId", l.document_id as "documentId", l.receipt_id as "receiptId",
  l.returned_on as "returnedOn", l.undone_at is not null as "isUndone"`

type Returned = (ctx: Ctx, line: { documentId: string; reason: string }) => Promise<void>
const listeners: Returned[] = []

/**
 * For features that asked for the money of a document: told, in the same transaction, that a debit of it came
 * back.
 */
export const registerReturned = (told: Returned): void => void listeners.push(told)

/**
 * A payment was returned. A supplier's is reversed, so that its bills are open again; a customer's receipt loses its
 * money, or is never issued when the money had not arrived yet. What a person reversed directly before is open
 * already and is only marked.
 */
async function takeBack(ctx: Ctx, l: Waiting, reason: string, feeAgorot: number): Promise<void> {
  if (l.supplierPaymentId) {
    const { rows } = await sql<{
      done: boolean
    }>`select cancelled_at is not null as done from supplier_payments
      where company_id = ${ctx.companyId} and id = ${l.supplierPaymentId}`.execute(ctx.tx)
    if (!rows[0]?.done) await cancelSupplierPayment(ctx, l.supplierPaymentId)
  } else if (l.receiptId) {
    const { rows } = await sql<{
      id: string
      done: boolean
    }>`select p.id, p.state in ('bounced', 'returned') or ${isCancelled('d')} as done
      from document_payments p
      join documents d on d.company_id = p.company_id and d.id = p.document_id
      where p.company_id = ${ctx.companyId} and p.document_id = ${l.receiptId}`.execute(ctx.tx)
    if (!rows[0]!.done) await bouncePayment(ctx, { id: rows[0]!.id, reason, feeAgorot })
  }
  await sql`update masav_lines set returned_on = ${ctx.today}, return_reason = ${reason}
    where company_id = ${ctx.companyId} and run_id = ${l.runId} and line = ${l.line}`.execute(ctx.tx)
  if (l.documentId) for (const told of listeners) await told(ctx, { documentId: l.documentId, reason })
  await ctx.audit('masav.return', 'masav', l.runId, undefined, { line: l.line, name: l.name, reason })
}

export async function returnLine(
  ctx: Ctx,
  given: { id: string; line: number; reason: string; feeAgorot: number },
): Promise<{ done: true }> {
  const { rows } =
    await sql<Waiting>`select ${waiting} from masav_lines l join masav_runs r on r.company_id = l.company_id
        and r.id = l.run_id
    where l.company_id = ${ctx.companyId} and l.run_id = ${given.id} and l.line = ${given.line} for
    update of l`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].isUndone) throw fail('masav.undone')
  if (rows[0].returnedOn) throw fail('masav.alreadyReturned')
  await takeBack(ctx, rows[0], given.reason, given.feeAgorot)
  return { done: true }
}

/**
 * Faults by which a payment may be missing or misread; the bank may fill the fixed places of a record as it
 * likes.
 */
const broken: ReadonlySet<Fault['code']> = new Set(['length', 'order', 'count', 'sum'])

/**
 * The bank's file of what it could not pay or collect, in the layout of the files we send. Read twice it
 * changes nothing twice.
 */
export async function readReturns(
  ctx: Ctx,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<Returns> {
  const { files, faults } = await readIn<typeof readers>()('masav.file', { bytes })
  const fault = faults.find(({ code }) => broken.has(code))
  if (files.length === 0 || fault) throw fail('masav.unreadable', { line: (fault ?? faults[0])?.line ?? 1 })
  const answer: Returns = { returned: [], known: 0, strangers: [] }
  for (const file of files)
    for (const payment of file.payments) {
      // Older files repeat a reference from month to month: the bank's day tells which is meant, and else it
      // is the last one whose day has come.
      const { rows } = await sql<Waiting>`select ${waiting} from masav_lines l
          join masav_runs r on r.company_id = l.company_id and r.id = l.run_id
        where l.company_id = ${ctx.companyId} and l.reference = ${payment.reference}
          and l.amount_agorot = ${payment.amountAgorot}
        and ltrim(regexp_replace(l.account, '\\D', '', 'g'), '0') = ${payment.account.replace(/^0+/, '')}
        and r.direction = ${file.direction}
        order by l.undone_at is not null, r.pay_day = ${file.payDay} desc, r.pay_day <= ${ctx.today} desc,
          r.number desc limit 1 for update of l`.execute(ctx.tx)
      const line = rows[0]
      if (!line)
        answer.strangers.push({
          name: payment.name,
          amountAgorot: payment.amountAgorot,
          reference: payment.reference,
        })
      // What was reversed here is open already, whatever the bank says of it.
      else if (line.returnedOn || line.isUndone) answer.known++
      else {
        await takeBack(ctx, line, name, 0)
        answer.returned.push({
          runId: line.runId,
          number: line.number,
          name: line.name,
          amountAgorot: payment.amountAgorot,
        })
      }
    }
  return answer
}
