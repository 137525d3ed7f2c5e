import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
const item = (values: Record<string, unknown>, of: Business = shop) =>
  of.send('POST', '/api4/invoice/items', values)
const names = (answer: { rows: { name: string }[] }) => answer.rows.map(({ name }) => name)

beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

describe('finding', () => {
  test('a scanned code is one item, with or without the zero of a UPC; part of a code finds as words do', async () => {
    await item({ name: 'שעון', barcode: '036000291452', sku: 'W-1' })
    await item({ name: 'רצועה לשעון', sku: 'W-10', barcode: '7290000066318' })
    const find = async (q: string) => names(await shop.get(`/api4/invoice/items?q=${q}`))
    expect(await find('0036000291452')).toEqual(['שעון'])
    expect(await find('W-1')).toEqual(['שעון'])
    expect(await find('00066318')).toEqual(['רצועה לשעון'])
    expect((await find('שעון')).sort()).toEqual(['רצועה לשעון', 'שעון'])
  })
  test('a barcode belongs to one item', async () => {
    await item({ name: 'ראשון', barcode: '73513537' })
    await expect(item({ name: 'שני', barcode: '73513537' })).rejects.toMatchObject({
      errors: [{ path: 'barcode', code: 'fields.taken' }],
    })
  })
})

describe('the movements of an item', () => {
  test('need an item of this business and both days', async () => {
    const { id } = await item({ name: 'מאוורר' })
    const movements = (query: string) => shop.get(`/api4/invoice/reports/itemMovements?${query}`)
    const days = 'from=2026-01-01&to=2026-12-31'
    expect((await movements(`item=${id}&${days}`)).rows).toEqual([])
    for (const [query, path] of [
      [days, 'item'],
      [`item=${id}&to=2026-12-31`, 'from'],
      [`item=${id}&from=2026-01-01`, 'to'],
    ])
      await expect(movements(query!)).rejects.toMatchObject({ status: 422, errors: [{ path }] })
    const stranger = await newBusiness(world)
    await expect(
      stranger.get(`/api4/invoice/reports/itemMovements?item=${id}&${days}`),
    ).rejects.toMatchObject({ status: 404 })
  })
})

describe('categories', () => {
  test('stand in the order of the tree, count what is below them and filter items with all of it', async () => {
    const make = (name: string, parentId?: string) =>
      shop.send('POST', '/api4/invoice/categories', { name, parentId })
    const tools = await make('כלים')
    const drills = await make('מקדחות', tools.id)
    await make('אביזרים')
    await item({ name: 'מקדחה', categoryId: drills.id })
    await item({ name: 'פטיש', categoryId: tools.id })
    const { rows } = await shop.get('/api4/invoice/categories')
    expect(
      rows.map((r: { path: string; itemCount: number; depth: number }) => [r.path, r.itemCount, r.depth]),
    ).toEqual([
      ['אביזרים', 0, 0],
      ['כלים', 2, 0],
      ['כלים › מקדחות', 1, 1],
    ])
    expect(names(await shop.get(`/api4/invoice/items?categoryId=${tools.id}`)).sort()).toEqual([
      'מקדחה',
      'פטיש',
    ])
    expect(names(await shop.get(`/api4/invoice/items?categoryId=${drills.id}`))).toEqual(['מקדחה'])
    await expect(shop.get('/api4/invoice/items?categoryId=x')).rejects.toMatchObject({ status: 422 })
  })
  test('never stand below themselves, and have one name among their siblings', async () => {
    const top = await shop.send('POST', '/api4/invoice/categories', { name: 'ראש' })
    const below = await shop.send('POST', '/api4/invoice/categories', { name: 'גוף', parentId: top.id })
    for (const parentId of [below.id, top.id])
      await expect(
        shop.send('PATCH', `/api4/invoice/categories/${top.id}`, { parentId }),
      ).rejects.toMatchObject({ status: 422 })
    await expect(
      shop.send('POST', '/api4/invoice/categories', { name: 'גוף', parentId: top.id }),
    ).rejects.toMatchObject({
      errors: [{ path: 'name', code: 'fields.taken' }],
    })
  })
})

