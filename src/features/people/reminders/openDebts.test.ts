import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { statementOf } from '#features/people/correspondence/server/statement.ts'
import {
  createDocument,
  getDocument,
  homeFigures,
  openItems,
  pageOfDocument,
  pagePdf,
} from '#features/sales/documents/endpoints.ts'
import { keepOpening, postOpening } from '#features/books/journal/endpoints.ts'
import { cardDesk } from '#features/money/matching/endpoints.ts'
import {
  beginDocument,
  checkDocument,
  customerHistory,
  documentPay,
  makeCustomerPage,
} from '#features/money/paymentLinks/endpoints.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import { previewReminders } from './endpoints.ts'

// What customers owed before the books began here is a debt like any other, wherever debts are shown.

let world: World
let shop: Business
let companyId: string
const base = '/api5/invoicecpa'

beforeAll(async () => {
  world = await startWorld(() => new Date('2037-03-15T09:00:00Z'))
  world.app.settings.testAcquirer = true
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
})
afterAll(() => world.close())

const item = (partyId: string, number: string, amountAgorot: number, more: object = {}) =>
  shop.send('POST', `${base}/openingCustomers`, {
    partyId,
    number,
    day: '2036-11-05',
    dueDay: '2037-03-15',
    amountAgorot,
    ...more,
  })

/** Every place that says what a customer owes, each in its own way. */
async function said(customer: { id: string; name: string }): Promise<Record<string, number>> {
  const statement = (kind: 'card' | 'open') =>
    asCaller(world.app, systemCaller(companyId), '', (ctx) => statementOf(ctx, customer.id, { kind })).then(
      ({ source }) => source,
    )
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
  const page = await shop.call(makeCustomerPage, { id: customer.id })
  const history = await shop.call(customerHistory, { key: page.url!.split('/').at(-1)! })
  const ageing = await shop.get('/api4/invoice/reports/ageing?day=2037-03-15')
  const open = await statement('open')
  return {
    openItems: sum(
      (await shop.call(openItems, { customerId: customer.id })).rows.map((row) => row.openAgorot),
    ),
    ageing: ageing.rows.find((row: { customer: string }) => row.customer === customer.name)?.openAgorot ?? 0,
    statementOpen: open.balance,
    statementCard: (await statement('card')).balance,
    statementAges: sum(open.ageing ?? []),
    card: (await shop.call(cardDesk, { partyId: customer.id })).openAgorot,
    register: (await shop.get(`/api4/invoice/customers/${customer.id}`)).balanceAgorot,
    ownPage: history.openAgorot,
  }
}

test('the sum of a customer’s open debts is the same wherever it is told, and the home page has the sum of all', async () => {
  await shop.call(keepRate, { currency: 'USD', day: '2036-12-31', rate: '3.5' })
  const dana = {
    ...(await shop.customer('Dana', { email: 'dana@example.com', language: 'en' })),
    name: 'Dana',
  }
  const avi = { ...(await shop.customer('Avi')), name: 'Avi' }
  await item(dana.id, 'OLD/7', 11_800)
  await item(dana.id, '501', -2_000)
  await item(avi.id, '1001', 10_000, { currency: 'USD' })
  await item(avi.id, '1002', 4_000, { dueDay: null })
  await shop.call(keepOpening, { date: '2037-01-01', lines: [] })
  await shop.call(postOpening, { leaveDifference: true })
  await shop.call(createDocument, {
    type: 8,
    customerId: dana.id,
    date: '2037-03-01',
    dueDate: '2037-03-15',
    lines: [{ description: 'x', unitPrice: '100' }],
  })
  const [debt] = (await shop.call(openItems, { customerId: dana.id })).rows.filter(
    (row) => row.openingNumber === 'OLD/7',
  )
  await shop.call(createDocument, {
    type: 6,
    customerId: dana.id,
    payments: [{ means: 3, amountAgorot: 800 }],
    closes: [{ documentId: debt!.id, amountAgorot: 800 }],
  })
  const owed = { dana: 11_000 - 2_000 + 11_800, avi: 35_000 + 4_000 }
  const everywhere = (sum: number) => ({
    openItems: sum,
    ageing: sum,
    statementOpen: sum,
    statementCard: sum,
    statementAges: sum,
    card: sum,
    register: sum,
    ownPage: sum,
  })
  expect(await said(dana)).toEqual(everywhere(owed.dana))
  expect(await said(avi)).toEqual(everywhere(owed.avi))
  // On the card an old debt has its day and its number, and is not the line that carries what was before.
  const card = await shop.get(
    `/api4/invoice/reports/customerCard?party=${avi.id}&from=2037-01-01&to=2037-03-15`,
  )
  expect(
    card.rows.map((row: { sum?: boolean; day: string; reference: string }) => [
      row.sum ?? false,
      row.day,
      row.reference,
    ]),
  ).toEqual([
    [true, null, ''],
    [false, '2037-01-01', '1001'],
    [false, '2037-01-01', '1002'],
  ])
  const home = await shop.call(homeFigures, {})
  expect(home.openAgorot).toBe(owed.dana + owed.avi)
  // Nothing was said of when it is due, so it has been since its day.
  expect(home.lateAgorot).toBe(4_000)
  expect(home.last.map(({ type }) => type)).toEqual([6, 8])

  // The reminder names the old debt by its number of the time, in the customer's language.
  const { rows } = await shop.call(previewReminders, {
    steps: [
      { days: 0, texts: {} },
      { days: 1, texts: {} },
    ],
    hour: 12,
  })
  const letter = rows.find(({ customer }) => customer === 'Dana')!
  // It asks for no money that lies on account: an old credit covers a part of the oldest debt.
  expect(letter.openAgorot).toBe(owed.dana)
  expect(letter.documents.map(({ opening }) => opening)).toEqual(['OLD/7', null])
  expect(letter.text.replace(/[\u2066-\u2069]/g, '')).toContain('Opening item OLD/7, due 15/03/2037')
})

