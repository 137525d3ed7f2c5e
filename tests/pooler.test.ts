import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPooled, openDatabase } from '#kit/server/data/db.ts'
import { noPooler, startPooler } from './pooler.ts'
import { databaseUrl, newBusiness, startWorld, type World } from './world.ts'

/* Hosted databases often stand behind a pooler that gives a connection to another client after each transaction. */

describe('behind a pooler in transaction mode', () => {
  beforeEach(({ skip }) => skip(noPooler !== '', noPooler))
  let direct: World
  let world: World
  let pooler: Awaited<ReturnType<typeof startPooler>>
  beforeAll(async () => {
    if (noPooler) return
    direct = await startWorld()
    pooler = await startPooler(databaseUrl)
    world = await startWorld(undefined, pooler.through)
  })
  afterAll(async () => {
    if (noPooler) return
    await world.close()
    await direct.close()
    pooler.stop()
  })

  test('it is noticed, and a database without one is not taken for one', async () => {
    expect(await isPooled(pooler.through(databaseUrl))).toBe(true)
    expect(await isPooled(databaseUrl)).toBe(false)
  })

  test('many at once sign up, issue, list and report, and the worker seals what they issued', async () => {
    const shops = await Promise.all(Array.from({ length: 8 }, () => newBusiness(world)))
    const issued = await Promise.all(
      shops.map(async (shop, n) => {
        const { id } = await shop.customer(`לקוח ${n}`)
        const made = []
        for (let i = 0; i < 4; i++) made.push(await shop.invoice(id, String(100 + n)))
        return made
      }),
    )
    expect(issued.flat()).toHaveLength(32)
    await world.worker.drain()
    for (const [n, shop] of shops.entries()) {
      const { rows } = await shop.get('/api4/invoice/documents')
      expect(rows.map(({ number }: { number: string }) => Number(number)).toSorted()).toEqual(
        issued[n]!.map(({ number }) => Number(number)).toSorted(),
      )
      await shop.get('/api4/invoice/customers')
    }
  })

  test('two processes with statements of their own never run each other’s', async () => {
    // As two versions side by side: other statements are asked first, so counted names would meet.
    const one = openDatabase(pooler.through(databaseUrl), 5, { isPooled: true })
    const two = openDatabase(pooler.through(databaseUrl), 5, { isPooled: true })
    const ask = async (db: typeof one, n: number) =>
      (await db.pool.query<{ n: number }>(`/*=*/ select ${n} as n`)).rows[0]!.n
    for (let round = 0; round < 5; round++) {
      const numbers = Array.from({ length: 10 }, (_, at) => at)
      expect(await Promise.all(numbers.map((n) => ask(one, n)))).toEqual(numbers)
      expect(await Promise.all(numbers.toReversed().map((n) => ask(two, n)))).toEqual(numbers.toReversed())
    }
    await Promise.all([one.close(), two.close()])
  })
})
