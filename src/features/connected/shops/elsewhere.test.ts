import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayInJerusalem } from '#domain/day.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { isShopifyReturn, isShopifySigned } from './server/doors/shopify.ts'
import { standingShop } from './server/doors/shopifySimulator.ts'
import { readWixInstance } from './server/doors/wix.ts'
import { standingSite } from './server/doors/wixSimulator.ts'
import type { ShopRow } from './server/engine/rows.ts'
import { sweepShop } from './server/sweep.ts'

const secret = 'hush'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const today = dayInJerusalem(new Date())

let world: World
let owner: Business
let companyId: string
let n = 0
beforeAll(async () => {
  world = await startWorld()
  const app = { mode: 'simulator' as const, clientId: 'app-1', clientSecret: secret }
  world.app.settings.shopify = app
  world.app.settings.wix = { ...app, publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string }
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await newBusiness(world)
  companyId = (await owner.call(mySession, {})).CompanyKey
})

const papers = async () =>
  (
    await sql<{
      type: number
      total_agorot: number
    }>`select type, total_agorot from documents where company_id = ${companyId} and status <> 'draft'
      order by id`.execute(world.app.db.kysely)
  ).rows.map(({ type, total_agorot }) => [type, total_agorot])
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

async function shopify() {
  const name = `shop-${++n}.myshopify.com`
  const { url } = await owner.call(calls.beginTie, { kind: 'shopify', shop: name })
  const { shop } = await owner.call(calls.endTie, { kind: 'shopify', query: queryOf(url) })
  await owner.call(calls.changeShop, { id: shop.id, settings: { send: 'none' } })
  return { shop, name, standing: standingShop(name) }
}

const order = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  name: `#${id}`,
  updated_at: `${today}T10:00:00+02:00`,
  processed_at: `${today}T09:00:00+02:00`,
  financial_status: 'paid',
  currency: 'ILS',
  taxes_included: true,
  total_price: '150.00',
  total_tax: '22.88',
  email: 'dana@example.com',
  billing_address: { name: 'Dana Cohen', city: 'Haifa', country_code: 'IL' },
  line_items: [
    {
      title: 'Mug',
      quantity: 2,
      price: '60.00',
      discount_allocations: [{ amount: '10.00' }],
      tax_lines: [{ price: '16.78' }],
    },
    { title: 'Tea', quantity: 1, price: '20.00', discount_allocations: [], tax_lines: [{ price: '3.05' }] },
  ],
  shipping_lines: [{ title: 'Courier', price: '20.00', tax_lines: [{ price: '3.05' }] }],
  transactions: [
    { kind: 'sale', status: 'success', gateway: 'gift_card', amount: '50.00' },
    { kind: 'sale', status: 'success', gateway: 'shopify_payments', amount: '100.00', authorization: 'ch_1' },
  ],
  refunds: [],
  ...more,
})

const notice = (
  name: string,
  topic: string,
  body: unknown,
  { id = `${Math.random()}`, key = secret } = {},
) => {
  const text = JSON.stringify(body)
  return world.http.inject({
    method: 'POST',
    url: '/api2/invoice/shopify',
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': name,
      'x-shopify-webhook-id': id,
      'x-shopify-hmac-sha256': createHmac('sha256', key).update(text).digest('base64'),
    },
    payload: text,
  })
}

