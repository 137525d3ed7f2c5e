import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { sweep } from '#kit/server/work/housekeeping.ts'
import { mailboxOf, type Letter } from '#kit/server/outside/mailboxes.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { openTasks } from '#features/people/tasks/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let firm: Business
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  world.app.settings.testAcquirer = true
  firm = await newBusiness(world)
  companyId = (await firm.get('/api/user/session')).companyId
})
afterAll(() => world.close())

const contact = (values: Record<string, unknown>) =>
  firm.send('POST', '/api4/invoice/interactions', { channel: 'call', text: 'שוחחנו', ...values })

test('a contact is found by what was said, and its next step is a task', async () => {
  const dana = await firm.customer('דנה כהן')
  const made = await contact({
    customerId: dana.id,
    text: 'ביקשה לדחות לאחרי החג',
    outcome: 'נדחה',
    nextText: 'לחזור אחרי החג',
    nextDay: addDays(dayInJerusalem(new Date()), 5),
  })
  expect(made).toMatchObject({ customerIdName: 'דנה כהן', byIdName: 'נועה ורדי', direction: 'out' })
  expect(
    (await firm.get(`/api4/invoice/interactions?q=${encodeURIComponent('אחרי החג')}`)).rows,
  ).toHaveLength(1)
  expect((await firm.get(`/api4/invoice/interactions?q=${encodeURIComponent('כהן')}`)).rows).toHaveLength(1)
  expect((await firm.call(openTasks, { of: 'mine' })).rows[0]).toMatchObject({
    title: 'לחזור אחרי החג',
    customerName: 'דנה כהן',
  })
  await expect(contact({ text: 'לאף אחד' })).rejects.toMatchObject({
    errors: [{ path: 'customerId', code: 'fields.need' }],
  })
  await expect(contact({ customerId: dana.id, text: '' })).rejects.toMatchObject({
    errors: [{ path: 'text' }],
  })
})

test('a changed contact is found by its new text, and a new day for its next step makes another task', async () => {
  const { id: customerId } = await firm.customer('מיכל דגן')
  const day = (days: number) => addDays(dayInJerusalem(new Date()), days)
  const { id } = await contact({ customerId, text: 'שאלה על ברזים', nextText: 'לבדוק מלאי', nextDay: day(3) })
  const change = (values: object) => firm.send('PATCH', `/api4/invoice/interactions/${id}`, values)
  const found = async (q: string) =>
    (await firm.get(`/api4/invoice/interactions?q=${encodeURIComponent(q)}`)).rows.length
  const tasks = async () =>
    (await firm.get(`/api4/invoice/tasks?customerId=${customerId}&sort=dueDay`)).rows.map(
      ({ title, dueDay }: { title: string; dueDay: string }) => [title, dueDay],
    )
  await change({ text: 'שאלה על דודים' })
  expect([await found('ברזים'), await found('דודים')]).toEqual([0, 1])
  expect(await tasks()).toEqual([['לבדוק מלאי', day(3)]])
  await change({ nextDay: day(9) })
  expect(await tasks()).toEqual([
    ['לבדוק מלאי', day(3)],
    ['לבדוק מלאי', day(9)],
  ])
})

test('everything with a customer stands on one line, in pages, by kinds', async () => {
  const shop = await firm.customer('מכולת')
  for (let n = 0; n < 50; n++) await contact({ customerId: shop.id, text: `שיחה ${n}` })
  const invoice = await firm.invoice(shop.id, '100')
  await firm.send('POST', `/api4/invoice/documents/${invoice.id}/send`, { to: 'x@example.com' })
  await firm.send('POST', '/api4/invoice/tasks', { title: 'לגבות', customerId: shop.id })
  const seen: calls.TimelineEntry[] = []
  let cursor: string | undefined
  do {
    const page = await firm.call(calls.timeline, { customerId: shop.id, ...(cursor ? { cursor } : {}) })
    seen.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(53)
  expect(seen.map(({ at }) => at)).toEqual(
    seen
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  )
  const count = (kind: string) => seen.filter((one) => one.kind === kind).length
  expect([count('contact'), count('paper'), count('letter'), count('task')]).toEqual([50, 1, 1, 1])
  const { rows } = await firm.call(calls.timeline, { customerId: shop.id, kinds: 'paper,task' })
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['paper', 'task'])
  const stranger = await newBusiness(world)
  await expect(stranger.call(calls.timeline, { customerId: shop.id })).rejects.toMatchObject({ status: 404 })
})

