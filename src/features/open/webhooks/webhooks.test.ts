import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { implementations } from '../../../features.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { exampleOf } from '#kit/server/openapi/examples.ts'
import { allEvents } from '#kit/describe/event.ts'
import { dataDir, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { makeKey, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import { switchCompany } from '#features/base/companies/endpoints.ts'
import { createExpense, getExpense } from '#features/purchases/expenses/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import * as calls from './endpoints.ts'
import type { InputOf } from '#kit/describe/endpoint.ts'
import { names } from '#kit/server/outside/reach.ts'
import { limits } from './server/post.ts'
import { startSender, type Sender } from './server/run.ts'

let world: World
let sender: Sender

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.webhooks = { http: false, local: true }
  sender = startSender(world.app, { poll: false })
})
afterAll(async () => {
  await sender.stop()
  for (const server of servers) server.close().closeAllConnections()
  await world.close()
})

const query = <T>(text: ReturnType<typeof sql<T>>) =>
  text.execute(world.app.db.kysely).then(({ rows }) => rows)

interface Call {
  headers: IncomingHttpHeaders
  body: string
  at: number
}
interface Receiver {
  url: string
  got: Call[]
  answer: (call: Call, response: ServerResponse) => void
  /** Most that were under way at once. */
  most: number
}
const servers: Server[] = []

