import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { sweepShop } from './server/sweep.ts'
import type { ShopRow } from './server/engine/rows.ts'

let world: World
let owner: Business
let companyId: string
const today = dayInJerusalem(new Date())

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await newBusiness(world)
  companyId = (await owner.call(mySession, {})).CompanyKey
})

const query = <T>(text: ReturnType<typeof sql<T>>) =>
  text.execute(world.app.db.kysely).then(({ rows }) => rows)
const documents = () =>
  query(sql<{
    id: string
    type: number
    total_agorot: number
    currency: string
    zero_rate: boolean
  }>`select id, type, total_agorot, currency, zero_rate from documents
    where company_id = ${companyId} and status <> 'draft' order by id`)

const mapping = {
  id: 'id',
  number: 'number',
  version: 'version',
  paid: 'status',
  day: 'day',
  currency: 'currency',
  total: 'total',
  discount: 'discount',
  rounding: 'rounding',
  vat: 'vat',
  giftCard: 'gift',
  name: 'buyer.name',
  email: 'buyer.email',
  taxId: 'buyer.taxId',
  city: 'buyer.city',
  country: 'buyer.country',
  shipping: 'shipping',
  lines: 'items',
  lineName: 'name',
  lineQuantity: 'quantity',
  lineTotal: 'total',
  lineVat: 'vat',
  refunds: 'refunds',
  refundId: 'id',
  refundAmount: 'amount',
} as const

const order = (more: Record<string, unknown> = {}) => ({
  id: 'A-1',
  number: '1001',
  version: 1,
  status: 'paid',
  day: today,
  currency: 'ILS',
  total: '117.00',
  buyer: { name: 'רות כהן', email: 'ruth@example.com' },
  items: [{ name: 'ספר', quantity: 2, total: '117.00' }],
  ...more,
})

