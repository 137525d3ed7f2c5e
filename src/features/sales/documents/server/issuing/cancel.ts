import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive, status } from '#kit/server/data/documentFacts.ts'
import { typeById, typeId } from '../../types/index.ts'
import { allFollowers, consequenceOf } from './consequences.ts'
import { issue, type Issued } from './issue.ts'
import {
  contentOf,
  load,
  loadLines,
  loadPayments,
  type StoredDocument,
  type StoredLine,
} from '../content/load.ts'
import { creditWhole } from './credit.ts'
import { saying } from './creditRest.ts'
import { isOpeningItem } from '../content/opening.ts'
import { fixedBy, prepare } from '../content/prepare.ts'
import type { Content } from '../content/shapes.ts'
import { askAgain, openAgain } from './settle.ts'

/**
 * An issued document is never changed or deleted. What moved money or VAT is offset by a separate document (an
 * invoice by a credit of all of it, a receipt by a receipt with negated amounts), and the two close each other; an
 * invoice with receipt takes both. What moved nothing itself is marked as cancelled, and what came with it is
 * undone. Answers the offsetting document, or the document itself.
 */
// example: command
export async function cancel(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
  day = ctx.today,
): Promise<Issued> {
  const original = await load(ctx, id, true)
  if (statusFacts(original.status).isDraft) throw fail('documents.stillDraft')
  if (statusFacts(original.status).isCancelled)
    throw fail('documents.alreadyCancelled', { number: original.number ?? 0 })
  // It came with the books and goes with them.
  if (isOpeningItem(original.series)) throw fail('documents.openingItem')
  const type = typeById(original.type)
  await refuseWhenUsed(ctx, original)
  // example end
  if (!type?.cancelledBy && !type?.cancelledByItself) {
    if (!type || type.posts) throw fail('documents.cannotCancel', { number: original.number ?? 0 })
    await consequenceOf(type.name)?.cancelled(ctx, original, reason)
    for (const follower of allFollowers()) await follower.cancelled(ctx, original)
    await mark(ctx, original, null, reason)
    return { id, number: original.number! }
  }

  // example: command
  const credit = type.cancelledBy ? await creditWhole(ctx, original, reason, day) : undefined
  // The money of an invoice with receipt is reversed by a separate receipt; for a receipt that is all there is.
  const payments = await loadPayments(ctx, id)
  const back = payments.length || !credit ? await giveBack(ctx, original, reason, day, credit?.id) : undefined
  // example end
  await askAgain(ctx, original.id)
  await mark(ctx, original, (credit ?? back)!.id, reason)
  await ctx.audit(
    'documents.cancel',
    'documents',
    id,
    { status: original.status },
    { offsetId: (credit ?? back)!.id, reason },
  )
  // example: command
  return (credit ?? back)!
}
// example end

/** What later papers were made from stays: they are cancelled first. */
async function refuseWhenUsed(ctx: Ctx, original: StoredDocument): Promise<void> {
  if (original.credited_agorot) throw fail('documents.cannotCancel', { number: original.number ?? 0 })
  const { rows } = await sql`select 1 from document_lines l join documents d on d.company_id = l.company_id
        and d.id = l.document_id
    where l.company_id = ${ctx.companyId} and l.source_document_id = ${original.id}
      and ${isLive('d')} limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('documents.cannotCancel', { number: original.number ?? 0 })
  // A cheque that was deposited, or bounced, has a separate history that is undone first.
  const { rows: banked } = await sql`select 1 from document_payments where company_id = ${ctx.companyId}
        and document_id = ${original.id}
    and state <> 'received' limit 1`.execute(ctx.tx)
  // A payment against an invoice would be left hanging: it is taken off, or reversed, first.
  const { rows: closed } =
    original.open_agorot !== original.ils_total_agorot && typeById(original.type)?.debt === 1
      ? { rows: [1] }
      : { rows: [] }
  if (banked.length || closed.length) throw fail('documents.cannotCancel', { number: original.number ?? 0 })
}

/** A receipt with negated amounts; it and the one it reverses close each other. */
async function giveBack(
  ctx: Ctx,
  original: StoredDocument,
  reason: string,
  day: string,
  creditId: string | undefined,
): Promise<Issued> {
  await openAgain(ctx, original.id, day)
  const fresh = await load(ctx, original.id)
  const payments = (await loadPayments(ctx, original.id)).map((y) => ({
    ...y,
    amount_agorot: -y.amount_agorot,
  }))
  // From the accounts the money lay on, whatever is usual by now; those that hold the currency lose it too.
  const { rows: held } = await sql<{ account: string }>`select distinct p.account_id as account from entries e
      join postings p on p.company_id = e.company_id and p.entry_id = e.id
    where e.company_id = ${ctx.companyId} and e.document_id = ${original.id}
      and p.currency = ${original.currency} and p.currency <> 'ILS'`.execute(ctx.tx)
  const undoes = { landedOn: payments.map((y) => y.account_id), held: held.map((row) => row.account) }
  const asReceipt = original.type === typeId('taxInvoiceReceipt')
  const source = creditId ?? original.id
  const content = {
    ...contentOf(original, [], payments),
    type: asReceipt ? typeId('receipt') : original.type,
    sourceId: original.id,
    date: day,
    dueDate: null,
    clientKey: undefined,
    lines: linesTurned(original, asReceipt ? [] : await loadLines(ctx, original.id)),
    discount: null,
    rounding: 'none' as const,
    payments: contentOf(original, [], payments).payments?.map((y) => ({ ...y, date: day, dueDate: day })),
    // What the original (or its credit) still gives meets what goes back.
    closes: asReceipt
      ? [{ documentId: source, amountAgorot: Math.abs(original.total_agorot) }]
      : fresh.open_in_currency_agorot
        ? [{ documentId: source, amountAgorot: Math.abs(fresh.open_in_currency_agorot) }]
        : [],
  }
  return issue(
    ctx,
    await prepare(ctx, content, { ...fixedBy(original), exactly: -original.total_agorot }),
    undefined,
    { reason, undoes },
  )
}

/**
 * The lines of a receipt that is income, as negative amounts, so that each account gets back what it received. Lines of
 * any other receipt are a description, and its money is all it posts.
 */
const linesTurned = (original: StoredDocument, lines: readonly StoredLine[]): Content['lines'] =>
  original.ils_net_agorot === 0 && original.ils_held_agorot === 0
    ? []
    : contentOf(original, [...lines]).lines.map((line, i) => ({
        ...saying(line, Math.abs(lines[i]!.total_agorot)),
        quantity: lines[i]!.total_agorot < 0 ? '1' : '-1',
        source: undefined,
      }))

async function mark(
  ctx: Ctx,
  original: StoredDocument,
  offsetId: string | null,
  reason: string,
): Promise<void> {
  await sql`update documents set status = ${status('cancelled')}, cancelled_by_id = ${offsetId},
      asked_agorot = 0,
      updated_at = now(),
      reason = case when reason = '' then ${reason} else reason end
    where company_id = ${ctx.companyId} and id = ${original.id}`.execute(ctx.tx)
  if (!offsetId)
    await ctx.audit('documents.cancel', 'documents', original.id, { status: original.status }, { reason })
  const { rows } = await sql<{
    source: string
  }>`select distinct source_document_id as source from document_lines
    where company_id = ${ctx.companyId} and document_id = ${original.id}
      and source_document_id is not null`.execute(ctx.tx)
  // What it took from an earlier paper is left there again.
  for (const { source } of rows) await sql`select refresh_source(${ctx.companyId}, ${source})`.execute(ctx.tx)
}
