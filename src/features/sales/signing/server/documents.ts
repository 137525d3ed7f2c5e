import { sql } from 'kysely'
import { labelOf } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
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
import { loadRequest } from './load.ts'
import { approvalOf } from './sheet.ts'

/** Papers of agreement. What is a paper of tax is never signed anew. */
const agreements = [1, 2, 3]
const order = 2

interface Given extends AskGiven {
  documentId: string
  becomesOrder: boolean
}

/** Sends a paper of agreement to be signed: the paper itself, and behind it a page that says what is approved, with name, date and signature. */
export async function signDocument(
  ctx: Ctx,
  { documentId, signer, message, expiresDay, becomesOrder }: Given,
): Promise<{ id: string }> {
  // Its figures are what is signed.
  if (ctx.caller.hideTotalPrices) throw fail('session.forbidden')
  const d = await loadDocument(ctx, documentId)
  if (!agreements.includes(d.type) || d.status !== 'issued') throw fail('signing.notAgreement')
  if (ctx.caller.docsAllow.length && !ctx.caller.docsAllow.includes(d.type)) throw fail('kit.notFound')
  if (becomesOrder && d.type !== 1) throw fail('documents.cannotConvert', { number: d.number ?? 0 })
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

/** A signed quote becomes an issued order, once: under the lock of the paper, and not where an order was made of it meanwhile. */
registerSigned('quoteOrder', async (ctx, { id, purposeId }) => {
  await loadRequest(ctx, id, true)
  const { rows } =
    await sql`select 1 from documents where company_id = ${ctx.companyId} and source_id = ${purposeId}
        and type = ${order} and status <> 'cancelled' limit 1`.execute(ctx.tx)
  if (rows.length || !purposeId) return
  const made = await convertDocument(ctx, { id: purposeId, type: order })
  const draft = await loadDocument(ctx, made)
  const prepared = await prepareDocument(
    ctx,
    contentOf(draft, await loadLines(ctx, made), await loadPayments(ctx, made)),
  )
  await issuePrepared(ctx, prepared, draft)
  await ctx.audit('signRequests.ordered', 'signRequests', id, undefined, { documentId: made })
})

// The address of a signer signs in his name: it is told to whoever could have sent it.
registerSignPage(async (ctx, { id, type }) => {
  if (!agreements.includes(type) || !can(ctx.caller, 'signing.send')) return ''
  const asked = (await askedBefore(ctx, 'document', id)) ?? (await askedBefore(ctx, 'quoteOrder', id))
  return asked?.url ?? ''
})
