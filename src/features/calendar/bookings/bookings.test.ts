import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callAs,
  databaseUrl,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { sitesOf } from '#kit/server/http/framed.ts'
import * as timetable from '#features/calendar/timetable/endpoints.ts'
import * as passCalls from '#features/calendar/passes/endpoints.ts'
import * as page from '#features/calendar/bookingPage/endpoints.ts'
import * as trainers from '#features/calendar/trainers/endpoints.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { beginLink } from '#features/money/paymentLinks/endpoints.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import * as calls from './endpoints.ts'
import { doorCode, lapse, remind, settleHeld } from './server/index.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { book as bookIn, cancelBooking } from './server/actions.ts'
import { setGroupPeople } from './server/follow.ts'
import { makeAhead } from '#features/calendar/timetable/server/index.ts'
import { cancelClass, changeClass, moveClass } from '#features/calendar/timetable/server/actions.ts'
import { merge } from '#features/registers/parties/server/merge.ts'

let world: World
let now = new Date('2031-05-20T09:00:00Z')
let studio: Business
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())
beforeEach(async () => {
  now = new Date('2031-05-20T09:00:00Z')
  studio = await newBusiness(world)
})

const base = '/api4/invoice'
const kindOf = (more: object = {}) =>
  studio.send('POST', `${base}/classKinds`, {
    name: 'יוגה',
    minutes: 60,
    seats: 2,
    priceAgorot: 6000,
    cancelHours: 12,
    lateFeeAgorot: 2000,
    noShowFeeAgorot: 3000,
    ...more,
  })
const trainer = (name = 'נעמה', more: object = {}) =>
  studio.send('POST', `${base}/classTrainers`, { name, payBy: 'class', payAgorot: 15000, ...more })
const place = (name = 'אולם') => studio.send('POST', `${base}/classPlaces`, { name })
const classOf = async (kindId: string, more: object = {}) =>
  (
    await studio.call(timetable.createClass, {
      kindId,
      day: '2031-05-22',
      at: '18:00',
      trainerId: null,
      placeId: null,
      ...more,
    } as never)
  ).row
const book = (classId: string, customerId: string, more: object = {}) =>
  studio.call(calls.makeBooking, { classId, customerId, ...more } as never)
const people = async (id: string) =>
  (await studio.call(calls.classPeople, { id })).people.map(
    ({ customerName, state }) => `${customerName} ${state}`,
  )

describe('classes', () => {
  test('what comes back stands ninety days ahead on the hour of the wall, and a change passes over what was changed by itself', async () => {
    const kind = await kindOf()
    const { row, made } = await studio.call(timetable.createClass, {
      kindId: kind.id,
      day: '2031-05-22',
      at: '18:00',
      trainerId: null,
      placeId: null,
      repeat: { unit: 'week', every: 1, days: [4], untilDay: null, times: null },
    } as never)
    expect(made).toBe(13)
    const all = async () =>
      (await studio.call(timetable.listClasses, { from: '2031-05-20', to: '2031-07-15' })).rows
    const [first, second, third] = await all()
    expect([first!.at, second!.day, third!.day]).toEqual(['18:00', '2031-05-29', '2031-06-05'])
    // One is moved separately; then all from the second on begin later.
    await studio.call(timetable.moveClass, {
      id: third!.id,
      version: third!.version,
      day: '2031-06-06',
      at: '09:00',
    } as never)
    const { changed } = await studio.call(timetable.changeClass, {
      id: second!.id,
      version: second!.version,
      following: true,
      at: '19:30',
    } as never)
    expect(changed).toBe(made - 2)
    expect((await all()).slice(0, 4).map(({ day, at }) => `${day} ${at}`)).toEqual([
      '2031-05-22 18:00',
      '2031-05-29 19:30',
      '2031-06-06 09:00',
      '2031-06-12 19:30',
    ])
    // Months later the rule goes on where it was, at the hour it has now, through the night on which clocks
    // change.
    now = new Date('2031-08-10T09:00:00Z')
    expect(await makeAhead(world.app)).toBeGreaterThan(5)
    const later = (await studio.call(timetable.listClasses, { from: '2031-10-15', to: '2031-11-08' })).rows
    expect(later.map(({ day, at, startsAt }) => `${day} ${at} ${new Date(startsAt).getUTCHours()}`)).toEqual([
      '2031-10-16 19:30 16',
      '2031-10-23 19:30 16',
      '2031-10-30 19:30 17',
      '2031-11-06 19:30 17',
    ])
    expect(await makeAhead(world.app)).toBe(0)
    await expect(
      studio.call(timetable.moveClass, { id: row.id, version: 99, day: '2031-05-23', at: '09:00' } as never),
    ).rejects.toMatchObject({ code: 'classes.moved' })
  })

  test('two at one hour with one trainer or in one room are told before they are kept, and kept only by whoever says so', async () => {
    const kind = await kindOf()
    const [who, where] = [await trainer(), await place()]
    await classOf(kind.id, { trainerId: who.id, placeId: where.id })
    const same = {
      kindId: kind.id,
      day: '2031-05-22',
      at: '18:30',
      trainerId: who.id,
      placeId: where.id,
      minutes: 60,
    }
    const { rows, otherPlaces } = await studio.call(timetable.checkClass, same as never)
    expect(rows.map(({ what, freeAt }) => [what, freeAt])).toEqual([['trainer', '19:00']])
    expect(otherPlaces).toEqual([])
    await expect(studio.call(timetable.createClass, same as never)).rejects.toMatchObject({
      code: 'classes.conflict',
    })
    const { row } = await studio.call(timetable.createClass, { ...same, anyway: true } as never)
    expect(row.conflict).toBe('trainer')
    // A person who is booked elsewhere at that hour is reported as well, also when a class is moved onto it.
    const dana = await studio.customer('דנה כהן')
    const evening = await classOf(kind.id, { at: '21:00' })
    await book(row.id, dana.id)
    await book(evening.id, dana.id)
    expect((await studio.call(calls.bookingClash, { id: evening.id, customerId: dana.id })).rows).toEqual([])
    const onto = { id: evening.id, version: evening.version, day: '2031-05-22', at: '19:15' }
    await expect(studio.call(timetable.moveClass, onto as never)).rejects.toMatchObject({
      code: 'classes.conflict',
    })
    await studio.call(timetable.moveClass, { ...onto, anyway: true } as never)
    expect(
      (await studio.call(calls.bookingClash, { id: evening.id, customerId: dana.id })).rows,
    ).toMatchObject([{ classId: row.id, name: 'יוגה', at: '18:30', to: '19:30' }])
    // Away is away.
    await studio.call(timetable.addBlock, {
      trainerId: who.id,
      placeId: null,
      fromDay: '2031-06-01',
      from: '00:00',
      toDay: '2031-06-08',
      to: '00:00',
      why: 'מילואים',
    })
    expect(
      (await studio.call(timetable.checkClass, { ...same, day: '2031-06-03' } as never)).rows[0],
    ).toMatchObject({ what: 'away' })
  })

  test.each([
    [{ at: '25:00' }, 'at'],
    [{ minutes: 1441 }, 'minutes'],
    [{ seats: 0 }, 'seats'],
    [{ kindId: '00000000-0000-7000-8000-000000000000' }, 'kindId'],
    [{ trainerId: '00000000-0000-7000-8000-000000000000' }, 'trainerId'],
    [{ repeat: { unit: 'week', every: 0 } }, 'repeat.every'],
    [{ repeat: { unit: 'week', every: 1, untilDay: '2031-05-01' } }, 'repeat.untilDay'],
  ])('%j is refused at its field', async (more, path) => {
    const kind = await kindOf()
    await expect(classOf(kind.id, more)).rejects.toMatchObject({ errors: [{ path }] })
  })

  test('a swap is approved while the class is still to be and still his who gives it', async () => {
    const kind = await kindOf()
    const [dana, gil, ruth] = [await trainer('דנה'), await trainer('גיל'), await trainer('רות')]
    const asked = async (more: object = {}) => {
      const row = await classOf(kind.id, { trainerId: dana.id, ...more })
      return {
        row,
        swap: await studio.call(trainers.askSwap, { classId: row.id, toTrainer: gil.id } as never),
      }
    }
    const approve = (id: string) => studio.call(trainers.answerSwap, { id, answer: 'approve' } as never)
    const fine = await asked()
    expect(await approve(fine.swap.id)).toMatchObject({ state: 'approved' })
    expect(await studio.call(timetable.getClass, { id: fine.row.id })).toMatchObject({ trainerId: gil.id })
    // Given to somebody else by hand meanwhile, cancelled, or over.
    const given = await asked({ at: '09:00' })
    await studio.call(timetable.changeClass, {
      id: given.row.id,
      version: given.row.version,
      trainerId: ruth.id,
    } as never)
    await expect(approve(given.swap.id)).rejects.toMatchObject({ code: 'trainers.swapDecided' })
    expect(await studio.call(timetable.getClass, { id: given.row.id })).toMatchObject({ trainerId: ruth.id })
    const gone = await asked({ at: '11:00' })
    await studio.call(timetable.cancelClass, { id: gone.row.id, version: gone.row.version } as never)
    await expect(approve(gone.swap.id)).rejects.toMatchObject({ code: 'classes.isCancelled' })
    const late = await asked({ at: '13:00' })
    now = new Date('2031-05-22T12:00:00Z')
    await expect(approve(late.swap.id)).rejects.toMatchObject({ code: 'trainers.swapDecided' })
  })

  test('the rest of a series is cancelled once: what was cancelled by itself is told no second time', async () => {
    const kind = await kindOf({ seats: 4 })
    const { row: first } = await studio.call(timetable.createClass, {
      kindId: kind.id,
      day: '2031-05-22',
      at: '18:00',
      trainerId: null,
      placeId: null,
      repeat: { unit: 'week', every: 1, days: [4], untilDay: null, times: 4 },
    } as never)
    const all = async () =>
      (await studio.call(timetable.listClasses, { from: '2031-05-20', to: '2031-07-15' })).rows
    const cancel = (one: { id: string; version: number }, following: boolean) =>
      studio.call(timetable.cancelClass, {
        id: one.id,
        version: one.version,
        following,
        reason: 'חג',
      } as never)
    const [, second, third] = await all()
    expect(await cancel(third!, false)).toMatchObject({ cancelled: 1 })
    expect(await cancel(second!, true)).toMatchObject({ cancelled: 2 })
    expect((await all()).map(({ id }) => id)).toEqual([first.id])
  })

  test('nobody who is booked is left without a seat when seats are taken away', async () => {
    const kind = await kindOf({ seats: 4 })
    const row = await classOf(kind.id)
    for (const name of ['א', 'ב', 'ג']) await book(row.id, (await studio.customer(name)).id)
    const bookings = (await studio.call(calls.classPeople, { id: row.id })).people
    await studio.call(calls.cancelBooking, { id: bookings[0]!.id })
    const smaller = await studio.call(timetable.changeClass, {
      id: row.id,
      version: row.version,
      seats: 2,
    } as never)
    expect(smaller.row).toMatchObject({ seats: 2, taken: 2 })
    await expect(
      studio.call(timetable.changeClass, { id: row.id, version: smaller.row.version, seats: 1 } as never),
    ).rejects.toMatchObject({ code: 'classes.seatsTaken' })
  })
})

