import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import {
  acquirerNotice,
  addTerminal,
  changeTerminal,
  dropTerminal,
  listTerminals,
  testPay,
} from './endpoints.ts'
import { stepOf } from './server/charges/states.ts'
import { keysOf } from './server/charges/compare.ts'
import { take } from './server/charges/take.ts'
import { AcquirerAway, type Answer } from './server/door.ts'
import { simulated } from './server/gateways/test/client.ts'
import { sweep } from './server/sweep.ts'
import { wireTo, type Told } from './server/wire.ts'

let world: World
let shop: Business
let companyId: string
let time = new Date()

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date()
  Object.assign(simulated, { outage: false, mute: false })
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const work = () => world.worker.drain()
const later = (minutes: number) => void (time = new Date(time.getTime() + minutes * 60_000))

interface Row {
  id: string
  state: string
  reference: string
  uid: string
  surplus: boolean
  paper_id: string | null
  given_back_agorot: number
}
const charges = () =>
  query(sql<Row>`select * from charges where company_id = ${companyId} order by created_at, id`)
const kinds = async (id: string) =>
  (
    await query(
      sql<{
        kind: string
      }>`select kind from charge_events where company_id = ${companyId} and charge_id = ${id}
        order by at, id`,
    )
  ).map(({ kind }) => kind)
const makeLink = async (agorot = 50_000) => {
  const { id } = await shop.customer('כהן')
  return (await shop.call(links.createLink, {
    description: 'מקדמה',
    amountAgorot: agorot,
    customerId: id,
  } as never)) as {
    id: string
    url: string
  }
}
const keyOf = (url: string) => url.split('/').at(-1)!
const begin = async (url: string) => keyOf((await callAs(world, links.beginLink, { key: keyOf(url) })).url)
const pay = (form: string) =>
  callAs(world, testPay, {
    key: form,
    number: '4242424242424242',
    month: 12,
    year: 2040,
    cvv: '123',
    instalments: 1,
  })

describe('the life of a charge', () => {
  const heard: Record<string, Parameters<typeof stepOf>[1]> = {
    paid: { is: 'paid' } as never,
    declined: { is: 'declined', code: '004', class: 'soft' },
    open: { is: 'open' },
    closed: { is: 'closed' },
    none: { is: 'none' },
    silence: { is: 'silence', wasSent: true },
    mismatch: { is: 'mismatch' },
  }
  // The next state by what is reported; nothing is listed where nothing changes.
  const table: Record<string, Record<string, string>> = {
    begun: { paid: 'paid', declined: 'declined', closed: 'lapsed', mismatch: 'needsPerson' },
    declined: { paid: 'paid', closed: 'lapsed', mismatch: 'needsPerson' },
    needsPerson: { paid: 'paid', declined: 'declined', closed: 'lapsed' },
    lapsed: { paid: 'paid', mismatch: 'needsPerson' },
    held: { paid: 'paid' },
    paid: {},
  }
  test.each(Object.keys(table))('%s', (state) => {
    const declineCode = state === 'declined' ? '004' : ''
    const steps = Object.entries(heard).flatMap(([name, answer]) => {
      const step = stepOf(
        {
          state: state as never,
          declineCode,
          isByCard: false,
          isLapsed: false,
          isSettled: false,
          isHopeless: false,
          hold: 'stands',
        },
        answer,
      )
      return step ? [[name, step.to]] : []
    })
    expect(Object.fromEntries(steps)).toEqual(table[state])
  })

  test('a form whose time is over lapses by whatever but a payment is heard; a week of silence is somebody’s', () => {
    const past = {
      state: 'begun',
      declineCode: '',
      isByCard: false,
      isLapsed: true,
      isSettled: true,
      isHopeless: false,
      hold: 'stands',
    } as const
    for (const name of ['declined', 'open', 'none']) expect(stepOf(past, heard[name]!)?.to).toBe('lapsed')
    expect(stepOf(past, heard.silence!)).toBeUndefined()
    expect(stepOf({ ...past, isHopeless: true }, heard.silence!)?.to).toBe('needsPerson')
    expect(stepOf({ ...past, state: 'needsPerson', isHopeless: true }, heard.paid!)?.to).toBe('paid')
  })

  test('what is held is let go by whoever knows it no more once its day is past, and by silence only when no bank holds so long', () => {
    const held = {
      state: 'held',
      declineCode: '',
      isByCard: false,
      isLapsed: true,
      isSettled: true,
      isHopeless: true,
      hold: 'isOver',
    } as const
    for (const name of ['declined', 'open', 'none', 'closed'])
      expect(stepOf(held, heard[name]!)?.to).toBe('released')
    expect(stepOf(held, heard.paid!)?.to).toBe('paid')
    for (const name of ['silence', 'mismatch']) {
      expect(stepOf(held, heard[name]!)).toBeUndefined()
      expect(stepOf({ ...held, hold: 'isGone' }, heard[name]!)?.to).toBe('released')
    }
  })
})

