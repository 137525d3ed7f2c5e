import { sql } from 'kysely'
import { forbidden, type Params } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { failureOf } from '../contract/failures.ts'
import { callerToday } from '../rights/authority.ts'
import { asCaller, newId, type App, type Caller, type Ctx } from '../context.ts'

/**
 * The outbox row behind a long job; the worker runs these beside the short ones, so that letters do not wait
 * for them.
 */
export const longJobName = 'jobs.run'

/** A kind of long work. */
export interface LongJob {
  /** The right of the call that starts it: who loses it meanwhile carries on nothing. */
  rule: string
  /**
   * Does the work and answers its result. After a kill it is begun again with the position of its last step,
   * so it must go on from `run.position`; what a step wrote is never lost and never written twice.
   */
  work: (run: Run) => Promise<Record<string, unknown>>
  /** Told when it ended badly: stopped by a person, or refused with a code of `errors.<code>`. */
  ended?: (
    ctx: Ctx,
    payload: Record<string, unknown>,
    end: { state: 'failed' | 'stopped'; error?: JobError },
  ) => Promise<void>
}

export interface JobError {
  code: string
  params: Params
}

/** One run of a long job, in the hands of its kind. */
export interface Run {
  app: App
  caller: Caller
  payload: Record<string, unknown>
  /** As the last finished step left it; undefined at the beginning. */
  position: unknown
  /** One transaction of the caller; the position and the progress are committed with what it wrote. */
  step: <T>(
    work: (ctx: Ctx) => Promise<T>,
    at: (made: T) => { position?: unknown; done: number; total?: number },
  ) => Promise<T>
  /**
   * Reports the progress of a long step, at most three times a second and in a separate transaction, so that others
   * see it.
   */
  tell: (done: number, total?: number) => Promise<void>
}

const kinds = new Map<string, LongJob>()

/** Declares a kind of long work; its line in lists is the word `jobs.kinds.<kind>`. */
export function defineLongJob(kind: string, how: LongJob): void {
  kinds.set(kind, how)
}

/** Every declared kind of long work. */
export const longJobKinds = (): string[] => [...kinds.keys()]

/**
 * Starts long work behind the commit and answers its id; it works with the rights of who started it. `about`
 * fills its words, and `about.href` is where its result is seen.
 */
