import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths, dayInJerusalem, type Day } from '#domain/day.ts'
import type { InputOf } from '#kit/describe/endpoint.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { cardsOf, settleCharge, usersOf, type Card } from '#features/money/acquirers/server/index.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { sweep as askAcquirers } from '#features/money/acquirers/server/sweep.ts'
import { bringCard, removeCard } from '#features/money/savedCards/endpoints.ts'
import * as masav from '#features/money/masav/endpoints.ts'
import { cancelDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import type { OrderInput } from './endpoints.ts'
import { askPending } from './server/card.ts'
import { step } from './server/make.ts'
import { readIndices } from './server/readIndices.ts'
import { serveOrder, sweep } from './server/sweep.ts'

let world: World
let shop: Business
let companyId: string
let customerId: string
let time = new Date('2026-03-01T08:00:00Z')

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date('2026-03-01T08:00:00Z')
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('נעמה ברק', { email: 'naama@example.com' })).id
})

const goTo = (day: Day, hour = 8) => void (time = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`))
const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
  asCaller(world.app, systemCaller(companyId), '1.2.3.4', work)
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const given = (more: Partial<OrderInput> = {}): OrderInput => ({
  title: 'מנוי פילאטיס',
  customerId,
  startDay: '2026-03-01',
  documentType: 8,
  partyKind: 'business',
  lines: [{ description: 'מנוי {חודש} {שנה}, {from}-{to}', unitPrice: '350', vatKind: 2 }],
  ...more,
})
const make = (more: Partial<OrderInput> = {}) => shop.call(calls.createOrder, given(more))
const get = (id: string) => shop.call(calls.getOrder, { id })
const messages = () =>
  query(sql<{
    recipient: string
    subject: string
    body: string
    channel: string
  }>`select recipient, subject, body, channel from messages
    where company_id = ${companyId} and kind = 'standingOrder' order by id`).then((rows) =>
    rows.map((row) => ({ ...row, subject: bare(row.subject), body: bare(row.body) })),
  )
const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '')
/** Lives through days, sweeping once in each. */
async function live(from: Day, to: Day): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    goTo(day)
    await sweep(world.app)
  }
}

describe('an order that only bills', () => {
  test('issues and sends the same invoice every month by itself, and each of its days once', async () => {
    const { id, state, nextDay, sumAgorot, coming } = await make()
    expect({ state, nextDay, sumAgorot }).toEqual({
      state: 'active',
      nextDay: '2026-03-01',
      sumAgorot: 35_000,
    })
    expect(coming).toHaveLength(12)
    await sweep(world.app)
    await sweep(world.app)
    const first = await get(id)
    expect(first.periods).toMatchObject([
      { start: '2026-03-01', end: '2026-03-31', state: 'billed', totalAgorot: 35_000 },
    ])
    expect(first.nextDay).toBe('2026-04-01')
    const document = await shop.call(getDocument, { id: first.periods[0]!.document!.id })
    expect(document).toMatchObject({
      type: 8,
      status: 'issued',
      date: '2026-03-01',
      totals: { totalAgorot: 35_000 },
    })
    expect(document.lines[0]!.description).toBe('מנוי מרץ 2026, 01/03/2026-31/03/2026')
    expect(first.steps.map(({ kind }) => kind)).toEqual(['sent', 'billed', 'created'])
    goTo('2026-05-03')
    await sweep(world.app)
    // Two days of being off: the oldest first, and each paper bears the day it belongs to.
    const caught = await get(id)
    expect(caught.periods.map(({ start, dueDay }) => [start, dueDay])).toEqual([
      ['2026-05-01', '2026-05-01'],
      ['2026-04-01', '2026-04-01'],
      ['2026-03-01', '2026-03-01'],
    ])
    expect((await shop.call(getDocument, { id: caught.periods[1]!.document!.id })).date).toBe('2026-04-01')
  })

  test('asks a person when more than two charges were missed, and does what he says', async () => {
    const [all, last, none] = [await make(), await make(), await make()]
    goTo('2026-05-20')
    await sweep(world.app)
    expect(await get(all.id)).toMatchObject({
      state: 'held',
      heldWhy: 'standingOrders.missed',
      missed: 3,
      periods: [],
    })
    expect(
      (await shop.call(calls.decideMissed, { id: all.id, how: 'all' })).periods.map(({ state }) => state),
    ).toEqual(['billed', 'billed', 'billed'])
    expect(
      (await shop.call(calls.decideMissed, { id: last.id, how: 'last' })).periods.map(({ state }) => state),
    ).toEqual(['billed', 'skipped', 'skipped'])
    expect(await shop.call(calls.decideMissed, { id: none.id, how: 'none' })).toMatchObject({
      state: 'active',
      nextDay: '2026-06-01',
    })
    expect(
      (await get(none.id)).periods.every(({ state, reason }) => state === 'skipped' && reason === 'missed'),
    ).toBe(true)
  })

  test('is paid by whatever road its paper is paid, and opened again with it', async () => {
    const { id } = await make()
    await sweep(world.app)
    const paper = (await get(id)).periods[0]!.document!
    const receipt = await shop.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 35_000 }],
      closes: [{ documentId: paper.id, amountAgorot: 35_000 }],
    })
    expect(await get(id)).toMatchObject({
      broughtAgorot: 35_000,
      turns: 1,
      openAgorot: 0,
      periods: [{ state: 'done' }],
    })
    await shop.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    expect((await get(id)).periods[0]!.state).toBe('billed')
    await shop.call(cancelDocument, { id: paper.id, reason: 'טעות' })
    expect((await get(id)).periods[0]).toMatchObject({ state: 'skipped', reason: 'cancelled' })
  })

  test('is paused until a day, skipped once and cancelled, each with its reason on the timeline', async () => {
    const { id } = await make()
    await sweep(world.app)
    await shop.call(calls.skipTurn, { id, reason: 'חופשה' })
    expect((await get(id)).nextDay).toBe('2026-05-01')
    await shop.call(calls.pauseOrder, { id, until: '2026-06-15' })
    await live('2026-05-01', '2026-05-02')
    expect((await get(id)).periods).toHaveLength(2)
    goTo('2026-06-15')
    await sweep(world.app)
    expect(await get(id)).toMatchObject({ state: 'active', nextDay: '2026-07-01' })
    expect((await get(id)).periods.map(({ start, state, reason }) => [start, state, reason])).toEqual([
      ['2026-06-01', 'skipped', 'paused'],
      ['2026-05-01', 'skipped', 'paused'],
      ['2026-04-01', 'skipped', 'asked'],
      ['2026-03-01', 'billed', ''],
    ])
    const over = await shop.call(calls.cancelOrder, { id, when: 'now', reason: 'עבר לחיפה' })
    expect(over).toMatchObject({
      state: 'cancelled',
      endReason: 'עבר לחיפה',
      endBy: 'business',
      nextDay: null,
    })
    goTo('2026-09-01')
    await sweep(world.app)
    expect((await get(id)).periods).toHaveLength(4)
    await expect(shop.call(calls.pauseOrder, { id })).rejects.toMatchObject({ code: 'standingOrders.over' })
    expect((await messages()).at(-1)).toMatchObject({
      recipient: 'naama@example.com',
      subject: 'אישור ביטול: מנוי פילאטיס',
    })
  })

  test('is charged by hand once however often that is asked, and never the days behind', async () => {
    const { id, nextFrom } = await make({ startDay: '2026-03-10', times: 2 })
    const start = nextFrom!
    // Two presses, and one that was lost and comes again.
    await Promise.all([1, 2].map(() => shop.call(calls.chargeNow, { id, start })))
    expect(await shop.call(calls.chargeNow, { id, start })).toMatchObject({
      nextFrom: '2026-04-10',
      periods: [{ start }],
    })
    await expect(shop.call(calls.chargeNow, { id, start: '2026-05-10' })).rejects.toMatchObject({
      errors: [{ path: 'start', code: 'standingOrders.notNext' }],
    })
    await shop.call(calls.skipTurn, { id })
    await expect(shop.call(calls.chargeNow, { id, start: '2026-04-10' })).rejects.toMatchObject({
      errors: [{ path: 'start', code: 'standingOrders.notNext' }],
    })
    // Nothing is left to charge: the repeat of what was made is no refusal.
    expect(await shop.call(calls.chargeNow, { id, start })).toMatchObject({
      nextFrom: null,
      periods: [{ state: 'skipped' }, { start }],
    })
  })

  test('says how many months are left of what was agreed, and nothing where no end was', async () => {
    // Lists know no clock but the database's.
    time = new Date()
    const startDay = dayInJerusalem(time)
    const orders = [
      await make({ startDay, times: 6 }),
      await make({ startDay, times: 2, unit: 'year' }),
      await make({ startDay, untilDay: addDays(startDay, 10) }),
      await make({ startDay }),
    ]
    expect(orders.map(({ monthsLeft }) => monthsLeft)).toEqual([6, 24, 1, null])
    await shop.call(calls.chargeNow, { id: orders[0]!.id, start: startDay })
    await shop.call(calls.cancelOrder, { id: orders[1]!.id, when: 'now', reason: 'סוף' })
    const { rows } = await shop.get<{ rows: { id: string; monthsLeft: number | null }[] }>(
      '/api4/invoice/standingOrders',
    )
    const left = (i: number) => rows.find(({ id }) => id === orders[i]!.id)!.monthsLeft
    // What was charged ahead is not over yet.
    expect([left(0), left(1)]).toEqual([6, null])
  })

  test('ends by its plan, and by the end of what was charged', async () => {
    const [three, ending] = [await make({ times: 2 }), await make()]
    await sweep(world.app)
    await shop.call(calls.cancelOrder, { id: ending.id, when: 'periodEnd', reason: 'סוף' })
    expect(await get(ending.id)).toMatchObject({ state: 'ending', untilDay: '2026-03-31' })
    await live('2026-04-01', '2026-04-02')
    expect(await get(ending.id)).toMatchObject({ state: 'cancelled', periods: [{ start: '2026-03-01' }] })
    goTo('2026-05-01')
    await sweep(world.app)
    expect(await get(three.id)).toMatchObject({ state: 'ended', endBy: 'plan' })
    expect((await get(three.id)).periods).toHaveLength(2)
  })

  test('changes its prices from a day on and keeps what was before; a part of a month, the first price and a discount', async () => {
    const { id } = await make({
      startDay: '2026-03-11',
      billingDay: 1,
      prorate: true,
      discountBp: 1000,
      discountTurns: 2,
    })
    await live('2026-03-11', '2026-04-01')
    await shop.call(calls.changePrices, {
      id,
      fromDay: '2026-05-01',
      lines: [{ description: 'מנוי', unitPrice: '400', vatKind: 2 }],
      why: 'חדש',
    })
    goTo('2026-05-01')
    await sweep(world.app)
    const { periods, versions } = await get(id)
    // 21 of 31 days of 350 less a tenth; 350 less a tenth; 400.
    expect(periods.map(({ totalAgorot, partDays }) => [totalAgorot, partDays]).toReversed()).toEqual([
      [21_339, 21],
      [31_500, null],
      [40_000, null],
    ])
    expect(versions.map(({ fromDay }) => fromDay)).toEqual(['2026-03-11', '2026-05-01'])
    await expect(
      shop.call(calls.changePrices, {
        id,
        fromDay: '2026-04-01',
        lines: [{ description: 'x', unitPrice: '1' }],
      }),
    ).rejects.toMatchObject({
      errors: [{ path: 'fromDay', code: 'standingOrders.periodMade' }],
    })
    // An item of nobody, or of another business, is refused at its line.
    await expect(
      shop.call(calls.changePrices, {
        id,
        fromDay: '2026-06-01',
        lines: [
          { description: 'x', unitPrice: '1' },
          { description: 'y', unitPrice: '1', itemId: '00000000-0000-4000-8000-000000000000' },
        ],
      }),
    ).rejects.toMatchObject({ status: 422, errors: [{ path: 'lines.1.itemId', code: 'fields.ref' }] })
    await expect(
      shop.call(calls.changeOrder, { ...(({ lines: _, ...rest }) => rest)(given()), id, everyN: 2 }),
    ).rejects.toMatchObject({
      code: 'standingOrders.rhythmFixed',
    })
  })

  test('follows the index that is known on its day, and prints the rule', async () => {
    await expect(make({ linked: 'cpi' })).rejects.toMatchObject({
      errors: [{ path: 'baseValue', code: 'standingOrders.noIndex' }],
    })
    await shop.call(calls.keepIndex, { month: '2026-01-01', value: '103.5' })
    const { id } = await make({
      linked: 'cpi',
      lines: [{ description: 'שכירות', unitPrice: '1000', vatKind: 4 }],
    })
    await sweep(world.app)
    goTo('2026-03-20')
    await shop.call(calls.keepIndex, { month: '2026-02-01', value: '104.535' })
    goTo('2026-04-01')
    await sweep(world.app)
    const { periods } = await get(id)
    expect(periods.map(({ totalAgorot }) => totalAgorot)).toEqual([101_000, 100_000])
    const paper = await shop.call(getDocument, { id: periods[0]!.document!.id })
    expect(bare(paper.notesBelow)).toContain('103.5 (01/2026)')
    expect(bare(paper.notesBelow)).toContain('104.535 (02/2026)')
  })

  test('one bad order holds itself and not the run', async () => {
    const bad = await shop.customer('חסום')
    const held = await make({ customerId: bad.id })
    const good = await make()
    await shop.send('PATCH', `/api4/invoice/customers/${bad.id}`, { blocked: true, blockedReason: 'לא משלם' })
    await sweep(world.app)
    expect((await get(good.id)).periods).toHaveLength(1)
    expect(await get(held.id)).toMatchObject({ state: 'held', periods: [] })
  })

  test('the stop button stops everything until it is pressed again', async () => {
    const { id } = await make()
    expect(await shop.call(calls.stopRun, { stopped: true })).toMatchObject({
      left: 1,
      stoppedBy: expect.any(String),
    })
    await sweep(world.app)
    expect((await get(id)).periods).toEqual([])
    await shop.call(calls.stopRun, { stopped: false })
    await sweep(world.app)
    expect(await shop.call(calls.runProgress, {})).toMatchObject({
      left: 0,
      made: 1,
      madeAgorot: 35_000,
      stoppedAt: null,
    })
  })
})

describe('no days are charged twice or lost', () => {
  test('by a clock that is set back, by two workers, and by one that dies at any statement', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => make().then(({ id }) => id)))
    await Promise.all([sweep(world.app), sweep(world.app)])
    goTo('2026-02-28')
    await sweep(world.app)
    goTo('2026-04-01')
    // Dies after so many statements: everything of that charge is rolled back, and the next worker makes it.
    for (let dies = 1; dies <= 40; dies += 3) {
      let count = 0
      await inside(async (ctx) => {
        const tx = new Proxy(ctx.tx, {
          get(target, name, receiver) {
            if (name === 'getExecutor' && ++count > dies) throw new Error('killed')
            const value = Reflect.get(target, name, receiver) as unknown
            return typeof value === 'function'
              ? (value as (...args: unknown[]) => unknown).bind(target)
              : value
          },
        })
        await step({ ...ctx, tx }, ids[0]!)
        throw new Error('killed at the end')
      }).catch((e: Error) => expect(e.message).toMatch(/killed/))
      expect((await get(ids[0]!)).periods).toHaveLength(1)
    }
    await Promise.all([sweep(world.app), sweep(world.app), sweep(world.app)])
    for (const id of ids)
      expect((await get(id)).periods.map(({ start }) => start)).toEqual(['2026-04-01', '2026-03-01'])
    const [papers] = await query(
      sql<{
        count: number
      }>`select count(*)::int as count from documents where company_id = ${companyId} and type = 8`,
    )
    expect(papers!.count).toBe(12)
  })
})

test('an invoice dated before the last of its series is tried again an hour later', async () => {
  goTo('2026-03-05')
  await shop.invoice(customerId, '100')
  goTo('2026-03-01')
  const { id } = await make()
  await sweep(world.app)
  expect(await get(id)).toMatchObject({ state: 'active', periods: [] })
  const [{ next }] = (await query(sql<{ next: Date }>`select next_at as next from standing_orders
    where company_id = ${companyId} and id = ${id}`)) as [{ next: Date }]
  expect(new Date(next).toISOString()).toBe('2026-03-01T09:00:00.000Z')
  goTo('2026-03-05', 9)
  await sweep(world.app)
  expect((await get(id)).periods).toMatchObject([{ start: '2026-03-01', state: 'billed' }])
})

describe('a consumer', () => {
  const consumer = { partyKind: 'consumer' as const }
  test('is told of the end of his lower price within its days, or the order stops and says why', async () => {
    const told = await make({ ...consumer, discountBp: 5000, discountTurns: 3 })
    const silent = await shop.customer('בלי כתובת')
    const held = await make({ ...consumer, customerId: silent.id, discountBp: 5000, discountTurns: 3 })
    await live('2026-03-01', '2026-06-01')
    expect(await get(told.id)).toMatchObject({ state: 'active' })
    const [notice] = (await get(told.id)).notices
    expect(notice).toMatchObject({
      kind: 'benefit',
      forDay: '2026-05-31',
      fromDay: '2026-04-01',
      toDay: '2026-05-01',
    })
    expect(notice!.sentAt!.slice(0, 10)).toBe('2026-04-01')
    expect((await messages()).find(({ subject }) => subject.includes('המחיר המוזל'))?.body).toContain(
      '350.00',
    )

    // Nowhere to send it: not charged at the higher price, and said.
    expect(await get(held.id)).toMatchObject({ state: 'held', heldWhy: 'standingOrders.noticeMissed' })
    await expect(shop.call(calls.decideMissed, { id: held.id, how: 'all' })).rejects.toMatchObject({
      status: 409,
      code: 'standingOrders.noticeMissed',
    })
    expect((await get(held.id)).periods.map(({ totalAgorot }) => totalAgorot)).toEqual([
      17_500, 17_500, 17_500,
    ])
    await shop.send('PATCH', `/api4/invoice/customers/${silent.id}`, { email: 'late@example.com' })
    // Told now, the higher price has no effect for thirty days.
    expect(await shop.call(calls.decideMissed, { id: held.id, how: 'last' })).toMatchObject({
      state: 'active',
      nextDay: '2026-07-01',
    })
  }, 60_000)

  test('is told of a raise thirty days before it, and not less', async () => {
    const { id } = await make(consumer)
    await sweep(world.app)
    const lines = [{ description: 'מנוי', unitPrice: '400', vatKind: 2 as const }]
    await expect(shop.call(calls.changePrices, { id, fromDay: '2026-03-20', lines })).rejects.toMatchObject({
      errors: [{ code: 'standingOrders.noticeTooLate' }],
    })
    await shop.call(calls.changePrices, { id, fromDay: '2026-05-01', lines })
    await live('2026-03-02', '2026-05-01')
    const order = await get(id)
    expect(order.notices).toMatchObject([{ kind: 'raise', forDay: '2026-05-01', sentAt: expect.any(String) }])
    expect(order.periods[0]).toMatchObject({ start: '2026-05-01', totalAgorot: 40_000 })
    // A lower price needs no notice and no days.
    await shop.call(calls.changePrices, {
      id,
      fromDay: '2026-06-01',
      lines: [{ description: 'מנוי', unitPrice: '300', vatKind: 2 }],
    })
  }, 60_000)

  test('of a fixed term is told twice of its end, which stands on each paper, and it grows by his word alone', async () => {
    const { id } = await make({ ...consumer, untilDay: '2026-08-31' })
    await sweep(world.app)
    const paper = await shop.call(getDocument, { id: (await get(id)).periods[0]!.document!.id })
    expect(paper.notes).toContain('31/08/2026')
    const longer = {
      ...(({ lines: _, ...rest }) => rest)(given({ ...consumer, untilDay: '2026-12-31' })),
      id,
    }
    await expect(shop.call(calls.changeOrder, longer)).rejects.toMatchObject({
      errors: [{ code: 'standingOrders.needConsent' }],
    })
    await live('2026-03-02', '2026-09-01')
    const order = await get(id)
    expect(order.state).toBe('ended')
    expect(
      order.notices.map(({ kind, fromDay, toDay, sentAt }) => [
        kind,
        fromDay <= sentAt!.slice(0, 10) && sentAt!.slice(0, 10) <= toDay,
      ]),
    ).toEqual([
      ['end', true],
      ['endShort', true],
    ])
  }, 60_000)

  test('sees his order by its key, pauses and cancels it himself, and has it in writing', async () => {
    const { id, pageUrl } = await make({ ...consumer, mayPause: true })
    await sweep(world.app)
    const key = pageUrl.split('/').at(-1)!
    const page = await callAs(world, calls.showOrderPage, { key })
    expect(page).toMatchObject({
      title: 'מנוי פילאטיס',
      nextDay: '2026-04-01',
      nextAgorot: 35_000,
      mayPause: true,
      mayCancel: true,
      cancelDays: 3,
    })
    expect(page.papers).toHaveLength(1)
    expect(JSON.stringify(page)).not.toContain(id)
    expect(await callAs(world, calls.pauseByKey, { key, until: '2026-05-01' })).toMatchObject({
      state: 'paused',
    })
    expect(await callAs(world, calls.resumeByKey, { key })).toMatchObject({ state: 'active' })
    await expect(callAs(world, calls.pauseByKey, { key, until: '2027-05-01' })).rejects.toMatchObject({
      errors: [{ path: 'until' }],
    })
    expect(await callAs(world, calls.cancelByKey, { key, reason: 'עברתי דירה' })).toMatchObject({
      state: 'ending',
      endDay: '2026-03-31',
    })
    expect((await messages()).at(-1)!.body).toContain('31/03/2026')
    await live('2026-04-01', '2026-04-01')
    expect(await get(id)).toMatchObject({ state: 'cancelled', endBy: 'customer', endReason: 'עברתי דירה' })
    await expect(callAs(world, calls.showOrderPage, { key: 'x'.repeat(32) })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
  })
})

test.each([
  ['consumer', {}, true],
  ['consumer', { times: 12 }, false],
  ['business', {}, false],
] as const)(
  'a %s with %j cancels himself where the business does not allow it: %s',
  async (partyKind, more, may) => {
    const { pageUrl } = await make({ partyKind, mayCancel: false, ...more })
    await sweep(world.app)
    const key = pageUrl.split('/').at(-1)!
    expect(await callAs(world, calls.showOrderPage, { key })).toMatchObject({ mayCancel: may })
    const cancelled = callAs(world, calls.cancelByKey, { key, reason: '' })
    if (may) expect(await cancelled).toMatchObject({ state: 'ending' })
    else await expect(cancelled).rejects.toMatchObject({ code: 'standingOrders.notAllowed' })
  },
)

describe('by card', () => {
  beforeEach(() => shop.call(addTerminal, { gateway: 'test' }))
  const pay = async (url: string, number = '4242424242424242') => {
    await callAs(world, testPay, {
      key: url.split('/').at(-1)!.split('?')[0]!,
      number,
      month: 12,
      year: 2040,
      cvv: '123',
    } as never)
    const open = await query(
      sql<{
        id: string
      }>`select id from charges where company_id = ${companyId} and state in ('begun', 'declined')
          and our_key is null`,
    )
    for (const { id } of open) await settleCharge(world.app, companyId, id, 'return')
    // What the kept card is asked behind the commit.
    const orders = await query(
      sql<{ id: string }>`select id from standing_orders where company_id = ${companyId}`,
    )
    for (const { id } of orders) {
      await serveOrder(world.app, companyId, id)
      await askPending(world.app, companyId, id)
    }
  }
  const order = () => make({ means: 'card', documentType: 9 })
  const keyOf = (url: string) => url.split('/').at(-1)!
  /** A card of the customer that the test terminal keeps already. */
  const brought = async (token: string): Promise<string> => {
    await query(sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${companyId}, ${token}, 'approve', 'visa', '4242', '2040-12') returning 1`)
    const card = {
      customerId,
      token,
      expiry: '2040-12',
      last4: '4242',
      brand: 'visa',
      consent: 'טופס חתום במועדון',
    }
    return (await shop.call(bringCard, card)).id
  }
  const cards = (): Promise<Card[]> => inside((ctx) => cardsOf(ctx, customerId))

  test('charges by a terminal stop at its limit and go on after a minute', async () => {
    await shop.call(calls.keepSettings, { mostMissed: 2, hour: 8, ratePerMinute: 2 })
    const cardId = await brought('tok_rate_0001')
    for (let n = 0; n < 9; n++) await make({ means: 'card', documentType: 9, cardId })
    const asked = async () => (await query(sql`select 1 from charges where company_id = ${companyId}`)).length
    const after = async (seconds: number) => {
      time = new Date(time.getTime() + seconds * 1000)
      await sweep(world.app)
      return asked()
    }
    expect(await after(0)).toBe(2)
    expect(await after(59)).toBe(2)
    expect(await after(21)).toBe(4)
  })

  test('charges that are tried again count for the limit of a terminal too', async () => {
    await shop.call(calls.keepSettings, { mostMissed: 2, hour: 8, ratePerMinute: 2 })
    const cardId = await brought('tok_rate_0002')
    for (let n = 0; n < 5; n++) await make({ means: 'card', documentType: 9, cardId })
    for (let n = 0; n < 4; n++) {
      time = new Date(time.getTime() + 80_000)
      await sweep(world.app)
    }
    const asked = async () => (await query(sql`select 1 from charges where company_id = ${companyId}`)).length
    expect(await asked()).toBe(5)
    // All of them failed, and their campaigns try them again at one moment.
    await query(sql`update standing_periods set state = 'failed', tries = 1, step_no = 0, step_at = ${time},
        failed_on = ${addDays(dayInJerusalem(time), -10)},
        failure_class = 'soft'
      where company_id = ${companyId} returning 1`)
    time = new Date(time.getTime() + 80_000)
    await sweep(world.app)
    expect(await asked()).toBe(7)
    time = new Date(time.getTime() + 81_000)
    await sweep(world.app)
    expect(await asked()).toBe(9)
  })

  test('a card of another customer cannot be given to an order', async () => {
    const { id } = await order()
    const cardId = await brought('tok_other_0001')
    const other = (await shop.customer('אחר')).id
    await query(sql`update cards set customer_id = ${other} where id = ${cardId} returning 1`)
    await expect(shop.call(calls.moveCard, { id, cardId })).rejects.toMatchObject({
      errors: [{ path: 'cardId', code: 'standingOrders.noCard' }],
    })
    await query(sql`update cards set customer_id = ${customerId} where id = ${cardId} returning 1`)
    await shop.call(calls.moveCard, { id, cardId })
    expect(await get(id)).toMatchObject({ state: 'active' })
  })

  test('set up without a card it waits for one: the customer is invited once, gives a card, and is charged', async () => {
    const { id, pageUrl } = await order()
    await sweep(world.app)
    const waits = {
      state: 'needsCard',
      failingSince: null,
      periods: [],
      steps: expect.arrayContaining([expect.objectContaining({ kind: 'invited' })]),
    }
    expect(await get(id)).toMatchObject(waits)
    const invited = [
      { recipient: 'naama@example.com', subject: expect.stringContaining('הזמנה להזין אמצעי תשלום') },
    ]
    expect(await messages()).toMatchObject(invited)
    // Neither another look nor another day tries anything, or tells anybody.
    await sweep(world.app)
    goTo('2026-03-04')
    await sweep(world.app)
    await expect(shop.call(calls.chargeNow, { id, start: '2026-03-01' })).rejects.toMatchObject({
      code: 'standingOrders.noCard',
    })
    expect(await get(id)).toMatchObject(waits)
    expect(await messages()).toMatchObject(invited)
    expect(
      await query(sql`select 1 from charges where company_id = ${companyId} and purpose = 'standingTurn'`),
    ).toEqual([])
    const { url } = await callAs(world, calls.renewByKey, { key: keyOf(pageUrl) })
    await pay(url)
    await sweep(world.app)
    const mended = await get(id)
    expect(mended).toMatchObject({
      state: 'active',
      failingSince: null,
      broughtAgorot: 35_000,
      card: { last4: '4242' },
      periods: [{ state: 'done' }],
    })
    const paper = await shop.call(getDocument, { id: mended.periods[0]!.document!.id })
    expect(paper).toMatchObject({ type: 9, status: 'closed', totals: { totalAgorot: 35_000 } })
    goTo('2026-04-01')
    await sweep(world.app)
    expect(await get(id)).toMatchObject({ broughtAgorot: 70_000, turns: 2 })
    const [deals] = await query(
      sql<{
        count: number
      }>`select count(*)::int as count from test_charges where company_id = ${companyId} and state = 'paid'
          and deed <> 'card'`,
    )
    expect(deals!.count).toBe(2)
  })

  test('without its card it needs another, in the list too, until one is given; whoever listens hears of it before anything failed', async () => {
    const cardId = await brought('TOK-removed')
    const { id, pageUrl, state } = await make({
      means: 'card',
      documentType: 9,
      cardId,
      startDay: '2026-04-01',
      mayPause: true,
    })
    expect(state).toBe('active')
    const needing = async () =>
      (await shop.get('/api4/invoice/standingOrders?state.in=needsCard')).rows.map(
        (row: { id: string }) => row.id,
      )
    const events = () =>
      query(
        sql<{
          payload: object
        }>`select payload from events where company_id = ${companyId} and name = 'standingOrder.needsCard'`,
      )
    expect([await needing(), await events()]).toEqual([[], []])
    await shop.call(removeCard, { id: cardId })
    expect(await get(id)).toMatchObject({
      state: 'needsCard',
      card: { isGone: true },
      nextDay: '2026-04-01',
      failingSince: null,
    })
    expect(await needing()).toEqual([id])
    expect(await events()).toMatchObject([{ payload: { why: 'cardRemoved' } }])
    // A failed charge does not hide what is needed, and a pause says that it rests.
    goTo('2026-04-01')
    await sweep(world.app)
    expect(await get(id)).toMatchObject({
      state: 'needsCard',
      failingSince: '2026-04-01',
      periods: [{ state: 'failed' }],
    })
    expect(await callAs(world, calls.showOrderPage, { key: keyOf(pageUrl) })).toMatchObject({
      state: 'needsCard',
      mayPause: true,
    })
    const { url } = await callAs(world, calls.renewByKey, { key: keyOf(pageUrl) })
    await pay(url)
    expect(await get(id)).toMatchObject({
      state: 'active',
      card: { last4: '4242', isGone: false },
      periods: [{ state: 'done' }],
    })
    expect(await needing()).toEqual([])
    // A card whose terminal was moved is charged no longer either.
    await inside(async (ctx) => {
      const kept = await cardsOf(ctx, customerId)
      await sql`update cards set state = 'askAgain' where company_id = ${companyId}
          and id = ${kept[0]!.id}`.execute(ctx.tx)
      await usersOf().lost(ctx, kept[0]!.id)
    })
    expect(await get(id)).toMatchObject({
      state: 'needsCard',
      steps: expect.arrayContaining([expect.objectContaining({ kind: 'cardLost' })]),
    })
    expect(await events()).toHaveLength(2)
    // Its author is notified, except of the author's own actions.
    expect(
      await query(
        sql`select params from notifications
          where company_id = ${companyId} and kind = 'standingOrders.needsCard'`,
      ),
    ).toEqual([{ params: { title: 'מנוי פילאטיס', customer: 'נעמה ברק' } }])
  })

  test('in money its terminal does not charge is refused while it is written, with a card and without, and so is a card in place of it', async () => {
    const { id: dollars } = await make({ currency: 'USD' })
    const refused = async (deed: Promise<unknown>) =>
      deed.then(
        () => 'taken',
        (e: { errors: { path: string; code: string; params?: object }[] }) => e.errors[0],
      )
    const noCurrency = { path: 'currency', code: 'standingOrders.noCurrency', params: { currency: 'USD' } }
    expect(await refused(make({ means: 'card', documentType: 9, currency: 'USD' }))).toMatchObject(noCurrency)
    const cardId = await brought('TOK-shekels')
    const wish = { means: 'card', documentType: 9, cardId } as const
    const cardCurrency = {
      path: 'currency',
      code: 'standingOrders.cardCurrency',
      params: { currency: 'USD', currencies: 'ILS' },
    }
    expect(await refused(make({ ...wish, currency: 'USD' }))).toMatchObject(cardCurrency)
    expect(await refused(shop.call(calls.previewOrder, given({ ...wish, currency: 'USD' })))).toMatchObject(
      cardCurrency,
    )
    const { id } = await make(wish)
    const { lines: _lines, ...plan } = given({ ...wish, currency: 'USD' })
    expect(await refused(shop.call(calls.changeOrder, { id, ...plan }))).toMatchObject(cardCurrency)
    expect(await refused(shop.call(calls.moveCard, { id: dollars, cardId }))).toMatchObject({
      ...cardCurrency,
      path: 'cardId',
    })
  })

  test('a card that is brought again by the same token goes on in its orders: what it is charged by stays at the acquirer', async () => {
    const token = 'TOK-brought-twice'
    await query(sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${companyId}, ${token}, 'approve', 'visa', '4242', '2040-12') returning 1`)
    const bring = (brand: string) =>
      shop.call(bringCard, {
        customerId,
        token,
        expiry: '2040-12',
        last4: '4242',
        brand,
        consent: 'טופס חתום במועדון',
      })
    const older = await bring('visa')
    const { id } = await make({ means: 'card', documentType: 9, cardId: older.id })
    await sweep(world.app)
    // Under another name of its brand it is still the same card.
    const newer = await bring('Visa Gold')
    expect((await cards()).map((card) => card.id)).toEqual([newer.id])
    goTo('2026-04-01')
    await askAcquirers(world.app)
    await sweep(world.app)
    expect(await get(id)).toMatchObject({
      state: 'active',
      card: { id: newer.id },
      broughtAgorot: 70_000,
      turns: 2,
    })
    expect(
      await query(
        sql`select state, secret_sealed from cards where company_id = ${companyId} and id = ${older.id}`,
      ),
    ).toEqual([{ state: 'replaced', secret_sealed: null }])
  })

  test('what the customer’s browser brings back is dropped where the acquirer reads none of it, and opens no other order', async () => {
    const { pageUrl } = await order()
    await callAs(world, calls.renewByKey, { key: keyOf(pageUrl) })
    const [form] = await query(
      sql<{ id: string }>`select id from charges where company_id = ${companyId} and state = 'begun'`,
    )
    await callAs(world, calls.checkByKey, { key: keyOf(pageUrl), charge: form!.id, told: 'Id=7&CCode=600' })
    expect(await query(sql`select told, state from charges where id = ${form!.id}`)).toEqual([
      { told: '', state: 'begun' },
    ])
    const other = await make({ means: 'card', documentType: 9 })
    await expect(
      callAs(world, calls.checkByKey, { key: keyOf(other.pageUrl), charge: form!.id }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('a soft decline is tried on days of its own, and after the last the order rests', async () => {
    const { id, pageUrl } = await order()
    await sweep(world.app)
    await pay((await callAs(world, calls.renewByKey, { key: keyOf(pageUrl) })).url, '4000000000009995')
    await live('2026-03-02', '2026-03-21')
    const over = await get(id)
    expect(over.state).toBe('paused')
    expect(over.periods).toMatchObject([{ state: 'givenUp', reason: 'paused', failureClass: 'soft' }])
    const failures = over.steps.filter(({ kind }) => kind === 'failed').map(({ at }) => at.slice(0, 10))
    expect(failures.toReversed()).toEqual(['2026-03-01', '2026-03-04', '2026-03-09', '2026-03-16'])
    expect((await messages()).map(({ subject }) => subject)).toContain('הוראת הקבע מנוי פילאטיס הושהתה')
  }, 60_000)

  test('whose answer is lost is never asked again: it is found out, and its paper is one', async () => {
    const { id, pageUrl } = await order()
    await sweep(world.app)
    await pay((await callAs(world, calls.renewByKey, { key: keyOf(pageUrl) })).url, '4000000000000259')
    expect((await get(id)).periods[0]!.state).toBe('asked')
    await expect(shop.call(calls.retryTurn, { id, start: '2026-03-01' })).rejects.toMatchObject({
      code: 'standingOrders.notFailed',
    })
    time = new Date(time.getTime() + 3 * 60_000)
    const [charge] = await query(
      sql<{ id: string }>`select id from charges where company_id = ${companyId} and state = 'unknown'`,
    )
    await settleCharge(world.app, companyId, charge!.id, 'sweep')
    expect(await get(id)).toMatchObject({ state: 'active', turns: 1, periods: [{ state: 'done' }] })
    const papers = await query(
      sql<{ id: string }>`select id from documents where company_id = ${companyId} and type = 9`,
    )
    expect(papers).toHaveLength(1)
  })

  test('a charge that failed is paid on the customer’s page, and the card stays; left as a debt it has its invoice', async () => {
    // Their card was removed before the first charge.
    const cardId = await brought('TOK-lost')
    const [one, other] = [
      await make({ means: 'card', documentType: 9, cardId }),
      await make({ means: 'card', documentType: 9, cardId }),
    ]
    await shop.call(removeCard, { id: cardId })
    await sweep(world.app)
    await pay((await callAs(world, calls.payByKey, { key: keyOf(one.pageUrl), start: '2026-03-01' })).url)
    expect(await get(one.id)).toMatchObject({
      state: 'active',
      card: { last4: '4242' },
      periods: [{ state: 'done' }],
    })
    expect(await cards()).toHaveLength(1)
    const debt = await shop.call(calls.giveUpTurn, { id: other.id, start: '2026-03-01', how: 'debt' })
    expect(debt).toMatchObject({
      state: 'needsCard',
      periods: [{ state: 'givenUp', reason: 'debt', document: { type: 8, openAgorot: 35_000 } }],
    })
    await expect(
      callAs(world, calls.payByKey, { key: keyOf(one.pageUrl), start: '2026-03-01' }),
    ).rejects.toMatchObject({
      code: 'standingOrders.notAllowed',
    })
  })
})

test('what is collected is due on its day; only what the customer pays has the terms of credit', async () => {
  await shop.call(masav.saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
  await shop.send('PATCH', `/api4/invoice/customers/${customerId}`, {
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456',
    taxId: '000000018',
    dueTerms: 'net:60',
  })
  await shop.call(masav.saveMandate, { customerId, reference: '77', since: '2026-01-01' })
  const orders = [await make({ means: 'masav' }), await make({ means: 'bill' })]
  await sweep(world.app)
  const dues = []
  for (const { id } of orders) {
    const paper = (await get(id)).periods[0]!.document!
    const { date, dueDate } = await shop.call(getDocument, { id: paper.id })
    dues.push([date, dueDate])
  }
  expect(dues).toEqual([
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01', '2026-04-30'],
  ])
})

test('by bank debit a charge is a line of the next file; what returns goes to its campaign, and the next file has it again', async () => {
  await shop.call(masav.saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
  await expect(make({ means: 'masav' })).rejects.toMatchObject({
    errors: [{ path: 'means', code: 'standingOrders.noMandate' }],
  })
  await shop.send('PATCH', `/api4/invoice/customers/${customerId}`, {
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456',
    taxId: '000000018',
  })
  await shop.call(masav.saveMandate, { customerId, reference: '77', since: '2026-01-01' })
  const { id } = await make({ means: 'masav' })
  await sweep(world.app)
  const documentId = (await get(id)).periods[0]!.document!.id
  const run = await shop.call(masav.makeDebits, { payDay: '2026-03-02', documents: [documentId] })
  expect((await get(id)).periods[0]!.state).toBe('inFile')
  goTo('2026-03-03')
  await shop.call(masav.returnLine, { id: run.id, line: 1, reason: 'אין כיסוי מספיק' })
  expect(await get(id)).toMatchObject({
    state: 'failing',
    periods: [{ state: 'failed', failureClass: 'soft' }],
  })
  expect((await messages()).map(({ subject }) => subject)).toEqual(['החיוב של מנוי פילאטיס לא עבר'])
  await live('2026-03-04', '2026-03-06')
  expect((await get(id)).periods[0]!.state).toBe('billed')
  const again = await shop.call(masav.makeDebits, { payDay: '2026-03-08', documents: [documentId] })
  goTo('2026-03-09')
  await shop.call(masav.collectDebits, { id: again.id })
  expect(await get(id)).toMatchObject({
    state: 'active',
    broughtAgorot: 35_000,
    periods: [{ state: 'done' }],
  })
})

test('donations as standing orders give a receipt for a donation with the money: by the bank too', async () => {
  const charity = await newBusiness(world, { kind: 'nonProfit' })
  const { id: donor } = await charity.customer('תורם', { email: 'donor@example.com', taxId: '000000018' })
  await charity.call(masav.saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
  await charity.send('PATCH', `/api4/invoice/customers/${donor}`, {
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456',
  })
  await charity.call(masav.saveMandate, { customerId: donor, reference: '9', since: '2026-01-01' })
  const order = await charity.call(
    calls.createOrder,
    given({
      customerId: donor,
      title: 'תרומה חודשית',
      means: 'masav',
      documentType: 11,
      lines: [{ description: 'תרומה', unitPrice: '100', vatKind: 4 }],
    }),
  )
  await sweep(world.app)
  const made = (await charity.call(calls.getOrder, { id: order.id })).periods[0]!
  expect(made).toMatchObject({ state: 'billed', document: { type: 5, openAgorot: 10_000 } })
  const run = await charity.call(masav.makeDebits, { payDay: '2026-03-02', documents: [made.document!.id] })
  goTo('2026-03-03')
  await charity.call(masav.collectDebits, { id: run.id })
  expect((await charity.call(calls.getOrder, { id: order.id })).periods[0]!.state).toBe('done')
  const papers = await query(
    sql<{
      type: number
      agorot: number
    }>`select type, total_agorot as agorot from documents where customer_id = ${donor} order by created_at`,
  )
  expect(papers).toEqual([
    { type: 5, agorot: 10_000 },
    { type: 11, agorot: 10_000 },
  ])
})

test('many orders are raised at once, shown first, and whoever cannot be says why', async () => {
  const [one, two, gone] = [await make(), await make({ partyKind: 'consumer' }), await make()]
  await shop.call(calls.cancelOrder, { id: gone.id, when: 'now', reason: 'x' })
  const wish = {
    ids: [one.id, two.id, gone.id],
    by: { basisPoints: 300 },
    round: 'whole' as const,
    fromDay: '2026-03-15',
  }
  const look = await shop.call(calls.raiseMany, { ...wish, look: true })
  expect(look.changed).toBe(0)
  expect(
    Object.fromEntries(look.rows.map((row) => [row.id, [row.beforeAgorot, row.afterAgorot, row.hindrance]])),
  ).toMatchObject({
    [one.id]: [35_000, 36_100, null],
    [two.id]: [35_000, 36_100, 'standingOrders.noticeTooLate'],
    [gone.id]: [0, 0, 'standingOrders.over'],
  })
  expect((await get(one.id)).versions).toHaveLength(1)
  expect((await shop.call(calls.raiseMany, wish)).changed).toBe(1)
  expect((await get(one.id)).versions).toHaveLength(2)
  expect((await messages()).some(({ body }) => body.includes('361.00'))).toBe(true)
})

test('orders of a blocked customer can be changed, and no new one is made', async () => {
  const { id } = await make()
  await shop.send('PATCH', `/api4/invoice/customers/${customerId}`, {
    blocked: true,
    blockedReason: 'לא משלם',
  })
  await expect(make()).rejects.toMatchObject({ errors: [{ path: 'customerId', code: 'fields.ref' }] })
  const { lines: _, ...plan } = given({ title: 'מנוי חדש' })
  await shop.call(calls.changeOrder, { id, ...plan })
  expect(await get(id)).toMatchObject({ title: 'מנוי חדש', state: 'active' })
})

test('an order is changed before and after its first charge, and only changes are logged', async () => {
  const { id } = await make({ startDay: '2026-03-10' })
  const change = async (more: Partial<OrderInput>) => {
    const { lines: _, ...plan } = given({ startDay: '2026-03-10', ...more })
    return shop.call(calls.changeOrder, { id, ...plan })
  }
  const told = async () => (await get(id)).steps.filter(({ kind }) => kind === 'changed').length
  expect(await change({})).toMatchObject({ nextDay: '2026-03-10' })
  expect(await told()).toBe(0)
  // Nothing was charged: the days may be others too.
  expect(await change({ startDay: '2026-03-20', everyN: 2 })).toMatchObject({ nextDay: '2026-03-20' })
  await live('2026-03-19', '2026-03-21')
  const charged = await change({ startDay: '2026-03-20', everyN: 2, title: 'מנוי זוגי', times: 3 })
  expect(charged).toMatchObject({ title: 'מנוי זוגי', state: 'active', nextDay: '2026-05-20' })
  expect(charged.periods).toMatchObject([{ start: '2026-03-20', state: 'billed' }])
  expect(await told()).toBe(2)
  await live('2026-05-19', '2026-05-21')
  expect((await get(id)).periods).toHaveLength(2)
})

test('a campaign is saved, changed and removed, and its orders follow the usual one', async () => {
  const steps: InputOf<typeof calls.keepCampaign>['steps'] = [{ days: 3, on: 'any', deed: 'pause' }]
  const named = async (name: string) =>
    (await shop.call(calls.listCampaigns, {})).rows.find((one) => one.name === name)
  const usual = await shop.call(calls.keepCampaign, { name: 'רגיל', isUsual: true, steps })
  const { id } = await shop.call(calls.keepCampaign, { name: 'קפדני', isUsual: true, steps })
  expect((await named('רגיל'))!.isUsual).toBe(false)
  await shop.call(calls.keepCampaign, { id, name: 'קפדני מאוד', steps: [{ ...steps[0]!, days: 1 }] })
  const order = await make({ campaignId: id })
  expect(await named('קפדני מאוד')).toMatchObject({ id, isUsual: false, orders: 1, steps: [{ days: 1 }] })
  const other = await newBusiness(world)
  await expect(other.call(calls.dropCampaign, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(calls.keepCampaign, { id: usual.id, name: 'x', steps })).rejects.toMatchObject({
    status: 404,
  })
  await shop.call(calls.dropCampaign, { id })
  expect(await named('קפדני מאוד')).toBeUndefined()
  expect((await get(order.id)).campaignId).toBeNull()
  await expect(shop.call(calls.dropCampaign, { id })).rejects.toMatchObject({ status: 404 })
})

test('the hour of charges and an index are saved; an index is removed', async () => {
  const kept = { mostMissed: 5, hour: 11, ratePerMinute: 7 }
  expect(await shop.call(calls.keepSettings, kept)).toEqual(kept)
  expect(await shop.call(calls.orderSettings, {})).toEqual(kept)
  goTo('2026-03-01', 8)
  const { id } = await make({ startDay: '2026-03-02' })
  goTo('2026-03-02', 8)
  await sweep(world.app)
  expect((await get(id)).periods).toEqual([])
  goTo('2026-03-02', 10)
  await sweep(world.app)
  expect((await get(id)).periods).toHaveLength(1)
  await shop.call(calls.keepIndex, { month: '2026-01-01', value: '101.5' })
  const { rows } = await shop.call(calls.listIndices, {})
  expect(rows.map(({ month }) => month)).toContain('2026-01-01')
  const left = await shop.call(calls.dropIndex, { month: '2026-01-01' })
  expect(left.rows.map(({ month }) => month)).not.toContain('2026-01-01')
  await expect(shop.call(calls.dropIndex, { month: '2026-01-01' })).rejects.toMatchObject({ status: 404 })
})

test('bad input is refused at its field', async () => {
  const refused = (more: Partial<OrderInput>) =>
    make(more).then(
      () => 'taken',
      (e: { errors: { path: string; code: string }[] }) => `${e.errors[0]!.path} ${e.errors[0]!.code}`,
    )
  expect(await refused({ untilDay: '2026-02-01' })).toBe('untilDay fields.dayOrder')
  expect(await refused({ lines: [{ description: 'x', unitPrice: '0' }] })).toBe(
    'lines standingOrders.nothing',
  )
  expect(await refused({ firstPriceAgorot: 99_900 })).toBe('firstPriceAgorot standingOrders.firstTooHigh')
  expect(await refused({ billingDay: 30 })).toBe('billingDay fields.range')
  expect(await refused({ documentType: 9 })).toBe('documentType standingOrders.wrongType')
  expect(await refused({ discountBp: 1000 })).toBe('discountTurns fields.need')
  expect(await refused({ customerId: '00000000-0000-4000-8000-000000000009' })).toBe('customerId fields.ref')
  expect(
    await refused({ means: 'card', documentType: 9, cardId: '00000000-0000-4000-8000-000000000009' }),
  ).toBe('cardId standingOrders.noCard')
  await expect(
    shop.call(calls.keepCampaign, { name: 'x', steps: [{ days: 0, on: 'soft', deed: 'pause' }] }),
  ).rejects.toMatchObject({
    code: 'standingOrders.campaignNeedsEnd',
  })
})

test('indices come in from files as the bureau writes them', async () => {
  const read = async (text: string) =>
    (await readIndices(Buffer.from(text))).rows.map(({ month, value, coefficient }) => [
      month,
      value,
      coefficient,
    ])
  expect(await read('חודש,מדד\n01/2026,103.5\n2026-02,104.1\n')).toEqual([
    ['2026-01-01', '103.5', '1'],
    ['2026-02-01', '104.1', '1'],
  ])
  expect(await read('year,month,value,coefficient\n2026,3,100.2,1.0520\n')).toEqual([
    ['2026-03-01', '100.2', '1.0520'],
  ])
  await expect(read('name,phone\nx,1\n')).rejects.toMatchObject({ code: 'standingOrders.indexNotFound' })
})

test('a letter is said in the words of the business, with every fact that has to be told; taken back, in the ready ones', async () => {
  const of = async (letter: string) =>
    (await shop.call(calls.listOrderWords, { language: 'he' })).rows.find((one) => one.letter === letter)!
  const [failing, raise] = [await of('failedHard'), await of('raise')]
  expect(failing).toMatchObject({ isOwn: false, gaps: expect.arrayContaining(['link', 'title', 'sum']) })
  const keep = (letter: 'failedHard' | 'raise' | 'invite', words: object) =>
    shop.call(calls.keepOrderWords, {
      letter,
      language: 'he',
      words: { subject: 'שלום', text: 'כאן: {link}', sms: '{link}', ...words },
    })
  await expect(keep('failedHard', { text: 'כאן: {link} {password}' })).rejects.toMatchObject({
    errors: [{ path: 'words.text', code: 'standingOrders.gapUnknown' }],
  })
  await expect(keep('failedHard', { sms: 'בלי קישור' })).rejects.toMatchObject({
    errors: [{ path: 'words.sms', code: 'standingOrders.gapMissing' }],
  })
  // The law asks for the sum and the day of a raise.
  await expect(keep('raise', {})).rejects.toMatchObject({
    errors: [{ path: 'words.text', code: 'standingOrders.gapMissing' }],
  })
  await keep('raise', { text: raise.text, sms: raise.sms })
  await keep('failedHard', {
    subject: 'כרטיס חדש ל{title}',
    text: '{customer}, {sum} מחכים: {link} {לא שלנו}',
  })
  await keep('invite', { subject: 'כרטיס ל{title}', text: '{customer}: {link} {לא שלנו}' })
  await make({ means: 'card', documentType: 9 })
  await sweep(world.app)
  const [letter] = await messages()
  expect(letter!.subject).toBe('כרטיס למנוי פילאטיס')
  expect(letter!.body).toMatch(/^נעמה ברק: http.*\/retainer\/\S+ \{לא שלנו\}$/)
  expect((await of('failedHard')).isOwn).toBe(true)
  await shop.call(calls.keepOrderWords, { letter: 'failedHard', language: 'he', words: null })
  expect(await of('failedHard')).toEqual(failing)
})

// MEMBERS=300 for the whole gym.
test(
  'a year of a gym: what the report of recurring revenue says is what its papers say and a count by hand',
  async () => {
    const members = Number(process.env.MEMBERS ?? 24)
    // Some pay by a card that has no cover in some months; one is declined for good in September, and nobody
    // gives another.
    const byCard = (i: number) => i % 6 === 5
    const stops = 5
    await shop.call(addTerminal, { gateway: 'test' })
    const tokenDoes = (i: number, deed: string) =>
      query(
        sql`update test_tokens set deed = ${deed} where company_id = ${companyId}
            and token = ${`member-${i}`}`,
      )
    let failures = 0
    await shop.call(calls.keepIndex, { month: '2025-01-01', value: '100' })
    goTo('2026-01-01')
    const people = await Promise.all(
      Array.from({ length: members }, (_, i) => shop.customer(`חבר ${i}`, { email: `m${i}@example.com` })),
    )
    const ids: { id: string; price: number; joins: Day }[] = []
    for (const [i, { id: member }] of people.entries()) {
      const joins = addMonths('2026-01-01', i % 4)
      const price = 200 + (i % 5) * 50
      if (byCard(i))
        await query(sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
        values (${companyId}, ${`member-${i}`}, 'approve', 'visa', '4242', '2032-12')`)
      const cardId = byCard(i)
        ? (
            await shop.call(bringCard, {
              customerId: member,
              token: `member-${i}`,
              expiry: '2032-12',
              last4: '4242',
              brand: 'visa',
              consent: 'הסכמה בקבלה',
            })
          ).id
        : undefined
      const { id } = await make({
        customerId: member,
        startDay: joins,
        ...(cardId ? { means: 'card', cardId, documentType: i % 4 === 1 ? 8 : 9 } : {}),
        linked: i % 2 ? 'cpi' : 'none',
        lines: [{ description: 'מנוי {month}', unitPrice: String(price), vatKind: 4 }],
      })
      ids.push({ id, price: price * 100, joins })
    }
    // By hand: what each is worth in each month.
    const worth = new Map<string, Map<Day, number>>(ids.map(({ id }) => [id, new Map<Day, number>()]))
    const gone = new Map<string, Day>()
    const paused = new Map<string, Day>()
    let index = 100
    for (let month = '2026-01-01'; month < '2027-01-01'; month = addMonths(month, 1)) {
      goTo(month)
      if (month === '2026-07-01') index = 104
      if (index === 104) await shop.call(calls.keepIndex, { month: '2026-05-01', value: '104' })
      for (const i of ids.keys())
        if (byCard(i))
          await tokenDoes(
            i,
            i === stops && month >= '2026-09-01'
              ? 'decline'
              : (i + Number(month.slice(5, 7))) % 5 === 0
                ? 'noFunds'
                : 'approve',
          )
      await sweep(world.app)
      const [failed] = await query(
        sql<{
          count: number
        }>`select count(*)::int as count from standing_periods where company_id = ${companyId}
            and state = 'failed'`,
      )
      failures += failed!.count
      for (const [i, { id, price, joins }] of ids.entries()) {
        if (i === stops && month >= '2026-09-01') continue
        if (joins > month || (gone.get(id) ?? '9') <= month || paused.get(id) === month) continue
        worth.get(id)!.set(month, i % 2 ? (price * index) / 100 : price)
      }
      goTo(addDays(month, 9))
      for (const i of ids.keys())
        if (byCard(i) && (i !== stops || month < '2026-09-01')) await tokenDoes(i, 'approve')
      await sweep(world.app)
      for (const [i, { id, joins }] of ids.entries()) {
        if (joins > month || gone.has(id) || i === stops) continue
        if ((i + Number(month.slice(5, 7))) % 11 === 0) {
          await shop.call(calls.cancelOrder, { id, when: 'periodEnd', reason: 'עזב' })
          gone.set(id, addMonths(month, 1))
        } else if ((i + Number(month.slice(5, 7))) % 7 === 0) {
          await shop.call(calls.skipTurn, { id })
          paused.set(id, addMonths(month, 1))
        }
      }
      goTo(addDays(month, 22))
      await sweep(world.app)
    }
    goTo('2026-12-31')
    await sweep(world.app)
    const { rows, checks } = await shop.get(
      '/api4/invoice/reports/revenueRetainer?from=2026-01-01&to=2026-12-31',
    )
    expect(checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
    let before = 0
    for (const [i, row] of (rows as Record<string, number>[]).entries()) {
      const month = addMonths('2026-01-01', i)
      const by = ids.map(
        ({ id }) =>
          [
            worth.get(id)!.get(addMonths(month, -1)) ?? 0,
            worth.get(id)!.get(month) ?? 0,
            [...worth.get(id)!.keys()].some((one) => one < month),
          ] as const,
      )
      const all = (of: (was: number, is: number, known: boolean) => number) =>
        by.reduce((sum, one) => sum + of(...one), 0)
      expect(row).toMatchObject({
        startAgorot: before,
        newAgorot: all((was, is, known) => (was === 0 && !known ? is : 0)),
        backAgorot: all((was, is, known) => (was === 0 && known ? is : 0)),
        upAgorot: all((was, is) => (was > 0 && is > was ? is - was : 0)),
        lostAgorot: 0 - all((was, is) => (is === 0 ? was : 0)),
        endAgorot: all((_was, is) => is),
      })
      before = row.endAgorot!
      const [papers] = await query(sql<{
        agorot: number
      }>`select coalesce(sum(ils_total_agorot), 0)::bigint as agorot from documents
      where company_id = ${companyId} and type in (8, 9) and status <> 'cancelled' and day between ${month}
        and ${addDays(addMonths(month, 1), -1)}`)
      expect(row.chargedAgorot).toBe(papers!.agorot)
    }
    // By product it is the same money, to the agora.
    const shown = rows as Record<string, number>[]
    const products = await shop.get(
      '/api4/invoice/reports/revenueRetainer?from=2026-01-01&to=2026-12-31&by=product',
    )
    expect(products.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
    // The words that differ from charge to charge are no part of its name.
    expect(products.rows.map(({ what }: { what: string }) => what)).toContain('מנוי …')
    const over = (of: Record<string, number>[], ...names: string[]) =>
      of.reduce((sum, row) => names.reduce((all, name) => all + row[name]!, sum), 0)
    expect(over(products.rows, 'startAgorot')).toBe(shown[0]!.startAgorot)
    expect(over(products.rows, 'endAgorot')).toBe(shown.at(-1)!.endAgorot)
    for (const name of ['newAgorot', 'backAgorot', 'lostAgorot', 'chargedAgorot'])
      expect(over(products.rows, name)).toBe(over(shown, name))
    expect(over(products.rows, 'upAgorot', 'downAgorot')).toBe(over(shown, 'upAgorot', 'downAgorot'))
    expect(failures).toBeGreaterThan(2)
    expect(await get(ids[stops]!.id)).toMatchObject({
      state: 'paused',
      periods: [{ start: '2026-09-01', state: 'givenUp' }, {}, {}, {}, {}, {}, {}, {}],
    })
    // Nothing was charged without a separate document.
    expect(
      await query(
        sql`select 1 from charges where company_id = ${companyId} and state = 'paid'
            and (paper_id is null or surplus)`,
      ),
    ).toEqual([])
    const list = await shop.get('/api4/invoice/reports/subscriptions')
    expect(list.rows).toHaveLength(members)
    expect(list.rows.filter((row: { reason: string }) => row.reason.includes('עזב'))).toHaveLength(gone.size)
  },
  Math.max(240_000, Number(process.env.MEMBERS ?? 24) * 5_000),
)

