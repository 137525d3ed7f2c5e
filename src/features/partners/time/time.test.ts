import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dayInJerusalem,
  endOfMonth,
  momentAt,
  startOfMonth,
  weekday,
} from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { holidayOn } from '#domain/hours/holidays.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { deleteDocument } from '#features/sales/documents/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { getRequest, signAbout, signPage } from '#features/sales/signing/endpoints.ts'
import { listNotifications } from '#features/people/bell/endpoints.ts'
import * as calls from './endpoints.ts'
import { tellForgotten } from './server/forgotten.ts'

let world: World
let shop: Business & { id: string }
let worker: { token: string; id: string; call: Business['call'] }
const today = dayInJerusalem(new Date())
const month = addMonths(startOfMonth(today), -1)
const name = month.slice(0, 7)
const at = (day: string, hour: number, minutes = 0) =>
  new Date(momentAt(day, hour).getTime() + minutes * 60_000).toISOString()
/** Days of the month without a rest day or a holiday, nor the eve of one. */
const plain = Array.from({ length: 26 }, (_, n) => addDays(month, n + 1)).filter(
  (day) => weekday(day) < 4 && !holidayOn(day) && !holidayOn(addDays(day, 1)),
)
const agoIso = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function newWorker(rules: number[] = [261], typeId = 8) {
  const mate = await newBusiness(world)
  const id = (await mate.get('/api/user/session')) as { companyId: string }
  expect(id.companyId).toBeTruthy()
  const { rows } = await asSystem(world.app.db, async (tx) => {
    await sql`insert into memberships (company_id, user_id, type_id, rules) select ${shop.id}, id, ${typeId},
        ${rules}::int[] from users where email = ${mate.email}`.execute(tx)
    return sql<{
      id: string
    }>`update sessions set company_id = ${shop.id}
      where user_id = (select id from users where email = ${mate.email}) returning user_id as id`.execute(tx)
  })
  const { token } = mate
  const call: Business['call'] = (endpoint, input, options) =>
    callAs(world, endpoint, input, { token, ...options })
  return { token, id: rows[0]!.id, call }
}

const press = (deed: 'in' | 'out', when: string, more: Partial<calls.Press> = {}): calls.Press => ({
  id: randomUUID(),
  deed,
  at: when,
  ...more,
})

/** A clocking of last month, as a correction that was approved. */
async function worked(who: typeof worker, start: string, end: string): Promise<void> {
  const { id } = await who.call(calls.askChange, {
    kind: 'add',
    startedAt: start,
    endedAt: end,
    reason: 'שכחתי',
  })
  await shop.call(calls.decideRequest, { id, approve: true })
}

beforeAll(async () => {
  world = await startWorld()
  const business = await newBusiness(world)
  await business.call(chooseAreas, { areas: { time: true } })
  shop = { ...business, id: (await business.get('/api/user/session')).companyId }
  worker = await newWorker()
})
afterAll(() => world.close())

