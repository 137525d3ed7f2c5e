import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId, type App } from '#kit/server/context.ts'
import { attempt, mostTries } from '#kit/server/work/dueRows.ts'
import { givenUp } from '#kit/server/work/givenUp.ts'
import { startWorker } from '#kit/server/work/jobs.ts'
import { deskGivenUp, deskRetry } from '#features/office/support/endpoints.ts'
import { givenUpMail, tellOperators } from '#features/office/support/server/givenUp.ts'
import { dataDir, newBusiness, startWorld, type Business, type World } from './world.ts'

let world: World
let operator: Business
let stranger: Business
let companyId: string

beforeAll(async () => {
  world = await startWorld()
  operator = await newBusiness(world)
  stranger = await newBusiness(world)
  world.app.settings.support = { ...world.app.settings.support, operators: [operator.email] }
  const { rows } = await sql<{
    id: string
  }>`select id from companies order by created_at desc limit 1`.execute(world.app.db.kysely)
  companyId = rows[0]!.id
  await world.worker.drain()
})
afterAll(() => world.close())
beforeEach(async () => {
  await sql`delete from outbox`.execute(world.app.db.kysely)
  await sql`delete from sweep_faults`.execute(world.app.db.kysely)
})

const job = (attempts = 8) =>
  sql`insert into outbox (id, company_id, name, payload, attempts, failed_at, last_error)
    values (${newId()}, ${companyId}, 'test.broken', '{}', ${attempts}, now(), 'it is broken')`.execute(
    world.app.db.kysely,
  )

const failedRow = async () => {
  for (let n = 0; n < mostTries; n++) {
    await attempt(world.app, 'test.rows', { companyId, key: 'a row' }, () =>
      Promise.reject(new Error('no row')),
    )
  }
}

test('jobs, rows and mail that were given up are on one list, and begin again by a press', async () => {
  await job()
  await failedRow()
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, state, error)
    values (${companyId}, ${messageId}, 'letter', 'mail', 'a@b.example', 's', 'b', 'failed', 'no server')`.execute(
    world.app.db.kysely,
  )
  await sql`insert into outbox (id, company_id, name, payload, done_at)
    values (${newId()}, ${companyId}, 'letters.mail', ${JSON.stringify({ messageId })}, now())`.execute(
    world.app.db.kysely,
  )
  const { rows, count } = await operator.call(deskGivenUp, {})
  expect(count).toBe(3)
  expect(rows.map(({ kind, name, error, tries }) => [kind, name, error, tries]).toSorted()).toEqual([
    ['job', 'test.broken', 'it is broken', 8],
    ['mail', 'mail', 'no server', 8],
    ['row', 'test.rows', 'no row', 8],
  ])
  expect(new Set(rows.map((row) => row.companyId))).toEqual(new Set([companyId]))
  expect(rows.every(({ business }) => business)).toBe(true)
  for (const { kind, companyId: of, key } of rows)
    await operator.call(deskRetry, { kind, companyId: of, key })
  expect((await operator.call(deskGivenUp, {})).rows).toEqual([])
  const waiting = await sql<{
    name: string
  }>`select name from outbox where done_at is null and failed_at is null
    order by name`.execute(world.app.db.kysely)
  expect(waiting.rows.map(({ name }) => name)).toEqual(['letters.mail', 'test.broken'])
  expect(
    (
      await sql<{ state: string }>`select state from messages where id = ${messageId}`.execute(
        world.app.db.kysely,
      )
    ).rows,
  ).toEqual([{ state: 'queued' }])
  // What is not there any more is not tried again.
  const [gone] = rows
  await expect(
    operator.call(deskRetry, { kind: 'job', companyId: gone!.companyId, key: newId() }),
  ).rejects.toMatchObject({ status: 404 })
})

test('only operators see and retry it', async () => {
  await job()
  const [row] = await givenUp(world.app)
  await expect(stranger.call(deskGivenUp, {})).rejects.toMatchObject({ code: 'support.notDesk' })
  await expect(
    stranger.call(deskRetry, { kind: 'job', companyId: row!.companyId, key: row!.key }),
  ).rejects.toMatchObject({ code: 'support.notDesk' })
})

test('the metrics count it, and what waits', async () => {
  await job()
  await job()
  await failedRow()
  await sql`insert into outbox (id, company_id, name, payload, run_after)
    values (${newId()}, ${companyId}, 'test.waits', '{}', now() - interval '90 seconds')`.execute(
    world.app.db.kysely,
  )
  const { body } = await world.http.inject({ method: 'GET', url: '/metrics' })
  const of = (name: string) => Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(body)?.[1])
  expect(of('work_given_up\\{kind="job"\\}')).toBe(2)
  expect(of('work_given_up\\{kind="row"\\}')).toBe(1)
  expect(of('work_given_up\\{kind="copy"\\}')).toBe(0)
  expect(of('work_given_up\\{kind="webhook"\\}')).toBe(0)
  expect(of('jobs_waiting')).toBe(1)
  expect(of('jobs_oldest_seconds')).toBeGreaterThanOrEqual(90)
})

test('operators are notified by mail once an hour of what is new', async () => {
  const at = (minutes: number): App => ({ ...world.app, now: () => new Date(Date.now() + minutes * 60_000) })
  await sql`update given_up_told set told_at = now() - interval '30 minutes'`.execute(world.app.db.kysely)
  await job()
  expect(await tellOperators(at(0))).toBe(0)
  expect((await Promise.all([tellOperators(at(31)), tellOperators(at(31))])).toSorted()).toEqual([0, 1])
  expect(await tellOperators(at(120))).toBe(0)
  const before = existsSync(join(dataDir, 'mail')) ? readdirSync(join(dataDir, 'mail')).length : 0
  const worker = startWorker(world.app, {}, { 'support.givenUpMail': givenUpMail }, { poll: false })
  await worker.drain()
  await worker.stop()
  expect(readdirSync(join(dataDir, 'mail')).length).toBe(before + 1)
})
