import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { isForKeys } from '#kit/describe/endpoint.ts'
import { isRuleForKeys } from '#kit/describe/session.ts'
import { makeKey, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import { asSystem } from '#kit/server/data/db.ts'
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
    [{ 'accept-language': 'en' }, 'Enter a whole number.'],
    [{ 'accept-language': 'de-DE,fr;q=0.4,en-GB;q=0.9' }, 'Enter a whole number.'],
    [{ 'accept-language': 'de, ru;q=0' }, 'כתבו מספר שלם.'],
    [{ 'accept-language': '*' }, 'כתבו מספר שלם.'],
    [{ 'accept-language': 'fr', 'x-language': 'en' }, 'Enter a whole number.'],
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
    'text/plain',
    'application/octet-stream',
  ])('%s instead of JSON is 415', async (type) => {
    const answer = await ask(
      { authorization: `Bearer ${key}`, 'content-type': type },
      { method: 'POST', payload: 'name=x' },
    )
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'http.wrongType'])
  })
})

describe('text that is sent', () => {
  const post = (payload: Buffer, type: string) =>
    world.http.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      payload,
    })
  const name = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])
  const hebrew = name([0xf9, 0xec, 0xe5, 0xed])
  test.each([
    ['Windows-1255 that is not named', hebrew, 'application/json'],
    ['Windows-1255 that is named UTF-8', hebrew, 'application/json; charset=utf-8'],
    ['half a character', name([0xd7]), 'application/json'],
    ['an overlong slash', name([0xc0, 0xaf]), 'application/json'],
    ['a half of UTF-16 in bytes', name([0xed, 0xa0, 0x80]), 'application/json'],
  ])('as %s is refused, and nothing is stored', async (_name, bytes, type) => {
    const before = (await ask({ authorization: `Bearer ${key}` })).json().rows.length
    const answer = await post(bytes, type)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'http.badText'])
    expect((await ask({ authorization: `Bearer ${key}` })).json().rows.length).toBe(before)
  })
  test.each([
    ['windows-1255', hebrew],
    ['"Windows-1255"', hebrew],
    ['iso-8859-8', hebrew],
    ['utf-8', Buffer.from('{"name":"שלום"}')],
    ['UTF8', Buffer.from('{"name":"שלום"}')],
    ['utf-8', Buffer.from('\ufeff{"name":"שלום"}')],
    ['utf-16le', Buffer.from('{"name":"שלום"}', 'utf16le')],
  ])('with the charset %s is read by it', async (charset, bytes) => {
    const answer = await post(bytes, `application/json; charset=${charset}`)
    expect([answer.statusCode, answer.json().name]).toEqual([201, 'שלום'])
  })
  test('with an unknown charset is 415', async () => {
    const answer = await post(hebrew, 'application/json; charset=klingon')
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'http.wrongType'])
  })
  test.each(['?q=%F9%EC', '?q=a&name.contains=%D7', '?q=%ed%a0%80'])(
    'in the query %s is refused',
    async (query) => {
      const answer = await ask({ authorization: `Bearer ${key}` }, { url: `${path}${query}` })
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'http.badText'])
    },
  )
  test.each(['?q=%D7%A9', '?q=100%', '?q=50%25'])('in the query %s is read', async (query) => {
    expect((await ask({ authorization: `Bearer ${key}` }, { url: `${path}${query}` })).statusCode).toBe(200)
  })
  test('in the path is refused', async () => {
    const answer = await ask({ authorization: `Bearer ${key}` }, { url: `${path}/%F9%EC` })
    expect(answer.statusCode).toBe(400)
  })
  test.each(['{"name":', 'null', '5', '"x"', '[]'])(
    '%s instead of an object is refused by its own code',
    async (text) => {
      const answer = await post(Buffer.from(text), 'application/json')
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'kit.badJson'])
    },
  )
  test('nothing where nothing is needed is taken', async () => {
    const made = (await post(Buffer.from('{"name":"x"}'), 'application/json')).json()
    const answer = await ask(
      { authorization: `Bearer ${key}` },
      { method: 'POST', url: `${path}/${made.id}/restore` },
    )
    expect(answer.statusCode).toBe(200)
  })
})

test('a call refused by its handler names what the caller lacks, in words too', async () => {
  const narrow = await business.call(makeKey, { name: 'drafts', rules: [30, 31] })
  const answer = await ask(
    { authorization: `Bearer ${narrow.secret}`, 'content-type': 'application/json', 'x-language': 'en' },
    {
      method: 'POST',
      url: '/api4/invoice/documents',
      payload: JSON.stringify({ type: 8, lines: [{ description: 'x', unitPrice: '1' }] }),
    },
  )
  expect(answer.json()).toMatchObject({
    status: 403,
    code: 'session.forbidden',
    params: { rule: 'documents.issue' },
  })
  expect(answer.json().detail).toContain(answer.json().title)
  expect(answer.json().detail.length).toBeGreaterThan(answer.json().title.length)
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
