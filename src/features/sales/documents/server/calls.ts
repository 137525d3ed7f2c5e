import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { documentTypeById, type PaperLabel } from '#domain/documents/kinds.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { endApproval, registerOrders } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIncome, isIssued, signedIncome } from '#kit/server/data/documentFacts.ts'
import { registerKeyed } from '#kit/server/http/clientKeys.ts'
import { withMarks } from '#kit/server/data/marks.ts'
import { implement, implementOpen, Later } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import { serveResource, withExpanded } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { accountIds, entryLinesOf } from '#features/base/ledger/server/index.ts'
import { registerProjectSource } from '#features/registers/projects/server/index.ts'
import * as calls from '../endpoints.ts'
import { startable, typeId } from '../types/index.ts'
import { cancel } from './issuing/cancel.ts'
import { entriesOf } from './issuing/consequences.ts'
import { convert } from './issuing/convert.ts'
import { credit } from './issuing/credit.ts'
import { rateAnew } from './content/exchange.ts'
import { documentFiles, letFilesGo, markFile } from './paper/files.ts'
import { documentBoard } from './list/board.ts'
import { home } from './list/home.ts'
import { issueAll, issueAndShow } from './issuing/issue.ts'
import { saidBy, written } from './content/draftLog.ts'
import { columnsOf, draftKind, keepDraft, linesOf, paymentsOf, rowsOfDraft } from './content/keep.ts'
import { documentList } from './list/list.ts'
import {
  answerOf,
  contentOf,
  freshOf,
  load,
  loadLines,
  loadPayments,
  type BusinessSnapshot,
  type StoredDocument,
  type StoredLine,
  type StoredPayment,
} from './content/load.ts'
import { page, pageFile, pageLogo, pagePaper, pagePdf } from './sending/page.ts'
import { drawingOf, fileName, sealedPaper } from './paper/papers.ts'
import { typeOfPaper } from './content/opening.ts'
import { prepare } from './content/prepare.ts'
import type { Given, Prepared } from './content/shapes.ts'
import { withUnseen } from './content/unseen.ts'
import { ageing } from './list/reports/ageing.ts'
import { refuseShut } from './issuing/shut.ts'
import { income } from './list/reports/income.ts'
import { incomeByAgent } from './list/reports/incomeByAgent.ts'
import { mailDocument, send, sendingOf, sendSms, sendWhatsApp, smsDocument } from './sending/send.ts'
import { mostBetween, openItemsOf, settle, standing, unsettle } from './issuing/settle.ts'
import { dropSignature, getSignature, setSignature, signaturePicture } from './paper/signature.ts'

// What was invoiced for a project, before VAT; credits take away.
registerProjectSource('documents', {
  side: 'income',
  sum: sql`(select coalesce(sum(${signedIncome('d')}), 0)
    from income_documents d
    where d.company_id = t.company_id and d.project_id = t.id and ${isIssued('d')}
      and ${isIncome('d')})`,
})

registerAttachable('documents', {
  see: 'documents.see',
  change: 'documents.draft',
  table: 'documents',
  may: (ctx, id) =>
    load(ctx, id).then(
      () => true,
      () => false,
    ),
})

const done = { done: true as const }

const draftOf = async (ctx: Parameters<typeof load>[0], id: string) => {
  const d = await load(ctx, id, true)
  if (statusFacts(d.status).isIssued) throw fail('documents.notDraft')
  return d
}

async function issueDraft(ctx: Ctx, id: string) {
  const draft = await draftOf(ctx, id)
  const prepared = await prepare(ctx, contentOf(draft, await loadLines(ctx, id), await loadPayments(ctx, id)))
  refuseShut(prepared)
  await endApproval(ctx, draftKind, id)
  return issueAndShow(ctx, prepared, (issued) => answerOf(ctx, issued), draft)
}

