import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { closePeriod } from '#features/books/periods/endpoints.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import * as counts from './counts.ts'
import * as calls from './endpoints.ts'
import { lookForLow } from './server/index.ts'

type Row = Record<string, any>
const base = '/api4/invoice'
let world: World
let shop: Business
let customer: string
let supplier: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2031-06-30T09:00:00Z'))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  customer = (await shop.customer('דליה')).id
  supplier = (await shop.send('POST', `${base}/suppliers`, { name: 'גליל' })).id
})

const item = async (name: string, more: Row = {}): Promise<string> =>
  (await shop.send('POST', `${base}/items`, { name, price: '100', isStocked: true, ...more })).id
const line = (
  itemId: string,
  quantity: string,
  unitPrice = '100',
  from?: { id: string; line?: number },
  more: Row = {},
) => ({
  itemId,
  description: 'טובין',
  quantity,
  unitPrice,
  ...(from ? { source: { documentId: from.id, line: from.line ?? 1, quantity } } : {}),
  ...more,
})
const paper = (type: number, day: string, lines: Row[], more: Row = {}) =>
  shop.call(createDocument, {
    type,
    customerId: type === 13 || type === 7 ? supplier : customer,
    date: day,
    lines,
    ...more,
  } as never) as Promise<{ id: string }>
const receive = (itemId: string, quantity: string, price: string, day = '2031-05-01') =>
  paper(13, day, [line(itemId, quantity, price)])
const sell = (itemId: string, quantity: string, day = '2031-06-01', more: Row = {}) =>
  paper(8, day, [line(itemId, quantity)], more)
const of = (id: string) => shop.call(calls.stockOf, { id })
const worth = async (id: string) => {
  const { onHand, valueAgorot } = await of(id)
  return [onHand, valueAgorot]
}
const set = (more: Row) =>
  shop.call(calls.saveStockSettings, {
    refusesBelowZero: false,
    costing: 'average',
    perpetual: false,
    ...more,
  })
/** What the database says of the business that asks. */
const ask = async <T extends object>(query: string): Promise<T[]> => {
  const [own] = (
    await world.app.db.pool.query('select company_id as id from parties where id = $1', [customer])
  ).rows as { id: string }[]
  return (await world.app.db.pool.query(query.replaceAll('$company', `'${own!.id}'`))).rows as T[]
}
const stockAccount = async () =>
  Number(
    (
      await ask<{ sum: number }>(
        `select coalesce(sum(p.amount_agorot), 0)::bigint as sum from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id where p.company_id = $company and a.number = '1400'`,
      )
    )[0]!.sum,
  )

