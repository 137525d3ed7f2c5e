import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { businessKinds, chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { purposeNames } from '#features/money/acquirers/server/charges/purposes.ts'
import * as committee from '#features/money/committee/endpoints.ts'
import * as pages from '#features/money/payPages/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import {
  chargeCard,
  expectedOf,
  makeOrder,
  openShop,
  outcomeOf,
  paidOn,
  payPage,
  wayNames,
  ways,
  type Way,
} from './paidOnline.ts'
import { testPurposes } from './purposes.ts'
import { byTurns } from './turns.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => paidOn)
})
afterAll(() => world.close())

const kinds = Object.keys(businessKinds) as BusinessKind[]

/*
 * A business that charges VAT issues a tax invoice/receipt for money that pays no invoice; a receipt alone is for those
 * who charge none, and for the payment of an invoice. Every way of being paid online, for every kind of business.
 */
describe.each([
  ...byTurns(kinds.filter(chargesVat), 1),
  ...byTurns(
    kinds.filter((kind) => !chargesVat(kind)),
    1,
  ),
])('%s, paid online by', (kind) => {
  const able = wayNames.filter((name) => ways[name].pays !== 'invoice' || chargesVat(kind))
  test.each(able)('%s, issues the document that the money needs', async (name) => {
    const way: Way = ways[name]
    const shop = await openShop(world, kind)
    const sale = { agorot: 23_601, vat: way.sells ?? 'in' } as const
    await way.pay(shop, sale)
    const outcome = await outcomeOf(shop)
    if (name !== 'parts of a payment request') expect(outcome).toEqual(expectedOf(kind, way, sale))
    // Each part is rounded separately, and together they are the whole price.
    else {
      const { books, report: _, sold: __, ...same } = expectedOf(kind, way, sale, 2)
      expect(outcome).toMatchObject(same)
      expect(outcome.books.income + outcome.books.vat).toBe(sale.agorot)
      expect(outcome.sold).toEqual({ net: outcome.books.income, vat: outcome.books.vat })
      expect(Math.abs(outcome.books.vat - books.vat)).toBeLessThanOrEqual(1)
    }
  })
})

test('every purpose of a charge is paid in one of these ways, unless it only keeps a card', async () => {
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ purpose: string }>`select distinct purpose from charges where paper_id is not null`.execute(tx),
  )
  expect([...rows.map(({ purpose }) => purpose), 'keepCard', 'standingCard'].toSorted()).toEqual(
    purposeNames()
      .filter((name) => !testPurposes.has(name))
      .toSorted(),
  )
})

describe('what named another document before', () => {
  const update = (text: ReturnType<typeof sql>) => asSystem(world.app.db, (tx) => text.execute(tx))

  test('a page is read as what its money needs, and none is made so any more', async () => {
    const shop = await openShop(world, 'licensedDealer')
    const sale = { agorot: 11_800, vat: 'in' } as const
    await update(sql`create or replace function tests_receipt() returns trigger language plpgsql
      as $$ begin new.paper := 'receipt'; return new; end $$`)
    await update(sql`create trigger tests_receipt before insert on pay_pages
      for each row execute function tests_receipt()`)
    try {
      for (const name of ['a payment page', 'a subscription of a payment page'] as const)
        await ways[name].pay(shop, sale)
    } finally {
      await update(sql`drop trigger tests_receipt on pay_pages`)
      await update(sql`drop function tests_receipt`)
    }
    expect((await outcomeOf(shop)).types).toEqual([9, 9])
    const made = (paper: string) =>
      shop.me.call(pages.createPage, {
        kind: 'charge',
        texts: { he: { title: 'x' } },
        items: [{ id: crypto.randomUUID(), names: { he: 'x' }, priceAgorot: 100 }],
        paper,
      } as never)
    await expect(made('receipt')).rejects.toMatchObject({
      errors: [{ path: 'paper', code: 'payPages.paperNot' }],
    })
    expect((await made('invoiceReceipt')).content.paper).toBe('invoiceReceipt')
  })

  test('a link is', async () => {
    const shop = await openShop(world, 'company')
    await update(sql`create or replace function tests_receipt() returns trigger language plpgsql
      as $$ begin new.paper := 'receipt'; return new; end $$`)
    await update(sql`create trigger tests_receipt before insert on payment_links
      for each row execute function tests_receipt()`)
    try {
      await ways['a payment link'].pay(shop, { agorot: 11_800, vat: 'in' })
    } finally {
      await update(sql`drop trigger tests_receipt on payment_links`)
      await update(sql`drop function tests_receipt`)
    }
    expect((await outcomeOf(shop)).types).toEqual([9])
  })

  test.each([6, 11])(
    'a standing order is, and none of type %d is made by one who charges VAT',
    async (type) => {
      const shop = await openShop(world, 'licensedDealer')
      const sale = { agorot: 11_800, vat: 'in' } as const
      await expect(makeOrder(shop, sale, type)).rejects.toMatchObject({
        errors: [{ path: 'documentType', code: 'standingOrders.wrongType' }],
      })
      await update(sql`create or replace function tests_type() returns trigger language plpgsql
      as $$ begin new.document_type := ${sql.lit(type)}; return new; end $$`)
      await update(sql`create trigger tests_type before insert on standing_orders
      for each row execute function tests_type()`)
      try {
        await ways['a standing order'].pay(shop, sale)
      } finally {
        await update(sql`drop trigger tests_type on standing_orders`)
        await update(sql`drop function tests_type`)
      }
      expect(await outcomeOf(shop)).toEqual(expectedOf('licensedDealer', ways['a standing order'], sale))
    },
  )
})

