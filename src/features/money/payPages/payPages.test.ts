import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { takeRoom } from '#kit/server/outside/mailLimit.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { myCompanies } from '#features/base/companies/endpoints.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { addTerminal, proveTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { startStands } from '#features/money/acquirers/server/gateways/simulator/server.ts'
import { simulated } from '#features/money/acquirers/server/gateways/test/client.ts'
import { sweep as sweepCharges } from '#features/money/acquirers/server/sweep.ts'
import { getOrder } from '#features/money/standingOrders/endpoints.ts'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import type { PageInput } from './endpoints.ts'
import { dropLoose } from './server/files.ts'
import { hasPaidPlan } from './server/mainPayment.ts'
import { freeAll } from './server/sweep.ts'
import { paidFor } from './payPages.ts'
import { chargesOf } from './shown.ts'

let world: World
let shop: Business
let companyId: string
let time = new Date('2026-05-03T08:00:00Z')

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date('2026-05-03T08:00:00Z')
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const item = (more: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  names: { he: 'מקום' },
  priceAgorot: 10_000,
  mostQuantity: 5,
  ...more,
})
const given = (more: Partial<PageInput> = {}): PageInput => ({
  kind: 'charge',
  texts: { he: { title: 'סדנה', thanks: 'נתראה', terms: 'בלי ביטולים' } },
  items: [item()],
  ...more,
})
interface Page {
  id: string
  key: string
  itemId: string
}
const open = async (more: Partial<PageInput> = {}): Promise<Page> => {
  const made = await shop.call(calls.createPage, given(more))
  const { url, content } = await shop.call(calls.openPayPage, { id: made.id })
  return { id: made.id, key: url.split('/').at(-1)!, itemId: content.items[0]?.id ?? '' }
}
const payer = { name: 'נעמה ברק', email: 'naama@example.com', phone: '', taxId: '' }
const begin = (page: Page, more: Record<string, unknown> = {}) =>
  callAs(world, calls.beginPage, {
    key: page.key,
    visit: crypto.randomUUID(),
    lines: [{ id: page.itemId, quantity: 1 }],
    payer,
    seenAgorot: 10_000,
    ...more,
  } as never) as Promise<{ url: string; chargeId: string }>
const fill = (url: string, number = '4242424242424242') =>
  callAs(world, testPay, {
    key: url.split('/').at(-1)!,
    number,
    month: 12,
    year: 2032,
    cvv: '123',
    instalments: 1,
  })
const check = (page: Page, charge: string) => callAs(world, calls.checkPage, { key: page.key, charge })
const pay = async (page: Page, more: Record<string, unknown> = {}) => {
  const { url, chargeId } = await begin(page, more)
  await fill(url)
  return check(page, chargeId)
}
const shown = async (page: Page) => (await callAs(world, calls.showPayPage, { key: page.key })).page
const papers = () =>
  query(sql<{ id: string; type: number; total: number }>`select id, type, total_agorot as total from documents
    where company_id = ${companyId} and status <> 'draft' order by created_at, number`)
const taken = async (page: Page) => {
  const { placesTaken, taken: things } = await shop.call(calls.getPage, { id: page.id })
  return { places: placesTaken, things: things[page.itemId] }
}
const later = (minutes: number) => void (time = new Date(time.getTime() + minutes * 60_000))