describe('variants', () => {
  const attributes = [
    { name: 'מידה', values: ['S', 'M'] },
    { name: 'צבע', values: ['כחול'] },
  ]
  const one = (size: string, more = {}) => ({ values: { מידה: size, צבע: 'כחול' }, ...more })
  test('are items of their own that follow the parent’s price at their distance', async () => {
    const shirt = await item({ name: 'חולצה', price: '100', unit: 'יח׳', cost: '40' })
    const made = await shop.call(calls.keepVariants, {
      id: shirt.id,
      attributes,
      variants: [one('S', { sku: 'S-1' }), one('M', { sku: 'M-1', priceDifference: '12.5' })],
    })
    expect(made.rows.map(({ name, price, sku }) => [name, price, sku])).toEqual([
      ['חולצה – S / כחול', '100', 'S-1'],
      ['חולצה – M / כחול', '112.5', 'M-1'],
    ])
    await shop.send('PATCH', `/api4/invoice/items/${shirt.id}`, {
      price: '200',
      vatKind: 'includingVat',
      name: 'טי',
    })
    const medium = await shop.get(`/api4/invoice/items/${made.rows[1]!.id}`)
    expect(medium).toMatchObject({
      price: '212.5000',
      vatKind: 'includingVat',
      name: 'טי – M / כחול',
      unit: 'יח׳',
      parentId: shirt.id,
    })
    // Its price is shown as a difference, and what it shares with the parent cannot be changed alone.
    await shop.send('PATCH', `/api4/invoice/items/${medium.id}`, { price: '150', vatKind: 'withoutVat' })
    await shop.send('PATCH', `/api4/invoice/items/${shirt.id}`, { price: '210' })
    expect(await shop.get(`/api4/invoice/items/${medium.id}`)).toMatchObject({
      price: '160.0000',
      priceDifference: '-50.0000',
      vatKind: 'includingVat',
    })
    expect(names(await shop.get('/api4/invoice/items?q=M-1'))).toEqual(['טי – M / כחול'])
  })
  test('one that is taken out and put back is the same item; a code moves in one saving', async () => {
    const cup = await item({ name: 'ספל', price: '10' })
    const first = await shop.call(calls.keepVariants, {
      id: cup.id,
      attributes,
      variants: [one('S', { sku: 'C-1' }), one('M')],
    })
    const second = await shop.call(calls.keepVariants, {
      id: cup.id,
      attributes,
      variants: [one('M', { sku: 'C-1' })],
    })
    expect(second.rows.map(({ id, sku }) => [id, sku])).toEqual([[first.rows[1]!.id, 'C-1']])
    const third = await shop.call(calls.keepVariants, {
      id: cup.id,
      attributes,
      variants: [one('S'), one('M', { sku: 'C-1' })],
    })
    expect(third.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id))
  })
  test('refuses what is no combination, one twice, a code that is taken, and variants of a variant', async () => {
    const cap = await item({ name: 'כובע', price: '10' })
    const keep = (variants: ReturnType<typeof one>[], id = cap.id) =>
      shop.call(calls.keepVariants, { id, attributes, variants })
    await expect(keep([one('XL')])).rejects.toMatchObject({ status: 422 })
    await expect(keep([one('S'), one('S')])).rejects.toMatchObject({ code: 'items.sameVariantTwice' })
    await item({ name: 'אחר', sku: 'TAKEN' })
    await expect(keep([one('S', { sku: 'TAKEN' })])).rejects.toMatchObject({
      errors: [{ path: 'variants.0.sku', code: 'fields.taken' }],
    })
    const made = await keep([one('S')])
    await expect(keep([one('S')], made.rows[0]!.id)).rejects.toMatchObject({ code: 'items.isVariant' })
  })
})

describe('many prices at once', () => {
  test('are shown before, changed with a round end, and taken back where nobody changed them since', async () => {
    const store = await newBusiness(world)
    const [nail, screw] = [
      await item({ name: 'מסמר', price: '33.33' }, store),
      await item({ name: 'בורג', price: '50' }, store),
    ]
    const rule = { query: {}, change: { basisPoints: 1000 }, rounding: 'ninety' as const }
    const preview = await store.call(calls.previewPrices, rule)
    expect(preview).toMatchObject({ count: 2, changed: 2 })
    expect(preview.rows.map((r) => [r.name, r.beforePrice, r.afterPrice])).toEqual([
      ['בורג', '50', '54.9'],
      ['מסמר', '33.33', '36.9'],
    ])
    expect((await store.get(`/api4/invoice/items/${nail.id}`)).price).toBe('33.3300')
    const { id, changed } = await store.call(calls.changePrices, rule)
    expect(changed).toBe(2)
    await store.send('PATCH', `/api4/invoice/items/${screw.id}`, { price: '60' })
    expect(await store.call(calls.undoPriceChange, { id })).toEqual({ undone: 1, kept: 1 })
    expect((await store.get(`/api4/invoice/items/${nail.id}`)).price).toBe('33.3300')
    expect((await store.get(`/api4/invoice/items/${screw.id}`)).price).toBe('60.0000')
    await expect(store.call(calls.undoPriceChange, { id })).rejects.toMatchObject({
      code: 'items.alreadyUndone',
    })
    expect((await store.call(calls.priceChanges, {})).rows).toMatchObject([
      { items: 2, rounding: 'ninety', by: 'נועה ורדי' },
    ])
  })
  test('keep to the list’s filters, and a variant is not changed twice', async () => {
    const store = await newBusiness(world)
    const shirt = await item({ name: 'חולצה', price: '100' }, store)
    const size = [{ name: 'מידה', values: ['M'] }]
    const { rows } = await store.call(calls.keepVariants, {
      id: shirt.id,
      attributes: size,
      variants: [{ values: { מידה: 'M' }, priceDifference: '20' }],
    })
    await item({ name: 'דולרי', price: '100', currency: 'USD' }, store)
    const { changed } = await store.call(calls.changePrices, {
      query: { currency: 'ILS' },
      change: { sum: '10' },
      rounding: 'none',
    })
    expect(changed).toBe(1)
    expect((await store.get(`/api4/invoice/items/${rows[0]!.id}`)).price).toBe('130.0000')
    expect((await store.get('/api4/invoice/items?currency=USD')).rows[0].price).toBe('100.0000')
  })
})