test.each([
  'a class on the booking page',
  'a pass on the booking page',
  'a standing order with an invoice first',
] as const)('what is collected by %s is due on its day, whatever the terms of credit', async (name) => {
  const shop = await openShop(world, 'licensedDealer')
  await shop.me.send('PATCH', '/api4/invoice/company', { dueTerms: 'net:60' })
  await ways[name].pay(shop, { agorot: 11_800, vat: 'in' })
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ type: number; day: string; due: string }>`select type, day, due_day as due from documents
        where company_id = ${shop.companyId} and type in (5, 8)`.execute(tx),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { day, due } of rows) expect(due).toBe(day)
})

test.each(kinds)(
  'what %s holds for its owner is received by a deposit receipt, and is no income',
  async (kind) => {
    const shop = await openShop(world, kind)
    const { id: itemId } = await shop.me.send<{ id: string }>('POST', '/api4/invoice/items', {
      name: 'פיקדון',
      price: '300',
      vatKind: 'trustDeposit',
    })
    const item = { id: crypto.randomUUID(), names: { he: 'פיקדון' }, priceAgorot: 30_000, itemId }
    await payPage(shop, 30_000, { items: [{ ...item, mostQuantity: 1, isFixed: true }] })
    expect(await outcomeOf(shop)).toMatchObject({
      types: [14],
      left: { cards: 0, unissued: 0 },
      books: { income: 0, vat: 0 },
    })
  },
)

test.each(kinds)(
  'dues of a house that %s enters by hand get the document that the money needs',
  async (kind) => {
    const shop = await openShop(world, kind)
    const make = async (what: string, given: object): Promise<string> =>
      (await shop.me.send<{ id: string }>('POST', `/api4/invoice/committee${what}`, given)).id
    const id = await make('buildings', { name: 'האלה 14', openedOn: '2026-01-01' })
    const flatId = await make('flats', { buildingId: id, number: '1' })
    await make('people', {
      flatId,
      customerId: shop.customerId,
      role: 'owner',
      pays: true,
      fromDay: '2026-01-01',
    })
    await shop.me.call(committee.takePayments, {
      id,
      payments: [{ flatId, agorot: 23_601, means: 3 }],
    } as never)
    const sale = { agorot: 23_601, vat: 'without' } as const
    expect(await outcomeOf(shop)).toEqual(expectedOf(kind, ways['dues of a house'], sale))
  },
)

test('a payment request with lines that bear no VAT, paid in parts, bears VAT on its taxed part alone', async () => {
  const shop = await openShop(world, 'licensedDealer')
  const request = await shop.me.call(createDocument, {
    type: 5,
    customerId: shop.customerId,
    lines: [
      { description: 'עבודה', unitPrice: '118', vatKind: 2 },
      { description: 'ביטוח', unitPrice: '100', vatKind: 4 },
    ],
  } as never)
  await chargeCard(shop, [10_900, 10_900], request.id)
  expect(await outcomeOf(shop)).toMatchObject({
    types: [9, 9],
    left: { credit: 0, cards: 0, unissued: 0 },
    books: { income: 20_000, vat: 1_800 },
    report: { taxable: 10_000, untaxed: 10_000, vat: 1_800 },
  })
})
