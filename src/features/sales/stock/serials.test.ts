import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { arriveTransfer, listTransfers, makeTransfer, saveStockSettings, stockOf } from './endpoints.ts'
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
  pump = (
    await shop.send('POST', `${base}/items`, {
      name: 'משאבה',
      price: '100',
      isStocked: true,
      tracking: 'serial',
    })
  ).id
})
const receive = (numbers: string[], more: Row = {}) =>
  shop.call(calls.receiveSerials, { itemId: pump, numbers, ...more } as never)
const sell = (quantity: string) =>
  shop.call(createDocument, {
    type: 8,
    customerId: customer,
    date: '2031-06-10',
    lines: [{ itemId: pump, description: 'משאבה', quantity, unitPrice: '100' }],
  } as never) as Promise<{ id: string }>

test('a unit is one for its item whatever its case, and each wrong number of a hundred is named', async () => {
  await receive(['A-1', 'A-2'])
  await expect(receive(['B-1', 'a-1', 'B-2', 'b-1'])).rejects.toMatchObject({
    errors: [{ path: 'numbers.3', code: 'stock.serialTwice' }],
  })
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
  await shop.call(calls.issueSerials, {
    documentId: paper.id,
    itemId: pump,
    numbers: ['a-1'],
    warrantyMonths: 24,
  })
  const { id, ...unit } = (await shop.call(calls.findSerials, { q: 'A-1' })).rows[0]!
  expect(unit).toMatchObject({
    state: 'sold',
    customer: 'דליה',
    warrantyUntil: '2033-06-10',
    outDay: '2031-06-10',
  })
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
  await expect(
    shop.call(calls.issueSerials, { documentId: other.id, itemId: pump, numbers: ['A-1'] }),
  ).rejects.toMatchObject({
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
  expect(
    (await shop.get(`${base}/reports/serialsMissing`)).rows.map((row: Row) => [row.what, row.missing]),
  ).toContainEqual(['soldWithout', 2])
  await expect(
    shop.call(calls.issueSerials, { documentId: paper.id, itemId: pump, numbers: ['A-1', 'A-2', 'A-3'] }),
  ).rejects.toMatchObject({ errors: [{ path: 'numbers', code: 'stock.serialTooMany' }] })
  await shop.call(calls.issueSerials, { documentId: paper.id, itemId: pump, numbers: ['A-1', 'A-2'] })
  expect(
    (await shop.get(`${base}/reports/serialsMissing`)).rows.filter((row: Row) => row.what === 'soldWithout'),
  ).toEqual([])
  expect((await shop.get(`${base}/reports/serialsInStock`)).rows.map((row: Row) => row.serial)).toEqual([
    'A-3',
  ])
})

test('numbers of one’s own are given out once each, whoever asks at the same moment', async () => {
  const take = (count: number, more: Row = {}) =>
    shop.call(calls.takeNumbers, { itemId: pump, count, receive: true, ...more } as never)
  await take(0, { prefix: 'PMP-', digits: 4, nextNumber: 98 })
  const given = (await Promise.all(Array.from({ length: 5 }, () => take(3)))).flatMap(
    ({ numbers }: Row) => numbers,
  )
  expect(new Set(given).size).toBe(15)
  expect(given.toSorted()[0]).toBe('PMP-0098')
  const bolt = (await shop.send('POST', `${base}/items`, { name: 'בורג', price: '1', isStocked: true })).id
  await expect(shop.call(calls.takeNumbers, { itemId: bolt, count: 1 })).rejects.toMatchObject({
    errors: [{ path: 'itemId', code: 'stock.notSerial' }],
  })
})

const buy = async (quantity: string) => {
  const supplier = (await shop.send('POST', `${base}/suppliers`, { name: 'גליל' })).id
  return (await shop.call(createDocument, {
    type: 13,
    customerId: supplier,
    date: '2031-05-01',
    lines: [{ itemId: pump, description: 'משאבה', quantity, unitPrice: '60' }],
  } as never)) as { id: string }
}
const paper = async (type: number, quantity: string, source?: { id: string }) =>
  (await shop.call(createDocument, {
    type,
    customerId: customer,
    date: '2031-06-12',
    ...(source ? { sourceId: source.id } : {}),
    lines: [
      {
        itemId: pump,
        description: 'משאבה',
        quantity,
        unitPrice: '100',
        ...(source ? { source: { documentId: source.id, line: 1, quantity } } : {}),
      },
    ],
  } as never)) as { id: string }
const issue = (documentId: string, numbers: string[]) =>
  shop.call(calls.issueSerials, { documentId, itemId: pump, numbers })
const move = (to: string, numbers: string[], more: Row = {}) =>
  shop.call(calls.moveSerials, { itemId: pump, numbers, to, ...more } as never)
const faults = async (...kinds: string[]) =>
  (await shop.get(`${base}/reports/serialsMissing`)).rows.filter((row: Row) =>
    kinds.includes(row.what),
  ) as Row[]
const unit = async (number: string) =>
  (await shop.call(calls.findSerials, { q: number })).rows.find((row) => row.number === number)!
const kindsOf = async (number: string) =>
  (await shop.call(calls.serialLife, { id: (await unit(number)).id })).events.map(({ kind }) => kind)
const onHand = async () =>
  Object.fromEntries(
    (await shop.call(stockOf, { id: pump })).places.map(({ place, quantity }) => [place, quantity]),
  )
const store = async (name: string) =>
  (await shop.send('POST', `${base}/stockplaces`, { name, kind: 'store' })).id as string

test('a paper named its units when it went out: that one came back and was sold again changes nothing about it', async () => {
  await buy('2')
  await receive(['A-1'])
  const first = await sell('1')
  await issue(first.id, ['A-1'])
  await move('returned', ['A-1'])
  await issue((await sell('1')).id, ['A-1'])
  expect(await faults('soldWithout')).toEqual([])
})

test('units come in with a paper that is there and brings the item, and with no other', async () => {
  const supplier = (await shop.send('POST', `${base}/suppliers`, { name: 'גליל' })).id
  const bolt = (await shop.send('POST', `${base}/items`, { name: 'בורג', price: '1', isStocked: true })).id
  const make = async (itemId: string, more: Row = {}) =>
    (await shop.call(createDocument, {
      type: 13,
      customerId: supplier,
      date: '2031-05-01',
      lines: [{ itemId, description: 'x', quantity: '1', unitPrice: '60' }],
      ...more,
    } as never)) as { id: string }
  const draft = await make(pump, { draft: true })
  const gone = await make(pump)
  await shop.send('POST', `${base}/documents/${gone.id}/cancel`, { reason: 'טעות' })
  // A draft, one that was cancelled, one of another item, and one that takes out.
  for (const { id } of [draft, gone, await make(bolt), await sell('1')])
    await expect(receive(['B-1'], { documentId: id })).rejects.toMatchObject({
      errors: [{ path: 'documentId', code: 'fields.ref' }],
    })
  await receive(['B-1'], { documentId: (await make(pump)).id })
  expect(await unit('B-1')).toMatchObject({ state: 'inStock' })
})

test('what came without a number is named by its paper, in its store and on its day, and units of before get the paper they came with', async () => {
  const bought = await buy('3')
  await receive(['A-1'])
  expect((await faults('receivedWithout')).map((row) => row.missing)).toEqual([3])
  const branch = await store('סניף')
  await receive(['A-1', 'A-2', 'A-3'], {
    documentId: bought.id,
    placeId: branch,
    day: '2031-05-02',
    note: 'ארגז 4',
  })
  expect(await faults('receivedWithout')).toEqual([])
  expect(await unit('A-2')).toMatchObject({
    place: 'סניף',
    inDay: '2031-05-02',
    inPaper: { id: bought.id, type: 13 },
  })
  expect((await unit('A-1')).inPaper).toMatchObject({ id: bought.id })
  // It has a paper now.
  await expect(receive(['A-1'], { documentId: bought.id })).rejects.toMatchObject({
    errors: [{ path: 'numbers.0', code: 'stock.serialTaken' }],
  })
})

test('units go with a transfer: on the way, there, or missing with what was written off', async () => {
  await buy('5')
  await receive(['A-1', 'A-2', 'A-3'])
  const branch = await store('סניף')
  const main = (await shop.call(stockOf, { id: pump })).places[0]!.placeId
  const send = (numbers: string[], quantity = '3', more: Row = {}) =>
    shop.call(makeTransfer, {
      fromId: main,
      toId: branch,
      lines: [{ itemId: pump, quantity, numbers }],
      ...more,
    } as never) as Promise<Row>
  await expect(send(['A-1', 'A-2'], '1')).rejects.toMatchObject({
    errors: [{ path: 'lines.0.numbers', code: 'stock.moreUnits' }],
  })
  await expect(send(['A-1', 'A-9'])).rejects.toMatchObject({
    errors: [{ path: 'lines.0.numbers.1', code: 'stock.serialUnknown' }],
  })
  const sent = await send(['A-1', 'a-2', 'A-3'])
  expect(sent.lines).toMatchObject([{ numbers: ['A-1', 'A-2', 'A-3'] }])
  await expect(move('missing', ['A-1'])).rejects.toMatchObject({ errors: [{ code: 'stock.serialNotHere' }] })
  const arrive = (line: Row) =>
    shop.call(arriveTransfer, { id: sent.id, lines: [{ itemId: pump, ...line }], reason: 'אבד' } as never)
  await expect(arrive({ quantity: '2' })).rejects.toMatchObject({
    errors: [{ path: 'lines.0.missing', code: 'stock.unitsUnsaid' }],
  })
  await arrive({ quantity: '2', missing: ['A-2'] })
  expect([(await unit('A-1')).place, (await unit('A-2')).state, (await unit('A-3')).place]).toEqual([
    'סניף',
    'missing',
    'סניף',
  ])
  expect((await shop.call(listTransfers, {})).rows[0]!.lines[0]!.numbers).toEqual([])
  expect(await kindsOf('A-1')).toEqual(['received', 'moved', 'moved'])
  expect(await onHand()).toMatchObject({ סניף: '2' })
  expect(await faults('moreThanBooks', 'placeDiffers')).toEqual([])
  // Found where it was not looked for: the unit and the quantity come back together.
  await move('found', ['A-2'], { placeId: branch })
  expect(await onHand()).toMatchObject({ סניף: '3' })
  expect((await unit('A-2')).place).toBe('סניף')
})

test('where a unit lies can be put right, and it is told where units and books differ', async () => {
  await buy('2')
  await receive(['A-1', 'A-2'])
  const branch = await store('סניף')
  const before = await onHand()
  await expect(move('moved', ['A-1'])).rejects.toMatchObject({
    errors: [{ path: 'placeId', code: 'fields.need' }],
  })
  await move('moved', ['A-1'], { placeId: branch })
  expect(await unit('A-1')).toMatchObject({ state: 'inStock', place: 'סניף' })
  expect(await onHand()).toEqual(before)
  expect((await faults('placeDiffers')).map((row) => [row.place, row.missing])).toEqual([['סניף', 1]])
})

test('what is scrapped or missing leaves the quantity too, once, and what is found comes back to it', async () => {
  await buy('3')
  await receive(['A-1', 'A-2', 'A-3'])
  await receive(['A-4'], { expected: true })
  await move('scrapped', ['A-1'], { note: 'נשבר' })
  await move('missing', ['A-2', 'A-4'])
  const left = async () => (await shop.call(stockOf, { id: pump })).onHand
  expect(await left()).toBe('1')
  expect(await faults('moreThanBooks')).toEqual([])
  const { rows } = await shop.get(
    `${base}/reports/stockMovements?from=2031-01-01&to=2031-12-31&item=${pump}&kind=adjust`,
  )
  expect(rows.map((row: Row) => [row.out, row.reason])).toEqual([
    ['1', 'נשבר'],
    ['1', 'חסר'],
  ])
  // What never came was never in the books.
  await move('found', ['A-2', 'A-4'])
  expect(await left()).toBe('2')
  await shop.call(saveStockSettings, { refusesBelowZero: true, costing: 'average', perpetual: false })
  await expect(move('scrapped', ['A-2', 'A-3', 'A-4'])).rejects.toMatchObject({
    errors: [{ path: 'numbers', code: 'stock.notEnough' }],
  })
  expect((await unit('A-2')).state).toBe('inStock')
})

test('units of a paper that is cancelled come back with its goods, and of one that came back in part a person says which', async () => {
  const bought = await buy('4')
  await receive(['A-1', 'A-2'], { documentId: bought.id })
  const note = await paper(3, '1')
  await issue(note.id, ['A-1'])
  await shop.call(cancelDocument, { id: note.id, reason: 'טעות' })
  expect(await unit('A-1')).toMatchObject({
    state: 'inStock',
    customer: null,
    outPaper: null,
    warrantyUntil: null,
  })
  expect(await kindsOf('A-1')).toEqual(['received', 'sold', 'cancelled'])
  const invoice = await paper(8, '2')
  await issue(invoice.id, ['A-1', 'A-2'])
  await shop.call(cancelDocument, { id: invoice.id, reason: 'טעות' })
  expect([(await unit('A-1')).state, (await unit('A-2')).state]).toEqual(['returned', 'returned'])
  expect((await shop.call(stockOf, { id: pump })).onHand).toBe('4')
  // One of two comes back: nobody knows which until it is said.
  const other = await paper(3, '2')
  await issue(other.id, ['A-1', 'A-2'])
  const back = await paper(4, '1', other)
  expect((await unit('A-1')).state).toBe('sold')
  expect((await faults('backWithout')).map((row) => row.missing)).toEqual([1])
  await move('returned', ['A-2'])
  expect(await faults('backWithout', 'soldWithout')).toEqual([])
  // Then the other one, by a paper that is cancelled again: it is with its customer.
  const last = await paper(4, '1', other)
  expect((await unit('A-1')).state).toBe('returned')
  await shop.call(cancelDocument, { id: last.id, reason: 'טעות' })
  expect(await unit('A-1')).toMatchObject({ state: 'sold', customer: 'דליה', outPaper: { id: other.id } })
  await shop.call(cancelDocument, { id: back.id, reason: 'טעות' })
  expect((await unit('A-2')).state).toBe('returned')
})

test('units that came with a paper that is cancelled are expected again', async () => {
  const bought = await buy('1')
  await receive(['A-1'], { documentId: bought.id })
  await shop.call(cancelDocument, { id: bought.id, reason: 'טעות' })
  expect(await unit('A-1')).toMatchObject({ state: 'expected', inPaper: null, place: null })
  await receive(['A-1'])
})

test('a number that a run of numbers lacks is told, not the distance between two runs', async () => {
  await receive(['Pm-0098', 'Pm-0099', 'Pm-0102', 'Pm-0300', 'Pm-0301', 'Pm-0303', '7', '9', 'Q-500'])
  expect((await faults('gap')).map((row) => [row.serial, row.missing])).toEqual([
    ['Pm-0100 – Pm-0101', 2],
    ['Pm-0302', 1],
  ])
  await receive(['PM-0302'])
  expect((await faults('gap')).map((row) => row.missing)).toEqual([2])
})

test('the next numbers are found by a part of an item’s name', async () => {
  await shop.send('POST', `${base}/items`, {
    name: 'מקדחה',
    sku: 'DR-1',
    price: '1',
    isStocked: true,
    tracking: 'serial',
  })
  expect(await shop.call(calls.listCounters, { q: 'dr-' })).toMatchObject({
    more: false,
    rows: [{ item: 'מקדחה' }],
  })
  expect((await shop.call(calls.listCounters, {})).rows).toHaveLength(2)
})