describe('an acquirer that tells of something else than was asked', () => {
  const deal = (key: string, more: object): Answer => ({
    is: 'paid',
    uid: 'D-1',
    key,
    agorot: 50_000,
    currency: 'ILS',
    approval: '123456',
    brand: 'visa',
    last4: '4242',
    instalments: 1,
    ...more,
  })
  const hear = (id: string, more: object) =>
    asCaller(world.app, systemCaller(companyId), '', async (ctx) => {
      const [key] = await keysOf(ctx, id)
      await take(ctx, id, deal(key!, more))
    })

  test.each([
    ['one agora less', { agorot: 49_999 }],
    ['another currency', { currency: 'USD' }],
    ['another’s reference', { key: 'f00d-1' }],
    ['no reference', { key: undefined }],
    ['a form that is not its own', { key: undefined, form: 'f00d' }],
    ['money set aside in place of a payment', { is: 'held' }],
    ['a card kept in place of a payment', { is: 'saved' }],
    ['another terminal', { isOurs: false }],
    ['no number', { uid: '' }],
  ])('%s: nothing is believed, it is written down, and a person decides', async (_name, more) => {
    const { url } = await makeLink()
    await begin(url)
    const [charge] = await charges()
    await hear(charge!.id, more)
    expect((await charges())[0]).toMatchObject({ state: 'needsPerson', paper_id: null, uid: '' })
    expect(await kinds(charge!.id)).toEqual(['begun', 'mismatch', 'needsPerson'])
    // The person who paid perhaps shall not pay again.
    await expect(begin(url)).rejects.toMatchObject({ code: 'paymentLinks.inDoubt' })
    await shop.call(links.sayUnpaid, { id: charge!.id })
    await expect(shop.call(links.sayUnpaid, { id: charge!.id })).rejects.toMatchObject({
      code: 'paymentLinks.notInDoubt',
    })
    await pay(await begin(url))
    await work()
    expect((await charges()).map(({ state }) => state)).toEqual(['lapsed', 'paid'])
  })

  test('one deal is not the payment of two charges', async () => {
    const [one, two] = [await makeLink(), await makeLink()]
    await begin(one.url)
    await begin(two.url)
    const [first, second] = await charges()
    await hear(first!.id, {})
    await hear(second!.id, {})
    expect((await charges()).map(({ state }) => state)).toEqual(['paid', 'needsPerson'])
  })

  test('what it sends beside the sum is cut to what is kept', async () => {
    await begin((await makeLink()).url)
    const [charge] = await charges()
    await hear(charge!.id, {
      approval: '9'.repeat(500),
      brand: 'x'.repeat(500),
      last4: '12<script>',
      instalments: 1e9,
    })
    expect((await charges())[0]).toMatchObject({
      state: 'paid',
      card_last4: '',
      instalments: 1,
      approval: '9'.repeat(40),
    })
  })
})

test('whoever pays in the moment in which a link is cancelled has his money back by itself', async () => {
  const { id, url } = await makeLink()
  const form = await begin(url)
  await shop.call(links.cancelLink, { id })
  await pay(form)
  await work()
  expect(await charges()).toMatchObject([
    { state: 'paid', surplus: true, paper_id: null, given_back_agorot: 50_000 },
  ])
})

