import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import * as calls from './serials.ts'

type Row = Record<string, any>
const base = '/api4/invoice'
let world: World
let shop: Business
let pump: string
let customer: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2031-06-30T09:00:00Z'))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  customer = (await shop.customer('דליה')).id
  pump = (await shop.send('POST', `${base}/items`, { name: 'משאבה', price: '100', isStocked: true, tracking: 'serial' })).id
})
const receive = (numbers: string[], more: Row = {}) => shop.call(calls.receiveSerials, { itemId: pump, numbers, ...more } as never)
const sell = (quantity: string) =>
  shop.call(createDocument, {
    type: 8,
    customerId: customer,
    date: '2031-06-10',
    lines: [{ itemId: pump, description: 'משאבה', quantity, unitPrice: '100' }],
  } as never) as Promise<{ id: string }>

test('a unit is one for its item whatever its case, and each wrong number of a hundred is named', async () => {
  await receive(['A-1', 'A-2'])
  await expect(receive(['B-1', 'a-1', 'B-2', 'b-1'])).rejects.toMatchObject({ errors: [{ path: 'numbers.3', code: 'stock.serialTwice' }] })
  await expect(receive(['B-1', 'a-1', 'B-2', 'a-2'])).rejects.toMatchObject({
    errors: [
      { path: 'numbers.1', code: 'stock.serialTaken' },
      { path: 'numbers.3', code: 'stock.serialTaken' },
    ],
  })
  expect((await shop.call(calls.findSerials, { q: 'b-' })).rows).toEqual([])
})

test('the whole life of a unit stands on one page: expected, taken in, sold with its warranty, back again', async () => {
  await receive(['A-1'], { expected: true })
  await receive(['A-1'], { day: '2031-06-01' })
  const paper = await sell('1')
  await shop.call(calls.issueSerials, { documentId: paper.id, itemId: pump, numbers: ['a-1'], warrantyMonths: 24 })
  const { id, ...unit } = (await shop.call(calls.findSerials, { q: 'A-1' })).rows[0]!
  expect(unit).toMatchObject({ state: 'sold', customer: 'דליה', warrantyUntil: '2033-06-10', outDay: '2031-06-10' })
  expect(unit).toMatchObject({ inPaper: null, outPaper: { id: paper.id, type: 8 } })
  expect((await shop.get(`${base}/reports/serialsCustomers`)).rows).toMatchObject([
    {
      customer: 'דליה',
      serial: 'A-1',
      inPaper: null,
      outPaper: String(unit.outPaper!.number),
      outPaperOpens: `/invoice/preview/${paper.id}`,
    },
  ])
  // Sold, it cannot be sold again.
  const other = await sell('1')
  await expect(shop.call(calls.issueSerials, { documentId: other.id, itemId: pump, numbers: ['A-1'] })).rejects.toMatchObject({
    errors: [{ path: 'numbers.0', code: 'stock.serialNotHere' }],
  })
  await shop.call(calls.moveSerials, { itemId: pump, numbers: ['A-1'], to: 'returned' })
  const life = await shop.call(calls.serialLife, { id })
  expect(life.events.map(({ kind, customer: who }) => [kind, who])).toEqual([
    ['expected', null],
    ['received', null],
    ['sold', 'דליה'],
    ['returned', null],
  ])
  expect(life).toMatchObject({ state: 'returned', customer: null })
})

test('what went without a number is told, and no more units go with a paper than it says', async () => {
  await receive(['A-1', 'A-2', 'A-3'])
  const paper = await sell('2')
  expect((await shop.get(`${base}/reports/serialsMissing`)).rows.map((row: Row) => [row.what, row.missing])).toContainEqual([
    'soldWithout',
    2,
  ])
  await expect(shop.call(calls.issueSerials, { documentId: paper.id, itemId: pump, numbers: ['A-1', 'A-2', 'A-3'] })).rejects.toMatchObject(
    { errors: [{ path: 'numbers', code: 'stock.serialTooMany' }] },
  )
  await shop.call(calls.issueSerials, { documentId: paper.id, itemId: pump, numbers: ['A-1', 'A-2'] })
  expect((await shop.get(`${base}/reports/serialsMissing`)).rows.filter((row: Row) => row.what === 'soldWithout')).toEqual([])
  expect((await shop.get(`${base}/reports/serialsInStock`)).rows.map((row: Row) => row.serial)).toEqual(['A-3'])
})

test('numbers of one’s own are given out once each, whoever asks at the same moment', async () => {
  const take = (count: number, more: Row = {}) => shop.call(calls.takeNumbers, { itemId: pump, count, receive: true, ...more } as never)
  await take(0, { prefix: 'PMP-', digits: 4, nextNumber: 98 })
  const given = (await Promise.all(Array.from({ length: 5 }, () => take(3)))).flatMap(({ numbers }: Row) => numbers)
  expect(new Set(given).size).toBe(15)
  expect(given.toSorted()[0]).toBe('PMP-0098')
  const bolt = (await shop.send('POST', `${base}/items`, { name: 'בורג', price: '1', isStocked: true })).id
  await expect(shop.call(calls.takeNumbers, { itemId: bolt, count: 1 })).rejects.toMatchObject({
    errors: [{ path: 'itemId', code: 'stock.notSerial' }],
  })
})
