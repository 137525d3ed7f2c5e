import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import { createDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { chargeCard, openShop, outcomeOf, type Shop } from '../../../../tests/paidOnline.ts'
import { startWorld, type World } from '../../../../tests/world.ts'
import { issueUninvoiced, uninvoiced } from './endpoints.ts'

let world: World
let now = new Date('2026-05-03T08:00:00Z')
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())

const update = (text: ReturnType<typeof sql>) => asSystem(world.app.db, (tx) => text.execute(tx))

/** Receipts alone for online payments, as they were issued before: each takes the place of the document of a charge. */
async function receiptsBefore(shop: Shop, amounts: readonly number[]): Promise<string[]> {
  await chargeCard(
    shop,
    amounts.map(() => 100),
  )
  const { rows } = (await update(
    sql`select id from charges where company_id = ${shop.companyId} and paper_id is not null
      order by created_at`,
  )) as { rows: { id: string }[] }
  const receipts: string[] = []
  for (const [i, amountAgorot] of amounts.entries()) {
    const { id } = await shop.me.call(createDocument, {
      type: 6,
      customerId: shop.customerId,
      subject: `סדנה ${i}`,
      payments: [{ means: 4, amountAgorot }],
    } as never)
    await update(sql`update charges set paper_id = ${id} where id = ${rows[i]!.id}`)
    receipts.push(id)
  }
  return receipts
}

test('receipts of online payments without an invoice are listed with their last day, and their invoices issued by one press', async () => {
  now = new Date('2026-05-03T08:00:00Z')
  const shop = await openShop(world, 'licensedDealer')
  const [first, second, third] = await receiptsBefore(shop, [11_800, 23_601, 5_000])
  const before = await outcomeOf(shop)
  // A receipt that nobody paid online is a separate matter, and one whose money was given an invoice is no more.
  await shop.me.call(createDocument, {
    type: 6,
    customerId: shop.customerId,
    payments: [{ means: 3, amountAgorot: 700 }],
  } as never)
  const invoice = await shop.me.invoice(shop.customerId, '42.37')
  await shop.me.send('POST', `/api4/invoice/documents/${third}/settle`, {
    documentId: invoice.id,
    amountAgorot: 5_000,
  })
  now = new Date('2026-05-20T08:00:00Z')
  const list = await shop.me.call(uninvoiced, {})
  expect(list).toMatchObject({
    rows: [
      { id: first, day: '2026-05-03', dueDay: '2026-05-17', isLate: true, amountAgorot: 11_800 },
      { id: second, dueDay: '2026-05-17', amountAgorot: 23_601, subject: 'סדנה 1' },
    ],
    totalAgorot: 35_401,
  })
  expect((await shop.me.call(homePage, {})).uninvoiced).toEqual({
    count: 2,
    agorot: 35_401,
    dueDay: '2026-05-17',
  })

  await expect(shop.me.call(issueUninvoiced, { ids: [first!, third!] })).rejects.toMatchObject({
    errors: [{ path: 'ids.1', code: 'vat.alreadyInvoiced' }],
  })
  const { rows } = await shop.me.call(issueUninvoiced, { ids: [second!, first!] })
  expect(rows.map(({ receiptId }) => receiptId)).toEqual([first, second])
  for (const { receiptId, id } of rows) {
    const made = await shop.me.call(getDocument, { id })
    expect(made).toMatchObject({ type: 8, date: '2026-05-03', status: 'closed' })
    expect(made.settlements).toMatchObject([{ documentId: receiptId }])
    expect((await shop.me.call(getDocument, { id: receiptId })).totals.openAgorot).toBe(0)
  }
  // The sales are in the books and in the VAT report, with the VAT that was in what was paid.
  const after = await outcomeOf(shop)
  const vat = Math.round((11_800 * 18) / 118) + Math.round((23_601 * 18) / 118)
  expect(after.books.vat - before.books.vat).toBe(vat + 763)
  expect(after.report!.vat! - before.report!.vat!).toBe(vat + 763)
  expect((await shop.me.call(uninvoiced, {})).rows).toEqual([])
  expect((await shop.me.call(homePage, {})).uninvoiced).toBeNull()
  await expect(shop.me.call(issueUninvoiced, { ids: [first!] })).rejects.toMatchObject({
    errors: [{ path: 'ids.0', code: 'vat.alreadyInvoiced' }],
  })
})

test.each(['exemptDealer', 'nonProfit'] as const)('%s has no receipts that need an invoice', async (kind) => {
  now = new Date('2026-05-03T08:00:00Z')
  const shop = await openShop(world, kind)
  await chargeCard(shop, [11_800])
  expect((await shop.me.call(uninvoiced, {})).rows).toEqual([])
  expect((await shop.me.call(homePage, {})).uninvoiced).toBeNull()
})
