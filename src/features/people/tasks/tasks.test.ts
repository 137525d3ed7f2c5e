import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import { newScene } from '../../../../tests/limits.ts'
import { addDays, dayInJerusalem, momentAt } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { openLetterLink, useAutoLogin } from '#features/base/session/endpoints.ts'
import { listNotifications, setBell } from '#features/people/bell/endpoints.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  Refused,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { removeCard } from '#features/money/savedCards/endpoints.ts'
import { chargeNow, createOrder, giveUpTurn } from '#features/money/standingOrders/endpoints.ts'
import { lookForWork } from './server/makers.ts'
import { bringBack, remind } from './server/reminders.ts'

let world: World
let firm: Business
let companyId: string
let clock = new Date()
const today = () => dayInJerusalem(clock)
beforeAll(async () => {
  world = await startWorld(() => clock)
  firm = await newBusiness(world)
  companyId = (await firm.get('/api/user/session')).companyId
})
afterAll(() => world.close())

/** A member of the firm with these rules. */
async function mate(
  rules: number[],
  { own = false, name = 'דנה לוי' } = {},
): Promise<{ token: string; id: string }> {
  const other = await newBusiness(world)
  return asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from users where email = ${other.email}`.execute(tx)
    const id = rows[0]!.id
    await sql`update users set full_name = ${name} where id = ${id}`.execute(tx)
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
        own_customers_only)
      values (${companyId}, ${id}, 9, ${rules}::int[], '{}', false, ${own})`.execute(tx)
    await sql`update sessions set company_id = ${companyId} where user_id = ${id}`.execute(tx)
    return { token: other.token, id }
  })
}
const quick = (text: string, more = {}) => firm.call(calls.quickTask, { text, ...more })
const bell = (token: string) => callAs(world, listNotifications, {}, { token })
const mainBoard = async () => (await firm.call(calls.listBoards, {})).rows[0]!