describe('a page', () => {
  test('is opened, paid, and gives a paper of what was bought', async () => {
    const page = await open({
      items: [item({ isFixed: true })],
      fields: [{ key: 'size', kind: 'choice', labels: { he: 'מידה' }, choices: { he: ['S', 'M'] } }],
    })
    const view = await shown(page)
    expect(view).toMatchObject({ title: 'סדנה', state: 'open', online: true, test: true, languages: ['he'] })
    const outcome = await pay(page, {
      lines: [{ id: page.itemId, quantity: 3 }],
      seenAgorot: 30_000,
      answers: { size: '1' },
    })
    expect(outcome).toMatchObject({ state: 'paid', sumAgorot: 30_000, paper: { type: 9 } })
    const [paper] = await papers()
    const document = await shop.call(getDocument, { id: paper!.id })
    expect(document.lines).toMatchObject([{ description: 'מקום', quantity: '3', unitPrice: '100' }])
    expect(document.totals).toMatchObject({ totalAgorot: 30_000 })
    await world.worker.drain()
    expect(await shop.call(calls.getPage, { id: page.id })).toMatchObject({
      started: 1,
      paid: 1,
      broughtAgorot: 30_000,
    })
    const [row] = await query(
      sql<{ id: string }>`select id from pay_purchases where company_id = ${companyId}`,
    )
    expect(await shop.call(calls.getPurchase, { id: row!.id })).toMatchObject({
      state: 'paid',
      payer: { name: 'נעמה ברק' },
      answers: [{ label: 'מידה', value: 'M' }],
      paper: { type: 9 },
    })
    // Asked again, and swept: one charge, one paper.
    await sweepCharges(world.app)
    expect(await papers()).toHaveLength(1)
  })

  test('sells an item of the catalogue: the paper carries it and its way of VAT', async () => {
    const { id: free } = await shop.send('POST', '/api4/invoice/items', {
      name: 'ביטוח',
      price: '100',
      vatKind: 'withoutVat',
    })
    const { id: usual } = await shop.send('POST', '/api4/invoice/items', {
      name: 'סדנה',
      sku: 'S1',
      price: '100',
      vatKind: 'beforeVat',
    })
    expect(paidFor({ price: '100', currency: 'ILS', vatKind: 'beforeVat' }, '2026-05-03', true)).toBe(11_800)
    expect(paidFor({ price: '100', currency: 'ILS', vatKind: 'beforeVat' }, '2026-05-03', false)).toBe(10_000)
    expect(paidFor({ price: '100', currency: 'ILS', vatKind: 'withoutVat' }, '2026-05-03', true)).toBe(10_000)
    expect(
      paidFor({ price: '100', currency: 'USD', vatKind: 'beforeVat' }, '2026-05-03', true),
    ).toBeUndefined()
    const page = await open({
      items: [item({ itemId: usual, priceAgorot: 11_800 }), item({ itemId: free, isFixed: true })],
    })
    const [, second] = (await shop.call(calls.getPage, { id: page.id })).content.items
    await pay(page, {
      lines: [
        { id: page.itemId, quantity: 1 },
        { id: second!.id, quantity: 1 },
      ],
      seenAgorot: 21_800,
    })
    const [paper] = await papers()
    const document = await shop.call(getDocument, { id: paper!.id })
    expect(document.lines).toMatchObject([
      { itemId: usual, sku: 'S1', vatKind: 2 },
      { itemId: free, vatKind: 4 },
    ])
    expect(document.totals).toMatchObject({ totalAgorot: 21_800, vatAgorot: 1_800 })
  })

  test('tells whom it is to tell, in words', async () => {
    const page = await open({ told: ['office@example.com'] })
    await pay(page)
    const letters = await query(
      sql<{
        recipient: string
        body: string
      }>`select recipient, body from messages where company_id = ${companyId}
          and recipient = 'office@example.com'`,
    )
    expect(letters).toHaveLength(1)
    expect(letters[0]!.body).toContain('נעמה ברק')
  })

  test.each<[string, Record<string, unknown>, string, string?]>([
    ['another total than the page comes to', { seenAgorot: 100 }, 'payPages.sumChanged'],
    ['a negative quantity', { lines: [{ id: 'item', quantity: -1 }] }, 'kit.badInput', 'fields.least'],
    ['half of a thing', { lines: [{ id: 'item', quantity: 1.5 }] }, 'kit.badInput', 'fields.range'],
    [
      'more than one payer may have',
      { lines: [{ id: 'item', quantity: 6 }], seenAgorot: 60_000 },
      'kit.badInput',
      'fields.range',
    ],
    [
      'a thing of another page',
      { lines: [{ id: '01900000-0000-7000-8000-000000000000', quantity: 1 }] },
      'kit.badInput',
      'payPages.itemGone',
    ],
    ['nothing at all', { lines: [] }, 'kit.badInput', 'fields.need'],
    [
      'a sum of his own where things are sold',
      { sumAgorot: 100, lines: [] },
      'kit.badInput',
      'payPages.sumRange',
    ],
    ['no name', { payer: { ...payer, name: ' ' } }, 'kit.badInput', 'fields.need'],
    ['a mail that is none', { payer: { ...payer, email: 'naama' } }, 'kit.badInput', 'fields.email'],
    [
      '10,000 signs in a name',
      { payer: { ...payer, name: 'א'.repeat(10_000) } },
      'kit.badInput',
      'fields.tooLong',
    ],
    ['10,000 signs in an answer', { answers: { why: 'א'.repeat(10_000) } }, 'kit.badInput', 'fields.tooLong'],
    ['an answer that is not filled in', { answers: {} }, 'kit.badInput', 'fields.need'],
    ['terms that are not agreed to', { agrees: false }, 'kit.badInput', 'payPages.agreeFirst'],
    ['a coupon that is not', { coupon: 'NOSUCH' }, 'kit.badInput', 'payPages.couponUnknown'],
  ])('refuses %s by name', async (_, wrong, code, atField) => {
    const page = await open({
      mustAgree: true,
      fields: [{ key: 'why', kind: 'long', labels: { he: 'למה' }, must: true }],
    })
    const lines = (wrong.lines as { id: string }[] | undefined)?.map((line) => ({
      ...line,
      id: line.id === 'item' ? page.itemId : line.id,
    }))
    const refusal = begin(page, {
      agrees: true,
      answers: { why: 'כי' },
      ...wrong,
      ...(lines ? { lines } : {}),
    })
    await expect(refusal).rejects.toMatchObject({
      code,
      ...(atField ? { errors: [expect.objectContaining({ code: atField })] } : {}),
    })
    expect(await taken(page)).toEqual({ places: 0, things: 0 })
    expect(await query(sql`select 1 from charges where company_id = ${companyId}`)).toHaveLength(0)
  })

  test('that is a draft, closed or over takes nobody’s money, and says so', async () => {
    const made = await shop.call(calls.createPage, given())
    const page = { id: made.id, key: made.url.split('/').at(-1)!, itemId: made.content.items[0]!.id }
    expect((await shown(page)).state).toBe('draft')
    await expect(begin(page)).rejects.toMatchObject({ code: 'payPages.notOpen' })
    await shop.call(calls.openPayPage, { id: page.id })
    await shop.call(calls.closePayPage, { id: page.id })
    await expect(begin(page)).rejects.toMatchObject({ code: 'payPages.notOpen' })
    const short = await open({ closesAt: '2026-05-03T09:00:00.000Z' })
    expect((await shown(short)).state).toBe('open')
    later(61)
    expect((await shown(short)).state).toBe('over')
    await expect(begin(short)).rejects.toMatchObject({ code: 'payPages.over' })
    await expect(callAs(world, calls.showPayPage, { key: 'x'.repeat(43) })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
  })

  test('is not opened where no terminal can do what it needs', async () => {
    const other = await newBusiness(world)
    const { id } = await other.call(calls.createPage, given())
    await expect(other.call(calls.openPayPage, { id })).rejects.toMatchObject({ code: 'payPages.needCards' })
    // Nor can a business see the pages of another.
    const page = await open()
    await expect(other.call(calls.getPage, { id: page.id })).rejects.toMatchObject({ code: 'kit.notFound' })
  })

  test('that somebody else changed meanwhile is not written over', async () => {
    const page = await open()
    const { version, content } = await shop.call(calls.getPage, { id: page.id })
    await shop.call(calls.changePage, { id: page.id, version, content })
    await expect(shop.call(calls.changePage, { id: page.id, version, content })).rejects.toMatchObject({
      code: 'payPages.changedMeanwhile',
    })
  })

  test('that is changed while somebody pays takes what he saw, and gives a paper of that', async () => {
    const page = await open()
    const { url, chargeId } = await begin(page)
    const { version, content } = await shop.call(calls.getPage, { id: page.id })
    await shop.call(calls.changePage, {
      id: page.id,
      version,
      content: { ...content, items: [{ ...content.items[0]!, priceAgorot: 20_000 }] },
    })
    await fill(url)
    expect(await check(page, chargeId)).toMatchObject({ state: 'paid', sumAgorot: 10_000 })
    expect((await papers())[0]!.total).toBe(10_000)
  })

  test('takes a sum of the payer’s own, within its bounds', async () => {
    const page = await open({ sumKind: 'free', items: [], leastAgorot: 5_000, mostAgorot: 50_000 })
    const free = (sumAgorot: number) => begin(page, { lines: [], sumAgorot, seenAgorot: sumAgorot })
    for (const sum of [100, 4_999, 50_001])
      await expect(free(sum)).rejects.toMatchObject({
        errors: [{ path: 'sumAgorot', code: 'payPages.sumRange' }],
      })
    const { url, chargeId } = await free(12_345)
    await fill(url)
    expect(await check(page, chargeId)).toMatchObject({ state: 'paid', sumAgorot: 12_345 })
  })

  test('pressed twice is one purchase before one form; what is changed is another', async () => {
    const page = await open({ places: 1 })
    const visit = crypto.randomUUID()
    const first = await begin(page, { visit })
    const again = await begin(page, { visit, payer: { ...payer, name: 'נעמה ב.' } })
    expect(again).toEqual(first)
    const more = await begin(page, { visit, lines: [{ id: page.itemId, quantity: 2 }], seenAgorot: 20_000 })
    expect(more.chargeId).not.toBe(first.chargeId)
    expect(await taken(page)).toEqual({ places: 1, things: 2 })
  })
})

describe('places and stock', () => {
  test('are kept for fifteen minutes, and then free for others', async () => {
    const page = await open({ places: 1, items: [item({ stock: 5 })] })
    await begin(page)
    expect((await shown(page)).state).toBe('full')
    await expect(begin(page)).rejects.toMatchObject({ code: 'payPages.full' })
    later(14)
    await freeAll(world.app)
    expect((await shown(page)).state).toBe('full')
    later(2)
    expect(await freeAll(world.app)).toBeGreaterThan(0)
    expect(await taken(page)).toEqual({ places: 0, things: 0 })
    expect(await pay(page)).toMatchObject({ state: 'paid' })
    expect(await taken(page)).toEqual({ places: 1, things: 1 })
  })

  test('money that comes after they were freed takes them again, or goes back', async () => {
    const page = await open({ places: 1 })
    const slow = await begin(page)
    later(16)
    await freeAll(world.app)
    await fill(slow.url).catch(() => undefined)
    await query(sql`update test_charges set state = 'paid' where company_id = ${companyId}`)
    expect(await check(page, slow.chargeId)).toMatchObject({ state: 'paid' })
    expect(await taken(page)).toMatchObject({ places: 1 })

    const other = await open({ places: 1 })
    const late = await begin(other)
    later(16)
    await freeAll(world.app)
    expect(await pay(other)).toMatchObject({ state: 'paid' })
    await query(
      sql`update test_charges set state = 'paid' where company_id = ${companyId} and state <> 'paid'`,
    )
    expect(await check(other, late.chargeId)).toMatchObject({ state: 'surplus', paper: null })
    await sweepCharges(world.app)
    await world.worker.drain()
    const [charge] = await query(sql<{
      surplus: boolean
      paper: string | null
      back: string
    }>`select surplus, paper_id as paper,
      (select state from charge_refunds r where r.company_id = c.company_id and r.charge_id = c.id) as back
      from charges c where c.company_id = ${companyId} and c.id = ${late.chargeId}`)
    expect(charge).toEqual({ surplus: true, paper: null, back: 'done' })
    expect(await taken(other)).toMatchObject({ places: 1 })
  })

  test('more people than there are connections look at a page and work out its price at once: each is answered', async () => {
    const page = await open()
    const most = world.app.db.pool.options.max
    const basket = { key: page.key, lines: [{ id: page.itemId, quantity: 1 }] }
    const answers = await Promise.all(
      Array.from({ length: 3 * most }, (_, n) =>
        n % 2 ? raw(world, calls.pricePage, basket) : raw(world, calls.showPayPage, { key: page.key }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  })

  test('fifty at once on twenty places: exactly twenty', async () => {
    const page = await open({ places: 20, items: [item({ stock: 100 })] })
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        begin(page, { payer: { ...payer, email: `naama${n}@example.com` } }),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'payPages.full' })
    expect(await taken(page)).toEqual({ places: 20, things: 20 })
  })

  describe('reserved without being paid', () => {
    const from = (address: string, page: Page, n: number, quantity = 1) =>
      callAs(
        world,
        calls.beginPage,
        {
          key: page.key,
          visit: crypto.randomUUID(),
          lines: [{ id: page.itemId, quantity }],
          payer: { ...payer, email: `visitor${n}@example.com` },
          seenAgorot: 10_000 * quantity,
        } as never,
        { address },
      ) as Promise<{ url: string; chargeId: string }>
    const tooOften = { status: 429, code: 'payPages.reservedTooOften' }

    test('is not done again and again from one address: the last piece stays for others', async () => {
      const page = await open({ items: [item({ stock: 5 })] })
      let n = 0
      // All five pieces, four times a quarter of an hour.
      for (; n < 4; n++) {
        await from('203.0.113.7', page, n, 5)
        later(16)
      }
      await expect(from('203.0.113.7', page, n++, 5)).rejects.toMatchObject(tooOften)
      // One piece still, one at a time, and not the last one.
      await from('203.0.113.7', page, n++)
      await expect(from('203.0.113.7', page, n++)).rejects.toMatchObject(tooOften)
      const other = await from('198.51.100.4', page, n++, 3)
      later(16)
      await from('198.51.100.5', page, n++, 4)
      await expect(from('203.0.113.7', page, n++)).rejects.toMatchObject(tooOften)
      // What was paid counts against nobody, and a day later nothing does.
      expect(other.chargeId).toBeTruthy()
      later(25 * 60)
      await from('203.0.113.7', page, n++, 5)
    })

    test('is bounded at once, by address and by person; a network of version six is one address', async () => {
      const page = await open({ places: 40 })
      for (let n = 0; n < 8; n++) await from(`2001:db8:1:2::${n + 1}`, page, n)
      await expect(from('2001:db8:1:2:ffff::1', page, 8)).rejects.toMatchObject(tooOften)
      await from('2001:db8:1:3::1', page, 9)
      await from('2001:db8::1', page, 10)
      for (let n = 0; n < 3; n++) await from(`198.51.100.${n}`, page, 20)
      await expect(from('198.51.100.9', page, 20)).rejects.toMatchObject(tooOften)
      // Who pays may go on.
      await fill((await from('198.51.100.10', page, 21)).url)
    })

    test('counts the same for uses of a coupon, and not where nothing is scarce', async () => {
      const page = await open()
      for (let n = 0; n < 12; n++) await from('203.0.113.9', page, n % 3)
      await shop.call(calls.createCoupon, {
        code: 'FEW',
        kind: 'percent',
        valueBp: 1_000,
        usesMax: 3,
      } as never)
      const withCoupon = (n: number) =>
        callAs(
          world,
          calls.beginPage,
          {
            key: page.key,
            visit: crypto.randomUUID(),
            lines: [{ id: page.itemId, quantity: 1 }],
            payer: { ...payer, email: `saver${n}@example.com` },
            coupon: 'FEW',
            seenAgorot: 9_000,
          } as never,
          { address: '203.0.113.10' },
        )
      for (let n = 0; n < 4; n++) {
        await withCoupon(n)
        later(16)
      }
      await expect(withCoupon(5)).rejects.toMatchObject(tooOften)
    })

    test('keeps no address, and a visit that changes its basket keeps its own', async () => {
      const page = await open({ items: [item({ stock: 5 })] })
      const visit = crypto.randomUUID()
      for (const quantity of [5, 4, 5, 3, 5])
        await begin(page, {
          visit,
          lines: [{ id: page.itemId, quantity }],
          seenAgorot: 10_000 * quantity,
        })
      const [row] = await query(
        sql<{ all: string }>`select string_agg(row_to_json(p)::text, '') as all from pay_purchases p
          where company_id = ${companyId}`,
      )
      expect(row!.all).toContain('begun_from')
      expect(row!.all).not.toMatch(/\b\d{1,3}(\.\d{1,3}){3}\b/)
    })
  })

  test('cannot be lowered under what is taken', async () => {
    const page = await open({ places: 5 })
    await pay(page, { lines: [{ id: page.itemId, quantity: 2 }], seenAgorot: 20_000 })
    await pay(page)
    const { version, content } = await shop.call(calls.getPage, { id: page.id })
    const change = (more: Partial<PageInput>) =>
      shop.call(calls.changePage, { id: page.id, version, content: { ...content, ...more } as never })
    await expect(change({ places: 1 })).rejects.toMatchObject({
      errors: [{ path: 'places', code: 'payPages.takenMore' }],
    })
    await expect(change({ items: [{ ...content.items[0]!, stock: 2 }] })).rejects.toMatchObject({
      errors: [{ path: 'items.0.stock', code: 'payPages.takenMore' }],
    })
  })
})

describe('a coupon', () => {
  const coupon = (more: Record<string, unknown> = {}) =>
    shop.call(calls.createCoupon, { code: 'HAVERA', kind: 'percent', valueBp: 2_500, ...more } as never)

  test('is taken in any case, with spaces and dashes, and stands on the paper', async () => {
    const page = await open()
    const { id } = await coupon()
    const price = await callAs(world, calls.pricePage, {
      key: page.key,
      lines: [{ id: page.itemId, quantity: 1 }],
      coupon: ' ha-vera ',
    })
    expect(price).toMatchObject({ code: 'HAVERA', discountAgorot: 2_500, totalAgorot: 7_500 })
    expect(await pay(page, { coupon: 'h a v e r a', seenAgorot: 7_500 })).toMatchObject({
      state: 'paid',
      sumAgorot: 7_500,
      paper: { type: 9 },
    })
    const [paper] = await papers()
    expect((await shop.call(getDocument, { id: paper!.id })).totals).toMatchObject({ totalAgorot: 7_500 })
    expect(await shop.call(calls.getCoupon, { id })).toMatchObject({
      used: 1,
      givenAgorot: 2_500,
      broughtAgorot: 7_500,
    })
    const report = await shop.get('/api4/invoice/reports/couponUse')
    expect(report.rows).toMatchObject([
      { code: 'HAVERA', grossAgorot: 10_000, discountAgorot: 2_500, paidAgorot: 7_500 },
    ])
  })

  test('two at once cannot use the last one', async () => {
    const page = await open()
    await coupon({ usesMax: 1 })
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        begin(page, { coupon: 'HAVERA', seenAgorot: 7_500, payer: { ...payer, email: `p${i}@example.com` } }),
      ),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ errors: [{ path: 'coupon', code: 'payPages.couponUsedUp' }] })
    expect(
      await query(sql`select 1 from coupon_uses where company_id = ${companyId} and seat is not null`),
    ).toHaveLength(1)
    // The person who did not pay in time gives it back.
    later(16)
    await freeAll(world.app)
    expect(await pay(page, { coupon: 'HAVERA', seenAgorot: 7_500 })).toMatchObject({ state: 'paid' })
    await expect(begin(page, { coupon: 'HAVERA', seenAgorot: 7_500 })).rejects.toMatchObject({
      errors: [{ code: 'payPages.couponUsedUp' }],
    })
  })

  test('is used so often by one customer, whatever case he writes himself in', async () => {
    const page = await open({ asksEmail: 'may' })
    await coupon({ perCustomer: 1 })
    const with_ = (email: string) =>
      pay(page, { coupon: 'HAVERA', seenAgorot: 7_500, payer: { ...payer, email } })
    await with_('naama@example.com')
    await expect(with_('Naama@Example.com')).rejects.toMatchObject({
      errors: [{ code: 'payPages.couponOncePerCustomer' }],
    })
    await expect(with_('')).rejects.toMatchObject({ errors: [{ code: 'payPages.couponNeedsWho' }] })
    expect(await with_('other@example.com')).toMatchObject({ state: 'paid' })
  })

  test('is refused by name when it is over, not for this page, too small, stopped or leaves nothing', async () => {
    const page = await open()
    const other = await open()
    const refused = async (more: Record<string, unknown>, code: string) => {
      const { id } = await coupon({
        code: `C${code.slice(-6)}${Object.keys(more).join('')}`.slice(0, 30),
        ...more,
      })
      const { code: said } = await shop.call(calls.getCoupon, { id })
      await expect(begin(page, { coupon: said, seenAgorot: 7_500 })).rejects.toMatchObject({
        errors: [{ path: 'coupon', code }],
      })
    }
    await refused({ toDay: '2026-05-02' }, 'payPages.couponOver')
    await refused({ fromDay: '2026-05-04' }, 'payPages.couponUnknown')
    await refused({ pageId: other.id }, 'payPages.couponUnknown')
    await refused({ leastAgorot: 10_001 }, 'payPages.couponLeast')
    await refused({ kind: 'sum', valueBp: null, valueAgorot: 10_000 }, 'payPages.couponNothingLeft')
    const { id } = await coupon({ code: 'STOPPED' })
    await shop.call(calls.stopCoupon, { id, stopped: true })
    await expect(begin(page, { coupon: 'stopped', seenAgorot: 7_500 })).rejects.toMatchObject({
      errors: [{ code: 'payPages.couponOver' }],
    })
    await expect(coupon({ code: 'sto pped' })).rejects.toMatchObject({
      errors: [{ path: 'code', code: 'coupons.codeUsed' }],
    })
    for (const code of ['', 'a', 'x!', '<b>'])
      await expect(coupon({ code })).rejects.toMatchObject({ code: 'kit.badInput' })
  })

  test('many are made at once, each a code of its own', async () => {
    const { codes } = await shop.call(calls.makeCoupons, {
      kind: 'sum',
      valueAgorot: 1_000,
      name: 'כנס',
      count: 120,
      prefix: 'ken',
      usesMax: 1,
    } as never)
    expect(new Set(codes).size).toBe(120)
    expect(codes[0]).toMatch(/^KEN-[A-Z2-9]{10}$/)
    const page = await open()
    expect(await pay(page, { coupon: codes[3]!.toLowerCase(), seenAgorot: 9_000 })).toMatchObject({
      state: 'paid',
    })
    await expect(begin(page, { coupon: codes[3], seenAgorot: 9_000 })).rejects.toMatchObject({
      errors: [{ code: 'payPages.couponUsedUp' }],
    })
  })
})

