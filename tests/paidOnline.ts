import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { chargesVat, paymentMeans, type BusinessKind } from '#domain/documents/kinds.ts'
import { formatMoney } from '#domain/format.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { settleCharge } from '#features/money/acquirers/server/index.ts'
import * as committee from '#features/money/committee/endpoints.ts'
import { takeTurns } from '#features/money/committee/server/orders.ts'
import * as pages from '#features/money/payPages/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import * as savedCards from '#features/money/savedCards/endpoints.ts'
import * as orders from '#features/money/standingOrders/endpoints.ts'
import { askPending } from '#features/money/standingOrders/server/card.ts'
import { sweep } from '#features/money/standingOrders/server/sweep.ts'
import { createDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { vatPeriodFacts } from '#features/tax/vat/endpoints.ts'
import * as booking from '#features/calendar/bookingPage/endpoints.ts'
import * as passes from '#features/calendar/passes/endpoints.ts'
import * as timetable from '#features/calendar/timetable/endpoints.ts'
import { callAs, newBusiness, type Business, type World } from './world.ts'

/*
 * The ways in which a business is paid online, each gone through as its payer goes through it, for tests of the document
 * that the money brings.
 */

/** 2026-05-03, a Sunday; every test of these ways has this clock. */
export const paidOn = new Date('2026-05-03T08:00:00Z')

export interface Shop {
  readonly world: World
  readonly me: Business
  readonly kind: BusinessKind
  readonly companyId: string
  readonly customerId: string
}

/** What is sold and paid for. Prices include VAT, unless it bears none. */
export interface Sale {
  readonly agorot: number
  readonly vat: 'in' | 'without'
}

const query = async <T>(world: World, text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const last = (url: string): string => new URL(url, 'http://x').pathname.split('/').at(-1)!
const shekels = (agorot: number): string => formatMoney(agorot).replaceAll(',', '')
const vatKindOf = ({ vat }: Sale): 2 | 4 => (vat === 'in' ? 2 : 4)

/** A business that can be paid by card, and its customer. */
export async function openShop(world: World, kind: BusinessKind): Promise<Shop> {
  world.app.settings.testAcquirer = true
  const me = await newBusiness(world, { kind })
  const { companyId } = await me.get<{ companyId: string }>('/api/user/session')
  await me.call(addTerminal, { gateway: 'test' })
  const { id } = await me.customer('נעמה', { email: 'naama@example.com', mobile: '0521234567' })
  return { world, me, kind, companyId, customerId: id }
}

const fill = (world: World, url: string) =>
  callAs(world, testPay, {
    key: last(url),
    number: '4242424242424242',
    month: 12,
    year: 2040,
    cvv: '123',
    instalments: 1,
  } as never)

/** Everything that waits: charges that were paid, cards that are asked, what follows. */
async function settle({ world, companyId }: Shop): Promise<void> {
  const open = await query(
    world,
    sql<{ id: string }>`select id from charges where company_id = ${companyId}
      and state in ('begun', 'declined') and our_key is null`,
  )
  for (const { id } of open) await settleCharge(world.app, companyId, id, 'return')
  const all = await query(
    world,
    sql<{ id: string }>`select id from standing_orders where company_id = ${companyId}`,
  )
  for (const { id } of all) await askPending(world.app, companyId, id)
  await world.worker.drain()
  // A job that takes its time goes on behind the worker.
  await expect
    .poll(
      async () =>
        (
          await query(
            world,
            sql`select 1 from standing_orders where company_id = ${companyId} and leased_until is not null
              union all select 1 from charges c where c.company_id = ${companyId} and c.state = 'begun'
                and c.our_key is not null and exists (select 1 from charge_tries t
                  where t.company_id = c.company_id and t.charge_id = c.id and t.answered_at is null)`,
          )
        ).length,
      { timeout: 20_000 },
    )
    .toBe(0)
}

async function payLink(shop: Shop, url: string): Promise<void> {
  const form = await callAs(shop.world, links.beginLink, { key: last(url) } as never)
  await fill(shop.world, (form as { url: string }).url)
  await settle(shop)
}

/** An item of the catalogue that bears no VAT, where the sale bears none. */
const itemOf = async ({ me }: Shop, sale: Sale): Promise<string | null> =>
  sale.vat === 'in'
    ? null
    : (
        await me.send<{ id: string }>('POST', '/api4/invoice/items', {
          name: 'ביטוח',
          price: shekels(sale.agorot),
          vatKind: 'withoutVat',
        })
      ).id

const pageOf = async (shop: Shop, sale: Sale, more: object): Promise<void> => {
  const itemId = await itemOf(shop, sale)
  await payPage(shop, sale.agorot, {
    items: [
      {
        id: crypto.randomUUID(),
        names: { he: 'מקום' },
        priceAgorot: sale.agorot,
        mostQuantity: 1,
        isFixed: true,
        ...(itemId ? { itemId } : {}),
      },
    ],
    ...more,
  })
}

/** Makes a payment page with one item, and pays for it. */
export async function payPage(shop: Shop, agorot: number, more: object): Promise<void> {
  const made = await shop.me.call(pages.createPage, {
    kind: 'charge',
    texts: { he: { title: 'סדנה', thanks: 'תודה', terms: 'בלי ביטולים' } },
    ...more,
  } as never)
  const { url, content } = await shop.me.call(pages.openPayPage, { id: made.id })
  const key = last(url)
  const begun = (await callAs(shop.world, pages.beginPage, {
    key,
    visit: crypto.randomUUID(),
    lines: [{ id: content.items[0]!.id, quantity: 1 }],
    payer: { name: 'נעמה ברק', email: 'naama@example.com', phone: '', taxId: '' },
    seenAgorot: agorot,
    agrees: true,
  } as never)) as { url: string; chargeId: string }
  await fill(shop.world, begun.url)
  await callAs(shop.world, pages.checkPage, { key, charge: begun.chargeId })
  await settle(shop)
}

const issue = (shop: Shop, type: number, sale: Sale) =>
  shop.me.call(createDocument, {
    type,
    customerId: shop.customerId,
    lines: [{ description: 'עבודה', unitPrice: shekels(sale.agorot), vatKind: vatKindOf(sale) }],
  } as never) as Promise<{ id: string }>

/** Money that is received by hand: the amount decides by what means, so that several come up. */
function byHand(amountAgorot: number): object {
  const cheque = { bank: '12', branch: '600', account: '123456', number: '1001' }
  return [
    { means: paymentMeans.transfer, amountAgorot },
    { means: paymentMeans.cheque, amountAgorot, ...cheque },
    { means: paymentMeans.paymentApp, amountAgorot },
  ][amountAgorot % 3]!
}

const payDocument = async (shop: Shop, id: string): Promise<void> =>
  payLink(shop, String((await shop.me.call(links.linkOfDocument, { id })).url))

/** The code that was sent to a phone by a short message. */
function codeSent({ world }: Shop, phone: string): string {
  const folder = join(world.app.settings.dataDir, 'sms')
  const text = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .findLast((one) => one.includes(phone.replace(/^0/, '')))!
  return /\b\d{6}\b/.exec(text.replaceAll(phone, ''))![0]
}

async function bookingPage(shop: Shop, phone: string): Promise<{ key: string; token: string }> {
  const { url } = await shop.me.call(booking.setBookingSettings, { isOn: true, newPeople: true } as never)
  const key = last(String(url))
  const { codeId } = (await callAs(shop.world, booking.sendCode, { key, phone, name: 'דנה' } as never)) as {
    codeId: string
  }
  const entered = await callAs(shop.world, booking.verifyCode, { key, codeId, code: codeSent(shop, phone) })
  return { key, token: (entered as { token: string }).token }
}

const passKind = async ({ me }: Shop, agorot: number, renews: string): Promise<string> =>
  (
    await me.send<{ id: string }>('POST', '/api4/invoice/passKinds', {
      name: 'מנוי',
      visits: 4,
      days: 30,
      priceAgorot: agorot,
      renews,
      people: 1,
      isPublic: true,
    })
  ).id

/** The customer gives the card that an order asks for, and is charged. */
async function giveCard(shop: Shop, orderId: string): Promise<void> {
  await sweep(shop.world.app)
  const { pageUrl } = await shop.me.call(orders.getOrder, { id: orderId })
  const { url } = await callAs(shop.world, orders.renewByKey, { key: last(pageUrl) })
  await fill(shop.world, url)
  await settle(shop)
  await sweep(shop.world.app)
  await settle(shop)
}

export const makeOrder = (shop: Shop, sale: Sale, documentType: number): Promise<{ id: string }> =>
  shop.me.call(orders.createOrder, {
    title: 'מנוי',
    customerId: shop.customerId,
    startDay: '2026-05-03',
    means: 'card',
    cardId: null,
    documentType,
    partyKind: 'business',
    lines: [{ description: 'מנוי', unitPrice: shekels(sale.agorot), vatKind: vatKindOf(sale) }],
  } as never)

async function keepCard(shop: Shop): Promise<string> {
  const { url } = await shop.me.call(savedCards.askCard, { customerId: shop.customerId } as never)
  const key = last(String(url))
  const { url: form } = await callAs(shop.world, savedCards.beginCard, { key, agrees: true })
  await fill(shop.world, form)
  await settle(shop)
  const [card] = await query(
    shop.world,
    sql<{ id: string }>`select id from cards where company_id = ${shop.companyId}`,
  )
  return card!.id
}

/** Charges a card that the customer kept, for a document or for nothing that was issued. */
export async function chargeCard(shop: Shop, amounts: readonly number[], documentId?: string): Promise<void> {
  const id = await keepCard(shop)
  for (const amountAgorot of amounts) {
    await shop.me.call(savedCards.chargeCard, {
      id,
      once: crypto.randomUUID(),
      amountAgorot,
      description: 'עבודה',
      ...(documentId ? { documentId } : {}),
    } as never)
    await settle(shop)
  }
}

const usualByCard = (kind: BusinessKind): 9 | 6 => (chargesVat(kind) ? 9 : 6)

/** A way of being paid online. */
export interface Way {
  /** What the money pays. */
  readonly pays: 'nothing' | 'request' | 'invoice'
  /** Ways that sell only what bears VAT, such as the classes of a studio, or only what bears none. */
  readonly sells?: Sale['vat']
  readonly pay: (shop: Shop, sale: Sale) => Promise<void>
}

export const ways = {
  'a payment page': { pays: 'nothing', pay: (shop, sale) => pageOf(shop, sale, {}) },
  'a subscription of a payment page': {
    pays: 'nothing',
    pay: (shop, sale) => pageOf(shop, sale, { kind: 'subscription', billingDay: 3, everyN: 1 }),
  },
  'a payment link': {
    pays: 'nothing',
    sells: 'in',
    pay: async (shop, { agorot }) => {
      const { url } = await shop.me.call(links.createLink, {
        description: 'מקדמה',
        amountAgorot: agorot,
        customerId: shop.customerId,
      } as never)
      await payLink(shop, String(url))
    },
  },
  'the link of a payment request': {
    pays: 'request',
    pay: async (shop, sale) => payDocument(shop, (await issue(shop, 5, sale)).id),
  },
  'the page of a payment request': {
    pays: 'request',
    pay: async (shop, sale) => {
      const { id } = await issue(shop, 5, sale)
      const { urls } = await shop.me.call(getDocument, { id })
      const form = await callAs(shop.world, links.beginDocument, { key: last(urls.page) } as never)
      await fill(shop.world, (form as { url: string }).url)
      await settle(shop)
    },
  },
  'parts of a payment request': {
    pays: 'request',
    pay: async (shop, sale) => {
      const { id } = await issue(shop, 5, sale)
      const first = Math.floor(sale.agorot / 3)
      await chargeCard(shop, [first, sale.agorot - first], id)
    },
  },
  'the link of a tax invoice': {
    pays: 'invoice',
    pay: async (shop, sale) => payDocument(shop, (await issue(shop, 8, sale)).id),
  },
  'the page of a customer': {
    pays: 'request',
    pay: async (shop, sale) => {
      const { id } = await issue(shop, 5, sale)
      const { urls, customerId } = await shop.me.call(getDocument, { id })
      const { url } = await shop.me.call(links.makeCustomerPage, { id: customerId! })
      const form = await callAs(shop.world, links.payOnCustomerPage, {
        key: last(url!),
        documents: [last(urls.page)],
      })
      await fill(shop.world, form.url)
      await settle(shop)
    },
  },
  'a class on the booking page': {
    pays: 'request',
    sells: 'in',
    pay: async (shop, { agorot }) => {
      const { id: kindId } = await shop.me.send<{ id: string }>('POST', '/api4/invoice/classKinds', {
        name: 'יוגה',
        minutes: 60,
        seats: 2,
        priceAgorot: agorot,
      })
      const { row } = await shop.me.call(timetable.createClass, {
        kindId,
        day: '2026-05-05',
        at: '18:00',
        trainerId: null,
        placeId: null,
      } as never)
      const { key, token } = await bookingPage(shop, '0524445551')
      const made = (await callAs(shop.world, booking.bookOnPage, {
        key,
        token,
        classId: row.id,
      } as never)) as {
        id: string
      }
      const { url } = await callAs(shop.world, booking.payOnPage, { key, token, bookingId: made.id } as never)
      await payLink(shop, url)
    },
  },
  'a pass on the booking page': {
    pays: 'request',
    sells: 'in',
    pay: async (shop, { agorot }) => {
      const passKindId = await passKind(shop, agorot, 'once')
      const { key, token } = await bookingPage(shop, '0524445552')
      const { url } = await callAs(shop.world, booking.payOnPage, { key, token, passKindId } as never)
      await payLink(shop, url)
    },
  },
  'a pass that is renewed': {
    pays: 'nothing',
    sells: 'in',
    pay: async (shop, { agorot }) => {
      const kindId = await passKind(shop, agorot, 'month')
      const { orderId } = await shop.me.call(passes.renewPass, {
        kindId,
        customerId: shop.customerId,
      } as never)
      await giveCard(shop, orderId)
    },
  },
  'a standing order': {
    pays: 'nothing',
    pay: async (shop, sale) => giveCard(shop, (await makeOrder(shop, sale, usualByCard(shop.kind))).id),
  },
  'a standing order with an invoice first': {
    pays: 'invoice',
    pay: async (shop, sale) => giveCard(shop, (await makeOrder(shop, sale, 8)).id),
  },
  'a saved card': {
    pays: 'nothing',
    sells: 'in',
    pay: (shop, { agorot }) => chargeCard(shop, [agorot]),
  },
  'a saved card, for an invoice': {
    pays: 'invoice',
    pay: async (shop, sale) => chargeCard(shop, [sale.agorot], (await issue(shop, 8, sale)).id),
  },
  'money by hand': {
    pays: 'nothing',
    pay: async ({ me, kind, customerId }, sale) => {
      await me.call(createDocument, {
        type: usualByCard(kind),
        customerId,
        lines: [{ description: 'עבודה', unitPrice: shekels(sale.agorot), vatKind: vatKindOf(sale) }],
        payments: [byHand(sale.agorot)],
      } as never)
    },
  },
  'money by hand, for an invoice': {
    pays: 'invoice',
    pay: async (shop, sale) => {
      const { id } = await issue(shop, 8, sale)
      await shop.me.call(createDocument, {
        type: 6,
        customerId: shop.customerId,
        payments: [byHand(sale.agorot)],
        closes: [{ documentId: id, amountAgorot: sale.agorot }],
      } as never)
    },
  },
  'dues of a house': {
    pays: 'nothing',
    sells: 'without',
    pay: async (shop, { agorot }) => {
      const make = async (what: string, given: object): Promise<string> =>
        (await shop.me.send<{ id: string }>('POST', `/api4/invoice/committee${what}`, given)).id
      const id = await make('buildings', {
        name: 'האלה 14',
        openedOn: '2026-01-01',
        openingAgorot: 0,
        reserveAgorot: 0,
      })
      const flatId = await make('flats', { buildingId: id, number: '1' })
      const { customerId } = shop
      await make('people', { flatId, customerId, role: 'owner', pays: true, fromDay: '2026-01-01' })
      const { orderId } = await shop.me.call(committee.orderForTenant, {
        id,
        customerId,
        agorot,
        means: 'card',
        startDay: '2026-05-03',
      } as never)
      await giveCard(shop, orderId)
      // The money is the tenant's payment, whatever its document is.
      if ((await takeTurns(shop.world.app)) !== 1) throw new Error('the house was not paid')
    },
  },
} as const satisfies Record<string, Way>
export type WayName = keyof typeof ways
export const wayNames = Object.keys(ways) as WayName[]

interface ReportAnswer {
  totals: { netAgorot?: number; vatAgorot?: number }
  rows: { line?: string; fromDocumentsAgorot?: number; fromBooksAgorot?: number }[]
  checks: { name: string; ok: boolean }[]
}

/** What came of the payments: types of the documents that were issued for money, and what the books say. */
export async function outcomeOf({ world, me, kind, companyId }: Shop) {
  const documents = await query(
    world,
    sql<{ type: number; total: number; lines: boolean }>`select type, total_agorot as total,
        exists (select 1 from document_lines l where l.company_id = d.company_id and l.document_id = d.id) as lines
      from documents d where company_id = ${companyId} and status <> 'draft' and type not in (5, 8) order by type, created_at`,
  )
  const [left] = await query(
    world,
    sql<{ credit: number; cards: number; unissued: number }>`select
        (select coalesce(sum(abs(open_agorot)), 0)::bigint from documents
          where company_id = ${companyId} and status <> 'draft') as credit,
        (select coalesce(sum(abs(balance)), 0)::bigint from (select sum(debit_agorot - credit_agorot) as balance
          from party_months where company_id = ${companyId} group by party_id) b) as cards,
        (select count(*)::bigint from charges where company_id = ${companyId} and state = 'paid'
          and deed <> 'card' and paper_id is null) as unissued`,
  )
  const [books] = await query(
    world,
    sql<{ income: number; vat: number }>`select
        coalesce(-sum(p.amount_agorot) filter (where a.kind = 'income'), 0)::bigint as income,
        coalesce(-sum(p.amount_agorot) filter (where a.key = 'outputVat'), 0)::bigint as vat
      from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where p.company_id = ${companyId}`,
  )
  const reportOf = (name: string) =>
    me.get<ReportAnswer>(`/api4/invoice/reports/${name}?from=2026-05-01&to=2026-05-31`)
  const income = await reportOf('income')
  const returned = chargesVat(kind) ? await reportOf('vat') : undefined
  const vat = chargesVat(kind) ? await me.call(vatPeriodFacts, { period: '2026-05' } as never) : undefined
  const figure = (name: string): number | undefined =>
    (vat as { figures: { name: string; exactAgorot?: number }[] } | undefined)?.figures.find(
      (one) => one.name === name,
    )?.exactAgorot
  return {
    types: documents.map(({ type }) => type),
    withoutLines: documents.filter(({ lines }) => !lines).map(({ type }) => type),
    paidAgorot: documents.reduce((sum, { total }) => sum + Number(total), 0),
    left: Object.fromEntries(Object.entries(left!).map(([name, value]) => [name, Number(value)])),
    books: { income: Number(books!.income), vat: Number(books!.vat) },
    // The report of income, and what on it and on the VAT return differs between documents and books.
    sold: { net: income.totals.netAgorot ?? 0, vat: income.totals.vatAgorot ?? 0 },
    apart: [income, ...(returned ? [returned] : [])].flatMap(({ rows, checks }) => [
      ...checks.flatMap(({ name, ok }) => (ok ? [] : [name])),
      ...rows.flatMap((row) => (row.fromDocumentsAgorot === row.fromBooksAgorot ? [] : [row.line])),
    ]),
    report: vat && {
      taxable: figure('taxableSales'),
      untaxed: figure('untaxedSales'),
      vat: figure('outputVat'),
    },
  }
}

/** What must come of one sale: its document, and income and VAT that are what was sold. */
export function expectedOf(kind: BusinessKind, way: Way, { agorot, vat: bears }: Sale, count = 1) {
  const taxed = chargesVat(kind) && bears === 'in'
  // 18% of 2026, out of a price that includes it.
  const vat = taxed ? Math.round((agorot * 18) / 118) : 0
  const type = way.pays === 'invoice' || !chargesVat(kind) ? 6 : 9
  return {
    types: Array.from({ length: count }, () => type),
    // What a receipt is for is said by its lines, or by the invoice that it closes.
    withoutLines: way.pays === 'invoice' ? Array.from({ length: count }, () => type) : [],
    paidAgorot: agorot,
    left: { credit: 0, cards: 0, unissued: 0 },
    books: { income: agorot - vat, vat },
    sold: { net: agorot - vat, vat },
    apart: [],
    report: chargesVat(kind)
      ? { taxable: taxed ? agorot - vat : 0, untaxed: taxed ? 0 : agorot, vat }
      : undefined,
  }
}