describe('the clock', () => {
  test('starts and stops with one press each, and whatever is sent again counts once', async () => {
    const begin = press('in', agoIso(90))
    const end = press('out', agoIso(30))
    expect((await worker.call(calls.pressClock, { presses: [begin] })).rows).toEqual([
      { id: begin.id, code: null },
    ])
    expect((await worker.call(calls.clockNow, {})).open).toMatchObject({ id: begin.id, endedAt: null })
    // The phone did not hear the answer: everything goes out again, in any order, and twice.
    for (const presses of [[begin, end], [end, begin], [end]])
      expect((await worker.call(calls.pressClock, { presses })).rows.map(({ code }) => code)).toEqual(
        presses.map(() => null),
      )
    const now = await worker.call(calls.clockNow, {})
    expect(now).toMatchObject({ open: null, isForgotten: false })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql`select 1 from clockings where company_id = ${shop.id} and person_id = ${worker.id}`.execute(tx),
    )
    expect(rows).toHaveLength(1)
  })

  test('twenty tabs send the same presses at the same moment', async () => {
    const one = await newWorker()
    const presses = [
      press('in', agoIso(300)),
      press('out', agoIso(240)),
      press('in', agoIso(200)),
      press('out', agoIso(100)),
    ]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => one.call(calls.pressClock, { presses })),
    )
    for (const { rows } of answers) expect(rows.every(({ code }) => code === null)).toBe(true)
    const sheet = await one.call(calls.monthSheet, { month: today.slice(0, 7) })
    const before = await one.call(calls.monthSheet, { month: addMonths(startOfMonth(today), -1).slice(0, 7) })
    expect([...sheet.clockings, ...before.clockings]).toHaveLength(2)
  })

  test('one press that cannot be is told, stays refused, and holds up no other', async () => {
    const one = await newWorker()
    const presses = [
      press('out', agoIso(500)),
      press('in', agoIso(400)),
      press('in', agoIso(390)),
      press('out', agoIso(300)),
      press('in', new Date(Date.now() + 3_600_000).toISOString()),
      press('in', new Date(Date.now() - 40 * 86_400_000).toISOString()),
    ]
    const codes = ['time.notOpen', null, 'time.isOpen', null, 'time.ahead', 'time.tooOld']
    for (let round = 0; round < 2; round++)
      expect((await one.call(calls.pressClock, { presses })).rows.map(({ code }) => code)).toEqual(codes)
    const two = await newWorker()
    const long = [
      press('in', new Date(Date.now() - 3 * 86_400_000).toISOString()),
      press('out', new Date(Date.now() - 2 * 86_400_000).toISOString()),
    ]
    expect((await two.call(calls.pressClock, { presses: long })).rows.map(({ code }) => code)).toEqual([
      null,
      'time.tooLong',
    ])
    expect((await two.call(calls.clockNow, {})).isForgotten).toBe(true)
  })

  test('that runs longer than anybody works rings once, for whose it is and for who sees the team', async () => {
    const one = await newWorker()
    await one.call(calls.pressClock, { presses: [press('in', agoIso(13 * 60))] })
    const two = await newWorker()
    await two.call(calls.pressClock, { presses: [press('in', agoIso(11 * 60))] })
    const rung = async (who: { call: Business['call'] }) =>
      (await who.call(listNotifications, {})).rows.filter(({ kind }) => kind === 'time.forgotten')
    const before = (await rung(shop)).length
    await tellForgotten(world.app)
    await tellForgotten(world.app)
    expect([
      (await rung(one)).length,
      (await rung(two)).length,
      (await rung(shop)).length - before >= 1,
    ]).toEqual([1, 0, true])
    const told = (await rung(shop)).length
    await tellForgotten(world.app)
    expect((await rung(shop)).length).toBe(told)
    await one.call(calls.pressClock, { presses: [press('out', agoIso(60))] })
    await two.call(calls.pressClock, { presses: [press('out', agoIso(60))] })
  })

  test('of a minor counts no overtime: the sheet says what the law does not let him, and no wage is worked out', async () => {
    const one = await newWorker()
    const terms = {
      personId: one.id,
      from: '2020-01-01',
      days: 5,
      shortDay: 4,
      restDay: 6,
      dayMinutes: null,
      overtime: true,
      hourAgorot: 3000,
    } as const
    await expect(shop.call(calls.keepTerms, { ...terms, born: '2021-01-01' })).rejects.toMatchObject({
      errors: [{ path: 'born', code: 'time.bornAfter' }],
    })
    const born = addDays(month, -16 * 365)
    await shop.call(calls.keepTerms, { ...terms, born })
    const day = plain[0]!
    await worked(one as never, at(day, 8), at(day, 18))
    const sheet = await one.call(calls.monthSheet, { month: month.slice(0, 7) })
    expect(sheet).toMatchObject({
      minorAbove: 120,
      byRate: { 100: 600 },
      wageAgorot: null,
      days: [{ rule: 'minor', above: 120 }],
    })
    const { rows } = await shop.call(calls.teamMonth, { month: month.slice(0, 7) })
    expect(rows.find(({ personId }) => personId === one.id)?.terms).toMatchObject({ born })
    expect(
      (await shop.call(calls.monthSheet, { month: month.slice(0, 7), personId: one.id })).minorAbove,
    ).toBe(120)
  })

  test('what a phone kept on Monday counts though another was used since', async () => {
    const one = await newWorker()
    await one.call(calls.pressClock, { presses: [press('in', agoIso(100)), press('out', agoIso(50))] })
    const late = [press('in', agoIso(3000)), press('out', agoIso(2900))]
    expect((await one.call(calls.pressClock, { presses: late })).rows.map(({ code }) => code)).toEqual([
      null,
      null,
    ])
    expect(
      (await one.call(calls.pressClock, { presses: late.toReversed() })).rows.map(({ code }) => code),
    ).toEqual([null, null])
    // What it kept meets what was worked: both presses say so.
    const across = [press('in', agoIso(90)), press('out', agoIso(40))]
    expect((await one.call(calls.pressClock, { presses: across })).rows.map(({ code }) => code)).toEqual([
      'time.overlap',
      'time.notOpen',
    ])
  })

  test('nobody presses with another’s id, and no minute is worked twice', async () => {
    const [a, b] = [await newWorker(), await newWorker()]
    const mine = press('in', agoIso(100))
    await a.call(calls.pressClock, { presses: [mine, press('out', agoIso(50))] })
    expect((await b.call(calls.pressClock, { presses: [mine] })).rows[0]!.code).toBe('kit.conflict')
    expect((await a.call(calls.pressClock, { presses: [press('in', agoIso(80))] })).rows[0]!.code).toBe(
      'time.overlap',
    )
    expect((await a.call(calls.clockNow, {})).open).toBeNull()
  })

  test('keeps the place only where the business asks and the worker agreed', async () => {
    const one = await newWorker()
    const place = { latitude: 32.08531, longitude: 34.78177 }
    const kept = async () =>
      (
        await asSystem(world.app.db, (tx) =>
          sql<{
            latitude: string | null
          }>`select latitude from clockings where person_id = ${one.id} order by started_at desc
            limit 1`.execute(tx),
        )
      ).rows[0]!.latitude
    await one.call(calls.agreePlace, { agrees: true })
    await one.call(calls.pressClock, { presses: [press('in', agoIso(90), place), press('out', agoIso(80))] })
    expect(await kept()).toBeNull()
    await shop.call(calls.keepTimeSettings, { asksPlace: true })
    await one.call(calls.pressClock, { presses: [press('in', agoIso(70), place), press('out', agoIso(60))] })
    expect(await kept()).toBe('32.0853')
    await one.call(calls.agreePlace, { agrees: false })
    await one.call(calls.pressClock, { presses: [press('in', agoIso(50), place), press('out', agoIso(40))] })
    expect(await kept()).toBeNull()
  })
})