test('money stands on the line too: what was paid, with what became of it, and what a card did not pay', async () => {
  const shop = await firm.customer('מאפייה')
  const receipt = await firm.call(createDocument, {
    type: 6,
    customerId: shop.id,
    payments: [
      { means: 3, amountAgorot: 70_000, reference: 'T-77' },
      { means: 1, amountAgorot: 30_000 },
    ],
  } as never)
  const { id: terminal } = await firm.call(addTerminal, { gateway: 'test' })
  await asSystem(world.app.db, (tx) =>
    sql`insert into charges (company_id, id, terminal_id, purpose, subject_id, customer_id, amount_agorot,
        description, state, lapses_at)
      select ${companyId}, new_event_id(), ${terminal}, 'document', new_event_id(), ${shop.id}, 12300,
        'תשלום ' || state, state, now() from unnest(array['declined', 'lapsed']) state`.execute(tx),
  )
  const lines = async (token?: string) =>
    (
      await callAs(
        world,
        calls.timeline,
        { customerId: shop.id, kinds: 'money' },
        { token: token ?? firm.token },
      )
    ).rows
  expect(
    (await lines()).map(({ what, text, state, direction, totalAgorot, number }) => [
      what,
      text,
      state,
      direction,
      totalAgorot,
      number,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['charge', 'תשלום declined', 'declined', 'in', 12_300, null],
      ['transfer', 'T-77', 'received', 'in', 70_000, receipt.number],
      ['cash', '', 'received', 'in', 30_000, receipt.number],
    ]),
  )
  expect(await lines()).toHaveLength(3)
  await firm.call(cancelDocument, { id: receipt.id, reason: 'טעות' } as never)
  // Cancelled, and its reversal gives the money back.
  expect((await lines()).filter(({ number }) => number === receipt.number).map(({ state }) => state)).toEqual(
    ['cancelled', 'cancelled'],
  )
})

test('a letter that was forwarded is filed by who wrote it, once', async () => {
  const { address } = await firm.call(calls.changeContactSettings, { mailOn: true })
  const token = address!.split('@')[0]!
  const found = await mailboxOf(world.app, token)
  expect(found?.companyId).toBe(companyId)
  const yossi = await firm.customer('יוסי לוי', { email: 'yossi@example.com' })
  const take = (letter: Partial<Letter>) =>
    asCaller(world.app, systemCaller(companyId), '', (ctx) =>
      found!.mailbox.take(ctx, token, {
        from: { name: '', address: 'yossi@example.com' },
        subject: 'בעניין ההצעה',
        text: 'מסכים',
        messageId: undefined,
        references: [],
        ...letter,
      }),
    )
  await take({ messageId: '<1@example.com>' })
  await take({ messageId: '<1@example.com>' })
  // One that somebody of the business passed on is of whom it quotes.
  await take({
    from: { name: 'נועה', address: firm.email },
    messageId: '<2@example.com>',
    text: '---------- Forwarded message ---------\nFrom: Yossi Levi <yossi@example.com>\nDate: today\n\nמתי אתם באים?',
  })
  await take({ from: { name: 'זר', address: 'who@example.com' }, messageId: '<3@example.com>' })
  const { rows } = await firm.get(`/api4/invoice/interactions?customerId=${yossi.id}`)
  expect(rows.map((row: { direction: string }) => row.direction)).toEqual(['in', 'in'])
  const { rows: unfiled } = await firm.get(
    '/api4/invoice/interactions?customerId.empty=true&leadId.empty=true',
  )
  expect(unfiled).toMatchObject([{ sender: 'זר <who@example.com>' }])
  await firm.send('PATCH', `/api4/invoice/interactions/${unfiled[0].id}`, { customerId: yossi.id })
  await firm.call(calls.changeContactSettings, { renew: true })
  expect(await mailboxOf(world.app, token)).toBeUndefined()
})

test('what is old goes to the archive by the rule, and is found there', async () => {
  const old = await firm.customer('ותיק')
  const { id } = await contact({ customerId: old.id, text: 'לפני שנתיים' })
  await sql`update interactions set at = now() - interval '25 months' where id = ${id}`.execute(
    world.app.db.kysely,
  )
  await sweep(world.app)
  expect((await firm.get(`/api4/invoice/interactions/${id}`)).archivedAt).toBeNull()
  await firm.call(calls.changeContactSettings, { archiveMonths: 24 })
  await sweep(world.app)
  expect((await firm.get(`/api4/invoice/interactions/${id}`)).archivedAt).not.toBeNull()
  expect(
    (await firm.get(`/api4/invoice/interactions?archived=true&q=${encodeURIComponent('שנתיים')}`)).rows,
  ).toHaveLength(1)
  await firm.send('POST', `/api4/invoice/interactions/${id}/restore`)
})
