import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { startWorker } from '#kit/server/work/jobs.ts'
import { sendMail } from '#kit/server/outside/mail.ts'
import { newBusiness, startWorld, type World } from './world.ts'
import { jobs, systemJobs } from '../src/features.ts'

/* A mail server that says nothing holds up its own mail only, and for less than the lease of a job. */

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

/** A mail server that answers so many lines and then says nothing. */
async function silentAfter(lines: number): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let left = lines
    const say = (line: string) => void (left-- > 0 && socket.write(`${line}\r\n`))
    say('220 here')
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        for (const line of bytes.toString().split('\r\n').filter(Boolean))
          say(line.startsWith('DATA') ? '354 go' : '250 ok')
      })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.each([0, 1, 2, 3, 4])(
  'a server that is silent after %i lines is given up within 25 seconds',
  async (lines) => {
    const { url, close } = await silentAfter(lines)
    const from = Date.now()
    await expect(
      sendMail(
        { app: { ...world.app, settings: { ...world.app.settings, smtpUrl: url } } },
        { to: 'a@example.com', subject: 'x', text: 'x' },
      ),
    ).rejects.toThrow()
    expect(Date.now() - from).toBeLessThan(25_000)
    close()
  },
  40_000,
)

test('documents are sealed while a mail server says nothing', async () => {
  const { url, close } = await silentAfter(0)
  const shop = await newBusiness(world)
  const { id } = await shop.customer('נעמה ברק', { email: 'naama@example.com' })
  await world.worker.drain()
  const app = { ...world.app, settings: { ...world.app.settings, smtpUrl: url } }
  const worker = startWorker(app, jobs, systemJobs, { poll: false })
  const documents: string[] = []
  for (let i = 0; i < 6; i++) {
    const { id: documentId } = await shop.invoice(id, '100')
    documents.push(documentId)
    await shop.send('POST', `/api4/invoice/documents/${documentId}/send`, { to: 'naama@example.com' })
  }
  await asSystem(app.db, (tx) => sql`update outbox set run_after = now() where done_at is null`.execute(tx))
  worker.nudge()
  const sealed = () =>
    asSystem(app.db, (tx) =>
      sql<{ n: number }>`select count(*)::int as n from outbox where name = 'documents.paper'
        and done_at is not null and payload->>'documentId' = any (${documents}::text[])`.execute(tx),
    ).then(({ rows }) => rows[0]!.n)
  await expect.poll(sealed, { timeout: 9000 }).toBe(6)
  // Nobody waits inside a transaction.
  const idle = await world.app.db.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  )
  expect(idle.rows).toEqual([])
  const waiting = await asSystem(app.db, (tx) =>
    sql`select 1 from outbox where name = 'documents.mail' and done_at is null`.execute(tx),
  )
  expect(waiting.rows).toHaveLength(6)
  close()
  await worker.stop()
}, 60_000)
