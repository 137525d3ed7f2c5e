import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import '../src/features.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import {
  allDueRows,
  attempt,
  eachOf,
  everyRound,
  isResting,
  mostTries,
  serveDue,
} from '#kit/server/work/dueRows.ts'
import { sweep as houseKeep } from '#kit/server/work/housekeeping.ts'
import { newBusiness, startWorld, type World } from './world.ts'

/*
 * Every kind of due rows that a feature declares, with a row that always fails among its real ones: all others are
 * served, the one that failed is logged, rests for a growing time and is counted.
 */

let world: World
let companies: string[]
let clock = new Date()
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  world = await startWorld()
  for (let i = 0; i < 3; i++) await newBusiness(world)
  companies = (
    await asSystem(world.app.db, (tx) =>
      sql<{ id: string }>`select id from companies order by id limit 3`.execute(tx),
    )
  ).rows.map(({ id }) => id)
})
afterAll(() => world.close())
beforeEach(async () => {
  clock = new Date()
  lines.length = 0
  await sql`delete from sweep_faults`.execute(world.app.db.kysely)
})

const app = (): App =>
  ({
    ...world.app,
    now: () => clock,
    log: {
      warn: (line: Record<string, unknown>) => lines.push({ level: 'warn', ...line }),
      error: (line: Record<string, unknown>) => lines.push({ level: 'error', ...line }),
    },
  }) as unknown as App

const later = (minutes: number) => (clock = new Date(clock.getTime() + minutes * 60_000 + 1000))

const faults = async () =>
  (
    await sql<{
      sweep: string
      row_key: string
      tries: number
      error: string
      gave_up: boolean
      minutes: number
    }>`select sweep, row_key, tries, error, gave_up_at is not null as gave_up,
        (extract(epoch from next_at - last_at) / 60)::int as minutes from sweep_faults order by sweep, row_key`.execute(
      world.app.db.kysely,
    )
  ).rows

test.each([...allDueRows().keys()])('%s: a row that fails stops no other', async (name) => {
  const of = allDueRows().get(name)! as unknown as Parameters<typeof serveDue<unknown>>[1]
  const made: [string, string][] = [
    [companies[0]!, 'bad'],
    [companies[0]!, 'after'],
    [companies[1]!, 'other'],
    [companies[2]!, 'last'],
  ]
  const served: string[] = []
  const work = (key: string) => {
    served.push(key)
    return key === 'bad' ? Promise.reject(new Error('it is broken')) : Promise.resolve(1)
  }
  // The feature's own query and way of serving, with made rows beside its own.
  const poisoned = {
    ...of,
    due: (one: App, given: unknown) => sql`select company_id, key, at from (${of.due(one, given)}) real
      where false union all select * from (values ${sql.join(
        made.map(([company, key]) => sql`(${company}::uuid, ${key}, '2020-01-01'::timestamptz)`),
      )}) v`,
    ...(of.serve
      ? { serve: (_ctx: unknown, key: string) => work(key) }
      : { serveOutside: (_app: App, { key }: { key: string }) => work(key) }),
  } as typeof of
  expect(await serveDue(app(), poisoned, { atOnce: 2 })).toBe(3)
  // Businesses have turns.
  expect(served.toSorted()).toEqual(['after', 'bad', 'last', 'other'])
  expect(served.indexOf('last')).toBeLessThan(3)
  expect(await faults()).toMatchObject([{ sweep: name, row_key: 'bad', tries: 1, error: 'it is broken' }])
  expect(lines).toMatchObject([{ level: 'warn', sweep: name, row: 'bad', err: 'it is broken' }])
  // It rests: the next look leaves it out, a later one tries it.
  served.length = 0
  await serveDue(app(), poisoned)
  expect(served).not.toContain('bad')
  later(1)
  served.length = 0
  await serveDue(app(), poisoned)
  expect(served).toContain('bad')
  expect(await faults()).toMatchObject([{ tries: 2, minutes: 2 }])
})

test('a row rests longer each time, is given up loudly, and is forgotten when it is served', async () => {
  let isBroken = true
  const row = { companyId: companies[0]!, key: 'one' }
  const minutes: number[] = []
  for (let n = 1; n <= mostTries + 2; n++) {
    await attempt(app(), 'test.rows', row, () =>
      isBroken ? Promise.reject(new Error('no')) : Promise.resolve(),
    )
    const [fault] = await faults()
    minutes.push(fault!.minutes)
    expect(fault!.gave_up).toBe(n >= mostTries)
    later(fault!.minutes)
  }
  expect(minutes).toEqual([1, 2, 5, 15, 60, 180, 360, 720, 1440, 1440])
  expect(lines.map(({ level }) => level).filter((level) => level === 'error')).toHaveLength(1)
  isBroken = false
  expect(await attempt(app(), 'test.rows', row, () => Promise.resolve('done'))).toBe('done')
  expect(await faults()).toEqual([])
})

test('rows that are not due any more are forgotten, and one sweep that fails stops no other', async () => {
  await attempt(app(), 'test.gone', { companyId: companies[0]!, key: 'x' }, () =>
    Promise.reject(new Error('no')),
  )
  later(60)
  await houseKeep(app())
  expect(await faults()).toHaveLength(1)
  later(2 * 1440)
  await houseKeep(app())
  expect(await faults()).toEqual([])
  const done: string[] = []
  await expect(
    eachOf(
      () => Promise.reject(new Error('first')),
      () => Promise.resolve(done.push('second')),
    ),
  ).rejects.toThrow('first')
  expect(done).toEqual(['second'])
})

test('a resting row is left out by those who claim rows in another way', async () => {
  await attempt(app(), 'test.claim', { companyId: companies[0]!, key: 'x' }, () =>
    Promise.reject(new Error('no')),
  )
  const rests = async () =>
    (
      await sql<{ rests: boolean }>`select ${isResting(
        app(),
        'test.claim',
        sql`${companies[0]!}::uuid`,
        sql`'x'`,
      )} as rests`.execute(world.app.db.kysely)
    ).rows[0]!.rests
  expect(await rests()).toBe(true)
  later(1)
  expect(await rests()).toBe(false)
})

test('more rows than are read in one go are all served, also those that stay due', async () => {
  const keys = Array.from({ length: 25 }, (_, n) => `k${String(n).padStart(2, '0')}`)
  const served: string[] = []
  await serveDue(
    app(),
    {
      name: 'test.many',
      due: () => sql`select ${companies[0]!}::uuid as company_id, key, now() as at
        from unnest(${keys}::text[]) key`,
      serve: (_ctx, key) => Promise.resolve(served.push(key)),
    },
    { atOnce: 10 },
  )
  expect(served.toSorted()).toEqual(keys)
})

test('rounds do not overlap, and a failure does not end them', async () => {
  let [now, most, rounds] = [0, 0, 0]
  const stop = everyRound(app(), 'test', 5, async () => {
    most = Math.max(most, ++now)
    await new Promise((r) => setTimeout(r, 12))
    now--
    if (++rounds === 1) throw new Error('once')
  })
  await expect.poll(() => rounds).toBeGreaterThan(2)
  await stop()
  const [last] = [rounds]
  await new Promise((r) => setTimeout(r, 30))
  expect([most, rounds, now]).toEqual([1, last, 0])
  expect(lines).toMatchObject([{ err: 'once' }])
})
