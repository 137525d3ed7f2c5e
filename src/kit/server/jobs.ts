import { sql } from 'kysely'
import type { App, Ctx } from './context.ts'
import { asCaller, systemCaller } from './context.ts'
import { asSystem } from './db.ts'
import { longJobName, runLongJob } from './progress.ts'

/** Runs at least once, so it must be idempotent. `isLast`: when it fails now, it is not tried again. */
export type Job = (ctx: Ctx, payload: Record<string, unknown>, isLast: boolean) => Promise<void>

/** Work that belongs to no business, such as a letter with a reset link. */
export type SystemJob = (app: App, payload: Record<string, unknown>) => Promise<void>

export interface Worker {
  nudge: () => void
  /** Runs everything that is due now; for tests and tools. */
  drain: () => Promise<number>
  stop: () => Promise<void>
}

const maxAttempts = 8
/** How long a claimed job may run before another process may take it again. */
const leaseSeconds = 120

export function startWorker(
  app: App,
  jobs: Record<string, Job>,
  systemJobs: Record<string, SystemJob>,
  options: { poll?: boolean } = {},
): Worker {
  let stopped = false

  /** Claims one job: the lease is the new run_after, so a process that dies gives it back by itself. */
  const claim = (isLong: boolean) =>
    asSystem(app.db, async (tx) => {
      const { rows } = await sql<{
        id: string
        company_id: string | null
        name: string
        payload: Record<string, unknown>
        attempts: number
      }>`
        update outbox set attempts = attempts + 1, run_after = now() + make_interval(secs => ${leaseSeconds})
        where id = (select id from outbox where done_at is null and failed_at is null and run_after <= now()
          and (name = ${longJobName}) = ${isLong} order by run_after limit 1 for update skip locked)
        returning id, company_id, name, payload, attempts`.execute(tx)
      return rows[0]
    })

  const extend = (id: string, seconds: number) =>
    sql`update outbox set run_after = now() + make_interval(secs => ${seconds})
      where id = ${id} and done_at is null`.execute(app.db.kysely)

  const work = async (isLong: boolean): Promise<number> => {
    let done = 0
    while (!stopped) {
      const job = await claim(isLong)
      if (!job) break
      const run = jobs[job.name]
      const runAlone = systemJobs[job.name]
      try {
        if (isLong && job.company_id) {
          const end = await runLongJob(app, job.company_id, String(job.payload.jobId), {
            extend: async () => void (await extend(job.id, leaseSeconds)),
            ending: () => stopped,
          })
          // Whoever took it over has its lease now; when this process goes down, the next one may begin at once.
          if (end !== 'ended') {
            if (end === 'back') await extend(job.id, 0)
            continue
          }
        } else if (job.company_id && run)
          await asCaller(app, systemCaller(job.company_id), '', (ctx) =>
            run(ctx, job.payload, job.attempts >= maxAttempts),
          )
        else if (!job.company_id && runAlone) await runAlone(app, job.payload)
        else throw new Error(`no such job: ${job.name}`)
        await sql`update outbox set done_at = now(), last_error = null
          where id = ${job.id}`.execute(app.db.kysely)
      } catch (e) {
        const gaveUp = job.attempts >= maxAttempts
        app.log[gaveUp ? 'error' : 'warn'](
          { job: job.name, id: job.id, attempts: job.attempts, err: (e as Error).message },
          'job failed',
        )
        // Waits 2, 4, 8 … seconds, at most ten minutes.
        await sql`update outbox set last_error = ${(e as Error).message.slice(0, 500)}, failed_at = case
            when ${gaveUp} then now() end,
          run_after = now() + make_interval(secs => ${Math.min(2 ** job.attempts, 600)})
          where id = ${job.id}`.execute(app.db.kysely)
      }
      done++
    }
    return done
  }

  const warn = (e: Error) => app.log.warn({ err: e.message }, 'worker could not look for jobs')

  /** Short and long work each in a line of its own. */
  const line = (isLong: boolean) => {
    let running: Promise<number> | undefined
    let again = false
    const drainLine = async (): Promise<number> => {
      if (running) {
        again = true
        return running
      }
      running = work(isLong).finally(() => {
        running = undefined
        if (again && !stopped) {
          again = false
          void drainLine().catch(warn)
        }
      })
      return running
    }
    return { drain: drainLine, running: () => running }
  }
  const lines = [line(false), line(true)]
  const drain = async (): Promise<number> => {
    let done = 0
    // What long work leaves behind its commits is due too.
    for (;;) {
      const more = (await Promise.all(lines.map((one) => one.drain()))).reduce((sum, n) => sum + n, 0)
      done += more
      if (more === 0 || stopped) return done
    }
  }
  const nudge = () => lines.forEach((one) => void one.drain().catch(warn))
  const timer = options.poll === false ? undefined : setInterval(nudge, 1000)
  timer?.unref()

  return {
    nudge,
    drain,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await Promise.all(lines.map((one) => one.running()?.catch(() => {})))
    },
  }
}
