import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isReading } from '#kit/describe/endpoint.ts'
import { implementations } from '../src/features.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

let world: World
let business: Business
let customerId: string

beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  customerId = (await business.send('POST', '/api4/invoice/customers', { name: 'קונה' })).id
})
afterAll(() => world.close())

const documents = '/api4/invoice/documents'
const ask = async (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
) => {
  const answer = await world.http.inject({
    method,
    url,
    headers: { 'x-access-token': business.token, ...headers },
    ...(payload ? { payload } : {}),
  })
  return {
    status: answer.statusCode,
    body: answer.json(),
    isRepeated: answer.headers['idempotent-replayed'] === 'true',
  }
}
const sale = (clientKey: string, more: object = {}) => ({
  type: 8,
  customerId,
  clientKey,
  lines: [{ description: 'x', unitPrice: '100' }],
  ...more,
})

describe('a call repeated under the key of the program', () => {
  test('answers the document it made, whatever the order of its fields', async () => {
    const first = await ask('POST', documents, sale('a', { externalId: 'a', metadata: { n: 1 } }))
    expect([first.status, first.isRepeated, first.body.status]).toEqual([201, false, 'issued'])
    const { type, ...rest } = sale('a', { metadata: { n: 1 }, externalId: 'a' })
    const again = await ask('POST', documents, { ...rest, type })
    expect([again.status, again.isRepeated]).toEqual([200, true])
    expect(again.body).toMatchObject({
      id: first.body.id,
      number: first.body.number,
      externalId: 'a',
      metadata: { n: 1 },
    })
  })

  test('with another body is refused with the id of that document', async () => {
    const { body } = await ask('POST', documents, sale('b'))
    for (const other of [
      sale('b', { subject: 'other' }),
      sale('b', { draft: true }),
      sale('b', { metadata: { n: 2 } }),
    ])
      expect(await ask('POST', documents, other)).toMatchObject({
        status: 422,
        body: {
          code: 'documents.clientKeyTaken',
          params: { id: body.id, key: 'b' },
          errors: [{ path: 'clientKey', code: 'documents.clientKeyTaken' }],
        },
      })
  })

  test('eight times at once makes one', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ask('POST', documents, sale('c'))))
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 7 }, () => 200), 201])
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect(all.filter(({ isRepeated }) => !isRepeated).length).toBe(1)
  })

  test('finds its draft also after it was changed and issued; a deleted draft frees the key', async () => {
    const draft = await ask('POST', documents, sale('d', { draft: true }))
    const { id } = draft.body
    await ask('PATCH', `${documents}/${id}`, {
      type: 8,
      customerId,
      lines: [{ description: 'y', unitPrice: '2' }],
    })
    expect((await ask('GET', '/api4/invoice/documentKeys/d')).body.id).toBe(id)
    await ask('POST', `${documents}/${id}/issue`)
    expect((await ask('GET', `${documents}/bykey/d`)).body).toMatchObject({ id, status: 'issued' })
    expect((await ask('POST', documents, sale('d', { draft: true }))).body).toMatchObject({
      id,
      status: 'issued',
    })
    const gone = await ask('POST', documents, sale('e', { draft: true }))
    await ask('DELETE', `${documents}/${gone.body.id}`)
    const fresh = await ask('POST', documents, sale('e'))
    expect([fresh.status, fresh.isRepeated, fresh.body.id === gone.body.id]).toEqual([201, false, false])
  })

  test('a change takes no key of another document', async () => {
    const [one, other] = [
      await ask('POST', documents, sale('f', { draft: true })),
      await ask('POST', documents, sale('g', { draft: true })),
    ]
    const change = (clientKey: string) => ask('PATCH', `${documents}/${other.body.id}`, sale(clientKey))
    expect((await change('f')).body).toMatchObject({
      code: 'documents.clientKeyTaken',
      params: { id: one.body.id },
    })
    expect((await change('g')).status).toBe(200)
  })

  test('of many answers them all, and refuses what is there in part', async () => {
    const batch = (rows: object[]) => ask('POST', `${documents}/batch`, { documents: rows })
    const first = await batch([sale('h1'), sale('h2')])
    const again = await batch([sale('h1'), sale('h2')])
    expect([again.status, again.isRepeated, again.body]).toEqual([200, true, first.body])
    expect((await ask('POST', documents, sale('h2'))).body.id).toBe(first.body.rows[1].id)
    for (const rows of [
      [sale('h1'), sale('h3')],
      [sale('h1'), { ...sale('h2'), clientKey: undefined }],
      [sale('h1', { subject: 'other' }), sale('h2')],
    ])
      expect((await batch(rows)).body).toMatchObject({
        code: 'documents.clientKeyTaken',
        params: { id: first.body.rows[0].id },
        errors: [{ path: 'documents.0.clientKey' }],
      })
    expect((await batch([sale('h4'), sale('h4')])).body).toMatchObject({
      errors: [{ path: 'documents.1.clientKey', code: 'documents.clientKeyTaken' }],
    })
  })

  test('answers the receipt of money that came in', async () => {
    const money = { customerId, payments: [{ means: 1, amountAgorot: 5_000 }], clientKey: 'i' }
    const first = await ask('POST', '/api4/invoice/payments', money)
    const again = await ask('POST', '/api4/invoice/payments', money)
    expect([first.status, again.status, again.body.id, again.isRepeated]).toEqual([
      201,
      200,
      first.body.id,
      true,
    ])
  })

  test('is of one business', async () => {
    const other = await newBusiness(world)
    const buyer = await other.send('POST', '/api4/invoice/customers', { name: 'אחר' })
    const made = await other.send('POST', documents, { ...sale('a'), customerId: buyer.id })
    expect(made.clientKey ?? made.id).toBeTruthy()
    expect(made.id).not.toBe((await ask('GET', `${documents}/bykey/a`)).body.id)
  })
})

/** Calls with a key of their own rule, each with its own tests: a refund, and a collection of several documents. */
const byOwnRule = ['committee.pay', 'committee.payMany', 'paymentLinks.refund']

test('every call that takes a key of the program answers a repeat', () => {
  const takes = (schema: z.ZodType): boolean =>
    schema instanceof z.ZodObject &&
    Object.entries(schema.shape).some(
      ([name, inner]) =>
        name === 'clientKey' || (inner instanceof z.ZodArray && takes(inner.element as z.ZodType)),
    )
  const silent = implementations
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => !isReading(endpoint) && takes(endpoint.input) && !endpoint.clientKeys)
    .map(({ name }) => name)
    .filter((name) => !byOwnRule.includes(name))
  expect(silent).toEqual([])
})
