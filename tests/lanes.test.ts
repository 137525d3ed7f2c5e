import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobs, systemJobs } from '../src/features.ts'
import { newId } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { startWorker, type Job } from '#kit/server/work/jobs.ts'
import { inLane, laneOf } from '#kit/server/work/lanes.ts'
import { newBusiness, startWorld, type World } from './world.ts'

let world: World
let companies: string[]

beforeAll(async () => {
  world = await startWorld()
  for (let i = 0; i < 4; i++) await newBusiness(world)
  await world.worker.drain()
  companies = (
    await asSystem(world.app.db, (tx) =>
      sql<{ id: string }>`select id from companies order by id limit 4`.execute(tx),
    )
  ).rows.map(({ id }) => id)
})
afterAll(() => world.close())
beforeEach(() =>
  asSystem(world.app.db, (tx) => sql`update outbox set done_at = now() where done_at is null`.execute(tx)),
)

/** Puts due jobs into the queue, the first the oldest. */
async function queue(...waiting: [name: string, company: string | null, count: number][]): Promise<void> {
  await asSystem(world.app.db, async (tx) => {
    for (const [at, [name, company, count]] of waiting.entries())
      await sql`insert into outbox (id, company_id, name, payload, run_after)
        select new_event_id(), ${company}::uuid, ${name}, jsonb_build_object('n', n),
          now() - interval '1 hour' + make_interval(secs => ${at}::int + n / 1e5)
        from generate_series(1, ${count}::int) n`.execute(tx)
  })
}

/** A gate that a job waits at until it is opened. */
function gate(): { wait: Promise<void>; open: () => void } {
  let open = () => {}
  const wait = new Promise<void>((resolve) => (open = resolve))
  return { wait, open }
}

const everyone = { connections: Infinity, poll: false }

test('every job has its lane', () => {
  const found = Object.entries({ ...jobs, ...systemJobs }).map(([name, job]) => [laneOf(name, job), name])
  const of = (lane: string) => found.filter(([one]) => one === lane).map(([, name]) => name)
  expect(of('codes').toSorted()).toEqual([
    'session.changeMail',
    'session.mail',
    'session.sms',
    'session.verifyMail',
    'session.verifySms',
    'signing.code',
  ])
  expect(of('money').toSorted()).toEqual([
    'acquirers.close',
    'acquirers.forgetCard',
    'acquirers.proveCard',
    'acquirers.refund',
    'acquirers.testNotice',
    'standingOrders.ask',
    'standingOrders.begin',
  ])
  expect(of('documents').toSorted()).toEqual(['documents.paper', 'letters.seal', 'signing.seal'])
  // What sends mail or a text message is in the lane of mail, by its name or because it says so.
  expect(of('other').filter((name) => /mail|sms/i.test(name!))).toEqual([])
  expect(laneOf('jobs.run', undefined)).toBe('long')
  expect(laneOf('gone.before', undefined)).toBe('other')
})

test('what waits in one lane delays no other', async () => {
  const stuck = gate()
  const done: string[] = []
  const worker = startWorker(
    world.app,
    {
      'a.documents': inLane('documents', () => stuck.wait),
      'a.mail': () => stuck.wait,
      'a.other': () => stuck.wait,
    },
    { 'a.code': inLane('codes', () => Promise.resolve(void done.push('code'))) },
    everyone,
  )
  await queue(
    ['a.documents', companies[0]!, 1500],
    ['a.mail', companies[0]!, 300],
    ['a.other', companies[0]!, 50],
  )
  worker.nudge()
  await queue(['a.code', null, 3])
  worker.nudge()
  await expect.poll(() => done.length, { timeout: 5000 }).toBe(3)
  stuck.open()
  await worker.stop()
})

