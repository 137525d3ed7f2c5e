import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import type { Job } from '../endpoints.ts'
import '../rules.ts'

const mostListed = 50

/** People see the jobs they started. */
async function rows(ctx: Ctx, condition: RawBuilder<unknown>): Promise<Job[]> {
  const { rows: found } =
    await sql<Job>`select id, kind, state, about, done, total, stop_asked and ended_at is null as stopping,
        result, error,
    created_at as "createdAt", ended_at as "endedAt" from jobs
    where company_id = ${ctx.companyId} and created_by = ${ctx.caller.userId} and ${condition}
    order by created_at desc limit ${mostListed}`.execute(ctx.tx)
  return found
}

async function one(ctx: Ctx, id: string): Promise<Job> {
  const [job] = await rows(ctx, sql`id = ${id}`)
  if (!job) throw fail('kit.notFound')
  return job
}

export const implementations = [
  implement(calls.listJobs, async (ctx) => ({ rows: await rows(ctx, sql`true`) })),
  implement(calls.getJob, (ctx, { id }) => one(ctx, id)),
  implement(calls.stopJob, async (ctx, { id }) => {
    const { endedAt } = await one(ctx, id)
    if (endedAt) throw fail('jobs.ended')
    await sql`update jobs set stop_asked = true, updated_at = now() where company_id = ${ctx.companyId}
        and id = ${id} and ended_at is null`.execute(ctx.tx)
    await ctx.audit('jobs.stop', 'jobs', id)
    return one(ctx, id)
  }),
]
