import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseAreas, listAreas } from '#features/base/modules/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** What the search field promises to find: people by anything one knows of them, documents by type and number. */
let world: World
let me: Business
let customerId: string

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-05-06T08:00:00Z'))
  me = await newBusiness(world)
  customerId = (
    await me.customer('דנה כהן', {
      email: 'dana@example.com',
      mobile: '054-123-4567',
      phone: '+972 3-555-0142',
      taxId: '513456780',
      customKey: 'K-77',
    })
  ).id
})
afterAll(() => world.close())

const names = async (path: string, q: string): Promise<string[]> =>
  (await me.get<{ rows: { name: string }[] }>(`${path}?q=${encodeURIComponent(q)}`)).rows.map(
    ({ name }) => name,
  )

const asTyped = [
  'דנה',
  'כהן',
  'dana@example.com',
  '054-123-4567',
  '0541234567',
  '054 1234567',
  '+972541234567',
  '972-54-1234567',
  '123-4567',
  '03-5550142',
  '035550142',
  '513456780',
  'K-77',
]
test.each(asTyped)('a customer is found by %s', async (typed) => {
  expect(await names('/api4/invoice/customers', typed)).toContain('דנה כהן')
})

test.each(['052-765-4321', '+972527654321', '0527654321', 'דפוס'])(
  'a supplier is found by %s',
  async (typed) => {
    if ((await names('/api4/invoice/suppliers', 'דפוס')).length === 0)
      await me.send('POST', '/api4/invoice/suppliers', { name: 'דפוס המרכז', phone: '(052) 765-4321' })
    expect(await names('/api4/invoice/suppliers', typed)).toEqual(['דפוס המרכז'])
  },
)

test.each(['050-9998877', '+972509998877', 'רועי', 'roi@example.com'])(
  'a lead is found by %s',
  async (typed) => {
    if ((await names('/api4/invoice/leads', 'רועי')).length === 0)
      await me.send('POST', '/api4/invoice/leads', {
        name: 'רועי',
        phone: '0509998877',
        email: 'roi@example.com',
      })
    expect(await names('/api4/invoice/leads', typed)).toEqual(['רועי'])
  },
)

test('a document is found by its type and number, by its amount and by its day', async () => {
  const invoice = await me.invoice(customerId, '100', { date: '2026-05-05' })
  const quote = await me.call(createDocument, {
    type: 1,
    customerId,
    date: '2026-05-04',
    lines: [{ description: 'שולחן', quantity: '1', unitPrice: '50' }],
  })
  const found = async (q: string, language = 'he') =>
    (
      (await (
        await world.http.inject({
          method: 'GET',
          url: `/api4/invoice/documents?q=${encodeURIComponent(q)}`,
          headers: { 'x-access-token': me.token, 'x-language': language },
        })
      ).json()) as { rows: { id: string }[] }
    ).rows.map(({ id }) => id)
  expect(await found('חשבונית 1')).toEqual([invoice.id])
  expect(await found('invoice 1', 'en')).toEqual([invoice.id])
  expect(await found('הצעת מחיר 1')).toEqual([quote.id])
  expect(await found('קבלה 1')).toEqual([])
  expect(await found('118.00')).toEqual([invoice.id])
  expect(await found('5.5.2026')).toEqual([invoice.id])
  expect(await found('054-123-4567')).toHaveLength(2)
})

test('a new business has a short menu; what it turns on or uses joins it, and nothing is refused for being hidden', async () => {
  const session = await me.call(mySession, {})
  expect(session.businessKind).toBe('licensedDealer')
  expect(session.menuTold).toBe(true)
  for (const area of ['books', 'projects', 'stock', 'standingOrders', 'assets'])
    expect([area, session.areasHidden.includes(area)]).toEqual([area, true])
  // A lead was entered above, and an invoice shows the bank to a company.
  for (const area of ['leads', 'bank'])
    expect([area, session.areasHidden.includes(area)]).toEqual([area, false])

  await me.send('POST', '/api4/invoice/projects', { name: 'מטבח' })
  expect((await me.call(mySession, {})).areasHidden).not.toContain('projects')

  const { rows } = await me.call(chooseAreas, { areas: { books: true } })
  expect(rows.find(({ name }) => name === 'books')).toMatchObject({ on: true, shown: true, chosen: true })
  expect((await me.call(mySession, {})).areasHidden).not.toContain('books')

  // Turned off by hand, it is off although it is in use.
  await me.call(chooseAreas, { areas: { projects: false } })
  const off = await me.call(mySession, {})
  expect([off.areasOff.includes('projects'), off.areasHidden.includes('projects')]).toEqual([true, true])
  expect((await me.call(listAreas, {})).told).toBe(true)
})

test('an exempt dealer has no bank in the menu; a non-profit has its donations', async () => {
  const exempt = await newBusiness(world, { kind: 'exemptDealer' })
  expect((await exempt.call(mySession, {})).areasHidden).toContain('bank')
  const donors = await newBusiness(world, { kind: 'nonProfit' })
  expect((await donors.call(mySession, {})).areasHidden).not.toContain('donations')
})
