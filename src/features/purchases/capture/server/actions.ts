import { sql } from 'kysely'
import type { z } from 'zod'
import { sum } from '#domain/money.ts'
import type { ProposalField, Spot } from '#domain/papers/proposal.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { createExpense } from '#features/purchases/expenses/server/index.ts'
import type { filePaper as filing } from '../endpoints.ts'
import { can } from '#kit/describe/session.ts'
import { questionsAbout } from './guard.ts'
import { remember } from './memory.ts'
import { following, lockPaper } from './papers.ts'

/**
 * Makes an expense of a paper, remembers what the person corrected, and says which paper comes next. While something is
 * asked about the bill, it waits for approval and is not paid.
 */
export async function filePaper(ctx: Ctx, { id, expense, spots, confirmed }: z.output<typeof filing.input>) {
  const paper = await lockPaper(ctx, id)
  if (paper.state === 'filed') throw fail('capture.alreadyFiled')
  const questions = await questionsAbout(ctx, paper, {
    supplierId: expense.supplierId ?? null,
    day: expense.date ?? ctx.today,
    number: expense.supplierNumber ?? '',
    total: sum(expense.lines.map((line) => (line.netAgorot ?? 0) + (line.vatAgorot ?? 0))),
  })
  const isChecked = confirmed && can(ctx.caller, 'expenses.approve')
  const made = await createExpense(ctx, {
    ...expense,
    waits: questions.length > 0 && !isChecked,
    source: paper.source,
    fileIds: paper.fileId ? [paper.fileId] : [],
  })
  await sql`update captured_papers set state = 'filed', expense_id = ${made.id},
      supplier_id = ${made.supplierId}, questions = ${JSON.stringify(questions)}::jsonb,
      filed_by = ${ctx.caller.userId},
    filed_at = now(), updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await remember(ctx, {
    proposal: paper.proposal,
    supplierId: made.supplierId,
    supplierName: made.supplierName,
    supplierTaxId: made.supplierTaxId,
    spots: spots as Partial<Record<ProposalField, Spot>> | undefined,
  })
  await ctx.audit('papers.file', 'papers', id, { state: paper.state }, { state: 'filed', expenseId: made.id })
  return { expenseId: made.id, state: made.state, nextId: await following(ctx, id) }
}

/** Marks it as not an expense: archived, and can be restored. */
export async function rejectPaper(ctx: Ctx, { id }: { id: string }) {
  const paper = await lockPaper(ctx, id)
  if (paper.state === 'filed') throw fail('capture.alreadyFiled')
  await sql`update captured_papers set state = 'rejected', lease_until = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('papers.reject', 'papers', id, { state: paper.state }, { state: 'rejected' })
  return { nextId: await following(ctx, id) }
}

export async function restorePaper(ctx: Ctx, { id }: { id: string }) {
  const paper = await lockPaper(ctx, id)
  if (paper.state !== 'rejected') throw fail('capture.notWaiting')
  await sql`update captured_papers set state = 'read', updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('papers.restore', 'papers', id, { state: 'rejected' }, { state: 'read' })
  return { done: true as const }
}

export async function readPaperAgain(ctx: Ctx, { id }: { id: string }) {
  const paper = await lockPaper(ctx, id)
  if (paper.state === 'filed') throw fail('capture.alreadyFiled')
  if (paper.fileId) await readAnew(ctx, id)
  return { done: true as const }
}

const readAnew = async (ctx: Ctx, id: string): Promise<void> => {
  await sql`update captured_papers set state = 'waiting', problem = null, attempts = 0, lease_until = null,
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('papers.read', 'papers', id)
  await ctx.later('papers.read', { paperId: id })
}

/** A scanner makes one file of several bills: each part becomes a separate document, all of the same file. */
export async function splitPaper(ctx: Ctx, { id, begins }: { id: string; begins: number[] }) {
  const paper = await lockPaper(ctx, id)
  if (paper.state === 'filed') throw fail('capture.alreadyFiled')
  const first = paper.pageFrom ?? 1
  const last = paper.pageTo ?? paper.pageCount
  const starts = [1, ...new Set(begins)].map((page) => first + page - 1).toSorted((a, b) => a - b)
  if (!paper.fileId || starts.length < 2 || starts.at(-1)! > last) throw fail('capture.cannotSplit')
  const parts = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? last + 1) - 1 }))
  const ids = [id]
  await sql`update captured_papers set page_from = ${parts[0]!.from}, page_to = ${parts[0]!.to}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await readAnew(ctx, id)
  for (const [index, part] of parts.slice(1).entries()) {
    const partId = newId()
    ids.push(partId)
    // A little later each, so that they follow the first one in the inbox.
    await sql`insert into captured_papers (company_id, id, file_id, sha256, name, source, sender, subject,
        page_from, page_to, entered_by, created_at)
      select company_id, ${partId}, file_id, sha256, name, source, sender, subject, ${part.from}, ${part.to},
        entered_by, created_at + ${index + 1} * interval '1 millisecond'
      from captured_papers where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('papers.split', 'papers', partId, undefined, { from: id, pages: [part.from, part.to] })
    await ctx.later('papers.read', { paperId: partId })
  }
  return { ids }
}
