import { sql } from 'kysely'
import { balance } from '#domain/ledger/entry.ts'
import { postingsOf, splitVat } from '#domain/ledger/movement.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import { post } from '#features/base/ledger/server/index.ts'
import type { JournalLine, LineFault } from '../endpoints.ts'
import { lockBatch } from './batches.ts'
import { judge, linesOf } from './judge.ts'

const refuse = (lines: readonly JournalLine[], faults: readonly LineFault[]): void => {
  if (lines.length === 0) throw fail('journal.empty')
  if (faults.length === 0) return
  const at = new Map(lines.map(({ id }, i) => [id, i]))
  throw new Failure(
    'journal.faulty',
    { count: new Set(faults.map(({ lineId }) => lineId)).size },
    faults.map(({ lineId, field, code, params }) => ({
      path: `lines.${at.get(lineId)}.${field}`,
      code,
      ...(params ? { params } : {}),
    })),
  )
}

/** A batch that would post as it is; the person who changes it opens it again. */
export async function checkBatch(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const batch = await lockBatch(ctx, id)
  if (batch.state === 'posted' || batch.state === 'dropped' || batch.kind === 'opening')
    throw fail('journal.closed')
  const lines = await linesOf(ctx, id)
  refuse(lines, (await judge(ctx, lines)).faults)
  await sql`update journal_batches set state = 'checked', checked_by = ${byOf(ctx)},
      checked_at = ${ctx.now.toISOString()}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('journal.check', 'journal_batches', id, undefined, { number: batch.number })
}

/** Posts a checked batch: its entries, and on its lines what was posted of each. All of it or nothing. */
export async function postBatch(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const batch = await lockBatch(ctx, id)
  if (batch.state === 'posted' || batch.state === 'dropped') throw fail('journal.closed')
  if (batch.state !== 'checked') throw fail('journal.notChecked')
  const lines = await linesOf(ctx, id)
  // A period may have been closed since it was checked.
  const { faults, entries, movements, profitOf } = await judge(ctx, lines)
  refuse(lines, faults)
  const posted: Record<string, unknown>[] = []
  for (const entry of entries) {
    const first = lines[entry.lines[0]!]!
    // Lines that cancel each other out leave nothing to post.
    if (entry.postings.length === 0) continue
    const entryId = await post(ctx, {
      day: entry.day,
      ...(first.valueDay ? { valueDay: first.valueDay } : {}),
      kind: 'manual',
      reference: first.reference,
      details: first.details,
      postings: [...entry.postings],
    })
    await tieEntry(ctx, id, entryId)
    for (const at of entry.lines) {
      const { vat, recognised } = splitVat(movements[at]!)
      const made = postingsOf(movements[at]!)
      const of = (kind: 'income' | 'expense') =>
        balance(made.filter(({ account }) => profitOf(account) === kind))
      posted.push({
        id: lines[at]!.id,
        entry_id: entryId,
        vat,
        recognised,
        income: 0 - of('income'),
        expense: of('expense'),
      })
    }
  }
  await sql`update journal_lines l set entry_id = p.entry_id, posted_vat_agorot = p.vat,
      posted_recognised_agorot = p.recognised,
      posted_income_agorot = p.income, posted_expense_agorot = p.expense
    from jsonb_to_recordset(${JSON.stringify(posted)}::jsonb) as p
      (id uuid, entry_id uuid, vat bigint, recognised bigint, income bigint, expense bigint)
    where l.company_id = ${ctx.companyId} and l.batch_id = ${id} and l.id = p.id`.execute(ctx.tx)
  await closeBatch(ctx, id)
  await ctx.audit('journal.post', 'journal_batches', id, undefined, {
    number: batch.number,
    entries: entries.length,
  })
}

export const tieEntry = (ctx: Ctx, batchId: string, entryId: string) =>
  sql`insert into batch_entries (company_id, entry_id, batch_id)
    values (${ctx.companyId}, ${entryId}, ${batchId})`.execute(ctx.tx)

export const closeBatch = (ctx: Ctx, id: string) =>
  sql`update journal_batches set state = 'posted', posted_by = ${byOf(ctx)},
      posted_at = ${ctx.now.toISOString()}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