describe('corrections', () => {
  test('are asked, decided once, and done when approved', async () => {
    const one = await newWorker()
    const [from, to] = [at(addDays(month, 3), 8), at(addDays(month, 3), 17)]
    const { id } = await one.call(calls.askChange, {
      kind: 'add',
      startedAt: from,
      endedAt: to,
      reason: 'שכחתי להיכנס',
    })
    expect((await shop.call(calls.teamMonth, { month: name })).requests.some((row) => row.id === id)).toBe(
      true,
    )
    await shop.call(calls.decideRequest, { id, approve: true })
    await expect(shop.call(calls.decideRequest, { id, approve: false })).rejects.toThrow('time.decided')
    let sheet = await one.call(calls.monthSheet, { month: name })
    expect(sheet).toMatchObject({ minutes: 540, clockings: [{ source: 'correction' }] })
    const clockingId = sheet.clockings[0]!.id
    const change = await one.call(calls.askChange, {
      kind: 'change',
      clockingId,
      startedAt: from,
      endedAt: at(addDays(month, 3), 16),
      reason: 'יצאתי קודם',
    })
    await expect(one.call(calls.askChange, { kind: 'remove', clockingId, reason: 'בעצם' })).rejects.toThrow(
      'time.asked',
    )
    await shop.call(calls.decideRequest, { id: change.id, approve: false, answer: 'לא' })
    sheet = await one.call(calls.monthSheet, { month: name })
    expect(sheet.minutes).toBe(540)
    const remove = await one.call(calls.askChange, { kind: 'remove', clockingId, reason: 'בטעות' })
    await shop.call(calls.decideRequest, { id: remove.id, approve: true })
    expect((await one.call(calls.monthSheet, { month: name })).minutes).toBe(0)
  })

  test.each<[string, Partial<{ startedAt: string; endedAt: string }>, string]>([
    [
      'the end before the beginning',
      { startedAt: at(addDays(month, 2), 9), endedAt: at(addDays(month, 2), 8) },
      'time.endFirst',
    ],
    [
      'more than sixteen hours',
      { startedAt: at(addDays(month, 2), 1), endedAt: at(addDays(month, 2), 18) },
      'time.tooLong',
    ],
    ['what is yet to come', { startedAt: agoIso(10), endedAt: agoIso(-60) }, 'time.ahead'],
    [
      'two years ago',
      { startedAt: at(addMonths(month, -24), 8), endedAt: at(addMonths(month, -24), 9) },
      'time.tooOld',
    ],
    ['no end', { startedAt: at(addDays(month, 2), 9) }, 'fields.need'],
  ])('refuses %s', async (_, given, code) => {
    await expect(worker.call(calls.askChange, { kind: 'add', reason: 'x', ...given })).rejects.toThrow(code)
  })

  test('an overlap is refused when it is approved, and the request waits on', async () => {
    const one = await newWorker()
    const day = addDays(month, 5)
    await worked(one, at(day, 8), at(day, 12))
    const { id } = await one.call(calls.askChange, {
      kind: 'add',
      startedAt: at(day, 11),
      endedAt: at(day, 15),
      reason: 'x',
    })
    await expect(shop.call(calls.decideRequest, { id, approve: true })).rejects.toThrow('time.overlap')
    expect((await shop.call(calls.teamMonth, { month: name })).requests.some((row) => row.id === id)).toBe(
      true,
    )
  })

  test('nobody sees or decides for others without the right', async () => {
    const [a, b] = [await newWorker(), await newWorker()]
    const { id } = await a.call(calls.askChange, {
      kind: 'add',
      startedAt: at(addDays(month, 7), 8),
      endedAt: at(addDays(month, 7), 9),
      reason: 'x',
    })
    await expect(b.call(calls.monthSheet, { month: name, personId: a.id })).rejects.toThrow('403')
    await expect(b.call(calls.decideRequest, { id, approve: true })).rejects.toThrow('403')
    await expect(a.call(calls.decideRequest, { id, approve: true })).rejects.toThrow('403')
    await expect(b.call(calls.withdrawRequest, { id })).rejects.toThrow('404')
    await expect(b.call(calls.teamMonth, {})).rejects.toThrow('403')
    await expect(
      b.call(calls.keepAbsence, { kind: 'sick', from: month, to: month, personId: a.id }),
    ).rejects.toThrow('403')
    const absence = await a.call(calls.keepAbsence, { kind: 'sick', from: month, to: month })
    await expect(b.call(calls.dropAbsence, { id: absence.id })).rejects.toThrow('404')
  })
})

