import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import { can } from '../../../kit/describe/session.ts'
import { implement, implementOpen } from '../../../kit/server/implement.ts'
import type { Job } from '../../../kit/server/jobs.ts'
import { serveResource } from '../../../kit/server/resources.ts'
import * as calls from '../endpoints.ts'
import { startable, typeId } from '../types/index.ts'
import '../rules.ts'
import { cancel } from './cancel.ts'
import { home } from './home.ts'
import { issue } from './issue.ts'
import { columnsOf, keepDraft, linesOf } from './keep.ts'
import { documentList } from './list.ts'
import { answerOf, contentOf, load, loadLines, type BusinessSnapshot, type StoredDocument, type StoredLine } from './load.ts'
import { page, pageLogo, pagePdf } from './page.ts'
import { fileName, pictures, sealedPaper } from './papers.ts'
import { prepare } from './prepare.ts'
import { ageing } from './reports/ageing.ts'
import { income } from './reports/income.ts'
import { mailDocument, send } from './send.ts'

export { cancel as cancelDocument } from './cancel.ts'
export { issue as issuePrepared } from './issue.ts'
export { keepDraft as keepPrepared } from './keep.ts'
export { prepare as prepareDocument } from './prepare.ts'

const done = { done: true as const }

const draftOf = async (ctx: Parameters<typeof load>[0], id: string) => {
  const d = await load(ctx, id, true)
  if (d.status !== 'draft') throw fail('documents.notDraft')
  return d
}

export const implementations = [
  ...serveResource({ ...documentList, verbs: ['list', 'export'] }),
  implement(calls.createDocument, async (ctx, { draft, ...content }) => {
    if (!draft && !can(ctx.caller, 'documents.issue')) throw fail('session.forbidden')
    const prepared = await prepare(ctx, content)
    const id = draft ? await keepDraft(ctx, prepared) : (await issue(ctx, prepared)).id
    return answerOf(ctx, id)
  }),
  implement(calls.getDocument, (ctx, { id }) => answerOf(ctx, id)),
  implement(calls.changeDocument, async (ctx, { id, ...content }) => {
    const before = await draftOf(ctx, id)
    await keepDraft(ctx, await prepare(ctx, content), before)
    return answerOf(ctx, id)
  }),
  implement(calls.deleteDocument, async (ctx, { id }) => {
    await draftOf(ctx, id)
    await sql`delete from documents where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('documents.deleteDraft', 'documents', id)
    return done
  }),
  implement(calls.issueDocument, async (ctx, { id }) => {
    const draft = await draftOf(ctx, id)
    await issue(ctx, await prepare(ctx, contentOf(draft, await loadLines(ctx, id))), draft)
    return answerOf(ctx, id)
  }),
  implement(calls.cancelDocument, async (ctx, given) => answerOf(ctx, (await cancel(ctx, given)).id)),
  implement(calls.creditDocument, async (ctx, given) => answerOf(ctx, (await cancel(ctx, given)).id)),
  implement(calls.duplicateDocument, async (ctx, { id }) => {
    const original = await load(ctx, id)
    if (!startable().some((t) => typeId(t.name) === original.type)) throw fail('documents.typeNotMade')
    const content = { ...contentOf(original, await loadLines(ctx, id)), date: undefined, dueDate: null, sourceId: null }
    return answerOf(ctx, await keepDraft(ctx, await prepare(ctx, content)))
  }),
  implement(calls.sendDocument, send),
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
    // A customer typed but not yet saved stands on the picture too.
    if (!prepared.customer && content.customer)
      stored.customer = {
        name: content.customer.name,
        taxId: content.customer.taxId ?? null,
        street: content.customer.street ?? null,
        city: content.customer.city ?? null,
      }
    return { pages: await pictures(ctx, stored, linesOf(prepared) as unknown as StoredLine[]) }
  }),
  implement(calls.picturesOfDocument, async (ctx, { id }) => {
    if (ctx.caller.hideTotalPrices) throw fail('session.forbidden')
    return { pages: await pictures(ctx, await load(ctx, id), await loadLines(ctx, id)) }
  }),
  implement(calls.pdfOfDocument, async (ctx, { id, variant }) => {
    const d = await load(ctx, id)
    if (d.status === 'draft') throw fail('documents.stillDraft')
    // The paper is nothing but figures: whoever may not see them does not get it.
    if (ctx.caller.hideTotalPrices) throw fail('session.forbidden')
    const { bytes, document } = await sealedPaper(ctx, id, variant)
    return { bytes, mime: 'application/pdf', name: fileName(document), inline: true }
  }),
  implement(calls.entriesOfDocument, async (ctx, { id }) => {
    await load(ctx, id)
    const { rows } = await sql<{
      entryId: string
      day: string
      kind: string
      account: string
      accountId: string
      number: string
      party: string | null
      debitAgorot: number
      creditAgorot: number
    }>`
      select p.entry_id as "entryId", p.day, e.kind, a.name as account, a.id as "accountId", a.number, pa.name as party, greatest(p.amount_agorot, 0)::bigint as "debitAgorot", greatest(-p.amount_agorot, 0)::bigint as "creditAgorot"
      from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id join accounts a on a.company_id = p.company_id and a.id = p.account_id
      left join parties pa on pa.company_id = p.company_id and pa.id = p.party_id
      where e.company_id = ${ctx.companyId} and e.document_id = ${id} order by p.day, p.entry_id, p.line`.execute(ctx.tx)
    return { rows }
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
      recipient: string
      subject: string
      state: string
      error: string | null
      sentAt: string | null
      openedAt: string | null
    }>`select id, created_at as at, recipient, subject, state, error, sent_at as "sentAt", opened_at as "openedAt"
      from messages where company_id = ${ctx.companyId} and document_id = ${id} order by created_at desc`.execute(ctx.tx)
    return { rows, messages }
  }),
  implement(calls.homeFigures, home),
  implementOpen(calls.pageOfDocument, page),
  implementOpen(calls.pagePdf, pagePdf),
  implementOpen(calls.pageLogo, pageLogo),
]

export const jobs: Record<string, Job> = {
  // The sealed original is made right after issuing, so that it is there when somebody asks.
  'documents.paper': async (ctx, { documentId }) => void (await sealedPaper(ctx, String(documentId), 'original')),
  'documents.mail': mailDocument,
}

export const reports = [income, ageing]