test('the picture that stands for an item is the first, or the one chosen', async () => {
  const { id } = await item({ name: 'מצולם' })
  // One pixel, and the same with another comment so that the bytes differ.
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  const first = await shop.call(uploadFile, { name: 'a.png', entity: 'items', entityId: id, bytes: png })
  const second = await shop.call(uploadFile, { name: 'b.gif', entity: 'items', entityId: id, bytes: gif })
  const shown = async () => (await shop.get(`/api4/invoice/items/${id}`)).pictureId
  expect(await shown()).toBe(first.id)
  await shop.call(calls.setPicture, { id, fileId: second.id })
  expect(await shown()).toBe(second.id)
  const stranger = await shop.call(uploadFile, { name: 'c.png', bytes: png })
  expect(
    (await raw(world, calls.setPicture, { id, fileId: stranger.id }, { token: shop.token })).statusCode,
  ).toBe(404)
})

test('kinds of income: the line’s own, the item’s account, the item’s kind, in this order', async () => {
  const store = await newBusiness(world)
  const accounts = (await store.get('/api5/invoicecpa/accounts?kind=income&size=50')).rows as {
    id: string
    number: string
  }[]
  const byNumber = (number: string) => accounts.find((a) => a.number === number)!.id
  const [kindAccount, itemAccount] = accounts.map((a) => a.number).filter((n) => n !== '4000' && n !== '4020')
  const kind = await store.send('POST', '/api4/invoice/incomeKinds', {
    name: 'אחריות',
    accountId: byNumber(kindAccount!),
    vatKind: 'includingVat',
  })
  // It has a separate code, by which it is found as well.
  await store.send('PATCH', `/api4/invoice/incomeKinds/${kind.id}`, { code: 'W-7' })
  expect((await store.get('/api4/invoice/incomeKinds?q=W-7')).rows).toMatchObject([
    { id: kind.id, code: 'W-7' },
  ])
  await expect(
    store.send('POST', '/api4/invoice/incomeKinds', {
      name: 'אחר',
      code: 'W-7',
      accountId: byNumber(kindAccount!),
    }),
  ).rejects.toMatchObject({ errors: [{ path: 'code', code: 'fields.taken' }] })
  const plain = await item({ name: 'א', price: '118', incomeKindId: kind.id, vatKind: 'includingVat' }, store)
  const own = await item(
    { name: 'ב', price: '100', incomeKindId: kind.id, accountId: byNumber(itemAccount!) },
    store,
  )
  const buyer = await store.customer('קונה')
  const made = await store.send('POST', '/api4/invoice/documents', {
    type: 8,
    customerId: buyer.id,
    lines: [
      { description: 'א', itemId: plain.id },
      { description: 'ב', itemId: own.id },
      { description: 'ג', itemId: own.id, incomeKindId: kind.id, unitPrice: '118' },
      { description: 'ד', unitPrice: '7' },
    ],
  })
  const { rows } = await store.get(`/api4/invoice/documents/${made.id}/entries`)
  const credited = rows
    .filter((r: { creditAgorot: number }) => r.creditAgorot)
    .map((r: { number: string; creditAgorot: number }) => [r.number, r.creditAgorot])
  expect(credited.filter(([number]: [string]) => number.startsWith('4')).sort()).toEqual(
    [
      ['4000', 700],
      [kindAccount, 20_000],
      [itemAccount, 10_000],
    ].sort(),
  )
  await expect(
    store.send('POST', '/api4/invoice/incomeKinds', {
      name: 'x',
      accountId: (await store.get('/api5/invoicecpa/accounts?kind=expense')).rows[0].id,
    }),
  ).rejects.toMatchObject({
    errors: [{ path: 'accountId' }],
  })
})
