import { dayInJerusalem } from '#domain/day.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newScene, type Held, type Scene } from '../../../../tests/limits.ts'
import { ways, type Way } from '../../../../tests/orders.ts'
import { byTurns } from '../../../../tests/turns.ts'
import { startWorld, type World } from '../../../../tests/world.ts'
import { removeWorker } from '#features/base/team/endpoints.ts'
import { allRules } from '#kit/describe/session.ts'
import { orderKinds } from '#kit/server/rights/authority.ts'
import { approve, reject } from './endpoints.ts'

/*
 * Every way of ordering what happens later, given by somebody who may not (any more) have it happen: it waits, and
 * happens once after a person approved. A new kind of order fails here until it has its way.
 */

let world: World
let scene: Scene
// Today: the database has a separate clock, by which some rows are created.
/** Noon: in the first hours of a day nothing of that day is due yet. */
const start = new Date(`${dayInJerusalem(new Date())}T09:00:00Z`)
const at = { time: start }

beforeAll(async () => {
  world = await startWorld(() => at.time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  at.time = start
  scene = await newScene(world)
})

test('every kind of order has its way', () => {
  // Of these two nobody orders anything: a charge is the consequence of another order, and a draft waits at once.
  // The pay-out of affiliates is the operator's; affiliates.test.ts goes its way. A key causes nothing later: an upgrade
  // asks about it once (upgrade.test.ts).
  const elsewhere = ['affiliatePayDays', 'apiKeys', 'charges', 'drafts']
  const missing = [...orderKinds().keys()].filter((kind) => !elsewhere.includes(kind) && !(kind in ways))
  expect(missing).toEqual([])
})

/** A worker who may order it, or one with all rights where the way needs them. */
const workerFor = (way: Way, held: Held = {}) =>
  scene.worker(way.rules.includes('*') ? held : { rules: [way.rule, ...way.rules], ...held })

/** Nothing happened and one question waits; approved, it happens once. */
async function waitsThenHappens(way: Way, why: string): Promise<void> {
  await way.act()
  await way.act()
  expect(await way.count()).toBe(0)
  const waiting = await scene.waiting()
  expect(waiting).toMatchObject([{ kind: way.kind, why }])
  expect(waiting[0]!.title).not.toBe('')
  await scene.shop.call(approve, { id: waiting[0]!.id })
  await way.act()
  await vi.waitFor(async () => expect(await way.count()).toBe(1))
  expect(await scene.waiting()).toEqual([])
}

test.each([
  ['accountantPackages', () => sql`docs_allow = '{8}'`],
  ['reportPlans', () => sql`rules = array[${allRules().get('reportPlans.change')!}::int]`],
])('%s of somebody who may order it and does not see any more what it holds', async (name, set) => {
  const way = await ways[name]!({ world, scene, at })
  const { token, userId } = await workerFor(way)
  await way.order(token)
  await scene.changeMember(userId, set())
  await waitsThenHappens(way, 'noRight')
})

test('a shop of somebody who is removed goes on under an owner, within the limits it was connected with', async () => {
  const bound = await scene.worker({ docsAllow: [8] })
  const free = await scene.worker()
  const [limited, whole] = [await ways.shops!({ world, scene, at }), await ways.shops!({ world, scene, at })]
  await whole.order(free.token)
  await scene.shop.call(removeWorker, { id: free.userId })
  await whole.act()
  expect(await whole.count()).toBe(1)
  expect(await scene.waiting()).toEqual([])
  await limited.order(bound.token)
  await scene.shop.call(removeWorker, { id: bound.userId })
  await limited.act()
  expect(await limited.count()).toBe(1)
  expect(await scene.waiting()).toMatchObject([{ kind: 'shops', why: 'documentType' }])
})

describe.each(byTurns(Object.entries(ways), Math.ceil(Object.keys(ways).length / 2)))('%s', (_name, make) => {
  test('of somebody who was removed', async () => {
    const way = await make({ world, scene, at })
    const { token, userId } = await workerFor(way)
    await way.order(token)
    await scene.changeMember(userId, sql`removed_at = now()`)
    await waitsThenHappens(way, 'gone')
  })

  test('of somebody who may not do it now: beyond a limit, or without the right', async () => {
    const way = await make({ world, scene, at })
    if (way.agorot > 0) {
      const { secret } = await scene.newKey({ sumLimitAgorot: way.agorot - 1 })
      await way.order(secret)
      return waitsThenHappens(way, 'sumLimit')
    }
    const { token, userId } = await workerFor(way)
    await way.order(token)
    await scene.changeMember(userId, sql`rules = '{46}'`)
    await waitsThenHappens(way, 'noRight')
  })

  test('of somebody who may issue other documents only', async () => {
    const way = await make({ world, scene, at })
    if (way.documentType === undefined) return
    const { token } = await workerFor(way, { docsAllow: [8, 1] })
    await way.order(token)
    await waitsThenHappens(way, 'documentType')
  })

  test('within everything it happens, and rejected it never does', async () => {
    const way = await make({ world, scene, at })
    const { secret } = way.people
      ? { secret: scene.shop.token }
      : await scene.newKey(way.agorot > 0 ? { sumLimitAgorot: way.agorot } : {})
    await way.order(secret)
    await way.act()
    await vi.waitFor(async () => expect(await way.count()).toBe(1))
    expect(await scene.waiting()).toEqual([])
    scene = await newScene(world)
    at.time = start
    const other = await make({ world, scene, at })
    const { token, userId } = await workerFor(other)
    await other.order(token)
    await scene.changeMember(userId, sql`blocked_at = now()`)
    await other.act()
    const [question] = await scene.waiting()
    await scene.shop.call(reject, { id: question!.id, reason: 'לא הוזמן' })
    await other.act()
    await other.act()
    expect(await scene.waiting()).toEqual([])
    expect(await other.count()).toBe(0)
  })
})
