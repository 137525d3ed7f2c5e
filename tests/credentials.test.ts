import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { isForKeys } from '#kit/describe/endpoint.ts'
import { isRuleForKeys } from '#kit/describe/session.ts'
import { makeKey, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import { asSystem } from '#kit/server/db.ts'
import { sql } from 'kysely'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

let world: World
let business: Business
let key: string
let keyId: string
const path = '/api4/invoice/customers'

async function newKey(): Promise<{ id: string; secret: string }> {
  const made = await business.call(makeKey, {
    name: 'program',
  })
  return { id: made.key.id, secret: made.secret }
}
const ask = (
  headers: Record<string, string>,
  {
    method = 'GET',
    url = path,
    payload,
  }: { method?: 'GET' | 'POST' | 'PUT'; url?: string; payload?: string } = {},
) => world.http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })

beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  ;({ id: keyId, secret: key } = await newKey())
})
afterAll(() => world.close())

describe('a key is taken from', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  test.each([
    ['its own header', () => ({ 'x-access-token': key })],
    ['Bearer', () => ({ authorization: `Bearer ${key}` })],
    ['bearer in any case', () => ({ authorization: `bearer  ${key}` })],
    ['Basic as the user name', () => ({ authorization: basic(`${key}:`) })],
    ['Basic as the password', () => ({ authorization: basic(`api:${key}`) })],
  ])('%s', async (_name, headers) => {
    expect((await ask(headers())).statusCode).toBe(200)
  })
  test('Basic gives no session: a browser sends it without being told to', async () => {
    expect((await ask({ authorization: `Bearer ${business.token}` })).statusCode).toBe(200)
    expect((await ask({ authorization: basic(`${business.token}:`) })).statusCode).toBe(401)
  })
})

describe('what is wrong with a key has its code', () => {
  const refused = async (headers: Record<string, string>) => {
    const answer = await ask(headers)
    return [answer.statusCode, answer.json().code, answer.headers['www-authenticate']]
  }
  test('none, unknown, revoked, expired, of a person who left', async () => {
    const invalid = 'Bearer realm="Pinkas", error="invalid_token"'
    expect(await refused({})).toEqual([401, 'session.needed', 'Bearer realm="Pinkas"'])
    expect(await refused({ authorization: 'Bearer pk_live_nothing' })).toEqual([
      401,
      'apiKeys.unknown',
      invalid,
    ])
    expect(await refused({ 'x-access-token': 'an ended session' })).toEqual([401, 'session.needed', invalid])
    const revoked = await newKey()
    await business.call(revokeKey, { id: revoked.id })
    expect(await refused({ authorization: `Bearer ${revoked.secret}` })).toEqual([
      401,
      'apiKeys.revoked',
      invalid,
    ])
    const expired = await newKey()
    await asSystem(world.app.db, (tx) =>
      sql`update api_keys set expires_at = now() - interval '1 day' where id = ${expired.id}`.execute(tx),
    )
    expect(await refused({ authorization: `Bearer ${expired.secret}` })).toEqual([
      401,
      'apiKeys.expired',
      invalid,
    ])
    const orphan = await newKey()
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set blocked_at = now() where company_id = (select company_id from api_keys where id = ${orphan.id})`.execute(
        tx,
      ),
    )
    const answer = await refused({ authorization: `Bearer ${orphan.secret}` })
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set blocked_at = null where company_id = (select company_id from api_keys where id = ${orphan.id})`.execute(
        tx,
      ),
    )
    expect(answer).toEqual([401, 'apiKeys.withoutPerson', invalid])
  })
})

describe('the language of a refusal', () => {
  const said = async (headers: Record<string, string>) =>
    (await ask({ authorization: `Bearer ${key}`, ...headers }, { url: `${path}?limit=x` })).json()
  test.each([
    [{ 'accept-language': 'en' }, 'Write a whole number.'],
    [{ 'accept-language': 'de-DE,fr;q=0.4,en-GB;q=0.9' }, 'Write a whole number.'],
    [{ 'accept-language': 'de, ru;q=0' }, 'כתבו מספר שלם.'],
    [{ 'accept-language': '*' }, 'כתבו מספר שלם.'],
    [{ 'accept-language': 'fr', 'x-language': 'en' }, 'Write a whole number.'],
  ])('%j', async (headers, sentence) => {
    expect((await said(headers)).errors).toEqual([{ path: 'limit', code: 'fields.number', detail: sentence }])
  })
})

describe('what HTTP says of a call', () => {
  test('another method than the call takes is 405 with the methods', async () => {
    const answer = await ask({}, { method: 'PUT', url: path })
    expect([answer.statusCode, answer.json().code, answer.headers.allow]).toEqual([
      405,
      'http.noMethod',
      'GET, POST',
    ])
    const one = await ask({}, { method: 'POST', url: `${path}/${keyId}` })
    expect([one.statusCode, one.headers.allow]).toEqual([405, 'DELETE, GET, PATCH'])
  })
  test('an address without a call is 404', async () => {
    const answer = await ask({}, { url: '/api4/invoice/nothing/here' })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'kit.noCall'])
  })
  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    'text/xml',
  ])('%s instead of JSON is 415', async (type) => {
    const answer = await ask(
      { authorization: `Bearer ${key}`, 'content-type': type },
      { method: 'POST', payload: 'name=x' },
    )
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'http.wrongType'])
  })
})

describe('calls that are never open to keys', () => {
  const closed = implementations.filter(({ endpoint }) => !isForKeys(endpoint) && endpoint.access !== 'open')
  test('are those of a person and those whose permission no key can have', () => {
    for (const { endpoint } of implementations)
      if (typeof endpoint.access === 'object' && endpoint.access.rule && !isRuleForKeys(endpoint.access.rule))
        expect([endpoint.name, isForKeys(endpoint)]).toEqual([endpoint.name, false])
    expect(closed.length).toBeGreaterThan(45)
  })
  test('refuse the full key of an owner by the code that says so', async () => {
    const codes = new Set<string>()
    for (const { endpoint } of closed.filter(({ inside }) => inside).slice(0, 100)) {
      const answer = await world.http.inject({
        method: endpoint.method,
        url: endpoint.path.replace(/\{\w+\}/g, keyId),
        headers: { authorization: `Bearer ${(await freshKey()).secret}` },
      })
      codes.add(`${answer.statusCode} ${answer.json().code}`)
    }
    expect([...codes]).toEqual(['403 kit.notForKeys'])
  })
  test('rates are no longer among them', async () => {
    const answer = await ask(
      { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      {
        method: 'PUT',
        url: '/api4/invoice/rates',
        payload: JSON.stringify({ currency: 'USD', day: '2026-01-05', rate: '3.5' }),
      },
    )
    expect(answer.json().code).not.toBe('kit.notForKeys')
  })
  // A key may make 120 calls a minute.
  let used = 0
  let fresh: { id: string; secret: string } | undefined
  async function freshKey() {
    if (used++ % 100 === 0) fresh = await newKey()
    return fresh!
  }
})

test('a refusal names the permission that a key lacks', async () => {
  const narrow = await business.call(makeKey, {
    name: 'narrow',
    rules: [20],
  })
  const answer = await ask({ authorization: `Bearer ${narrow.secret}` })
  expect(answer.json()).toMatchObject({
    status: 403,
    code: 'session.forbidden',
    params: { rule: 'customers.see' },
  })
})
