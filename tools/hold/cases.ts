import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { issueInvoice } from '../bench/issue.ts'
import { ask, call, json, type Company } from '../bench/server.ts'
import { askWithoutReading, startDav, type MailServer } from './parties.ts'

/* What one business, or somebody without one, does to the server in each case of `npm run test:hold`. */

export interface Stage {
  url: string
  /** The business that does it, another one beside it, and the one that is measured. */
  one: Company
  other: Company
  neighbour: Company
  mail: MailServer
  /** Invoices of five lines that the first business issued. */
  invoices: readonly string[]
  pool: pg.Pool
}

/** What has to be right besides the neighbour's times. */
export interface Check {
  name: string
  value: string
  ok: boolean
}

export interface Case {
  name: string
  milliseconds: number
  /** Goes on until it is over; answers what it saw. */
  run: (stage: Stage, isOver: () => boolean) => Promise<Check[]>
}

const count = async (pool: pg.Pool, text: string, values: unknown[] = []): Promise<number> =>
  Number((await pool.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]!.n)

async function until(isOver: () => boolean): Promise<void> {
  while (!isOver()) await pause(50)
}

/** Waits for what must happen within a time; answers how long it took, in seconds. */
async function within(
  seconds: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<number | undefined> {
  const from = performance.now()
  for (;;) {
    const took = (performance.now() - from) / 1000
    if (await isTrue()) return took
    if (took > seconds) return undefined
    await pause(100)
  }
}

const took = (name: string, seconds: number | undefined, most: number): Check => ({
  name: `${name} (within ${most} s)`,
  value: seconds === undefined ? 'not yet' : `${seconds.toFixed(1)} s`,
  ok: seconds !== undefined && seconds <= most,
})

/** Several clients that do the same, each again as soon as it was answered; answers how often, and which statuses they got. */
async function many(
  clients: number,
  isOver: () => boolean,
  work: (n: number) => Promise<number>,
): Promise<Check> {
  const statuses = new Map<number, number>()
  let n = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver()) {
        const status = await work(n++).catch(() => 0)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const counts = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${times} × ${status || 'cut off'}`)
  return { name: 'answers to them', value: counts.join(', '), ok: !statuses.has(500) }
}

/** More than sockets and their buffers take, so that a client that does not read is waited for. */
async function fillFiles({ pool, one }: Stage): Promise<void> {
  if ((await count(pool, 'files where company_id = $1', [one.id])) > 0) return
  for (let n = 0; n < 16; n++) {
    const bytes = randomBytes(700_000)
    await pool.query(
      `with kept as (insert into file_contents (company_id, sha256, bytes) values ($1, sha256($2), $2))
       insert into files (company_id, id, mime, name, sha256, size)
       values ($1, gen_random_uuid(), 'image/jpeg', $3, sha256($2), $4)`,
      [one.id, bytes, `${n}.jpg`, bytes.length],
    )
  }
}

/** Whether something lies there for a client that read nothing. */
const hasAnswer = (socket: Socket): Promise<boolean> =>
  Promise.race([
    new Promise<boolean>((resolve) => void socket.once('data', () => resolve(true)).resume()),
    pause(300, false),
  ])

const backups: Case = {
  name: '70 backups that nobody reads',
  milliseconds: 15_000,
  run: async (stage, isOver) => {
    const { url, one, pool } = stage
    await fillFiles(stage)
    const sockets: Socket[] = await Promise.all(
      Array.from({ length: 70 }, () => askWithoutReading(url, '/api4/invoiceexport/backup', one.token)),
    )
    let most = 0
    while (!isOver()) {
      const writing = `pg_stat_activity where datname = current_database() and query ~ 'rows_of'
        and state <> 'idle' and pid <> pg_backend_pid()`
      most = Math.max(most, await count(pool, writing))
      await pause(200)
    }
    const begun = (await Promise.all(sockets.map(hasAnswer))).filter(Boolean).length
    for (const socket of sockets) socket.destroy()
    return [
      { name: 'answers that began', value: String(begun), ok: begun > 0 },
      { name: 'connections they hold', value: String(most), ok: most <= 1 },
    ]
  },
}

/** Bodies of 3.5 MB: very many names, very deep or long lists, one long text, and a batch that is as it should be. */
const bodyOf: Record<string, () => string> = {
  names: () =>
    `{"documents":[{${Array.from({ length: 270_000 }, (_, n) => `"k${String(n).padStart(8, '0')}":1`).join(',')}}]}`,
  lists: () => `{"documents":[${'[],'.repeat(1_160_000)}[]]}`,
  text: () => JSON.stringify({ documents: [{ type: 8, note: 'א"'.repeat(875_000) }] }),
}

const bodies = (kind: keyof typeof bodyOf): Case => ({
  name: `eight JSON bodies of 3.5 MB: ${kind}`,
  milliseconds: 8000,
  run: async ({ url, one }, isOver) => {
    const body = Buffer.from(bodyOf[kind]!())
    return [
      {
        name: 'megabytes of a body',
        value: (body.length / 1e6).toFixed(1),
        ok: body.length > 3_300_000 && body.length < 4_000_000,
      },
      await many(8, isOver, () => post(`${url}/api4/invoice/documents/batch`, body, one.token)),
    ]
  },
})

/** A batch as large as a body may be: two hundred documents of many lines. */
const batch: Case = {
  name: 'eight batches of 3.5 MB, valid',
  milliseconds: 10_000,
  run: async ({ url, one, pool }, isOver) => {
    const line = { description: 'שעת עבודה בבית הלקוח, כולל נסיעה', quantity: '1.5', unitPrice: '120.50' }
    const document = { type: 8, customerId: one.customerId, lines: Array.from({ length: 155 }, () => line) }
    const body = Buffer.from(JSON.stringify({ documents: Array.from({ length: 200 }, () => document) }))
    const sent = await many(8, isOver, () => post(`${url}/api4/invoice/documents/batch`, body, one.token))
    // Hundreds of PDFs of four pages are another case; they would be sealed beside all that follow.
    await pool.query(`update outbox set done_at = now() where name = 'documents.paper' and done_at is null`)
    return [
      {
        name: 'megabytes of a body',
        value: (body.length / 1e6).toFixed(1),
        ok: body.length > 3_300_000 && body.length < 4_000_000,
      },
      sent,
    ]
  },
}

async function post(address: string, body: Buffer, token?: string): Promise<number> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': token ? 'application/json' : 'application/octet-stream',
      ...(token ? { 'x-access-token': token } : {}),
    },
    body: body as unknown as NonNullable<RequestInit['body']>,
    signal: AbortSignal.timeout(20_000),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** A PDF of forty megabytes that can be read. */
function largePdf(): Buffer {
  const parts: Buffer[] = []
  const at: number[] = []
  let size = 0
  const add = (bytes: Buffer | string) => {
    const part = Buffer.from(bytes as string)
    parts.push(part)
    size += part.length
  }
  const object = (n: number, text: Buffer | string, after = '') => {
    at[n] = size
    add(`${n} 0 obj\n`)
    add(text)
    add(`${after}\nendobj\n`)
  }
  add('%PDF-1.7\n')
  object(1, '<</Type/Catalog/Pages 2 0 R>>')
  object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')
  object(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>')
  const content = randomBytes(40_000_000)
  object(4, Buffer.concat([Buffer.from(`<</Length ${content.length}>>\nstream\n`), content]), '\nendstream')
  const start = size
  add(`xref\n0 5\n0000000000 65535 f \n`)
  for (let n = 1; n <= 4; n++) add(`${String(at[n]).padStart(10, '0')} 00000 n \n`)
  add(`trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}

const uploads: Case = {
  name: 'six uploads of 40 MB',
  milliseconds: 12_000,
  run: async ({ url }, isOver) => {
    const body = largePdf()
    return [await many(6, isOver, () => post(`${url}/api2/invoice/signverify`, body))]
  },
}

const place = (url: string) => ({ kind: 'webdav', address: url, user: 'a', password: 'b' })

const copies: Case = {
  name: 'ten places for copies that drip',
  milliseconds: 30_000,
  run: async ({ url, one, other, pool }, isOver) => {
    const [dripping, good] = await Promise.all([startDav(true), startDav(false)])
    try {
      for (let n = 0; n < 10; n++)
        await ask(url, 'POST', '/api4/invoice/drive', { token: one.token, body: place(dripping.url) })
      for (let n = 0; n < 3; n++) await issueInvoice(one)
      // The first of them are asked by now.
      await pause(8000)
      await ask(url, 'POST', '/api4/invoice/drive', { token: other.token, body: place(good.url) })
      await issueInvoice(other)
      const seconds = await within(20, () => good.files.length > 0)
      await until(isOver)
      return [
        took('copy of another business', seconds, 15),
        { name: 'places that drip', value: String(await asked(pool, one)), ok: (await asked(pool, one)) > 0 },
      ]
    } finally {
      await pool.query('update drive_targets set archived_at = now()')
      dripping.close()
      good.close()
    }
  },
}
const asked = (pool: pg.Pool, one: Company) =>
  count(pool, `drive_copies where company_id = $1 and path <> ''`, [one.id])

/** Queues mail of a business: documents it issued, each sent with its PDF. */
async function sendMails({ url, one, invoices }: Stage, mails: number): Promise<void> {
  for (let n = 0; n < mails; n++)
    await ask(url, 'POST', `/api4/invoice/documents/${invoices[n % invoices.length]}/send`, {
      token: one.token,
      body: { to: `hold${n}@example.com`, subject: 'חשבונית', text: 'מצורף המסמך.' },
    })
}

const silentMail: Case = {
  name: 'a mail server that accepts and says nothing',
  milliseconds: 20_000,
  run: async (stage, isOver) => {
    const { mail, pool, other } = stage
    const before = mail.kept
    mail.isSilent = true
    try {
      await sendMails(stage, 30)
      await pause(2000)
      const { id } = json<{ id: string }>(await issueInvoice(other))
      const paper = `outbox where name = 'documents.paper' and payload->>'documentId' = $1`
      await pool.query(`update ${paper.replace(' where', ' set run_after = now() where')}`, [id])
      const seconds = await within(
        15,
        async () => (await count(pool, `${paper} and done_at is not null`, [id])) > 0,
      )
      await until(isOver)
      return [
        { name: 'connections that wait', value: String(mail.kept - before), ok: mail.kept > before },
        took('document of another business sealed', seconds, 10),
      ]
    } finally {
      mail.isSilent = false
      // Those tries are repeated in the next case otherwise.
      await pool.query(`update outbox set done_at = now() where name = 'documents.mail' and done_at is null`)
    }
  },
}

const poison: Case = {
  name: 'a row that fails in a sweep',
  milliseconds: 15_000,
  run: async ({ pool, one, other }, isOver) => {
    await pool.query(`create function hold_poison() returns trigger language plpgsql as
      $$ begin raise exception 'poisoned'; end $$`)
    await pool.query(`create trigger hold_poison before insert on chain_links for each row
      when (new.company_id = '${one.id}') execute function hold_poison()`)
    try {
      await issueInvoice(one)
      const { id } = json<{ id: string }>(await issueInvoice(other))
      const linked = `chain_links where company_id = $1 and record_id = $2`
      const seconds = await within(14, async () => (await count(pool, linked, [other.id, id])) > 0)
      await until(isOver)
      const faults = await count(pool, `sweep_faults where company_id = $1 and sweep = 'proof.chain'`, [
        one.id,
      ])
      return [
        { name: 'the row is set aside', value: faults ? 'yes' : 'no', ok: faults === 1 },
        took('the same sweep served another business', seconds, 10),
      ]
    } finally {
      await pool.query('drop trigger hold_poison on chain_links; drop function hold_poison()')
    }
  },
}

const mails: Case = {
  name: '300 mails of one business',
  milliseconds: 15_000,
  run: async (stage, isOver) => {
    const { url, mail, neighbour, pool } = stage
    const { rows } = await pool.query<{ email: string }>(
      'select u.email from users u join memberships m on m.user_id = u.id where m.company_id = $1',
      [neighbour.id],
    )
    const { email } = rows[0]!
    // As long as a mail server on the net takes.
    mail.delayMs = 150
    try {
      await sendMails(stage, 300)
      const waits: number[] = []
      for (let n = 0; n < 6; n++) {
        // Such mails are few for one address; the neighbour is one of many here.
        await pool.query('delete from throttles')
        const from = performance.now()
        const already = mail.accepted.filter(({ to }) => to === email).length
        await ask(url, 'POST', '/api/user/reset', { body: { email } })
        const arrived = () => mail.accepted.filter(({ to }) => to === email)
        await within(20, () => arrived().length > already)
        waits.push(((arrived()[already]?.at ?? Infinity) - from) / 1000)
        await pause(300)
      }
      await until(isOver)
      const left = await count(pool, `outbox where name = 'documents.mail' and done_at is null`)
      const most = Math.max(...waits)
      return [
        { name: 'mails that still waited', value: String(left), ok: left > 0 },
        took('longest wait for a mail with a code', most, 2),
      ]
    } finally {
      mail.delayMs = 0
      await pool.query(`update outbox set done_at = now() where name = 'documents.mail' and done_at is null`)
    }
  },
}

export const cases: readonly Case[] = [
  backups,
  bodies('names'),
  bodies('lists'),
  bodies('text'),
  batch,
  uploads,
  copies,
  silentMail,
  poison,
  mails,
]

/** Whether the server still answers after a case, so that one case does not fail because of another. */
export const isAlive = async ({ url }: Stage): Promise<boolean> =>
  (await call(url, 'GET', '/readyz').catch(() => undefined))?.status === 200