describe('money on its way back without an answer', () => {
  const paidCharge = async () => {
    await pay(await begin((await makeLink()).url))
    await work()
    return (await charges())[0]!
  }
  const refund = (id: string) => shop.call(links.refundCharge, { id, amountAgorot: 20_000, reason: 'הנחה' })
  const shown = async (id: string) => (await shop.call(links.getCharge, { id })).refunds[0]!
  const atAcquirer = async () =>
    (
      await query(
        sql<{
          back: Record<string, number>
        }>`select given_back as back from test_charges where company_id = ${companyId}`,
      )
    )[0]!.back

  test('is unknown, and asked about under its own key until there is one: it went back once', async () => {
    const { id } = await paidCharge()
    simulated.mute = true
    await refund(id)
    await work()
    expect(await shown(id)).toMatchObject({ state: 'unknown', paper: null })
    later(1)
    await sweep(world.app)
    expect(await shown(id)).toMatchObject({ state: 'unknown' })
    simulated.mute = false
    await sweep(world.app)
    expect(await shown(id)).toMatchObject({ state: 'unknown' })
    // After the second time in vain it is five minutes, not one.
    later(4)
    await sweep(world.app)
    expect(await shown(id)).toMatchObject({ state: 'unknown' })
    later(2)
    await sweep(world.app)
    expect(await shown(id)).toMatchObject({ state: 'done', paper: { type: 6 } })
    expect(Object.values(await atAcquirer())).toEqual([20_000])
    const tries = await query(
      sql`select 1 from charge_tries where company_id = ${companyId} and deed = 'refund'`,
    )
    expect(tries).toHaveLength(1)
  })

  test('is a person’s after a week, who says what became of it', async () => {
    const { id } = await paidCharge()
    simulated.mute = true
    await refund(id)
    await work()
    for (let day = 0; day < 9; day++) {
      later(24 * 60)
      await sweep(world.app)
    }
    const one = await shown(id)
    expect(one).toMatchObject({ state: 'needsPerson' })
    expect(await sweep(world.app)).toBe(0)
    const other = await newBusiness(world)
    await expect(other.call(links.sayRefund, { id, refundId: one.id, isDone: true })).rejects.toMatchObject({
      status: 404,
    })
    await shop.call(links.sayRefund, { id, refundId: one.id, isDone: true })
    expect(await shown(id)).toMatchObject({ state: 'done', paper: { type: 6 } })
    expect((await shop.call(links.getCharge, { id })).leftAgorot).toBe(30_000)
    await expect(shop.call(links.sayRefund, { id, refundId: one.id, isDone: false })).rejects.toMatchObject({
      code: 'paymentLinks.notInDoubt',
    })
  })

  test('that never left us is asked for anew, under another key', async () => {
    const { id } = await paidCharge()
    simulated.outage = true
    await refund(id)
    await work()
    simulated.outage = false
    later(2)
    await sweep(world.app)
    expect(await shown(id)).toMatchObject({ state: 'done' })
    const tries = await query(
      sql<{
        outcome: string
      }>`select outcome from charge_tries where company_id = ${companyId} and deed = 'refund' order by no`,
    )
    expect(tries.map(({ outcome }) => outcome)).toEqual(['away', 'done'])
    expect(Object.values(await atAcquirer())).toEqual([20_000])
  })
})

test('a notice of whatever form, of a stranger, empty or huge, changes nothing', async () => {
  await begin((await makeLink()).url)
  const [{ key }] = (await query(
    sql<{ key: string }>`select notice_key as key from terminals where company_id = ${companyId}`,
  )) as [{ key: string }]
  const send = (payload: string, type: string, to = key) =>
    world.http.inject({
      method: 'POST',
      url: acquirerNotice.path.replace('{key}', to),
      headers: { 'content-type': type },
      payload,
    })
  for (const [payload, type] of [
    ['', 'application/json'],
    ['{"reference":', 'application/json'],
    ['<html>', 'text/html'],
    ['a=1&a=2&reference[]=x', 'application/x-www-form-urlencoded'],
    ['\u0000\ud800', 'text/plain'],
    ['{"reference":{"$gt":""},"key":null}', 'application/x-www-form-urlencoded'],
  ] as const)
    expect((await send(payload, type)).statusCode, payload).toBe(200)
  expect((await send('x'.repeat(70_000), 'text/plain')).statusCode).toBe(413)
  expect((await send('{}', 'application/json', 'x'.repeat(43))).statusCode).toBe(404)
  expect(await charges()).toMatchObject([{ state: 'begun' }])
})

