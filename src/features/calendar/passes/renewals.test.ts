import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type Day } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { settleCharge } from '#features/money/acquirers/server/index.ts'
import * as orders from '#features/money/standingOrders/endpoints.ts'
import { askPending } from '#features/money/standingOrders/server/card.ts'
import { sweep } from '#features/money/standingOrders/server/sweep.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import * as bookings from '#features/calendar/bookings/endpoints.ts'
import * as timetable from '#features/calendar/timetable/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { expire } from './server/index.ts'

let world: World
let studio: Business
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
  studio = await newBusiness(world)
  companyId = (await studio.get('/api/user/session')).companyId
  customerId = (await studio.customer('נעמה', { email: 'naama@example.com', mobile: '0521234567' })).id
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const goTo = (day: Day) => void (time = new Date(`${day}T08:00:00Z`))
const kindOf = async (more: object = {}): Promise<string> =>
  (
    await studio.send('POST', '/api4/invoice/passKinds', {
      name: 'מנוי',
      visits: 4,
      days: 30,
      priceAgorot: 24_000,
      renews: 'month',
      people: 2,
      ...more,
    })
  ).id
const renew = (kindId: string, more: object = {}) =>
  studio.call(calls.renewPass, { kindId, customerId, ...more } as never)
const passes = async () =>
  (await studio.call(calls.listPasses, { customerId })).rows.map((one) => [
    one.fromDay,
    one.toDay,
    one.left,
    one.priceAgorot,
    one.state,
  ])
const periods = async (id: string) => (await studio.call(orders.getOrder, { id })).periods
/** Takes the money of a bill by hand. */
const pay = async (documentId: string, amountAgorot = 24_000) =>
  (await studio.call(createDocument, {
    type: 6,
    customerId,
    payments: [{ means: 1, amountAgorot }],
    closes: [{ documentId, amountAgorot }],
  } as never)) as { id: string }
const entry = async () => (await studio.call(bookings.listEntries, { q: 'נעמה' })).rows[0]!

describe('a pass that is renewed by a standing order', () => {
  test('comes with each charge that was paid, once whatever is told twice, and not before', async () => {
    const order = await renew(await kindOf())
    expect(order).toMatchObject({ kindName: 'מנוי', state: 'active', sumAgorot: 24_000 })
    await sweep(world.app)
    // Billed, and nothing is had yet.
    const [bill] = await periods(order.orderId)
    expect(bill).toMatchObject({ state: 'billed', totalAgorot: 24_000 })
    expect(await passes()).toEqual([])
    await pay(bill!.document!.id)
    expect(await passes()).toEqual([['2026-03-01', '2026-03-31', 4, 24_000, 'active']])
    await query(sql`update standing_periods set state = state where company_id = ${companyId}`)
    await Promise.all([sweep(world.app), sweep(world.app)])
    expect(await passes()).toHaveLength(1)
    goTo('2026-04-01')
    await sweep(world.app)
    await expire(world.app, '2026-04-01')
    expect(await passes()).toEqual([['2026-03-01', '2026-03-31', 0, 24_000, 'ended']])
    const [next] = await periods(order.orderId)
    await pay(next!.document!.id)
    expect((await passes())[0]).toEqual(['2026-04-01', '2026-04-30', 4, 24_000, 'active'])
  })

  test('goes with money that went back: what is left is taken, what is booked ahead has its price, and paid again it is there again', async () => {
    const kind = await studio.send('POST', '/api4/invoice/classKinds', {
      name: 'יוגה',
      minutes: 60,
      seats: 5,
      priceAgorot: 6000,
    })
    const classes = []
    for (const day of ['2026-03-02', '2026-03-09'])
      classes.push(
        (
          await studio.call(timetable.createClass, {
            kindId: kind.id,
            day,
            at: '18:00',
            trainerId: null,
            placeId: null,
          } as never)
        ).row.id,
      )
    const order = await renew(await kindOf())
    await sweep(world.app)
    const [bill] = await periods(order.orderId)
    const receipt = await pay(bill!.document!.id)
    const [came, ahead] = [
      await studio.call(bookings.makeBooking, { classId: classes[0]!, customerId } as never),
      await studio.call(bookings.makeBooking, { classId: classes[1]!, customerId } as never),
    ]
    expect([came.pays, ahead.pays]).toEqual(['pass', 'pass'])
    goTo('2026-03-03')
    await studio.call(bookings.markBooking, { id: came.id, state: 'came' } as never)
    await query(
      sql`update classes set state = 'held' where company_id = ${companyId} and id = ${classes[0]!}`,
    )
    expect((await passes())[0]![2]).toBe(2)
    await studio.call(cancelDocument, { id: receipt.id, reason: 'הוחזר' })
    expect((await periods(order.orderId))[0]!.state).toBe('billed')
    expect(await passes()).toEqual([['2026-03-01', '2026-03-31', 0, 24_000, 'ended']])
    const { people } = await studio.call(bookings.classPeople, { id: classes[1]! })
    expect(people).toMatchObject([{ id: ahead.id, pays: 'price', priceAgorot: 6000, state: 'booked' }])
    const paid = await studio.call(bookings.classPeople, { id: classes[0]! })
    expect(paid.people).toMatchObject([{ id: came.id, pays: 'pass', state: 'came' }])
    await pay(bill!.document!.id)
    // One was used; three are there again, and no fifth.
    expect(await passes()).toEqual([['2026-03-01', '2026-03-31', 3, 24_000, 'active']])
    const { id } = (await studio.call(calls.listPasses, { customerId })).rows[0]!
    expect((await studio.call(calls.getPass, { id })).moves.reduce((sum, move) => sum + move.visits, 0)).toBe(
      3,
    )
  })

  test('by card: without one he is asked, the desk says why he may not enter, and the card that is given brings it', async () => {
    await studio.call(addTerminal, { gateway: 'test' })
    const order = await renew(await kindOf({ visits: null }))
    await sweep(world.app)
    expect(await passes()).toEqual([])
    expect(await studio.call(calls.listPasses, { customerId })).toMatchObject({
      renewals: [{ orderId: order.orderId, state: 'failing' }],
    })
    expect(await entry()).toMatchObject({ may: false, refusals: ['renewal'] })
    const { pageUrl } = await studio.call(orders.getOrder, { id: order.orderId })
    const { url } = await callAs(world, orders.renewByKey, { key: pageUrl.split('/').at(-1)! })
    await callAs(world, testPay, {
      key: url.split('/').at(-1)!.split('?')[0]!,
      number: '4242424242424242',
      month: 12,
      year: 2040,
      cvv: '123',
    } as never)
    for (const { id } of await query(
      sql<{
        id: string
      }>`select id from charges where company_id = ${companyId} and state in ('begun', 'declined')
          and our_key is null`,
    ))
      await settleCharge(world.app, companyId, id, 'return')
    await askPending(world.app, companyId, order.orderId)
    await sweep(world.app)
    expect(await passes()).toEqual([['2026-03-01', '2026-03-31', null, 24_000, 'active']])
    expect(await entry()).toMatchObject({ may: true, refusals: [] })
    // Each month automatically, each once.
    for (let day = '2026-03-02'; day <= '2026-05-02'; day = addDays(day, 1)) {
      goTo(day)
      await sweep(world.app)
      await askPending(world.app, companyId, order.orderId)
      await expire(world.app, day)
    }
    expect((await passes()).map(([from]) => from).toSorted()).toEqual([
      '2026-03-01',
      '2026-04-01',
      '2026-05-01',
    ])
  }, 60_000)

  test('a family’s comes to all of it; the same twice, a kind that is not renewed and strangers are refused', async () => {
    const child = (await studio.customer('ילדה')).id
    const kind = await kindOf()
    const order = await renew(kind, { people: [child] })
    await expect(renew(kind)).rejects.toMatchObject({
      errors: [{ path: 'kindId', code: 'passes.renewsAlready' }],
    })
    // Of another kind the same customer may have one too.
    expect(await renew(await kindOf({ name: 'בוקר' }))).toHaveProperty('orderId')
    await expect(renew(await kindOf({ name: 'פעם', renews: 'once' }))).rejects.toMatchObject({
      errors: [{ path: 'kindId', code: 'passes.notRenewed' }],
    })
    await expect(renew(await kindOf({ name: 'לאחד', people: 1 }), { people: [child] })).rejects.toMatchObject(
      {
        errors: [{ path: 'people' }],
      },
    )
    await sweep(world.app)
    await pay((await periods(order.orderId))[0]!.document!.id)
    expect((await studio.call(calls.listPasses, { customerId: child })).rows).toMatchObject([
      { customerId, left: 4, orderId: order.orderId },
    ])
  })
})

