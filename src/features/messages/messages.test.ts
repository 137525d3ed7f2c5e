import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type World } from '../../../tests/world.ts'
import { sendDocument } from '../documents/endpoints.ts'
import { resendMessage } from './endpoints.ts'

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
  const list = async () => (await shop.get('/api4/invoice/messages?sort=createdAt')).rows as Record<string, string | null>[]
  const states = async () => (await list()).map((m) => [m.recipient, m.state, m.error])
  await world.worker.drain()
  expect(await states()).toEqual([
    ['cohen@example.com', 'sent', null],
    ['nobody@example.com', 'bounced', expect.stringContaining('user unknown')],
    ['full@example.com', 'queued', null],
  ])
  expect(letters).toEqual([{ to: 'cohen@example.com', attachments: 1 }])

  // A server out of room is asked again, and given up at the eighth time.
  await sql`update outbox set attempts = 7, run_after = now() where name = 'documents.mail' and done_at is null`.execute(
    world.app.db.kysely,
  )
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