describe('a hold', () => {
  const held = async () => {
    const page = await open({ kind: 'hold', places: 3 })
    const { url, chargeId } = await begin(page)
    await fill(url)
    expect(await check(page, chargeId)).toMatchObject({ state: 'held', paper: null })
    const [row] = await query(
      sql<{
        id: string
      }>`select id from pay_purchases where company_id = ${companyId} and page_id = ${page.id}`,
    )
    return { page, id: row!.id }
  }

  test('is taken later, in part, and its paper is of what was taken', async () => {
    const { id } = await held()
    expect(await papers()).toHaveLength(0)
    expect(await shop.call(calls.getPurchase, { id })).toMatchObject({ state: 'held', canCapture: true })
    await expect(shop.call(calls.capturePurchase, { id, amountAgorot: 10_001 })).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot', code: 'fields.range' }],
    })
    expect(await shop.call(calls.capturePurchase, { id, amountAgorot: 6_000 })).toMatchObject({
      state: 'paid',
      takenAgorot: 6_000,
      canCapture: false,
    })
    expect(await papers()).toMatchObject([{ total: 6_000 }])
    await expect(shop.call(calls.capturePurchase, { id, amountAgorot: 1_000 })).rejects.toMatchObject({
      code: 'paymentLinks.notHeld',
    })
  })

  test.each(['capture', 'release'] as const)(
    'whose %s nobody answered is asked about, and never done again',
    async (deed) => {
      const { page, id } = await held()
      const act = () =>
        deed === 'capture'
          ? shop.call(calls.capturePurchase, { id, amountAgorot: 6_000 })
          : shop.call(calls.releasePurchase, { id })
      simulated.mute = true
      try {
        expect((await act()).state).toBe('held')
      } finally {
        simulated.mute = false
      }
      await expect(act()).rejects.toMatchObject({ code: 'paymentLinks.inDoubt' })
      later(deed === 'capture' ? 2 : 20)
      await sweepCharges(world.app)
      expect((await shop.call(calls.getPurchase, { id })).state).toBe(
        deed === 'capture' ? 'paid' : 'released',
      )
      expect((await papers()).map(({ total }) => total)).toEqual(deed === 'capture' ? [6_000] : [])
      expect((await taken(page)).places).toBe(deed === 'capture' ? 1 : 0)
    },
  )

  test('that was never reached is free to be taken again', async () => {
    const { id } = await held()
    const [row] = await query(
      sql<{ charge: string }>`select charge_id as charge from pay_purchases where company_id = ${companyId}`,
    )
    simulated.mute = true
    await shop
      .call(calls.capturePurchase, { id, amountAgorot: 6_000 })
      .finally(() => (simulated.mute = false))
    await query(
      sql`update test_charges set state = 'held', amount_agorot = 10000 where company_id = ${companyId}`,
    )
    later(20)
    await sweepCharges(world.app)
    expect(
      await query(
        sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${row!.charge}
            and answered_at is null`,
      ),
    ).toHaveLength(0)
    expect(await shop.call(calls.capturePurchase, { id, amountAgorot: 7_000 })).toMatchObject({
      state: 'paid',
      takenAgorot: 7_000,
    })
  })

  test.each([
    ['the acquirer knows it no more', 'declined', 8],
    ['it says nothing new for as long as no bank holds', 'held', 31],
  ] as const)('that nobody takes lapses once %s, and its place is free', async (_, says, days) => {
    const { page, id } = await held()
    const purchase = async () => shop.call(calls.getPurchase, { id })
    expect(dayInJerusalem(new Date((await purchase()).heldUntil!))).toBe(addDays(dayInJerusalem(time), 7))
    later(6 * 24 * 60)
    await sweepCharges(world.app)
    await query(sql`update test_charges set state = ${says} where company_id = ${companyId}`)
    expect(await purchase()).toMatchObject({ state: 'held', canCapture: true })
    for (let day = 7; day <= days; day += 8) {
      later(8 * 24 * 60)
      await sweepCharges(world.app)
    }
    expect(await purchase()).toMatchObject({ state: 'released', canCapture: false })
    expect(await taken(page)).toEqual({ places: 0, things: 0 })
    expect(await papers()).toHaveLength(0)
  })

  test('is let go: nothing is issued, and its place is free', async () => {
    const { page, id } = await held()
    expect(await taken(page)).toEqual({ places: 1, things: 1 })
    expect(await shop.call(calls.releasePurchase, { id })).toMatchObject({
      state: 'released',
      canCapture: false,
    })
    expect(await taken(page)).toEqual({ places: 0, things: 0 })
    expect(await papers()).toHaveLength(0)
  })
})

describe('a subscription', () => {
  test('begins a standing order with the card that was kept, and its first charge', async () => {
    const page = await open({
      kind: 'subscription',
      items: [item({ isFixed: true, mostQuantity: 1 })],
      firstPriceAgorot: 4_000,
      billingDay: 1,
      everyN: 1,
    })
    await expect(begin(page, { seenAgorot: 4_000 })).rejects.toMatchObject({
      errors: [{ path: 'agrees', code: 'payPages.agreeFirst' }],
    })
    const outcome = await pay(page, { seenAgorot: 4_000, agrees: true })
    expect(outcome.state).toBe('subscribed')
    expect(outcome.orderUrl).toMatch(/^\/retainer\/.{22,}$/)
    const [row] = await query(
      sql<{
        order_id: string
      }>`select order_id from pay_purchases where company_id = ${companyId} and state = 'subscribed'`,
    )
    await world.worker.drain()
    const order = await shop.call(getOrder, { id: row!.order_id })
    expect(order).toMatchObject({
      means: 'card',
      partyKind: 'consumer',
      firstPriceAgorot: 4_000,
      billingDay: 1,
      startDay: '2026-05-03',
      customer: 'נעמה ברק',
    })
    expect(order.periods).toMatchObject([{ state: 'done', totalAgorot: 4_000 }])
    // The person who subscribed holds the plan of the page.
    expect((await shop.get(`/api4/invoice/holdings?packageId=${page.id}`)).rows).toMatchObject([
      {
        id: row!.order_id,
        kind: 'plan',
        customerIdName: 'נעמה ברק',
        packageIdName: order.title,
        state: 'active',
        renewal: 'itself',
      },
    ])
    expect(await shop.get(`/api4/invoice/packages/${page.id}`)).toMatchObject({
      name: order.title,
      kind: 'page',
    })
    // The notice of the return arrives twice; there is one order.
    expect(await query(sql`select 1 from standing_orders where company_id = ${companyId}`)).toHaveLength(1)
  })

  test('with a coupon for every charge is cheaper every time', async () => {
    const page = await open({ kind: 'subscription', items: [item({ isFixed: true, mostQuantity: 1 })] })
    await shop.call(calls.createCoupon, {
      code: 'ALWAYS',
      kind: 'percent',
      valueBp: 1_000,
      firstOnly: false,
    } as never)
    expect(await pay(page, { seenAgorot: 9_000, agrees: true, coupon: 'always' })).toMatchObject({
      state: 'subscribed',
    })
    await world.worker.drain()
    const [row] = await query(
      sql<{ order_id: string }>`select order_id from pay_purchases where company_id = ${companyId}`,
    )
    const order = await shop.call(getOrder, { id: row!.order_id })
    expect(order.firstPriceAgorot).toBeNull()
    expect(order.periods[0]).toMatchObject({ totalAgorot: 9_000 })
    expect(order.coming[0]).toMatchObject({ totalAgorot: 9_000 })
  })

  test('says beside the first sum what each next one comes to, with a coupon for the first and one for all', async () => {
    const page = await open({
      kind: 'subscription',
      firstPriceAgorot: 4_000,
      items: [item({ isFixed: true, mostQuantity: 1 })],
    })
    await shop.call(calls.createCoupon, {
      code: 'ALWAYS',
      kind: 'percent',
      valueBp: 1_000,
      firstOnly: false,
    } as never)
    await shop.call(calls.createCoupon, { code: 'ONCE', kind: 'percent', valueBp: 1_000 } as never)
    const { plan } = await shown(page)
    const told = async (coupon: string) =>
      chargesOf(
        plan,
        10_000,
        await callAs(world, calls.pricePage, {
          key: page.key,
          lines: [{ id: page.itemId, quantity: 1 }],
          coupon,
        } as never),
      )
    expect(chargesOf(plan, 10_000, undefined)).toEqual({ nowAgorot: 4_000, everyAgorot: 10_000 })
    expect(await told('always')).toEqual({ nowAgorot: 4_000, everyAgorot: 9_000 })
    expect(await told('once')).toEqual({ nowAgorot: 3_000, everyAgorot: 10_000 })
  })
})

test('the address of thanks is told what became of it, signed by the page’s own key', async () => {
  const page = await open({ thanksUrl: 'https://shop.example.org/thanks?lang=he' })
  const { thanksUrl } = (await pay(page)) as unknown as { thanksUrl: string }
  const { searchParams } = new URL(thanksUrl)
  const { signingKey: key } = await shop.call(calls.thanksKey, { id: page.id })
  const said = ['purchase', 'state', 'sum', 'at'].map((name) => `${name}=${searchParams.get(name)}`).join('&')
  expect(said).toMatch(/^purchase=[0-9a-f-]{36}&state=paid&sum=10000&at=1777795200$/)
  expect(searchParams.get('sig')).toBe(createHmac('sha256', key).update(said).digest('hex'))
  expect(searchParams.get('lang')).toBe('he')
  // Of another page, and of another business, it is another one.
  expect((await shop.call(calls.thanksKey, { id: (await open()).id })).signingKey).not.toBe(key)
  await expect((await newBusiness(world)).call(calls.thanksKey, { id: page.id })).rejects.toMatchObject({
    status: 404,
  })
})

describe('in a frame', () => {
  test('only sites that were named, in their one spelling', async () => {
    const page = await open({ sites: ['Example.com', 'https://shop.example.org/path'] })
    expect((await callAs(world, calls.showPayPage, { key: page.key })).sites).toEqual([
      'https://example.com',
      'https://shop.example.org',
    ])
    for (const site of [
      'http://example.com',
      "https://x.com; script-src 'unsafe-inline'",
      'https://*.example.com',
      'https://user:pw@example.com',
      'intranet',
    ])
      await expect(shop.call(calls.createPage, given({ sites: [site] }))).rejects.toMatchObject({
        errors: [{ path: 'sites.0', code: 'payPages.noSite' }],
      })
  })
})

test('rights: pages, payers, holds and coupons are given apart, and hidden sums stay hidden', async () => {
  const page = await open()
  await pay(page)
  const [row] = await query(sql<{ id: string }>`select id from pay_purchases where company_id = ${companyId}`)
  const mate = await newBusiness(world)
  const rights = (rules: number[], hides: boolean) =>
    query(sql`with m as
        (insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
        own_customers_only)
        select ${companyId}, id, 9, ${rules}::int[], '{}'::smallint[], ${hides}, false from users
        where email = ${mate.email}
        on conflict (company_id, user_id) do update
        set rules = excluded.rules, hide_total_prices = excluded.hide_total_prices)
      update sessions set company_id = ${companyId}
      where user_id = (select id from users where email = ${mate.email})`)
  await rights([250, 251], false)
  expect((await mate.call(calls.getPage, { id: page.id })).paid).toBe(1)
  await expect(mate.call(calls.getPurchase, { id: row!.id })).rejects.toMatchObject({
    code: 'session.forbidden',
  })
  await expect(
    mate.call(calls.createCoupon, { code: 'ABC', kind: 'sum', valueAgorot: 100 } as never),
  ).rejects.toMatchObject({
    code: 'session.forbidden',
  })
  await rights([250, 252], true)
  const seen = await mate.call(calls.getPurchase, { id: row!.id })
  expect(seen.payer.name).toBe('נעמה ברק')
  expect(JSON.stringify(seen)).not.toContain('10000')
  await expect(mate.call(calls.capturePurchase, { id: row!.id, amountAgorot: 1 })).rejects.toMatchObject({
    code: 'session.forbidden',
  })
})

describe('paying for the product', () => {
  test('is off until the operator turns it on; then a business subscribes by his page, and his documents are its invoices', async () => {
    const me = await newBusiness(world)
    expect(await me.call(calls.mainPayment, {})).toMatchObject({ isOn: false, plan: null, plans: [] })
    // What every plan holds is what is kept to.
    const limits = {
      documents: null,
      users: null,
      companies: 100,
      roomBytes: 2 * 1024 ** 3,
      moreRoomBytes: 20 * 1024 ** 3,
      callsPerMinute: 1200,
    }
    expect(await callAs(world, calls.pricing, {})).toEqual({ isOn: false, plans: [], limits })
    const { rows: quotas } = await world.app.db.pool.query(
      'select distinct file_quota_bytes::float as bytes from companies',
    )
    expect(quotas).toEqual([{ bytes: limits.roomBytes }])
    await open({
      kind: 'subscription',
      texts: { he: { title: 'מסלול עסקי' } },
      items: [
        item({ isFixed: true, mostQuantity: 1 }),
        item({ names: { he: 'שכר' }, priceAgorot: 2_500, mostQuantity: 1 }),
      ],
    })
    world.app.settings.billingCompany = companyId
    try {
      expect(await hasPaidPlan(world.app, (await me.call(mySession, {})).companyId)).toBe(false)
      const before = await me.call(calls.mainPayment, {})
      expect(before).toMatchObject({
        isOn: true,
        plan: null,
        plans: [
          {
            title: 'מסלול עסקי',
            priceAgorot: 10_000,
            everyN: 1,
            modules: [{ name: 'שכר', priceAgorot: 2_500 }],
          },
        ],
      })
      // A visitor sees the same plans, and a plan is active only once it was chosen.
      const { url: told, ...same } = before.plans[0]!
      expect(await callAs(world, calls.pricing, { domain: 'localhost' })).toEqual({
        isOn: true,
        plans: [same],
        limits,
      })
      expect(same.includes).toEqual([expect.any(String)])
      expect((await me.call(myCompanies, {})).rows).toMatchObject([{ plan: null }])
      const url = new URL(told, 'http://x')
      const key = url.pathname.split('/').at(-1)!
      const shownPage = (await callAs(world, calls.showPayPage, { key })).page
      const page = { id: '', key, itemId: shownPage.items[0]!.id }
      await pay(page, { agrees: true, utm: { utm_business: url.searchParams.get('utm_business') } })
      await world.worker.drain()
      // A paid plan gives a higher daily limit of mail.
      const myId = (await me.call(mySession, {})).companyId
      expect([await hasPaidPlan(world.app, myId), await hasPaidPlan(world.app, companyId)]).toEqual([
        true,
        false,
      ])
      for (let no = 0; no < 31; no++) await takeRoom(world.app, myId, `r${no}@outside.example`)
      const after = await me.call(calls.mainPayment, {})
      expect(after.plan).toMatchObject({
        title: 'מסלול עסקי',
        state: 'active',
        nextDay: '2026-06-03',
        nextAgorot: 10_000,
        failedAgorot: 0,
      })
      expect(after.papers).toMatchObject([{ totalAgorot: 10_000 }])
      expect((await me.call(myCompanies, {})).rows).toMatchObject([{ plan: 'מסלול עסקי' }])
      expect((await shop.call(myCompanies, {})).rows).toMatchObject([{ plan: null }])
      // A module is had from the next charge on, and taken off again; its price is the operator's, whatever
      // was sent.
      expect(after.plan!.modules).toMatchObject([{ name: 'שכר', priceAgorot: 2_500, isOn: false }])
      const [module] = after.plan!.modules
      const more = await me.call(calls.chooseModules, { modules: [module!.id] })
      expect(more.plan).toMatchObject({ nextAgorot: 12_500, modules: [{ isOn: true }] })
      expect(await me.call(calls.chooseModules, { modules: [module!.id] })).toMatchObject({
        plan: { nextAgorot: 12_500 },
      })
      expect((await me.call(calls.chooseModules, { modules: [] })).plan).toMatchObject({
        nextAgorot: 10_000,
        modules: [{ isOn: false }],
      })
      await expect(me.call(calls.chooseModules, { modules: [crypto.randomUUID()] })).rejects.toMatchObject({
        code: 'payPages.itemGone',
      })
      await expect(
        (await newBusiness(world)).call(calls.chooseModules, { modules: [] }),
      ).rejects.toMatchObject({ code: 'billing.noPlan' })
      // Another plan takes the place of the one before, which is charged no more.
      await open({
        kind: 'subscription',
        texts: { he: { title: 'מסלול גדול' } },
        items: [item({ isFixed: true, priceAgorot: 20_000 })],
      })
      const bigger = (await me.call(calls.mainPayment, {})).plans.find(({ title }) => title === 'מסלול גדול')!
      const biggerUrl = new URL(bigger.url, 'http://x')
      const biggerKey = biggerUrl.pathname.split('/').at(-1)!
      const itemId = (await callAs(world, calls.showPayPage, { key: biggerKey })).page.items[0]!.id
      const utm = { utm_business: biggerUrl.searchParams.get('utm_business') }
      await pay({ id: '', key: biggerKey, itemId }, { agrees: true, seenAgorot: 20_000, utm })
      await world.worker.drain()
      expect((await me.call(calls.mainPayment, {})).plan).toMatchObject({
        title: 'מסלול גדול',
        state: 'active',
        nextAgorot: 20_000,
      })
      const runs = await query(sql<{
        title: string
        over: boolean
        day: string | null
        why: string
      }>`select title,
        state in ('ended', 'cancelled') as over, next_day::text as day, end_reason as why from standing_orders
        where company_id = ${companyId} order by over desc`)
      expect(runs).toMatchObject([
        { title: 'מסלול עסקי', over: true, day: null, why: expect.stringContaining('מסלול גדול') },
        { title: 'מסלול גדול', over: false },
      ])
      // Nobody else's, and the operator pays nothing to itself.
      expect((await (await newBusiness(world)).call(calls.mainPayment, {})).plan).toBeNull()
      expect((await shop.call(calls.mainPayment, {})).isOn).toBe(false)
      // A charge that failed is reported, and locks nothing: everything is read and exported as before.
      await query(
        sql`update standing_periods set state = 'failed', failed_on = ${'2026-06-03'}
          where company_id = ${companyId}`,
      )
      expect((await me.call(calls.mainPayment, {})).plan!.failedAgorot).toBe(20_000)
      await me.customer('לקוח')
      expect((await me.get('/api4/invoice/customers?size=10')).rows).toHaveLength(1)
      expect(
        (
          await world.http.inject({
            method: 'GET',
            url: '/api4/invoiceexport/customers?format=csv',
            headers: { 'x-access-token': me.token },
          })
        ).statusCode,
      ).toBe(200)
    } finally {
      world.app.settings.billingCompany = undefined
    }
  })
})

describe('a file that a page asks for', () => {
  const pdf = readFileSync(new URL('../../../../tests/papers/samples/classic-2.pdf', import.meta.url))
  const asking = (more: Partial<PageInput> = {}) =>
    open({ fields: [{ key: 'proof', kind: 'file', labels: { he: 'תעודה' }, must: true }], ...more })
  const attach = (page: Page, visit: string, bytes: Uint8Array = pdf, name = 'תעודה.pdf', field = 'proof') =>
    callAs(world, calls.addPageFile, { key: page.key, field, visit, name, bytes })
  const kept = () =>
    query(
      sql<{
        name: string
        paid: boolean
      }>`select name, purchase_id is not null as paid from pay_page_files where company_id = ${companyId}
        order by id`,
    )
  const bought = async () =>
    (
      await query(
        sql<{ id: string }>`select id from pay_purchases where company_id = ${companyId} order by created_at`,
      )
    ).at(-1)!

  test('is sent before the money, stays with what is paid, and is saved by the business alone', async () => {
    const page = await asking()
    const visit = crypto.randomUUID()
    await expect(begin(page, { visit })).rejects.toMatchObject({
      errors: [{ path: 'answers.proof', code: 'fields.need' }],
    })
    const first = await attach(page, visit, pdf, 'scan.exe')
    // It is what its bytes are, and a second one takes the place of the first.
    expect(first.name).toBe('scan.exe.pdf')
    const { id: proof } = await attach(page, visit)
    expect(await kept()).toEqual([{ name: 'תעודה.pdf', paid: false }])
    expect(await pay(page, { visit, answers: { proof } })).toMatchObject({ state: 'paid' })
    const { id } = await bought()
    const sheet = await shop.call(calls.getPurchase, { id })
    expect(sheet.answers).toEqual([{ label: 'תעודה', value: 'תעודה.pdf', fileId: proof }])
    const list = await world.http.inject({
      url: '/api4/invoice/payPurchases',
      headers: { 'x-access-token': shop.token },
    })
    expect(list.json()).toMatchObject({ rows: [{ files: 1 }] })
    const file = await raw(world, calls.getPurchaseFile, { id, fileId: proof }, { token: shop.token })
    expect(file.headers['content-disposition']).toMatch(/^attachment/)
    expect(file.rawPayload.equals(pdf)).toBe(true)
    // A stranger, another business, and people who may see no amounts cannot get it.
    const other = await newBusiness(world)
    await expect(other.call(calls.getPurchaseFile, { id, fileId: proof })).rejects.toMatchObject({
      status: 404,
    })
    await query(
      sql`update memberships set hide_total_prices = true where company_id = ${companyId} returning 1`,
    )
    await expect(shop.call(calls.getPurchaseFile, { id, fileId: proof })).rejects.toMatchObject({
      status: 403,
    })
    await query(
      sql`update memberships set hide_total_prices = false where company_id = ${companyId} returning 1`,
    )
    later(49 * 60)
    expect(await dropLoose(world.app)).toBe(0)
    expect(await kept()).toHaveLength(1)
  })

  test('is of one opening of one page, and named by nobody else', async () => {
    const [page, another] = [await asking(), await asking()]
    const [visit, stranger] = [crypto.randomUUID(), crypto.randomUUID()]
    const { id: proof } = await attach(page, visit)
    for (const [at, more] of [
      [page, { visit: stranger }],
      [another, { visit }],
    ] as const)
      await expect(begin(at, { ...more, answers: { proof } })).rejects.toMatchObject({
        errors: [{ path: 'answers.proof', code: 'payPages.fileGone' }],
      })
    await expect(begin(page, { visit, answers: { proof: 'x' } })).rejects.toMatchObject({
      errors: [{ path: 'answers.proof' }],
    })
    await expect(attach(page, visit, pdf, 'x.pdf', 'other')).rejects.toMatchObject({ status: 404 })
    // What was paid with once is no answer to a second payment.
    await pay(page, { visit, answers: { proof } })
    await expect(begin(page, { visit, answers: { proof } })).rejects.toMatchObject({
      errors: [{ code: 'payPages.fileGone' }],
    })
  })

  test.each([
    ['a program', Buffer.from('MZ\u0090\u0000program')],
    ['a page of a browser', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing that runs', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['the beginning of a PDF', Buffer.from('%PDF-1.7 and nothing')],
    ['a picture without a size', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['a text', Buffer.from('hello')],
  ])('%s is refused, whatever its name says', async (_what, bytes) => {
    const page = await asking()
    await expect(attach(page, crypto.randomUUID(), bytes, 'x.pdf')).rejects.toMatchObject({
      code: 'payPages.badFile',
    })
    expect(await kept()).toEqual([])
  })

  test('goes when nobody paid with it; not while it is not known whether he did, nor when he paid late', async () => {
    const page = await asking()
    const [left, late] = [crypto.randomUUID(), crypto.randomUUID()]
    await attach(page, left)
    const { id: proof } = await attach(page, late)
    const { url, chargeId } = await begin(page, { visit: late, answers: { proof } })
    later(25 * 60)
    expect(await dropLoose(world.app)).toBe(1)
    later(-(24 * 60 + 40))
    await freeAll(world.app)
    await fill(url)
    expect(await check(page, chargeId)).toMatchObject({ state: 'paid' })
    expect(await kept()).toEqual([{ name: 'תעודה.pdf', paid: true }])
  })

  test('a page takes only so many that nobody paid with, and only while it can be paid by', async () => {
    const page = await asking()
    await query(sql`insert into pay_page_files (company_id, id, page_id, visit, field, name, mime, size,
        bytes)
      select ${companyId}, gen_random_uuid(), ${page.id}, gen_random_uuid(), 'proof', 'x.pdf',
        'application/pdf', 1, 'x' from generate_series(1, 400) returning 1`)
    await expect(attach(page, crypto.randomUUID())).rejects.toMatchObject({ code: 'payPages.filesFull' })
    await query(sql`delete from pay_page_files where company_id = ${companyId} returning 1`)
    await query(sql`update companies set file_quota_bytes = 10 where id = ${companyId} returning 1`)
    await expect(attach(page, crypto.randomUUID())).rejects.toMatchObject({ code: 'payPages.filesFull' })
    await shop.call(calls.closePayPage, { id: page.id })
    await expect(attach(page, crypto.randomUUID())).rejects.toMatchObject({ code: 'payPages.notOpen' })
  })

  test('a page asks for five at most', async () => {
    const fields = Array.from({ length: 6 }, (_, i) => ({
      key: `f${i}`,
      kind: 'file' as const,
      labels: { he: 'x' },
    }))
    await expect(asking({ fields })).rejects.toMatchObject({
      errors: [{ path: 'fields', code: 'payPages.mostFiles' }],
    })
  })
})

test('a wallet is offered where a terminal has it, for a sum it takes; another means is another form of the same purchase', async () => {
  const stands = await startStands({ now: () => time })
  world.app.settings.acquirersAt = stands.url
  try {
    const page = await open()
    const listed = async () => (await shop.get<{ rows: unknown[] }>('/api4/invoice/payPages')).rows
    expect(await listed()).toMatchObject([{ acquirer: 'test' }])
    expect((await shown(page)).wallets).toEqual([])
    await expect(begin(page, { wallet: 'bit' })).rejects.toMatchObject({ code: 'payPages.noWallet' })
    const { id } = await shop.call(addTerminal, {
      gateway: 'payplus',
      settings: {
        apiKey: 'key',
        secretKey: 'secret-of-payplus',
        pageUid: 'a1b2c3d4-e5f6',
        hasBit: '1',
        hasGooglePay: '1',
      },
    })
    await shop.call(proveTerminal, { id })
    expect(await listed()).toMatchObject([{ acquirer: 'payplus' }])
    expect((await shown(page)).wallets).toEqual(['bit', 'googlePay'])
    const dear = await open({ items: [item({ priceAgorot: 500_001 })] })
    await expect(begin(dear, { wallet: 'bit', seenAgorot: 500_001 })).rejects.toMatchObject({
      code: 'payPages.noWallet',
    })
    await expect(begin(page, { wallet: 'cash' })).rejects.toMatchObject({ status: 422 })
    const visit = crypto.randomUUID()
    const first = await begin(page, { visit, wallet: 'bit' })
    const again = await begin(page, { visit, wallet: 'bit' })
    expect(again.chargeId).toBe(first.chargeId)
    const card = await begin(page, { visit })
    expect(card.chargeId).not.toBe(first.chargeId)
    expect(await taken(page)).toMatchObject({ places: 1 })
    // Paid in the earlier window all the same: by whichever form, it is paid once.
    await fetch(first.url, {
      method: 'POST',
      body: new URLSearchParams({ number: '4242424242424242', month: '12', year: '40' }),
      redirect: 'manual',
    })
    expect(await check(page, first.chargeId)).toMatchObject({
      state: 'paid',
      paper: { number: expect.any(Number) },
    })
    expect(await papers()).toHaveLength(1)
    const [row] = await query(
      sql<{ id: string }>`select id from pay_purchases where company_id = ${companyId}`,
    )
    expect(await shop.call(calls.getPurchase, { id: row!.id })).toMatchObject({
      state: 'paid',
      chargeId: first.chargeId,
    })
  } finally {
    world.app.settings.acquirersAt = undefined
    await stands.close()
  }
})

describe('what is refused', () => {
  test('a page without things to buy, or for donations to a business that takes none', async () => {
    const make = (more: object) => shop.call(calls.createPage, given(more))
    await expect(make({ items: [] })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'items', code: 'payPages.noItems' }],
    })
    await expect(make({ paper: 'donation' })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'paper', code: 'payPages.onlyNonProfit' }],
    })
  })

  test('a page for which no terminal can do what it needs', async () => {
    const other = await newBusiness(world)
    for (const [kind, code] of [
      ['hold', 'payPages.needHolds'],
      ['subscription', 'payPages.needTokens'],
    ] as const) {
      const { id } = await other.call(calls.createPage, given({ kind }))
      await expect(other.call(calls.openPayPage, { id })).rejects.toMatchObject({ status: 409, code })
      await other.call(addTerminal, { gateway: 'test' })
      await other.call(calls.openPayPage, { id })
      await query(sql`delete from terminals where gateway = 'test' and company_id = (select company_id
          from pay_pages where id = ${id})`)
    }
  })

  test('a picture that is none, or too small', async () => {
    const page = await open()
    const put = (bytes: Uint8Array) =>
      shop.call(calls.setPicture, { id: page.id, image: Buffer.from(bytes).toString('base64') })
    const small = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    for (const bytes of [Buffer.from('no picture'), small])
      await expect(put(bytes)).rejects.toMatchObject({ status: 422, code: 'payPages.badImage' })
  })

  test('the last piece is bought once; a coupon of other things; one bound below what was used', async () => {
    const [one, two] = [item({ stock: 1, isFixed: true }), item()]
    const page = await open({ items: [one] as never, takesCoupons: true })
    await pay(page)
    await expect(begin(page)).rejects.toMatchObject({ status: 409, code: 'payPages.soldOut' })
    const both = await open({ items: [item(), two] as never, takesCoupons: true })
    const { content } = await shop.call(calls.getPage, { id: both.id })
    const { id } = await shop.call(calls.createCoupon, {
      code: 'OTHER',
      kind: 'percent',
      valueBp: 2_500,
      pageId: both.id,
      itemIds: [content.items[1]!.id],
    } as never)
    await expect(begin(both, { coupon: 'OTHER', seenAgorot: 7_500 })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'coupon', code: 'payPages.couponOther' }],
    })
    for (const n of [1, 2])
      await pay(both, {
        lines: [{ id: content.items[1]!.id, quantity: 1 }],
        coupon: 'OTHER',
        seenAgorot: 7_500,
        payer: { ...payer, email: `u${n}@example.com` },
      })
    const bound = (usesMax: number) =>
      shop.call(calls.changeCoupon, {
        id,
        code: 'OTHER',
        kind: 'percent',
        valueBp: 2_500,
        pageId: both.id,
        itemIds: [content.items[1]!.id],
        usesMax,
      } as never)
    await expect(bound(1)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'usesMax', code: 'coupons.belowUsed' }],
    })
    await bound(2)
  })
})
