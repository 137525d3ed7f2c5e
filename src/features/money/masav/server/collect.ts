import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { typeById, typeId } from '#features/sales/documents/types/index.ts'
import { runOf } from './runs.ts'

type ReceiptType = (ctx: Ctx, documentId: string) => Promise<number | undefined>
let receiptTypeOf: ReceiptType | undefined

/**
 * For a feature that knows what the money of a document is: the type of its receipt, such as one for a
 * donation; the usual one when undefined.
 */
export const registerReceiptType = (find: ReceiptType): void => void (receiptTypeOf = find)

/**
 * The money of a debit file lies in the bank: each line that did not return gets its receipt. The payment
 * bears the day the money came, and so does the receipt as far as its series and the books let it: else it
 * bears the nearest day that is open.
 */
export async function collect(
  ctx: Ctx,
  { id, date }: { id: string; date?: string | undefined },
): Promise<{ receipts: number }> {
  const { rows: locked } = await sql<{
    payDay: string
    done: boolean
    undone: boolean
  }>`select pay_day as "payDay", collected_at is not null as done, undone_at is not null as undone
    from masav_runs
    where company_id = ${ctx.companyId} and id = ${id} and direction = 'debit' for update`.execute(ctx.tx)
  const run = locked[0]
  if (!run) throw fail('kit.notFound')
  if (run.undone) throw fail('masav.undone')
  if (run.done) throw fail('masav.alreadyCollected')
  if (run.payDay > ctx.today) throw fail('masav.notDueYet', { day: run.payDay })
  const came = date ?? run.payDay
  if (came < run.payDay) throw failField('date', 'fields.dayOrder')
  if (came > ctx.today) throw failField('date', 'expenses.dateInFuture')
  const day = await receiptDay(ctx, came)
  const { rows } = await runOf(ctx, id)
  let receipts = 0
  for (const line of rows.filter((l) => !l.returnedOn && !l.receiptId)) {
    const type = (await receiptTypeOf?.(ctx, line.documentId!)) ?? typeId('receipt')
    const prepared = await prepareDocument(ctx, {
      type,
      customerId: line.partyId,
      date: day,
      lines: [],
      payments: [
        { means: 3, amountAgorot: line.amountAgorot, reference: line.reference, date: came, dueDate: came },
      ],
      closes: [
        {
          documentId: line.documentId!,
          amountAgorot: await leftOf(ctx, line.documentId!, line.amountAgorot),
        },
      ].filter((c) => c.amountAgorot > 0),
    })
    const { id: receiptId } = await issuePrepared(ctx, prepared)
    await sql`update masav_lines set receipt_id = ${receiptId} where company_id = ${ctx.companyId}
        and run_id = ${id} and line = ${line.line}`.execute(ctx.tx)
    receipts++
  }
  await sql`update masav_runs set collected_at = now(), collected_on = ${came}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('masav.collect', 'masav', id, undefined, { receipts, date: came })
  return { receipts }
}

/** Numbers and days of a series run together, and what is locked stays as it is. */
async function receiptDay(ctx: Ctx, came: string): Promise<string> {
  const { rows } = await sql<{ last: string | null; locked: boolean }>`select
      (select s.last_day from number_series s where s.company_id = ${ctx.companyId}
      and s.series = ${typeById(typeId('receipt'))!.series}) as last,
      exists (select 1 from locked_periods p where p.company_id = ${ctx.companyId} and p.reopened_at is null
      and ${came} between p.from_day and p.to_day) as locked`.execute(ctx.tx)
  const { last, locked } = rows[0]!
  if (locked) return ctx.today
  return last && last > came ? last : came
}

/** The invoice may have been paid another way meanwhile: the rest is the customer's credit. */
async function leftOf(ctx: Ctx, documentId: string, agorot: number): Promise<number> {
  const { rows } = await sql<{
    open: number
  }>`select greatest(open_agorot, asked_agorot) as open from documents where company_id = ${ctx.companyId}
      and id = ${documentId}`.execute(ctx.tx)
  return Math.max(0, Math.min(agorot, rows[0]?.open ?? 0))
}
