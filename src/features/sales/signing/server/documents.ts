import { sql } from 'kysely'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { documentTypes, labelOf } from '#domain/documents/kinds.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { registerOrders, underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  contentOf,
  convertDocument,
  issuePrepared,
  loadDocument,
  loadLines,
  loadPayments,
  prepareDocument,
  registerSignPage,
  typeOfPaper,
  unsealedPaper,
} from '#features/sales/documents/server/index.ts'
import type { AskGiven } from '../shapes.ts'
import { askedBefore, askForSignature } from './askFor.ts'
import { registerSigned } from './consequences.ts'
import { loadRequest, requestKind } from './load.ts'
import { approvalOf } from './sheet.ts'

interface Given extends AskGiven {
  documentId: string
  becomesOrder: boolean
}

/**
 * Sends a paper of agreement to be signed: the paper itself, and behind it a page that says what is approved,
 * with name, date and signature.
 */
export async function signDocument(
  ctx: Ctx,
  { documentId, signer, message, expiresDay, becomesOrder }: Given,
): Promise<{ id: string }> {
  // Its figures are what is signed.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const d = await loadDocument(ctx, documentId)
  if (!typeFacts(d.type).isAgreement || !statusFacts(d.status).isUntouched) throw fail('signing.notAgreement')
  if (ctx.caller.docsAllow.length && !ctx.caller.docsAllow.includes(d.type)) throw fail('kit.notFound')
  if (becomesOrder && d.type !== documentTypes.priceQuote.id)
    throw fail('documents.cannotConvert', { number: d.number ?? 0 })
  const company = await companyOf(ctx)
  const { bytes } = await unsealedPaper(ctx, documentId)
  const paper = `${typeOfPaper(d.language, d.type, labelOf({ type: d.type, subType: d.sub_type, pro: d.pro }))} ${d.number}`
  const { pdf, fields } = await approvalOf(ctx, bytes, {
    language: d.language,
    title: say(d.language, 'signing.document.approval', { paper }),
    text: say(d.language, becomesOrder ? 'signing.document.approvesOrder' : 'signing.document.approves', {
      paper,
      business: company.name,
    }),
  })
  const { id } = await askForSignature(ctx, {
    name: paper,
    paper: {
      pdf,
      roles: [{ id: 'r1', name: say(d.language, 'signing.document.role'), order: 1, above: null }],
      fields,
    },
    signers: [{ ...signer, role: 'r1' }],
    purpose: becomesOrder ? 'quoteOrder' : 'document',
    purposeId: documentId,
    documentId,
    message,
    language: d.language,
    ...(expiresDay ? { expiresDay } : {}),
  })
  return { id }
}

/**
 * A signed quote becomes an issued order, once: under the lock of the paper, and not where an order was made
 * of it meanwhile.
 */
registerSigned('quoteOrder', async (system, { id, purposeId }) => {
  await underOrder(system, requestKind, id, (ctx) => orderOfQuote(ctx, id, purposeId))
})

async function orderOfQuote(ctx: Ctx, id: string, purposeId: string | null): Promise<void> {
  await loadRequest(ctx, id, true)
  const { rows } =
    await sql`select 1 from documents where company_id = ${ctx.companyId} and source_id = ${purposeId}
        and type = ${documentTypes.order.id} and ${isNotCancelled()} limit 1`.execute(ctx.tx)
  if (rows.length || !purposeId) return
  const made = await convertDocument(ctx, { id: purposeId, type: documentTypes.order.id })
  const draft = await loadDocument(ctx, made)
  const prepared = await prepareDocument(
    ctx,
    contentOf(draft, await loadLines(ctx, made), await loadPayments(ctx, made)),
  )
  await issuePrepared(ctx, prepared, draft)
  await ctx.audit('signRequests.ordered', 'signRequests', id, undefined, { documentId: made })
}

registerOrders(requestKind, {
  rule: 'signing.send',
  entity: 'signRequests',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string }>`select id, name as title from sign_requests
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title, href: `/invoice/signrequest/${id}` }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; agorot: number | null; currency: string | null }>`select r.id,
        d.total_agorot as agorot, d.currency
      from sign_requests r left join documents d on d.company_id = r.company_id and d.id = r.purpose_id
        and r.purpose = 'quoteOrder'
      where r.company_id = ${ctx.companyId} and r.id = any (${ids}::uuid[])
        and r.state in ('sent', 'inProgress')`.execute(ctx.tx)
    return rows.map(({ id, agorot, currency }) => ({
      id,
      does: [
        { effect: 'send', agorot: 0 },
        ...(agorot === null
          ? []
          : [
              {
                effect: 'issue' as const,
                agorot,
                currency: currency ?? 'ILS',
                documentType: documentTypes.order.id,
              },
            ]),
      ],
    }))
  },
  goOn: async (ctx, id) => {
    const { purpose, purposeId, state } = await loadRequest(ctx, id, true)
    if ((state === 'sealing' || state === 'done') && purpose === 'quoteOrder')
      await orderOfQuote(ctx, id, purposeId)
    // Reminders that waited go with the next round.
    await sql`update sign_requests set next_at = ${ctx.now.toISOString()} where company_id = ${ctx.companyId}
      and id = ${id} and state in ('sent', 'inProgress')`.execute(ctx.tx)
  },
})

// The address of a signer signs in that person's name: only callers who may send it receive it.
registerSignPage(async (ctx, { id, type }) => {
  if (!typeFacts(type).isAgreement || !can(ctx.caller, 'signing.send') || ctx.caller.apiKey?.draftsOnly)
    return ''
  const asked = (await askedBefore(ctx, 'document', id)) ?? (await askedBefore(ctx, 'quoteOrder', id))
  return asked?.url ?? ''
})