/** A receiver on this machine that does what the test says. */
async function receiver(
  answer: Receiver['answer'] = (_, response) => void response.end('ok'),
): Promise<Receiver> {
  const own: Receiver = { url: '', got: [], answer, most: 0 }
  let open = 0
  const server = createServer((request, response) => {
    own.most = Math.max(own.most, ++open)
    response.on('close', () => open--)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const call = { headers: request.headers, body: Buffer.concat(parts).toString(), at: Date.now() }
      own.got.push(call)
      own.answer(call, response)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return own
}

let owner: Business
let companyId: string
let customerId: string
beforeEach(async () => {
  owner = await newBusiness(world)
  companyId = (await owner.call(mySession, {})).CompanyKey
  customerId = (await owner.customer('כהן')).id
})

const add = (url: string, given: Partial<InputOf<typeof calls.createWebhook>> = {}, by = owner) =>
  by.call(calls.createWebhook, { url, events: ['document.*'], ...given })
const list = async (id: string) => (await owner.call(calls.listDeliveries, { id })).rows
const listed = async (id: string) =>
  (await owner.call(calls.listWebhooks, {})).rows.find((one) => one.id === id)!
/** Time goes by for what waits at an address. */
const later = (id: string) =>
  query(sql`update webhook_deliveries set next_at = now() where endpoint_id = ${id} and state = 'waiting'`)

describe('what arrives', () => {
  test('is signed as the standard says, small, and says where the thing is read', async () => {
    const to = await receiver()
    const { secret, webhook } = await add(to.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { id, number } = await owner.invoice(customerId, '100')
    await sender.drain()
    expect(to.got).toHaveLength(1)
    const [{ headers, body }] = to.got as [Call]
    const said = new Standard(secret).verify(body, headers as Record<string, string>) as Record<
      string,
      unknown
    >
    const [event] = await query(
      sql<{ id: string; version: number }>`select id, version from events where entity_id = ${id}`,
    )
    expect(said).toEqual({
      type: 'document.issued',
      apiVersion: webhook.apiVersion,
      timestamp: expect.stringMatching(/^\d{4}-/),
      data: {
        id,
        number,
        type: 8,
        status: 'issued',
        externalId: null,
        version: event!.version,
        link: `http://pinkas.test/api4/invoice/documents/${id}`,
      },
    })
    expect(headers['webhook-id']).toBe(event!.id)
    expect(() =>
      new Standard('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(body, headers as Record<string, string>),
    ).toThrow()
    const [row] = await list(webhook.id)
    expect(row).toMatchObject({
      eventId: event!.id,
      name: 'document.issued',
      number,
      state: 'sent',
      tries: 1,
      statusCode: 200,
      outcome: '',
    })
    const one = await owner.call(calls.getDelivery, { id: webhook.id, eventId: event!.id })
    expect(one.body).toBe(body)
    expect(one.log).toMatchObject([{ no: 1, statusCode: 200, answer: 'ok' }])
    // One event is read by its id, as its notice says it; by its own business alone.
    const eventRead = await owner.call(calls.getEvent, { eventId: event!.id })
    expect(eventRead).toEqual({ id: event!.id, ...JSON.parse(body) })
    const whole = await owner.call(calls.getEvent, { eventId: event!.id, payload: 'full' })
    expect(whole.data.object).toMatchObject({ id, number })
    const other = await newBusiness(world)
    await expect(other.call(calls.getEvent, { eventId: event!.id })).rejects.toMatchObject({ status: 404 })
    const [stored] = await query(
      sql<{
        all: string
      }>`select row_to_json(e)::text as all from webhook_endpoints e where id = ${webhook.id}`,
    )
    expect(stored!.all).not.toContain(secret.slice(6))
    const read = await world.http.inject({
      url: new URL(said.data!['link' as never] as string).pathname,
      headers: { 'x-access-token': owner.token },
    })
    expect(read.json().id).toBe(id)
  })

  /** What arrived, in its order. */
  const heard = ({ got }: Receiver) =>
    got.map(
      ({ body }) =>
        JSON.parse(body) as { type: string; data: { id: string; version: number; externalId?: string } },
    )

  test('comes in the order in which each thing changed, also what one command did to it', async () => {
    const to = await receiver((_, response) => void setTimeout(() => response.end('ok'), Math.random() * 30))
    await add(to.url, { events: ['*'] })
    const names = ['a', 'b', 'c', 'd', 'e']
    const people = await Promise.all(names.map((name) => owner.customer(name)))
    for (let round = 0; round < 6; round++)
      await Promise.all(
        people.map(({ id }) =>
          owner.send('PATCH', `/api4/invoice/customers/${id}`, { notes: `round ${round}` }),
        ),
      )
    const paid = await owner.send('POST', '/api4/invoice/documents', {
      type: 9,
      customerId,
      externalId: 'till-7',
      lines: [{ description: 'x', unitPrice: '100' }],
      payments: [{ means: 1, amountAgorot: 11_800 }],
    })
    const invoice = await owner.invoice(customerId, '10')
    const credit = await owner.send('POST', `/api4/invoice/documents/${invoice.id}/cancel`, { reason: 'x' })
    await sender.drain()
    const all = heard(to)
    const of = (thing: string) => all.filter(({ data }) => data.id === thing)
    for (const { id } of people) {
      expect(of(id).length).toBe(7)
      expect(of(id)[0]!.type).toBe('customer.created')
    }
    for (const id of new Set(all.map(({ data }) => data.id))) {
      const versions = of(id).map(({ data }) => data.version)
      expect(versions).toEqual(versions.toSorted((x, y) => x - y))
    }
    for (const { id } of [paid, credit]) expect(of(id)[0]!.type).toBe('document.issued')
    expect(of(credit.id).length).toBeGreaterThan(1)
    expect(of(paid.id).map(({ data }) => data.externalId)).toEqual(of(paid.id).map(() => 'till-7'))
    // Things do not wait for each other.
    expect(to.most).toBeGreaterThan(1)
  })

  test('waits for the notice of the same thing that failed before it, for its first tries', async () => {
    let refuses = true
    const to = await receiver(({ body }, response) => {
      const { type } = JSON.parse(body) as { type: string }
      response.writeHead(refuses && type === 'customer.created' ? 500 : 200).end()
    })
    const { webhook } = await add(to.url, { events: ['customer.*'] })
    const one = await owner.customer('first')
    await owner.send('PATCH', `/api4/invoice/customers/${one.id}`, { notes: 'x' })
    await sender.drain()
    expect(heard(to).map(({ type }) => type)).toEqual(['customer.created'])
    refuses = false
    await later(webhook.id)
    await sender.drain()
    expect(heard(to).map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.created',
      'customer.changed',
    ])
    refuses = true
    to.got.length = 0
    const two = await owner.customer('second')
    await owner.send('PATCH', `/api4/invoice/customers/${two.id}`, { notes: 'x' })
    for (let tries = 0; tries < 3; tries++) {
      await sender.drain()
      await later(webhook.id)
    }
    await sender.drain()
    expect(heard(to).map(({ type }) => type)).toContain('customer.changed')
  })

  test('is what was chosen, and nothing of other businesses', async () => {
    const [to, all] = [await receiver(), await receiver()]
    await add(to.url, { events: ['customer.created'] })
    await add(all.url, { events: ['*'] })
    const other = await newBusiness(world)
    await other.customer('זר')
    await owner.customer('דוד')
    await owner.invoice(customerId, '5')
    await sender.drain()
    expect(to.got.map(({ body }) => JSON.parse(body).type)).toEqual(['customer.created'])
    expect(all.got.map(({ body }) => JSON.parse(body).type).toSorted()).toEqual([
      'customer.created',
      'document.issued',
    ])
  })

  test('of a sum from so much and of fields as asked', async () => {
    const [big, type] = [await receiver(), await receiver()]
    const one = await add(big.url, { filter: { sumAgorot: 100_000, fields: {} } })
    await add(type.url, { filter: { sumAgorot: null, fields: { type: ['1', '2'] } } })
    await owner.invoice(customerId, '847.45')
    await owner.invoice(customerId, '847.46')
    await owner.call(createDocument, { type: 1, customerId, lines: [{ description: 'x', unitPrice: '5' }] })
    await sender.drain()
    expect(big.got.map(({ body }) => JSON.parse(body).data.number)).toHaveLength(1)
    expect(type.got.map(({ body }) => JSON.parse(body).type)).toEqual(['document.issued'])
    expect((await list(one.webhook.id)).map(({ state, outcome }) => [state, outcome])).toEqual([
      ['skipped', 'filter'],
      ['sent', ''],
      ['skipped', 'filter'],
    ])
  })

  test('is whole as its own call answers it, whatever lists were asked before', async () => {
    const to = await receiver()
    await add(to.url, { events: ['expense.*'], payload: 'full' })
    await owner.get('/api4/invoice/expenses?size=10')
    const { id: supplierId } = await owner.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })
    const kind = (await owner.get('/api4/invoice/expensetypes?size=10')).rows[0].id
    const { id } = await owner.call(createExpense, {
      supplierId,
      supplierNumber: '1',
      means: 'onCredit',
      date: dayInJerusalem(new Date()),
      lines: [{ typeId: kind, netAgorot: 10_000, vatAgorot: 1_800 }],
    } as never)
    await sender.drain()
    const { object } = JSON.parse(to.got[0]!.body).data
    expect(object).toEqual(await owner.call(getExpense, { id }))
  })

  test('is signed by both secrets while they change over', async () => {
    const to = await receiver()
    const { secret, webhook } = await add(to.url)
    const next = await owner.call(calls.rotateSecret, { id: webhook.id })
    await owner.invoice(customerId, '1')
    await sender.drain()
    const [call] = to.got as [Call]
    for (const each of [secret, next.secret])
      new Standard(each).verify(call.body, call.headers as Record<string, string>)
    await query(sql`update webhook_endpoints set old_until = now() where id = ${webhook.id}`)
    await owner.invoice(customerId, '2')
    await sender.drain()
    const last = to.got[1]!
    expect(() => new Standard(secret).verify(last.body, last.headers as Record<string, string>)).toThrow()
    new Standard(next.secret).verify(last.body, last.headers as Record<string, string>)
    const at = await owner.call(calls.rotateSecret, { id: webhook.id, overlapHours: 0 })
    await owner.invoice(customerId, '3')
    await sender.drain()
    expect(String(to.got[2]!.headers['webhook-signature']).split(' ')).toHaveLength(1)
    new Standard(at.secret).verify(to.got[2]!.body, to.got[2]!.headers as Record<string, string>)
  })

  test('a test goes to the one address it was asked for', async () => {
    const [to, other] = [await receiver(), await receiver()]
    const { webhook, secret } = await add(to.url, { events: ['item.created'] })
    await add(other.url, { events: ['*'] })
    await owner.call(calls.testWebhook, { id: webhook.id })
    await sender.drain()
    expect(other.got).toEqual([])
    expect(
      new Standard(secret).verify(to.got[0]!.body, to.got[0]!.headers as Record<string, string>),
    ).toMatchObject({
      type: 'webhook.test',
    })
  })
})

describe('the eyes of whoever set it up', () => {
  const limit = (rights: string) =>
    asSystem(world.app.db, (tx) =>
      sql`update memberships set ${sql.raw(rights)} where company_id = ${companyId}`.execute(tx),
    )

  test('full payloads hide the sums he does not see', async () => {
    const to = await receiver()
    await add(to.url, { payload: 'full' })
    await owner.invoice(customerId, '100')
    await limit('hide_total_prices = true')
    await sender.drain()
    const { object } = JSON.parse(to.got[0]!.body).data
    expect(object).toMatchObject({ customerId, status: 'issued' })
    expect(JSON.stringify(object)).not.toMatch(/118|100\b/)
    await expect(add(to.url, { filter: { sumAgorot: 1, fields: {} } })).rejects.toMatchObject({ status: 403 })
    await expect(
      add(to.url, { filter: { sumAgorot: null, fields: { totalAgorot: ['1'] } } }),
    ).rejects.toMatchObject({ status: 403 })
  })

  test('are those of whoever changed it last: nobody sends himself what only another sees', async () => {
    const to = await receiver()
    const { webhook } = await add('https://example.com/x', { payload: 'full' })
    const other = await newBusiness(world)
    await asSystem(world.app.db, (tx) =>
      sql`insert into memberships (company_id, user_id, type_id, sub_type_id, rules, hide_total_prices)
        select ${companyId}, m.user_id, m.type_id, m.sub_type_id, array[140, 30, 10], true from memberships m
        join users u on u.id = m.user_id
        where m.company_id <> ${companyId} order by m.created_at desc limit 1`.execute(tx),
    )
    await other.call(switchCompany, { id: companyId })
    await other.call(calls.changeWebhook, { id: webhook.id, url: to.url })
    await owner.invoice(customerId, '100')
    await sender.drain()
    // This person may see documents or not; what they see has no amounts.
    for (const { body } of to.got) expect(body).not.toMatch(/11800|10000/)
    expect(
      await query(
        sql<{
          email: string
        }>`select u.email from webhook_endpoints e join users u on u.id = e.created_by
          where e.id = ${webhook.id}`,
      ),
    ).toEqual([{ email: other.email }])
  })

  test('customers of others are not told, nor what his rights leave out', async () => {
    const to = await receiver()
    await add(to.url, { events: ['*'] })
    await owner.invoice(customerId, '100')
    await owner.send('POST', '/api4/invoice/items', { name: 'פריט' })
    await limit('own_customers_only = true, rules = array[140, 10, 30]')
    await sender.drain()
    expect(to.got).toEqual([])
  })

  test('it ends with him, and comes back with another', async () => {
    const to = await receiver()
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '100')
    await limit('rules = array[20]')
    await sender.drain()
    expect(to.got).toEqual([])
    await limit("rules = '{}'")
    expect(await listed(webhook.id)).toMatchObject({ state: 'off', offWhy: 'owner' })
    expect(await owner.call(calls.changeWebhook, { id: webhook.id, on: true })).toMatchObject({
      state: 'on',
      offWhy: null,
    })
    await sender.drain()
    expect(to.got).toHaveLength(1)
  })

  test('what was sent whole is read in the log by whoever sees everything, and by no other', async () => {
    const to = await receiver((call, response) => void response.end(call.body))
    const { webhook } = await add(to.url, { payload: 'full' })
    const thin = await add(`${to.url}?thin`)
    await owner.invoice(customerId, '100')
    await sender.drain()
    const eventId = (await list(webhook.id))[0]!.eventId
    const read = async (id: string) => owner.call(calls.getDelivery, { id, eventId })
    expect((await read(webhook.id)).body).toContain('11800')
    await limit('hide_total_prices = true')
    expect(await read(webhook.id)).toMatchObject({ body: null, log: [{ answer: '' }] })
    expect((await read(thin.webhook.id)).body).toContain('version')
    await limit('hide_total_prices = false, rules = array[140]')
    expect(await read(webhook.id)).toMatchObject({ body: null })
  })

  test('a key sets one up and is told what the key may see, until it ends', async () => {
    const key = (rules: number[]) =>
      owner.call(makeKey, {
        name: 'Zapier',
        readOnly: false,
        draftsOnly: false,
        rules,
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
    const [items, all] = [await key([140, 20]), await key([])]
    const [toItems, toAll] = [await receiver(), await receiver()]
    const subscribe = async (secret: string, url: string) => {
      const answer = await world.http.inject({
        method: 'POST',
        url: '/api4/invoice/webhooks',
        headers: { 'x-access-token': secret },
        payload: { url, events: ['*'] },
      })
      expect(answer.statusCode).toBe(200)
      return answer.json() as { webhook: calls.Webhook }
    }
    const { webhook } = await subscribe(items.secret, toItems.url)
    expect(webhook.byKey).toBe('Zapier')
    await subscribe(all.secret, toAll.url)
    await owner.send('POST', '/api4/invoice/items', { name: 'פריט' })
    await owner.invoice(customerId, '100')
    await sender.drain()
    const types = (to: Receiver) => to.got.map(({ body }) => JSON.parse(body).type).toSorted()
    expect(types(toItems)).toEqual(['item.created'])
    expect(types(toAll)).toEqual(['document.issued', 'item.created'])
    await owner.call(revokeKey, { id: items.key.id })
    await owner.send('POST', '/api4/invoice/items', { name: 'עוד' })
    await sender.drain()
    expect(toItems.got).toHaveLength(1)
    expect(await listed(webhook.id)).toMatchObject({ state: 'off', offWhy: 'owner' })
    // From then on it sees what the person who turned it on sees.
    expect(await owner.call(calls.changeWebhook, { id: webhook.id, on: true })).toMatchObject({
      byKey: null,
      state: 'on',
    })
    const none = await key([20])
    const refused = await world.http.inject({
      url: '/api4/invoice/webhooks',
      headers: { 'x-access-token': none.secret },
    })
    expect(refused.statusCode).toBe(403)
  })
})

describe('a receiver that does not take it', () => {
  test('hears again, with the same id and a fresh time and signature, until it takes it', async () => {
    let bad = 2
    const to = await receiver((_, response) => void response.writeHead(bad-- > 0 ? 500 : 204).end('no'))
    const { webhook, secret } = await add(to.url)
    await owner.invoice(customerId, '1')
    await sender.drain()
    const [first] = await list(webhook.id)
    expect(first).toMatchObject({ state: 'waiting', tries: 1, statusCode: 500, outcome: 'status' })
    const wait = (Date.parse(first!.nextAt!) - Date.now()) / 1000
    expect(wait).toBeGreaterThan(3)
    expect(wait).toBeLessThan(6)
    expect(await listed(webhook.id)).toMatchObject({ state: 'failing', waiting: 1 })
    await new Promise((r) => setTimeout(r, 1100))
    await later(webhook.id)
    await sender.drain()
    await later(webhook.id)
    await sender.drain()
    expect(to.got).toHaveLength(3)
    expect(new Set(to.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(to.got[1]!.headers['webhook-timestamp']).not.toBe(to.got[0]!.headers['webhook-timestamp'])
    for (const { headers, body } of to.got)
      new Standard(secret).verify(body, headers as Record<string, string>)
    expect(await list(webhook.id)).toMatchObject([{ state: 'sent', tries: 3, statusCode: 204 }])
    expect(await listed(webhook.id)).toMatchObject({ state: 'on', failingSince: null })
  })

  test('is given up after ten tries, and gets it when a person says so', async () => {
    let takes = false
    const to = await receiver((_, response) => void response.writeHead(takes ? 200 : 400).end())
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    await query(sql`update webhook_deliveries set tries = 9, tried = 9 where endpoint_id = ${webhook.id}`)
    await sender.drain()
    const [given] = await list(webhook.id)
    expect(given).toMatchObject({ state: 'failed', tries: 10, nextAt: null })
    takes = true
    expect(await owner.call(calls.resend, { id: webhook.id, eventId: given!.eventId })).toEqual({ count: 1 })
    await sender.drain()
    expect(await list(webhook.id)).toMatchObject([{ state: 'sent', tries: 1 }])
    expect(
      (await owner.call(calls.getDelivery, { id: webhook.id, eventId: given!.eventId })).log.map(
        ({ no, statusCode }) => [no, statusCode],
      ),
    ).toEqual([
      [11, 200],
      [10, 400],
    ])
  })

  test('is not followed where it sends on to', async () => {
    const trap = await receiver()
    const to = await receiver((_, response) => void response.writeHead(307, { location: trap.url }).end())
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    await sender.drain()
    expect(trap.got).toEqual([])
    expect(await list(webhook.id)).toMatchObject([{ state: 'waiting', statusCode: 307, outcome: 'redirect' }])
  })

  test('rests as long as it asks, and nothing is lost meanwhile', async () => {
    let busy = true
    const to = await receiver(
      (_, response) => void (busy ? response.writeHead(429, { 'retry-after': '600' }).end() : response.end()),
    )
    const { webhook } = await add(to.url)
    for (let n = 0; n < 12; n++) await owner.invoice(customerId, '1')
    await sender.drain()
    expect(to.got.length).toBeLessThanOrEqual(4)
    const [{ rest }] = (await query(
      sql<{
        rest: number
      }>`select extract(epoch from rest_until - now())::float8 as rest from webhook_endpoints
        where id = ${webhook.id}`,
    )) as [{ rest: number }]
    expect(rest).toBeGreaterThan(590)
    expect(rest).toBeLessThanOrEqual(600)
    const asked = (await list(webhook.id)).filter(({ statusCode }) => statusCode === 429)
    expect(asked.length).toBeGreaterThan(0)
    for (const { nextAt } of asked) expect(Date.parse(nextAt!) - Date.now()).toBeGreaterThan(590_000)
    busy = false
    await later(webhook.id)
    await sender.drain()
    expect(to.got.length).toBeLessThanOrEqual(4)
    await query(sql`update webhook_endpoints set rest_until = now() where id = ${webhook.id}`)
    await sender.drain()
    expect(new Set(to.got.map(({ headers }) => headers['webhook-id'])).size).toBe(12)
    expect((await list(webhook.id)).every(({ state }) => state === 'sent')).toBe(true)
  })

  test('that says it is gone is turned off, with a letter and a line', async () => {
    const to = await receiver((_, response) => void response.writeHead(410).end())
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    await sender.drain()
    expect(await listed(webhook.id)).toMatchObject({ state: 'off', offWhy: 'gone' })
    await world.worker.drain()
    expect(letters(to.url)).toHaveLength(1)
    const { rows } = await owner.get('/api4/invoice/audit')
    expect(rows.map((row: { action: string }) => row.action)).toContain('webhooks.off')
    await owner.invoice(customerId, '2')
    await sender.drain()
    expect(to.got).toHaveLength(1)
    await expect(owner.call(calls.testWebhook, { id: webhook.id })).rejects.toMatchObject({
      code: 'webhooks.isOff',
    })
    // On again, it hears what it missed when it asks from a time.
    await owner.call(calls.changeWebhook, { id: webhook.id, on: true })
    to.answer = (_, response) => void response.end()
    expect(
      (await owner.call(calls.resend, { id: webhook.id, since: new Date(Date.now() - 60_000).toISOString() }))
        .count,
    ).toBe(2)
    await sender.drain()
    expect(new Set(to.got.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('that only fails is written about after a day and off after three', async () => {
    const to = await receiver((_, response) => void response.writeHead(500).end())
    const { webhook } = await add(to.url)
    const failing = async (hours: number) => {
      await query(
        sql`update webhook_endpoints set failing_since = now() - make_interval(hours => ${hours})
          where id = ${webhook.id}`,
      )
      await owner.invoice(customerId, '1')
      await sender.drain()
      await world.worker.drain()
    }
    await failing(23)
    expect(letters(to.url)).toHaveLength(0)
    await failing(25)
    await failing(30)
    expect(letters(to.url)).toHaveLength(1)
    expect(await listed(webhook.id)).toMatchObject({ state: 'failing' })
    await failing(71)
    expect(await listed(webhook.id)).toMatchObject({ state: 'failing' })
    await failing(73)
    expect(await listed(webhook.id)).toMatchObject({ state: 'off', offWhy: 'failing' })
    expect(letters(to.url)).toHaveLength(2)
  })

  test('answers without end, and is cut off', async () => {
    let ended = 0
    const to = await receiver((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(30_000)), 2)
      response.on('close', () => {
        clearInterval(timer)
        ended++
      })
    })
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    await sender.drain()
    expect(await list(webhook.id)).toMatchObject([{ state: 'sent' }])
    await expect.poll(() => ended).toBe(1)
    const one = await owner.call(calls.getDelivery, {
      id: webhook.id,
      eventId: (await list(webhook.id))[0]!.eventId,
    })
    expect(one.log[0]!.answer).toHaveLength(1000)
  })
})

/** Letters that were kept and name this address. */
const letters = (url: string): string[] =>
  readdirSync(join(dataDir, 'mail'), { withFileTypes: true })
    .map(({ name }) => readFileSync(join(dataDir, 'mail', name), 'utf8'))
    .filter((letter) => mailText(letter).includes(url))

describe('addresses that lead home', () => {
  test('never get anything, however they are named', async () => {
    const home = await receiver()
    const port = new URL(home.url).port
    world.app.settings.webhooks = { http: true, local: false }
    const before = names.resolve
    const asked: string[] = []
    try {
      const ids: string[] = []
      for (const host of [
        'inside.example.com',
        'mixed.example.com',
        'metadata.example.com',
        'mapped.example.com',
      ]) {
        const { webhook } = await add(`https://${host}/hook`)
        // As if it had been written down before the rule was.
        await query(
          sql`update webhook_endpoints set url = ${`http://${host}:${port}/hook`} where id = ${webhook.id}`,
        )
        ids.push(webhook.id)
      }
      const { webhook } = await add('https://example.com/hook')
      await query(sql`update webhook_endpoints set url = ${home.url} where id = ${webhook.id}`)
      names.resolve = (host) => {
        asked.push(host)
        return Promise.resolve(
          {
            'inside.example.com': ['127.0.0.1'],
            'mixed.example.com': ['8.8.8.8', '10.0.0.7'],
            'metadata.example.com': ['169.254.169.254'],
          }[host] ?? ['::ffff:127.0.0.1'],
        )
      }
      await owner.invoice(customerId, '1')
      await sender.drain()
      expect(home.got).toEqual([])
      for (const id of [...ids, webhook.id])
        expect(await list(id)).toMatchObject([{ state: 'waiting', statusCode: null, outcome: 'private' }])
    } finally {
      names.resolve = before
      world.app.settings.webhooks = { http: false, local: true }
    }
  })

  test('a name is asked once for a connection, and the connection goes to what was looked at', async () => {
    const home = await receiver()
    const { webhook } = await add('https://turns.example.com/hook')
    await query(
      sql`update webhook_endpoints set url = ${`http://turns.example.com:${new URL(home.url).port}/hook`}
        where id = ${webhook.id}`,
    )
    const before = names.resolve
    let asked = 0
    // First what may be reached, then what may not: the person who asks twice would connect to the second.
    names.resolve = () => Promise.resolve(asked++ === 0 ? ['127.0.0.1'] : ['10.255.255.1'])
    try {
      await owner.invoice(customerId, '1')
      await sender.drain()
    } finally {
      names.resolve = before
    }
    expect(asked).toBe(1)
    expect(home.got).toHaveLength(1)
    expect(home.got[0]!.headers.host).toMatch(/^turns\.example\.com/)
  })
})

test('a secure connection goes to the address that was looked at, and asks there for the name', async () => {
  const asked: string[] = []
  const secure = createSecure({
    SNICallback: (name, done) => {
      asked.push(name)
      done(new Error('no certificate here'))
    },
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const { webhook } = await add('https://named.example.com/hook')
  await query(
    sql`update webhook_endpoints
      set url = ${`https://named.example.com:${(secure.address() as AddressInfo).port}/hook`}
      where id = ${webhook.id}`,
  )
  const before = names.resolve
  names.resolve = () => Promise.resolve(['127.0.0.1'])
  try {
    await owner.invoice(customerId, '1')
    await sender.drain()
  } finally {
    names.resolve = before
    secure.close()
  }
  expect(asked).toEqual(['named.example.com'])
  expect((await list(webhook.id))[0]).toMatchObject({ state: 'waiting', statusCode: null })
})

test('an address whose secret cannot be opened rests, and holds nobody up', async () => {
  const to = await receiver()
  const { webhook } = await add('https://example.com/x')
  await add(to.url)
  await query(sql`update webhook_endpoints set secret_sealed = '\\x00' where id = ${webhook.id}`)
  await owner.invoice(customerId, '1')
  await sender.drain()
  expect(to.got).toHaveLength(1)
  expect(await list(webhook.id)).toMatchObject([{ state: 'waiting', tries: 0 }])
})

describe('many at once', () => {
  test('a silent receiver delays nobody, and nobody gets more than four at a time', async () => {
    const before = limits.milliseconds
    limits.milliseconds = 4000
    try {
      const silent = await receiver(() => undefined)
      const quick = await receiver((_, response) => void setTimeout(() => response.end(), 5))
      await add(silent.url)
      await add(quick.url)
      for (let n = 0; n < 30; n++) await owner.invoice(customerId, '1')
      const started = Date.now()
      const all = sender.drain()
      await expect.poll(() => quick.got.length, { timeout: 3900, interval: 10 }).toBe(30)
      expect(Date.now() - started).toBeLessThan(4000)
      expect(quick.most).toBe(4)
      expect(silent.most).toBe(4)
      // The rest of the silent one's is not waited for.
      await query(
        sql`update webhook_endpoints set state = 'off', off_why = 'person' where url = ${silent.url}`,
      )
      limits.milliseconds = 50
      await all
    } finally {
      limits.milliseconds = before
    }
  }, 20_000)

  test('a process that dies in the middle leaves nothing untold', async () => {
    const to = await receiver((_, response) => void setTimeout(() => response.end(), 3))
    const { webhook, secret } = await add(to.url)
    for (let n = 0; n < 60; n++) await owner.invoice(customerId, '1')
    // It sends, and dies before it writes anything down: its connection to the database is gone.
    const { openDatabase } = await import('#kit/server/data/db.ts')
    const db = openDatabase(world.app.db.pool.options.connectionString!, 2)
    const dying = startSender({ ...world.app, db }, { poll: false })
    await dying.look()
    await expect.poll(() => to.got.length).toBeGreaterThan(8)
    await db.close().catch(() => undefined)
    await dying.stop().catch(() => undefined)
    expect((await list(webhook.id)).some(({ state }) => state === 'waiting')).toBe(true)
    await sender.drain()
    await query(
      sql`update webhook_endpoints set leased_until = now() - interval '1 second' where id = ${webhook.id}`,
    )
    await sender.drain()
    const ids = to.got.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(60)
    // What was under way when it died comes twice, under the same id, and no more than that: results being
    // written, gathered, and in four lanes.
    expect(ids.length).toBeLessThanOrEqual(60 + 20 + 20 + 4)
    for (const { headers, body } of to.got)
      new Standard(secret).verify(body, headers as Record<string, string>)
    const [{ n }] = (await query(
      sql<{
        n: number
      }>`select count(*)::int as n from webhook_deliveries where endpoint_id = ${webhook.id}
          and state = 'sent'`,
    )) as [{ n: number }]
    expect(n).toBe(60)
  }, 20_000)

  test.each([
    ['removed', (id: string) => owner.call(calls.dropWebhook, { id })],
    ['turned off', (id: string) => owner.call(calls.changeWebhook, { id, on: false })],
  ])(
    'nothing more is sent to an address that is %s during a batch',
    async (_, end) => {
      const to = await receiver((_call, response) => void setTimeout(() => response.end(), 400))
      const { webhook } = await add(to.url, { events: ['customer.created'] })
      for (let n = 0; n < 40; n++) await owner.customer(`לקוח ${n}`)
      const sending = sender.drain()
      await expect.poll(() => to.got.length).toBeGreaterThan(0)
      await end(webhook.id)
      await sending
      expect(to.got.length).toBeLessThan(40)
    },
    20_000,
  )

  test('a process that goes down waits for no silent receiver, and the next one sends it', async () => {
    const to = await receiver(() => undefined)
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    const going = startSender(world.app, { poll: false })
    await going.look()
    await expect.poll(() => to.got.length).toBe(1)
    const started = Date.now()
    await going.stop()
    expect(Date.now() - started).toBeLessThan(4000)
    expect(await list(webhook.id)).toMatchObject([{ state: 'waiting', tries: 0 }])
    to.answer = (_, response) => void response.end()
    await sender.drain()
    expect(await list(webhook.id)).toMatchObject([{ state: 'sent', tries: 1 }])
    expect(new Set(to.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('two processes share an address without sending twice', async () => {
    const to = await receiver((_, response) => void setTimeout(() => response.end(), 20))
    await add(to.url)
    for (let n = 0; n < 40; n++) await owner.invoice(customerId, '1')
    const second = startSender(world.app, { poll: false })
    const first = sender.drain()
    await expect.poll(() => to.got.length, { interval: 5 }).toBeGreaterThan(3)
    await Promise.all([first, second.drain()])
    await second.stop()
    expect(to.got).toHaveLength(40)
    expect(to.most).toBeLessThanOrEqual(4)
  })
})

describe('sending again', () => {
  test('all that failed, or all since a time, each once and under its id', async () => {
    let takes = false
    const to = await receiver((_, response) => void response.writeHead(takes ? 200 : 500).end())
    const { webhook } = await add(to.url)
    for (let n = 0; n < 3; n++) await owner.invoice(customerId, '1')
    await sender.drain()
    await query(sql`update webhook_deliveries set state = 'failed' where endpoint_id = ${webhook.id}`)
    takes = true
    await owner.invoice(customerId, '1')
    await sender.drain()
    expect(await owner.call(calls.resend, { id: webhook.id, failedOnly: true })).toEqual({ count: 3 })
    await sender.drain()
    expect((await list(webhook.id)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(to.got).toHaveLength(7)
    expect(await owner.call(calls.resend, { id: webhook.id, since: '2020-01-01T00:00:00Z' })).toEqual({
      count: 4,
    })
    await sender.drain()
    expect(to.got).toHaveLength(11)
    expect(new Set(to.got.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
    expect(
      await owner.call(calls.resend, { id: webhook.id, since: new Date(Date.now() + 60_000).toISOString() }),
    ).toEqual({ count: 0 })
  })
})

describe('the list of events', () => {
  test('has an example of each that its own schema takes', async () => {
    const { rows } = await owner.call(calls.listEvents, {})
    expect(rows.map(({ name }) => name)).toEqual([...allEvents().keys()])
    for (const { name, see, thin, full } of rows) {
      const { endpoint } = implementations.find((one) => one.endpoint.name === see)!
      expect(thin).toMatchObject({
        type: name,
        data: { id: expect.any(String), version: expect.any(Number), link: expect.stringContaining('http') },
      })
      const parsed = endpoint.output.safeParse((full.data as { object: unknown }).object)
      expect({ name, issues: parsed.success ? [] : parsed.error.issues.slice(0, 3) }).toEqual({
        name,
        issues: [],
      })
      expect(exampleOf(endpoint.output)).toEqual((full.data as { object: unknown }).object)
    }
  })

  test('refuses what is on no list', async () => {
    for (const name of [
      'document.eaten',
      'documents.*',
      '%',
      '*.issued',
      'document._ssued',
      'webhook.test',
      '',
    ])
      await expect(add('https://example.com/x', { events: [name] })).rejects.toMatchObject({ status: 422 })
  })
})

describe('what could only surprise is refused', () => {
  const url = 'https://example.com/hook'
  const refusal = (code: string, field: string) => ({
    status: 422,
    errors: [expect.objectContaining({ path: field, code })],
  })

  test('an address that hears of an event already, and one that is turned on beside it', async () => {
    const first = await add(url, { name: 'החנות', events: ['document.*'] })
    const twice = refusal('webhooks.twice', 'url')
    for (const events of [['document.issued'], ['*'], ['item.created', 'document.*']])
      await expect(add(url, { events })).rejects.toMatchObject(twice)
    // Another path is another receiver; what the first does not hear of may come to the same one.
    await add(`${url}/2`)
    const second = await add(url, { events: ['item.*'] })
    await expect(
      owner.call(calls.changeWebhook, { id: second.webhook.id, events: ['item.*', 'document.issued'] }),
    ).rejects.toMatchObject(twice)
    await expect(
      owner.call(calls.changeWebhook, { id: second.webhook.id, name: 'ב' }),
    ).resolves.toMatchObject({ name: 'ב' })
    await owner.call(calls.changeWebhook, { id: first.webhook.id, on: false })
    const third = await add(url, { events: ['document.issued'] })
    await expect(owner.call(calls.changeWebhook, { id: first.webhook.id, on: true })).rejects.toMatchObject(
      twice,
    )
    await owner.call(calls.dropWebhook, { id: third.webhook.id })
    await expect(owner.call(calls.changeWebhook, { id: first.webhook.id, on: true })).resolves.toMatchObject({
      state: 'on',
    })
    // Another business may send to the same receiver.
    const other = await newBusiness(world)
    await add(url, {}, other)
  })

  test('two that add the same address at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => add(url)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a filter by a field that nothing of what is sent has', async () => {
    const by = (fields: Record<string, string[]>, events = ['document.*']) =>
      add(`${url}/${Math.random()}`, { events, filter: { sumAgorot: null, fields } })
    const unknown = refusal('webhooks.unknownField', 'filter.fields')
    for (const name of [
      'tipe',
      'Type',
      'constructor',
      'type.id',
      'lines',
      'totals',
      'totals.nothing',
      'own.x',
    ])
      await expect(by({ [name]: ['1'] })).rejects.toMatchObject(unknown)
    await expect(by({ type: ['8'], tipe: ['1'] })).rejects.toMatchObject(unknown)
    // What one of the things has is enough: the others are left out.
    for (const name of ['type', 'status', 'customerId', 'currency', 'totals.totalAgorot'])
      await by({ [name]: ['1'] })
    await by({ type: ['8'] }, ['*'])
    await by({ city: ['חיפה'] }, ['customer.*', 'document.*'])
    await expect(by({ city: ['חיפה'] }, ['document.*'])).rejects.toMatchObject(unknown)
    await expect(
      by({ 'own.0199f2a4-7c1e-7b3a-9d52-4f6a8c0e1b27': ['1'] }, ['customer.*']),
    ).rejects.toMatchObject(unknown)
    const kept = await by({ city: ['חיפה'] }, ['customer.*'])
    await expect(
      owner.call(calls.changeWebhook, {
        id: kept.webhook.id,
        filter: { sumAgorot: null, fields: { tipe: ['8'] } },
      }),
    ).rejects.toMatchObject(unknown)
    await expect(
      owner.call(calls.changeWebhook, { id: kept.webhook.id, events: ['document.*'] }),
    ).rejects.toMatchObject(unknown)
  })
})

test('whoever changes one thing of an address leaves the others as they are', async () => {
  const filter = { sumAgorot: 1_000, fields: { type: ['8'] } }
  const { webhook } = await add('https://example.com/hook', { name: 'החנות', payload: 'full', filter })
  const kept = { name: 'החנות', payload: 'full', filter, events: ['document.*'] }
  for (const change of [{ on: false }, { on: true }, { url: 'https://example.com/other' }])
    expect(await owner.call(calls.changeWebhook, { id: webhook.id, ...change })).toMatchObject(kept)
  expect(await owner.call(calls.changeWebhook, { id: webhook.id, name: 'ב' })).toMatchObject({
    ...kept,
    name: 'ב',
  })
})

test('the list says what was answered last, and nothing where no answer came', async () => {
  let status = 500
  const to = await receiver((_, response) => void response.writeHead(status).end())
  const { webhook } = await add(to.url)
  expect(webhook.lastStatusCode).toBeNull()
  await owner.invoice(customerId, '1')
  await sender.drain()
  expect((await listed(webhook.id)).lastStatusCode).toBe(500)
  status = 204
  await later(webhook.id)
  await sender.drain()
  expect(await listed(webhook.id)).toMatchObject({ lastStatusCode: 204, lastSentAt: expect.any(String) })
  servers.at(-1)!.close().closeAllConnections()
  await owner.invoice(customerId, '2')
  await sender.drain()
  expect((await listed(webhook.id)).lastStatusCode).toBeNull()
})

describe('strangers', () => {
  test('of another business see and touch nothing', async () => {
    const { webhook } = await add('https://example.com/x')
    const other = await newBusiness(world)
    expect((await other.call(calls.listWebhooks, {})).rows).toEqual([])
    for (const attempt of [
      () => other.call(calls.listDeliveries, { id: webhook.id }),
      () => other.call(calls.changeWebhook, { id: webhook.id, name: 'x' }),
      () => other.call(calls.dropWebhook, { id: webhook.id }),
      () => other.call(calls.rotateSecret, { id: webhook.id }),
      () => other.call(calls.testWebhook, { id: webhook.id }),
      () => other.call(calls.resend, { id: webhook.id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
  })

  test('what is dropped is sent no more', async () => {
    const to = await receiver()
    const { webhook } = await add(to.url)
    await owner.invoice(customerId, '1')
    await owner.call(calls.dropWebhook, { id: webhook.id })
    await owner.invoice(customerId, '2')
    await sender.drain()
    expect(to.got).toEqual([])
    expect((await owner.call(calls.listWebhooks, {})).rows).toEqual([])
  })
})

test('the fifty-first webhook is refused', async () => {
  const { url } = await receiver()
  for (let n = 1; n <= 50; n++) await add(`${url}/${n}`)
  await expect(add(`${url}/51`)).rejects.toMatchObject({ status: 422, code: 'webhooks.tooMany' })
})