describe('signatures', () => {
  test('of Shopify are those its documentation prints', () => {
    const code = '0907a61c0c8d55e99db179b68161bc00'
    const asked = { code, shop: 'some-shop.myshopify.com', timestamp: '1337178173' }
    expect(
      isShopifyReturn('hush', {
        ...asked,
        hmac: '4712bf92ffc2917d15a2f5a273e39f0116667419aa4b6ac0b3baaf26fa3c4d20',
      }),
    ).toBe(true)
    const withState = {
      ...asked,
      state: '0.6784241404160823',
      hmac: '700e2dadb827fcc8609e9d5ce208b2e9cdaab9df07390d2cbca10d7c328fc4bf',
    }
    expect(isShopifyReturn('hush', withState)).toBe(true)
    expect(isShopifyReturn('hush', { ...withState, shop: 'other-shop.myshopify.com' })).toBe(false)
    expect(isShopifyReturn('hush', asked)).toBe(false)
  })

  test('of notices of Shopify are those that others worked out', () => {
    // Shopify prints none of a notice. RFC 4231, case 2; the example of the gist joyrexus/946ea887 (a maker
    // of such signatures); the case that the tests of SQLPage keep of a notice.
    const known = [
      [
        'Jefe',
        'what do ya want for nothing?',
        Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString(
          'base64',
        ),
      ],
      ['secret', 'foo', 'dzukRpPHVT1u4g9h6l0nV6mk9KRNKEGuTpW1LkzWLbQ='],
      [
        'test-webhook-secret',
        '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
        'QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=',
      ],
    ] as const
    for (const [key, body, signature] of known) {
      expect(isShopifySigned(key, Buffer.from(body), signature)).toBe(true)
      expect(isShopifySigned(key, Buffer.from(`${body} `), signature)).toBe(false)
      expect(isShopifySigned(`${key}2`, Buffer.from(body), signature)).toBe(false)
    }
  })

  test('of a frame of Wix are those its documentation prints', () => {
    // Of Wix's page "Using the Signed App Instance", with the secret it shows; the specs of the gem
    // Wix::Apps::SignedInstance keep all three.
    const shown = 'd245bbf8-57eb-49d6-aeff-beff6d82cd39'
    const site = '9f9c5c16-59c8-4708-8c25-855505daa954'
    const said = (signDate: string, uid: string | null, permissions: string | null) =>
      Buffer.from(JSON.stringify({ instanceId: site, signDate, uid, permissions })).toString('base64url')
    const user = '29d8204a-3b82-4a98-8d86-2464a6b836da'
    const known = [
      ['naQKltLRVJwLVN90qQYpmmyzkVqFIH0hpvETYuivA1U', '2012-08-08T19:47:31.624Z', null, null],
      ['K78r2uwAQbvA68u-bXxn2cdIUFMZIp8v9XfA_hd-iyo', '2012-08-08T22:10:56.875Z', user, null],
      ['AjQ3BniGXfSOjKw4ej_V0kh4-WF5eB2IRnbvsak9kwc', '2012-08-08T22:12:16.589Z', user, 'OWNER'],
    ] as const
    for (const [signature, at, uid, permissions] of known) {
      const instance = `${signature}.${said(at, uid, permissions)}`
      expect(readWixInstance(shown, instance)).toEqual({
        instanceId: site,
        isOwner: permissions === 'OWNER',
        signedAt: new Date(at),
      })
      expect(
        readWixInstance(
          shown,
          instance.replace(signature, known[0][0] === signature ? known[1][0] : known[0][0]),
        ),
      ).toBeUndefined()
    }
  })

  test('of a frame of Wix hold, and one sign changed does not', () => {
    const data = Buffer.from(
      JSON.stringify({ instanceId: 'i', signDate: '2026-11-25T10:00:00.000Z', permissions: 'OWNER' }),
    ).toString('base64url')
    const signature = createHmac('sha256', secret).update(data).digest('base64url')
    expect(readWixInstance(secret, `${signature}.${data}`)).toMatchObject({ instanceId: 'i', isOwner: true })
    expect(readWixInstance(secret, `${signature}.${data}A`)).toBeUndefined()
    expect(readWixInstance('other', `${signature}.${data}`)).toBeUndefined()
    expect(readWixInstance(secret, data)).toBeUndefined()
  })
})

