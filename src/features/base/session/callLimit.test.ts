import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countCall } from '#kit/server/http/rates.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let owner: Business

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
})
afterAll(() => world.close())

const ask = (token: string, method: 'GET' | 'POST' = 'GET', payload?: object, key?: string) =>
  world.http.inject({
    method,
    url: '/api4/invoice/customers',
    headers: { 'x-access-token': token, 'x-language': 'en', ...(key ? { 'idempotency-key': key } : {}) },
    ...(payload ? { payload } : {}),
  })
/** All of it happens within one minute: what is left of this one is to be enough. */
const inOneMinute = async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 20_000) await new Promise((done) => setTimeout(done, left + 50))
}

describe('calls of a session', () => {
  test(
    'are told how many are left, and refused beyond the limit before anything is done, in the language of the screen',
    { timeout: 60_000 },
    async () => {
      const usual = world.app.settings.callsPerMinute
      await inOneMinute()
      const first = await ask(owner.token)
      expect(first.headers).toMatchObject({
        'ratelimit-policy': `"session";q=${usual};w=60`,
        'ratelimit-limit': String(usual),
      })
      const used = usual - Number(first.headers['ratelimit-remaining'])
      world.app.settings.callsPerMinute = used + 2
      const deed = { name: 'Twice' }
      const key = randomUUID()
      expect([(await ask(owner.token)).statusCode, (await ask(owner.token)).statusCode]).toEqual([200, 200])
      const refused = await ask(owner.token, 'POST', deed, key)
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'kit.tooManyCalls'])
      expect(refused.json().title).toMatch(
        /^Too many requests in a short time\. Nothing was lost: wait \d+ seconds and try again\.$/,
      )
      expect(refused.headers).toMatchObject({
        'ratelimit-remaining': '0',
        'retry-after': expect.stringMatching(/^\d{1,2}$/),
      })
      // Another session has a separate limit, and an address without one as well.
      const stranger = await newBusiness(world)
      expect((await ask(stranger.token)).statusCode).toBe(200)
      expect((await ask('nobody')).statusCode).toBe(401)
      world.app.settings.callsPerMinute = usual
      // What was refused was not done, and is done when it is asked again under its key.
      expect((await ask(owner.token, 'POST', deed, key)).statusCode).toBe(201)
      expect((await ask(owner.token)).json().rows).toMatchObject([deed])
    },
  )

  test(
    'count together over all processes, though each tells the others only now and then',
    { timeout: 60_000 },
    async () => {
      await inOneMinute()
      const who = `session:${randomUUID()}`
      const process = () => ({ settings: { callsPerMinute: 1000 }, db: world.app.db }) as never
      const [one, other] = [process(), process()]
      for (let n = 0; n < 500; n++) await countCall(one, who)
      for (let n = 0; n < 495; n++) await countCall(other, who)
      expect((await countCall(other, who)).over).toBe(false)
      // A hundredth of the limit is what a process may be behind by.
      const rooms = await Promise.all(Array.from({ length: 30 }, () => countCall(one, who)))
      expect(rooms.at(-1)).toMatchObject({ over: true, remaining: 0 })
      const { rows } = await sql<{
        count: number
      }>`select count from throttles where key = ${`calls:${who}`}`.execute(world.app.db.kysely)
      expect(rows).toHaveLength(1)
    },
  )
})

test('a key of a call is at most 255 signs, and the same key is the same call', async () => {
  const shop = await newBusiness(world)
  const make = (key: string) => ask(shop.token, 'POST', { name: 'כהן' }, key)
  const long = await make('k'.repeat(256))
  expect([long.statusCode, long.json().errors]).toEqual([
    422,
    [expect.objectContaining({ path: 'Idempotency-Key', code: 'fields.tooLong' })],
  ])
  const [first, second] = [await make('k'.repeat(255)), await make('k'.repeat(255))]
  expect([first.statusCode, second.json().id]).toEqual([201, first.json().id])
  expect((await make('other')).json().id).not.toBe(first.json().id)
})

test('an endpoint with its own limit refuses an address that exceeded it, and no other address', async () => {
  const tryCode = async (n: number, remoteAddress: string) => {
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/user/login/sms/use',
      payload: { phone: `05012300${String(n).padStart(2, '0')}`, code: '123456' },
      remoteAddress,
    })
    return [answer.statusCode, answer.json().code]
  }
  const wrong = await tryCode(0, '10.9.8.7')
  expect(wrong[0]).not.toBe(429)
  for (let n = 1; n < 15; n++) expect(await tryCode(n, '10.9.8.7')).toEqual(wrong)
  expect(await tryCode(15, '10.9.8.7')).toEqual([429, 'kit.tooMany'])
  expect(await tryCode(16, '10.9.8.8')).toEqual(wrong)
})
