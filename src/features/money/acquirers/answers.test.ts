import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  callAs,
  dataDir,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import { addTerminal, testPay } from './endpoints.ts'
import { writeKept } from './server/answers.ts'
import { giveBack } from './server/refunds/refund.ts'
import { sweep } from './server/sweep.ts'

/*
 * The database goes away in the moment in which an acquirer has done what it was asked: its answer is kept, and written
 * when the database is back.
 */

let world: World
let shop: Business
let companyId: string

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.testAcquirer = true
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
})
afterAll(() => world.close())

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows

/** The database is away from the moment in which `isAway` says so; the rest of the process does not notice. */
function awayOnce(isAway: () => boolean): () => void {
  const { pool } = world.app.db
  const there = pool.connect.bind(pool) as (...of: unknown[]) => unknown
  const spy = vi.spyOn(pool, 'connect').mockImplementation(((done?: (e: Error) => void) => {
    if (!isAway()) return done ? there(done) : there()
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    if (done) return void done(gone)
    return Promise.reject(gone)
  }) as never)
  return () => spy.mockRestore()
}

const kept = () => readdirSync(join(dataDir, 'answers')).filter((name) => name.endsWith('.sealed'))

async function refundOf(agorot: number): Promise<{ chargeId: string; refundId: string }> {
  const customer = await shop.customer('כהן')
  const { url } = (await shop.call(links.createLink, {
    description: 'מקדמה',
    amountAgorot: 50_000,
    customerId: customer.id,
  } as never)) as { url: string }
  const form = (await callAs(world, links.beginLink, { key: url.split('/').at(-1)! })).url.split('/').at(-1)!
  await callAs(world, testPay, {
    key: form,
    number: '4242424242424242',
    month: 12,
    year: 2040,
    cvv: '123',
    instalments: 1,
  })
  await world.worker.drain()
  const [charge] = await query(
    sql<{ id: string }>`select id from charges where company_id = ${companyId} order by created_at desc
      limit 1`,
  )
  await shop.call(links.refundCharge, { id: charge!.id, amountAgorot: agorot, reason: 'הנחה' })
  const [refund] = await query(
    sql<{ id: string }>`select id from charge_refunds where company_id = ${companyId}
      and charge_id = ${charge!.id}`,
  )
  return { chargeId: charge!.id, refundId: refund!.id }
}

/** Asks for the money back; the database goes away once the acquirer has given it back. */
async function loseAnswer(refundId: string): Promise<() => void> {
  let connections = 0
  // The first writes down the question, the second is the acquirer's own.
  const back = awayOnce(() => ++connections > 2)
  await expect(giveBack(world.app, companyId, refundId)).rejects.toMatchObject({ code: 'kit.unavailable' })
  return back
}

const given = (chargeId: string) =>
  query(
    sql<{ state: string; back: number }>`select r.state, c.given_back_agorot as back from charge_refunds r
      join charges c on c.company_id = r.company_id and c.id = r.charge_id
      where r.company_id = ${companyId} and r.charge_id = ${chargeId}`,
  )

test('an answer that came while the database was away is kept, encrypted, and written when it is back', async () => {
  const { chargeId, refundId } = await refundOf(20_000)
  const back = await loseAnswer(refundId)
  expect(kept()).toHaveLength(1)
  const bytes = readFileSync(join(dataDir, 'answers', kept()[0]!))
  expect(bytes.includes(refundId)).toBe(false)
  expect(bytes.includes(companyId)).toBe(false)
  // While it is away nothing is lost.
  await expect(writeKept(world.app)).rejects.toMatchObject({ code: 'kit.unavailable' })
  expect(kept()).toHaveLength(1)
  back()
  expect(await given(chargeId)).toEqual([{ state: 'asked', back: 0 }])
  // Two processes may look at once.
  await Promise.all([writeKept(world.app), writeKept(world.app)])
  expect(await given(chargeId)).toEqual([{ state: 'done', back: 20_000 }])
  expect(kept()).toEqual([])
  // What comes later finds it done: the job of the refund, the sweep.
  await world.worker.drain()
  await sweep(world.app)
  expect(await given(chargeId)).toEqual([{ state: 'done', back: 20_000 }])
  expect(
    await query(sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${chargeId}
      and deed = 'refund'`),
  ).toHaveLength(1)
})

test('the sweep writes what is kept before it asks anybody again', async () => {
  const { chargeId, refundId } = await refundOf(10_000)
  const back = await loseAnswer(refundId)
  back()
  await sweep(world.app)
  expect(await given(chargeId)).toEqual([{ state: 'done', back: 10_000 }])
  expect(kept()).toEqual([])
})
