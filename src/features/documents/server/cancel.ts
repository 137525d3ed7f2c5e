import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { typeById, typeId } from '../types/index.ts'
import { issue, type Issued } from './issue.ts'
import { contentOf, load, loadLines } from './load.ts'
import { prepare } from './prepare.ts'

/** An issued document is never changed or deleted: cancelling it issues its whole credit, which it and the original then close. */
export async function cancel(ctx: Ctx, { id, reason }: { id: string; reason: string }, day = ctx.today): Promise<Issued> {
  const original = await load(ctx, id, true)
  if (original.status === 'draft') throw fail('documents.stillDraft')
  if (original.status === 'cancelled') throw fail('documents.alreadyCancelled', { number: original.number ?? 0 })
  const offset = typeById(original.type)?.cancelledBy
  // A payment against it would be left hanging: it is reversed first.
  if (!offset || original.open_agorot !== original.ils_total_agorot) throw fail('documents.cannotCancel', { number: original.number ?? 0 })

  const content = {
    ...contentOf(original, await loadLines(ctx, id)),
    type: typeId(offset),
    sourceId: id,
    date: day,
    dueDate: null,
    clientKey: undefined,
  }
  // The credit takes the rate of the invoice it credits, whatever the rate of today.
  const prepared = await prepare(ctx, content, { vatRateBp: original.vat_rate_bp })
  const credit = await issue(ctx, prepared, undefined, { reason })
  await sql`update documents set status = 'cancelled', cancelled_by_id = ${credit.id}, open_agorot = 0, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await sql`update documents set status = 'closed', open_agorot = 0, updated_at = now() where company_id = ${ctx.companyId} and id = ${credit.id}`.execute(
    ctx.tx,
  )
  await ctx.audit(
    'documents.cancel',
    'documents',
    id,
    { status: original.status },
    { creditId: credit.id, creditNumber: credit.number, reason },
  )
  return credit
}
