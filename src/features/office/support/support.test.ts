import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { start as startMail } from '#features/purchases/capture/server/index.ts'
import * as calls from './endpoints.ts'
import { dueAnswers } from './server/later.ts'
import { withoutQuote } from './server/mails.ts'
import { browserName } from './web/browserName.ts'

let world: World
let shop: Business
let desk: Business
let stop: () => Promise<void>
let port: number
let now = new Date('2031-05-20T09:00:00Z')
const set = (operators: string[]) =>
  void ((world.app.settings.support as { operators: string[] }).operators = operators)

beforeAll(async () => {
  world = await startWorld(() => now)
  // A free port, found by taking one.
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  port = (probe.address() as { port: number }).port
  await new Promise((done) => probe.close(done))
  world.app.settings.mailIn.port = port
  world.app.settings.mailIn.domain = 'in.example'
  stop = await startMail(world.app)
})
afterAll(async () => {
  await stop()
  await world.close()
})
beforeEach(async () => {
  now = new Date('2031-05-20T09:00:00Z')
  shop = await newBusiness(world)
  desk = await newBusiness(world)
  set([desk.email])
})

const given = {
  kind: 'question' as const,
  subject: 'איך מזכים?',
  text: 'הלקוח החזיר סחורה',
  page: '/invoice/documents',
}

/** Letters to somebody, oldest first. */
async function lettersTo(to: string) {
  await world.worker.drain()
  const dir = join(dataDir, 'mail')
  const found = (existsSync(dir) ? readdirSync(dir) : [])
    .toSorted()
    .map((file) => readFileSync(join(dir, file)))
    .filter((bytes) => bytes.includes(to))
  return Promise.all(found.map((bytes) => PostalMime.parse(bytes)))
}
const send = (letter: { from: string; to: string; text?: string; html?: string; messageId?: string }) =>
  createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true }).sendMail({
    subject: 'Re: x',
    ...letter,
  })