describe('papers move stock as their type says', () => {
  test('what comes by a note is worth its price, and goes once, with the note or the invoice', async () => {
    const tap = await item('ברז')
    await receive(tap, '10', '60')
    expect(await worth(tap)).toEqual(['10', 60_000])
    const note = await paper(3, '2031-06-02', [line(tap, '4')])
    expect(await worth(tap)).toEqual(['6', 36_000])
    await paper(8, '2031-06-03', [line(tap, '4', '100', note)], { sourceId: note.id })
    expect(await worth(tap)).toEqual(['6', 36_000])
    const invoice = await sell(tap, '1', '2031-06-04')
    expect(await worth(tap)).toEqual(['5', 30_000])
    await shop.call(cancelDocument, { id: invoice.id, reason: 'טעות' })
    expect(await worth(tap)).toEqual(['6', 36_000])
  })

  test('goods that come back are worth what they went for, part by part, to the agora', async () => {
    const tap = await item('ברז')
    await receive(tap, '3', '33.33')
    const note = await paper(3, '2031-06-02', [line(tap, '3')])
    await receive(tap, '10', '50')
    for (const day of ['2031-06-03', '2031-06-04', '2031-06-05'])
      await paper(4, day, [line(tap, '1', '100', note)], { sourceId: note.id })
    expect(await worth(tap)).toEqual(['13', 50_000 + 9999])
  })

  test('a cancelled note never moved, on its own day', async () => {
    const tap = await item('ברז')
    await receive(tap, '10', '60')
    const note = await paper(3, '2031-06-02', [line(tap, '4')])
    await shop.call(cancelDocument, { id: note.id, reason: 'טעות' })
    expect(await worth(tap)).toEqual(['10', 60_000])
    const { rows } = await shop.get(`${base}/reports/stockOnHand?on=2031-06-02`)
    expect(rows).toMatchObject([{ item: 'ברז', onHand: '10', valueAgorot: 60_000 }])
    const moves = await shop.get(`${base}/reports/stockMovements?from=2031-01-01&to=2031-12-31&item=${tap}`)
    expect(moves.rows.map((row: Row) => [row.kind, row.in, row.out, row.left])).toEqual([
      ['receive', '10', null, '10'],
      ['issue', null, '4', '6'],
      ['cancel', '4', null, '10'],
    ])
  })

  test('what was sold before it came is put right when it comes, on the day that is known', async () => {
    const tap = await item('ברז', { cost: '50' })
    await set({ perpetual: true })
    await sell(tap, '2')
    expect(await worth(tap)).toEqual(['-2', -10_000])
    await receive(tap, '5', '60', '2031-05-01')
    expect(await worth(tap)).toEqual(['3', 18_000])
    const moves = await shop.get(
      `${base}/reports/stockMovements?from=2031-01-01&to=2031-12-31&item=${tap}&kind=revalue`,
    )
    expect(moves.rows).toMatchObject([{ day: '2031-06-30', valueAgorot: -2000 }])
    expect(await stockAccount()).toBe(18_000)
  })

  test('a kit is taken apart as it is sold, and a recipe is worth what its parts were', async () => {
    const [screw, plate, set1, made] = [
      await item('בורג'),
      await item('לוח'),
      await item('ערכה', { isStocked: false }),
      await item('שולחן'),
    ]
    await receive(screw, '100', '0.5')
    await receive(plate, '10', '20')
    const parts = [
      { itemId: screw, quantity: '4' },
      { itemId: plate, quantity: '1' },
    ]
    await shop.call(calls.saveParts, { id: set1, madeOf: 'kit', parts })
    await shop.call(calls.saveParts, { id: made, madeOf: 'recipe', parts })
    await sell(set1, '2')
    expect([await worth(screw), await worth(plate)]).toEqual([
      ['92', 4600],
      ['8', 16_000],
    ])
    await shop.call(calls.produceStock, { id: made, quantity: '3' })
    expect([await worth(screw), await worth(plate), await worth(made)]).toEqual([
      ['80', 4000],
      ['5', 10_000],
      ['3', 6600],
    ])
    await expect(
      shop.call(calls.saveParts, { id: screw, madeOf: 'kit', parts: [{ itemId: made, quantity: '1' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'parts.0.itemId', code: 'stock.partsCircle' }],
    })
  })

  test('what is made is kept in stock, has a recipe, and is there', async () => {
    const service = await item('הרכבה', { isStocked: false })
    const bare = await item('מדף')
    const gone = await item('ארון')
    await shop.send('DELETE', `/api4/invoice/items/${gone}`)
    const made = (id: string) => shop.call(calls.produceStock, { id, quantity: '1' })
    await expect(made(service)).rejects.toMatchObject({ code: 'stock.notStocked' })
    await expect(made(bare)).rejects.toMatchObject({ code: 'stock.noParts' })
    for (const id of [gone, '019b0000-0000-7000-8000-000000000000'])
      await expect(made(id)).rejects.toMatchObject({ status: 404 })
    await expect(shop.call(calls.saveParts, { id: bare, madeOf: 'recipe', parts: [] })).rejects.toMatchObject(
      {
        errors: [{ path: 'parts', code: 'stock.noParts' }],
      },
    )
  })

  test('a carton is counted in pieces', async () => {
    const tap = await item('ברז', { unit: 'יחידה' })
    await shop.call(calls.saveUnits, { id: tap, units: [{ unit: 'קרטון', times: 24 }] })
    await paper(13, '2031-05-01', [line(tap, '2', '240', undefined, { unit: 'קרטון' })])
    await sell(tap, '5')
    expect(await worth(tap)).toEqual(['43', 43_000])
    await expect(
      shop.call(calls.saveUnits, { id: tap, units: [{ unit: 'יחידה', times: 2 }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'units.0.unit', code: 'fields.taken' }],
    })
  })

  test('what expires first goes first, and what expired goes not at all', async () => {
    const milk = await item('חלב', { tracking: 'batch' })
    const batch = (quantity: string, batchNumber: string, expires: string) =>
      shop.call(calls.adjustStock, {
        id: milk,
        quantity,
        batchNumber,
        expires,
        worthAgorot: 1000,
        reason: 'קבלה',
      })
    await batch('5', 'ב', '2031-08-01')
    await batch('5', 'א', '2031-07-01')
    await batch('5', 'ישן', '2031-06-01')
    await sell(milk, '7')
    expect((await of(milk)).places.map(({ batch: name, quantity }) => [name, quantity])).toEqual([
      ['ישן', '5'],
      ['ב', '3'],
    ])
    expect(
      (await shop.get(`${base}/reports/stockExpiry`)).rows.map((row: Row) => [row.batch, row.daysLeft]),
    ).toEqual([
      ['ישן', -29],
      ['ב', 32],
    ])
    // Where stock may not go below zero, it is said that what is missing has expired.
    await set({ refusesBelowZero: true })
    await expect(sell(milk, '4')).rejects.toMatchObject({
      errors: [
        { path: 'lines.0.quantity', code: 'stock.batchExpired', params: { batch: 'ישן', day: '2031-06-01' } },
      ],
    })
    await expect(sell(milk, '9')).rejects.toMatchObject({ errors: [{ code: 'stock.batchExpired' }] })
    // Scrapping names it, and is not selling.
    await shop.call(calls.adjustStock, { id: milk, quantity: '-5', batchNumber: 'ישן', reason: 'פג תוקף' })
    await expect(sell(milk, '4')).rejects.toMatchObject({ errors: [{ code: 'stock.notEnough' }] })
    await sell(milk, '3')
  })
})

describe('where it is refused', () => {
  test('sixteen sales of the last five sell five', async () => {
    const tap = await item('ברז')
    await set({ refusesBelowZero: true })
    await receive(tap, '5', '60')
    const sales = await Promise.allSettled(Array.from({ length: 16 }, () => sell(tap, '1', '2031-06-01')))
    expect(sales.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const sale of sales)
      if (sale.status === 'rejected')
        expect(sale.reason).toMatchObject({
          status: 422,
          errors: [{ path: 'lines.0.quantity', code: 'stock.notEnough' }],
        })
    expect(await worth(tap)).toEqual(['0', 0])
  })

  test('nothing is written down, moved or made that is not there, and a refusal moves nothing', async () => {
    const tap = await item('ברז')
    await set({ refusesBelowZero: true })
    await receive(tap, '1', '60')
    const shelf = await shop.send('POST', `${base}/stockplaces`, { name: 'סניף', kind: 'store' })
    const { placeId } = (await of(tap)).places[0]!
    await expect(
      shop.call(calls.adjustStock, { id: tap, quantity: '-2', reason: 'שבר' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'quantity', code: 'stock.notEnough' }],
    })
    await expect(
      shop.call(calls.makeTransfer, {
        fromId: placeId,
        toId: shelf.id,
        lines: [{ itemId: tap, quantity: '2' }],
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'lines.0.quantity', code: 'stock.notEnough' }] })
    expect(await worth(tap)).toEqual(['1', 6000])
  })
})

