import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asked, newScene, type Scene } from '../../../../tests/limits.ts'
import { ways } from '../../../../tests/orders.ts'
import { callAs, startWorld, type World } from '../../../../tests/world.ts'
import { root } from '#kit/server/settings.ts'
import { approve } from '#features/base/approvals/endpoints.ts'
import { listKeys, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import { makeCoupons } from '#features/money/payPages/endpoints.ts'

/*
 * A database from before limits were stored with orders: after its migrations, what could not be carried out any more
 * is in the inbox once, and what goes on as before is not.
 */

let world: World
const at = { time: new Date() }

beforeAll(async () => {
  world = await startWorld(() => at.time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())

/** The tables are taken away, and come back by the migrations that brought them. */
async function upgrade(): Promise<void> {
  const files = [
    '0442-authority.sql',
    '0460-orders-that-send.sql',
    '0461-orders-of-keys.sql',
    '0500-keys-held-to-drafts.sql',
  ]
  await world.app.db.pool.query('drop table approvals, authorities')
  for (const file of files)
    await world.app.db.pool.query(readFileSync(join(root, 'db/migrations', file), 'utf8'))
}

const questions = (scene: Scene) =>
  asked(
    world,
    sql<{ kind: string; why: string; effect: string; agorot: number }>`select kind, why, effect,
        amount_agorot as agorot from approvals
      where company_id = ${scene.companyId} and state = 'waiting' order by kind, why`,
  )

test('what could not be carried out any more is asked about once, and nothing else', async () => {
  const scene = await newScene(world)
  const stage = { world, scene, at }
  // Schedules, pages and links of somebody who has left meanwhile.
  const gone = [
    'reminderPlans',
    'reportPlans',
    'payPages',
    'paymentLinks',
    'coupons',
    'shops',
    'signRequests',
  ]
  const left = await scene.worker()
  for (const name of gone) await (await ways[name]!(stage)).order(left.token)
  await scene.changeMember(left.userId, sql`removed_at = now()`)
  // A standing order by a key that is held to drafts now, and one that is above a person's limit.
  const key = await scene.newKey({})
  const way = await ways.standingOrders!(stage)
  await way.order(key.secret)
  const bound = await scene.worker()
  await way.order(bound.token)
  await scene.changeMember(bound.userId, sql`charge_limit_agorot = 100`)
  // And those of the owner, which go on.
  await way.order(scene.shop.token)
  await (await ways.bookingPages!(stage)).order(scene.shop.token)
  await (await ways.accountantPackages!(stage)).order(scene.shop.token)
  await asked(world, sql`delete from outbox where name like 'standingOrders.%' returning 1`)
  await asked(
    world,
    sql`update standing_orders set state = 'active', next_at = now() + interval '1 day',
        next_total_agorot = 50000,
      held_why = '' where company_id = ${scene.companyId} returning 1`,
  )
  await asked(world, sql`update api_keys set drafts_only = true where id = ${key.id} returning 1`)

  await upgrade()
  expect(await questions(scene)).toEqual([])
  await world.worker.drain()
  const found = await questions(scene)
  expect(found.map(({ kind, why }) => `${kind} ${why}`)).toEqual([
    'apiKeys draftsOnly',
    ...['coupons', 'payPages', 'paymentLinks', 'reminderPlans', 'reportPlans', 'shops', 'signRequests'].map(
      (kind) => `${kind} gone`,
    ),
    'standingOrders chargeLimit',
    'standingOrders draftsOnly',
  ])
  expect(found.find(({ why }) => why === 'chargeLimit')).toMatchObject({ effect: 'charge', agorot: 50_000 })
  const rung = (await scene.shop.get('/api4/invoice/notifications')).rows
  expect(rung.filter(({ kind }: { kind: string }) => kind === 'approvals.asked')).toHaveLength(1)

  // Started again, or run twice: no question comes twice.
  await asked(
    world,
    sql`update outbox set done_at = null, run_after = now() where name = 'approvals.upgrade' returning 1`,
  )
  await world.worker.drain()
  expect(await questions(scene)).toEqual(found)
}, 60_000)

test('it goes on slice by slice until it has looked at everything', async () => {
  const scene = await newScene(world)
  const left = await scene.worker()
  for (let n = 0; n < 3; n++)
    await callAs(
      world,
      makeCoupons,
      { count: 100, prefix: 'A', kind: 'percent', valueBp: 1_000, name: 'x' } as never,
      { token: left.token },
    )
  await scene.changeMember(left.userId, sql`blocked_at = now()`)
  await upgrade()
  await world.worker.drain()
  expect(await questions(scene)).toHaveLength(300)
  const [{ n }] = (await asked(
    world,
    sql`select count(*)::int as n from outbox where name = 'approvals.upgrade' and payload ? 'after'`,
  )) as [{ n: number }]
  expect(n).toBeGreaterThan(0)
}, 60_000)

test('a key held to drafts that did more is asked about once; approved, it may again', async () => {
  const scene = await newScene(world)
  const way = await ways.standingOrders!({ world, scene, at })
  /** A key from before the limits: it ordered, although it is held to drafts where `held`. */
  const oldKey = async (held: boolean, by = { token: scene.shop.token }) => {
    const key = await scene.newKey({}, by)
    await way.order(key.secret)
    await asked(
      world,
      sql`update api_keys set drafts_only = ${held}, used_at = now() where id = ${key.id} returning 1`,
    )
    return key
  }
  const held = await oldKey(true)
  await oldKey(false)
  const revoked = await oldKey(true)
  await scene.shop.call(revokeKey, { id: revoked.id })
  const left = await scene.worker()
  await oldKey(true, left)
  await scene.changeMember(left.userId, sql`removed_at = now()`)
  // And one that never did more than it may now.
  const drafter = await scene.newKey({ draftsOnly: true })
  await asked(world, sql`update api_keys set used_at = now() where id = ${drafter.id} returning 1`)

  await upgrade()
  await world.worker.drain()
  const ofKeys = async () => (await scene.waiting()).filter(({ kind }) => kind === 'apiKeys')
  const [question, ...others] = await ofKeys()
  expect(question).toMatchObject({ why: 'draftsOnly', keyName: 'חנות', title: 'חנות' })
  expect(others).toEqual([])
  await scene.shop.call(approve, { id: question!.id })
  const { rows } = await scene.shop.call(listKeys, {})
  const isHeld = (key: { id: string }) => rows.find(({ id }) => id === key.id)!.draftsOnly
  expect([held, drafter].map(isHeld)).toEqual([false, true])
  await asked(
    world,
    sql`update outbox set done_at = null, run_after = now() where name = 'approvals.upgrade' returning 1`,
  )
  await world.worker.drain()
  expect(await ofKeys()).toEqual([])

  // Revoked while its question waits: there is nothing left to decide.
  const late = await oldKey(true)
  await upgrade()
  await world.worker.drain()
  expect(await ofKeys()).toHaveLength(1)
  await scene.shop.call(revokeKey, { id: late.id })
  expect(await ofKeys()).toEqual([])
}, 60_000)
