import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { resendMessage } from '#features/office/messages/endpoints.ts'
import { smsDocument } from '#features/sales/documents/endpoints.ts'
import { dropSms, getSms, setSms, testSms } from './endpoints.ts'
import { sendBy019, SmsRefused } from './server/provider019.ts'

let world: World
let shop: Business
const taken: { key: string | undefined; body: any }[] = []
/** An account with the provider: the user and the key that belong together. */
const known: Record<string, string> = { 'Bearer right': 'shop', 'Bearer another': 'other' }
/** The provider's next answer, in place of the usual one. */
let next: { http?: number; body?: string; status?: number; message?: string } | undefined

/** The order and the words of docs.019sms.co.il: a refusal is HTTP 200 with a status. */
function judge(key: string | undefined, body: any): { status: number; message: string } {
  const sms = body?.sms
  const phones = sms?.destinations?.phone
  for (const [name, value] of Object.entries({
    user: sms?.user?.username,
    source: sms?.source,
    destinations: phones,
    message: sms?.message,
  }))
    if (!value) return { status: 2, message: `${name} is missing` }
  if (!key || !(key in known))
    return { status: 3, message: 'Username or password is incorrect and API token is invalid' }
  if (known[key] !== sms.user.username)
    return {
      status: 11,
      message:
        "API token is valid but doesn't match username or if you have newer token you should use it instead",
    }
  const numbers = phones.map((one: { _: string }) => one._)
  if (!numbers.every((one: string) => /^0?5\d{8}$/.test(one)))
    return { status: 9, message: 'At least one of the destinations is too short or too long' }
  if (!/^[A-Za-z0-9]{1,11}$/.test(sms.source))
    return { status: 992, message: 'The source is too long or too short' }
  if (sms.message.length > 1005) return { status: 989, message: 'The message is too long or too short' }
  return { status: 0, message: 'SMS will be sent' }
}

const provider = createServer((request: IncomingMessage, answer) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const key = request.headers.authorization
    if (next) {
      const { http = 200, body = JSON.stringify({ status: next.status, message: next.message }) } = next
      answer.writeHead(http, { 'content-type': 'application/json' }).end(body)
      return
    }
    let body: unknown
    try {
      body =
        request.method === 'POST' &&
        request.headers['content-type'] === 'application/json' &&
        JSON.parse(Buffer.concat(pieces).toString())
    } catch {
      // What cannot be read is answered as that.
    }
    const said = body ? judge(key, body) : { status: 1, message: 'There was a problem parsing your XML' }
    if (said.status === 0) taken.push({ key, body })
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ ...said, shipment_id: 'x1' }))
  })
})
beforeAll(async () => {
  world = await startWorld()
  await new Promise<void>((go) => provider.listen(0, '127.0.0.1', go))
  world.app.settings.smsProviderUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/api`
  shop = await newBusiness(world)
})
afterAll(async () => {
  await world.close()
  await new Promise((go) => provider.close(go))
})

const messages = async () =>
  (await shop.get<{ rows: Record<string, any>[] }>('/api4/invoice/messages?sort=createdAt')).rows
const drain = async () => {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name <> 'documents.sms'`.execute(tx))
  await world.worker.drain()
}

test('without an account a message is kept; with one it goes to the provider; a refusal is said and not repeated', async () => {
  const { id } = await shop.customer('כהן', { mobile: '050-1234567' })
  const invoice = await shop.invoice(id, '100')
  await shop.call(smsDocument, { id: invoice.id, to: '050-1234567' })
  await drain()
  expect(await messages()).toMatchObject([{ channel: 'sms', recipient: '0501234567', state: 'kept' }])
  expect(taken).toEqual([])

  await expect(shop.call(setSms, { username: 'shop', sender: 'Shop' })).rejects.toMatchObject({
    errors: [{ path: 'key' }],
  })
  await expect(shop.call(setSms, { username: 'shop', sender: 'חנות', key: 'wrong' })).rejects.toMatchObject({
    errors: [{ path: 'sender' }],
  })
  expect(await shop.call(setSms, { username: 'shop', sender: 'Shop', key: 'wrong' })).toEqual({
    isSet: true,
    username: 'shop',
    sender: 'Shop',
  })
  await shop.call(smsDocument, { id: invoice.id, to: '+972 50-123-4567' })
  await drain()
  expect((await messages()).at(-1)).toMatchObject({
    state: 'failed',
    error: '3: Username or password is incorrect and API token is invalid',
  })
  await expect(shop.call(testSms, { to: '050-1234567' })).rejects.toMatchObject({ code: 'sms.refused' })

  await shop.call(setSms, { username: 'shop', sender: 'Shop', key: 'right' })
  // The other details are changed without the key being said again.
  await shop.call(setSms, { username: 'shop', sender: 'Store' })
  await shop.call(resendMessage, { id: (await messages()).at(-1)!.id })
  await drain()
  expect((await messages()).at(-1)).toMatchObject({ state: 'sent', channel: 'sms' })
  expect(taken).toHaveLength(1)
  const { sms } = taken[0]!.body
  expect(sms).toMatchObject({
    user: { username: 'shop' },
    source: 'Store',
    destinations: { phone: [{ _: '0501234567' }] },
  })
  expect(sms.message).toContain(invoice.urls.page)
  expect(sms.message).not.toMatch(/[\u2066-\u2069]/)
  // The page that is opened tells that it was seen.
  await world.http.inject({ method: 'GET', url: `/api2/invoice/page/${invoice.urls.page.split('/').at(-1)}` })
  expect((await messages()).at(-1)!.openedAt).not.toBeNull()
})

