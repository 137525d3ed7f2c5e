import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { myWork } from '#features/base/team/endpoints.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import { timeline } from '#features/people/contacts/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let plumber: Business
beforeAll(async () => {
  world = await startWorld()
  plumber = await newBusiness(world)
})
afterAll(() => world.close())

const lines = [{ description: 'עבודה', quantity: '1', unitPrice: '1000' }]

/**
 * The label a sub-type or the pro flag gives a paper goes with it wherever one paper is named, not only to
 * its own head.
 */
describe('a paper with a label of its own', () => {
  test('is called by it in lists, files, links between papers and open items', async () => {
    const { id: customerId } = await plumber.customer('בעל הבית')
    const quote = await plumber.call(calls.createDocument, { type: 1, customerId, pro: true, lines })
    const order = await plumber.call(calls.createDocument, { type: 2, customerId, sourceId: quote.id, lines })
    const request = await plumber.call(calls.createDocument, { type: 5, customerId, subType: 4, lines })
    const plain = await plumber.call(calls.createDocument, { type: 5, customerId, lines })

    const { rows } = await plumber.get('/api4/invoice/documents?size=20')
    const labels = new Map(
      (rows as { id: string; label: string | null }[]).map(({ id, label }) => [id, label]),
    )
    expect([quote.id, order.id, request.id, plain.id].map((id) => labels.get(id))).toEqual([
      'priceQuoteRequest',
      null,
      'billingAccount',
      null,
    ])

    const csv = String(await plumber.get('/api4/invoiceexport/documents?format=csv'))
    expect(csv).toContain('חשבון עסקה (דרישת תשלום)')
    expect(csv).toContain('בקשה להצעת מחיר')

    expect((await plumber.call(calls.getDocument, { id: order.id })).source).toMatchObject({
      id: quote.id,
      label: 'priceQuoteRequest',
    })
    const open = await plumber.call(calls.openItems, { customerId })
    expect(open.rows.map(({ id, label }) => [id, label])).toEqual([
      [request.id, 'billingAccount'],
      [plain.id, null],
    ])
    const receipt = await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 118_000 }],
      closes: [{ documentId: request.id, amountAgorot: 118_000 }],
    })
    expect(receipt.settlements).toMatchObject([{ documentId: request.id, label: 'billingAccount' }])

    const key = request.urls.page.split('/').at(-1)!
    expect(await plumber.call(calls.pageOfDocument, { key })).toMatchObject({
      type: 5,
      label: 'billingAccount',
    })
    const board = await plumber.call(calls.documentBoard, { type: 1 })
    expect(board.rows).toMatchObject([{ id: quote.id, label: 'priceQuoteRequest' }])
    const home = await plumber.call(homePage, {})
    expect(home.documents!.last.find(({ id }) => id === request.id)).toMatchObject({
      label: 'billingAccount',
    })
    const told = await plumber.call(timeline, { customerId })
    expect(told.rows.filter(({ kind }) => kind === 'paper').map(({ what }) => what)).toEqual(
      expect.arrayContaining(['billingAccount', 'priceQuoteRequest', '5', '2']),
    )
    const own = await plumber.call(myWork, {})
    expect(own.issued.find(({ id }) => id === quote.id)).toMatchObject({ label: 'priceQuoteRequest' })
  })
})
