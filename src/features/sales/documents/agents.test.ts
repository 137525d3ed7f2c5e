import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let noa: { id: string; name: string }
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  const { rows } = await shop.get('/api4/invoice/agents')
  noa = rows[0]
})
afterAll(() => world.close())

const line = { description: 'שולחן', quantity: '2', unitPrice: '100' }

test('the worker in charge of the customer sells, unless another or nobody is named; later papers keep him', async () => {
  const { id: customerId } = await shop.customer('לקוח של נועה', { agentId: noa.id })
  const order = await shop.call(calls.createDocument, { type: 2, customerId, lines: [line] })
  expect(order).toMatchObject({ agentId: noa.id, agentName: noa.name })
  expect(
    await shop.call(calls.createDocument, { type: 2, customerId, agentId: null, lines: [line] }),
  ).toMatchObject({ agentId: null })

  // The person who is in charge of the customer now, the order was sold by her.
  await shop.send('PATCH', `/api4/invoice/customers/${customerId}`, { agentId: null })
  const draft = await shop.call(calls.convertDocument, { id: order.id, type: 8 })
  const invoice = await shop.call(calls.issueDocument, { id: draft.id })
  const credit = await shop.call(calls.creditDocument, {
    id: invoice.id,
    reason: 'החזרה',
    lines: [{ line: 1, quantity: '1' }],
  })
  expect([invoice.agentId, credit.agentId]).toEqual([noa.id, noa.id])
  await shop.invoice(customerId, '70')

  const listed = await shop.get(`/api4/invoice/documents?agentId=${noa.id}&type.in=8,10`)
  expect(
    listed.rows.map((row: { id: string; agentIdName: string }) => [row.id, row.agentIdName]).toSorted(),
  ).toEqual([invoice.id, credit.id].map((id) => [id, noa.name]).toSorted())
  const year = invoice.date.slice(0, 4)
  const { rows } = await shop.get(`/api4/invoice/reports/incomeByAgent?from=${year}-01-01&to=${year}-12-31`)
  expect(
    rows.map((row: { agent: string; type: string; netAgorot: number }) => [
      row.agent,
      row.type,
      row.netAgorot,
    ]),
  ).toEqual([
    [noa.name, 'taxInvoice', 20_000],
    [noa.name, 'creditInvoice', -10_000],
    ['ללא סוכן', 'taxInvoice', 7_000],
  ])
})

test('somebody who does not work here is refused', async () => {
  const { id: customerId } = await shop.customer('בלי סוכן')
  await expect(
    shop.call(calls.createDocument, { type: 8, customerId, agentId: customerId, lines: [line] }),
  ).rejects.toMatchObject({
    errors: [{ path: 'agentId', code: 'fields.ref' }],
  })
})

test('documents of a branch are found by its name', async () => {
  const { id: customerId } = await shop.customer('סניפים')
  const haifa = await shop.invoice(customerId, '10', { branch: 'חיפה' })
  await shop.invoice(customerId, '20')
  const { rows } = await shop.get(`/api4/invoice/documents?branch=${encodeURIComponent('חיפה')}`)
  expect(rows.map((row: { id: string }) => row.id)).toEqual([haifa.id])
})
