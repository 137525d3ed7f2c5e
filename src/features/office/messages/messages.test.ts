import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, raw, startWorld, type World } from '../../../../tests/world.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { inviteAccountant, sendPackage } from '#features/partners/accountant/endpoints.ts'
import { sendLetters, sendStatements } from '#features/people/correspondence/endpoints.ts'
import { createDocument, sendDocument } from '#features/sales/documents/endpoints.ts'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { resendMessage } from './endpoints.ts'
import { letterKinds } from './kinds.ts'

let world: World
const letters: { to: string; attachments: number }[] = []
/** Takes letters, knows nobody called 'nobody', and is out of room for 'full'. */
const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onRcptTo: ({ address }, _session, done) => {
    const refusal = address.startsWith('nobody')
      ? [550, '5.1.1 user unknown']
      : address.startsWith('full')
        ? [452, '4.2.2 mailbox full']
        : undefined
    if (!refusal) return done()
    done(Object.assign(new Error(String(refusal[1])), { responseCode: Number(refusal[0]) }))
  },
  onData: (stream, session, done) => {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', async () => {
      const { attachments } = await PostalMime.parse(Buffer.concat(pieces))
      letters.push({ to: session.envelope.rcptTo[0]!.address, attachments: attachments.length })
      done()
    })
  },
})
beforeAll(async () => {
  world = await startWorld()
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  world.app.settings.smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise<void>((go) => server.close(go))
  await world.close()
})

test('what was sent, seen, refused and given up is told apart; a letter is sent again with what was attached', async () => {
  const shop = await newBusiness(world)
  const { id } = await shop.customer('כהן')
  const invoice = await shop.invoice(id, '100')
  for (const to of ['cohen@example.com', 'nobody@example.com', 'full@example.com'])
    await shop.call(sendDocument, { id: invoice.id, to, attach: true })
  const list = async () =>
    (await shop.get('/api4/invoice/messages?sort=createdAt')).rows as Record<string, string | null>[]
  const states = async () => (await list()).map((m) => [m.recipient, m.state, m.error])
  await world.worker.drain()
  expect(await states()).toEqual([
    ['cohen@example.com', 'sent', null],
    ['nobody@example.com', 'bounced', expect.stringContaining('user unknown')],
    ['full@example.com', 'queued', null],
  ])
  expect(letters).toEqual([{ to: 'cohen@example.com', attachments: 1 }])
  await expect(shop.call(resendMessage, { id: (await list())[2]!.id! })).rejects.toMatchObject({
    status: 409,
    code: 'messages.stillQueued',
  })

  // A server out of room is asked again, and given up at the eighth time.
  await sql`update outbox set attempts = 7, run_after = now()
    where name = 'documents.mail' and done_at is null`.execute(world.app.db.kysely)
  await world.worker.drain()
  expect((await states())[2]).toEqual(['full@example.com', 'failed', expect.stringContaining('mailbox full')])

  const bounced = (await list())[1]!
  await shop.call(resendMessage, { id: bounced.id!, to: 'levi@example.com' })
  await world.worker.drain()
  expect(letters.at(-1)).toEqual({ to: 'levi@example.com', attachments: 1 })
  expect((await list()).at(-1)).toMatchObject({
    recipient: 'levi@example.com',
    state: 'sent',
    documentIdName: String(invoice.number),
    openedAt: null,
  })
  const page = invoice.urls.page.split('/').at(-1)!
  await world.http.inject({ method: 'GET', url: `/api2/invoice/page/${page}` })
  expect((await list()).map((m) => [m.state, m.openedAt !== null])).toEqual([
    ['sent', true],
    ['bounced', false],
    ['failed', false],
    ['sent', true],
  ])
})

test('what is words alone is sent again when the work of its first time is forgotten; a statement is made where it was made', async () => {
  const shop = await newBusiness(world)
  const { id } = await shop.customer('לוי', { email: 'long-ago@example.com' })
  await shop.invoice(id, '100')
  await shop.call(sendLetters, { ids: [id], subject: 'שלום', text: 'מזמן' })
  await shop.call(sendStatements, { ids: [id] })
  await world.worker.drain()
  await asSystem(world.app.db, (tx) => sql`delete from outbox`.execute(tx))
  const all = (await shop.get('/api4/invoice/messages?sort=createdAt')).rows as { id: string; kind: string }[]
  const [letter, statement] = ['letter', 'statement'].map((kind) => all.find((one) => one.kind === kind)!.id)
  const { messageId } = await shop.call(resendMessage, { id: letter! })
  await world.worker.drain()
  const again = (await shop.get('/api4/invoice/messages')).rows as {
    id: string
    state: string
    body: string
  }[]
  expect(again.find((one) => one.id === messageId)).toMatchObject({ state: 'sent' })
  await expect(shop.call(resendMessage, { id: statement! })).rejects.toMatchObject({
    code: 'messages.tooOld',
  })
})