describe('a task', () => {
  test('its letter leads to the task itself, and says its day as people read it', async () => {
    const dana = await mate([200, 203], { name: 'עמית נגר' })
    for (const kind of ['task.given', 'task.reminder'])
      await callAs(world, setBell, { kind, way: 'mail' }, { token: dana.token })
    const card = await quick('מחר ב-10 לשלוח טיוטה @עמית')
    const before = clock
    clock = momentAt(addDays(today(), 1), 10)
    await remind(world.app)
    clock = before
    await world.worker.drain()
    const letters = readdirSync(join(dataDir, 'mail'))
      .toSorted()
      .map((name) => mailText(readFileSync(join(dataDir, 'mail', name), 'utf8')))
      .filter((text) => text.includes('לשלוח טיוטה'))
    expect(letters).toHaveLength(2)
    const day = formatDay(addDays(today(), 1))
    expect(
      letters.filter((text) => text.replace(/[\u2066-\u2069]/g, '').includes(`${day} 10:00`)),
    ).toHaveLength(1)
    for (const text of letters) {
      const token = /#([\w-]{20,})/.exec(text)![1]!
      await callAs(world, openLetterLink, { token })
      expect(await callAs(world, useAutoLogin, { token })).toMatchObject({
        CompanyKey: companyId,
        path: `/invoice/alltasks?task=${card.id}`,
      })
    }
  })

  test('is made of one line, lands on the main board and rings for whoever has it', async () => {
    const dana = await mate([200, 203], { name: 'דנה לוי' })
    const card = await quick('מחר ב-10 להתקשר ללקוח @דנה דחוף')
    expect(card).toMatchObject({
      title: 'להתקשר ללקוח',
      dueDay: addDays(today(), 1),
      dueTime: '10:00',
      priority: 'high',
      ownerName: 'דנה לוי',
    })
    const board = await mainBoard()
    expect(card.columnId).toBe(board.columns[0]!.id)
    const { rows, unread } = await bell(dana.token)
    expect(unread).toBe(1)
    expect(rows[0]).toMatchObject({
      kind: 'task.given',
      entityId: card.id,
      params: { title: 'להתקשר ללקוח' },
    })
    // Her page shows what she was assigned, and nothing of what others have.
    const mine = await callAs(world, calls.openTasks, { of: 'mine' }, { token: dana.token })
    expect(mine.rows.map(({ id }) => id)).toEqual([card.id])
    // Nobody is notified of their own actions.
    await quick('לעצמי')
    expect((await firm.call(listNotifications, {})).unread).toBe(0)
  })

  test('that names nobody known keeps the name in its title', async () => {
    expect((await quick('לשלוח @אלמוני')).title).toBe('לשלוח @אלמוני')
  })

  test('a word with @name tells that person, who sees it from then on', async () => {
    const noa = await mate([200], { name: 'נעמי כץ' })
    const { id } = await quick('לבדוק חוזה')
    await expect(callAs(world, calls.wholeTask, { id }, { token: noa.token })).rejects.toMatchObject({
      status: 404,
    })
    const { mentioned } = await firm.call(calls.commentTask, { id, text: 'מה דעתך @נעמי? ראי סעיף 4' })
    expect(mentioned).toEqual([noa.id])
    const seen = await callAs(world, calls.wholeTask, { id }, { token: noa.token })
    expect(seen.comments[0]).toMatchObject({ text: 'מה דעתך @נעמי? ראי סעיף 4' })
    expect((await bell(noa.token)).rows[0]).toMatchObject({ kind: 'task.mentioned' })
    await callAs(world, calls.commentTask, { id, text: 'נראה תקין' }, { token: noa.token })
    expect((await firm.call(listNotifications, {})).rows[0]).toMatchObject({
      kind: 'task.commented',
      params: { text: 'נראה תקין' },
    })
    // Words of others are read and not changed; hers she cannot tick tasks with.
    await expect(callAs(world, calls.finishTask, { id }, { token: noa.token })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('has a list to tick, and waits for another until that one is done', async () => {
    const first = await quick('קודם')
    const second = await firm.send('POST', '/api4/invoice/tasks', { title: 'אחר כך', waitsForId: first.id })
    const { itemId } = await firm.call(calls.addItem, { id: first.id, text: 'שורה' })
    await firm.call(calls.changeItem, { id: first.id, itemId, done: true })
    const rows = (await firm.call(calls.openTasks, { of: 'all' })).rows
    expect(rows.find(({ id }) => id === first.id)).toMatchObject({ ticked: 1, items: 1 })
    expect(rows.find(({ id }) => id === second.id)).toMatchObject({ waits: true })
    await expect(
      firm.send('PATCH', `/api4/invoice/tasks/${first.id}`, { waitsForId: second.id }),
    ).rejects.toMatchObject({
      code: 'tasks.circle',
    })
    await firm.call(calls.finishTask, { id: first.id })
    expect(
      (await firm.call(calls.openTasks, { of: 'all' })).rows.find(({ id }) => id === second.id),
    ).toMatchObject({ waits: false })
  })

  test('refuses what makes no sense, at its field', async () => {
    const stranger = await newBusiness(world)
    const theirs = await stranger.customer('זר')
    const bad = async (values: Record<string, unknown>, path: string, code: string) =>
      expect(firm.send('POST', '/api4/invoice/tasks', { title: 'x', ...values })).rejects.toMatchObject({
        errors: [{ path, code }],
      })
    await bad({ customerId: theirs.id }, 'customerId', 'fields.ref')
    await bad({ dueTime: '25:00' }, 'dueTime', 'fields.moment')
    await bad({ repeat: 'week:0', dueDay: today() }, 'repeat', 'tasks.badRepeat')
    await bad({ repeat: 'week:1' }, 'dueDay', 'fields.need')
    await bad({ ownerId: '01900000-0000-7000-8000-000000000000' }, 'ownerId', 'fields.ref')
    await bad({ remindMinutes: -5 }, 'remindMinutes', 'fields.range')
  })
})

describe('the board', () => {
  test('keeps its order for all, and who saw an older card is refused with the one of now', async () => {
    const board = await mainBoard()
    const doing = board.columns[1]!
    const [a, b, c] = [
      await quick('א', { columnId: doing.id }),
      await quick('ב', { columnId: doing.id }),
      await quick('ג', { columnId: doing.id }),
    ]
    const order = async () =>
      (await firm.call(calls.boardCards, { id: board.id })).rows
        .filter(({ columnId }) => columnId === doing.id)
        .map(({ title }) => title)
    expect(await order()).toEqual(['א', 'ב', 'ג'])
    await firm.call(calls.moveTask, {
      id: c.id,
      version: c.version,
      columnId: doing.id,
      afterId: a.id,
      beforeId: b.id,
    })
    expect(await order()).toEqual(['א', 'ג', 'ב'])
    await firm.call(calls.moveTask, { id: b.id, version: b.version, columnId: doing.id, beforeId: a.id })
    expect(await order()).toEqual(['ב', 'א', 'ג'])
    const answer = await raw(
      world,
      calls.moveTask,
      { id: c.id, version: c.version, columnId: doing.id },
      { token: firm.token },
    )
    expect(answer.statusCode).toBe(409)
    const { code, params } = answer.json<{ code: string; params: { card: string } }>()
    expect(code).toBe('tasks.moved')
    expect(JSON.parse(params.card)).toMatchObject({ id: c.id, version: c.version + 1 })
  })

  test('a thousand moves to one place keep the keys short and the order right', async () => {
    const board = await firm.call(calls.createBoard, {
      name: 'צפוף',
      columns: [{ name: 'א' }, { name: 'ב', isDone: true }],
    })
    const columnId = board.columns[0]!.id
    const cards = []
    for (let n = 0; n < 6; n++) cards.push(await quick(`כרטיס ${n}`, { columnId }))
    const expected = cards.map(({ id }) => id)
    const versions = new Map(cards.map(({ id, version }) => [id, version]))
    // Always between the first two: the worst there is for keys between keys.
    for (let n = 0; n < 120; n++) {
      const [first, , ...rest] = expected
      const moved = rest.at(-1)!
      const { version } = await firm.call(calls.moveTask, {
        id: moved,
        version: versions.get(moved)!,
        columnId,
        afterId: first!,
      })
      versions.set(moved, version)
      expected.splice(expected.indexOf(moved), 1)
      expected.splice(1, 0, moved)
    }
    const { rows } = await firm.call(calls.boardCards, { id: board.id })
    expect(rows.map(({ id }) => id)).toEqual(expected)
    expect(Math.max(...rows.map(({ rank }) => rank.length))).toBeLessThanOrEqual(51)
  })

  test('a column takes no more than its limit, however many come at once', async () => {
    const board = await firm.call(calls.createBoard, {
      name: 'מוגבל',
      columns: [{ name: 'א' }, { name: 'ב', limit: 2 }, { name: 'ג', isDone: true }],
    })
    const [from, to] = board.columns
    const cards = await Promise.all([1, 2, 3, 4].map((n) => quick(`ל ${n}`, { columnId: from!.id })))
    const results = await Promise.allSettled(
      cards.map(({ id, version }) => firm.call(calls.moveTask, { id, version, columnId: to!.id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(
      results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Refused).code] : [])),
    ).toEqual(['tasks.columnFull', 'tasks.columnFull'])
    await expect(quick('עוד', { columnId: to!.id })).rejects.toMatchObject({ code: 'tasks.columnFull' })
  })

  test('what is dropped into the column of the done is done, and open again when it leaves', async () => {
    const board = await mainBoard()
    const done = board.columns.find(({ isDone }) => isDone)!
    const card = await quick('לגרור')
    const there = await firm.call(calls.moveTask, { id: card.id, version: card.version, columnId: done.id })
    expect(there.doneAt).not.toBeNull()
    const back = await firm.call(calls.finishTask, { id: card.id, done: false })
    expect(back).toMatchObject({ doneAt: null, columnId: board.columns[0]!.id })
  })

  test('a column with cards cannot go, nor the only one for what is done', async () => {
    const board = await firm.call(calls.createBoard, {
      name: 'זמני',
      columns: [{ name: 'א' }, { name: 'ב', isDone: true }],
    })
    await quick('כאן', { columnId: board.columns[0]!.id })
    const columns = board.columns.map(({ id, name, isDone }) => ({ id, name, isDone }))
    await expect(
      firm.call(calls.changeBoard, { id: board.id, name: 'x', columns: [{ name: 'חדש' }, columns[1]!] }),
    ).rejects.toMatchObject({
      code: 'tasks.columnNotEmpty',
    })
    await expect(
      firm.call(calls.changeBoard, { id: board.id, name: 'x', columns: [columns[0]!, { name: 'y' }] }),
    ).rejects.toMatchObject({
      code: 'tasks.needsDone',
    })
    await firm.call(calls.dropBoard, { id: board.id })
    // Its work is on the main board.
    const main = await mainBoard()
    expect(
      (await firm.call(calls.boardCards, { id: main.id })).rows.some(({ title }) => title === 'כאן'),
    ).toBe(true)
    await expect(firm.call(calls.dropBoard, { id: main.id })).rejects.toMatchObject({
      code: 'tasks.mainBoard',
    })
  })
})

describe('what comes back', () => {
  test('makes its next one when it is done, once, by its own days', async () => {
    clock = new Date('2026-03-04T08:00:00Z')
    const row = await firm.send('POST', '/api4/invoice/tasks', {
      title: 'דוח',
      dueDay: '2026-01-31',
      repeat: 'month:1',
    })
    await firm.call(calls.addItem, { id: row.id, text: 'שורה' })
    await firm.call(calls.finishTask, { id: row.id })
    await firm.call(calls.finishTask, { id: row.id, done: false })
    await firm.call(calls.finishTask, { id: row.id })
    const open = (await firm.call(calls.openTasks, { of: 'all' })).rows.filter(({ title }) => title === 'דוח')
    // February is over: what was missed does not come back; the 31st is counted from the first day.
    expect(open).toMatchObject([{ dueDay: '2026-03-31', items: 1, ticked: 0 }])
  })

  test('by its day comes although the last was not done', async () => {
    clock = new Date('2026-03-04T08:00:00Z')
    await firm.send('POST', '/api4/invoice/tasks', {
      title: 'גיבוי',
      dueDay: '2026-03-01',
      repeat: 'week:1',
      repeatWhen: 'day',
    })
    expect(await bringBack(world.app)).toBe(1)
    expect(await bringBack(world.app)).toBe(0)
    const open = (await firm.call(calls.openTasks, { of: 'all' })).rows.filter(
      ({ title }) => title === 'גיבוי',
    )
    expect(open.map(({ dueDay }) => dueDay)).toEqual(['2026-03-01', '2026-03-08'])
  })

  test('by its day comes in every business, however many series there are, and a broken one stops none', async () => {
    clock = new Date('2026-05-04T08:00:00Z')
    // Those of the tests before have theirs.
    while (await bringBack(world.app));
    const one = await firm.send('POST', '/api4/invoice/tasks', {
      title: 'שוטף',
      dueDay: '2026-05-03',
      repeat: 'week:1',
      repeatWhen: 'day',
    })
    // More that have their next one than are looked at at once, and as many that break, all before it.
    await asSystem(world.app.db, async (tx) => {
      const columns = sql`company_id, title, created_by, notes, due_day, board_id, column_id, rank, repeat,
          repeat_when, repeat_from, series_id, series_day, folded`
      const made = (title: string, day: string, of: number) => sql`insert into tasks (id, ${columns})
        select lpad(to_hex(n * 2 + ${of}::int), 32, '0')::uuid, company_id, ${title}, created_by, notes,
          ${day}::date, board_id, column_id, rank || n || ${of}::text, repeat, repeat_when, repeat_from,
          ('aaaaaaaa-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${day}::date, folded
          from tasks, generate_series(1, 4) n where company_id = ${companyId} and tasks.id = ${one.id}`
      await made('מוגש', '2026-04-26', 0).execute(tx)
      await made('מוגש', '2026-05-10', 1).execute(tx)
      await sql`insert into tasks (id, ${columns}) select lpad(to_hex(100000 + n), 32, '0')::uuid, company_id,
          'שבור', created_by, notes, due_day, board_id, column_id, rank || 'b' || n, repeat, repeat_when,
          repeat_from,
        ('bbbbbbbb-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, series_day, folded
        from tasks, generate_series(1, 4) n where company_id = ${companyId} and tasks.id = ${one.id}`.execute(
        tx,
      )
    })
    const change = (text: string) => asSystem(world.app.db, (tx) => sql`${sql.raw(text)}`.execute(tx))
    await change(`alter table tasks add constraint broken check (title <> 'שבור') not valid`)
    expect(await bringBack(world.app, { atOnce: 3 })).toBe(1)
    expect(await bringBack(world.app, { atOnce: 3 })).toBe(0)
    await change('alter table tasks drop constraint broken')
    await asSystem(world.app.db, (tx) =>
      sql`delete from tasks where company_id = ${companyId} and title in ('שבור', 'מוגש')`.execute(tx),
    )
    const open = (await firm.call(calls.openTasks, { of: 'all' })).rows.filter(
      ({ title }) => title === 'שוטף',
    )
    expect(open.map(({ dueDay }) => dueDay)).toEqual(['2026-05-03', '2026-05-10'])
  })

  test('reminders ring once, at their time in Jerusalem, and again when the day moves', async () => {
    clock = new Date('2026-07-01T05:00:00Z')
    const row = await firm.send('POST', '/api4/invoice/tasks', {
      title: 'פגישה',
      dueDay: '2026-07-01',
      dueTime: '09:00',
      remindMinutes: 30,
    })
    const mine = async () =>
      (await firm.call(listNotifications, {})).rows.filter(
        ({ kind, entityId }) => kind === 'task.reminder' && entityId === row.id,
      )
    await remind(world.app)
    expect(await mine()).toHaveLength(0)
    // 8:30 on the wall is 5:30 in London's winter time.
    clock = new Date('2026-07-01T05:30:00Z')
    await Promise.all([remind(world.app), remind(world.app), remind(world.app)])
    expect(await mine()).toHaveLength(1)
    await firm.send('PATCH', `/api4/invoice/tasks/${row.id}`, { dueDay: '2026-07-02' })
    clock = new Date('2026-07-02T05:30:00Z')
    await remind(world.app)
    expect(await mine()).toHaveLength(2)
  })
})

test('the product makes a task for a quote nobody answered, once, and closes it when it is answered', async () => {
  clock = new Date()
  const shop = await newBusiness(world)
  const id = (await shop.get('/api/user/session')).companyId as string
  const look = () => asCaller(world.app, systemCaller(id), '', lookForWork)
  const customer = await shop.customer('מאפייה')
  const old = addDays(today(), -8)
  const quote = await shop.call(createDocument, {
    type: 1,
    customerId: customer.id,
    date: old,
    lines: [{ description: 'תנור', unitPrice: '900' }],
  } as never)
  await shop.call(createDocument, {
    type: 1,
    customerId: customer.id,
    lines: [{ description: 'מדף', unitPrice: '90' }],
  })
  expect(await look()).toEqual({ made: 1, closed: 0 })
  expect(await look()).toEqual({ made: 0, closed: 0 })
  const [made] = (await shop.call(calls.openTasks, { of: 'all' })).rows
  expect(made).toMatchObject({ madeKind: 'quoteUnanswered', customerName: 'מאפייה' })
  // What a person ticked off stays ticked off.
  await shop.call(calls.finishTask, { id: made!.id })
  expect(await look()).toEqual({ made: 0, closed: 0 })
  await shop.call(calls.finishTask, { id: made!.id, done: false })
  const order = await shop.send('POST', `/api4/invoice/documents/${quote.id}/convert`, { type: 2 })
  await shop.send('POST', `/api4/invoice/documents/${order.id}/issue`)
  expect(await look()).toEqual({ made: 0, closed: 1 })
  expect((await shop.call(calls.openTasks, { of: 'all' })).rows).toEqual([])
  await shop.call(calls.setMaker, { kind: 'quoteUnanswered', isOn: false, days: 3, ownerId: null })
  expect((await shop.call(calls.listMakers, {})).rows[0]).toMatchObject({ isOn: false, days: 3 })
})

test('a charge of a standing order that failed is a task, and the task goes with it', async () => {
  clock = new Date()
  world.app.settings.testAcquirer = true
  const { shop, companyId: id, customerId, cardId } = await newScene(world)
  const look = () => asCaller(world.app, systemCaller(id), '', lookForWork)
  // By a card that is removed before the first charge, which fails.
  const order = await shop.call(createOrder, {
    title: 'מנוי פילאטיס',
    customerId,
    startDay: today(),
    documentType: 8,
    means: 'card',
    cardId,
    partyKind: 'business',
    lines: [{ description: 'מנוי', unitPrice: '350', vatKind: 2 }],
  })
  await shop.call(removeCard, { id: cardId })
  const charged = await shop.call(chargeNow, { id: order.id, start: order.nextFrom! })
  expect(charged).toMatchObject({ state: 'needsCard', periods: [{ state: 'failed' }] })
  expect(await look()).toEqual({ made: 0, closed: 0 })
  clock = new Date(Date.now() + 86_400_000)
  expect(await look()).toEqual({ made: 1, closed: 0 })
  expect(await look()).toEqual({ made: 0, closed: 0 })
  expect((await shop.call(calls.openTasks, { of: 'all' })).rows).toMatchObject([
    { madeKind: 'orderFailing', customerName: 'נעמה ברק' },
  ])
  await shop.call(giveUpTurn, { id: order.id, start: charged.periods[0]!.start, how: 'debt' })
  expect(await look()).toEqual({ made: 0, closed: 1 })
})

test('who sees his own sees those of his teams when he may, and never all without the right', async () => {
  const other = await newBusiness(world)
  expect(other.token).not.toBe(firm.token)
  const plain = await mate([200, 203], { name: 'רון' })
  const inTeam = await mate([200, 201, 203], { name: 'שיר' })
  const all = await mate([200, 202, 203], { name: 'תום' })
  await firm.call(calls.saveTeam, { name: 'מכירות', members: [plain.id, inTeam.id] })
  const given = await firm.send('POST', '/api4/invoice/tasks', { title: 'של רון', ownerId: plain.id })
  const secret = await firm.send('POST', '/api4/invoice/tasks', { title: 'של הבעלים' })
  const seen = async (token: string) => {
    const ids = (await callAs(world, calls.openTasks, { of: 'all' }, { token })).rows.map(({ id }) => id)
    return [ids.includes(given.id), ids.includes(secret.id)]
  }
  expect(await seen(plain.token)).toEqual([true, false])
  expect(await seen(inTeam.token)).toEqual([true, false])
  expect(await seen(all.token)).toEqual([true, true])
  const board = await mainBoard()
  const cards = (await callAs(world, calls.boardCards, { id: board.id }, { token: inTeam.token })).rows.map(
    ({ id }) => id,
  )
  expect([cards.includes(given.id), cards.includes(secret.id)]).toEqual([true, false])
  await expect(
    callAs(
      world,
      calls.moveTask,
      { id: secret.id, version: 1, columnId: board.columns[1]!.id },
      { token: plain.token },
    ),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    callAs(
      world,
      calls.createBoard,
      { name: 'x', columns: [{ name: 'a' }, { name: 'b', isDone: true }] },
      { token: plain.token },
    ),
  ).rejects.toMatchObject({ status: 403 })
})

test('a card says the sum of the paper it is about, to whoever sees such papers', async () => {
  const customer = await firm.customer('סכום על כרטיס')
  const quote = await firm.call(createDocument, {
    type: 1,
    customerId: customer.id,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '200' }],
  })
  const { id } = await quick('לחזור על ההצעה', { documentId: quote.id })
  const board = await mainBoard()
  const sumFor = async (token: string) =>
    (await callAs(world, calls.boardCards, { id: board.id }, { token })).rows.find((one) => one.id === id)
      ?.sumAgorot
  expect(await sumFor(firm.token)).toBe(23_600)
  expect(await sumFor((await mate([200, 202, 30], { name: 'רואה מסמכים' })).token)).toBe(23_600)
  expect(await sumFor((await mate([200, 202], { name: 'רואה משימות' })).token)).toBeNull()
})

test('the calendar address shows his open tasks and no names unless he wants them, and ends with the next one', async () => {
  clock = new Date()
  const customer = await firm.customer('מרפאת הגליל')
  await firm.send('POST', '/api4/invoice/tasks', {
    title: 'ביקור אצל מרפאת הגליל',
    dueDay: addDays(today(), 1),
    dueTime: '12:00',
    customerId: customer.id,
  })
  const { url } = await firm.call(calls.makeFeed, { withNames: false })
  const get = async (of: string) => world.http.inject({ method: 'GET', url: new URL(of).pathname })
  const file = await get(url)
  expect(file.headers['content-type']).toContain('text/calendar')
  expect(file.body).toContain('SUMMARY:ביקור אצל')
  expect(file.body).toMatch(/SEQUENCE:\d+/)
  expect(file.body).not.toContain('מרפאת הגליל')
  const named = await firm.call(calls.makeFeed, { withNames: true })
  expect((await get(url)).statusCode).toBe(404)
  expect((await get(named.url)).body).toContain('מרפאת הגליל')
  await firm.call(calls.endFeed, {})
  expect((await get(named.url)).statusCode).toBe(404)
})

test('those who watch a task are people of the business, each once, and are told what is said', async () => {
  const [rina, gadi] = [await mate([200, 203], { name: 'רינה' }), await mate([200, 203], { name: 'גדי' })]
  const { id } = await quick('לבדוק את החוזה')
  const watchers = async () => (await firm.call(calls.wholeTask, { id })).watchers.map(({ name }) => name)
  await firm.call(calls.watchTask, { id, people: [rina.id, gadi.id, rina.id] })
  expect((await watchers()).toSorted()).toEqual(['גדי', 'רינה'])
  const stranger = await newBusiness(world)
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ id: string }>`select id from users where email = ${stranger.email}`.execute(tx),
  )
  await expect(firm.call(calls.watchTask, { id, people: [rina.id, rows[0]!.id] })).rejects.toMatchObject({
    status: 422,
  })
  expect((await watchers()).toSorted()).toEqual(['גדי', 'רינה'])
  await firm.call(calls.watchTask, { id, people: [] })
  expect(await watchers()).toEqual([])
})