/** What is planned for a ticket comes. */
async function come() {
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set run_after = now() - interval '1 second'
      where name = 'support.lapse' and done_at is null`.execute(tx),
  )
  await world.worker.drain()
}

describe('a ticket', () => {
  test('is numbered over all businesses, comes to the desk, and its answers go by mail and stay in the thread', async () => {
    const first = await shop.call(calls.askSupport, given)
    const other = await newBusiness(world)
    const second = await other.call(calls.askSupport, given)
    expect(second.number).toBe(first.number + 1)
    const toDesk = await lettersTo(desk.email)
    expect(toDesk.at(-1)!.text).toContain('הלקוח החזיר סחורה')

    const { rows } = await desk.call(calls.deskTickets, {})
    expect(rows.map((row) => row.number)).toEqual(expect.arrayContaining([first.number, second.number]))
    await desk.call(calls.deskAnswer, { number: first.number, text: 'מפיקים חשבונית זיכוי.' })
    expect((await shop.call(calls.getTicket, { id: first.id })).state).toBe('waiting')
    const [answer] = await lettersTo(shop.email)
    expect(answer!.text).toContain('מפיקים חשבונית זיכוי')
    const replyTo = answer!.replyTo![0]!.address!

    // The asker answers by email; the same email twice is stored once.
    for (let times = 0; times < 2; times++)
      await send({
        from: shop.email,
        to: replyTo,
        messageId: '<a1@mail.example>',
        text: 'תודה, ועוד שאלה\n\nOn Tue, 20 May 2031 at 12:00, support wrote:\n> מפיקים',
      })
    const now1 = await shop.call(calls.getTicket, { id: first.id })
    expect(now1.state).toBe('open')
    expect(now1.messages.map(({ text }) => text)).toEqual([
      'הלקוח החזיר סחורה',
      'מפיקים חשבונית זיכוי.',
      'תודה, ועוד שאלה',
    ])
    // And the desk from its own.
    const mine = (await lettersTo(desk.email)).at(-1)!
    await send({
      from: desk.email,
      to: mine.replyTo![0]!.address!,
      messageId: '<d1@mail.example>',
      text: 'בבקשה',
    })
    expect((await shop.call(calls.getTicket, { id: first.id })).messages.at(-1)).toMatchObject({
      author: 'desk',
      text: 'בבקשה',
      byMail: true,
    })
  })

  test('an answer that is written now is sent at its moment, and not once the asker wrote meanwhile', async () => {
    const { id, number } = await shop.call(calls.askSupport, given)
    const planned = (text: string, at: string, solved = false) =>
      desk.call(calls.deskAnswer, { number, text, at, solved })
    const mine = async () => shop.call(calls.getTicket, { id })
    const atDesk = async () => (await desk.call(calls.deskTicket, { number })).messages
    await planned('מחר בבוקר', '2031-05-21T06:00:00Z', true)
    // Until then it is the desk's alone.
    expect((await mine()).messages).toHaveLength(1)
    expect((await mine()).state).toBe('new')
    expect((await atDesk()).at(-1)).toMatchObject({
      text: 'מחר בבוקר',
      sendAt: expect.stringContaining('2031-05-21'),
      isStopped: false,
    })
    expect((await desk.call(calls.deskTickets, {})).rows.find((row) => row.number === number)).toMatchObject({
      sendAt: expect.any(String),
    })
    expect(await serveSchedule(world.app, dueAnswers)).toBe(0)
    now = new Date('2031-05-21T06:00:30Z')
    expect(await serveSchedule(world.app, dueAnswers)).toBe(1)
    expect(await serveSchedule(world.app, dueAnswers)).toBe(0)
    expect(await mine()).toMatchObject({
      state: 'solved',
      messages: [{}, { text: 'מחר בבוקר', at: expect.stringContaining('2031-05-21') }],
    })
    expect((await lettersTo(shop.email)).filter(({ text }) => text?.includes('מחר בבוקר'))).toHaveLength(1)

    // The asker writes: what was written before is not sent automatically. A person sends it all the same, or deletes
    // it.
    await planned('נשלח ביד', '2031-05-22T06:00:00Z')
    await planned('מוחזר', '2031-05-22T07:00:00Z')
    await shop.call(calls.answerTicket, { id, text: 'הסתדר, אבל יש עוד דבר' })
    now = new Date('2031-05-22T08:00:00Z')
    expect(await serveSchedule(world.app, dueAnswers)).toBe(0)
    const [byHand, back] = (await atDesk()).filter(({ isStopped }) => isStopped)
    const decide = (messageId: string, deed: 'send' | 'drop') =>
      desk.call(calls.deskPlanned, { number, messageId, deed })
    expect(await decide(byHand!.id, 'send')).toEqual({ text: 'נשלח ביד' })
    expect(await decide(back!.id, 'drop')).toEqual({ text: 'מוחזר' })
    await expect(decide(back!.id, 'send')).rejects.toMatchObject({ code: 'kit.notFound' })
    expect(await mine()).toMatchObject({ state: 'waiting' })
    expect((await mine()).messages.map(({ text }) => text).slice(2)).toEqual([
      'הסתדר, אבל יש עוד דבר',
      'נשלח ביד',
    ])
    expect((await atDesk()).map(({ text }) => text)).not.toContain('מוחזר')

    // A ticket that is closed sends nothing more; nothing is planned into the past or for years; nobody else
    // plans.
    await planned('לא יישלח', '2031-05-23T06:00:00Z')
    await shop.call(calls.closeTicket, { id })
    now = new Date('2031-05-23T07:00:00Z')
    expect(await serveSchedule(world.app, dueAnswers)).toBe(0)
    for (const at of ['2031-05-23T06:59:00Z', '2033-01-01T08:00:00Z'])
      await expect(planned('x', at)).rejects.toMatchObject({
        errors: [{ path: 'at', code: 'support.notAhead' }],
      })
    await expect(
      shop.call(calls.deskAnswer, { number, text: 'x', at: '2031-05-24T06:00:00Z' }),
    ).rejects.toMatchObject({
      code: 'support.notDesk',
    })
  })

  test('is told to each who answers in his own language', async () => {
    const russian = await newBusiness(world)
    const at = (language: string, email: string) =>
      asSystem(world.app.db, (tx) =>
        sql`update users set language = ${language} where email = ${email}`.execute(tx),
      )
    await at('ru', russian.email)
    await at('he', desk.email)
    set([desk.email, russian.email, 'nobody-yet@example.com'])
    const { number } = await shop.call(calls.askSupport, given)
    await desk.call(calls.deskAnswer, { number, text: 'תשובה' })
    await send({
      from: 'mallory@example.net',
      to: (await lettersTo(shop.email)).at(-1)!.replyTo![0]!.address!,
      text: 'x',
      messageId: '<l1@x>',
    })
    const last = async (to: string) => (await lettersTo(to)).at(-1)!.text
    expect(await last(desk.email)).toContain('מכתובת לא מוכרת')
    expect(await last(russian.email)).toMatch(/[а-я]{4}/)
    expect(await last('nobody-yet@example.com')).toContain('unknown address')
  })

  test('a letter from a strange address waits to be checked, and says nothing to the asker until somebody takes it in', async () => {
    const { id, number } = await shop.call(calls.askSupport, given)
    await desk.call(calls.deskAnswer, { number, text: 'תשובה' })
    const replyTo = (await lettersTo(shop.email)).at(-1)!.replyTo![0]!.address!
    await send({
      from: 'mallory@example.net',
      to: replyTo,
      html: '<img src=x onerror=alert(1)><b>click</b> me',
      messageId: '<m1@x>',
    })
    const mine = await shop.call(calls.getTicket, { id })
    expect([mine.state, mine.messages.length]).toEqual(['waiting', 2])
    const whole = await desk.call(calls.deskTicket, { number })
    const held = whole.messages.at(-1)!
    expect(held).toMatchObject({ held: true, author: 'asker' })
    expect(held.text).not.toMatch(/<|onerror/)
    await desk.call(calls.deskTake, { number, messageId: held.id })
    expect(await shop.call(calls.getTicket, { id })).toMatchObject({ state: 'open', messages: { length: 3 } })
    await expect(desk.call(calls.deskTake, { number, messageId: held.id })).rejects.toMatchObject({
      status: 404,
    })
    // The letter for the asker is no way to speak for the desk, nor the desk's for anybody else.
    await send({ from: desk.email, to: replyTo, text: 'as the desk?', messageId: '<m2@x>' })
    expect((await desk.call(calls.deskTicket, { number })).messages.at(-1)).toMatchObject({
      author: 'asker',
      held: true,
    })
  })

  test('an address nobody has is refused before the letter is sent', async () => {
    await expect(
      send({ from: shop.email, to: `${'a'.repeat(26)}@in.example`, text: 'x' }),
    ).rejects.toMatchObject({ responseCode: 550 })
  })

  test('one that waits for its asker is warned of once and ends after fourteen days; an answer opens it again', async () => {
    const { id, number } = await shop.call(calls.askSupport, given)
    await desk.call(calls.deskAnswer, { number, text: 'תשובה' })
    const state = async () => (await shop.call(calls.getTicket, { id })).state
    now = new Date('2031-05-31T09:00:01Z')
    await come()
    expect(await state()).toBe('waiting')
    const before = (await lettersTo(shop.email)).length
    expect((await lettersTo(shop.email)).at(-1)!.text).toContain('3')
    now = new Date('2031-06-03T09:00:02Z')
    await come()
    expect([await state(), (await lettersTo(shop.email)).length]).toEqual(['closed', before])
    await shop.call(calls.answerTicket, { id, text: 'עדיין לא' })
    expect(await state()).toBe('open')

    // An answer in time causes no warning, and nothing is closed without notice.
    await desk.call(calls.deskAnswer, { number, text: 'ושוב' })
    await shop.call(calls.answerTicket, { id, text: 'בדקתי' })
    now = new Date('2031-07-03T09:00:02Z')
    await come()
    await come()
    expect(await state()).toBe('open')
    await desk.call(calls.deskAnswer, { number, text: 'נפתר', solved: true })
    expect(await state()).toBe('solved')
    await come()
    expect(await state()).toBe('closed')
    await expect(shop.call(calls.closeTicket, { id })).rejects.toMatchObject({ code: 'support.isClosed' })
  })

  test('is its asker’s and the desk’s, and nobody else’s', async () => {
    const { id, number } = await shop.call(calls.askSupport, given)
    const stranger = await newBusiness(world)
    await expect(stranger.call(calls.getTicket, { id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(calls.answerTicket, { id, text: 'x' })).rejects.toMatchObject({ status: 404 })
    for (const attempt of [
      () => stranger.call(calls.deskTickets, {}),
      () => stranger.call(calls.deskTicket, { number }),
      () => stranger.call(calls.deskAnswer, { number, text: 'x' }),
      () => stranger.call(calls.deskChange, { number, state: 'closed' }),
      () => shop.call(calls.deskPicture, { number }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'support.notDesk' })
    expect((await stranger.call(calls.supportFacts, {})).isDesk).toBe(false)
    expect((await desk.call(calls.supportFacts, {})).isDesk).toBe(true)
  })

  test('is seen by the owner of the business it was asked in; others of it, and programs, see their own', async () => {
    const mate = await newBusiness(world)
    const { companyId } = await shop.get('/api/user/session')
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules) select ${companyId}, id, 9,
          '{1}'::int[] from users where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    const own = await shop.call(calls.askSupport, given)
    const his = await mate.call(calls.askSupport, { ...given, subject: 'של עובד' })
    const { secret: token } = await shop.call(makeKey, {
      name: 'חנות',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    const seen = async (options?: { token: string }) =>
      (await callAs(world, calls.listTickets, {} as never, options ?? { token: shop.token })).rows
        .map(({ id }: { id: string }) => id)
        .toSorted()
    expect(await seen()).toEqual([own.id, his.id].toSorted())
    expect(await seen({ token: mate.token })).toEqual([his.id])
    expect(await seen({ token })).toEqual([own.id])
    await expect(callAs(world, calls.getTicket, { id: his.id }, { token })).rejects.toMatchObject({
      status: 404,
    })
    await expect(mate.call(calls.getTicket, { id: own.id })).rejects.toMatchObject({ status: 404 })
  })

  test('is not for programs: a key of somebody of the desk acts inside one business', async () => {
    const { number } = await shop.call(calls.askSupport, given)
    const { secret: token } = await desk.call(makeKey, {
      name: 'חנות',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    for (const operators of [[desk.email], ['*']]) {
      set(operators)
      expect((await desk.call(calls.deskTicket, { number })).number).toBe(number)
      for (const [call, input] of [
        [calls.deskTickets, {}],
        [calls.deskTicket, { number }],
        [calls.deskAnswer, { number, text: 'x' }],
      ] as const)
        await expect(
          callAs(world, call as typeof calls.deskTicket, input as never, { token }),
        ).rejects.toMatchObject({
          status: 403,
        })
      expect((await callAs(world, calls.supportFacts, {}, { token })).isDesk).toBe(false)
    }
  })

  test('nothing can be asked where nobody answers', async () => {
    set([])
    expect((await shop.call(calls.supportFacts, {})).isAnswered).toBe(false)
    await expect(shop.call(calls.askSupport, given)).rejects.toMatchObject({
      status: 409,
      code: 'support.nobody',
    })
  })

  test('bad input is refused at its field', async () => {
    const bad = async (more: object) =>
      (await raw(world, calls.askSupport, { ...given, ...more }, { token: shop.token })).statusCode
    expect([
      await bad({ subject: ' ' }),
      await bad({ text: '' }),
      await bad({ text: 'x'.repeat(8001) }),
      await bad({ kind: 'complaint' }),
    ]).toEqual([422, 422, 422, 422])
  })
})

describe('its picture', () => {
  const png = (width: number, height: number) => createCanvas(width, height).toBuffer('image/png')
  test('is drawn anew and is smaller than it came; what is no picture, or too large, is refused', async () => {
    const { id, number } = await shop.call(calls.askSupport, given)
    const put = (bytes: Buffer) => shop.call(calls.addTicketPicture, { id, bytes } as never)
    await expect(put(Buffer.from('<svg onload=alert(1)>'))).rejects.toMatchObject({
      code: 'support.notPicture',
    })
    await expect(put(png(6000, 6000))).rejects.toMatchObject({ code: 'support.pictureTooLarge' })
    expect(
      (
        await raw(
          world,
          calls.addTicketPicture,
          { id, bytes: Buffer.alloc(20_000_000) },
          { token: shop.token },
        )
      ).statusCode,
    ).toBe(413)
    await put(png(3000, 400))
    const seen = (await desk.call(calls.deskPicture, { number })) as unknown as Buffer
    expect(seen.subarray(0, 3).toString('hex')).toBe('ffd8ff')
    // Once: a second one does not take the place of what the desk has seen.
    await put(png(10, 10))
    expect((await shop.call(calls.ticketPicture, { id })) as unknown as Buffer).toEqual(seen)
    const stranger = await newBusiness(world)
    await expect(
      callAs(world, calls.addTicketPicture, { id, bytes: png(5, 5) } as never, { token: stranger.token }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

test('files are added to an open ticket by whoever asked, and read by the desk; what a browser could run is refused', async () => {
  const { id, number } = await shop.call(calls.askSupport, given)
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
  const put = (name: string, bytes: Buffer, token = shop.token) =>
    callAs(world, calls.addTicketFile, { id, name, bytes } as never, { token })
  expect((await put('דוח.exe', pdf)).files).toMatchObject([
    { name: 'דוח.exe.pdf', mime: 'application/pdf', size: pdf.length },
  ])
  await expect(put('x.html', Buffer.from('<!doctype html><script>alert(1)</script>'))).rejects.toMatchObject({
    code: 'support.badFile',
  })
  const stranger = await newBusiness(world)
  await expect(put('x.pdf', pdf, stranger.token)).rejects.toMatchObject({ status: 404 })
  const [file] = (await desk.call(calls.deskTicket, { number })).files
  expect((await desk.call(calls.deskFile, { number, fileId: file!.id })) as unknown as Buffer).toEqual(pdf)
  expect((await shop.call(calls.ticketFile, { id, fileId: file!.id })) as unknown as Buffer).toEqual(pdf)
  await expect(shop.call(calls.deskFile, { number, fileId: file!.id })).rejects.toMatchObject({
    code: 'support.notDesk',
  })
  await shop.call(calls.closeTicket, { id })
  await expect(put('y.pdf', pdf)).rejects.toMatchObject({ code: 'support.isClosed' })
})

describe('what is written now', () => {
  test.each([
    ['yes\n\nOn Mon, 3 Nov 2031 at 10:00, Pinkas <a@b> wrote:\n> no', 'yes'],
    ['כן\nבתאריך יום ב׳, 3 בנוב׳ 2031 ב-10:00 מאת פנקס כתב:\n> לא', 'כן'],
    ['да\n> нет\n> нет', 'да'],
    ['> only a quote', '> only a quote'],
    ['one\n> in between\ntwo', 'one\n> in between\ntwo'],
    ['a\n-----Original Message-----\nb', 'a'],
  ])('%j is %j', (letter, own) => expect(withoutQuote(letter)).toBe(own))

  test('the browser is told in words', () => {
    expect(
      browserName(
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
        1280,
      ),
    ).toBe('Chrome 146, Windows, 1280 px')
    expect(
      browserName(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
        390,
      ),
    ).toBe('Safari 18, iPhone, 390 px')
  })
})

// The receiver is reached by its port alone: nobody speaks TLS to it here.
test('the receiver of letters listens', async () => {
  const greeting = await new Promise<string>((done, failed) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('data', (data) => (socket.destroy(), done(data.toString())))
    socket.once('error', failed)
  })
  expect(greeting).toMatch(/^220/)
})
