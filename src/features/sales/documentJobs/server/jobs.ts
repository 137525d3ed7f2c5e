import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { labelOf } from '#domain/documents/kinds.ts'
import { fail, forbidden, Failure } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { LongJob, Run } from '#kit/server/work/progress.ts'
import {
  contentOf,
  documentFileName,
  freeName,
  freshOf,
  issuePrepared,
  keepPrepared,
  loadDocument,
  loadLines,
  loadPayments,
  mailsOfDocument,
  prepareDocument,
  rateAnew,
  refuseShut,
  sealedPaper,
  sendDocument,
  type StoredDocument,
  typeOfPaper,
} from '#features/sales/documents/server/index.ts'
import type { Outcome } from '../endpoints.ts'
import { onePdf } from './onePdf.ts'

const mostBytes = 150 * 1024 * 1024

type Refused = Outcome['refused'][number]
interface Position {
  at: number
  made: number
  refused: Refused[]
}

const nameOf = (ctx: Ctx, d: StoredDocument): string =>
  [
    typeOfPaper(ctx.caller.language, d.type, labelOf({ type: d.type, subType: d.sub_type, pro: d.pro })),
    d.number,
    d.customer?.name,
  ]
    .filter(Boolean)
    .join(' ')

/** What a refusal says; what is no refusal is thrown on. */
function refusalOf(e: unknown): Pick<Refused, 'code' | 'params'> {
  const failure = e instanceof Failure ? e : failureOf(e)
  if (failure.status >= 500) throw e
  const [first] = failure.errors
  return first
    ? { code: first.code, params: first.params ?? {} }
    : { code: failure.code, params: failure.params }
}

/** Processes the ids, each in a separate transaction; a refused one is recorded and the next one taken. */
async function eachOf(
  run: Run,
  ids: string[],
  nameFor: (ctx: Ctx, id: string) => Promise<string>,
  deed: (ctx: Ctx, id: string) => Promise<void>,
) {
  let now: Position = (run.position as Position | undefined) ?? { at: 0, made: 0, refused: [] }
  while (now.at < ids.length) {
    const id = ids[now.at]!
    const go = (next: Position) => () => ({ position: next, done: next.at, total: ids.length })
    const fine: Position = { at: now.at + 1, made: now.made + 1, refused: now.refused }
    try {
      await run.step((ctx) => deed(ctx, id), go(fine))
      now = fine
    } catch (e) {
      const refusal = refusalOf(e)
      now = await run.step(
        async (ctx): Promise<Position> => {
          const name = await nameFor(ctx, id).catch(() => '')
          return { at: now.at + 1, made: now.made, refused: [...now.refused, { name, ...refusal }] }
        },
        (next) => ({ position: next, done: next.at, total: ids.length }),
      )
    }
  }
  return { made: now.made, refused: now.refused }
}

const documentName = async (ctx: Ctx, id: string) => nameOf(ctx, await loadDocument(ctx, id))

export const issuing: LongJob = {
  rule: 'documents.issue',
  work: (run) =>
    eachOf(run, run.payload.ids as string[], documentName, async (ctx, id) => {
      const draft = await loadDocument(ctx, id, true)
      if (statusFacts(draft.status).isIssued) throw fail('documents.notDraft')
      const prepared = await prepareDocument(
        ctx,
        contentOf(draft, await loadLines(ctx, id), await loadPayments(ctx, id)),
      )
      refuseShut(prepared)
      await issuePrepared(ctx, prepared, draft)
    }),
}

export const sending: LongJob = {
  rule: 'documents.send',
  work: (run) =>
    eachOf(run, run.payload.ids as string[], documentName, async (ctx, id) => {
      const d = await loadDocument(ctx, id)
      if (statusFacts(d.status).isDraft) throw fail('documents.stillDraft')
      const [to, ...also] = await mailsOfDocument(ctx, d)
      if (!to) throw fail('documentJobs.noMail')
      await sendDocument(ctx, { id, to, also, attach: run.payload.attach === true })
    }),
}

export const forCustomers: LongJob = {
  rule: 'documents.draft',
  work: (run) => {
    const { templateId, customerIds, issue } = run.payload as {
      templateId: string
      customerIds: string[]
      issue: boolean
    }
    const customerName = async (ctx: Ctx, id: string) => {
      const { rows } = await sql<{
        name: string
      }>`select name from parties where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
      return rows[0]?.name ?? ''
    }
    return eachOf(run, customerIds, customerName, async (ctx, customerId) => {
      const template = await loadDocument(ctx, templateId)
      const prepared = await prepareDocument(ctx, {
        ...freshOf(template, await loadLines(ctx, templateId)),
        customerId,
        // Each customer has separate terms, language, place for deliveries and worker in charge.
        dueTerms: undefined,
        deliverTo: undefined,
        language: undefined,
        agentId: undefined,
        rate: await rateAnew(ctx, template),
      })
      refuseShut(prepared)
      if (issue && !can(ctx.caller, 'documents.issue')) throw forbidden({ rule: 'documents.issue' })
      if (issue) await issuePrepared(ctx, prepared)
      else await keepPrepared(ctx, prepared)
    })
  },
}

export const bundling: LongJob = {
  rule: 'documents.see',
  work: async (run) => {
    const { ids, as, variant, bundleId, name } = run.payload as {
      ids: string[]
      as: 'zip' | 'one'
      variant: 'original' | 'copy'
      bundleId: string
      name: string
    }
    const files = new Map<string, Uint8Array>()
    const refused: Refused[] = []
    let size = 0
    // A paper once sealed is at hand: after a kill this goes from the beginning and is soon where it was.
    for (const [i, id] of ids.entries()) {
      const made = await run.step(
        async (ctx) => {
          const d = await loadDocument(ctx, id)
          if (statusFacts(d.status).isDraft)
            return { name: nameOf(ctx, d), code: 'documents.stillDraft', params: {} }
          return { file: documentFileName(d), bytes: (await sealedPaper(ctx, id, variant)).bytes }
        },
        () => ({ done: i + 1, total: ids.length + 1 }),
      )
      if (made.file === undefined) refused.push(made)
      else {
        files.set(
          freeName(made.file, (name) => files.has(name)),
          made.bytes,
        )
        size += made.bytes.length
        if (size > mostBytes) throw fail('documentJobs.tooLarge')
      }
    }
    if (!files.size) throw fail('documentJobs.nothing')
    const bytes =
      as === 'zip' ? zipSync(Object.fromEntries(files), { level: 1 }) : await onePdf([...files.values()])
    await run.step(
      async (ctx) => {
        await sql`delete from document_bundles where company_id = ${ctx.companyId}
            and created_at < now() - interval '7 days'`.execute(ctx.tx)
        await sql`insert into document_bundles (company_id, id, name, mime, bytes, created_by)
          values (${ctx.companyId}, ${bundleId}, ${name},
            ${as === 'zip' ? 'application/zip' : 'application/pdf'}, ${Buffer.from(bytes)},
            ${ctx.caller.userId}) on conflict do nothing`.execute(ctx.tx)
      },
      () => ({ done: ids.length + 1, total: ids.length + 1 }),
    )
    return { made: files.size, refused, bundleId }
  },
}
