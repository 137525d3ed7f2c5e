import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { cancelDocument, createDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { bellSettings, listNotifications } from '#features/people/bell/endpoints.ts'
import { usualEvents } from '#features/people/bell/server/kinds.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let cohen: { id: string }
let key: string

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(() => open('licensedDealer'))

async function open(kind: 'licensedDealer' | 'exemptDealer') {
  shop = await newBusiness(world, { kind })
  await shop.call(addTerminal, { gateway: 'test' })
  cohen = await shop.customer('כהן', { email: 'cohen@example.com' })
  const { url } = await shop.call(calls.makeCustomerPage, { id: cohen.id })
  key = url!.split('/').at(-1)!
}

const page = () => callAs(world, calls.customerHistory, { key })
const begin = (documents: string[]) => callAs(world, calls.payOnCustomerPage, { key, documents })
const formOf = ({ url }: { url: string }) => url.split('/').at(-1)!
/** Pays the form, and comes back to the page as the payer does. */
const pay = async (form: string) => {
  await callAs(world, testPay, {
    key: form,
    number: '4242424242424242',
    month: 12,
    year: 2032,
    cvv: '123',
    instalments: 1,
  })
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ id: string }>`select id from charges where purpose = 'customerPage'
      order by created_at desc limit 1`.execute(tx),
  )
  return callAs(world, calls.checkOnCustomerPage, { key, charge: rows[0]!.id })
}
const document = async (type: number, unitPrice: string) => {
  const { id } = await shop.call(createDocument, {
    type,
    customerId: cohen.id,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice, vatKind: 1 }],
  } as never)
  return id
}
const openKeys = async () => (await page()).open.map((one) => one.key)

test('several invoices are paid by one charge, and one receipt closes them', async () => {
  const first = await shop.invoice(cohen.id, '100')
  const second = await shop.invoice(cohen.id, '200')
  const { open: rows, online } = await page()
  expect(online).toBe(true)
  expect(rows.map(({ dueAgorot, together }) => [dueAgorot, together])).toEqual([
    [11_800, 'invoice'],
    [23_600, 'invoice'],
  ])
  await pay(formOf(await begin(rows.map((one) => one.key))))
  expect((await page()).open).toEqual([])
  for (const { id } of [first, second])
    expect((await shop.call(getDocument, { id })).totals.openAgorot).toBe(0)
  const receipts = (await page()).rows.filter(({ type }) => type === 6)
  expect(receipts.map(({ totalAgorot }) => totalAgorot)).toEqual([35_400])
})

test('two tabs with the same choice lead to one form', async () => {
  await shop.invoice(cohen.id, '100')
  const keys = await openKeys()
  const [one, two] = [await begin(keys), await begin(keys)]
  expect(formOf(one)).toBe(formOf(two))
})

test('what was cancelled meanwhile is refunded whole', async () => {
  const first = await shop.invoice(cohen.id, '100')
  await shop.invoice(cohen.id, '200')
  const form = formOf(await begin(await openKeys()))
  await shop.call(cancelDocument, { id: first.id, reason: 'טעות' } as never)
  expect((await pay(form)).state).toBe('surplus')
  expect((await page()).open.map(({ dueAgorot }) => dueAgorot)).toEqual([23_600])
})

test('invoices and requests of a business that charges VAT are paid apart', async () => {
  await shop.invoice(cohen.id, '100')
  await document(5, '50')
  await document(5, '70')
  const { open: rows } = await page()
  await expect(begin(rows.map((one) => one.key))).rejects.toMatchObject({ code: 'paymentLinks.apart' })
  await pay(formOf(await begin(rows.filter(({ together }) => together === 'request').map((one) => one.key))))
  const after = await page()
  expect(after.open.map(({ together }) => together)).toEqual(['invoice'])
  // Money for requests needs a tax invoice/receipt.
  expect(after.rows.filter(({ type }) => type === 9).map(({ totalAgorot }) => totalAgorot)).toEqual([14_160])
})

test('an exempt dealer’s requests are paid together by a receipt that lists them', async () => {
  await open('exemptDealer')
  await document(5, '50')
  await document(5, '70')
  await pay(formOf(await begin(await openKeys())))
  const after = await page()
  expect(after.open).toEqual([])
  expect(after.rows.filter(({ type }) => type === 6).map(({ totalAgorot }) => totalAgorot)).toEqual([12_000])
})

test('documents of another customer, and answers to them, are not there', async () => {
  const levi = await shop.customer('לוי')
  const theirs = await shop.invoice(levi.id, '100')
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ key: string }>`select page_key as key from documents where id = ${theirs.id}`.execute(tx),
  )
  await expect(begin([rows[0]!.key])).rejects.toMatchObject({ code: 'kit.notFound' })
  await expect(
    callAs(world, calls.answerQuote, { key, document: rows[0]!.key, answer: 'accepted', comment: '' }),
  ).rejects.toMatchObject({ code: 'kit.notFound' })
})

test('a quote is commented on and accepted, and the business sees it', async () => {
  const id = await document(1, '500')
  const { quotes } = await page()
  expect(quotes.map(({ answer, totalAgorot }) => [answer, totalAgorot])).toEqual([[null, 59_000]])
  const answer = (what: 'accepted' | 'declined' | 'comment', comment = '') =>
    callAs(world, calls.answerQuote, { key, document: quotes[0]!.key, answer: what, comment })
  await expect(answer('comment')).rejects.toMatchObject({ code: 'kit.badInput' })
  expect((await answer('comment', 'אפשר ביום ראשון?')).quotes[0]!.answer).toBe(null)
  expect((await answer('accepted')).quotes[0]!.answer).toBe('accepted')
  expect((await shop.call(calls.quoteAnswers, { id })).rows.map((row) => [row.answer, row.comment])).toEqual([
    ['accepted', ''],
    ['comment', 'אפשר ביום ראשון?'],
  ])
  // The owner hears of it without choosing it first.
  const { rows } = await shop.call(listNotifications, {})
  expect(rows.map(({ kind }) => kind)).toEqual(['quote.accepted', 'quote.commented'])
})

test('the statement of account opens by the key', async () => {
  await shop.invoice(cohen.id, '100')
  const file = (await callAs(world, calls.customerPageStatement, { key })) as unknown as { bytes: Uint8Array }
  expect(
    Buffer.from(file.bytes ?? (file as never))
      .subarray(0, 4)
      .toString(),
  ).toBe('%PDF')
})

test('the database and the settings agree on what owners hear of', async () => {
  const { rows } = await shop.call(bellSettings, {})
  const shown = rows.filter(({ isOwn, way }) => !isOwn && way === 'screen').map(({ kind }) => kind)
  expect(usualEvents.filter((kind) => !shown.includes(kind))).toEqual([])
  const told = await asSystem(world.app.db, (tx) =>
    sql<{ kind: string }>`select kind from unnest(${rows.map(({ kind }) => kind)}::text[]) kind
      where is_usual_notification(kind)`.execute(tx),
  )
  expect(told.rows.map(({ kind }) => kind).toSorted()).toEqual(usualEvents.toSorted())
})
