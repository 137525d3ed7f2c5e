import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { authorize } from '#kit/server/rights/authority.ts'
import { mayKeyIssue } from '#kit/server/http/keys.ts'
import { postAll, type Entry } from '#features/base/ledger/server/index.ts'
import type { ExpenseAnswer } from '../endpoints.ts'
import { approve, cancel } from './book.ts'
import { refuseTwin } from './checks.ts'
import { keep } from './keep.ts'
import { answerOf, load } from './load.ts'
import { prepare, type Content } from './prepare.ts'

/**
 * Whether what this person enters is posted at once: by the person's right, or because the business requires
 * approval only of larger amounts. What a program enters beyond its key's limits waits for a person.
 */
async function goesStraight(ctx: Ctx, totalAgorot: number): Promise<boolean> {
  if (!mayKeyIssue(ctx.caller, totalAgorot)) return false
  if (can(ctx.caller, 'expenses.approve')) return true
  const { rows } = await sql<{
    above: number | null
  }>`select expense_approval_above_agorot as above from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const above = rows[0]!.above
  return above === null || Math.abs(totalAgorot) <= above
}

/**
 * The expense as it is now; its entries are posted last, when all is read that the answer needs: entries of the next
 * bill wait for their lock.
 */
export async function posted(ctx: Ctx, id: string, entries: readonly Entry[]): Promise<ExpenseAnswer> {
  const answer = await answerOf(ctx, id)
  await postAll(ctx, entries)
  return answer
}

/**
 * Enters an expense: a draft, one that waits for approval, or straight into the books. The person who calls has
 * asked for the right to enter. `waits`: there is a question about it, and a person approves it whatever its sum.
 */
export async function createExpense(
  ctx: Ctx,
  { draft, waits, ...content }: Content & { draft?: boolean | undefined; waits?: boolean | undefined },
): Promise<ExpenseAnswer> {
  const prepared = await prepare(ctx, content)
  await refuseTwin(ctx, prepared, undefined)
  if (!draft) refuseUnready(ctx, prepared)
  const id = await keep(ctx, prepared, draft ? 'draft' : 'waiting')
  const straight = !draft && !waits && (await goesStraight(ctx, prepared.worked.total))
  return posted(ctx, id, straight ? await approve(ctx, await load(ctx, id, true)) : [])
}

/** Writes an expense again while it is not in the books; one that was sent back waits again. */
export async function changeExpense(
  ctx: Ctx,
  { id, draft, ...content }: Content & { id: string; draft?: boolean | undefined },
): Promise<ExpenseAnswer> {
  const before = await changeable(ctx, id)
  const prepared = await prepare(ctx, content)
  await refuseTwin(ctx, prepared, id)
  if (!draft) refuseUnready(ctx, prepared)
  await keep(ctx, prepared, draft ? 'draft' : 'waiting', before)
  const straight = !draft && (await goesStraight(ctx, prepared.worked.total))
  return posted(ctx, id, straight ? await approve(ctx, await load(ctx, id, true)) : [])
}

/** Not posted yet, and entered by the caller unless the caller may approve. */
async function changeable(ctx: Ctx, id: string) {
  const e = await load(ctx, id, true)
  if (e.state === 'approved' || e.state === 'cancelled') throw fail('expenses.frozen')
  if (e.entered_by !== ctx.caller.userId && !can(ctx.caller, 'expenses.approve'))
    throw forbidden({ rule: 'expenses.approve' })
  return e
}

/**
 * What a draft may lack and an expense may not; the same for who approves it and for who sends it to be
 * approved.
 */
function refuseUnready(ctx: Ctx, p: Awaited<ReturnType<typeof prepare>>): void {
  if (p.day > ctx.today) throw failField('date', 'expenses.dateInFuture')
  if (p.worked.parts.every(({ net, vat }) => net === 0 && vat === 0))
    throw failField('lines.0.netAgorot', 'expenses.zeroTotal')
  if (p.means === 'onCredit' && !p.supplier) throw failField('supplierId', 'expenses.noSupplier')
  if (p.paidDay && p.paidDay > ctx.today) throw failField('paidDate', 'expenses.dateInFuture')
}

export async function approveExpense(ctx: Ctx, id: string): Promise<ExpenseAnswer> {
  const e = await load(ctx, id, true)
  if (e.state !== 'waiting' && e.state !== 'draft') throw fail('expenses.notWaiting')
  await authorize(ctx, 'post', { agorot: e.ils_total_agorot })
  return posted(ctx, id, await approve(ctx, e))
}

export async function rejectExpense(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<ExpenseAnswer> {
  const e = await load(ctx, id, true)
  if (e.state !== 'waiting') throw fail('expenses.notWaiting')
  await sql`update expenses set state = 'rejected', reason = ${reason}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('expenses.reject', 'expenses', id, { state: 'waiting' }, { state: 'rejected', reason })
  return answerOf(ctx, id)
}

export async function cancelExpense(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<ExpenseAnswer> {
  if (ctx.caller.apiKey) await authorize(ctx, 'post', { agorot: (await load(ctx, id)).ils_total_agorot })
  return posted(ctx, id, await cancel(ctx, id, reason))
}

/** An expense that never reached the books goes without a trace but the log's. */
export async function deleteExpense(ctx: Ctx, id: string): Promise<{ done: true }> {
  const e = await changeable(ctx, id)
  await sql`delete from file_links where company_id = ${ctx.companyId} and entity = 'expenses'
      and entity_id = ${id}`.execute(ctx.tx)
  await sql`delete from expenses where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'expenses.delete',
    'expenses',
    id,
    { number: e.supplier_number, date: e.day, totalAgorot: e.total_agorot },
    undefined,
  )
  return { done: true }
}