describe('the month', () => {
  test('is signed by both, then locked, and opened again takes both signatures', async () => {
    const one = await newWorker()
    const day = plain[2]!
    await shop.call(calls.keepTerms, {
      personId: one.id,
      from: month,
      days: 5,
      shortDay: 4,
      restDay: 6,
      dayMinutes: null,
      overtime: true,
      hourAgorot: 6000,
    })
    await worked(one, at(day, 8), at(day, 12))
    await expect(
      shop.call(calls.approveSheet, { month: name, personId: one.id, as: 'approved' }),
    ).rejects.toThrow('time.notSigned')
    await expect(one.call(calls.signSheet, { month: today.slice(0, 7) })).rejects.toThrow('time.monthRuns')
    await one.call(calls.signSheet, { month: name })
    // What the worker signed changed: the signature is needed again.
    await worked(one, at(day, 13), at(day, 14))
    await expect(
      shop.call(calls.approveSheet, { month: name, personId: one.id, as: 'approved' }),
    ).rejects.toThrow('time.notSigned')
    await one.call(calls.signSheet, { month: name })
    await shop.call(calls.approveSheet, { month: name, personId: one.id, as: 'approved' })
    await expect(
      one.call(calls.askChange, {
        kind: 'add',
        startedAt: at(plain[5]!, 8),
        endedAt: at(plain[5]!, 9),
        reason: 'x',
      }),
    ).rejects.toThrow('time.signed')
    await expect(one.call(calls.keepAbsence, { kind: 'vacation', from: day, to: day })).rejects.toThrow(
      'time.signed',
    )
    await expect(
      one.call(calls.keepAbsence, {
        kind: 'vacation',
        from: addMonths(month, -1),
        to: addMonths(endOfMonth(month), 1),
      }),
    ).rejects.toThrow('time.signed')
    await expect(
      shop.call(calls.keepTerms, {
        personId: one.id,
        from: month,
        days: 6,
        shortDay: 4,
        restDay: 6,
        dayMinutes: null,
        overtime: true,
        hourAgorot: null,
      }),
    ).rejects.toThrow('time.signed')
    // The database refuses the person who forgets to ask.
    await expect(
      asSystem(world.app.db, (tx) =>
        sql`update clockings set ended_at = ended_at + interval '1 hour'
          where company_id = ${shop.id} and person_id = ${one.id}`.execute(tx),
      ),
    ).rejects.toThrow('signed')
    await shop.call(calls.approveSheet, { month: name, personId: one.id, as: 'open' })
    const sheet = await one.call(calls.monthSheet, { month: name })
    expect(sheet).toMatchObject({ workerAt: null, approvedAt: null, minutes: 300, wageAgorot: 30_000 })
  })

  test('a worker is sent the notice of his terms, with the week that was agreed, and signs that he has it', async () => {
    await shop.call(chooseAreas, { areas: { time: true, signing: true } })
    const one = await newWorker()
    await shop.call(calls.keepTerms, {
      personId: one.id,
      from: month,
      days: 6,
      shortDay: 4,
      restDay: 5,
      dayMinutes: 400,
      overtime: true,
      hourAgorot: 6000,
    })
    const said = {
      personId: one.id,
      signer: { name: 'רות כהן', channel: 'person' as const, identity: 'link' as const },
      job: 'ניהול המשמרת בחנות',
      superior: 'נועה ורדי',
      from: today,
      until: null,
      pay: '60 ש״ח לשעת עבודה',
      payDay: 9,
      social: 'פנסיה מקיפה',
      message: '',
    }
    const { id } = await shop.call(calls.askNotice, said)
    const { rows } = await shop.call(signAbout, { about: one.id, purposes: 'notice' })
    expect(rows).toMatchObject([{ id, state: 'sent', signers: 'רות כהן' }])
    const { signers } = await shop.call(getRequest, { id })
    const page = await shop.call(signPage, { key: signers[0]!.url!.split('/').at(-1)! })
    // As it is read aloud: words of a line in their order, figures among them.
    const lines = page.pages.flatMap((each) => each.text.split('\n'))
    expect(lines).toEqual(
      expect.arrayContaining([
        'הודעה לעובד על תנאי עבודה',
        `תחילת העבודה: ${formatDay(today)}. העבודה היא לתקופה שאינה קצובה.`,
        'עיקרי התפקיד: ניהול המשמרת בחנות',
        'שבוע העבודה: 6 ימים, 40:00 שעות. יום עבודה רגיל: 6:40 שעות. המנוחה השבועית: יום שישי.',
        'תשלומים לתנאים סוציאליים: פנסיה מקיפה',
      ]),
    )
    await expect(shop.call(calls.askNotice, { ...said, until: addDays(today, -1) })).rejects.toThrow(
      'time.endFirst',
    )
    await expect(shop.call(calls.askNotice, { ...said, job: ' ' })).rejects.toThrow('fields.need')
    await expect(shop.call(calls.askNotice, { ...said, payDay: 10 })).rejects.toThrow('fields.most')
    await expect(shop.call(calls.askNotice, { ...said, personId: randomUUID() })).rejects.toThrow(
      'kit.notFound',
    )
    await expect(one.call(calls.askNotice, said)).rejects.toThrow('403')
  })

  test('wages go up by half an agora once', async () => {
    const one = await newWorker()
    const day = plain[3]!
    await shop.call(calls.keepTerms, {
      personId: one.id,
      from: month,
      days: 5,
      shortDay: 4,
      restDay: 6,
      dayMinutes: null,
      overtime: true,
      hourAgorot: 3333,
    })
    await worked(one, at(day, 8), at(day, 8, 1))
    expect((await one.call(calls.monthSheet, { month: name })).wageAgorot).toBe(56)
  })

  test('what others earn and the file for payroll are for whoever has the right to it', async () => {
    const one = await newWorker()
    const terms = {
      personId: one.id,
      days: 5 as const,
      shortDay: 4,
      restDay: 6 as const,
      dayMinutes: null,
      overtime: true,
    }
    await shop.call(calls.keepTerms, { ...terms, from: month, hourAgorot: 4000 })
    await worked(one, at(plain[5]!, 8), at(plain[5]!, 9))
    const told = async (who: Pick<typeof worker, 'call'>) => {
      const row = (await who.call(calls.teamMonth, { month: name })).rows.find(
        ({ personId }) => personId === one.id,
      )!
      const sheet = await who.call(calls.monthSheet, { month: name, personId: one.id })
      return [row.terms!.hourAgorot, row.wageAgorot, sheet.wageAgorot]
    }
    const chief = await newWorker([261, 262, 263, 265])
    const payer = await newWorker([261, 262, 310])
    expect(await told(chief)).toEqual([null, null, undefined])
    await expect(chief.call(calls.payrollFile, { month: name })).rejects.toThrow('403')
    expect(await told(payer)).toEqual([4000, 4000, 4000])
    expect(
      Buffer.from((await payer.call(calls.payrollFile, { month: name })) as unknown as Uint8Array).length,
    ).toBeGreaterThan(0)
    // Terms that are set without seeing the wage leave it as it was.
    await chief.call(calls.keepTerms, { ...terms, from: addDays(month, 1), days: 6, hourAgorot: null })
    await expect(
      chief.call(calls.keepTerms, { ...terms, from: addDays(month, 2), hourAgorot: 1 }),
    ).rejects.toThrow('403')
    expect(await told(payer)).toEqual([4000, 4000, 4000])
  })

  test('leaves for payroll, a line a worker', async () => {
    const one = await newWorker()
    const day = plain[4]!
    await one.call(calls.keepAbsence, { kind: 'sick', from: addDays(month, 20), to: addDays(month, 22) })
    await worked(one, at(day, 8), at(day, 9, 15))
    const text = Buffer.from(
      (await shop.call(calls.payrollFile, { month: name })) as unknown as Uint8Array,
    ).toString()
    const team = await shop.call(calls.teamMonth, { month: name })
    expect(text.trim().split('\r\n')).toHaveLength(team.rows.length + 1)
    expect(text).toMatch(/,1,1\.25,0\.00,0\.00,0\.00,0\.00,0,3,0,0,0\r\n/)
    expect(team.rows.find(({ personId }) => personId === one.id)).toMatchObject({
      minutes: 75,
      absentDays: 3,
    })
  })
})