test('the two-hundred-and-first line of a task is refused', async () => {
  const { id } = await firm.send('POST', '/api4/invoice/tasks', { title: 'רשימה ארוכה' })
  await asSystem(world.app.db, (tx) =>
    sql`insert into task_items (company_id, task_id, id, text, position)
      select company_id, id, gen_random_uuid(), 'שורה', n from tasks, generate_series(1, 199) n
      where id = ${id}`.execute(tx),
  )
  const add = () => firm.call(calls.addItem, { id, text: 'עוד' })
  await add()
  await expect(add()).rejects.toMatchObject({ status: 422, code: 'kit.tooMuch' })
})

test('a calendar address has the open tasks of its owner: a day or half an hour, with names if asked for', async () => {
  const { userId } = await firm.get('/api/user/session')
  const { id: customerId } = await firm.customer('גלית ארד')
  const make = (title: string, more: object = {}) =>
    firm.send('POST', '/api4/invoice/tasks', {
      title,
      ownerId: userId,
      dueDay: '2031-05-20',
      customerId,
      ...more,
    })
  await make('יום שלם')
  await make('בשעה של גלית ארד', { dueTime: '10:00' })
  const { id: gone } = await make('נמחקה')
  await firm.send('DELETE', `/api4/invoice/tasks/${gone}`)
  const other = await mate([])
  await make('של אחר', { ownerId: other.id })
  const file = async (url: string) =>
    raw(world, calls.feedFile, { key: new URL(url).pathname.split('/').at(-1)! })
  const eventsOf = async (url: string) =>
    (await file(url)).body
      .replace(/\r\n[ \t]/g, '')
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((text) => ['SUMMARY', 'DTSTART', 'DTEND'].map((name) => text.match(`${name}[:;].*`)?.[0]))
      .filter(([, start]) => start!.includes('20310520'))
  const bare = await firm.call(calls.makeFeed, {})
  expect(await eventsOf(bare.url)).toEqual([
    ['SUMMARY:יום שלם', 'DTSTART;VALUE=DATE:20310520', 'DTEND;VALUE=DATE:20310521'],
    ['SUMMARY:בשעה של …', 'DTSTART:20310520T070000Z', 'DTEND:20310520T073000Z'],
  ])
  const named = await firm.call(calls.makeFeed, { withNames: true })
  expect((await file(bare.url)).statusCode).toBe(404)
  expect((await eventsOf(named.url)).map(([summary]) => summary)).toEqual([
    'SUMMARY:יום שלם · גלית ארד',
    'SUMMARY:בשעה של גלית ארד',
  ])
  expect(await firm.call(calls.feedState, {})).toMatchObject({ withNames: true, since: expect.any(String) })
  await firm.call(calls.endFeed, {})
  expect((await file(named.url)).statusCode).toBe(404)
  expect(await firm.call(calls.feedState, {})).toEqual({ withNames: false, since: null })
})