describe('a shop at Shopify', () => {
  test('is connected by its consent, once, by whoever began, and to one business', async () => {
    const { url } = await owner.call(calls.beginTie, { kind: 'shopify', shop: `once-${++n}` })
    const query = queryOf(url)
    const other = await newBusiness(world)
    await expect(other.call(calls.endTie, { kind: 'shopify', query })).rejects.toMatchObject({
      code: 'shops.tieEnded',
    })
    await expect(
      owner.call(calls.endTie, { kind: 'shopify', query: { ...query, shop: 'x.myshopify.com' } }),
    ).rejects.toMatchObject({
      code: 'shops.tieEnded',
    })
    const { shop } = await owner.call(calls.endTie, { kind: 'shopify', query })
    expect(shop).toMatchObject({ kind: 'shopify', state: 'on', outsideId: query.shop })
    expect([...standingShop(query.shop!).topics.keys()]).toEqual([
      'orders/paid',
      'orders/updated',
      'refunds/create',
      'app/uninstalled',
    ])
    await expect(owner.call(calls.endTie, { kind: 'shopify', query })).rejects.toMatchObject({
      code: 'shops.tieEnded',
    })
    const again = await other.call(calls.beginTie, { kind: 'shopify', shop: query.shop! })
    await expect(
      other.call(calls.endTie, { kind: 'shopify', query: queryOf(again.url) }),
    ).rejects.toMatchObject({ code: 'shops.taken' })
    for (const bad of ['evil.example', 'a.myshopify.com.evil.example', '../x', ''])
      await expect(owner.call(calls.beginTie, { kind: 'shopify', shop: bad })).rejects.toMatchObject({
        errors: [{ code: 'shops.badAddress' }],
      })
  })

  test('tells of an order, which is asked for and becomes one document with its gift card as money', async () => {
    const { shop, name, standing } = await shopify()
    standing.orders.set('501', order(501))
    for (const id of ['w1', 'w1', 'w2'])
      expect((await notice(name, 'orders/paid', { id: 501, total_price: '1.00' }, { id })).statusCode).toBe(
        200,
      )
    await world.worker.drain()
    expect(await papers()).toEqual([[9, 15_000]])
    standing.orders.set(
      '501',
      order(501, {
        updated_at: `${today}T11:00:00+02:00`,
        financial_status: 'partially_refunded',
        refunds: [
          {
            id: 9,
            processed_at: `${today}T11:00:00+02:00`,
            transactions: [{ kind: 'refund', status: 'success', amount: '20.00' }],
          },
        ],
      }),
    )
    await notice(name, 'refunds/create', { id: 9, order_id: 501 })
    await notice(name, 'refunds/create', { id: 9, order_id: 501 })
    await world.worker.drain()
    expect(await papers()).toEqual([
      [9, 15_000],
      [10, 2_000],
      [6, -2_000],
    ])
    const { rows } = await owner.call(calls.listNotices, { id: shop.id })
    expect(rows.filter(({ topic }) => topic === 'orders/paid')).toHaveLength(2)
    // The shop was asked once for each notice, however often it arrived.
    expect(rows.filter(({ topic }) => topic === 'asked')).toHaveLength(4)
  })

  test('whose notice is not signed, or of no shop of ours, changes nothing', async () => {
    const { name, standing } = await shopify()
    standing.orders.set('502', order(502))
    expect((await notice(name, 'orders/paid', { id: 502 }, { key: 'other' })).statusCode).toBe(401)
    expect((await notice('strange.myshopify.com', 'orders/paid', { id: 502 })).statusCode).toBe(200)
    expect((await notice(name, 'orders/paid', { id: '../../x' })).statusCode).toBe(200)
    await world.worker.drain()
    expect(await papers()).toEqual([])
  })

  test('that told nothing is gone over at night, page by page; one that is away keeps its word of it', async () => {
    const { shop, standing } = await shopify()
    for (const id of [601, 602, 603]) standing.orders.set(String(id), order(id))
    const row = async () =>
      (await sql<ShopRow>`select * from shops where id = ${shop.id}`.execute(world.app.db.kysely)).rows[0]!
    standing.mood = 'busy'
    await sweepShop(world.app, await row())
    expect((await row()).last_error).toBe('HTTP 429')
    standing.mood = 'well'
    await sweepShop(world.app, await row())
    expect(await papers()).toEqual([
      [9, 15_000],
      [9, 15_000],
      [9, 15_000],
    ])
    expect((await row()).last_error).toBe('')
  })

  test('clears the buyer of the orders a redaction names, and of all orders when the shop is removed', async () => {
    const { shop, name, standing } = await shopify()
    for (const id of [801, 802, 803]) {
      standing.orders.set(String(id), order(id))
      await notice(name, 'orders/paid', { id })
    }
    await world.worker.drain()
    const known = async () => {
      const { rows } = await sql<{ id: string; email: string; raw: string }>`select external_id as id,
          content->'customer'->>'email' as email, raw::text as raw from shop_orders
        where shop_id = ${shop.id} order by external_id`.execute(world.app.db.kysely)
      for (const { email, raw } of rows) expect(email === '').toBe(raw === '{}')
      return rows.filter(({ email }) => email !== '').map(({ id }) => id)
    }
    for (const body of [{}, { orders_to_redact: [] }, { orders_to_redact: '801' }, { orders_to_redact: [9] }])
      await notice(name, 'customers/redact', body)
    expect(await known()).toEqual(['801', '802', '803'])
    await notice(name, 'customers/redact', { orders_to_redact: [802] })
    expect(await known()).toEqual(['801', '803'])
    await notice(name, 'shop/redact', {})
    expect(await known()).toEqual([])
  })

  test('that takes the app out loses its token, and what it tells of people is blotted out', async () => {
    const { shop, name, standing } = await shopify()
    standing.orders.set('701', order(701))
    await notice(name, 'orders/paid', { id: 701 })
    await world.worker.drain()
    await notice(name, 'customers/redact', { orders_to_redact: [701] })
    const { rows } =
      await sql`select customer, raw::text as raw, content->'customer'->>'email' as email from shop_orders
        where shop_id = ${shop.id}`.execute(world.app.db.kysely)
    expect(rows).toEqual([{ customer: '', raw: '{}', email: '' }])
    await notice(name, 'app/uninstalled', {})
    expect((await owner.call(calls.listShops, {})).rows[0]).toMatchObject({ state: 'gone' })
    const { rows: kept } = await sql`select token_sealed from shops where id = ${shop.id}`.execute(
      world.app.db.kysely,
    )
    expect(kept).toEqual([{ token_sealed: null }])
    const back = await owner.call(calls.beginTie, { kind: 'shopify', shop: name })
    expect(
      (await owner.call(calls.endTie, { kind: 'shopify', query: queryOf(back.url) })).shop,
    ).toMatchObject({ id: shop.id, state: 'on' })
  })

  test('is set from inside Shopify by a token of its own, and of no other app, shop or time', async () => {
    const { name, shop, standing } = await shopify()
    const sign = (over: Record<string, unknown> = {}, key = secret, at = new Date()) =>
      new SignJWT({ dest: `https://${name}`, iss: `https://${name}/admin`, aud: 'app-1', ...over })
        .setProtectedHeader({ alg: 'HS256' })
        .setNotBefore(at)
        .setExpirationTime(new Date(at.getTime() + 60_000))
        .sign(new TextEncoder().encode(key))
    const opened = await owner.call(calls.openEmbedded, { kind: 'shopify', token: await sign() })
    expect(opened).toMatchObject({ settings: { send: 'none' } })
    const saved = await owner.call(calls.saveEmbedded, { pass: opened.pass, settings: { send: 'sms' } })
    expect(saved.settings).toMatchObject({ send: 'sms', paper: 'taxInvoiceReceipt' })
    for (const bad of [
      sign({ aud: 'app-2' }),
      sign({}, 'other'),
      sign({}, secret, new Date(Date.now() - 3_600_000)),
      sign({ dest: 'https://evil.example' }),
    ])
      await expect(
        owner.call(calls.openEmbedded, { kind: 'shopify', token: await bad }),
      ).rejects.toMatchObject({ code: 'shops.badToken' })
    // The press that tests the connection says what is wrong, and sets right what it can.
    const { pass } = opened
    const tested = async () =>
      (await owner.call(calls.testEmbedded, { pass })).checks.map(({ what, is, ok }) => [what, is, ok])
    const well = [
      ['reach', 'ok', true],
      ['told', 'ok', true],
      ['issues', 'ok', true],
      ['orders', 'ok', true],
    ]
    expect(await tested()).toEqual(well)
    standing.topics.delete('refunds/create')
    expect((await tested())[1]).toEqual(['told', 'mended', true])
    expect(await tested()).toEqual(well)
    standing.mood = 'down'
    expect((await tested())[0]).toEqual(['reach', 'away', false])
    standing.mood = 'gone'
    expect(await tested()).toEqual([['reach', 'refused', false], well[2], well[3]])
    standing.mood = 'well'
    await owner.call(calls.changeShop, { id: shop.id, on: false })
    expect((await tested())[2]).toEqual(['issues', 'off', false])
    await expect(owner.call(calls.testEmbedded, { pass: await sign() })).rejects.toMatchObject({
      code: 'shops.badToken',
    })
    await expect(owner.call(calls.saveEmbedded, { pass: await sign(), settings: {} })).rejects.toMatchObject({
      code: 'shops.badToken',
    })
    const page = await world.http.inject({ url: '/shopifypage', headers: { accept: 'text/html' } })
    expect(page.headers['content-security-policy']).toContain(
      'frame-ancestors https://*.myshopify.com https://admin.shopify.com',
    )
    expect(
      (await world.http.inject({ url: '/invoice/shops', headers: { accept: 'text/html' } })).headers[
        'content-security-policy'
      ],
    ).toContain("frame-ancestors 'none'")
  })
})