describe('seats', () => {
  test('sixty who want the last two at once: two have them, each once', async () => {
    const kind = await kindOf()
    const row = await classOf(kind.id)
    const customers = await Promise.all(Array.from({ length: 30 }, (_, n) => studio.customer(`לקוחה ${n}`)))
    const answers = await Promise.allSettled([...customers, ...customers].map(({ id }) => book(row.id, id)))
    const won = answers.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(2)
    for (const one of answers)
      if (one.status === 'rejected')
        expect(['bookings.full', 'bookings.twice']).toContain((one.reason as { code: string }).code)
    const { rows } = await sql<{
      taken: number
      booked: number
    }>`select (select count(*) from class_seats where class_id = ${row.id} and booking_id is not null)::int as
        taken,
      (select count(*) from class_bookings where class_id = ${row.id} and state = 'booked')::int as
      booked`.execute(world.app.db.kysely)
    expect(rows[0]).toEqual({ taken: 2, booked: 2 })
  })

  test('whoever waits is offered the seat that came free, in turn and for a while; nobody passes him', async () => {
    const kind = await kindOf({ seats: 1 })
    const row = await classOf(kind.id)
    const [a, b, c, d] = await Promise.all(
      ['דנה', 'גיל', 'רות', 'עומר'].map((name) => studio.customer(name, { mobile: '0521234567' })),
    )
    const first = await book(row.id, a!.id)
    await book(row.id, b!.id, { wait: true })
    await book(row.id, c!.id, { wait: true })
    expect(await people(row.id)).toEqual(['דנה booked', 'גיל waiting', 'רות waiting'])
    await studio.call(calls.cancelBooking, { id: first.id })
    expect(await people(row.id)).toEqual(['גיל offered', 'רות waiting'])
    await expect(book(row.id, d!.id)).rejects.toMatchObject({ code: 'bookings.full' })
    // No answer: the next one's turn, which is accepted.
    now = new Date('2031-05-20T10:01:00Z')
    expect(await lapse(world.app)).toBe(1)
    expect(await people(row.id)).toEqual(['רות offered'])
    const [offer] = (await studio.call(calls.classPeople, { id: row.id })).people
    await studio.call(calls.confirmBooking, { id: offer!.id })
    await studio.call(calls.confirmBooking, { id: offer!.id })
    now = new Date('2031-05-20T23:00:00Z')
    expect(await lapse(world.app)).toBe(0)
    expect(await people(row.id)).toEqual(['רות booked'])
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from messages
      where kind = 'classBooking' and company_id = (select company_id from classes
      where id = ${row.id})`.execute(world.app.db.kysely)
    expect(rows[0]!.n).toBe(2)
  })

  test('while another server holds a class its bookers leave the connections to everybody else, and come in turn', async () => {
    const kind = await kindOf()
    const [row, other] = [await classOf(kind.id), await classOf(kind.id, { at: '20:00' })]
    const customers = []
    for (let n = 0; n < 30; n++) customers.push(await studio.customer(`לקוחה ${n}`))
    const omer = await studio.customer('עומר')
    const { db } = world.app
    const address = await world.http.listen({ port: 0, host: '127.0.0.1' })
    const elsewhere = new Client({ connectionString: databaseUrl })
    await elsewhere.connect()
    try {
      await elsewhere.query('begin')
      await elsewhere.query('select 1 from classes where id = $1 for no key update', [row.id])
      const over: string[] = []
      const books = ({ id }: { id: string }) => book(row.id, id).finally(() => over.push('booker'))
      const until = async (isSo: () => boolean | Promise<boolean>) => {
        while (!(await isSo())) await new Promise((done) => setTimeout(done, 10))
      }
      const atTheRow = async () =>
        (
          await elsewhere.query<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows[0]!.n
      const first = customers.slice(0, 2).map(books)
      await until(async () => (await atTheRow()) === 2)
      const all = [...first, ...customers.slice(2).map(books)]
      await until(() => db.turns.size.waiting === 28)
      // The person who wants something else is answered: another business, a list, another class.
      const stranger = await newBusiness(world, { name: 'אחר' })
      await stranger.get('/api/user/session')
      await studio.get(`${base}/customers`)
      await book(other.id, omer.id)
      over.push('the others')
      expect([await atTheRow(), db.pool.waitingCount]).toEqual([2, 0])
      // Leaving gives up the turn.
      const left = new AbortController()
      const gone = fetch(`${address}${calls.makeBooking.path}`, {
        method: 'POST',
        headers: { 'x-access-token': studio.token, 'content-type': 'application/json' },
        body: JSON.stringify({ classId: row.id, customerId: omer.id }),
        signal: left.signal,
      }).catch(() => 'gone')
      await until(() => db.turns.size.waiting === 29)
      left.abort()
      expect(await gone).toBe('gone')
      await until(() => db.turns.size.waiting === 28)
      await elsewhere.query('commit')
      const answers = await Promise.allSettled(all)
      expect(over[0]).toBe('the others')
      // The first who came have the seats.
      expect(answers.map(({ status }) => status === 'fulfilled')).toEqual(customers.map((_, n) => n < 2))
      expect(await people(row.id)).toEqual(['לקוחה 0 booked', 'לקוחה 1 booked'])
      expect(db.turns.size).toEqual({ having: 0, waiting: 0 })
    } finally {
      await elsewhere.end()
    }
  })

  /**
   * What may happen to a class of two seats with Dana and Gil in it; Ruth waits where it says so, and Omer is
   * the one who comes.
   */
  interface Full {
    row: { id: string; version: number }
    groupId: string
    who: Record<'dana' | 'gil' | 'ruth' | 'omer', { id: string }>
    dana: string
    gil: string
  }
  type Deed = (ctx: Ctx, of: Full) => Promise<unknown>
  const joins: Deed = (ctx, { row, who }) => bookIn(ctx, joining(row.id, who.omer.id))
  const joining = (classId: string, customerId: string) =>
    ({ classId, customerId, pays: 'auto', wait: true, came: false, override: '', byWay: 'desk' }) as const
  const danaCancels: Deed = (ctx, { dana }) => cancelBooking(ctx, { id: dana, waive: false })
  const gilCancels: Deed = (ctx, { gil }) => cancelBooking(ctx, { id: gil, waive: true })
  const oneSeatMore: Deed = (ctx, { row }) =>
    changeClass(ctx, { id: row.id, version: row.version, following: false, seats: 3, anyway: true })
  const toTomorrow: Deed = (ctx, { row }) =>
    moveClass(ctx, { id: row.id, version: row.version, day: '2031-05-23', at: '18:00', anyway: true })
  const danaLeavesCourse: Deed = (ctx, { groupId, who }) =>
    setGroupPeople(ctx, {
      id: groupId,
      people: [{ customerId: who.gil.id, fromDay: '2031-05-20', toDay: null }],
    })
  const gilWasDana: Deed = (ctx, { who }) => merge(ctx, { keepId: who.dana.id, ids: [who.gil.id], from: {} })
  const cancelled: Deed = (ctx, { row }) =>
    cancelClass(ctx, { id: row.id, version: row.version, following: false, reason: '' })
  const unanswered: Deed = () => {
    now = new Date(now.getTime() + 2 * 3_600_000)
    return lapse(world.app)
  }

  // The first has done its work and has not committed when the second begins. `waits`: Ruth is on the list before;
  // `at`: the hour on the day of the class.
  test.each<
    [string, Deed, Deed, string, { waits?: boolean; at?: string; course?: boolean; offered?: boolean }?]
  >([
    ['she cancels, he comes onto the list', danaCancels, joins, 'booked'],
    ['he comes onto the list, she cancels', joins, danaCancels, 'offered'],
    ['she cancels late, he comes onto the list', danaCancels, joins, 'booked', { at: '08:00' }],
    ['he comes onto the list, she cancels late', joins, danaCancels, 'offered', { at: '08:00' }],
    ['both cancel, two wait', danaCancels, gilCancels, 'none', { waits: true }],
    [
      'he comes onto the list behind her, a seat more is brought',
      joins,
      oneSeatMore,
      'waiting',
      { waits: true },
    ],
    ['he comes onto the list, a seat more is brought', joins, oneSeatMore, 'offered'],
    ['a seat more is brought, he comes', oneSeatMore, joins, 'booked'],
    [
      'he comes onto the list, an offer is not answered',
      joins,
      unanswered,
      'offered',
      { waits: true, offered: true },
    ],
    [
      'she cancels in the last hour, the class is moved to tomorrow',
      danaCancels,
      toTomorrow,
      'none',
      { waits: true, at: '14:20' },
    ],
    ['he comes onto the list, she leaves the course', joins, danaLeavesCourse, 'offered', { course: true }],
    ['he comes onto the list, two who are in it are one', joins, gilWasDana, 'offered'],
    ['he comes onto the list, the class is cancelled', joins, cancelled, 'none', { waits: true }],
  ])(
    'no seat is free beside somebody who waits: %s',
    async (_, first, second, becomes, { waits, at, course, offered } = {}) => {
      const kind = await kindOf()
      const group = await studio.send('POST', `${base}/classGroups`, {
        name: 'קורס',
        kindId: kind.id,
        fromDay: '2031-05-20',
      })
      const row = await classOf(kind.id, course ? { groupId: group.id } : {})
      const [dana, gil, ruth, omer] = await Promise.all(
        ['דנה', 'גיל', 'רות', 'עומר'].map((name) => studio.customer(name)),
      )
      const who = { dana: dana!, gil: gil!, ruth: ruth!, omer: omer! }
      if (course)
        await studio.call(calls.setGroupPeople, {
          id: group.id,
          people: [dana, gil].map((one) => ({ customerId: one!.id, fromDay: '2031-05-20', toDay: null })),
        })
      else for (const one of [dana, gil]) await book(row.id, one!.id)
      if (waits) await book(row.id, ruth!.id, { wait: true })
      const idOf = async (name: string) =>
        (await studio.call(calls.classPeople, { id: row.id })).people.find(
          ({ customerName }) => customerName === name,
        )!.id
      const of: Full = { row, groupId: group.id, who, dana: await idOf('דנה'), gil: await idOf('גיל') }
      if (offered) await studio.call(calls.cancelBooking, { id: of.dana })
      if (at) now = new Date(`2031-05-22T${at}:00Z`)
      const { companyId } = await studio.get('/api/user/session')
      const deed = (work: Deed, after?: () => Promise<void>) =>
        asCaller(world.app, systemCaller(companyId), '', async (ctx) => {
          await work(ctx, of)
          await after?.()
        })
      let [goOn, hasBegun] = [() => {}, () => {}]
      const gate = new Promise<void>((done) => (goOn = done))
      const begun = new Promise<void>((done) => (hasBegun = done))
      const one = deed(first, () => {
        hasBegun()
        // What it did is seen by nobody yet.
        return gate
      })
      await Promise.race([begun, one])
      let isOver = false
      const other = deed(second).finally(() => (isOver = true))
      // The second waits for the first, or has gone past it.
      const waitsForIt = async () =>
        (
          await world.app.db.pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows.length > 0
      while (!isOver && !(await waitsForIt())) await new Promise((done) => setTimeout(done, 20))
      goOn()
      await Promise.all([one, other])
      const { rows } = await sql<{
        free: number
        waiting: number
      }>`select (select count(*) from class_seats where class_id = ${row.id} and booking_id is null)::int as
          free,
      (select count(*) from class_bookings where class_id = ${row.id} and state = 'waiting')::int as
      waiting`.execute(world.app.db.kysely)
      expect(Math.min(rows[0]!.free, rows[0]!.waiting)).toBe(0)
      expect((await people(row.id)).find((one) => one.startsWith('עומר'))?.split(' ')[1] ?? 'none').toBe(
        becomes,
      )
      if (becomes === 'none')
        expect((await people(row.id)).filter((one) => one.includes('waiting'))).toEqual([])
    },
  )

  test('whoever sees only his own customers keeps the queue of all, and cancels a class for all', async () => {
    const row = await classOf((await kindOf()).id)
    const [dana, gil, ruth, omer] = await Promise.all(
      ['דנה', 'גיל', 'רות', 'עומר'].map((name) => studio.customer(name)),
    )
    const { id } = await book(row.id, dana!.id)
    const his = await book(row.id, gil!.id)
    await book(row.id, ruth!.id, { wait: true })
    const { companyId } = await studio.get('/api/user/session')
    const { rows } = await sql<{
      id: string
    }>`select user_id as id from memberships where company_id = ${companyId} limit 1`.execute(
      world.app.db.kysely,
    )
    await sql`update parties set agent_id = ${rows[0]!.id}
      where id = any (${[dana!.id, omer!.id]}::uuid[])`.execute(world.app.db.kysely)
    const asHim = <T>(work: (ctx: Ctx) => Promise<T>) =>
      asCaller(world.app, { ...systemCaller(companyId, rows[0]!.id), ownCustomersOnly: true }, '', work)
    await expect(asHim((ctx) => cancelBooking(ctx, { id: his.id, waive: true }))).rejects.toMatchObject({
      status: 404,
    })
    await asHim((ctx) => cancelBooking(ctx, { id, waive: true }))
    expect(await people(row.id)).toEqual(['גיל booked', 'רות offered'])
    // Nobody is seen waiting, and nobody passes her.
    await expect(
      asHim((ctx) => bookIn(ctx, { ...joining(row.id, omer!.id), wait: false })),
    ).rejects.toMatchObject({
      code: 'bookings.full',
    })
    await asHim((ctx) => cancelClass(ctx, { id: row.id, version: row.version, following: false, reason: '' }))
    expect(await people(row.id)).toEqual([])
  })

  test('whoever missed as often as a kind bears books at the desk alone, for a reason, until it is thirty days ago', async () => {
    const kind = await kindOf({ seats: 20, strikes: 2, lateFeeAgorot: 0, noShowFeeAgorot: 0 })
    const { id: dana } = await studio.customer('דנה')
    const late = await book((await classOf(kind.id, { day: '2031-05-20', at: '18:00' })).id, dana)
    await studio.call(calls.cancelBooking, { id: late.id })
    const missed = await book((await classOf(kind.id, { day: '2031-05-20', at: '20:00' })).id, dana)
    const ahead = await book((await classOf(kind.id, { day: '2031-05-23' })).id, dana)
    now = new Date('2031-05-21T09:00:00Z')
    await studio.call(calls.markBooking, { id: missed.id, state: 'missed' })
    const next = await classOf(kind.id)
    await expect(book(next.id, dana)).rejects.toMatchObject({ code: 'bookings.refused' })
    // Other kinds do not ask, and what is booked stays.
    await book((await classOf((await kindOf({ name: 'פילאטיס' })).id)).id, dana)
    await book(next.id, dana, { override: 'דיברנו' })
    now = new Date('2031-05-23T15:30:00Z')
    await studio.call(calls.markBooking, { id: ahead.id, state: 'came' })
    now = new Date('2031-06-19T09:00:00Z')
    await book((await classOf(kind.id, { day: '2031-06-20' })).id, dana)
  })

  test('the desk knows a customer by his key, and has what is told him ready for WhatsApp in his language', async () => {
    const row = await classOf((await kindOf({ seats: 1 })).id)
    const dana = await studio.customer('Dana', { mobile: '0521234567', customKey: 'QWAZ-17', language: 'en' })
    const gil = await studio.customer('גיל', { mobile: '0537654321' })
    const first = await book(row.id, dana.id)
    const there = (await studio.call(calls.deskDay, { day: '2031-05-22' })).rows[0]!.people
    expect(there.map(({ customerKey }) => customerKey)).toEqual(['QWAZ-17'])
    expect(
      (await studio.call(calls.listEntries, { q: 'QWAZ-17' })).rows.map(({ customerId }) => customerId),
    ).toEqual([dana.id])
    const { url, text } = await studio.call(calls.bookingMessage, { id: first.id })
    expect(text).toMatch(/^Dana, see you at יוגה on 22\/05\/2031 at 18:00/)
    expect(new URL(url)).toMatchObject({ host: 'wa.me', pathname: '/972521234567' })
    expect(new URL(url).searchParams.get('text')).toBe(text)
    // An offer says until when it is valid.
    await book(row.id, gil.id, { wait: true })
    await studio.call(calls.cancelBooking, { id: first.id })
    const [offer] = (await studio.call(calls.classPeople, { id: row.id })).people
    expect((await studio.call(calls.bookingMessage, { id: offer!.id })).text).toContain('20/05 13:00')
    await expect(
      studio.call(calls.bookingMessage, { id: '01890000-0000-7000-8000-000000000002' }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('a booking sent twice without a network is one', async () => {
    const kind = await kindOf()
    const row = await classOf(kind.id)
    const { id } = await studio.customer('דנה')
    const clientId = '01890000-0000-7000-8000-000000000001'
    const [one, two] = [
      await book(row.id, id, { clientId, came: true }),
      await book(row.id, id, { clientId, came: true }),
    ]
    expect(one.id).toBe(two.id)
    expect(one.state).toBe('came')
  })
})

describe('passes', () => {
  const passKind = (more: object = {}) =>
    studio.send('POST', `${base}/passKinds`, {
      name: 'כרטיסייה',
      visits: 2,
      days: 30,
      priceAgorot: 20000,
      ...more,
    })
  const sell = (kindId: string, customerId: string, more: object = {}) =>
    studio.call(passCalls.sellPass, { kindId, customerId, ...more } as never)
  const left = async (id: string) => (await studio.call(passCalls.getPass, { id })).row.left

  test('a visit is used once, goes back in time and not when it is late, and never goes below nothing', async () => {
    const kind = await kindOf({ seats: 20 })
    const { id: dana } = await studio.customer('דנה')
    const pass = await sell((await passKind()).id, dana)
    expect(pass).toMatchObject({ left: 2, toDay: '2031-06-18', state: 'active' })
    const [one, two, three] = [
      await classOf(kind.id),
      await classOf(kind.id, { at: '20:00' }),
      await classOf(kind.id, { day: '2031-05-20', at: '15:00' }),
    ]
    const first = await book(one.id, dana)
    expect(first).toMatchObject({ pays: 'pass', passLeft: 1, isPaid: true })
    await studio.call(calls.cancelBooking, { id: first.id })
    await studio.call(calls.cancelBooking, { id: first.id })
    expect(await left(pass.id)).toBe(2)
    // Three hours before: the visit is gone, and the fee is said beforehand and kept.
    const late = await book(three.id, dana)
    expect(await studio.call(calls.cancelCost, { id: late.id })).toMatchObject({
      isLate: true,
      feeAgorot: 2000,
      returnsVisit: false,
    })
    expect(await studio.call(calls.cancelBooking, { id: late.id })).toMatchObject({
      state: 'late',
      feeAgorot: 2000,
    })
    expect(await left(pass.id)).toBe(1)
    // Two presses for two classes with one visit left: the second is booked at its price.
    const both = await Promise.all([book(one.id, dana), book(two.id, dana)])
    expect(both.map(({ pays }) => pays).toSorted()).toEqual(['pass', 'price'])
    expect(await left(pass.id)).toBe(0)
    await expect(
      studio.call(passCalls.fixPass, { id: pass.id, visits: -1, note: 'טעות' }),
    ).rejects.toMatchObject({
      code: 'passes.noneLeft',
    })
    // The studio cancels: everything goes back.
    const { told } = await studio.call(timetable.cancelClass, {
      id: one.id,
      version: one.version,
      reason: 'המורה חולה',
    } as never)
    expect(told).toBe(0)
    expect(await left(pass.id)).toBe(both[0]!.pays === 'pass' ? 1 : 0)
  })

  test('is frozen for days on which nothing is booked, and lasts so much longer; what ran out says what was left', async () => {
    const kind = await kindOf({ seats: 20 })
    const { id: dana } = await studio.customer('דנה', { email: 'dana@example.com' })
    const pass = await sell((await passKind({ freezeDays: 10 })).id, dana)
    const letters = async () =>
      (
        await world.app.db.pool.query<{ body: string }>(
          `select m.body from messages m join passes p on p.company_id = m.company_id and p.id = $1 where m.body like '%הכרטיסייה%' order by m.id`,
          [pass.id],
        )
      ).rows.map(({ body }) => body)
    const row = await classOf(kind.id)
    const booking = await book(row.id, dana)
    await expect(
      studio.call(passCalls.freezePass, { id: pass.id, fromDay: '2031-05-21', toDay: '2031-05-24' }),
    ).rejects.toMatchObject({
      errors: [{ code: 'passes.frozenVisit' }],
    })
    await studio.call(calls.cancelBooking, { id: booking.id })
    await expect(
      studio.call(passCalls.freezePass, { id: pass.id, fromDay: '2031-05-21', toDay: '2031-05-31' }),
    ).rejects.toMatchObject({
      errors: [{ code: 'passes.freezeTooLong' }],
    })
    expect(
      await studio.call(passCalls.freezePass, { id: pass.id, fromDay: '2031-05-21', toDay: '2031-05-24' }),
    ).toMatchObject({
      toDay: '2031-06-22',
      frozenDays: 4,
    })
    expect(await book(row.id, dana)).toMatchObject({ pays: 'price' })
    // A week before it ends there is one message; and then one that it has ended with visits in it.
    const { expire, warn } = await import('#features/calendar/passes/server/index.ts')
    await warn(world.app, '2031-06-14')
    expect(await letters()).toEqual([])
    await warn(world.app, '2031-06-15')
    await warn(world.app, '2031-06-16')
    expect(await letters()).toEqual([expect.stringMatching(/22\/06\/2031.*שתי כניסות/)])
    now = new Date('2031-06-23T09:00:00Z')
    expect(await expire(world.app, '2031-06-23')).toBeGreaterThan(0)
    expect(await expire(world.app, '2031-06-23')).toBe(0)
    expect((await letters())[1]).toMatch(/הסתיימה.*22\/06\/2031.*שתי כניסות/)
    expect(await letters()).toHaveLength(2)
    expect(await studio.call(passCalls.getPass, { id: pass.id })).toMatchObject({
      row: { state: 'ended', left: 0 },
      moves: [{ why: 'expired', visits: -2 }, {}, {}, {}],
    })
  })

  test('that the desk ends is closed with what was left in it', async () => {
    const { id: dana } = await studio.customer('דנה')
    const pass = await sell((await passKind()).id, dana)
    await studio.call(passCalls.endPass, { id: pass.id })
    expect(await studio.call(passCalls.getPass, { id: pass.id })).toMatchObject({
      row: { state: 'ended', left: 0 },
      moves: [{ why: 'ended', visits: -pass.left! }, { why: 'bought' }],
    })
  })

  test('another’s pass pays nothing, a trial is had once, a family shares one', async () => {
    const kind = await kindOf({ seats: 20 })
    const [dana, gil] = [await studio.customer('דנה'), await studio.customer('גיל')]
    const pass = await sell((await passKind()).id, dana.id)
    const row = await classOf(kind.id)
    await expect(book(row.id, gil.id, { pays: 'pass', passId: pass.id })).rejects.toMatchObject({
      errors: [{ path: 'passId', code: 'passes.notHis' }],
    })
    const family = await passKind({ name: 'משפחתי', people: 2 })
    await sell(family.id, dana.id, { people: [gil.id] })
    expect(await book(row.id, gil.id)).toMatchObject({ pays: 'pass', passName: 'משפחתי' })
    await expect(
      sell((await passKind({ name: 'יחיד' })).id, dana.id, { people: [gil.id] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'people' }],
    })
    const trial = await passKind({ name: 'היכרות', isTrial: true })
    await sell(trial.id, gil.id)
    await expect(sell(trial.id, gil.id)).rejects.toMatchObject({ errors: [{ code: 'passes.trialOnce' }] })
  })
})

describe('the desk', () => {
  test('lets nobody in who owes, lacks a declaration or is kept out, but for a reason that is kept', async () => {
    const kind = await kindOf({ seats: 20, needsHealth: true, debtLimitAgorot: 10000 })
    const row = await classOf(kind.id)
    const dana = await studio.customer('דנה')
    await expect(book(row.id, dana.id)).rejects.toMatchObject({ code: 'bookings.refused' })
    const { id } = await studio.call(calls.askHealth, {
      customerId: dana.id,
      signer: { name: 'דנה כהן', channel: 'person' },
    })
    const answers = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`q${n}`, 'לא']))
    await signByKey(world, await keyToSign(studio, id), { ...answers, date: '2031-05-20', sign: strokes })
    await followSigning(world)
    const booking = await book(row.id, dana.id)
    await studio.invoice(dana.id, '200')
    const of = async () => (await studio.call(calls.listEntries, { q: 'דנה' })).rows[0]!
    expect((await of()).refusals.toSorted()).toEqual(['debt', 'noPass'])
    now = new Date('2031-05-22T14:50:00Z')
    await expect(studio.call(calls.markBooking, { id: booking.id, state: 'came' })).rejects.toMatchObject({
      code: 'bookings.refused',
    })
    expect(
      await studio.call(calls.markBooking, { id: booking.id, state: 'came', override: 'ישלם בסוף השיעור' }),
    ).toMatchObject({
      state: 'came',
    })
    // A year on the declaration has ended.
    now = new Date('2032-05-21T14:50:00Z')
    expect((await of()).refusals).toContain('health')
    await studio.call(calls.ban, { customerId: dana.id, why: 'הפרת תקנון' })
    expect(await of()).toMatchObject({ may: false, ban: 'הפרת תקנון' })
  })

  test('a code at the desk is good for a moment; read without a network it is judged by when it was read', async () => {
    const dana = await studio.customer('דנה כהן')
    const row = await classOf((await kindOf()).id, { day: '2031-05-20', at: '18:00' })
    const { id } = await book(row.id, dana.id)
    const text = doorCode(world.app, id, now)
    const at = now.toISOString()
    const scan = (more: object = {}) => studio.call(calls.scanBooking, { text, ...more } as never)
    now = new Date('2031-05-20T10:00:00Z')
    await expect(scan()).rejects.toMatchObject({ code: 'bookings.oldCode' })
    await expect(scan({ at: '2031-05-20T09:30:00Z' })).rejects.toMatchObject({ code: 'bookings.oldCode' })
    await expect(scan({ text: text.slice(0, -1) })).rejects.toMatchObject({ code: 'bookings.unknownCode' })
    expect((await studio.call(calls.getBooking, { id })).state).toBe('booked')
    // The desk had no network for an hour: the time of arrival is kept, and twice counts once.
    for (let i = 0; i < 2; i++) {
      const { state, cameAt } = await scan({ at })
      expect([state, new Date(cameAt!).toISOString()]).toEqual(['came', at])
    }
    now = new Date('2031-05-22T10:00:00Z')
    await expect(scan({ at })).rejects.toMatchObject({ code: 'bookings.oldCode' })
  })

  test('who did not come is charged as it was said, on a draft of a paper', async () => {
    const kind = await kindOf()
    const row = await classOf(kind.id)
    const booking = await book(row.id, (await studio.customer('דנה')).id)
    await expect(studio.call(calls.markBooking, { id: booking.id, state: 'missed' })).rejects.toMatchObject({
      code: 'bookings.kept',
    })
    now = new Date('2031-05-22T17:00:00Z')
    expect(await studio.call(calls.markBooking, { id: booking.id, state: 'missed' })).toMatchObject({
      feeAgorot: 3000,
    })
    const { documentId, type } = await studio.call(calls.chargeBooking, { id: booking.id })
    expect(type).toBe(9)
    expect(await studio.call(calls.chargeBooking, { id: booking.id })).toMatchObject({ documentId })
    await settleHeld(world.app)
    const { rows } = await studio.get(`${base}/reports/attendance?from=2031-05-01&to=2031-05-31`)
    expect(rows[0]).toMatchObject({ registered: 1, came: 0, missed: 1, filledBp: 5000, feesAgorot: 3000 })
  })

  test('a course has its people in each of its classes, also in those made later', async () => {
    const kind = await kindOf({ seats: 3 })
    const group = await studio.send('POST', `${base}/classGroups`, {
      name: 'קפוארה א',
      kindId: kind.id,
      fromDay: '2031-05-20',
    })
    const [dana, gil] = [await studio.customer('דנה'), await studio.customer('גיל')]
    const day = { fromDay: '2031-05-20', toDay: null }
    await studio.call(calls.setGroupPeople, { id: group.id, people: [{ customerId: dana.id, ...day }] })
    const row = await classOf(kind.id, { groupId: group.id })
    expect(await people(row.id)).toEqual(['דנה booked'])
    expect(
      await studio.call(calls.setGroupPeople, { id: group.id, people: [{ customerId: gil.id, ...day }] }),
    ).toMatchObject({
      booked: 1,
      cancelled: 1,
    })
    expect(await people(row.id)).toEqual(['גיל booked'])
    // Of a series each of its classes, and each that is made when its time comes.
    await studio.call(timetable.createClass, {
      kindId: kind.id,
      day: '2031-05-25',
      at: '08:00',
      trainerId: null,
      placeId: null,
      groupId: group.id,
      repeat: { unit: 'week', every: 1, days: [0], untilDay: null, times: null },
    } as never)
    const seats = async (from: string, to: string) => {
      const { rows } = await studio.call(timetable.listClasses, { from, to })
      return Promise.all(
        rows.filter(({ at }) => at === '08:00').map(async ({ id, day }) => [day, await people(id)]),
      )
    }
    expect(await seats('2031-05-25', '2031-06-08')).toEqual(
      ['2031-05-25', '2031-06-01', '2031-06-08'].map((on) => [on, ['גיל booked']]),
    )
    expect(await seats('2031-08-24', '2031-08-31')).toEqual([])
    now = new Date('2031-06-03T09:00:00Z')
    await makeAhead(world.app)
    expect(await seats('2031-08-24', '2031-08-31')).toEqual([
      ['2031-08-24', ['גיל booked']],
      ['2031-08-31', ['גיל booked']],
    ])
  })
})

describe('the page on which customers book', () => {
  async function open(more: object = {}) {
    const settings = await studio.call(page.setBookingSettings, {
      isOn: true,
      remindHours: 24,
      ...more,
    } as never)
    return settings.url.split('/').at(-1)!
  }
  const ask = <E extends Parameters<typeof callAs>[1]>(endpoint: E, input: object) =>
    callAs(world, endpoint, input as never) as Promise<any>
  /** The short messages to a number that were kept in the folder of them, oldest first. */
  const textsTo = (phone: string): string[] => {
    const folder = join(world.app.settings.dataDir, 'sms')
    return readdirSync(folder)
      .toSorted()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((text) => text.includes(phone.replace(/^0/, '')))
  }
  const codeSent = (phone: string): string =>
    /\b\d{6}\b/.exec(textsTo(phone).at(-1)!.replaceAll(phone, ''))![0]
  async function enter(key: string, phone: string, name: string): Promise<string> {
    const { codeId } = await ask(page.sendCode, { key, phone, name })
    return (await ask(page.verifyCode, { key, codeId, code: codeSent(phone) })).token
  }

  test('a stranger proves his phone, books, waits, is reminded and cancels; nobody else’s bookings are his', async () => {
    const kind = await kindOf({ seats: 1 })
    const row = await classOf(kind.id)
    const key = await open()
    const shown = await ask(page.showBookingPage, { key })
    expect(shown.classes).toMatchObject([
      {
        name: 'יוגה',
        free: 1,
        isBookable: true,
        cancelHours: 12,
        lateFeeAgorot: 2000,
        noShowFeeAgorot: 3000,
        strikes: null,
      },
    ])
    const dana = await enter(key, '0521234567', 'דנה')
    const gil = await enter(key, '0537654321', 'גיל')
    expect(await ask(page.bookOnPage, { key, token: dana, classId: row.id })).toMatchObject({
      state: 'booked',
    })
    await expect(ask(page.bookOnPage, { key, token: gil, classId: row.id })).rejects.toMatchObject({
      code: 'bookings.full',
    })
    expect(await ask(page.bookOnPage, { key, token: gil, classId: row.id, wait: true })).toMatchObject({
      state: 'waiting',
    })
    const his = await ask(page.myBookings, { key, token: dana })
    expect(his).toMatchObject({
      name: 'דנה',
      bookings: [{ state: 'booked', toPayAgorot: 6000, freeUntil: '2031-05-22T03:00:00.000Z' }],
    })
    // A personal calendar shows one's own bookings and nothing else; a new address ends the one before.
    await classOf(kind.id, { at: '20:00' })
    const feed = async (url: string) => world.http.inject({ method: 'GET', url: new URL(url).pathname })
    const { url } = await ask(page.feedOnPage, { key, token: dana })
    const events = async (at: string) =>
      ((await feed(at)).body.match(/^UID:.*$/gm) ?? []).map((line) =>
        line.slice(4).replace('@pinkas', '').trim(),
      )
    expect(await events(url)).toEqual([row.id])
    const second = await ask(page.feedOnPage, { key, token: gil })
    // On the waiting list: nothing is booked yet.
    expect(await events(second.url)).toEqual([])
    const again = await ask(page.feedOnPage, { key, token: dana })
    expect((await feed(url)).statusCode).toBe(404)
    expect(await events(again.url)).toEqual([row.id])
    await expect(ask(page.cancelOnPage, { key, token: gil, id: his.bookings[0].id })).rejects.toMatchObject({
      status: 404,
    })
    await expect(ask(page.myBookings, { key, token: `${dana}x` })).rejects.toMatchObject({
      code: 'bookingPage.logInAgain',
    })
    now = new Date('2031-05-21T16:00:00Z')
    await world.worker.drain()
    const before = textsTo('0521234567').length
    expect(await remind(world.app)).toBe(1)
    expect(await remind(world.app)).toBe(0)
    await world.worker.drain()
    expect(textsTo('0521234567')).toHaveLength(before + 1)
    expect(textsTo('0521234567').at(-1)).toContain('18:00')
    // Late: the price is shown first, and only then it is done.
    now = new Date('2031-05-22T08:00:00Z')
    await expect(ask(page.cancelOnPage, { key, token: dana, id: his.bookings[0].id })).rejects.toMatchObject({
      code: 'bookings.lateNow',
    })
    await ask(page.cancelOnPage, { key, token: dana, id: his.bookings[0].id, late: true })
    const [offer] = (await ask(page.myBookings, { key, token: gil })).bookings
    expect(offer.state).toBe('offered')
    await ask(page.confirmOnPage, { key, token: gil, id: offer.id })
    expect(await people(row.id)).toEqual(['גיל booked'])
  })

  test('what is too far ahead or too near, somebody unknown, and paying where nobody takes cards', async () => {
    const kind = await kindOf({ aheadDays: 2, leadMinutes: 60 })
    const [far, fits, near] = [
      await classOf(kind.id, { day: '2031-05-23' }),
      await classOf(kind.id, { day: '2031-05-22' }),
      await classOf(kind.id, { day: '2031-05-20', at: '13:00' }),
    ]
    const key = await open()
    const dana = await enter(key, '0524445661', 'דנה')
    const bookIt = (classId: string) => ask(page.bookOnPage, { key, token: dana, classId })
    await expect(bookIt(far.id)).rejects.toMatchObject({ status: 409, code: 'bookings.tooEarly' })
    // An hour before it begins.
    await expect(bookIt(near.id)).rejects.toMatchObject({ status: 409, code: 'bookings.closed' })
    const { id } = await bookIt(fits.id)
    await expect(ask(page.payOnPage, { key, token: dana, bookingId: id })).rejects.toMatchObject({
      status: 409,
      code: 'bookingPage.notOnline',
    })
    const closed = await open({ newPeople: false })
    await expect(enter(closed, '0524445662', 'זר')).rejects.toMatchObject({
      status: 403,
      code: 'bookingPage.unknown',
    })
    await enter(closed, '0524445661', 'דנה')
  })

  test('where whoever books pays at once, his seat is held for ten minutes: paid it is his, and else the next one’s', async () => {
    world.app.settings.testAcquirer = true
    const kind = await kindOf({ seats: 1 })
    const [row, later] = [await classOf(kind.id), await classOf(kind.id, { at: '20:00' })]
    const key = await open({ payFirst: true })
    const dana = await enter(key, '0524445551', 'דנה')
    const gil = await enter(key, '0524445552', 'גיל')
    // Nobody can pay here yet: it is booked and paid at the desk.
    expect(await ask(page.bookOnPage, { key, token: dana, classId: later.id })).toMatchObject({
      state: 'booked',
    })
    await studio.call(addTerminal, { gateway: 'test' })
    const held = await ask(page.bookOnPage, { key, token: dana, classId: row.id })
    expect(held.state).toBe('held')
    const hers = async () =>
      (await ask(page.myBookings, { key, token: dana })).bookings.find(
        ({ id }: { id: string }) => id === held.id,
      )
    expect(await hers()).toMatchObject({
      state: 'held',
      untilAt: '2031-05-20T09:10:00.000Z',
      toPayAgorot: 6000,
    })
    await expect(ask(page.confirmOnPage, { key, token: dana, id: held.id })).rejects.toMatchObject({
      code: 'bookings.notOffered',
    })
    await expect(ask(page.bookOnPage, { key, token: gil, classId: row.id })).rejects.toMatchObject({
      code: 'bookings.full',
    })
    // She does not pay: the seat is free, and what it was asked by takes no money.
    const { url } = await ask(page.payOnPage, { key, token: dana, bookingId: held.id })
    const link = String(url).split('/').at(-1)!
    const paperOf = async (id: string) => (await studio.call(calls.getBooking, { id })).documentId!
    const asked = await paperOf(held.id)
    await lapse(world.app)
    expect((await hers()).state).toBe('held')
    now = new Date('2031-05-20T09:10:01Z')
    await lapse(world.app)
    expect(await hers()).toBeUndefined()
    expect((await studio.call(getDocument, { id: asked })).status).toBe('cancelled')
    await expect(ask(beginLink, { key: link })).rejects.toMatchObject({ status: 409 })
    // The next one pays, and has it however late the minute comes.
    const his = await ask(page.bookOnPage, { key, token: gil, classId: row.id })
    const pays = String((await ask(page.payOnPage, { key, token: gil, bookingId: his.id })).url)
      .split('/')
      .at(-1)!
    const form = await ask(beginLink, { key: pays })
    await ask(testPay, {
      key: String(form.url).split('/').at(-1)!,
      number: '4242424242424242',
      month: 12,
      year: 2032,
      cvv: '123',
      instalments: 1,
    })
    await world.worker.drain()
    now = new Date('2031-05-20T09:30:00Z')
    await lapse(world.app)
    expect((await ask(page.myBookings, { key, token: gil })).bookings).toMatchObject([
      { state: 'booked', untilAt: null, toPayAgorot: 0 },
    ])
    expect(await people(row.id)).toEqual(['גיל booked'])
  })

  test('an hour that was not paid for is free again', async () => {
    world.app.settings.testAcquirer = true
    await studio.call(addTerminal, { gateway: 'test' })
    const kind = await kindOf({ name: 'אימון אישי', isAppointment: true, minutes: 45 })
    const who = await trainer()
    await studio.call(timetable.setTrainerHours, {
      id: who.id,
      hours: [[], [], [], [], [['09:00', '10:00']], [], []],
    })
    const key = await open({ payFirst: true })
    const token = await enter(key, '0524445553', 'דנה')
    const free = async () =>
      (await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows.length
    const had = await free()
    const wanted = { key, token, kindId: kind.id, trainerId: who.id, day: '2031-05-22', at: '09:00' }
    expect((await ask(page.appointOnPage, wanted)).state).toBe('held')
    expect(await free()).toBe(0)
    now = new Date('2031-05-20T09:10:01Z')
    await lapse(world.app)
    expect(await free()).toBe(had)
  })

  test('somebody new reserves five hours without paying, pressed at once or cancelled and taken again', async () => {
    const kind = await kindOf({ name: 'אימון אישי', isAppointment: true, minutes: 45, priceAgorot: 20_000 })
    const who = await trainer()
    await studio.call(timetable.setTrainerHours, {
      id: who.id,
      hours: [[], [], [], [], [['08:00', '20:00']], [], []],
    })
    const key = await open()
    const [dana, gil] = [await enter(key, '0524445571', 'דנה'), await enter(key, '0524445572', 'גיל')]
    const tooMany = { status: 409, code: 'bookings.tooManyUnpaid' }
    const hours: string[] = (
      await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })
    ).rows.map(({ at }: { at: string }) => at)
    const appoint = (token: string, at: string) =>
      ask(page.appointOnPage, { key, token, kindId: kind.id, trainerId: who.id, day: '2031-05-22', at })
    // Each second hour is apart from the one before.
    const apart = hours.filter((_, i) => i % 3 === 0)
    const tries = await Promise.allSettled(apart.slice(0, 8).map((at) => appoint(dana, at)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(tooMany)
    // Others book on.
    const left = (await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows
    expect((await appoint(gil, left.at(-1).at)).state).toBe('booked')
    // A waiting list reserves nothing.
    const yoga = await kindOf({ seats: 1 })
    const class1 = await classOf(yoga.id)
    await ask(page.bookOnPage, { key, token: gil, classId: class1.id })
    expect(await ask(page.bookOnPage, { key, token: dana, classId: class1.id, wait: true })).toMatchObject({
      state: 'waiting',
    })
    // To cancel and take another one makes room five times a day, and not for ever.
    const mine = async (): Promise<{ id: string; state: string }[]> =>
      (await ask(page.myBookings, { key, token: dana })).bookings.filter(
        ({ state }: { state: string }) => state === 'booked',
      )
    for (let n = 0; n < 5; n++) {
      await ask(page.cancelOnPage, { key, token: dana, id: (await mine())[0]!.id, late: true })
      const free = (await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows
      if (n < 4) await appoint(dana, free[0].at)
      else await expect(appoint(dana, free[0].at)).rejects.toMatchObject(tooMany)
    }
    // The desk books whomever it wants.
    const { bookings } = await ask(page.myBookings, { key, token: dana })
    const { customerId } = await studio.call(calls.getBooking, { id: bookings[0].id })
    const class2 = await classOf(yoga.id, { at: '21:00' })
    expect(
      (await studio.call(calls.makeBooking, { classId: class2.id, customerId } as never)) as {
        state: string
      },
    ).toMatchObject({ state: 'booked' })
  })

  test('new customers from one address have a limit together; who came before and who is elsewhere has not', async () => {
    const yoga = await kindOf({ seats: 30, priceAgorot: 5_000 })
    const class1 = await classOf(yoga.id)
    const key = await open()
    const [home, elsewhere] = [{ address: '10.55.0.1' }, { address: '10.55.0.2' }]
    const phones = Array.from({ length: 18 }, (_, n) => `05255500${10 + n}`)
    const tokens: string[] = []
    for (const phone of phones) tokens.push(await enter(key, phone, 'חדשה'))
    const book = (token: string, at: { address: string }) =>
      callAs(world, page.bookOnPage, { key, token, classId: class1.id } as never, at)
    const tries = await Promise.allSettled(tokens.slice(0, 17).map((token) => book(token, home)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
    for (const one of tries)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ status: 409, code: 'bookings.tooManyUnpaid' })
    await expect(book(tokens[17]!, home)).rejects.toMatchObject({ code: 'bookings.tooManyUnpaid' })
    expect(await book(tokens[17]!, elsewhere)).toMatchObject({ state: 'booked' })
    // A customer who was here before books from there.
    const came = await enter(key, phones[0]!, '')
    const { bookings } = await callAs(world, page.myBookings, { key, token: came } as never, elsewhere)
    await world.app.db.pool.query(
      `update class_bookings set came_at = now() where customer_id = (select customer_id from class_bookings where id = $1)`,
      [(bookings as { id: string }[])[0]?.id],
    )
    // Their own bookings count no more, which makes room for one of those who were refused.
    const refused = tokens[tries.findIndex(({ status }) => status === 'rejected')]!
    expect(await book(refused, home)).toMatchObject({ state: 'booked' })
    const class2 = await classOf(yoga.id, { at: '21:00' })
    const later = (token: string) =>
      callAs(world, page.bookOnPage, { key, token, classId: class2.id } as never, home)
    expect(await later(came)).toMatchObject({ state: 'booked' })
    await expect(later(refused)).rejects.toMatchObject({ code: 'bookings.tooManyUnpaid' })
  })

  test('an hour whose only person cancelled is free again, pays no trainer, and a late fee of it is told all the same', async () => {
    const kind = await kindOf({
      name: 'אימון אישי',
      isAppointment: true,
      minutes: 45,
      priceAgorot: 20_000,
      cancelHours: 24,
      lateFeeAgorot: 5_000,
    })
    const who = await trainer()
    await studio.call(timetable.setTrainerHours, {
      id: who.id,
      hours: [[], [], [], [], [['09:00', '10:00']], [], []],
    })
    const key = await open()
    const token = await enter(key, '0524445554', 'דנה')
    const free = async () =>
      (await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows.length
    const had = await free()
    const appoint = () =>
      ask(page.appointOnPage, {
        key,
        token,
        kindId: kind.id,
        trainerId: who.id,
        day: '2031-05-22',
        at: '09:00',
      })
    const classOfBooking = async (id: string) => (await studio.call(calls.getBooking, { id })).classId
    const state = async (id: string) =>
      (await studio.call(timetable.getClass, { id: await classOfBooking(id) })).state
    const first = await appoint()
    expect(await free()).toBe(0)
    await ask(page.cancelOnPage, { key, token, id: first.id })
    expect([await state(first.id), await free()]).toEqual(['cancelled', had])
    // By the desk, too, and late: the fee stays, the hour does not.
    const again = await appoint()
    now = new Date('2031-05-22T04:00:00Z')
    expect(await studio.call(calls.cancelBooking, { id: again.id, waive: false } as never)).toMatchObject({
      state: 'late',
      feeAgorot: 5_000,
    })
    expect([await state(again.id), await free()]).toEqual(['cancelled', had])
    now = new Date('2031-05-23T04:00:00Z')
    const told = await studio.get('/api4/invoice/reports/attendance?from=2031-05-22&to=2031-05-22')
    expect(told.rows).toMatchObject([{ registered: 0, late: 1, feesAgorot: 5_000 }])
  })

  test('an hour somebody waits for is his when it is given back; one of a class stays a class', async () => {
    const kind = await kindOf({ name: 'אימון אישי', isAppointment: true, minutes: 45 })
    const hour = await classOf(kind.id)
    const [one, two] = [(await studio.customer('אחת')).id, (await studio.customer('שתיים')).id]
    const booked = await book(hour.id, one)
    await book(hour.id, two, { wait: true })
    await studio.call(calls.cancelBooking, { id: booked.id, waive: true } as never)
    expect((await studio.call(timetable.getClass, { id: hour.id })).state).toBe('planned')
    expect(await people(hour.id)).toEqual(['שתיים offered'])
    const open = await classOf((await kindOf()).id, { at: '20:00' })
    const alone = await book(open.id, one)
    await studio.call(calls.cancelBooking, { id: alone.id, waive: true } as never)
    expect((await studio.call(timetable.getClass, { id: open.id })).state).toBe('planned')
  })

  test('stands in a frame of the sites that were said, and of none once they are taken back or the page is closed', async () => {
    const sites = ['https://studio.example.com']
    const set = (more: object) =>
      studio.call(page.setBookingSettings, { isOn: true, sites, ...more } as never)
    const path = new URL((await set({})).url).pathname
    expect(await sitesOf(world.app, path)).toEqual(sites)
    expect(await sitesOf(world.app, `${path}x`)).toEqual([])
    await set({ isOn: false })
    expect(await sitesOf(world.app, path)).toEqual([])
    await set({ sites: [] })
    expect(await sitesOf(world.app, path)).toEqual([])
  })

  test('a code is good for ten minutes and five tries, and a page of another business takes no token', async () => {
    const key = await open()
    const { codeId } = await ask(page.sendCode, { key, phone: '0521111111', name: 'דנה' })
    const right = codeSent('0521111111')
    const wrong = right === '000000' ? '000001' : '000000'
    for (let n = 0; n < 5; n++)
      await expect(ask(page.verifyCode, { key, codeId, code: wrong })).rejects.toMatchObject({
        errors: [{ code: 'bookingPage.wrongCode' }],
      })
    await expect(ask(page.verifyCode, { key, codeId, code: right })).rejects.toMatchObject({
      code: 'bookingPage.codeEnded',
    })
    const token = await enter(key, '0522222222', 'דנה')
    studio = await newBusiness(world)
    const other = await open()
    await expect(ask(page.myBookings, { key: other, token })).rejects.toMatchObject({
      code: 'bookingPage.logInAgain',
    })
    await expect(ask(page.showBookingPage, { key: 'a'.repeat(26) })).rejects.toMatchObject({ status: 404 })
  })

  test('forty want one hour of one person: one has it, and what lies beside it keeps the room it asks for', async () => {
    const kind = await kindOf({ name: 'אימון אישי', isAppointment: true, bufferAfter: 15, minutes: 45 })
    const who = await trainer()
    await studio.call(timetable.setTrainerHours, {
      id: who.id,
      hours: [[], [], [], [], [['09:00', '12:00']], [], []],
    })
    const key = await open()
    const tokens: string[] = []
    for (let n = 0; n < 8; n++) tokens.push(await enter(key, `05${20000000 + n}`, `לקוח ${n}`))
    const free = async () =>
      (await ask(page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows.map(
        ({ at }: { at: string }) => at,
      )
    expect((await free())[0]).toBe('09:00')
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        ask(page.appointOnPage, {
          key,
          token: tokens[n % 8]!,
          kindId: kind.id,
          trainerId: who.id,
          day: '2031-05-22',
          at: '10:00',
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await free()).toEqual(['09:00', '11:00', '11:15'])
  })
})

describe('letters in words of the business', () => {
  const letter = async () =>
    (
      await world.app.db.pool.query<{ subject: string; body: string }>(
        `select m.subject, m.body from messages m join class_kinds k on k.company_id = m.company_id where m.kind = 'classBooking' and k.name = 'שלנו' order by m.id desc limit 1`,
      )
    ).rows[0]!

  test('are said in the customer’s language, and the ready ones are said again when they are taken back', async () => {
    const kind = await kindOf({ name: 'שלנו', cancelHours: 0 })
    const of = await classOf(kind.id)
    const dana = await studio.customer('דנה', { email: 'dana@example.com' })
    const move = async (at: string) => {
      const { version } = await studio.call(timetable.getClass, { id: of.id })
      await studio.call(timetable.moveClass, {
        id: of.id,
        version,
        day: '2031-05-22',
        at,
        anyway: true,
      } as never)
    }
    await book(of.id, dana.id)
    const words = { subject: 'שימו לב: {title}', text: 'היי {customer}! זזנו ל־{day}, {at}. {unknown' }
    const keep = (given: object) =>
      studio.call(calls.keepBookingWords, { letter: 'moved', language: 'he', words: given } as never)
    const { rows } = await keep(words)
    expect(rows.find((row) => row.letter === 'moved')).toMatchObject({
      ...words,
      isOwn: true,
      gaps: expect.arrayContaining(['day', 'at', 'place', 'link']),
    })
    await move('19:00')
    expect(await letter()).toMatchObject({
      subject: 'שימו לב: שלנו',
      body: 'היי דנה! זזנו ל־22/05/2031, 19:00. {unknown',
    })
    await expect(keep({ ...words, text: 'בלי שעה {day}' })).rejects.toMatchObject({
      errors: [{ path: 'words.text', code: 'bookings.gapMissing' }],
    })
    await expect(keep({ ...words, subject: '{debt}' })).rejects.toMatchObject({
      errors: [{ path: 'words.subject', code: 'bookings.gapUnknown' }],
    })
    await expect(keep({ ...words, text: 'x'.repeat(2001) })).rejects.toMatchObject({
      errors: [{ path: 'words.text' }],
    })
    await studio.call(calls.keepBookingWords, { letter: 'moved', language: 'he', words: null })
    await move('20:00')
    expect((await letter()).subject).not.toContain('שימו לב')
  })
})

test('hours of appointments go onto one invoice, each of them once', async () => {
  const kind = await kindOf({ name: 'ייעוץ', isAppointment: true, priceAgorot: 0, needsHealth: false })
  const dana = await studio.customer('דנה')
  for (const [day, minutes] of [
    ['2031-05-21', 90],
    ['2031-05-22', 50],
    ['2031-06-20', 60],
  ] as const)
    await book((await classOf(kind.id, { day, at: '10:00', minutes })).id, dana.id)
  now = new Date('2031-05-25T09:00:00Z')
  const span = { customerId: dana.id, from: '2031-05-01', to: '2031-06-30' }
  // What is still to be is no hour yet.
  expect(await studio.call(calls.listHours, span)).toMatchObject({
    minutes: 140,
    rows: [{ day: '2031-05-21', at: '10:00', endsAt: '11:30' }, { minutes: 50 }],
  })
  await expect(studio.call(calls.billHours, span as never)).rejects.toMatchObject({
    code: 'bookings.nothingToPay',
  })
  const bill = () =>
    studio.call(calls.billHours, { ...span, hourPriceAgorot: 30_000, withVat: false } as never)
  const made = await Promise.allSettled([bill(), bill()])
  const [won] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(won).toMatchObject({ type: 8, appointments: 2, minutes: 140 })
  const paper = await studio.get(`${base}/documents/${won!.documentId}`)
  expect(
    paper.lines.map((line: { quantity: string; unitPrice: string }) => [line.quantity, line.unitPrice]),
  ).toEqual([
    ['1.5', '300'],
    ['0.8333', '300'],
  ])
  expect(await studio.call(calls.listHours, span)).toEqual({ rows: [], minutes: 0 })
  // A draft that is thrown away gives its hours back.
  await studio.send('DELETE', `${base}/documents/${won!.documentId}`)
  expect(await studio.call(calls.listHours, span)).toMatchObject({ minutes: 140 })
  // One that is written again and issued keeps them: nothing is billed twice.
  const { documentId } = await bill()
  const { lines } = await studio.get(`${base}/documents/${documentId}`)
  const again = lines.map(({ description, quantity, unitPrice }: Record<string, string>) => ({
    description,
    quantity,
    unitPrice,
  }))
  await studio.send('PATCH', `${base}/documents/${documentId}`, {
    type: 8,
    customerId: dana.id,
    lines: again,
  })
  expect(await studio.call(calls.listHours, span)).toEqual({ rows: [], minutes: 0 })
  await studio.send('POST', `${base}/documents/${documentId}/issue`, {})
  expect(await studio.call(calls.listHours, span)).toEqual({ rows: [], minutes: 0 })
  await expect(studio.call(calls.listHours, { ...span, to: '2031-04-01' })).rejects.toMatchObject({
    errors: [{ path: 'to' }],
  })
})

describe('what is refused', () => {
  const backwards = (path: string) => ({ status: 422, errors: [{ path, code: 'classes.backwards' }] })

  test('times that end before they begin', async () => {
    const { id } = await trainer()
    const block = (to: string) =>
      studio.call(timetable.addBlock, {
        trainerId: id,
        fromDay: '2031-05-22',
        from: '10:00',
        toDay: '2031-05-22',
        to,
      })
    await expect(block('10:00')).rejects.toMatchObject(backwards('to'))
    await block('10:01')
    const hours = (...day: [string, string][]) =>
      studio.call(timetable.setTrainerHours, { id, hours: [day, [], [], [], [], [], []] } as never)
    await expect(hours(['10:00', '09:00'])).rejects.toMatchObject(backwards('hours.0'))
    await expect(hours(['09:00', '12:00'], ['11:59', '14:00'])).rejects.toMatchObject(backwards('hours.0'))
    await hours(['09:00', '12:00'], ['12:00', '14:00'])
    const hall = (closes: string) =>
      studio.send('POST', `${base}/classPlaces`, { name: `אולם ${closes}`, opens: '09:00', closes })
    await expect(hall('09:00')).rejects.toMatchObject(backwards('closes'))
    await hall('09:01')
  })

  test('a series without a day, and a kind that classes ahead are of', async () => {
    const kind = await kindOf()
    await expect(
      classOf(kind.id, {
        repeat: { unit: 'week', every: 1, days: [0], untilDay: '2031-05-23', times: null },
      }),
    ).rejects.toMatchObject({ status: 422, code: 'classes.noDays' })
    const row = await classOf(kind.id)
    await expect(studio.send('DELETE', `${base}/classKinds/${kind.id}`)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'name', code: 'classes.inUse' }],
    })
    await studio.call(timetable.cancelClass, { id: row.id, version: row.version, reason: 'x' } as never)
    await studio.send('DELETE', `${base}/classKinds/${kind.id}`)
  })

  test('a pass that has ended, a swap that waits for an answer, and a calendar of our own', async () => {
    const customer = await studio.customer('דנה')
    const passKind = await studio.send('POST', `${base}/passKinds`, {
      name: 'כרטיסייה',
      visits: 5,
      days: 90,
      priceAgorot: 0,
    })
    const pass = await studio.call(passCalls.sellPass, {
      kindId: passKind.id,
      customerId: customer.id,
    } as never)
    const end = () => studio.call(passCalls.endPass, { id: (pass as { id: string }).id })
    await end()
    await expect(end()).rejects.toMatchObject({ status: 409, code: 'passes.isEnded' })

    const [one, two] = [await trainer(), await trainer('רון')]
    const row = await classOf((await kindOf()).id, { trainerId: one.id })
    const swap = () => studio.call(trainers.askSwap, { classId: row.id, toTrainer: two.id } as never)
    await swap()
    await expect(swap()).rejects.toMatchObject({ status: 409, code: 'trainers.swapOpen' })

    world.app.settings.webhooks = { http: true, local: true }
    const { url } = await studio.call(timetable.makeFeed, { trainerId: one.id })
    await expect(
      studio.call(timetable.addOutside, { trainerId: one.id, placeId: null, name: 'שלנו', url } as never),
    ).rejects.toMatchObject({ status: 422, errors: [{ path: 'url', code: 'outsideCalendars.ours' }] })
  })

  test('the sheet of a month that is not over, and of one in which nothing is owed', async () => {
    const supplier = await studio.send('POST', `${base}/suppliers`, { name: 'נעמה' })
    const { id } = await trainer('נעמה', { supplierId: supplier.id })
    const sheet = (month: string) => studio.call(trainers.makeSheet, { trainerId: id, month })
    await expect(sheet('2031-05')).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'month', code: 'trainers.monthOpen' }],
    })
    await expect(sheet('2031-04')).rejects.toMatchObject({ status: 409, code: 'trainers.nothingDue' })
  })
})