describe('hours onto an invoice', () => {
  test('each hour once, whoever asks at the same moment; a draft that goes gives them back', async () => {
    const customer = await shop.customer('לקוח השעות')
    const { id: projectId } = await shop.send('POST', '/api4/invoice/projects', {
      name: 'שיפוץ',
      customerId: customer.id,
    })
    const one = await newWorker()
    await one.call(calls.pressClock, {
      presses: [press('in', agoIso(200), { projectId }), press('out', agoIso(110))],
    })
    const period = { customerId: customer.id, from: addDays(today, -1), to: today, hourPrice: '200' }
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () => shop.call(calls.chargeHours, period)),
    )
    const made = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(made).toMatchObject([{ minutes: 90 }])
    const draft = await shop.get(`/api4/invoice/documents/${made[0]!.documentId}`)
    expect(draft.lines).toMatchObject([{ quantity: '1.5' }])
    expect(draft.totals.subtotalAgorot).toBe(30_000)
    const report = await shop.call(calls.hoursReport, { from: addDays(today, -1), to: today, by: 'project' })
    expect(report.rows.find(({ id }) => id === projectId)).toMatchObject({ minutes: 90, chargedMinutes: 90 })
    await shop.call(deleteDocument, { id: made[0]!.documentId })
    expect(await shop.call(calls.chargeHours, period)).toMatchObject({ minutes: 90 })
    await expect(shop.call(calls.chargeHours, period)).rejects.toThrow('time.nothing')
    await expect(one.call(calls.chargeHours, period)).rejects.toThrow('403')
  })
})

test('an area that is off shuts the clock, and who only clocks sees nothing else', async () => {
  const one = await newWorker()
  for (const path of ['/api4/invoice/customers', '/api4/invoice/documents', '/api4/invoice/workers'])
    expect(
      (await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': one.token } }))
        .statusCode,
    ).toBe(403)
  const other = await newBusiness(world)
  await expect(other.call(calls.clockNow, {})).rejects.toThrow('kit.areaOff')
  expect(endOfMonth(month) < today).toBe(true)
})

test('a sheet with a request that nobody decided is not signed', async () => {
  const one = await newWorker()
  const { id } = await one.call(calls.askChange, {
    kind: 'add',
    startedAt: at(plain[0]!, 9),
    endedAt: at(plain[0]!, 17),
    reason: 'שכחתי',
  })
  await expect(one.call(calls.signSheet, { month: name })).rejects.toMatchObject({
    status: 409,
    code: 'time.stillOpen',
  })
  await shop.call(calls.decideRequest, { id, approve: true })
  await one.call(calls.signSheet, { month: name })
})
