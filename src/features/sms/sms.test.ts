import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../kit/server/db.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../tests/world.ts'
import { resendMessage } from '../messages/endpoints.ts'
import { smsDocument } from '../documents/endpoints.ts'
import { dropSms, getSms, setSms, testSms } from './endpoints.ts'

let world: World
let shop: Business
const taken: { key: string | undefined; body: any }[] = []
/** Answers as the provider's pages say: status 0 took it, 3 is a wrong key, 998 a fault of its own. */
const provider = createServer((request: IncomingMessage, answer) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(pieces).toString())
    const key = request.headers.authorization
    const to = body.sms.destinations.phone[0]._
    const status = key !== 'Bearer right' ? 3 : to.endsWith('000') ? 998 : 0
    if (status === 0) taken.push({ key, body })
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ status, message: status === 3 ? 'wrong token' : 'ok' }))
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

const messages = async () => (await shop.get<{ rows: Record<string, any>[] }>('/api4/invoice/messages?sort=createdAt')).rows
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

  await expect(shop.call(setSms, { username: 'shop', sender: 'Shop' })).rejects.toMatchObject({ errors: [{ path: 'key' }] })
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
  expect((await messages()).at(-1)).toMatchObject({ state: 'failed', error: '3: wrong token' })
  await expect(shop.call(testSms, { to: '050-1234567' })).rejects.toMatchObject({ code: 'sms.refused' })

  await shop.call(setSms, { username: 'shop', sender: 'Shop', key: 'right' })
  // The other details are changed without the key being said again.
  await shop.call(setSms, { username: 'shop', sender: 'Store' })
  await shop.call(resendMessage, { id: (await messages()).at(-1)!.id })
  await drain()
  expect((await messages()).at(-1)).toMatchObject({ state: 'sent', channel: 'sms' })
  expect(taken).toHaveLength(1)
  const { sms } = taken[0]!.body
  expect(sms).toMatchObject({ user: { username: 'shop' }, source: 'Store', destinations: { phone: [{ _: '0501234567' }] } })
  expect(sms.message).toContain(invoice.urls.page)
  expect(sms.message).not.toMatch(/[\u2066-\u2069]/)
  // The page that is opened tells that it was seen.
  await world.http.inject({ method: 'GET', url: `/api2/invoice/page/${invoice.urls.page.split('/').at(-1)}` })
  expect((await messages()).at(-1)!.openedAt).not.toBeNull()
})

test('a fault of the provider is tried again', async () => {
  const { id } = await shop.customer('לוי')
  const invoice = await shop.invoice(id, '100')
  await shop.call(smsDocument, { id: invoice.id, to: '050-1230000' })
  await drain()
  expect((await messages()).at(-1)).toMatchObject({ state: 'queued' })
  await sql`update outbox set attempts = 7, run_after = now() where name = 'documents.sms' and done_at is null`.execute(world.app.db.kysely)
  await drain()
  expect((await messages()).at(-1)).toMatchObject({ state: 'failed' })
})

test('the key is sealed, never told, and nobody else’s; a landline gets nothing', async () => {
  const { rows } = await sql<{ sealed: Buffer }>`select key_sealed as sealed from sms_accounts`.execute(world.app.db.kysely)
  expect(rows[0]!.sealed.includes(Buffer.from('right'))).toBe(false)
  expect(JSON.stringify(await shop.call(getSms, {}))).not.toContain('right')
  const stranger = await newBusiness(world)
  expect(await stranger.call(getSms, {})).toEqual({ isSet: false, username: '', sender: '' })
  const { id } = await shop.customer('א')
  const invoice = await shop.invoice(id, '100')
  expect((await raw(world, smsDocument, { id: invoice.id, to: '03-6123456' }, { token: shop.token })).statusCode).toBe(422)
  expect(await shop.call(dropSms, {})).toMatchObject({ isSet: false })
  expect(await shop.call(testSms, { to: '050-1234567' })).toEqual({ state: 'kept' })
})