describe('what is refused', () => {
  test('deeds that do not fit the state of an order', async () => {
    const { id } = await make()
    const code = (of: string, status = 409) => ({ status, code: of })
    await expect(shop.call(calls.resumeOrder, { id })).rejects.toMatchObject(code('standingOrders.notPaused'))
    await expect(shop.call(calls.decideMissed, { id, how: 'all' })).rejects.toMatchObject(
      code('standingOrders.notHeld'),
    )
    await shop.call(calls.pauseOrder, { id })
    await expect(shop.call(calls.chargeNow, { id, start: '2026-03-01' })).rejects.toMatchObject(
      code('standingOrders.nothingAhead'),
    )
    await shop.call(calls.resumeOrder, { id })
    expect((await shop.call(calls.chargeNow, { id, start: '2026-03-01' })).periods).toHaveLength(1)
  })

  test('orders that follow an index, or are collected by Masav, in another currency', async () => {
    for (const [more, path] of [
      [{ currency: 'USD', linked: 'cpi' }, 'linked'],
      [{ currency: 'USD', means: 'masav' }, 'currency'],
    ] as const)
      await expect(make(more as never)).rejects.toMatchObject({
        status: 422,
        errors: [{ path, code: 'standingOrders.onlyShekels' }],
      })
    await make({ currency: 'USD' } as never)
  })

  test('a letter to somebody who has no address', async () => {
    const { id: nobody } = await shop.customer('בלי כתובת')
    const { id } = await make({ customerId: nobody })
    for (const channel of ['mail', 'sms'] as const)
      await expect(shop.call(calls.askCustomer, { id, channel })).rejects.toMatchObject({
        status: 422,
        errors: [{ path: 'channel', code: 'standingOrders.noAddress' }],
      })
  })
})
