import { afterAll, beforeAll, expect, test } from 'vitest'
import { mySession } from '#features/base/session/endpoints.ts'
import { newBusiness, newMate, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { changeDocument, createDocument, getDocument } from './endpoints.ts'

/** A person who may see invoices and nothing else works on what is connected to documents of other types. */
let world: World
let owner: Business
let clerk: Business
let customerId: string

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  customerId = (await owner.customer('לקוח')).id
  const companyId = (await owner.call(mySession, {})).CompanyKey!
  clerk = await newMate(world, companyId, { docsAllow: [8] })
})
afterAll(() => world.close())

const line = { description: 'עבודה', quantity: '2', unitPrice: '100' }

test('an issued invoice tells of no order and no receipt', async () => {
  const order = await owner.call(createDocument, { type: 2, customerId, lines: [line] })
  const invoice = await owner.call(createDocument, {
    type: 8,
    customerId,
    lines: [{ ...line, source: { documentId: order.id, line: 1 } }],
  })
  const receipt = await owner.call(createDocument, {
    type: 6,
    customerId,
    payments: [{ means: 1, amountAgorot: 1000 }],
    closes: [{ documentId: invoice.id, amountAgorot: 1000 }],
  })
  const whole = await owner.call(getDocument, { id: invoice.id })
  expect(whole.lines[0]!.source?.documentId).toBe(order.id)
  expect(whole.settlements.map(({ documentId }) => documentId)).toEqual([receipt.id])
  const seen = await clerk.call(getDocument, { id: invoice.id })
  expect([seen.lines[0]!.source, seen.settlements]).toEqual([null, []])
})

test('saving a draft keeps its connections to documents that are not shown', async () => {
  const order = await owner.call(createDocument, { type: 2, customerId, lines: [line] })
  const draft = await owner.call(createDocument, {
    type: 8,
    draft: true,
    customerId,
    lines: [{ ...line, source: { documentId: order.id, line: 1, quantity: '1' } }],
  })
  const seen = await clerk.call(getDocument, { id: draft.id })
  expect(seen.lines[0]!.source).toBeNull()
  await clerk.call(changeDocument, { id: draft.id, type: 8, customerId, notes: 'תודה', lines: [line] })
  const after = await owner.call(getDocument, { id: draft.id })
  expect(after.notes).toBe('תודה')
  expect(after.lines[0]!.source).toEqual({ documentId: order.id, line: 1, quantity: '1' })
  // Another line is another thing: nothing is connected to it unasked.
  await clerk.call(changeDocument, {
    id: draft.id,
    type: 8,
    customerId,
    lines: [{ ...line, description: 'אחר' }],
  })
  expect((await owner.call(getDocument, { id: draft.id })).lines[0]!.source).toBeNull()
})