describe('the wire', () => {
  let server: Server
  let answer: { status: number; type: string; body: Buffer | string; waitMs?: number }
  let home: string
  const told: (Told & { status: number })[] = []
  beforeAll(async () => {
    server = createServer((_request, response) => {
      const { status, type, body, waitMs = 0 } = answer
      setTimeout(
        () => response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body),
        waitMs,
      )
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())
  const wire = () =>
    wireTo(home, async (_call, status, _ms, said) => void told.push({ status, ...said }), 200)
  const ask = (reads: 'json' | 'query' = 'json') =>
    wire().ask('call', '/x', { json: {}, reads }, (body) => ({
      code: String(body.code),
      words: String(body.words ?? ''),
    }))

  test('an answer that can be read is one', async () => {
    answer = { status: 200, type: 'application/json', body: '{"code":0}' }
    expect(await ask()).toEqual({ code: 0 })
    answer = { status: 400, type: 'application/json', body: '[{"code":1}]' }
    expect(await ask()).toEqual({ rows: [{ code: 1 }] })
    answer = { status: 200, type: 'text/html', body: 'CCode=0&Order=%D7%90' }
    expect(await ask('query')).toEqual({ CCode: '0', Order: 'א' })
  })

  test.each([
    [
      'a page in the letters of old Windows',
      {
        status: 200,
        type: 'text/html; charset=windows-1255',
        body: Buffer.from([0x3c, 0xf9, 0xe2, 0xe9, 0xe0, 0xe4]),
      },
    ],
    ['an outage', { status: 503, type: 'application/json', body: '{"code":902}' }],
    ['half an answer', { status: 200, type: 'application/json', body: '{"code":' }],
    ['a redirection', { status: 302, type: 'text/html', body: '' }],
    ['too late an answer', { status: 200, type: 'application/json', body: '{"code":0}', waitMs: 600 }],
  ])('%s is a silence after which anything may have happened', async (_name, given) => {
    answer = given
    await expect(ask()).rejects.toMatchObject({ wasSent: true })
    await expect(ask()).rejects.toBeInstanceOf(AcquirerAway)
  })

  test('what found no door never left us', async () => {
    const gone = createServer()
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done))
    const { port } = gone.address() as AddressInfo
    await new Promise((done) => gone.close(done))
    const closed = wireTo(`http://127.0.0.1:${port}`, async () => {}, 200)
    await expect(closed.ask('call', '/x', {}, () => ({ code: '' }))).rejects.toMatchObject({ wasSent: false })
  })

  test('an answer and a refusal go on while the call cannot be written down', async () => {
    const away = wireTo(home, async () => Promise.reject(new Error('the database is away')), 200)
    answer = { status: 200, type: 'application/json', body: '{"code":0}' }
    expect(await away.ask('call', '/x', { json: {} }, () => ({ code: '0' }))).toEqual({ code: 0 })
    answer = { status: 500, type: 'text/html', body: 'x' }
    await expect(away.ask('call', '/x', { json: {} }, () => ({ code: '' }))).rejects.toBeInstanceOf(
      AcquirerAway,
    )
  })

  test('of a call its code and words are kept, and no number of a card', async () => {
    told.length = 0
    answer = {
      status: 200,
      type: 'application/json',
      body: '{"code":"33","words":"card 4580-4580 4580 4580 refused","token":"secret-token"}',
    }
    await ask()
    expect(told).toEqual([{ status: 200, code: '33', words: 'card … refused' }])
  })
})

test('a second test terminal, ranges that overlap, and one that was used are refused', async () => {
  const { id } = (await shop.call(listTerminals, {})).rows[0]!
  await expect(shop.call(addTerminal, { gateway: 'test' })).rejects.toMatchObject({
    status: 409,
    code: 'acquirers.onlyOne',
  })
  const change = (more: object) => shop.call(changeTerminal, { id, ...more })
  for (const [more, path] of [
    [{ fromAgorot: 1_000, toAgorot: 1_000 }, 'toAgorot'],
    [
      {
        instalments: [
          { fromAgorot: 1_000, most: 2 },
          { fromAgorot: 1_000, most: 3 },
        ],
      },
      'instalments',
    ],
  ] as const)
    await expect(change(more)).rejects.toMatchObject({
      status: 422,
      errors: [{ path, code: 'acquirers.overlap' }],
    })
  await change({ fromAgorot: 1_000, toAgorot: 1_001 })
  await change({ fromAgorot: null, toAgorot: null })
  await pay(await begin((await makeLink()).url))
  await expect(shop.call(dropTerminal, { id })).rejects.toMatchObject({
    status: 409,
    code: 'acquirers.used',
  })
})