describe('a site at Wix', () => {
  test('is connected, tells by a signed token, and is set from its frame by its owner alone', async () => {
    const { url } = await owner.call(calls.beginTie, { kind: 'wix' })
    const { shop } = await owner.call(calls.endTie, { kind: 'wix', query: queryOf(url) })
    await owner.call(calls.changeShop, { id: shop.id, settings: { send: 'none' } })
    const amount = (sum: string) => ({ amount: sum })
    standingSite.orders.set('o-1', {
      id: 'o-1',
      number: '10001',
      updatedDate: `${today}T08:00:00Z`,
      purchasedDate: `${today}T08:00:00Z`,
      paymentStatus: 'PAID',
      currency: 'ILS',
      taxIncludedInPrices: true,
      priceSummary: { total: amount('118.00'), tax: amount('18.00'), discount: amount('12.00') },
      billingInfo: {
        contactDetails: { firstName: 'Omri', lastName: 'Gal' },
        address: { city: 'Tel Aviv', country: 'IL' },
      },
      lineItems: [
        {
          productName: { original: 'Lamp' },
          quantity: 1,
          price: amount('130.00'),
          totalPriceAfterTax: amount('118.00'),
          totalDiscount: amount('12.00'),
          taxDetails: { totalTax: amount('18.00') },
        },
      ],
    })
    standingSite.transactions.set('o-1', {
      payments: [{ amount: amount('118.00'), regularPaymentDetails: { status: 'APPROVED' } }],
      refunds: [],
    })
    const sign = (event: Record<string, unknown>, key = privateKey) =>
      new SignJWT({ data: JSON.stringify({ instanceId: 'simulated-site', ...event }) })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key)
    const send = async (body: string) =>
      world.http.inject({
        method: 'POST',
        url: '/api2/invoice/wix',
        headers: { 'content-type': 'text/plain' },
        payload: body,
      })
    const event = {
      eventType: 'wix.ecom.v1.order_payment_status_updated',
      data: JSON.stringify({ entityId: 'o-1' }),
    }
    expect((await send(await sign(event))).statusCode).toBe(200)
    expect((await send(await sign(event))).statusCode).toBe(200)
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    expect((await send(await sign(event, other))).statusCode).toBe(401)
    expect((await send('not a token')).statusCode).toBe(401)
    await world.worker.drain()
    expect(await papers()).toEqual([[9, 11_800]])
    const instance = (permissions: string, signDate = new Date().toISOString()) => {
      const data = Buffer.from(
        JSON.stringify({ instanceId: 'simulated-site', signDate, permissions }),
      ).toString('base64url')
      return `${createHmac('sha256', secret).update(data).digest('base64url')}.${data}`
    }
    const opened = await owner.call(calls.openEmbedded, { kind: 'wix', token: instance('OWNER') })
    expect(opened.settings.send).toBe('none')
    const tested = async () => (await owner.call(calls.testEmbedded, { pass: opened.pass })).checks
    expect(await tested()).toMatchObject([
      { is: 'ok' },
      { what: 'told', is: 'heard', at: expect.any(String) },
      { is: 'ok' },
      { is: 'ok' },
    ])
    standingSite.mood = 'down'
    expect((await tested())[0]).toMatchObject({ what: 'reach', is: 'away', ok: false })
    standingSite.mood = 'well'
    for (const bad of [instance(''), instance('OWNER', '2020-01-01T00:00:00Z')])
      await expect(owner.call(calls.openEmbedded, { kind: 'wix', token: bad })).rejects.toMatchObject({
        code: 'shops.badToken',
      })
  })
})

test('a tie that the shop refuses, one while it is away, and a secret for a shop that has its own', async () => {
  for (const [mood, status, code] of [
    ['gone', 409, 'shops.refused'],
    ['down', 503, 'shops.away'],
  ] as const) {
    const name = `${mood}-${++n}.myshopify.com`
    const { url } = await owner.call(calls.beginTie, { kind: 'shopify', shop: name })
    standingShop(name).mood = mood
    await expect(owner.call(calls.endTie, { kind: 'shopify', query: queryOf(url) })).rejects.toMatchObject({
      status,
      code,
    })
  }
  const { shop } = await shopify()
  await expect(owner.call(calls.signShop, { id: shop.id, off: false })).rejects.toMatchObject({
    status: 409,
    code: 'shops.otherKind',
  })
})
