import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { allAreas } from '#kit/describe/area.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { myCompanies } from '#features/base/companies/endpoints.ts'
import { listRules } from '#features/base/team/endpoints.ts'
import { listFiles, listFolders } from '#features/base/files/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { buyModule, cancelModule, chooseAreas, listAreas, listModules } from './endpoints.ts'

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
const daysLater = (days: number, of = company) =>
  asSystem(world.app.db, (tx) =>
    sql`update company_modules set since = since - ${days}::int, trial_until = trial_until - ${days}::int,
        ends_on = ends_on - ${days}::int where company_id = ${of}`.execute(tx),
  )

// No call of today needs a module: this one does here, as those will that are sold one day.
const { access } = listFiles
beforeAll(() => void Object.assign(listFiles, { access: { rule: 'files.see', module: 'storage' } }))
afterAll(() => void Object.assign(listFiles, { access }))

test('a call of a module is refused until it is bought, and to other businesses still', async () => {
  const other = await newBusiness(world)
  await expect(owner.call(listFiles, {})).rejects.toMatchObject({ status: 402, code: 'kit.moduleNeeded' })
  const { records, company: number } = await owner.call(buyModule, { plugin: 2 })
  expect(records).toMatchObject([
    { pluginid: 2, companyid: number, endsOn: null, trialUntil: addDays(records[0]!.since, 30) },
  ])
  expect(number).toBeGreaterThan(0)
  await owner.call(buyModule, { plugin: 2 })
  expect((await owner.call(listModules, {})).records).toHaveLength(1)
  expect((await owner.call(listFiles, {})).rows).toEqual([])
  await expect(other.call(listFiles, {})).rejects.toMatchObject({ status: 402 })
  await expect(owner.call(buyModule, { plugin: 77 })).rejects.toMatchObject({ status: 404 })
})

test('what is cancelled runs to the end of its month; the second time there is no second trial', async () => {
  const [before] = (await owner.call(listModules, {})).records
  const [ending] = (await owner.call(cancelModule, { plugin: 2 })).records
  expect(ending!.endsOn!.slice(0, 7)).toBe(ending!.since.slice(0, 7))
  await owner.call(listFiles, {})
  expect((await owner.call(buyModule, { plugin: 2 })).records).toEqual([before])
  await owner.call(cancelModule, { plugin: 2 })
  const mine = async () => (await owner.call(myCompanies, {})).rows.map(({ modules }) => modules)
  expect(await mine()).toEqual([[2]])
  await daysLater(32)
  expect(await mine()).toEqual([[]])
  await expect(owner.call(listFiles, {})).rejects.toMatchObject({ status: 402 })
  expect((await owner.call(listModules, {})).records).toEqual([])
  const [again] = (await owner.call(buyModule, { plugin: 2 })).records
  expect(again!.trialUntil < again!.since).toBe(true)
})

test('room for files comes with its module and goes with it', async () => {
  const roomy = await newBusiness(world)
  const { CompanyKey } = await roomy.call(mySession, {})
  const plain = (await roomy.call(listFolders, {})).quotaBytes
  await roomy.call(buyModule, { plugin: 2 })
  const more = (await roomy.call(listFolders, {})).quotaBytes
  expect(more).toBeGreaterThan(plain)
  await roomy.call(cancelModule, { plugin: 2 })
  expect((await roomy.call(listFolders, {})).quotaBytes).toBe(more)
  await daysLater(32, CompanyKey)
  now = new Date(Date.now() + 40 * 86_400_000)
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set run_after = now() where company_id = ${CompanyKey}
        and name = 'modules.ended'`.execute(tx),
  )
  await world.worker.drain()
  expect((await roomy.call(listFolders, {})).quotaBytes).toBe(plain)
})

test('an area that is off is off everywhere, says so, and comes back with all that was in it', async () => {
  const studio = await newBusiness(world)
  const project = await studio.send('POST', '/api4/invoice/projects', { name: 'גג' })
  const asks = (path: string) =>
    world.http.inject({
      method: 'GET',
      url: path,
      headers: { 'x-access-token': studio.token, 'x-language': 'en' },
    })
  const rules = async () => (await studio.call(listRules, {})).areas.map(({ name }) => name)
  // An area without rules refuses nothing: it is a part of the menu alone.
  const withCalls = new Set(allAreas().flatMap(({ name, rules }) => (rules.length > 0 ? [name] : [])))
  const on = async () =>
    (await studio.call(listAreas, {})).rows.flatMap((row) =>
      row.on && withCalls.has(row.name) ? [row.name] : [],
    )
  const shown = async () =>
    (await studio.call(listAreas, {})).rows.flatMap((row) => (row.shown ? [row.name] : []))

  // Before it has said what it does, everything is there.
  expect((await studio.call(listAreas, {})).trades).toBeNull()
  expect(await on()).toContain('projects')
  expect(await rules()).toContain('projects')
  const before = (await asks('/api4/invoice/projects')).headers['x-rights']

  expect((await studio.call(chooseAreas, { trades: ['studio'] })).trades).toEqual(['studio'])
  expect(await on()).toEqual([
    'leads',
    'calendar',
    'signing',
    'assets',
    'savedCards',
    'standingOrders',
    'payPages',
  ])
  // The menu begins with less than the calls answer.
  expect(await shown()).toEqual(['leads', 'calendar', 'classes', 'standingOrders', 'payPages', 'bank'])
  for (const path of [
    '/api4/invoice/projects',
    `/api4/invoice/projects/${project.id}`,
    '/api4/invoice/reports/projects',
  ]) {
    const answer = await asks(path)
    expect([path, answer.statusCode, answer.json().code, answer.json().params]).toEqual([
      path,
      403,
      'kit.areaOff',
      { area: 'projects' },
    ])
  }
  await expect(studio.send('POST', '/api4/invoice/projects', { name: 'x' })).rejects.toMatchObject({
    code: 'kit.areaOff',
  })
  expect(await rules()).not.toContain('projects')
  expect((await studio.call(mySession, {})).areasOff).toContain('projects')
  // An open page hears of it with its next answer.
  expect((await asks('/api4/invoice/areas')).headers['x-rights']).not.toBe(before)
  // Another business is not touched: it lacks only what everybody has to ask for.
  expect((await owner.call(mySession, {})).areasOff).toEqual(['pest', 'time', 'affiliates'])

  await studio.call(chooseAreas, { areas: { projects: true } })
  expect((await studio.get('/api4/invoice/projects')).rows).toMatchObject([{ id: project.id, name: 'גג' }])
  // What was turned by hand stays when the business says again what it does.
  await studio.call(chooseAreas, { trades: ['committee'] })
  expect(new Set(await on())).toEqual(
    new Set(['committee', 'projects', 'letters', 'masav', 'savedCards', 'standingOrders']),
  )
  await expect(studio.call(chooseAreas, { areas: { nosuch: true } })).rejects.toMatchObject({ status: 404 })
})
