import { sql } from 'kysely'
import { vatKinds } from '#domain/documents/kinds.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { say } from '#kit/server/words.ts'
import {
  cancelDocument,
  contentOf,
  issuePrepared,
  loadDocument,
  loadLines,
  prepareDocument,
  type StoredDocument,
} from '#features/sales/documents/server/index.ts'
import type { Decision } from '../endpoints.ts'
import { typesWithReverse } from '../numbers.ts'
import { changeRequest, requestFor, setState } from './ask.ts'
import { AuthorityAway, type Told } from './authority.ts'
import { authority, withToken } from './link.ts'

/**
 * What the law leaves after a refusal: cancel the invoice, let it stand without a number, reverse charge, or
 * object.
 */
export async function decide(
  ctx: Ctx,
  { id, choice }: { id: string; choice: Decision },
): Promise<{ documentId: string | null }> {
  const request = await requestFor(ctx, id, true)
  const d = await loadDocument(ctx, id, true)
  // An objection may still be given up for another way.
  if (
    !request ||
    d.allocation_state !== 'refused' ||
    (request.decision !== '' && request.decision !== 'objection')
  )
    throw fail('allocation.notRefused')
  if ((choice === 'cancel' || choice === 'reverseCharge') && !can(ctx.caller, 'documents.cancel'))
    throw forbidden({ rule: 'documents.cancel' })
  if (choice === 'reverseCharge' && !can(ctx.caller, 'documents.issue'))
    throw forbidden({ rule: 'documents.issue' })
  if (choice === 'reverseCharge' && !typesWithReverse.includes(d.type)) throw fail('allocation.noReverse')

  await changeRequest(ctx, id, {
    decision: choice,
    decided_at: ctx.now,
    decided_by: ctx.caller.userId,
    next_at: null,
  })
  await ctx.audit('allocation.decide', 'documents', id, undefined, { choice })
  if (choice !== 'reverseCharge') await ctx.later('allocation.tell', { documentId: id, choice })
  if (choice === 'continue' || choice === 'objection') return { documentId: null }

  const reason = say(d.language, `allocation.cancelReason.${choice}`)
  const credit = await cancelDocument(ctx, { id, reason })
  await setState(ctx, id, 'notNeeded')
  return { documentId: choice === 'cancel' ? credit.id : await issueReversed(ctx, d, request.invoice_key) }
}

/**
 * The same invoice without VAT, under the same key: the authority is asked for its number as reverse charge,
 * and the paper says so.
 */
async function issueReversed(ctx: Ctx, d: StoredDocument, invoiceKey: string): Promise<string> {
  const lines = await loadLines(ctx, d.id)
  const content = contentOf(d, lines)
  const law = say('he', 'allocation.law.reverseCharge')
  const prepared = await prepareDocument(ctx, {
    ...content,
    date: ctx.today,
    sourceId: null,
    closes: undefined,
    clientKey: undefined,
    reason: '',
    notesBelow: [law, content.notesBelow].filter(Boolean).join('\n'),
    lines: content.lines.map((line) => ({
      ...line,
      unitPrice:
        line.vatKind === vatKinds.includingVat ? withoutVat(line.unitPrice, d.vat_rate_bp) : line.unitPrice,
      vatKind: line.vatKind === vatKinds.trustDeposit ? line.vatKind : vatKinds.withoutVat,
    })),
  })
  const issued = await issuePrepared(ctx, prepared)
  await sql`insert into allocation_requests (company_id, document_id, invoice_key, action)
    values (${ctx.companyId}, ${issued.id}, ${invoiceKey}, 3)`.execute(ctx.tx)
  await setState(ctx, issued.id, 'waiting')
  await ctx.later('allocation.ask', { documentId: issued.id })
  return issued.id
}

/** A price that had VAT in it, without: four decimals, rounded half up. */
function withoutVat(price: string, rateBp: number): string {
  const value = BigInt(parseDecimal4(price)!)
  const [whole, part] = [value * 20_000n, BigInt(10_000 + rateBp)]
  return toText(Number((whole / part + (value < 0n ? -1n : 1n)) / 2n))
}

/** Tells the authority what was chosen; when it does not answer, again in a while. */
export const tell: Job = async (ctx, { documentId, choice }) => {
  const id = String(documentId)
  const request = await requestFor(ctx, id, true)
  // Something else was chosen since, or it was reported.
  if (!request || request.told_at || request.decision !== choice) return
  const { business } = await loadDocument(ctx, id)
  try {
    const told = await withToken(ctx.app, ctx.companyId, async (access) =>
      (await authority(ctx)).tell(access, request.invoice_key, business.taxId, choice as Told),
    )
    if ('missing' in told)
      return void (await ctx.later(
        'allocation.tell',
        { documentId, choice },
        new Date(ctx.now.getTime() + 86_400_000),
      ))
  } catch (e) {
    if (!(e instanceof AuthorityAway)) throw e
    return void (await ctx.later(
      'allocation.tell',
      { documentId, choice },
      new Date(ctx.now.getTime() + 15 * 60_000),
    ))
  }
  await changeRequest(ctx, id, { told_at: choice === 'objection' ? null : ctx.now })
  // The hearing may be over in a moment; after that it is looked at once a day.
  if (choice === 'objection') await ctx.later('allocation.ask', { documentId })
}
