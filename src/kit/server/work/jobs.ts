import { sql, type RawBuilder } from 'kysely'
import type { App, Ctx } from '../context.ts'
import { asCaller, systemCaller } from '../context.ts'
import { asSystem } from '../data/db.ts'
import { laneOf, lanes, laneWorkers, type Lane } from './lanes.ts'
import { Postponed } from './postponed.ts'
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
/** Due jobs of a lane among which the next business is chosen. */
const inView = 1000
/** Businesses that were served last, remembered so that each gets its turn. */
const remembered = 100
/** Stands for jobs that belong to no business. */
const nobody = '00000000-0000-0000-0000-000000000000'

interface Claimed {
  id: string
  company_id: string | null
  name: string
  payload: Record<string, unknown>
  attempts: number
}

export interface WorkerOptions {
  /** Looks for due jobs each second; without it only when nudged. */
  poll?: boolean
  /** Most connections that jobs may hold at once; each lane keeps at least one worker. */
  connections?: number
}

/** The workers of each lane when jobs may hold so many connections. */
function workersOf(connections: number): Record<Lane, number> {
  const all = lanes.reduce((sum, lane) => sum + laneWorkers[lane], 0)
  const share = Math.min(1, connections / all)
  return Object.fromEntries(
    lanes.map((lane) => [lane, Math.max(1, Math.floor(laneWorkers[lane] * share))]),
  ) as Record<Lane, number>
}

