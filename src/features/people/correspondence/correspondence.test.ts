import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { dataDir, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { statementOf } from './server/statement.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
})

const messages = async () => (await shop.get<{ rows: Record<string, any>[] }>('/api4/invoice/messages')).rows
/** Only the letters: certificates and papers of every business take their time. */
async function drain(): Promise<void> {
  await asSystem(world.app.db, (tx) =>
    sql`delete from outbox where name not in ('statements.mail', 'letters.mail')`.execute(tx),
  )
  await world.worker.drain()
}
/** The newest letter that was kept because no mail server is set. */
const lastLetter = () => {
  const folder = join(dataDir, 'mail')
  const [newest] = readdirSync(folder)
    .map((name) => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return readFileSync(newest!, 'utf8')
}

test('a statement of account goes by mail in the customer’s language, as a PDF, once', async () => {
  const { id } = await shop.customer('Cohen Ltd', { email: 'cohen@example.com', language: 'en' })
  await shop.invoice(id, '1000')
  expect(await shop.call(calls.sendStatements, { ids: [id] })).toEqual({ queued: 1, without: [] })
  expect(await messages()).toMatchObject([
    {
      recipient: 'cohen@example.com',
      state: 'queued',
      subject: expect.stringContaining('Statement of account'),
    },
  ])
  await drain()
  expect(await messages()).toMatchObject([{ state: 'kept' }])
  const letter = lastLetter()
  expect(letter).toMatch(/filename=statement-\d{4}-\d\d-\d\d\.pdf/)
  expect(letter).toContain('application/pdf')
  const sent = readdirSync(join(dataDir, 'mail')).length
  // A job may run twice; the letter goes once.
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set done_at = null, run_after = now() where name = 'statements.mail'`.execute(tx),
  )
  await drain()
  expect(readdirSync(join(dataDir, 'mail'))).toHaveLength(sent)
})

test('who gets reminders gets it; who has no mail is told, and the others get theirs', async () => {
  const a = await shop.customer('א', { email: 'office@example.com' })
  const b = await shop.customer('ב')
  for (const email of ['ruth@example.com', 'dan@example.com'])
    await shop.send('POST', '/api4/invoice/customerContacts', {
      partyId: a.id,
      name: email,
      email,
      getsReminders: true,
    })
  expect(await shop.call(calls.sendStatements, { ids: [a.id, b.id, a.id], kind: 'open' })).toEqual({
    queued: 2,
    without: [{ id: b.id, name: 'ב' }],
  })
  expect((await messages()).map((row) => row.recipient).toSorted()).toEqual([
    'dan@example.com',
    'ruth@example.com',
  ])
  await shop.call(calls.sendStatements, { ids: [b.id], recipient: 'b@example.com', text: 'שלום [customer]' })
  expect(await messages()).toContainEqual(
    expect.objectContaining({ recipient: 'b@example.com', body: 'שלום ב' }),
  )
  await expect(
    shop.call(calls.sendStatements, { ids: [a.id, b.id], recipient: 'x@example.com' }),
  ).rejects.toMatchObject({ status: 422 })
})

test('the pages to look at show the figures of the books, merged records along', async () => {
  const keep = await shop.customer('Keep', { language: 'en', email: 'k@example.com' })
  const gone = await shop.customer('Gone', { language: 'en' })
  await shop.invoice(keep.id, '100')
  await shop.invoice(gone.id, '200')
  await shop.send('POST', '/api4/invoice/customers/merge', { keepId: keep.id, ids: [gone.id] })
  for (const kind of ['card', 'open'] as const) {
    const { pages, to } = await shop.call(calls.statementPages, { id: keep.id, kind })
    expect(pages).toHaveLength(1)
    expect(to).toEqual(['k@example.com'])
  }
  // A merged customer's account is part of the remaining one.
  expect((await shop.call(calls.statementPages, { id: gone.id })).name).toBe('Keep')
  const pdf = await shop.call(calls.statementFile, { id: keep.id, kind: 'open' })
  expect(
    Buffer.from(pdf as Uint8Array)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  await expect(
    shop.call(calls.statementPages, { id: keep.id, from: '2026-02-01', to: '2026-01-01' }),
  ).rejects.toMatchObject({
    status: 422,
  })
})

test('a statement names each paper, when it is due, and how long what is open has been overdue', async () => {
  const then = await startWorld(() => new Date('2031-05-20T09:00:00Z'))
  try {
    const old = await newBusiness(then)
    const cohen = await old.customer('Cohen', { language: 'en' })
    // Due in 2031: on the days where one age ends and the next begins.
    for (const [date, dueDate, shekels] of [
      ['2031-02-01', '2031-02-18', '1'],
      ['2031-02-02', '2031-02-19', '10'],
      ['2031-02-03', '2031-03-20', '100'],
      ['2031-02-04', '2031-03-21', '1000'],
      ['2031-02-05', '2031-04-20', '2000'],
      ['2031-02-06', '2031-05-19', '4000'],
      ['2031-02-07', '2031-05-20', '20000'],
    ] as const)
      await old.invoice(cohen.id, shekels, { date, dueDate })
    const { companyId } = await old.get('/api/user/session')
    const source = async (which: { kind: 'card' | 'open'; from?: string; to?: string }) =>
      asCaller(
        then.app,
        systemCaller(companyId),
        '',
        async (ctx) => (await statementOf(ctx, cohen.id, which)).source,
      )
    const gross = (net: number) => Math.round(net * 118)
    const ageing = [gross(20_000), gross(6_000), gross(1_000), gross(110), gross(1)]
    const open = await source({ kind: 'open' })
    expect(open.ageing).toEqual(ageing)
    expect(open).toMatchObject({ opening: 0, charged: gross(27_111), credited: 0, balance: gross(27_111) })
    expect(open.entries.map(({ date, due, debit }) => [date, due, debit])).toContainEqual([
      '2031-02-03',
      '2031-03-20',
      gross(100),
    ])
    // On the card each line shows its document; a line without one shows its kind.
    const card = await source({ kind: 'card', from: '2031-02-02', to: '2031-02-03' })
    expect(card).toMatchObject({ opening: gross(1), charged: gross(110), balance: gross(111) })
    expect(card.entries).toMatchObject([
      { date: '2031-02-02', due: '2031-02-19', debit: gross(10), balance: gross(11) },
      { date: '2031-02-03', due: '2031-03-20', debit: gross(100), balance: gross(111) },
    ])
    expect(card.entries.map(({ document }) => document)).toEqual(
      open.entries.slice(1, 3).map(({ document }) => document),
    )
    expect(card.entries[0]!.document).toMatch(/Tax invoice.*2$/)
    await expect(source({ kind: 'card', from: '2031-06-01' })).rejects.toMatchObject({
      errors: [{ path: 'from', code: 'expenses.dateInFuture' }],
    })
  } finally {
    await then.close()
  }
})

test('a letter goes to each with his own name, and stands in his activity', async () => {
  const a = await shop.customer('דנה', { email: 'dana@example.com' })
  const b = await shop.customer('בלי דוא״ל')
  const { queued, without } = await shop.call(calls.sendLetters, {
    ids: [a.id, b.id],
    subject: 'חופשה',
    text: 'שלום [customer], נסגור בחג.',
  })
  expect([queued, without.map((one) => one.name)]).toEqual([1, ['בלי דוא״ל']])
  expect(await messages()).toMatchObject([{ subject: 'חופשה', body: 'שלום דנה, נסגור בחג.' }])
  const { rows } = await shop.get(`/api4/invoice/customers/${a.id}/activity`)
  expect(rows.map((row: any) => row.message?.subject).filter(Boolean)).toEqual(['חופשה'])
  expect(
    (await shop.get(`/api4/invoice/customers/${b.id}/activity`)).rows.map((row: any) => row.action),
  ).toEqual(['customers.create'])
})

test('nobody sends or sees what he may not: strangers, those without the right, those without figures', async () => {
  const { id } = await shop.customer('לוי', { email: 'l@example.com' })
  const stranger = await newBusiness(world)
  expect((await raw(world, calls.sendStatements, { ids: [id] }, { token: stranger.token })).statusCode).toBe(
    404,
  )
  expect(
    (await raw(world, calls.sendLetters, { ids: [id], subject: 'x', text: 'x' }, { token: stranger.token }))
      .statusCode,
  ).toBe(404)
  const { companyId } = await shop.get('/api/user/session')
  const become = (change: string) =>
    asSystem(world.app.db, (tx) =>
      sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
    )
  const status = async (endpoint: any, input: object) =>
    (await raw(world, endpoint, input as never, { token: shop.token })).statusCode
  await become("rules = '{34}'")
  expect(await status(calls.sendStatements, { ids: [id] })).toBe(403)
  expect(await status(calls.statementFile, { id })).toBe(403)
  await become("rules = '{}', hide_total_prices = true")
  expect(await status(calls.sendStatements, { ids: [id] })).toBe(403)
  expect(await status(calls.statementFile, { id })).toBe(403)
  expect(await status(calls.statementPages, { id })).toBe(403)
  await become("docs_allow = '{8}', hide_total_prices = false")
  expect(await status(calls.sendStatements, { ids: [id], recipient: 'me@example.com' })).toBe(403)
  expect(await status(calls.statementFile, { id })).toBe(403)
  await become("docs_allow = '{}'")
  expect(await messages()).toEqual([])
})
