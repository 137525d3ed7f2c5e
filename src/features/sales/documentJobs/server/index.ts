import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { defineLongJob, startJob } from '#kit/server/work/progress.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { loadDocument } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { bundling, forCustomers, issuing, sending } from './jobs.ts'

defineLongJob('documentJobs.issue', issuing)
defineLongJob('documentJobs.send', sending)
defineLongJob('documentJobs.bundle', bundling)
defineLongJob('documentJobs.forCustomers', forCustomers)

/**
 * Those of the documents the caller may see, by their days, so that numbers follow the days; refuses one that
 * is not there.
 */
async function inOrder(ctx: Ctx, ids: string[]): Promise<string[]> {
  const wanted = [...new Set(ids)]
  const { rows } = await sql<{
    id: string
  }>`select id from documents where company_id = ${ctx.companyId} and id = any(${wanted}::uuid[])
    ${ctx.caller.docsAllow.length ? sql`and type = any(${ctx.caller.docsAllow}::int[])` : sql``}
    order by day, type, number, created_at, id`.execute(ctx.tx)
  if (rows.length < wanted.length) throw fail('kit.notFound')
  return rows.map((row) => row.id)
}

export const implementations = [
  implement(calls.issueMany, async (ctx, given) => {
    const ids = await inOrder(ctx, given.ids)
    return { jobId: await startJob(ctx, 'documentJobs.issue', { ids }, { count: ids.length }) }
  }),
  implement(calls.sendMany, async (ctx, given) => {
    const ids = await inOrder(ctx, given.ids)
    return {
      jobId: await startJob(ctx, 'documentJobs.send', { ids, attach: given.attach }, { count: ids.length }),
    }
  }),
  implement(calls.bundleMany, async (ctx, { as, variant, ...given }) => {
    // The papers are nothing but figures.
    if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
    const ids = await inOrder(ctx, given.ids)
    const bundleId = newId()
    const name = `documents-${ctx.today}.${as === 'zip' ? 'zip' : 'pdf'}`
    return {
      jobId: await startJob(
        ctx,
        'documentJobs.bundle',
        { ids, as, variant, bundleId, name },
        { count: ids.length },
      ),
    }
  }),
  implement(calls.issueForCustomers, async (ctx, { templateId, customerIds, issue }) => {
    if (issue && !can(ctx.caller, 'documents.issue')) throw forbidden({ rule: 'documents.issue' })
    await loadDocument(ctx, templateId)
    const wanted = [...new Set(customerIds)]
    const { rows } = await sql<{ id: string }>`select id from parties
      where company_id = ${ctx.companyId} and id = any(${wanted}::uuid[]) and role = 'customer'
      order by name, id`.execute(ctx.tx)
    if (rows.length < wanted.length) throw fail('kit.notFound')
    const payload = { templateId, customerIds: rows.map((row) => row.id), issue }
    return { jobId: await startJob(ctx, 'documentJobs.forCustomers', payload, { count: rows.length }) }
  }),
  implement(calls.bundleFile, async (ctx, { id }) => {
    const { rows } = await sql<{
      name: string
      mime: string
      bytes: Buffer
    }>`select name, mime, bytes from document_bundles
      where company_id = ${ctx.companyId} and id = ${id} and created_by = ${ctx.caller.userId}`.execute(
      ctx.tx,
    )
    if (!rows[0] || ctx.caller.hideTotalPrices) throw fail('kit.notFound')
    return { ...rows[0], inline: rows[0].mime === 'application/pdf' }
  }),
]

export const machines: Machines = {
  'documentJobs.issue': { person: 'who started it' },
  'documentJobs.send': { person: 'who started it' },
  'documentJobs.bundle': { person: 'who started it' },
  'documentJobs.forCustomers': { person: 'who started it' },
}
