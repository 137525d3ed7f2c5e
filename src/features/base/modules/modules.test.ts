import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { asSystem } from '#kit/server/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { listKeys } from '#features/office/apiKeys/endpoints.ts'
import { listFolders } from '#features/base/files/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { buyModule, cancelModule, listModules } from './endpoints.ts'

let world: World
let now = new Date()
let owner: Business
let company: string

beforeAll(async () => {
  world = await startWorld(() => now)
  owner = await newBusiness(world)
  company = (await owner.call(mySession, {})).CompanyKey
})
afterAll(() => world.close())

/** The module's rows as if it had all been so many days earlier. */
const daysLater = (days: number) =>
  asSystem(world.app.db, (tx) =>
    sql`update company_modules set since = since - ${days}::int, trial_until = trial_until - ${days}::int, ends_on = ends_on - ${days}::int where company_id = ${company}`.execute(
      tx,
    ),
  )

test('a call of a module is refused until it is bought, and to other businesses still', async () => {
  const other = await newBusiness(world)
  await expect(owner.call(listKeys, {})).rejects.toMatchObject({ status: 402, code: 'kit.moduleNeeded' })
  const { records, company: number } = await owner.call(buyModule, { plugin: 1 })
  expect(records).toMatchObject([{ pluginid: 1, companyid: number, endsOn: null, trialUntil: addDays(records[0]!.since, 30) }])
  expect(number).toBeGreaterThan(0)
  await owner.call(buyModule, { plugin: 1 })
  expect((await owner.call(listModules, {})).records).toHaveLength(1)
  expect((await owner.call(listKeys, {})).rows).toEqual([])
  await expect(other.call(listKeys, {})).rejects.toMatchObject({ status: 402 })
  await expect(owner.call(buyModule, { plugin: 77 })).rejects.toMatchObject({ status: 404 })
})

test('what is cancelled runs to the end of its month; the second time there is no second trial', async () => {
  const [before] = (await owner.call(listModules, {})).records
  const [ending] = (await owner.call(cancelModule, { plugin: 1 })).records
  expect(ending!.endsOn!.slice(0, 7)).toBe(ending!.since.slice(0, 7))
  await owner.call(listKeys, {})
  expect((await owner.call(buyModule, { plugin: 1 })).records).toEqual([before])
  await owner.call(cancelModule, { plugin: 1 })
  await daysLater(32)
  await expect(owner.call(listKeys, {})).rejects.toMatchObject({ status: 402 })
  expect((await owner.call(listModules, {})).records).toEqual([])
  const [again] = (await owner.call(buyModule, { plugin: 1 })).records
  expect(again!.trialUntil < again!.since).toBe(true)
})

test('room for files comes with its module and goes with it', async () => {
  const plain = (await owner.call(listFolders, {})).quotaBytes
  await owner.call(buyModule, { plugin: 2 })
  const more = (await owner.call(listFolders, {})).quotaBytes
  expect(more).toBeGreaterThan(plain)
  await owner.call(cancelModule, { plugin: 2 })
  expect((await owner.call(listFolders, {})).quotaBytes).toBe(more)
  await daysLater(32)
  now = new Date(Date.now() + 40 * 86_400_000)
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set run_after = now() where company_id = ${company} and name = 'modules.ended'`.execute(tx),
  )
  await world.worker.drain()
  expect((await owner.call(listFolders, {})).quotaBytes).toBe(plain)
})