describe('places', () => {
  test('transfers are listed fifty at a time, newest first', async () => {
    const tap = await item('ברז')
    await receive(tap, '100', '60')
    const store = await shop.send('POST', `${base}/stockplaces`, { name: 'סניף', kind: 'store' })
    const { placeId: main } = (await of(tap)).places[0]!
    const send = () =>
      shop.call(calls.makeTransfer, {
        fromId: main,
        toId: store.id,
        lines: [{ itemId: tap, quantity: '1' }],
      })
    const numbers: number[] = []
    for (let n = 0; n < 50; n++) numbers.unshift((await send()).number)
    const seen = async (more: object = {}) => {
      const { rows, nextBefore } = await shop.call(calls.listTransfers, more)
      return { numbers: rows.map(({ number }) => number), nextBefore }
    }
    expect(await seen()).toEqual({ numbers, nextBefore: null })
    numbers.unshift((await send()).number)
    expect(await seen()).toEqual({ numbers: numbers.slice(0, 50), nextBefore: numbers[49] })
    expect(await seen({ before: numbers[49] })).toEqual({ numbers: numbers.slice(50), nextBefore: null })
  })

  test('what is sent is on the way until it arrives, and what is missing is written off', async () => {
    const tap = await item('ברז')
    await receive(tap, '10', '60')
    const store = await shop.send('POST', `${base}/stockplaces`, { name: 'סניף', kind: 'store' })
    const { placeId: main } = (await of(tap)).places[0]!
    const sent = await shop.call(calls.makeTransfer, {
      fromId: main,
      toId: store.id,
      lines: [{ itemId: tap, quantity: '4' }],
    })
    expect(await of(tap)).toMatchObject({ onHand: '10', onTheWay: '4', free: '6' })
    await expect(
      shop.call(calls.arriveTransfer, { id: sent.id, lines: [{ itemId: tap, quantity: '5' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'lines.0.quantity', code: 'stock.arrivedTooMuch' }],
    })
    await expect(
      shop.call(calls.arriveTransfer, { id: sent.id, lines: [{ itemId: tap, quantity: '3' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'reason' }],
    })
    await shop.call(calls.arriveTransfer, {
      id: sent.id,
      lines: [{ itemId: tap, quantity: '3' }],
      reason: 'נשבר בדרך',
    })
    await expect(shop.call(calls.arriveTransfer, { id: sent.id })).rejects.toMatchObject({
      status: 409,
      code: 'stock.alreadyArrived',
    })
    expect(await of(tap)).toMatchObject({ onHand: '9', onTheWay: '0', free: '9', valueAgorot: 54_000 })
    expect((await shop.get(`${base}/reports/stockOnHand?place=${store.id}`)).rows).toMatchObject([
      { onHand: '3', valueAgorot: 18_000 },
    ])
    const split = async (more = '') =>
      (await shop.get(`${base}/reports/stockOnHand?byPlace=true${more}`)).rows.map((row: Row) => [
        row.place,
        row.onHand,
        row.valueAgorot,
      ])
    expect(await split()).toEqual([
      ['מחסן ראשי', '6', 36_000],
      ['סניף', '3', 18_000],
    ])
    expect(await split(`&place=${store.id}`)).toEqual([['סניף', '3', 18_000]])
    expect(await split('&on=2031-06-29')).toEqual([['מחסן ראשי', '10', 60_000]])
    await expect(
      shop.call(calls.makeTransfer, { fromId: main, toId: main, lines: [{ itemId: tap, quantity: '1' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'toId', code: 'stock.samePlace' }],
    })
    await expect(shop.send('DELETE', `${base}/stockplaces/${store.id}`)).rejects.toMatchObject({
      status: 409,
      code: 'stock.placeInUse',
    })
  })
})

test('orders hold goods back, and what falls below its minimum is ordered of its supplier', async () => {
  const tap = await item('ברז', {
    minimumQuantity: '5',
    orderQuantity: '12',
    supplierId: supplier,
    cost: '60',
  })
  const lost = await item('צינור', { minimumQuantity: '1' })
  await receive(tap, '10', '60')
  await paper(2, '2031-06-05', [line(tap, '8')])
  expect(await of(tap)).toMatchObject({ onHand: '10', reserved: '8', free: '2' })
  const { rows } = await shop.call(calls.proposedOrders, {})
  expect(rows.map(({ itemId, quantity, supplier: from }) => [itemId, quantity, from])).toEqual([
    [tap, '12', 'גליל'],
    [lost, '1', null],
  ])
  const made = await shop.call(calls.orderStock, {
    lines: rows.map(({ itemId, quantity }) => ({ itemId, quantity })),
  })
  expect(made).toMatchObject({ drafts: [{ supplier: 'גליל', lines: 1 }], without: 1 })
  await shop.send('POST', `${base}/documents/${made.drafts[0]!.id}/issue`)
  expect(await of(tap)).toMatchObject({ onOrder: '12' })
  expect((await shop.call(calls.proposedOrders, {})).rows.map(({ itemId }) => itemId)).toEqual([lost])
})

test('an order lets go of what it holds back when its days are over, and what is low is told once until it has risen', async () => {
  const tap = await item('ברז', {
    minimumQuantity: '5',
    orderQuantity: '10',
    supplierId: supplier,
    cost: '60',
  })
  await receive(tap, '10', '60')
  await paper(2, '2031-06-01', [line(tap, '8')], { validUntil: '2031-06-20' })
  const lows = async () =>
    (
      await ask<{ payload: Row }>(
        `select payload from events where company_id = $company and name = 'stock.low' order by version`,
      )
    ).map(({ payload }) => [payload.name, payload.quantity])
  expect(await of(tap)).toMatchObject({ reserved: '8', free: '2' })
  await lookForLow(world.app)
  expect(await lookForLow(world.app)).toBe(0)
  expect(await lows()).toEqual([['ברז', '10']])
  // Ten days after it was promised it still holds, nine days is what the business waits.
  await set({ reserveDays: 10 })
  expect(await of(tap)).toMatchObject({ reserved: '8' })
  await set({ reserveDays: 9 })
  expect(await of(tap)).toMatchObject({ reserved: '0', free: '10' })
  expect((await shop.call(calls.proposedOrders, {})).rows).toEqual([])
  await lookForLow(world.app)
  await sell(tap, '6')
  await lookForLow(world.app)
  expect(await lows()).toHaveLength(2)
  await expect(set({ reserveDays: 400 })).rejects.toMatchObject({
    errors: [{ path: 'reserveDays', code: 'fields.most' }],
  })
})

test('freight lies on what came by its worth, and what was sold meanwhile bears its part at once', async () => {
  const [tap, pipe] = [await item('ברז'), await item('צינור')]
  await set({ perpetual: true })
  const came = await paper(13, '2031-05-01', [line(tap, '10', '30'), line(pipe, '10', '10')])
  await sell(tap, '5')
  expect(
    await shop.call(calls.revalueStock, { documentId: came.id, agorot: 4000, by: 'value', reason: 'הובלה' }),
  ).toEqual({
    onStockAgorot: 2500,
    onSoldAgorot: 1500,
  })
  expect([await worth(tap), await worth(pipe)]).toEqual([
    ['5', 16_500],
    ['10', 11_000],
  ])
  expect(await stockAccount()).toBe(27_500)
})

test('the books learn of stock at the year’s end where they do not follow it', async () => {
  const tap = await item('ברז')
  await receive(tap, '10', '60', '2031-03-01')
  expect(await stockAccount()).toBe(0)
  expect(await shop.call(calls.closeStock, { day: '2031-03-31' })).toEqual({
    valueAgorot: 60_000,
    changeAgorot: 60_000,
  })
  expect(await stockAccount()).toBe(60_000)
  expect(await shop.call(calls.closeStock, { day: '2031-03-31' })).toMatchObject({ changeAgorot: 0 })
  await sell(tap, '4')
  await set({ perpetual: true })
  expect(await stockAccount()).toBe(36_000)
  await expect(shop.call(calls.closeStock, { day: '2031-06-30' })).rejects.toMatchObject({
    code: 'stock.nothingToClose',
  })
})

describe('bad input is refused where it stands', () => {
  test.each([
    [{ quantity: '0' }, 'quantity', 'fields.range'],
    [{ quantity: '1.00005' }, 'quantity', 'fields.decimal'],
    [{ quantity: '99999999999' }, 'quantity', 'fields.range'],
    [{ reason: ' ' }, 'reason', 'fields.need'],
    [{ day: '2031-07-01' }, 'day', 'stock.dayAhead'],
    [{ placeId: '00000000-0000-4000-8000-000000000000' }, 'placeId', 'fields.ref'],
    [{ worthAgorot: -1 }, 'worthAgorot', 'fields.range'],
  ])('%j', async (more, path, code) => {
    const tap = await item('ברז')
    await expect(
      shop.call(calls.adjustStock, { id: tap, quantity: '1', reason: 'ספירה', ...more } as never),
    ).rejects.toMatchObject({
      errors: [{ path, code }],
    })
    expect(await worth(tap)).toEqual(['0', 0])
  })

  test('an item that is not kept in stock, a day in a closed period, costs chosen after the first movement', async () => {
    const work = await item('עבודה', { isStocked: false })
    await expect(
      shop.call(calls.adjustStock, { id: work, quantity: '1', reason: 'ספירה' }),
    ).rejects.toMatchObject({
      status: 422,
      code: 'stock.notStocked',
    })
    await receive(await item('ברז'), '1', '1')
    await expect(set({ costing: 'fifo' })).rejects.toMatchObject({
      status: 409,
      code: 'stock.costingAfterMoves',
    })
  })
})

/** STOCKLIVES=2000 lives more of them, from SEED on. */
const lives = Number(process.env.STOCKLIVES ?? 3)
const firstSeed = Number(process.env.SEED ?? 1)

/**
 * What came and went, in the order it was known: told to the product and to a replay that knows nothing of
 * it.
 */
interface Told {
  item: number
  place: number
  day: string
  quantity: number
  /**
   * What came is worth; of what comes back, its part of what that movement went for; nothing where it only
   * changes its place.
   */
  worth?: number | { of: Told; from: number; upTo: number } | 'within'
  /** The arrival that is reversed. */
  undoes?: Told
}

describe.each(Array.from({ length: lives }, (_, i) => firstSeed + i))('life %i', (seed) => {
  test.each([false, true])(
    'is what an independent replay says, at every past day and place, and in the books (first in, first out: %s)',
    { timeout: 60_000 },
    async (fifo) => {
      let state = seed * 2_654_435_761
      const random = (below: number) => {
        state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
        return Math.abs(state ^ (state >>> 13)) % below
      }
      const refuses = seed % 2 === 0
      await set({ perpetual: true, refusesBelowZero: refuses, costing: fifo ? 'fifo' : 'average' })
      const items = [await item('א', { cost: '7' }), await item('ב'), await item('ג', { cost: '0.5' })]
      const store = (await shop.send('POST', `${base}/stockplaces`, { name: 'סניף', kind: 'store' }))
        .id as string
      const told: Told[] = []
      // The main warehouse is made with the first movement.
      await receive(items[0]!, '10', '6.66', '2031-01-01')
      told.push({ item: 0, place: 0, day: '2031-01-01', quantity: 100_000, worth: 6660 })
      const main = (await of(items[0]!)).places[0]!.placeId
      const places = [main, store]
      const held = (one: number, place: number) =>
        told
          .filter((move) => move.item === one && move.place === place)
          .reduce((sum, move) => sum + move.quantity, 0)
      const today = '2031-06-30'
      let last = 1
      const dayAt = (n: number) => `2031-0${1 + Math.floor(n / 28)}-${String(1 + (n % 28)).padStart(2, '0')}`
      const written = (quantity: number) => String(quantity / 10_000)
      const isShort = (moves: readonly Told[]) =>
        refuses &&
        moves.some(
          (move, i) =>
            move.quantity < 0 &&
            held(move.item, move.place) +
              moves
                .slice(0, i + 1)
                .filter((one) => one.item === move.item && one.place === move.place)
                .reduce((sum, one) => sum + one.quantity, 0) <
              0,
        )
      const attempt = async <T>(moves: Told[], deed: () => Promise<T>): Promise<T | undefined> => {
        if (isShort(moves)) {
          await expect(deed()).rejects.toMatchObject({ errors: [{ code: 'stock.notEnough' }] })
          return undefined
        }
        const made = await deed()
        told.push(...moves)
        return made
      }
      const notes: { id: string; move: Told; back: number }[] = []
      const receipts: { id: string; move: Told }[] = []
      for (let step = 0; step < 40; step++) {
        last = Math.min(150, last + random(4))
        const [at, one, place, quantity] = [dayAt(last), random(3), random(2), (1 + random(50)) * 1000]
        const text = written(quantity)
        const gone = { item: one, place: 0, day: at, quantity: -quantity }
        switch (random(11)) {
          case 0: {
            const price = 1 + random(2000)
            const net = Math.round((price * quantity) / 10_000)
            const move = { ...gone, quantity, ...(net > 0 ? { worth: net } : {}) }
            const made = await attempt([move], () => receive(items[one]!, text, String(price / 100), at))
            receipts.push({ id: made!.id, move })
            break
          }
          case 9: {
            // The goods had come and some of them were sold; the paper of their coming is cancelled.
            const [receipt] = receipts.splice(random(receipts.length || 1), 1)
            if (!receipt) break
            const back = { ...receipt.move, quantity: -receipt.move.quantity, undoes: receipt.move }
            const cancelled = await attempt([back], () =>
              shop.call(cancelDocument, { id: receipt.id, reason: 'טעות' }),
            )
            if (!cancelled) receipts.push(receipt)
            break
          }
          case 10: {
            // Some is returned to the supplier, by a separate document.
            await attempt([gone], () => receive(items[one]!, `-${text}`, '5', at))
            break
          }
          case 1:
            await attempt([gone], () => sell(items[one]!, text, at))
            break
          case 2: {
            const made = await attempt([gone], () => paper(3, at, [line(items[one]!, text)]))
            if (made) notes.push({ id: made.id, move: gone, back: 0 })
            break
          }
          case 3: {
            // Back in time: known now, of a day long ago.
            const day = dayAt(random(last + 1))
            const sign = random(2) ? 1 : -1
            const value = random(5000)
            await attempt(
              [{ item: one, place, day, quantity: sign * quantity, ...(sign > 0 ? { worth: value } : {}) }],
              () =>
                shop.call(calls.adjustStock, {
                  id: items[one]!,
                  quantity: written(sign * quantity),
                  placeId: places[place]!,
                  day,
                  ...(sign > 0 ? { worthAgorot: value } : {}),
                  reason: 'ספירה',
                }),
            )
            break
          }
          case 4:
            await attempt(
              [
                { item: one, place, day: at, quantity: -quantity, worth: 'within' },
                { item: one, place: 1 - place, day: at, quantity, worth: 'within' },
              ],
              () =>
                shop.call(calls.makeTransfer, {
                  fromId: places[place]!,
                  toId: places[1 - place]!,
                  day: at,
                  arrives: true,
                  lines: [{ itemId: items[one]!, quantity: text }],
                }),
            )
            break
          case 5: {
            const note = notes.find(({ back }) => back === 0)
            if (!note) break
            await shop.call(cancelDocument, { id: note.id, reason: 'טעות' })
            notes.splice(notes.indexOf(note), 1)
            told.push({
              ...note.move,
              quantity: -note.move.quantity,
              worth: { of: note.move, from: 0, upTo: -note.move.quantity },
            })
            break
          }
          case 6: {
            // Some of what went by a note comes back, and later perhaps more of it.
            const note = notes.at(-1)
            if (!note) break
            const part = Math.min(quantity, -note.move.quantity - note.back)
            if (part <= 0) break
            const of = { of: note.move, from: note.back, upTo: note.back + part }
            await paper(4, at, [line(items[note.move.item]!, written(part), '100', note)], {
              sourceId: note.id,
            })
            note.back += part
            told.push({ ...note.move, day: at, quantity: part, worth: of })
            break
          }
          case 7: {
            // Frozen, something is sold meanwhile, and what was counted of one item in both places is
            // approved.
            const books = [held(one, 0), held(one, 1)]
            const { id } = await shop.call(counts.beginCount, { name: 'ספירה' })
            const sold = { ...gone, item: random(3) }
            await attempt([sold], () => sell(items[sold.item]!, text, at))
            const counted = books.map((book) => Math.max(0, book + (random(3) - 1) * random(20) * 1000))
            await shop.call(counts.countEntries, {
              id,
              entries: counted.map((found, n) => ({
                clientId: randomUUID(),
                itemId: items[one]!,
                placeId: places[n]!,
                quantity: written(found),
                countedAt: '2031-06-30T08:00:00Z',
              })),
            } as never)
            const moves = counted
              .map((found, n) => ({ item: one, place: n, day: today, quantity: found - books[n]! }))
              .filter((move) => move.quantity !== 0)
            const approved = await attempt(moves, () =>
              shop.call(counts.approveCount, { id, uncounted: 'leave' }),
            )
            if (!approved) await shop.call(counts.dropCount, { id })
            break
          }
          default: {
            // Two phones sell the same two items at once, each beginning with the other one.
            const other = (one + 1) % 3
            const both = [gone, { ...gone, item: other }]
            const sales = await Promise.allSettled([
              paper(8, at, [line(items[one]!, text), line(items[other]!, text)]),
              paper(8, at, [line(items[other]!, text), line(items[one]!, text)]),
            ])
            for (const sale of sales)
              if (sale.status === 'rejected')
                expect(sale.reason).toMatchObject({ errors: [{ code: 'stock.notEnough' }] })
            let went = sales.filter(({ status }) => status === 'fulfilled').length
            for (let n = 0; n < 2; n++) {
              expect(went > 0).toBe(!isShort(both))
              if (went-- > 0) told.push(...both.map((move) => ({ ...move })))
            }
          }
        }
      }

      // The replay, in the order things were known; corrections lie on the day they became known.
      const byDay = new Map<string, number>()
      const add = (key: string, value: number) => byDay.set(key, (byDay.get(key) ?? 0) + value)
      const said = [700, 0, 50]
      const now = items.map(() => ({
        quantity: 0,
        value: 0,
        last: null as [number, number] | null,
        arrived: [] as { day: string; n: number; quantity: number; value: number }[],
      }))
      const values = new Map<Told, number>()
      const share = (value: number, part: number, whole: number) =>
        Number((2n * BigInt(value) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
      for (const [n, move] of told.entries()) {
        const own = now[move.item]!
        add(`quantity ${move.item} ${move.place} ${move.day}`, move.quantity)
        if (move.worth === 'within') continue
        const unit = own.quantity > 0 ? [own.value, own.quantity] : (own.last ?? [said[move.item]!, 10_000])
        let value: number
        if (move.quantity > 0) {
          const back = typeof move.worth === 'object' ? move.worth : undefined
          const part = (quantity: number) => share(-values.get(back!.of)!, quantity, -back!.of.quantity)
          const given = back ? part(back.upTo) - part(back.from) : (move.worth as number | undefined)
          value = given ?? share(unit[0]!, move.quantity, unit[1]!)
          const covers = own.quantity < 0 ? Math.min(-own.quantity, move.quantity) : 0
          const cost = covers ? share(value, covers, move.quantity) : 0
          if (covers) {
            const correction = share(-own.value, covers, -own.quantity) - cost
            add(`value ${today}`, correction)
            own.value += correction
          }
          if (given !== undefined) own.last = [value, move.quantity]
          if (move.quantity > covers)
            own.arrived.push({ day: move.day, n, quantity: move.quantity - covers, value: value - cost })
        } else {
          const gone = -move.quantity
          const first = move.undoes && told.indexOf(move.undoes)
          const there = Math.max(0, Math.min(gone, own.quantity))
          let taken =
            there === 0 ? 0 : there === own.quantity ? own.value : share(own.value, there, own.quantity)
          // What a cancelled paper brought goes with what it came with: all of it while enough is there, or
          // what is left of that arrival.
          if (!fifo && move.undoes && gone < own.quantity)
            taken = Math.min(values.get(move.undoes)!, own.value)
          if (fifo && there > 0) {
            taken = 0
            own.arrived.sort((a, b) =>
              (a.n === first) !== (b.n === first)
                ? a.n === first
                  ? -1
                  : 1
                : a.day === b.day
                  ? a.n - b.n
                  : a.day < b.day
                    ? -1
                    : 1,
            )
            for (let missing = there; missing > 0;) {
              const oldest = own.arrived[0]!
              const some = Math.min(missing, oldest.quantity)
              const worth =
                some === oldest.quantity ? oldest.value : share(oldest.value, some, oldest.quantity)
              taken += worth
              missing -= some
              oldest.quantity -= some
              oldest.value -= worth
              if (oldest.quantity === 0) own.arrived.shift()
            }
          }
          value = -(taken + share(unit[0]!, gone - there, unit[1]!))
          own.last = unit as [number, number]
        }
        own.quantity += move.quantity
        own.value += value
        values.set(move, value)
        add(`value ${move.day}`, value)
      }

      const sums = (prefix: string, until: string) =>
        [...byDay]
          .filter(([key]) => key.startsWith(prefix) && key.slice(-10) <= until)
          .reduce((sum, [, value]) => sum + value, 0)
      for (const until of [dayAt(10), dayAt(40), dayAt(75), dayAt(110), '2031-06-29', '2031-06-30']) {
        for (const [p, place] of places.entries()) {
          const { rows } = await shop.get(`${base}/reports/stockOnHand?on=${until}&place=${place}`)
          const found = new Map(rows.map((row: Row) => [row.item, Number(row.onHand) * 10_000]))
          for (const [i, name] of ['א', 'ב', 'ג'].entries())
            expect(Math.round((found.get(name) as number) ?? 0), `${name} ${until}`).toBe(
              sums(`quantity ${i} ${p} `, until),
            )
        }
        const { totals } = await shop.get(`${base}/reports/stockOnHand?on=${until}`)
        expect(totals.valueAgorot ?? 0, until).toBe(sums('value ', until))
        const [kept] = await ask<{ sum: number }>(
          `select coalesce(sum(value_agorot), 0)::bigint as sum from stock_days where company_id = $company and day <= '${until}'`,
        )
        expect(Number(kept!.sum), until).toBe(sums('value ', until))
        expect((await shop.call(calls.stockValue, { day: until })).valueAgorot, until).toBe(
          sums('value ', until),
        )
      }
      expect(await stockAccount()).toBe(now.reduce((sum, one) => sum + one.value, 0))
      for (const [i, id] of items.entries())
        expect(await worth(id)).toEqual([String(now[i]!.quantity / 10_000), now[i]!.value])
      if (refuses)
        expect(await ask('select 1 from stock_on_hand where company_id = $company and quantity < 0')).toEqual(
          [],
        )
    },
  )
})

describe('what is refused', () => {
  test('a movement in a month that is closed, and one that is changed by whatever statement', async () => {
    const id = await item('ברגים')
    await receive(id, '5', '10', '2031-05-01')
    await shop.call(closePeriod, { kind: 'month', from: '2031-04-01', despite: true })
    const adjust = (day: string) => shop.call(calls.adjustStock, { id, quantity: '1', day, reason: 'ספירה' })
    await expect(adjust('2031-04-30')).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'day', code: 'stock.dayClosed' }],
    })
    await adjust('2031-05-01')
    expect(
      await refusedByDatabase(world, sql`update stock_moves set quantity = 6 where item_id = ${id}`),
    ).toBe('stock.stays')
  })

  test('something made of nothing, and an order of what nobody sells', async () => {
    const id = await item('ערכה')
    await expect(shop.call(calls.produceStock, { id, quantity: '1' })).rejects.toMatchObject({
      status: 422,
      code: 'stock.noParts',
    })
    await expect(shop.call(calls.saveParts, { id, madeOf: 'recipe', parts: [] })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'parts', code: 'stock.noParts' }],
    })
    const order = () => shop.call(calls.orderStock, { lines: [{ itemId: id, quantity: '1' }] })
    await expect(order()).rejects.toMatchObject({ status: 422, code: 'stock.nothingToOrder' })
    await shop.send('PATCH', `${base}/items/${id}`, { supplierId: supplier })
    expect((await order()).drafts).toHaveLength(1)
  })
})