describe('the report of subscriptions', () => {
  test('tells passes beside orders, each by its state, with what is left, and not to whoever may not see passes', async () => {
    const sell = async (name: string, more: object = {}, sold: object = {}) =>
      studio.call(calls.sellPass, {
        kindId: await kindOf({ name, renews: 'once', ...more }),
        customerId,
        paper: false,
        ...sold,
      } as never)
    await sell('עשר כניסות', { visits: 10, days: 90 })
    await sell('שבוע ניסיון', { visits: null, days: 7 })
    await sell('קיץ', { visits: 10, days: 90 }, { fromDay: '2026-07-01' })
    const gone = await sell('ביטול', { visits: 3, days: 90 })
    await studio.call(calls.endPass, { id: gone.id })
    await renew(await kindOf())
    const asked = async (query: string, as = studio) =>
      (await as.get(`/api4/invoice/reports/subscriptions${query}`)).rows.map(
        (row: Record<string, unknown>) => [row.state, row.what, row.title, row.left],
      )
    expect(await asked('')).toEqual([
      ['עוד לא החלה', 'כרטיסייה', 'קיץ', 10],
      ['פעילה', 'הוראת קבע', 'מנוי', null],
      ['פעילה', 'כרטיסייה', 'עשר כניסות', 10],
      ['מסתיימת', 'כרטיסייה', 'שבוע ניסיון', null],
      ['בוטלה', 'כרטיסייה', 'ביטול', 0],
    ])
    expect(await asked('?what=orders')).toEqual([['פעילה', 'הוראת קבע', 'מנוי', null]])
    expect(await asked('?what=passes&kind=כניסות')).toEqual([['פעילה', 'כרטיסייה', 'עשר כניסות', 10]])
    expect(await asked('?left=3')).toEqual([['בוטלה', 'כרטיסייה', 'ביטול', 0]])
    expect(await asked('?state=ahead')).toHaveLength(1)
    expect(await asked('?state=active&what=passes&to=2026-02-28')).toEqual([])
    expect(await asked('?means=bill')).toHaveLength(1)
    const other = await studio.customer('אורי')
    expect(await asked(`?customer=${other.id}`)).toEqual([])
  })
})