registerOrders(draftKind, {
  rule: 'documents.issue',
  entity: 'documents',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{
      id: string
      type: number
      customer: string | null
    }>`select d.id, d.type, d.customer ->> 'name' as customer from documents d
      where d.company_id = ${ctx.companyId} and d.id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, type, customer }) => ({
      id,
      title: [typeOfPaper(ctx.caller.language, type, null), customer].filter(Boolean).join(' · '),
      href: `/invoice/preview/${id}`,
    }))
  },
  goOn: async (ctx, id) => void (await issueDraft(ctx, id)),
})

/** A ground that was named for a document which is not at zero rate would be lost without a word. */
function refuseIdleGround({ zeroGround }: Pick<Given, 'zeroGround'>, prepared: Prepared): void {
  if (zeroGround && !prepared.zeroGround) throw failField('zeroGround', 'documents.groundNotZero')
}

registerKeyed('documents', {
  find: async (ctx, keys) => {
    const { rows } = await sql<{ key: string; id: string; number: number }>`select client_key as key, id,
        number
      from documents where company_id = ${ctx.companyId}
        and client_key = any (${keys}::text[])`.execute(ctx.tx)
    return rows
  },
  answer: async (ctx, { id }) => withMarks(ctx, 'documents', await answerOf(ctx, id)),
  answerMany: (_ctx, records) => ({
    rows: records.map(({ id, number, key }) => ({ id, number, clientKey: key })),
  }),
  taken: 'documents.clientKeyTaken',
})

export const implementations = [
  ...serveResource({
    ...documentList,
    marks: 'documents',
    parts: { names: ['lines', 'payments', 'settlements', 'urls'], recordOf: answerOf },
    verbs: ['list', 'export'],
    // Invoice 7 and quotation 7 are two papers.
    leadsFiles: ['type'],
    inFiles: {
      type: (type, language, { label }) => typeOfPaper(language, Number(type), label as PaperLabel | null),
    },
  }),
  implement(calls.createDocument, async (ctx, { draft, vatRateBp, askAllocation = true, ...content }) => {
    if (!draft && !can(ctx.caller, 'documents.issue')) throw forbidden({ rule: 'documents.issue' })
    // The person who issues the draft decides that.
    if (draft && !askAllocation) throw failField('askAllocation', 'documents.stillDraft')
    const [accounts, prepared] = await Promise.all([
      draft ? undefined : accountIds(ctx),
      prepare(ctx, content),
    ])
    if (vatRateBp !== undefined && prepared.vatRateBp !== vatRateBp)
      throw failField('vatRateBp', 'documents.otherVatRate', { rate: prepared.vatRateBp / 100 })
    refuseIdleGround(content, prepared)
    if (!accounts) return answerOf(ctx, await keepDraft(ctx, prepared))
    refuseShut(prepared)
    return issueAndShow(ctx, prepared, (id) => answerOf(ctx, id), undefined, { accounts, askAllocation })
  }),
  implement(calls.batchDocuments, async (ctx, { documents }) => {
    const issued = await issueAll(ctx, documents)
    return { rows: issued.map((one, i) => ({ ...one, clientKey: documents[i]!.clientKey ?? null })) }
  }),
  implement(calls.getDocument, async (ctx, { id, expand }) =>
    withExpanded(ctx, 'documents', expand, await answerOf(ctx, id)),
  ),
  implement(calls.documentByKey, async (ctx, { clientKey }) => {
    const { rows } = await sql<{
      id: string
    }>`select id from documents where company_id = ${ctx.companyId} and client_key = ${clientKey}`.execute(
      ctx.tx,
    )
    if (!rows[0]) throw fail('kit.notFound')
    return answerOf(ctx, rows[0].id)
  }),
  implement(calls.changeDocument, async (ctx, { id, ...content }) => {
    const before = await draftOf(ctx, id)
    const prepared = await prepare(ctx, await withUnseen(ctx, before, content))
    refuseIdleGround(content, prepared)
    await keepDraft(ctx, prepared, before)
    return answerOf(ctx, id)
  }),
  implement(calls.deleteDocument, async (ctx, { id }) => {
    const before = written(saidBy(await rowsOfDraft(ctx, await draftOf(ctx, id))))
    await endApproval(ctx, draftKind, id)
    await letFilesGo(ctx, id)
    await sql`delete from documents where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('documents.deleteDraft', 'documents', id, before)
    return done
  }),
  implement(calls.issueDocument, (ctx, { id }) => issueDraft(ctx, id)),
  implement(calls.cancelDocument, async (ctx, given) => answerOf(ctx, (await cancel(ctx, given)).id)),
  implement(calls.creditDocument, async (ctx, given) => answerOf(ctx, (await credit(ctx, given)).id)),
  implement(calls.convertDocument, async (ctx, given) => answerOf(ctx, await convert(ctx, given))),
  implement(calls.settleDocument, async (ctx, { id, documentId, amountAgorot, takesAgorot }) => {
    const agorot = amountAgorot ?? (await mostBetween(ctx, id, documentId))
    await settle(ctx, { fromId: id, toId: documentId, fromAgorot: takesAgorot ?? agorot, toAgorot: agorot })
    return answerOf(ctx, id)
  }),
  implement(calls.unsettleDocument, async (ctx, { id, settlementId }) => {
    await load(ctx, id)
    if (!(await standing(ctx, id)).some((s) => s.id === settlementId)) throw fail('kit.notFound')
    await unsettle(ctx, settlementId)
    return answerOf(ctx, id)
  }),
  implement(calls.branchNames, async (ctx) => {
    const { rows } = await sql<{
      name: string
    }>`select distinct split_part(split_part(series, '@', 2), '#', 1) as name from number_series
      where company_id = ${ctx.companyId} and series like '%@%' order by 1`.execute(ctx.tx)
    return { names: rows.map(({ name }) => name) }
  }),
  implement(calls.openItems, async (ctx, { customerId }) => ({ rows: await openItemsOf(ctx, customerId) })),
  implement(calls.duplicateDocument, async (ctx, { id }) => {
    const original = await load(ctx, id)
    if (!startable().some((t) => typeId(t.name) === original.type)) throw fail('documents.typeNotMade')
    const content = { ...freshOf(original, await loadLines(ctx, id)), rate: await rateAnew(ctx, original) }
    return answerOf(ctx, await keepDraft(ctx, await prepare(ctx, content)))
  }),
  implement(calls.sendDocument, send),
  implement(calls.smsDocument, sendSms),
  implement(calls.whatsAppDocument, sendWhatsApp),
  implement(calls.sendingOfDocument, sendingOf),
  implement(calls.filesOfDocument, async (ctx, { id }) => {
    await load(ctx, id)
    return { rows: await documentFiles(ctx, id) }
  }),
  implement(calls.markFile, async (ctx, given) => {
    await load(ctx, given.id)
    return markFile(ctx, given)
  }),
  implement(calls.getSignature, getSignature),
  implement(calls.setSignature, setSignature),
  implement(calls.dropSignature, dropSignature),
  implement(calls.signaturePicture, signaturePicture),
  implement(calls.previewDocument, async (ctx, { page: _, look, ...content }) => {
    const filled = { ...content, lines: content.lines.length ? content.lines : [] }
    const prepared = await prepare(ctx, { ...filled, customer: undefined })
    const stored = {
      ...columnsOf(ctx, prepared, '00000000-0000-0000-0000-000000000000'),
      status: 'draft',
      number: null,
      updated_at: ctx.now.toISOString(),
      issued_at: null,
    } as unknown as StoredDocument
    if (look) stored.business = { ...stored.business, ...(look as Partial<BusinessSnapshot>) }
    // A customer typed but not yet saved is on the preview too.
    if (!prepared.customer && content.customer)
      stored.customer = {
        name: content.customer.name,
        taxId: content.customer.taxId ?? null,
        street: content.customer.street ?? null,
        city: content.customer.city ?? null,
      }
    const draw = await drawingOf(
      ctx,
      stored,
      linesOf(prepared) as unknown as StoredLine[],
      paymentsOf(prepared) as unknown as StoredPayment[],
    )
    return new Later(async () => ({ pages: await draw() }))
  }),
  implement(calls.picturesOfDocument, async (ctx, { id }) => {
    if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
    const draw = await drawingOf(
      ctx,
      await load(ctx, id),
      await loadLines(ctx, id),
      await loadPayments(ctx, id),
    )
    return new Later(async () => ({ pages: await draw() }))
  }),
  implement(calls.pdfOfDocument, async (ctx, { id, variant }) => {
    const d = await load(ctx, id)
    if (statusFacts(d.status).isDraft) throw fail('documents.stillDraft')
    // The paper is nothing but figures: the person who may not see them does not get it.
    if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
    const { bytes, document } = await sealedPaper(ctx, id, variant)
    return { bytes, mime: 'application/pdf', name: fileName(document), inline: true }
  }),
  implement(calls.entriesOfDocument, async (ctx, { id }) => {
    const { type } = await load(ctx, id)
    return { rows: await entryLinesOf(ctx, entriesOf(ctx, { id, type: documentTypeById(type) })) }
  }),
  implement(calls.historyOfDocument, async (ctx, { id }) => {
    await load(ctx, id)
    const { rows } = await sql<{
      at: string
      who: string | null
      action: string
    }>`select a.at, u.full_name as who, a.action from audit_log a left join users u on u.id = a.user_id
      where a.company_id = ${ctx.companyId} and a.entity_id = ${id} order by a.at, a.id`.execute(ctx.tx)
    const { rows: messages } = await sql<{
      id: string
      at: string
      channel: 'mail' | 'sms' | 'whatsapp'
      recipient: string
      subject: string
      state: string
      error: string | null
      sentAt: string | null
      openedAt: string | null
    }>`select id, created_at as at, channel, recipient, subject, state, error, sent_at as "sentAt",
        opened_at as "openedAt"
      from messages where company_id = ${ctx.companyId} and document_id = ${id}
      order by created_at desc`.execute(ctx.tx)
    // The text of a letter names the sum.
    return {
      rows,
      messages: ctx.caller.hideTotalPrices ? messages.map((m) => ({ ...m, subject: '' })) : messages,
    }
  }),
  implement(calls.homeFigures, home),
  implement(calls.documentBoard, documentBoard),
  implementOpen(calls.pageOfDocument, page),
  implementOpen(calls.pagePdf, pagePdf),
  implementOpen(calls.pagePaper, pagePaper),
  implementOpen(calls.pageLogo, pageLogo),
  implementOpen(calls.pageFile, pageFile),
]

export const jobs: Record<string, Job> = {
  // The sealed original is made right after issuing, so that it is there when somebody asks.
  'documents.paper': inLane(
    'documents',
    async (ctx, { documentId }) => void (await sealedPaper(ctx, String(documentId), 'original')),
  ),
  'documents.mail': mailDocument,
  'documents.sms': smsDocument,
}

export const reports = [income, incomeByAgent, ageing]

export const machines: Machines = {
  'documents.paper': { inside: 'the sealed original of what was issued' },
  'documents.mail': { completes: 'a letter that a call queued within the rights of its caller' },
  'documents.sms': { completes: 'a message that a call queued within the rights of its caller' },
}
