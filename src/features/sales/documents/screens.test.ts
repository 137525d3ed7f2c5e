import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { listSeries, setSeries } from '#features/base/companies/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let plumber: Business
beforeAll(async () => {
  world = await startWorld()
  plumber = await newBusiness(world)
})
afterAll(() => world.close())

test('a draft keeps what it will close, and why more cash is let through, until it is issued', async () => {
  const { id: customerId } = await plumber.customer('מזומן')
  const invoice = await plumber.invoice(customerId, '20000')
  const draft = await plumber.call(calls.createDocument, {
    draft: true,
    type: 6,
    customerId,
    payments: [{ means: 1, amountAgorot: 2_360_000 }],
    closes: [{ documentId: invoice.id, amountAgorot: 2_360_000 }],
  })
  expect(draft).toMatchObject({
    closes: [{ documentId: invoice.id, amountAgorot: 2_360_000 }],
    cashException: '',
  })
  await expect(plumber.call(calls.issueDocument, { id: draft.id })).rejects.toMatchObject({
    errors: [{ path: 'payments', code: 'payments.cashAboveLimit' }],
  })
  const kept = await plumber.call(calls.changeDocument, {
    id: draft.id,
    type: 6,
    customerId,
    payments: [{ means: 1, amountAgorot: 2_360_000 }],
    closes: draft.closes,
    cashException: 'תשלום מקרוב משפחה',
  })
  expect(kept.cashException).toBe('תשלום מקרוב משפחה')
  expect(await plumber.call(calls.issueDocument, { id: draft.id })).toMatchObject({
    status: 'closed',
    closes: [],
  })
})

test('the list tells which orders still have something to supply', async () => {
  const { id: customerId } = await plumber.customer('מזמין')
  const order = await plumber.call(calls.createDocument, {
    type: 2,
    customerId,
    lines: [{ description: 'צינור', quantity: '5', unitPrice: '10' }],
  })
  const left = async () =>
    (await plumber.get('/api4/invoice/documents?type=2&hasLeft=true&size=10')).rows.map(
      (row: { id: string }) => row.id,
    )
  const supply = async (quantity: string) => {
    const note = await plumber.call(calls.convertDocument, {
      id: order.id,
      type: 3,
      lines: [{ line: 1, quantity }],
    })
    await plumber.call(calls.issueDocument, { id: note.id })
  }
  expect(await left()).toEqual([order.id])
  await supply('2')
  expect(await left()).toEqual([order.id])
  await supply('3')
  expect(await left()).toEqual([])
})

test('papers of the book stand by themselves in the list', async () => {
  const { id: customerId } = await plumber.customer('פנקס')
  const made = await plumber.call(calls.createDocument, {
    type: 8,
    customerId,
    handNumber: 31,
    lines: [{ description: 'x', unitPrice: '1' }],
  })
  const { rows } = await plumber.get('/api4/invoice/documents?byHand=true&size=10')
  expect(rows.map((row: { id: string }) => row.id)).toEqual([made.id])
})

test('the numbers of a branch begin where they are told, and no longer once they have begun', async () => {
  const { id: customerId } = await plumber.customer('סניף')
  await plumber.call(setSeries, { series: 'priceQuote@חיפה', nextNumber: 500 })
  const quote = { type: 1, customerId, branch: 'חיפה', lines: [{ description: 'x', unitPrice: '1' }] }
  expect(await plumber.call(calls.createDocument, quote)).toMatchObject({ number: 500 })
  const { rows } = await plumber.call(listSeries, {})
  expect(rows.find((row) => row.branch === 'חיפה')).toMatchObject({ type: 1, nextNumber: 501, started: true })
  await expect(plumber.call(setSeries, { series: 'priceQuote@חיפה', nextNumber: 900 })).rejects.toMatchObject(
    {
      code: 'companies.seriesStarted',
    },
  )
  await expect(plumber.call(setSeries, { series: 'nonsense@חיפה', nextNumber: 1 })).rejects.toMatchObject({
    errors: [{ path: 'series' }],
  })
})