async function generic(settings: Record<string, unknown> = {}) {
  const shop = await owner.call(calls.createShop, {
    kind: 'generic',
    name: 'אתר',
    settings: { send: 'none', ...settings } as never,
  })
  return owner.call(calls.changeShop, { id: shop.id, mapping })
}
const send = (shop: { address: string }, body: unknown, headers: Record<string, string> = {}) =>
  world.http.inject({
    method: 'POST',
    url: new URL(shop.address).pathname,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
const one = async (shop: { id: string }) => {
  const { rows } = await owner.call(calls.listOrders, { id: shop.id })
  return owner.call(calls.getOrder, { id: rows[0]!.id })
}

describe('an order that is paid', () => {
  test('becomes one invoice receipt of what was paid, however often it is sent', async () => {
    const shop = await generic()
    for (let i = 0; i < 3; i++)
      expect((await send(shop, order())).json()).toEqual({ done: true, state: 'issued' })
    expect(await documents()).toMatchObject([{ type: 9, total_agorot: 11_700 }])
    expect(await one(shop)).toMatchObject({
      state: 'issued',
      number: '1001',
      document: { type: 9 },
      totalAgorot: 11_700,
    })
  })

  test('is of the customer whose mobile it gives, however either wrote it', async () => {
    const shop = await generic()
    await owner.call(calls.changeShop, { id: shop.id, mapping: { ...mapping, phone: 'buyer.phone' } })
    const known = await owner.customer('רות', { mobile: '050-123 4567' })
    await send(shop, order({ buyer: { name: 'Ruth', phone: '+972 50 1234567' } }))
    const { document } = await one(shop)
    expect(await owner.call(getDocument, { id: document!.id })).toMatchObject({ customerId: known.id })
  })

  test('waits while it is not paid, and is not unpaid by a notice that comes late', async () => {
    const shop = await generic()
    expect((await send(shop, order({ status: 'pending' }))).json()).toMatchObject({ state: 'new' })
    expect(await documents()).toEqual([])
    expect((await send(shop, order({ version: 3 }))).json()).toMatchObject({ state: 'issued' })
    expect((await send(shop, order({ version: 2, status: 'pending', total: '1.00' }))).json()).toMatchObject({
      state: 'issued',
    })
    expect(await one(shop)).toMatchObject({ state: 'issued', totalAgorot: 11_700 })
  })

  test('of a business is a tax invoice with its receipt', async () => {
    const shop = await generic()
    await send(shop, order({ buyer: { name: 'חברה', taxId: '514000005' } }))
    const made = await documents()
    expect(made.map(({ type, total_agorot }) => [type, total_agorot])).toEqual([
      [8, 11_700],
      [6, 11_700],
    ])
    expect((await owner.call(getDocument, { id: made[0]!.id })).status).toBe('closed')
    await send(
      shop,
      order({ version: 2, buyer: { name: 'חברה', taxId: '514000005' }, refunds: [{ id: 1, amount: 17 }] }),
    )
    expect((await documents()).map(({ type, total_agorot }) => [type, total_agorot])).toEqual([
      [8, 11_700],
      [6, 11_700],
      [10, 1_700],
      [6, -1_700],
    ])
  })

  test('takes the discount off its goods, adds shipping, and knows a gift card as money', async () => {
    const shop = await generic()
    await send(
      shop,
      order({
        total: '100.00',
        discount: '17.01',
        shipping: '20.00',
        gift: '40.00',
        rounding: '0.01',
        items: [
          { name: 'א', quantity: 3, total: '50.00' },
          { name: 'ב', quantity: 1, total: '47.00' },
        ],
      }),
    )
    const [made] = await documents()
    const paper = await owner.call(getDocument, { id: made!.id })
    expect(paper.totals.totalAgorot).toBe(10_000)
    expect(paper.payments.map(({ means, amountAgorot }) => [means, amountAgorot])).toEqual([
      [8, 4_000],
      [4, 6_000],
    ])
    expect(paper.lines.map(({ totalAgorot }) => totalAgorot).reduce((a, b) => a + b)).toBe(9_999)
    // It was taken in trust when it was sold.
    const held = await query(
      sql<{
        sum: number
      }>`select p.amount_agorot as sum from postings p join accounts a on a.company_id = p.company_id
          and a.id = p.account_id
        join entries e on e.company_id = p.company_id and e.id = p.entry_id where e.document_id = ${made!.id}
          and a.number = '2310'`,
    )
    expect(held).toEqual([{ sum: 4_000 }])
  })

  test('at zero rate goes to Eilat or abroad by a rule, and otherwise waits for a person who can add the rule', async () => {
    const shop = await generic()
    const eilat = order({ vat: 0, buyer: { name: 'דן', city: 'אילת', country: 'IL' } })
    expect((await send(shop, eilat)).json()).toMatchObject({ state: 'trouble' })
    const bad = await one(shop)
    expect(bad).toMatchObject({ trouble: 'untaxed', document: null })
    await owner.call(calls.changeShop, { id: shop.id, settings: { zeroEilat: true } })
    expect(await owner.call(calls.againOrder, { id: shop.id, orderId: bad.id })).toMatchObject({
      state: 'issued',
      trouble: null,
    })
    expect(await documents()).toMatchObject([{ zero_rate: true, total_agorot: 11_700 }])
  })

  test('in a foreign currency goes by the rate of its day, and waits for one', async () => {
    const shop = await generic()
    expect((await send(shop, order({ currency: 'USD' }))).json()).toMatchObject({ state: 'trouble' })
    expect(await one(shop)).toMatchObject({ trouble: 'noRate' })
    await query(
      sql`insert into exchange_rates (currency, day, rate) values ('USD', ${addDays(today, -1)}, 3.7)
        on conflict do nothing`,
    )
    const bad = await one(shop)
    await owner.call(calls.againOrder, { id: shop.id, orderId: bad.id })
    const [made] = await documents()
    expect(made).toMatchObject({ currency: 'USD', total_agorot: 11_700 })
    await query(sql`delete from exchange_rates where currency = 'USD' and rate = 3.7`)
  })

  test.each([
    ['sum', { total: '200.00' }, { differenceAgorot: 8_300 }],
    ['tax', { vat: '5.00' }, {}],
    ['line', { items: [{ name: 'x', quantity: -1, total: '117.00' }] }, {}],
    ['currency', { currency: 'שקל' }, {}],
    ['noRate', { currency: 'KPW' }, {}],
    ['nothingPaid', { total: 0, items: [{ name: 'x', quantity: 1, total: 0 }] }, {}],
  ])('is in trouble by name: %s', async (code, more, has) => {
    const shop = await generic()
    expect((await send(shop, order(more))).json()).toMatchObject({ state: 'trouble' })
    expect(await one(shop)).toMatchObject({ trouble: code, document: null, ...has })
    expect(await documents()).toEqual([])
  })

  test('before the day that was set, or on trial, or cancelled, gets none', async () => {
    const shop = await generic()
    expect((await send(shop, order({ day: addDays(today, -3) }))).json()).toMatchObject({ state: 'ignored' })
    expect((await send(shop, order({ id: 'A-2', status: 'cancelled' }))).json()).toMatchObject({
      state: 'ignored',
    })
    expect(await documents()).toEqual([])
  })

  test('of an exempt dealer gets a receipt, and a part given back a receipt turned round', async () => {
    owner = await newBusiness(world, { kind: 'exemptDealer' })
    companyId = (await owner.call(mySession, {})).CompanyKey
    const shop = await generic()
    await send(shop, order({ refunds: [{ id: 'r', amount: '17.00' }] }))
    expect((await documents()).map(({ type, total_agorot }) => [type, total_agorot])).toEqual([
      [6, 11_700],
      [6, -1_700],
    ])
  })

  test('that was changed after its document says by how much, and a person can leave it', async () => {
    const shop = await generic()
    await send(shop, order())
    await send(
      shop,
      order({ version: 2, total: '150.00', items: [{ name: 'ספר', quantity: 2, total: '150.00' }] }),
    )
    const changed = await one(shop)
    expect(changed).toMatchObject({
      state: 'trouble',
      trouble: 'edited',
      differenceAgorot: 3_300,
      document: { type: 9 },
    })
    const { rows: days } = await owner.call(calls.listDays, { id: shop.id })
    expect(days).toMatchObject([
      { shopAgorot: 15_000, booksAgorot: 11_700, differenceAgorot: 3_300, trouble: 1 },
    ])
    const { id: otherShop } = await generic()
    for (const call of [
      () => owner.call(calls.ignoreOrder, { id: otherShop, orderId: changed.id, note: 'הופק ידנית' }),
      () => owner.call(calls.againOrder, { id: otherShop, orderId: changed.id }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 })
    expect(await one(shop)).toMatchObject({ state: 'trouble', note: '' })
    expect(
      await owner.call(calls.ignoreOrder, { id: shop.id, orderId: changed.id, note: 'הופק ידנית' }),
    ).toMatchObject({
      state: 'ignored',
      note: 'הופק ידנית',
    })
    await expect(
      owner.call(calls.ignoreOrder, { id: shop.id, orderId: changed.id, note: 'שוב' }),
    ).rejects.toMatchObject({
      code: 'shops.notInTrouble',
    })
  })
})

describe('a refund', () => {
  test('is one credit, told twice or before its order is paid', async () => {
    const shop = await generic()
    const refunds = [{ id: 7, amount: '17.00' }]
    await send(shop, order({ status: 'pending', refunds }))
    expect(await documents()).toEqual([])
    await send(shop, order({ version: 2, refunds }))
    await send(shop, order({ version: 2, refunds }))
    expect((await documents()).map(({ type, total_agorot }) => [type, total_agorot])).toEqual([
      [9, 11_700],
      [10, 1_700],
      [6, -1_700],
    ])
    expect(await one(shop)).toMatchObject({
      refundedAgorot: 1_700,
      refunds: [{ state: 'issued', credit: { type: 10 } }],
    })
  })

  test('of everything is the whole credit; above what is left it waits', async () => {
    const shop = await generic()
    await send(shop, order({ refunds: [{ id: 1, amount: '117.00' }] }))
    expect((await documents()).map(({ type, total_agorot }) => [type, total_agorot])).toEqual([
      [9, 11_700],
      [10, 11_700],
      [6, -11_700],
    ])
    await send(
      shop,
      order({
        version: 2,
        refunds: [
          { id: 1, amount: '117.00' },
          { id: 2, amount: '5.00' },
        ],
      }),
    )
    expect(await one(shop)).toMatchObject({
      hasRefundTrouble: true,
      refunds: [{ state: 'issued' }, { state: 'trouble', trouble: 'refundAbove' }],
    })
    expect(await documents()).toHaveLength(3)
  })

  test('in parts that come to the whole leaves nothing to credit', async () => {
    const shop = await generic()
    const parts = [
      { id: 1, amount: '33.33' },
      { id: 2, amount: '33.33' },
      { id: 3, amount: '50.34' },
    ]
    for (let n = 1; n <= 3; n++) await send(shop, order({ version: n, refunds: parts.slice(0, n) }))
    const { rows } = await owner.call(calls.listDays, { id: shop.id })
    expect(rows).toMatchObject([{ shopAgorot: 0, booksAgorot: 0, differenceAgorot: 0 }])
  })
})

describe('what a stranger sends', () => {
  test('is refused without its key or its signature, and understood or told what is missing', async () => {
    const shop = await generic()
    expect((await send({ address: 'http://x/api2/invoice/shop/nothing' }, order())).statusCode).toBe(404)
    expect((await send(shop, '{"id":')).json()).toMatchObject({ code: 'kit.badJson' })
    expect((await send(shop, '[]')).statusCode).toBe(400)
    expect((await send(shop, order({ total: 'many' }))).json()).toMatchObject({
      code: 'shops.badOrder',
      errors: [{ path: 'order.total' }],
    })
    expect(
      (
        await send(
          shop,
          order({ items: Array.from({ length: 501 }, () => ({ name: 'x', quantity: 1, total: 1 })) }),
        )
      ).statusCode,
    ).toBe(422)
    const { secret } = await owner.call(calls.signShop, { id: shop.id })
    expect((await send(shop, order())).statusCode).toBe(401)
    const body = JSON.stringify(order())
    expect((await send(shop, body, { 'x-pinkas-signature': 'f'.repeat(64) })).statusCode).toBe(401)
    const signature = createHmac('sha256', secret!).update(body).digest('hex')
    expect((await send(shop, `${body} `, { 'x-pinkas-signature': signature })).statusCode).toBe(401)
    expect((await send(shop, body, { 'x-pinkas-signature': signature })).json()).toMatchObject({
      state: 'issued',
    })
    await owner.call(calls.changeShop, { id: shop.id, on: false })
    expect((await send(shop, body, { 'x-pinkas-signature': signature })).statusCode).toBe(409)
    const { rows } = await owner.call(calls.listNotices, { id: shop.id })
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'off',
      'taken',
      'badSignature',
      'badSignature',
      'badSignature',
      'badOrder',
      'badOrder',
      'badJson',
      'badJson',
    ])
  })

  test('with a million deep or with names of the language harms nothing', async () => {
    const shop = await generic()
    expect((await send(shop, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).statusCode).toBeLessThan(500)
    expect(
      (await send(shop, '{"__proto__":{"total":1},"constructor":{"prototype":{}},"id":"x"}')).statusCode,
    ).toBe(422)
    expect(
      (await send(shop, order({ buyer: { name: '=HYPERLINK("x")\u202e', email: 'not a mail' } }))).json(),
    ).toMatchObject({
      state: 'issued',
    })
  })

  test('of another business is not seen', async () => {
    const shop = await generic()
    await send(shop, order())
    const { id } = await one(shop)
    const other = await newBusiness(world)
    await expect(other.call(calls.getOrder, { id })).rejects.toMatchObject({ status: 404 })
    await expect(other.call(calls.listOrders, { id: shop.id })).rejects.toMatchObject({ status: 404 })
    await expect(other.call(calls.againOrder, { id: shop.id, orderId: id })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('a pasted sample', () => {
  test('is understood by its names and shows the document it would be, leaving nothing behind', async () => {
    const shop = await owner.call(calls.createShop, { kind: 'generic', name: 'אתר', settings: {} })
    const sample = JSON.stringify({
      id: 55,
      order_number: '55',
      status: 'paid',
      total: 59,
      currency: 'ILS',
      customer: { name: 'Dana', email: 'dana@example.com' },
      items: [{ name: 'Mug', qty: 1, price: '59.00' }],
    })
    const tried = await owner.call(calls.trySample, { id: shop.id, sample })
    expect(tried).toMatchObject({
      missing: null,
      trouble: null,
      paper: { type: 9, totalAgorot: 5_900, vatAgorot: 900 },
    })
    expect(tried.mapping).toMatchObject({
      id: 'id',
      lines: 'items',
      linePrice: 'price',
      email: 'customer.email',
    })
    expect(await documents()).toEqual([])
    expect((await owner.get('/api4/invoice/customers')).rows).toEqual([])
    expect(await owner.call(calls.trySample, { id: shop.id, sample: '{"id":1}' })).toMatchObject({
      missing: 'total',
      paper: null,
    })
    await expect(owner.call(calls.trySample, { id: shop.id, sample: 'nothing' })).rejects.toMatchObject({
      errors: [{ path: 'sample', code: 'kit.badJson' }],
    })
  })
})

describe('the night', () => {
  /** The mails with a link to a shop. */
  const mailsOf = async (id: string) => {
    const folder = join(world.app.settings.dataDir, 'mail')
    const all = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name))) : []
    const mails = await Promise.all(all.map((mail) => PostalMime.parse(mail)))
    return mails.filter(({ text }) => text?.includes(`/invoice/shops/${id}`))
  }
  const night = async (id: string) => {
    const [row] = await query(sql<ShopRow>`select * from shops where id = ${id}`)
    await sweepShop(world.app, row!)
    await world.worker.drain()
  }
  const lateDay = addDays(today, -1)
  const earlyDay = addDays(today, -2)

  test('takes up what waits, and tells once what differs', async () => {
    const shop = await generic({ fromDay: addDays(today, -10) })
    await send(shop, order({ day: earlyDay }))
    await send(shop, order({ id: 'A-2', number: '1002', day: lateDay, total: '200.00' }))
    await night(shop.id)
    await night(shop.id)
    const mails = await mailsOf(shop.id)
    expect(mails.map(({ to }) => to?.[0]?.address)).toEqual([owner.email])
    const text = mails[0]!.text!
    expect(text).toContain(formatDay(lateDay))
    expect(text).not.toContain(formatDay(earlyDay))
  })

  test('sends no mail when every day agrees', async () => {
    const shop = await generic({ fromDay: addDays(today, -10) })
    await send(shop, order({ day: lateDay }))
    await night(shop.id)
    expect(await documents()).toHaveLength(1)
    expect(await mailsOf(shop.id)).toEqual([])
  })

  test('sends no mail when the shop does not want it', async () => {
    const shop = await generic({ daily: false, fromDay: addDays(today, -10) })
    await send(shop, order({ day: lateDay, total: '200.00' }))
    await night(shop.id)
    expect((await owner.call(calls.listDays, { id: shop.id })).rows).toMatchObject([
      { differenceAgorot: 20_000 },
    ])
    expect(await mailsOf(shop.id)).toEqual([])
  })
})

describe('rights', () => {
  test('connecting and issuing are apart', async () => {
    const shop = await generic()
    const answer = await raw(world, calls.createShop, { kind: 'generic', name: 'x' }, {})
    expect(answer.statusCode).toBe(401)
    await expect(
      owner.call(calls.changeShop, { id: shop.id, settings: { branch: '<b>' } as never }),
    ).rejects.toMatchObject({ status: 422 })
    await expect(
      owner.call(calls.changeShop, { id: shop.id, mapping: { total: '../../x' } as never }),
    ).rejects.toMatchObject({
      status: 422,
    })
  })
})

test('the thirty-first shop is refused', async () => {
  const another = (n: number) => owner.call(calls.createShop, { kind: 'generic', name: `אתר ${n}` })
  for (let n = 1; n <= 30; n++) await another(n)
  await expect(another(31)).rejects.toMatchObject({ status: 422, code: 'shops.tooMany' })
})