test('a fault of the provider is tried again', async () => {
  const { id } = await shop.customer('לוי')
  const invoice = await shop.invoice(id, '100')
  next = { status: 998, message: 'There was an unknown error in the request' }
  await shop.call(smsDocument, { id: invoice.id, to: '050-1230000' })
  await drain()
  expect((await messages()).at(-1)).toMatchObject({ state: 'queued' })
  await sql`update outbox set attempts = 7, run_after = now()
    where name = 'documents.sms' and done_at is null`.execute(world.app.db.kysely)
  await drain()
  next = undefined
  expect((await messages()).at(-1)).toMatchObject({ state: 'failed' })
})

describe('what the provider answers', () => {
  const account = () => ({
    url: world.app.settings.smsProviderUrl,
    username: 'shop',
    key: 'right',
    sender: 'Shop',
  })
  const fate = (more: object = {}, to = '0501234567', text = 'שלום') =>
    sendBy019({ ...account(), ...more }, to, text).then(
      () => 'sent',
      (e: Error) => [e instanceof SmsRefused ? 'refused' : 'again', e.message],
    )

  test('its own rules are kept, and what is wrong is said with its number', async () => {
    expect(await fate()).toBe('sent')
    expect(await fate({}, '0501234567', 'x'.repeat(1005))).toBe('sent')
    expect(await fate({ key: 'wrong' })).toEqual(['refused', expect.stringMatching(/^3: /)])
    expect(await fate({ key: 'another' })).toEqual(['refused', expect.stringMatching(/^11: /)])
    expect(await fate({}, '0361234567')).toEqual(['refused', expect.stringMatching(/^9: /)])
    expect(await fate({ sender: 'LongerThanEleven' })).toEqual(['refused', expect.stringMatching(/^992: /)])
    expect(await fate({}, '0501234567', 'x'.repeat(1006))).toEqual([
      'refused',
      expect.stringMatching(/^989: /),
    ])
    expect(await fate({}, '0501234567', '')).toEqual(['refused', '2: message is missing'])
  })

  test.each([
    [4, 'Not enough credit', 'refused'],
    [5, 'No permission to send SMS at this time', 'again'],
    [6, 'Process failure', 'again'],
    [8, 'All numbers are on a blocked list', 'refused'],
    [10, 'Username or password is incorrect and Expired API token', 'refused'],
    [12, 'Not enough money', 'refused'],
    [997, 'Not a valid command sent', 'refused'],
    [998, 'There was an unknown error in the request', 'again'],
    [999, 'Contact support', 'again'],
  ])('status %i, %s: %s', async (status, message, expected) => {
    next = { status, message }
    expect(await fate()).toEqual([expected, expected === 'refused' ? `${status}: ${message}` : message])
    next = undefined
  })

  test.each([
    ['its server is down', { http: 503, body: 'busy' }, ['again', 'HTTP 503']],
    ['too many at once', { http: 429, body: '{}' }, ['again', 'HTTP 429']],
    ['a page in place of an answer', { body: '<html>' }, ['again', 'HTTP 200']],
    ['the door is closed to us', { http: 403, body: '' }, ['refused', 'HTTP 403']],
  ])('%s', async (_what, said, expected) => {
    next = said
    expect(await fate()).toEqual(expected)
    next = undefined
  })
})

test('the key is sealed, never told, and nobody else’s; a landline gets nothing', async () => {
  const { rows } = await sql<{ sealed: Buffer }>`select key_sealed as sealed from sms_accounts`.execute(
    world.app.db.kysely,
  )
  expect(rows[0]!.sealed.includes(Buffer.from('right'))).toBe(false)
  expect(JSON.stringify(await shop.call(getSms, {}))).not.toContain('right')
  const stranger = await newBusiness(world)
  expect(await stranger.call(getSms, {})).toEqual({ isSet: false, username: '', sender: '' })
  const { id } = await shop.customer('א')
  const invoice = await shop.invoice(id, '100')
  expect(
    (await raw(world, smsDocument, { id: invoice.id, to: '03-6123456' }, { token: shop.token })).statusCode,
  ).toBe(422)
  expect(await shop.call(dropSms, {})).toMatchObject({ isSet: false })
  expect(await shop.call(testSms, { to: '050-1234567' })).toEqual({ state: 'kept' })
})