export async function startJob(
  ctx: Ctx,
  kind: string,
  payload: Record<string, unknown>,
  about: Record<string, string | number> = {},
): Promise<string> {
  if (!kinds.has(kind)) throw new Error(`no such kind of long work: ${kind}`)
  const id = newId()
  await sql`insert into jobs (company_id, id, kind, about, payload, caller, created_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${JSON.stringify(about)}, ${JSON.stringify(payload)},
      ${JSON.stringify({ ...ctx.caller, sessionId: '' })}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.later(longJobName, { jobId: id })
  return id
}

/** What the worker lends a long job. */
export interface Lease {
  /** Keeps others from taking the work over. */
  extend: () => Promise<void>
  /** The process is going down: give the work back. */
  ending: () => boolean
}

/** Somebody asked for the end. */
class Stopped extends Error {}
/** Another process has taken the work over. */
class Lost extends Error {}
/** This process is going down. */
class GivenBack extends Error {}

const mostAttempts = 8
const tellEveryMs = 330
const extendEveryMs = 30_000

interface JobRow {
  kind: string
  payload: Record<string, unknown>
  caller: Caller
  position: unknown
  done: number
  stop_asked: boolean
  attempts: number
}

/**
 * Runs a long job to its end, or throws for the worker to try again. Of two runs of the same job the later
 * one wins and the earlier writes nothing more ('lost'); a process that goes down gives its work 'back'.
 */
export async function runLongJob(
  app: App,
  companyId: string,
  jobId: string,
  lease: Lease,
): Promise<'ended' | 'lost' | 'back'> {
  const db = app.db.kysely
  const runner = newId()
  const { rows } =
    await sql<JobRow>`update jobs set state = 'running', runner = ${runner}, attempts = attempts + 1,
    started_at = coalesce(started_at, now()), updated_at = now()
    where company_id = ${companyId} and id = ${jobId} and state in ('waiting', 'running')
    returning kind, payload, caller, position, done, stop_asked, attempts`.execute(db)
  const job = rows[0]
  if (!job) return 'ended'
  const how = kinds.get(job.kind)
  if (!how) throw new Error(`no such kind of long work: ${job.kind}`)

  const mine = sql`company_id = ${companyId} and id = ${jobId} and runner = ${runner} and state = 'running'`
  const check = (found: { stop_asked: boolean } | undefined) => {
    if (!found) throw new Lost()
    if (lease.ending()) throw new GivenBack()
    if (found.stop_asked) throw new Stopped()
  }
  /** The rights of now, before every step: what was taken away meanwhile is not used. */
  const narrow = async (): Promise<void> => {
    const now = await asCaller(app, job.caller, '', (ctx) => callerToday(ctx))
    if (!now || !can(now, how.rule)) throw forbidden({ rule: how.rule })
    run.caller = now
  }
  let told = 0
  const run: Run = {
    app,
    caller: job.caller,
    payload: job.payload,
    position: job.position ?? undefined,
    tell: async (done, total) => {
      if (Date.now() - told < tellEveryMs) return
      told = Date.now()
      const { rows: found } = await sql<{
        stop_asked: boolean
      }>`update jobs set done = ${done}, total = coalesce(${total ?? null}, total),
        updated_at = now() where ${mine} returning stop_asked`.execute(db)
      check(found[0])
    },
    step: async (work, at) => {
      await narrow()
      let found: { stop_asked: boolean } | undefined
      const made = await asCaller(app, run.caller, '', async (ctx) => {
        const result = await work(ctx)
        const { position, done, total } = at(result)
        const { rows: kept } = await sql<{ stop_asked: boolean }>`update jobs set
          position = coalesce(${position === undefined ? null : JSON.stringify(position)}::jsonb, position),
          done = ${done},
          total = coalesce(${total ?? null}, total), updated_at = now() where ${mine}
          returning stop_asked`.execute(ctx.tx)
        found = kept[0]
        // Nothing of a run that was given up for dead may be committed.
        if (!found) throw new Lost()
        return result
      })
      check(found)
      return made
    },
  }
  const end = (state: 'failed' | 'stopped', error?: JobError) =>
    asCaller(app, job.caller, '', async (ctx): Promise<'ended'> => {
      const { rows: kept } =
        await sql`update jobs set state = ${state}, error = ${error ? JSON.stringify(error) : null},
            runner = null,
        updated_at = now(), ended_at = now() where ${mine} returning 1`.execute(ctx.tx)
      if (kept.length) await how.ended?.(ctx, job.payload, { state, ...(error ? { error } : {}) })
      return 'ended'
    })

  const beat = setInterval(() => void lease.extend().catch(() => {}), extendEveryMs)
  beat.unref()
  try {
    if (job.attempts > mostAttempts) return await end('failed', { code: 'kit.failed', params: {} })
    check(job)
    await narrow()
    const result = await how.work(run)
    await sql`update jobs set state = 'done', result = ${JSON.stringify(result)},
        done = coalesce(total, done), runner = null, error = null,
      updated_at = now(), ended_at = now() where ${mine}`.execute(db)
    return 'ended'
  } catch (e) {
    if (e instanceof Stopped) return await end('stopped')
    if (e instanceof Lost) return 'lost'
    if (e instanceof GivenBack) return 'back'
    const failure = failureOf(e)
    // A refusal stays a refusal however often it is asked; a database that is away comes back.
    if (failure.status < 500 || job.attempts >= mostAttempts) {
      if (failure.status >= 500)
        app.log.error({ job: job.kind, id: jobId, err: (e as Error).message }, 'long job failed')
      const first = failure.errors[0]
      return await end(
        'failed',
        first
          ? { code: first.code, params: first.params ?? {} }
          : { code: failure.code, params: failure.params },
      )
    }
    throw e
  } finally {
    clearInterval(beat)
  }
}