test('businesses have turns, however much one of them has waiting', async () => {
  const order: string[] = []
  const count: Job = (ctx) => Promise.resolve(void order.push(ctx.companyId))
  // More than is looked at in one go, and older than what the others have.
  await queue(
    ['b.mail', companies[0]!, 1200],
    ['b.mail', companies[1]!, 5],
    ['b.mail', companies[2]!, 5],
    ['b.mail', companies[3]!, 5],
  )
  let stop: (() => Promise<void>) | undefined
  const worker = startWorker(
    world.app,
    {
      'b.mail': (ctx, payload, isLast) => {
        if (order.length === 80) void stop?.()
        return count(ctx, payload, isLast)
      },
    },
    {},
    everyone,
  )
  stop = worker.stop
  await worker.drain()
  const last = (company: string) => order.lastIndexOf(company)
  for (const company of companies.slice(1)) {
    expect(order.filter((one) => one === company)).toHaveLength(5)
    // Four businesses in turn: the five jobs of each are over within about twenty.
    expect(last(company)).toBeLessThan(40)
  }
})

test('one business never has all workers of a lane', async () => {
  const slow = gate()
  const begun: string[] = []
  const worker = startWorker(
    world.app,
    {
      'c.mail': async (ctx) => {
        begun.push(ctx.companyId)
        if (ctx.companyId === companies[0]) await slow.wait
      },
    },
    {},
    everyone,
  )
  await queue(['c.mail', companies[0]!, 20])
  worker.nudge()
  await expect.poll(() => begun.length).toBe(2)
  // Its own jobs wait for it; those of another do not.
  await queue(['c.mail', companies[1]!, 10])
  worker.nudge()
  await expect.poll(() => begun.filter((one) => one === companies[1]).length).toBe(10)
  expect(begun.filter((one) => one === companies[0])).toHaveLength(2)
  slow.open()
  await worker.drain()
  expect(begun.filter((one) => one === companies[0])).toHaveLength(20)
  await worker.stop()
})

test('a job is run once, by however many workers, and what fails is tried again later', async () => {
  const runs = new Map<number, number>()
  const run: Job = async (_ctx, { n }) => {
    runs.set(Number(n), (runs.get(Number(n)) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (n === 7) throw new Error('not today')
  }
  const [one, two] = [0, 1].map(() => startWorker(world.app, { 'd.mail': run }, {}, everyone))
  await queue(['d.mail', companies[0]!, 30], ['d.mail', companies[1]!, 30])
  const counts = await Promise.all([one!.drain(), two!.drain()])
  expect(counts[0]! + counts[1]!).toBe(60)
  expect([...runs.values()]).toEqual(Array.from({ length: 30 }, () => 2))
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ error: string }>`select last_error as error from outbox where name = 'd.mail' and done_at is null
      and failed_at is null and run_after > now()`.execute(tx),
  )
  expect(rows.map(({ error }) => error)).toEqual(['not today', 'not today'])
  await Promise.all([one!.stop(), two!.stop()])
})

test('a job that no feature knows fails in the common lane', async () => {
  await asSystem(world.app.db, (tx) =>
    sql`insert into outbox (id, company_id, name, payload) values (${newId()}, null, 'gone.before', '{}')`.execute(
      tx,
    ),
  )
  const worker = startWorker(world.app, {}, {}, everyone)
  await worker.drain()
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ error: string }>`select last_error as error from outbox where name = 'gone.before'`.execute(tx),
  )
  expect(rows).toEqual([{ error: 'no such job: gone.before' }])
  await worker.stop()
})

test('with few connections each lane keeps one worker', async () => {
  const slow = gate()
  let at = 0
  let most = 0
  const worker = startWorker(
    world.app,
    {
      'e.mail': async () => {
        most = Math.max(most, ++at)
        await slow.wait
        at--
      },
    },
    {},
    { connections: 1, poll: false },
  )
  await queue(['e.mail', companies[0]!, 3], ['e.mail', companies[1]!, 3])
  const drained = worker.drain()
  await expect.poll(() => at).toBe(1)
  slow.open()
  expect(await drained).toBe(6)
  expect(most).toBe(1)
  await worker.stop()
})