test('a letter is read and sent again by whoever may see and send what it holds, and by nobody else', async () => {
  const shop = await newBusiness(world)
  const { companyId } = await shop.get('/api/user/session')
  const { id } = await shop.customer('לוי', { email: 'owner-of-it@example.com' })
  const invoice = await shop.invoice(id, '100')
  const quote = await shop.call(createDocument, {
    type: 1,
    customerId: id,
    lines: [{ description: 'א', quantity: '1', unitPrice: '5' }],
  })
  await shop.call(sendDocument, { id: invoice.id, to: 'owner-of-it@example.com', attach: true })
  await shop.call(sendDocument, { id: quote.id, to: 'elsewhere@example.com', attach: true })
  await shop.call(sendStatements, { ids: [id] })
  await shop.call(sendLetters, { ids: [id], subject: 'שלום', text: 'שלום' })
  const cpa = await shop.call(inviteAccountant, {
    name: 'רו״ח',
    email: 'cpa@example.com',
    contents: ['income'],
  })
  await shop.call(sendPackage, { id: cpa.id, month: dayInJerusalem(new Date()).slice(0, 7) })
  await world.worker.drain()
  const all = (await shop.get('/api4/invoice/messages?sort=createdAt')).rows as {
    id: string
    kind: string
    documentId: string | null
  }[]
  expect(all.map((m) => m.kind)).toEqual(['document', 'document', 'statement', 'letter', 'accountant'])

  /** A person with exactly these rights: the kinds the person reads, and the outcome of sending each again. */
  const as = async (
    rights: { rules?: string[]; docsAllow?: number[]; hides?: boolean; own?: boolean },
    to?: string,
  ) => {
    const mate = await newBusiness(world)
    const numbers = (rights.rules ?? []).map((name) => allRules().get(name)!)
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
          own_customers_only)
        select ${companyId}, id, 9, ${numbers}::int[], ${rights.docsAllow ?? []}::smallint[],
          ${rights.hides ?? false}, ${rights.own ?? false}
        from users where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    const { rows } = await mate.get('/api4/invoice/messages?sort=createdAt')
    const reads = [...new Set((rows as { kind: string }[]).map((m) => m.kind))]
    const sends: [string, number][] = []
    for (const one of all)
      sends.push([
        one.kind,
        (await raw(world, resendMessage, { id: one.id, ...(to ? { to } : {}) }, { token: mate.token }))
          .statusCode,
      ])
    return { reads, sends: sends.map(([, status]) => status) }
  }
  const sales = ['documents.see', 'documents.send']
  expect(await as({ rules: sales }, 'me@example.com')).toEqual({
    reads: ['document'],
    sends: [200, 200, 404, 404, 404],
  })
  const more = [...sales, 'customers.see', 'reports.debts']
  expect((await as({ rules: more }, 'me@example.com')).sends).toEqual([200, 200, 200, 403, 404])
  expect((await as({ rules: [...more, 'accountant.see'] })).sends).toEqual([200, 200, 200, 200, 403])
  // The package contains what the person may not see.
  expect((await as({ rules: [...more, 'accountant.see', 'accountant.change'] })).sends).toEqual([
    200, 200, 200, 200, 403,
  ])
  expect(
    (await as({ rules: [...more, 'accountant.see', 'accountant.change', 'reports.sales'] })).sends,
  ).toEqual([200, 200, 200, 200, 200])
  expect(await as({ docsAllow: [8] })).toEqual({
    reads: ['document', 'letter'],
    sends: [200, 404, 404, 200, 404],
  })
  expect((await as({ own: true })).reads).toEqual([])
  // The person who may not see figures sends them to their owner only.
  expect((await as({ hides: true })).sends).toEqual([200, 422, 403, 200, 403])
  expect((await as({ hides: true }, 'me@example.com')).sends).toEqual([422, 422, 403, 422, 403])
}, 30_000)

test('every kind of letter the database knows has its rights, and every right is one', async () => {
  const { rows } = await sql<{ check: string }>`select pg_get_constraintdef(oid) as check from pg_constraint
    where conname = 'messages_kind_check'`.execute(world.app.db.kysely)
  const known = [...rows[0]!.check.matchAll(/'(\w+)'/g)].map((m) => m[1])
  expect(known.toSorted()).toEqual([...Object.keys(letterKinds), 'unknown'].toSorted())
  for (const { see, send, addressOf } of Object.values(letterKinds))
    for (const rule of [see, send, ...(addressOf ? [addressOf] : [])])
      expect(allRules().has(rule), rule).toBe(true)
})
