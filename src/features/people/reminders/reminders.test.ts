import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import {
  changeReminders,
  getReminders,
  pauseReminders,
  previewReminders,
  remindersOfCustomer,
  type Plan,
} from './endpoints.ts'
import { stepFor } from './server/due.ts'
import { duePlans, nextDay } from './server/plan.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'

let world: World
let shop: Business
let clock = new Date('2037-11-16T08:00:00Z')
beforeAll(async () => {
  world = await startWorld(() => clock)
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const steps = [-3, 0, 7, 30].map((days) => ({ days, texts: {} }))
test.each([
  ['2037-11-20', null, undefined],
  ['2037-11-19', null, -3],
  ['2037-11-16', null, 0],
  ['2037-11-13', null, 0],
  ['2037-11-12', null, undefined],
  ['2037-11-16', 0, undefined],
  ['2037-11-09', 0, 7],
  ['2037-11-09', 30, undefined],
  ['2036-01-01', null, undefined],
])('due %s, reminded at %s: step %s on 16 November', (due, last, days) =>
  expect(stepFor(due, '2037-11-16', steps, last)?.days).toBe(days),
)

test('the next day is by the clock in Jerusalem and leaves the weekend out', () => {
  const next = (at: string, weekends = false) => nextDay(new Date(at), { hour: 9, weekends }).at.toISOString()
  expect(next('2037-11-19T06:59:00Z')).toBe('2037-11-19T07:00:00.000Z')
  expect(next('2037-11-19T07:00:00Z')).toBe('2037-11-22T07:00:00.000Z')
  expect(next('2037-11-19T07:00:00Z', true)).toBe('2037-11-20T07:00:00.000Z')
  expect(next('2037-07-01T00:00:00Z')).toBe('2037-07-01T06:00:00.000Z')
})

const plan: Plan = {
  isOn: true,
  hour: 9,
  weekends: false,
  leastAgorot: 0,
  typeIds: [],
  steps: [
    { days: 1, texts: {} },
    { days: 5, texts: { en: { subject: 'Still open', text: '[customer] owes [total]' } } },
  ],
}
const messages = async () => (await shop.get<{ rows: Record<string, any>[] }>('/api4/invoice/messages')).rows
/** Moves to a moment and runs what is due then: only reminders and their emails. */
async function at(moment: string) {
  clock = new Date(moment)
  await asSystem(world.app.db, async (tx) => {
    await sql`delete from outbox where name not in ('reminders.day', 'letters.mail')`.execute(tx)
    await sql`update outbox set run_after = now() - interval '1 second'
      where done_at is null and run_after <= ${moment}::timestamptz`.execute(tx)
  })
  await world.worker.drain()
}
const invoice = (customerId: string, dueDate: string, price: string) =>
  shop.call(createDocument, {
    type: 8,
    customerId,
    date: '2037-11-10',
    dueDate,
    lines: [{ description: 'x', unitPrice: price }],
  })

test('who has not paid is written to once for each step, in his language, until he pays', async () => {
  const eva = await shop.customer('Eva', { email: 'eva@example.com', language: 'en' })
  const dan = await shop.customer('דן', { email: 'dan@example.com' })
  const none = await shop.customer('ללא דואר')
  const first = await invoice(eva.id, '2037-11-16', '1000')
  await invoice(eva.id, '2037-11-16', '500')
  await invoice(dan.id, '2037-11-16', '100')
  await invoice(none.id, '2037-11-16', '100')
  await shop.call(pauseReminders, { id: dan.id, paused: true, until: '2037-11-18' })
  const set = await shop.call(changeReminders, plan)
  expect(set.nextAt).toContain('2037-11-17')
  const { day, rows } = await shop.call(previewReminders, {})
  expect(day).toBe('2037-11-17')
  expect(rows.map((row) => [row.customer, row.state, row.documents.length, row.openAgorot])).toEqual([
    ['Eva', 'send', 2, 177_000],
    ['דן', 'paused', 1, 11_800],
    ['ללא דואר', 'noMail', 1, 11_800],
  ])
  expect(
    (await shop.call(previewReminders, { leastAgorot: 20_000 })).rows.map((row) => row.customer),
  ).toEqual(['Eva'])
  await at('2037-11-17T07:00:30Z')
  expect((await messages()).map((row) => [row.recipient, row.state])).toEqual([['eva@example.com', 'kept']])
  const [letter] = await messages()
  expect(letter!.subject).toContain('Payment reminder')
  expect(letter!.body).toContain('1,770.00')
  expect(letter!.body).toContain('/paymentdoc/')
  // The same run again, and the next day: nothing new for her; the other customer's pause ends on the 19th.
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set done_at = null where name = 'reminders.day' and done_at is not null`.execute(tx),
  )
  await at('2037-11-18T07:00:30Z')
  expect(await messages()).toHaveLength(1)
  await at('2037-11-19T07:00:30Z')
  expect((await messages()).map((row) => row.recipient).toSorted()).toEqual([
    'dan@example.com',
    'eva@example.com',
  ])
  // One of the two is paid; the second step is in the business's own words and about the other alone. The
  // 21st is a Saturday.
  await shop.call(createDocument, {
    type: 6,
    customerId: eva.id,
    date: '2037-11-19',
    payments: [{ means: 1, amountAgorot: 118_000 }],
    closes: [{ documentId: first.id, amountAgorot: 118_000 }],
  })
  await at('2037-11-21T07:00:30Z')
  expect(await messages()).toHaveLength(2)
  await at('2037-11-22T07:00:30Z')
  const second = (await messages()).find((row) => row.subject === 'Still open')!
  expect(second.body).toContain('Eva owes')
  expect(second.body).toContain('590.00')
  // A day whose job was lost is made good by the row, once, and the days after it go on.
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name = 'reminders.day'`.execute(tx))
  clock = new Date('2037-11-23T06:59:00Z')
  expect(await serveSchedule(world.app, duePlans)).toBe(0)
  clock = new Date('2037-11-24T10:00:00Z')
  expect(await serveSchedule(world.app, duePlans)).toBe(1)
  expect(await serveSchedule(world.app, duePlans)).toBe(0)
  expect((await shop.call(getReminders, {})).nextAt).toContain('2037-11-25T07:00')
  const card = await shop.call(remindersOfCustomer, { id: eva.id })
  expect(card.rows.map((row) => [row.day, row.days, row.documents.length])).toEqual([
    ['2037-11-22', 5, 1],
    ['2037-11-17', 1, 2],
  ])
})

test('switched off, nothing leaves; nonsense is refused', async () => {
  await shop.call(changeReminders, { ...plan, isOn: false })
  expect((await shop.call(getReminders, {})).nextAt).toBeNull()
  const before = (await messages()).length
  const late = await shop.customer('Late', { email: 'late@example.com' })
  await invoice(late.id, '2037-11-22', '100')
  await at('2037-11-23T07:00:30Z')
  expect(await messages()).toHaveLength(before)
  await expect(shop.call(changeReminders, { ...plan, steps: [] })).rejects.toMatchObject({
    code: 'reminders.noSteps',
  })
  await expect(
    shop.call(changeReminders, { ...plan, steps: [plan.steps[0]!, plan.steps[0]!] }),
  ).rejects.toMatchObject({
    errors: [{ path: 'steps.1.days' }],
  })
  await expect(
    shop.call(pauseReminders, { id: late.id, paused: true, until: '2037-11-01' }),
  ).rejects.toMatchObject({
    errors: [{ path: 'until' }],
  })
})
