import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { mergeCustomers } from '#features/registers/parties/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let paint: { id: string }
let garage: { id: string }
const line = (listId: string, itemId: string, price: string, more = {}) =>
  shop.send('POST', '/api4/invoice/priceListLines', { listId, itemId, price, ...more })
const list = (name: string, more = {}) => shop.send('POST', '/api4/invoice/priceLists', { name, ...more })

beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  paint = await shop.send('POST', '/api4/invoice/items', {
    name: 'צבע',
    price: '118',
    cost: '60',
    vatKind: 'includingVat',
  })
  garage = await shop.customer('מוסך')
})
afterAll(() => world.close())

const priceOf = async (quantity: string, more = {}) => {
  const { price, source } = await shop.call(calls.findPrice, {
    itemId: paint.id,
    customerId: garage.id,
    quantity,
    ...more,
  })
  return [price, source?.kind]
}

describe('the price of an item for a customer', () => {
  test('goes from the item to the list of the type, the customer’s list and his own price, as each is given', async () => {
    expect(await priceOf('1')).toEqual(['118', 'item'])

    const retail = await list('קמעונאי', { base: 'item', changeBp: -1000 })
    const type = await shop.send('POST', '/api4/invoice/customerTypes', { name: 'קבלן' })
    expect((await shop.get('/api4/invoice/customerTypes')).rows).toMatchObject([
      { priceListId: null, priceListIdName: null },
    ])
    await shop.send('PATCH', `/api4/invoice/customers/${garage.id}`, { typeId: type.id })
    await shop.call(calls.assignToType, { id: type.id, priceListId: retail.id })
    expect((await shop.get('/api4/invoice/customerTypes')).rows).toMatchObject([
      { priceListId: retail.id, priceListIdName: 'קמעונאי' },
    ])
    expect(await priceOf('1')).toEqual(['106.2', 'typeList'])

    const wholesale = await list('סיטונאי', { base: 'none' })
    await line(wholesale.id, paint.id, '90')
    await line(wholesale.id, paint.id, '80', { fromQuantity: '10' })
    await shop.call(calls.assignToCustomer, { id: garage.id, priceListId: wholesale.id })
    expect(await priceOf('9')).toEqual(['90', 'customerList'])
    expect(await priceOf('10')).toEqual(['80', 'customerList'])

    const chained = await list('סיטונאי מוזל', { base: 'list', baseListId: wholesale.id, changeBp: -500 })
    await shop.call(calls.assignToCustomer, { id: garage.id, priceListId: chained.id })
    expect(await priceOf('10')).toEqual(['76', 'customerList'])

    await shop.send('POST', '/api4/invoice/customerPrices', {
      customerId: garage.id,
      itemId: paint.id,
      price: '50',
      fromQuantity: '5',
    })
    expect(await priceOf('5')).toEqual(['50', 'customer'])
    expect(await priceOf('4')).toEqual(['85.5', 'customerList'])
    expect(await priceOf('5', { currency: 'USD' })).toEqual([null, undefined])
    expect(await shop.call(calls.listOfCustomer, { id: garage.id })).toMatchObject({
      list: { name: 'סיטונאי מוזל' },
      type: { name: 'קבלן', list: { name: 'קמעונאי' } },
    })
    expect(await shop.call(calls.buyersOfList, { id: chained.id })).toMatchObject({
      customers: [{ name: 'מוסך' }],
      customersOf: 1,
      types: [{ name: 'קבלן', has: false }],
    })
    // A list that is put away prices nothing any more.
    await shop.send('DELETE', `/api4/invoice/priceLists/${chained.id}`)
    expect(await priceOf('4')).toEqual(['106.2', 'typeList'])
    await shop.send('POST', `/api4/invoice/priceLists/${chained.id}/restore`)
  })

  test('is taken by a document that names the item and no price, with the item’s VAT; what was said is kept', async () => {
    const made = await shop.call(createDocument, {
      type: 8,
      customerId: garage.id,
      lines: [
        { description: 'צבע', itemId: paint.id, quantity: '5' },
        { description: 'צבע', itemId: paint.id, quantity: '4' },
        { description: 'צבע', itemId: paint.id, quantity: '5', unitPrice: '1' },
      ],
    })
    expect(made.lines.map(({ unitPrice, vatKind }) => [unitPrice, vatKind])).toEqual([
      ['50', 2],
      ['85.5', 2],
      ['1', 1],
    ])
  })

  test('is never made up: no price in the currency, or no item, is refused at its line', async () => {
    const dollars = {
      type: 8,
      customerId: garage.id,
      currency: 'USD',
      rate: '3.7',
      lines: [{ description: 'צבע', itemId: paint.id }],
    }
    await expect(shop.call(createDocument, dollars)).rejects.toMatchObject({
      errors: [{ path: 'lines.0.unitPrice', code: 'prices.noPrice' }],
    })
    await expect(
      shop.call(createDocument, { type: 8, customerId: garage.id, lines: [{ description: 'עבודה' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'lines.0.unitPrice', code: 'fields.need' }],
    })
    const other = await newBusiness(world)
    const buyer = await other.customer('x')
    await expect(
      other.call(createDocument, {
        type: 8,
        customerId: buyer.id,
        lines: [{ description: 'צבע', itemId: paint.id }],
      }),
    ).rejects.toMatchObject({ status: 422 })
  })
})

describe('lists', () => {
  test('stand on no list of another currency and on no ring', async () => {
    const first = await list('א')
    const second = await list('ב', { base: 'list', baseListId: first.id })
    await expect(
      shop.send('PATCH', `/api4/invoice/priceLists/${first.id}`, { base: 'list', baseListId: second.id }),
    ).rejects.toMatchObject({
      errors: [{ path: 'baseListId', code: 'prices.ring' }],
    })
    await expect(list('ג', { base: 'list', baseListId: first.id, currency: 'USD' })).rejects.toMatchObject({
      errors: [{ code: 'prices.otherCurrency' }],
    })
    await expect(list('ד', { base: 'list' })).rejects.toMatchObject({
      errors: [{ path: 'baseListId', code: 'fields.need' }],
    })
    await expect(list('ה', { validFrom: '2026-02-01', validTo: '2026-01-01' })).rejects.toMatchObject({
      errors: [{ path: 'validTo' }],
    })
  })
  test('say one price for a quantity and days', async () => {
    const { id } = await list('כפולים')
    await line(id, paint.id, '5', { fromQuantity: '3' })
    await expect(line(id, paint.id, '6', { fromQuantity: '3.0' })).rejects.toMatchObject({
      errors: [{ code: 'prices.sameLine' }],
    })
    await line(id, paint.id, '6', { fromQuantity: '3', validFrom: '2027-01-01' })
  })
  test('are copied with their lines, and the copy is changed without the other', async () => {
    const first = await list('מקור', { changeBp: -200 })
    await line(first.id, paint.id, '33.33')
    const copy = await shop.call(calls.copyList, { id: first.id, name: 'עותק' })
    const change = { id: copy.id, change: { basisPoints: 1000 }, rounding: 'ninety' as const }
    expect(await shop.call(calls.previewLines, change)).toMatchObject({
      count: 1,
      changed: 1,
      rows: [{ beforePrice: '33.33', afterPrice: '36.9' }],
    })
    expect(await shop.call(calls.changeLines, change)).toMatchObject({ changed: 1 })
    const prices = async (id: string) =>
      (await shop.get(`/api4/invoice/priceListLines?listId=${id}`)).rows.map(
        (r: { price: string }) => r.price,
      )
    expect([await prices(first.id), await prices(copy.id)]).toEqual([['33.3300'], ['36.9000']])
    expect(await shop.get(`/api4/invoice/priceLists/${copy.id}`)).toMatchObject({
      changeBp: -200,
      lineCount: 1,
    })
  })
})

test('a change of all prices of a list is taken back, but not what was changed since', async () => {
  const other = await shop.send('POST', '/api4/invoice/items', { name: 'מברשת', price: '20' })
  const { id } = await list('סיטונאי חדש', { base: 'none' })
  const first = await line(id, paint.id, '90')
  const second = await line(id, other.id, '15.5')
  const prices = async () =>
    Object.fromEntries(
      (await shop.get(`/api4/invoice/priceListLines?listId=${id}`)).rows.map(
        (r: { id: string; price: string }) => [r.id, Number(r.price)],
      ),
    )
  const made = await shop.call(calls.changeLines, { id, change: { sum: '-0.5' }, rounding: 'none' })
  expect(await prices()).toEqual({ [first.id]: 89.5, [second.id]: 15 })
  await shop.send('PATCH', `/api4/invoice/priceListLines/${second.id}`, { price: '14' })
  expect((await shop.call(calls.lineChanges, { id })).rows).toMatchObject([
    { id: made.id, items: 2, change: { sum: '-0.5' }, undoneAt: null },
  ])
  expect(await shop.call(calls.undoLineChange, { id, changeId: made.id })).toEqual({ undone: 1, kept: 1 })
  expect(await prices()).toEqual({ [first.id]: 90, [second.id]: 14 })
  await expect(shop.call(calls.undoLineChange, { id, changeId: made.id })).rejects.toMatchObject({
    code: 'items.alreadyUndone',
  })
  await expect(
    shop.call(calls.changeLines, { id, change: { basisPoints: 0 }, rounding: 'none' }),
  ).rejects.toMatchObject({
    code: 'items.nothingChosen',
  })
  const stranger = await newBusiness(world)
  await expect(stranger.call(calls.undoLineChange, { id, changeId: made.id })).rejects.toMatchObject({
    status: 404,
  })
})

test('own prices and the list of a merged customer follow him, where the other has none of his own', async () => {
  const store = await newBusiness(world)
  const thing = await store.send('POST', '/api4/invoice/items', { name: 'דבר', price: '10' })
  const [keep, gone] = [await store.customer('נשאר'), await store.customer('מוזג')]
  const own = (customerId: string, price: string, fromQuantity = '0') =>
    store.send('POST', '/api4/invoice/customerPrices', { customerId, itemId: thing.id, price, fromQuantity })
  await own(keep.id, '9')
  await own(gone.id, '8')
  await own(gone.id, '7', '10')
  const wholesale = await store.send('POST', '/api4/invoice/priceLists', { name: 'סיטונאי' })
  await store.call(calls.assignToCustomer, { id: gone.id, priceListId: wholesale.id })
  const job = await store.send('POST', '/api4/invoice/projects', { name: 'שיפוץ', customerId: gone.id })
  await store.call(mergeCustomers, { keepId: keep.id, ids: [gone.id] })
  const at = async (quantity: string) =>
    (await store.call(calls.findPrice, { itemId: thing.id, customerId: keep.id, quantity })).price
  expect([await at('1'), await at('10')]).toEqual(['9', '7'])
  expect((await store.call(calls.listOfCustomer, { id: keep.id })).list).toMatchObject({ name: 'סיטונאי' })
  expect((await store.get(`/api4/invoice/projects/${job.id}`)).customerId).toBe(keep.id)
})

test('a worker with customers of his own sees no prices of others’ customers, and hidden prices are hidden', async () => {
  const store = await newBusiness(world)
  const buyer = await store.customer('של מישהו אחר')
  const thing = await store.send('POST', '/api4/invoice/items', { name: 'דבר', price: '98765' })
  await store.send('POST', '/api4/invoice/customerPrices', {
    customerId: buyer.id,
    itemId: thing.id,
    price: '98765',
  })
  const me = await store.get('/api/user/session')
  const become = (column: string) =>
    asSystem(world.app.db, (tx) =>
      sql`update memberships set ${sql.ref(column)} = true where company_id = ${me.companyId}`.execute(tx),
    )
  await become('hide_total_prices')
  const facts = await store.call(calls.priceFacts, { customerId: buyer.id, itemIds: [thing.id] })
  expect(JSON.stringify(facts)).not.toContain('98765')
  expect(JSON.stringify(await store.get('/api4/invoice/customerPrices'))).not.toContain('98765')
  await become('own_customers_only')
  expect((await store.get('/api4/invoice/customerPrices')).rows).toEqual([])
  expect(
    (await store.call(calls.priceFacts, { customerId: buyer.id, itemIds: [thing.id] })).rows[0]!
      .customerPrices,
  ).toEqual([])
})

test('who buys by a list is told to whoever may see customers', async () => {
  const store = await newBusiness(world)
  const { id } = await store.send('POST', '/api4/invoice/priceLists', { name: 'סיטונאי' })
  await store.call(calls.assignToCustomer, { id: (await store.customer('מוסך')).id, priceListId: id })
  const me = await store.get('/api/user/session')
  const mate = await newBusiness(world)
  const may = (...rules: string[]) =>
    asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules) select ${me.companyId}, id, 9,
          ${rules.map((one) => allRules().get(one)!)}::int[]
        from users where email = ${mate.email} on conflict (company_id, user_id) do update
        set rules = excluded.rules`.execute(tx)
      await sql`update sessions set company_id = ${me.companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
  await may('prices.see')
  await expect(mate.call(calls.buyersOfList, { id })).rejects.toMatchObject({ status: 403 })
  await may('prices.see', 'customers.see')
  expect(await mate.call(calls.buyersOfList, { id })).toMatchObject({
    customers: [{ name: 'מוסך' }],
    customersOf: 1,
  })
})
