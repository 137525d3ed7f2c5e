import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { hostileFiles } from '../../../../tests/hostile/files.ts'
import * as page from '#features/calendar/bookingPage/endpoints.ts'
import * as calls from './endpoints.ts'
import { readOutside } from './server/index.ts'

let world: World
let now = new Date('2031-05-20T09:00:00Z')
let studio: Business
let server: Server
let at: string
let answers: Record<
  string,
  () => { status?: number; headers?: Record<string, string>; body?: string | Buffer }
> = {}

beforeAll(async () => {
  world = await startWorld(() => now)
  server = createServer((request, response) => {
    const answer = answers[request.url!]?.() ?? { status: 404 }
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/calendar', ...answer.headers })
    response.end(answer.body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await world.close()
})
beforeEach(async () => {
  now = new Date('2031-05-20T09:00:00Z')
  world.app.settings.webhooks = { http: false, local: true }
  studio = await newBusiness(world)
  answers = {}
})

const calendar = (...events: [from: string, to: string][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap(([from, to], n) => [
      'BEGIN:VEVENT',
      `UID:${n}@elsewhere`,
      'SUMMARY:רופא שיניים',
      `DTSTART;TZID=Asia/Jerusalem:${from}`,
      `DTEND;TZID=Asia/Jerusalem:${to}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ].join('\r\n')
const trainer = async (more: object = {}): Promise<string> =>
  (
    await studio.send('POST', '/api4/invoice/classTrainers', {
      name: 'נעמה',
      payBy: 'class',
      payAgorot: 15000,
      ...more,
    })
  ).id
const add = (trainerId: string, path: string) =>
  studio.call(calls.addOutside, { trainerId, placeId: null, name: 'הפרטי שלי', url: `${at}${path}` } as never)
const blocks = async () =>
  (await studio.call(calls.listClasses, { from: '2031-05-19', to: '2031-06-10' })).blocks.map((one) => [
    one.startsAt,
    one.endsAt,
    one.why,
    one.isOutside,
  ])

test('what a calendar elsewhere says is busy here, without what it is, and changes with it', async () => {
  const id = await trainer()
  let says = calendar(['20310522T090000', '20310522T100000'])
  answers['/secret.ics'] = () => ({ body: says })
  const row = await add(id, '/secret.ics')
  expect(row).toMatchObject({
    state: 'read',
    problem: null,
    spans: 1,
    skipped: 0,
    host: new URL(at).host,
    untilDay: '2032-05-20',
    name: 'הפרטי שלי',
  })
  expect(await blocks()).toEqual([['2031-05-22T06:00:00.000Z', '2031-05-22T07:00:00.000Z', '', true]])
  // The same address twice is the same calendar.
  expect((await add(id, '/secret.ics')).id).toBe(row.id)
  const { rows } = await studio.call(calls.listOutside, { trainerId: id })
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('secret')
  // A class there is reported as colliding with it, by whom and never by what.
  const kind = await studio.send('POST', '/api4/invoice/classKinds', { name: 'יוגה', minutes: 60, seats: 2 })
  const clash = { kindId: kind.id, day: '2031-05-22', at: '09:30', trainerId: id, placeId: null }
  await expect(studio.call(calls.createClass, clash as never)).rejects.toMatchObject({
    code: 'classes.conflict',
  })
  const { rows: hits } = await studio.call(calls.checkClass, { ...clash, minutes: 60 } as never)
  expect(hits).toMatchObject([{ what: 'away', name: 'נעמה' }])
  // Half an hour later it is read again; what is gone there is gone here.
  says = calendar(['20310523T110000', '20310523T120000'])
  await readOutside(world.app)
  expect(await blocks()).toEqual([['2031-05-22T06:00:00.000Z', '2031-05-22T07:00:00.000Z', '', true]])
  now = new Date('2031-05-20T09:31:00Z')
  await readOutside(world.app)
  expect(await blocks()).toEqual([['2031-05-23T08:00:00.000Z', '2031-05-23T09:00:00.000Z', '', true]])
  await studio.call(calls.dropOutside, { id: row.id })
  expect(await blocks()).toEqual([])
})

test('appointments are offered only where the calendar elsewhere is free', async () => {
  const id = await trainer()
  await studio.call(calls.setTrainerHours, {
    id,
    hours: Array.from({ length: 7 }, () => [['09:00', '12:00']]) as never,
  })
  const kind = await studio.send('POST', '/api4/invoice/classKinds', {
    name: 'ייעוץ',
    minutes: 60,
    isAppointment: true,
    priceAgorot: 0,
  })
  const { url } = await studio.send('PUT', '/api4/invoice/bookingpage', { isOn: true })
  const key = String(url).split('/').at(-1)!
  const free = async () =>
    (await callAs(world, page.slotsOnPage, { key, kindId: kind.id, day: '2031-05-22' })).rows.map(
      (one) => one.at,
    )
  const all = await free()
  expect(all).toContain('09:00')
  answers['/a.ics'] = () => ({ body: calendar(['20310522T090000', '20310522T110000']) })
  await add(id, '/a.ics')
  expect(await free()).toEqual(all.filter((one: string) => one >= '11:00'))
})

test('a failure is told at the setting, what was known stays, and it is tried later and later', async () => {
  const id = await trainer()
  let answer: ReturnType<(typeof answers)[string]> = {
    body: calendar(['20310522T090000', '20310522T100000']),
  }
  answers['/a.ics'] = () => answer
  const { id: outsideId } = await add(id, '/a.ics')
  answer = { status: 503 }
  expect(await studio.call(calls.refreshOutside, { id: outsideId })).toMatchObject({
    state: 'failed',
    problem: 'status',
    spans: 1,
  })
  expect(await blocks()).toHaveLength(1)
  const tries: number[] = []
  for (let n = 0; n < 12; n++) {
    now = new Date(now.getTime() + 30 * 60_000)
    await readOutside(world.app)
    const { rows } = await studio.call(calls.listOutside, { trainerId: id })
    if (new Date(rows[0]!.triedAt!).getTime() === now.getTime()) tries.push(n)
  }
  // After half an hour (asked by hand before), one, two, four …
  expect(tries).toEqual([0, 2, 6])
  answer = { body: calendar() }
  expect(await studio.call(calls.refreshOutside, { id: outsideId })).toMatchObject({
    state: 'read',
    problem: null,
    spans: 0,
  })
  expect(await blocks()).toEqual([])
})

describe('addresses made to harm', () => {
  test.each<
    [string, () => { status?: number; headers?: Record<string, string>; body?: string | Buffer }, string]
  >([
    ['a page of a log-in', () => ({ body: '<html>' }), 'notCalendar'],
    ['nothing there', () => ({ status: 404 }), 'gone'],
    ['refused', () => ({ status: 403 }), 'refused'],
    ['a circle', () => ({ status: 302, headers: { location: '/x.ics' } }), 'redirect'],
    [
      'sent on to a private network',
      () => ({ status: 302, headers: { location: 'http://192.168.1.1/x.ics' } }),
      'badAddress',
    ],
    [
      'sent on to a private network with a lock',
      () => ({ status: 302, headers: { location: 'https://10.0.0.1/x.ics' } }),
      'private',
    ],
    ['sent on to a file', () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }), 'badAddress'],
    ['larger than anybody’s calendar', () => ({ body: Buffer.alloc(5 * 1024 * 1024, 'x') }), 'tooLarge'],
    [
      'a name that leads home',
      () => ({ status: 302, headers: { location: 'https://169.254.169.254/latest/meta-data' } }),
      'private',
    ],
  ])('%s', async (_, answer, problem) => {
    answers['/x.ics'] = answer
    expect(await add(await trainer(), '/x.ics')).toMatchObject({ state: 'failed', problem, spans: 0 })
    expect(await blocks()).toEqual([])
  })

  test.each([
    ['https://192.168.0.1/a.ics', 'outsideCalendars.privateAddress'],
    ['https://localhost.localdomain:8443/a.ics', 'outsideCalendars.badAddress'],
    ['http://calendar.example.com/a.ics', 'outsideCalendars.badAddress'],
    ['https://me:secret@calendar.example.com/a.ics', 'outsideCalendars.badAddress'],
    ['ftp://calendar.example.com/a.ics', 'outsideCalendars.badAddress'],
    ['calendar', 'outsideCalendars.badAddress'],
    ['https://[::1]/a.ics', 'outsideCalendars.privateAddress'],
  ])('%s is refused at its field', async (url, code) => {
    world.app.settings.webhooks = { http: false, local: false }
    await expect(
      studio.call(calls.addOutside, { trainerId: await trainer(), placeId: null, url } as never),
    ).rejects.toMatchObject({
      errors: [{ path: 'url', code }],
    })
  })

  test('hostile files are read or refused with words', { timeout: 60_000 }, async () => {
    const id = await trainer()
    for (const [name, file] of Object.entries(hostileFiles)) {
      const body = Buffer.concat([
        Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:'),
        file(),
        Buffer.from('\r\nEND:VEVENT\r\nEND:VCALENDAR'),
      ])
      const path = `/${encodeURIComponent(name)}.ics`
      answers[path] = () => ({ body })
      const row = await add(id, path)
      expect(['read', 'failed'], name).toContain(row.state)
      await studio.call(calls.dropOutside, { id: row.id })
    }
  })
})

test('a file is read once and says no more; the same file twice is one', async () => {
  const id = await trainer()
  const bytes = Buffer.from(calendar(['20310522T090000', '20310522T100000']))
  const row = await studio.call(calls.addOutsideFile, { trainerId: id, name: 'calendar.ics', bytes })
  expect(row).toMatchObject({ way: 'file', state: 'read', spans: 1 })
  expect((await studio.call(calls.addOutsideFile, { trainerId: id, name: 'calendar.ics', bytes })).id).toBe(
    row.id,
  )
  expect(await blocks()).toHaveLength(1)
  await expect(studio.call(calls.refreshOutside, { id: row.id })).rejects.toMatchObject({
    code: 'outsideCalendars.isFile',
  })
  await expect(
    studio.call(calls.addOutsideFile, { trainerId: id, name: 'x', bytes: Buffer.from('x') }),
  ).rejects.toMatchObject({
    code: 'outsideCalendars.notCalendar',
  })
})

test('a place has its own, five at most; a busy time of elsewhere is nobody’s to delete here', async () => {
  const place = await studio.send('POST', '/api4/invoice/classPlaces', { name: 'אולם' })
  for (let n = 0; n < 6; n++)
    answers[`/${n}.ics`] = () => ({ body: calendar([`2031052${n}T090000`, `2031052${n}T100000`]) })
  const put = (n: number) =>
    studio.call(calls.addOutside, { trainerId: null, placeId: place.id, url: `${at}/${n}.ics` } as never)
  for (let n = 0; n < 5; n++) await put(n)
  await expect(put(5)).rejects.toMatchObject({ code: 'outsideCalendars.most' })
  const { blocks: all } = await studio.call(calls.listClasses, { from: '2031-05-19', to: '2031-06-10' })
  expect(all.map((one) => one.placeName)).toEqual(Array.from({ length: 5 }, () => 'אולם'))
  await expect(studio.call(calls.dropBlock, { id: all[0]!.id })).rejects.toMatchObject({
    code: 'kit.notFound',
  })
})

/** A trainer of the studio with the right to a personal calendar (303), and nothing else. */
async function mateOfStudio(): Promise<{ token: string; userId: string }> {
  const mate = await newBusiness(world)
  const { companyId } = await studio.get('/api/user/session')
  const { rows } = await world.app.db.pool.query<{ id: string }>('select id from users where email = $1', [
    mate.email,
  ])
  await world.app.db.pool.query(
    `insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices, own_customers_only) values ($1, $2, 9, '{303}', '{}', false, false)`,
    [companyId, rows[0]!.id],
  )
  await world.app.db.pool.query('update sessions set company_id = $1 where user_id = $2', [
    companyId,
    rows[0]!.id,
  ])
  return { token: mate.token, userId: rows[0]!.id }
}

test('a trainer sets up his own, and nobody else’s', async () => {
  const other = await trainer({ name: 'אורי' })
  const { userId, ...as } = await mateOfStudio()
  await expect(callAs(world, calls.listOutside, {}, as)).rejects.toMatchObject({
    errors: [{ path: 'trainerId' }],
  })
  const own = await trainer({ name: 'גיל', userId })
  answers['/mine.ics'] = () => ({ body: calendar(['20310522T090000', '20310522T100000']) })
  const row = await callAs(world, calls.addOutside, { url: `${at}/mine.ics` } as never, as)
  expect(row).toMatchObject({ trainerId: own, state: 'read', spans: 1 })
  expect(await callAs(world, calls.listOutside, {}, as)).toMatchObject({ rows: [{ id: row.id }] })
  await expect(callAs(world, calls.listOutside, { trainerId: other }, as)).rejects.toMatchObject({
    code: 'session.forbidden',
  })
  const { id } = await add(other, '/mine.ics')
  await expect(callAs(world, calls.refreshOutside, { id }, as)).rejects.toMatchObject({
    code: 'session.forbidden',
  })
  await expect(callAs(world, calls.dropOutside, { id }, as)).rejects.toMatchObject({
    code: 'session.forbidden',
  })
})

test('the calendar of a place is set up by those who arrange the timetable, not by a trainer', async () => {
  const place = await studio.send('POST', '/api4/invoice/classPlaces', { name: 'אולם' })
  const { userId, ...as } = await mateOfStudio()
  const own = await trainer({ name: 'גיל', userId })
  answers['/hall.ics'] = () => ({ body: calendar(['20310522T090000', '20310522T100000']) })
  const hall = { placeId: place.id, url: `${at}/hall.ics` } as never
  const bytes = Buffer.from(calendar(['20310523T090000', '20310523T100000']))
  const forbidden = { status: 403, code: 'session.forbidden' }
  await expect(callAs(world, calls.addOutside, hall, as)).rejects.toMatchObject(forbidden)
  await expect(
    callAs(world, calls.addOutsideFile, { placeId: place.id, name: 'hall.ics', bytes }, as),
  ).rejects.toMatchObject(forbidden)
  await expect(callAs(world, calls.listOutside, { placeId: place.id }, as)).rejects.toMatchObject(forbidden)
  // Both at once is neither a trainer's nor a place's.
  await expect(
    callAs(
      world,
      calls.addOutside,
      { trainerId: own, placeId: place.id, url: `${at}/hall.ics` } as never,
      as,
    ),
  ).rejects.toMatchObject({ errors: [{ path: 'placeId', code: 'fields.ref' }] })
  expect(await blocks()).toEqual([])

  const { id } = await studio.call(calls.addOutside, hall)
  for (const call of [calls.refreshOutside, calls.dropOutside])
    await expect(callAs(world, call, { id }, as)).rejects.toMatchObject(forbidden)
  expect(await studio.call(calls.listOutside, { placeId: place.id })).toMatchObject({ rows: [{ id }] })
  // A trainer who left the studio sets up nothing more.
  await studio.send('DELETE', `/api4/invoice/classTrainers/${own}`)
  await expect(
    callAs(world, calls.addOutside, { trainerId: own, url: `${at}/hall.ics` } as never, as),
  ).rejects.toMatchObject(forbidden)
})