export function startWorker(
  app: App,
  jobs: Record<string, Job>,
  systemJobs: Record<string, SystemJob>,
  options: WorkerOptions = {},
): Worker {
  let stopped = false
  const workers = workersOf(options.connections ?? Infinity)
  const laneOfName = new Map<string, Lane>([
    [longJobName, 'long'],
    ...Object.entries({ ...jobs, ...systemJobs }).map(([name, job]) => [name, laneOf(name, job)] as const),
  ])
  const namesOf = (lane: Lane): string[] =>
    [...laneOfName].filter(([, of]) => of === lane).map(([name]) => name)
  // What no feature knows, left by another version, fails in the common lane.
  const elsewhere = [...laneOfName].filter(([, of]) => of !== 'other').map(([name]) => name)
  const isOfLane = Object.fromEntries(
    lanes.map((lane) => [
      lane,
      lane === 'other' ? sql`name <> all (${elsewhere}::text[])` : sql`name = any (${namesOf(lane)}::text[])`,
    ]),
  ) as Record<Lane, RawBuilder<boolean>>

  /**
   * Claims one job of a lane. Businesses have turns: among the due jobs the one of the business that was served longest
   * ago is taken, and its oldest; a backlog that fills the view does not hide the others. `busy` get none now. The lease
   * is the new run_after, so the job of a process that dies is claimed again.
   */
  const claim = (lane: Lane, { busy, served }: Turns): Promise<Claimed | undefined> =>
    asSystem(app.db, async (tx) => {
      const isDue = sql`done_at is null and failed_at is null and run_after <= now() and ${isOfLane[lane]}
        and coalesce(company_id, ${nobody}) <> all (${busy()}::uuid[])`
      const { rows } = await sql<Claimed>`/*=*/ with seen as materialized (
          select id, coalesce(company_id, ${nobody}) as company, run_after from outbox where ${isDue}
          order by run_after limit ${inView}
        ), firsts as (
          select distinct on (company) id, company, run_after from seen order by company, run_after
        ), behind as (
          select id, coalesce(company_id, ${nobody}) as company, run_after from outbox
          where (select count(*) from seen) = ${inView} and ${isDue}
            and coalesce(company_id, ${nobody}) <> all (array(select company from firsts))
          order by run_after limit ${inView}
        ), hidden as (
          select distinct on (company) id, company, run_after from behind order by company, run_after
        ), next as (
          select id, row_number() over (order by coalesce(array_position(${served()}::uuid[], company), 0),
            run_after) as turn from (select * from firsts union all select * from hidden) f
          order by turn limit 8
        )
        update outbox set attempts = attempts + 1, run_after = now() + make_interval(secs => ${leaseSeconds})
        where id = (select o.id from outbox o join next using (id)
          where o.done_at is null and o.failed_at is null and o.run_after <= now()
          order by turn limit 1 for update of o skip locked)
        returning id, company_id, name, payload, attempts`.execute(tx)
      return rows[0]
    })

  /** The lanes for which something is due; all of them when there is more than is looked at. One cheap statement. */
  const lanesDue = async (): Promise<readonly Lane[]> => {
    const { rows } = await sql<{ name: string; n: number }>`/*=*/ select name, count(*)::int as n from (
        select name from outbox where done_at is null and failed_at is null and run_after <= now()
        order by run_after limit ${inView}) due group by name`.execute(app.db.kysely)
    if (rows.reduce((sum, { n }) => sum + n, 0) >= inView) return lanes
    const due = new Set(rows.map(({ name }) => laneOfName.get(name) ?? 'other'))
    return lanes.filter((lane) => due.has(lane))
  }

  const extend = (id: string, seconds: number) =>
    sql`update outbox set run_after = now() + make_interval(secs => ${seconds})
      where id = ${id} and done_at is null`.execute(app.db.kysely)

  /** Measured by the application's clock, from the database's. */
  const postpone = (id: string, { until, message, note }: Postponed) =>
    asSystem(app.db, async (tx) => {
      await note?.(tx)
      const seconds = Math.max(1, (until.getTime() - app.now().getTime()) / 1000)
      await sql`update outbox set attempts = greatest(attempts - 1, 0), last_error = ${message},
        run_after = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(tx)
    })

  /** Runs a claimed job to its end; what it throws is written down and tried again. */
  async function run(job: Claimed): Promise<void> {
    const work = jobs[job.name]
    const workAlone = systemJobs[job.name]
    try {
      if (job.name === longJobName && job.company_id) {
        const end = await runLongJob(app, job.company_id, String(job.payload.jobId), {
          extend: async () => void (await extend(job.id, leaseSeconds)),
          ending: () => stopped,
        })
        // The person who took it over has its lease now; when this process goes down, the next one may begin at once.
        if (end !== 'ended') {
          if (end === 'back') await extend(job.id, 0)
          return
        }
      } else if (job.company_id && work) {
        const after: (() => Promise<void>)[] = []
        const afterCommit = (one: () => Promise<void>) => void after.push(one)
        await asCaller(app, systemCaller(job.company_id), '', (ctx) => {
          after.length = 0
          return work({ ...ctx, afterCommit }, job.payload, job.attempts >= maxAttempts)
        })
        for (const one of after) await one()
      } else if (!job.company_id && workAlone) await workAlone(app, job.payload)
      else throw new Error(`no such job: ${job.name}`)
      await sql`update outbox set done_at = now(), last_error = null where id = ${job.id}`.execute(
        app.db.kysely,
      )
    } catch (e) {
      if (e instanceof Postponed) return postpone(job.id, e)
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
  }

  const warn = (e: Error) => app.log.warn({ err: e.message }, 'worker could not look for jobs')

  /** The workers of a lane: as many as there are look for work while there is some. */
  const line = (lane: Lane) => {
    const turns = turnsOf(workers[lane])
    const running = new Set<Promise<void>>()
    let again = false
    let done = 0

    const work = async (): Promise<void> => {
      while (!stopped) {
        const job = await claim(lane, turns)
        if (!job) break
        // There may be more: another worker looks, too.
        if (running.size < workers[lane]) startOne().catch(warn)
        const company = job.company_id ?? nobody
        turns.begin(company)
        try {
          await run(job)
        } finally {
          turns.end(company)
        }
        done++
      }
    }
    const startOne = (): Promise<void> => {
      const one: Promise<void> = work().finally(() => {
        running.delete(one)
        if (again && !stopped && running.size === 0) {
          again = false
          wake()
        }
      })
      running.add(one)
      return one
    }
    function wake(): void {
      if (stopped) return
      if (running.size >= workers[lane]) again = true
      else startOne().catch(warn)
    }
    /** Until a worker that begins now finds nothing and no other is at work. */
    const drain = async (): Promise<void> => {
      await idle()
      await startOne()
      await idle()
    }
    /** Until no worker is at work; one may have started another. */
    async function idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    }
    return { wake, drain, idle, running: () => [...running], done: () => done }
  }
  const lines = Object.fromEntries(lanes.map((lane) => [lane, line(lane)])) as Record<
    Lane,
    ReturnType<typeof line>
  >
  const done = () => lanes.reduce((sum, lane) => sum + lines[lane].done(), 0)
  const drain = async (): Promise<number> => {
    const before = done()
    // Also what is at work since before, and what one lane leaves behind for another.
    for (;;) {
      await Promise.all(lanes.map((lane) => lines[lane].idle()))
      const last = done()
      const due = stopped ? [] : await lanesDue()
      await Promise.all(due.map((lane) => lines[lane].drain()))
      // What is due and was not done is in the hands of another process.
      if (done() === last) return last - before
    }
  }
  const nudge = () =>
    void lanesDue()
      .then((due) => due.forEach((lane) => lines[lane].wake()))
      .catch(warn)
  const timer = options.poll === false ? undefined : setInterval(nudge, 1000)
  timer?.unref()

  return {
    nudge,
    drain,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await Promise.all(lanes.flatMap((lane) => lines[lane].running().map((work) => work.catch(() => {}))))
    },
  }
}

interface Turns {
  begin: (company: string) => void
  end: (company: string) => void
  /** Businesses that have as many workers of the lane as one may have. */
  busy: () => string[]
  /** Businesses in the order in which they were served, the last one last. */
  served: () => string[]
}

/** Whose turn it is in a lane of one process. One business never has all its workers, unless there is one only. */
function turnsOf(workers: number): Turns {
  const most = Math.max(1, Math.ceil(workers / 2))
  const running = new Map<string, number>()
  const served = new Set<string>()
  return {
    begin: (company) => {
      running.set(company, (running.get(company) ?? 0) + 1)
      served.delete(company)
      served.add(company)
      if (served.size > remembered) served.delete(served.values().next().value!)
    },
    end: (company) => {
      const left = running.get(company)! - 1
      if (left > 0) running.set(company, left)
      else running.delete(company)
    },
    busy: () => (workers === 1 ? [] : [...running].filter(([, n]) => n >= most).map(([company]) => company)),
    served: () => [...served],
  }
}
