import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import * as calls from './endpoints.ts'

const folder = join(root, 'clients', 'woocommerce')

interface Ran {
  sent: { url: string; headers: Record<string, string>; body: { order: Record<string, unknown> } }[]
  scheduled: [number, string, [number, number]][]
  log: string[]
  notes: string[]
  meta: Record<string, string>
  shown: Record<string, string>
  clean: Record<string, string>
  hooks: string[]
}

/** The plug-in over a recorded order, with an answer of Pinkas put in its hand. */
function run(recorded: string, answer: { status: number; body: unknown }): Ran {
  const file = join(mkdtempSync(join(tmpdir(), 'pinkas-wc-')), 'answer.json')
  writeFileSync(file, JSON.stringify(answer))
  return JSON.parse(
    execFileSync(
      'php',
      [join(folder, 'tests/run.php'), join(folder, `tests/recorded/${recorded}.json`), file],
      { encoding: 'utf8' },
    ),
  ) as Ran
}

let world: World
let owner: Business
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-25T14:00:00Z'))
  owner = await newBusiness(world)
})
afterAll(() => world.close())

const issued = {
  status: 200,
  body: {
    state: 'issued',
    trouble: null,
    hasRefundTrouble: false,
    document: { id: 'd1', type: 9, number: 1001 },
    urls: { page: 'https://pinkas.test/p/1', pdf: '' },
  },
}

test('the zip is what WordPress takes: one folder with the plug-in', async () => {
  const bytes = (await owner.call(calls.pluginFile, {})) as unknown as Buffer
  const names = Object.keys(unzipSync(new Uint8Array(bytes)))
  expect(names).toContain('pinkas-for-woocommerce/pinkas-for-woocommerce.php')
  expect(names.every((name) => name.startsWith('pinkas-for-woocommerce/'))).toBe(true)
  expect(names).toHaveLength(readdirSync(join(folder, 'pinkas-for-woocommerce/includes')).length + 1)
})

describe('the plug-in', () => {
  test('is put into the queue once, sends with its key, keeps the document and shows it', () => {
    const ran = run('coupon', issued)
    expect(ran.scheduled).toEqual([[0, 'pinkas_send_order', [7341, 0]]])
    expect(ran.sent[0]).toMatchObject({
      url: 'https://pinkas.test/api4/invoice/shops/01900000-0000-7000-8000-000000000000/orders',
      headers: { 'x-access-token': 'pk_test' },
      body: {
        order: {
          id: '7341',
          status: 'processing',
          total: '227.3',
          language: 'he',
          line_items: [{ name: 'ספל קרמיקה', sku: 'MUG-1' }, {}],
        },
      },
    })
    expect(ran.notes).toEqual(['Pinkas document 1001 was issued.'])
    expect(ran.meta).toEqual({
      _pinkas_document_id: 'd1',
      _pinkas_document_number: '1001',
      _pinkas_document_url: 'https://pinkas.test/p/1',
    })
    for (const html of Object.values(ran.shown)) expect(html).toContain('https://pinkas.test/p/1')
    expect(ran.clean).toEqual({ url: '', key: 'kept', shop: '', mail: 'no' })
    expect(ran.hooks).toContain('woocommerce_order_refunded')
  })

  test('tries again when Pinkas is away, and not when it refused', () => {
    expect(run('coupon', { status: 503, body: {} }).scheduled[1]).toEqual([
      60,
      'pinkas_send_order',
      [7341, 1],
    ])
    const refused = run('coupon', { status: 422, body: { title: 'total is missing' } })
    expect(refused.scheduled).toHaveLength(1)
    expect(refused.meta).toEqual({ _pinkas_trouble: 'total is missing' })
    expect(refused.log[0]).toContain('total is missing')
  })

  test('its key is made at once and has what an order needs; an order is tried and leaves nothing behind', async () => {
    const shop = await owner.call(calls.createShop, {
      kind: 'woocommerce',
      name: 'Tried',
      settings: { send: 'none' },
    })
    const { secret: key } = await owner.call(calls.makeShopKey, { id: shop.id })
    const counted = async () =>
      Promise.all([
        owner.get('/api4/invoice/customers?page=1&size=10'),
        owner.get('/api4/invoice/documents?page=1&size=10'),
        owner.call(calls.listOrders, { id: shop.id }),
      ]).then(([customers, documents, { rows }]) => [customers.total, documents.total, rows.length])
    const before = await counted()
    const tryIt = (token: string, language = 'en') =>
      world.http.inject({
        method: 'POST',
        url: `/api4/invoice/shops/${shop.id}/dryrun`,
        headers: { 'x-access-token': token, 'accept-language': language },
        payload: {},
      })
    const tried = await tryIt(key)
    expect([tried.statusCode, tried.json()]).toEqual([200, { type: 9, totalAgorot: 100, currency: 'ILS' }])
    expect(await counted()).toEqual(before)
    // What is missing is named, in the language of the merchant.
    const { secret: weak } = await owner.call(makeKey, { name: 'weak', rules: [10] })
    const refused = await tryIt(weak, 'fr')
    expect([refused.statusCode, refused.json().params.rule]).toEqual([403, 'documents.issue'])
    expect(refused.json().detail).toContain('Émettre des documents')
    // The key opens nothing else.
    const other = await world.http.inject({
      url: '/api4/invoice/customers',
      headers: { 'x-access-token': key },
    })
    expect(other.statusCode).toBe(403)
    // A shop whose orders stand still says so.
    await owner.call(calls.changeShop, { id: shop.id, on: false })
    expect((await tryIt(key)).json().code).toBe('shops.isOff')
  })

  test('what it sends becomes the document to the agora, with a key that may only issue', async () => {
    const shop = await owner.call(calls.createShop, {
      kind: 'woocommerce',
      name: 'WooCommerce',
      settings: { send: 'none' },
    })
    const { secret: key } = await owner.call(makeKey, {
      name: 'WooCommerce',
      readOnly: false,
      draftsOnly: false,
      rules: [32],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    const send = (recorded: string) =>
      callAs(
        world,
        calls.sendOrder,
        { id: shop.id, order: run(recorded, issued).sent[0]!.body.order },
        { token: key },
      )
    const made = await send('coupon')
    expect(made).toMatchObject({
      state: 'issued',
      document: { type: 9 },
      urls: { page: expect.stringContaining('http') },
    })
    expect((await send('coupon')).document).toEqual(made.document)
    const paper = await owner.call(getDocument, { id: made.document!.id })
    expect(paper.totals).toMatchObject({ totalAgorot: 22_730, vatAgorot: 3_467 })
    expect(
      paper.lines.map(({ quantity, discountAgorot, totalAgorot }) => [quantity, discountAgorot, totalAgorot]),
    ).toEqual([
      ['3', 1_500, 13_500],
      ['1', 900, 6_330],
      ['1', 0, 2_900],
    ])
    expect(await send('business')).toMatchObject({
      state: 'issued',
      document: { type: 8 },
      receipt: { type: 6 },
      refunds: [{ state: 'issued', credit: { type: 10 } }],
    })
  })
})