test('an old debt has a page of its own without a paper, and can be paid there', async () => {
  const dana = (await shop.get('/api4/invoice/customers?size=50')).rows.find(
    (row: { name: string }) => row.name === 'Dana',
  )
  const [debt] = (await shop.call(openItems, { customerId: dana.id })).rows.filter(
    (row) => row.openingNumber === 'OLD/7',
  )
  const page = await shop.call(makeCustomerPage, { id: dana.id })
  const history = await shop.call(customerHistory, { key: page.url!.split('/').at(-1)! })
  const line = history.rows.find(({ opening }) => opening === 'OLD/7')!
  expect(line).toMatchObject({ totalAgorot: 11_800, dueAgorot: 9_000 })
  expect(await shop.call(pageOfDocument, { key: line.key })).toMatchObject({
    opening: 'OLD/7',
    totalAgorot: 11_800,
    openAgorot: 9_000,
    pages: [],
  })
  await expect(shop.call(pagePdf, { key: line.key })).rejects.toMatchObject({ code: 'kit.notFound' })
  await expect(shop.get(`/api4/invoice/documents/${debt!.id}/pdf?variant=original`)).rejects.toMatchObject({
    code: 'kit.notFound',
  })
  await shop.call(addTerminal, { gateway: 'test' })
  expect(await shop.call(documentPay, { key: line.key })).toMatchObject({ online: true, openAgorot: 9_000 })
  const { url } = await shop.call(beginDocument, { key: line.key })
  await callAs(world, testPay, {
    key: url.split('/').at(-1)!,
    number: '4242424242424242',
    month: 12,
    year: 2040,
    cvv: '123',
    instalments: 1,
  })
  const { rows: charges } = await asSystem(world.app.db, (tx) =>
    sql<{ id: string }>`select id from charges where company_id = ${companyId}`.execute(tx),
  )
  const outcome = await callAs(world, checkDocument, { key: line.key, charge: charges[0]!.id })
  expect(outcome).toMatchObject({ state: 'paid', paper: { type: 6 } })
  // What the credit covers stays open until somebody applies it.
  expect((await shop.call(getDocument, { id: debt!.id })).totals.openAgorot).toBe(2_000)
  const receipts = (await shop.get('/api4/invoice/documents?type=6&size=50')).rows
  const paid = await shop.call(getDocument, {
    id: receipts.find((row: { totalAgorot: number }) => row.totalAgorot === 9_000).id,
  })
  expect(paid.settlements).toMatchObject([{ documentId: debt!.id, opening: 'OLD/7', amountAgorot: 9_000 }])
})
