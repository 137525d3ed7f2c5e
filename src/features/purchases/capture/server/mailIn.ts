import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Attachment, Email } from 'postal-mime'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { Failure } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { mailboxOf, type Letter } from '#kit/server/outside/mailboxes.ts'
import { refuseInfected } from '#kit/server/outside/scan.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { addNote, addPaper } from './papers.ts'
import type { readers } from './readers.ts'

/** A letter with its papers; other servers refuse more as well. */
const mostBytes = 20 * 1024 * 1024
const mostAttachments = 20
/** Smaller pictures inside a letter are logos of signatures. */
const leastInlinePicture = 30_000
/** Letters within letters within the letter. */
const deepest = 3
/**
 * What goes along with letters and is no paper: cards of people, appointments, signatures. Nobody misses it.
 */
const ofLetters = /vcard|calendar|signature|pgp-/

/**
 * Takes letters for the addresses of businesses and puts their attachments into the inboxes. Whose address is
 * unknown or turned off is refused before the letter is sent; nothing is ever answered by mail, for who a
 * letter says it is from proves nothing.
 */
export async function startMailIn(
  app: App,
): Promise<{ port: number; stop: () => Promise<void> } | undefined> {
  const { port, host, tls } = app.settings.mailIn
  if (port === undefined) return undefined
  const { SMTPServer } = await import('smtp-server')
  const certificate = () => (tls ? { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } : {})
  const server = new SMTPServer({
    ...certificate(),
    name: app.settings.mailIn.domain,
    banner: 'papers',
    size: mostBytes,
    // Mail is brought by the mail server in front, which decides who may send; nobody logs in here. Without a certificate that
    // server has TLS, too. With one it is offered, not required, as everywhere between mail servers.
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    hideSTARTTLS: !tls,
    minVersion: 'TLSv1.2',
    logger: false,
    disableReverseLookup: true,
    maxClients: 20,
    socketTimeout: 60_000,
    closeTimeout: 3000,
    onRcptTo: (address, session, done) => {
      if (session.envelope.rcptTo.length >= 10) return done(refusal(452, 'too many recipients'))
      Promise.all([companyAt(app, address.address), otherBox(app, address.address)]).then(
        (found) => done(found.some(Boolean) ? null : refusal(550, 'no such address')),
        () => done(refusal(451, 'try again later')),
      )
    },
    onData: (stream, session, done) => {
      take(app, stream, session).then(
        () => done(null),
        (e: unknown) =>
          done(e instanceof Refusal ? refusal(e.status, e.message) : refusal(451, 'try again later')),
      )
    },
  })
  server.on('error', (e) => app.log.warn({ err: e.message }, 'mail receiver'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  // A certificate that was renewed is used without a restart; one that cannot be read leaves the one before in place.
  const renewal =
    tls &&
    setInterval(() => {
      try {
        server.updateSecureContext({ ...certificate(), minVersion: 'TLSv1.2' })
      } catch (e) {
        app.log.warn({ err: (e as Error).message }, 'the certificate of incoming mail could not be read')
      }
    }, 3_600_000).unref()
  const bound = server.server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    stop: () => {
      clearInterval(renewal)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const refusal = (status: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode: status })

// Perhaps with a part after a plus, which some people add to sort their mail.
const tokenOf = (address: string): string | undefined =>
  /^([a-z2-7]{16,32})(\+[^@]*)?@/i.exec(address)?.[1]?.toLowerCase()

const otherBox = async (app: App, address: string) => {
  const token = tokenOf(address)
  const found = token ? await mailboxOf(app, token) : undefined
  return found && token ? { ...found, token } : undefined
}

async function companyAt(app: App, address: string): Promise<string | undefined> {
  const token = tokenOf(address)
  if (!token) return undefined
  const { rows } = await sql<{
    id: string
  }>`select company_id as id from mail_addresses where token = ${token} and active`.execute(app.db.kysely)
  return rows[0]?.id
}

async function take(app: App, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to its end all the same: the other side listens only then.
    if (size <= mostBytes) chunks.push(chunk)
  }
  if (size > mostBytes || stream.sizeExceeded) throw new Refusal(552, 'the letter is too large')
  const bytes = Buffer.concat(chunks)
  await refuseInfected(app, bytes, {}).catch((e: unknown) => {
    if (e instanceof Failure && e.code === 'uploads.infected')
      throw new Refusal(554, 'the message is infected')
    throw e
  })
  const letter = await parsed(bytes)
  if (!letter) throw new Refusal(554, 'the letter cannot be read')
  const from = session.envelope.mailFrom
  const sender = mailbox(letter.from) || (from ? (from as SMTPServerAddress).address : '')
  const subject = oneLine(letter.subject ?? '')
  const note = (letter.text ?? '').replaceAll('\u0000', '').trim()
  const papers = (await attachedTo(letter)).filter(
    (one) =>
      !(
        one.mimeType.startsWith('image/') &&
        (one.related || one.disposition === 'inline') &&
        one.bytes.length < leastInlinePicture
      ),
  )
  for (const recipient of session.envelope.rcptTo) {
    const box = await otherBox(app, recipient.address)
    if (box) {
      await asCaller(app, systemCaller(box.companyId), session.remoteAddress, (ctx) =>
        box.mailbox.take(ctx, box.token, plainly(letter, sender)),
      )
      continue
    }
    const companyId = await companyAt(app, recipient.address)
    if (!companyId) continue
    await asCaller(app, systemCaller(companyId), session.remoteAddress, async (ctx) => {
      let taken = 0
      const leftOut: string[] = []
      for (const [index, paper] of papers.entries()) {
        const name = oneLine(paper.filename ?? '') || `${index + 1}`
        if (taken >= mostAttachments) {
          leftOut.push(name)
          continue
        }
        try {
          await addPaper(ctx, { name, bytes: paper.bytes, source: 'mail', sender, subject, note })
          taken++
        } catch (e) {
          if (!(e instanceof Failure)) throw e
          if (e.code === 'files.overQuota') throw new Refusal(452, 'the inbox is full')
          if (!ofLetters.test(paper.mimeType)) leftOut.push(name)
        }
      }
      // A bill that came as a text of Word must not be lost because a logo beside it was taken.
      const missing = leftOut.length
        ? say((await companyOf(ctx)).language, 'papers.leftOut', { names: leftOut.join(', ').slice(0, 1000) })
        : ''
      if (!taken || missing)
        await addNote(ctx, { sender, subject, note: [missing, note].filter(Boolean).join('\n\n') })
    })
  }
}

/** What others read of a letter: its texts, without what hangs on it. */
function plainly(letter: Email, sender: string): Letter {
  const numbers = (text: string | undefined) => (text ?? '').match(/<[^<>\s]{3,400}>/g) ?? []
  return {
    from: {
      name: oneLine(letter.from?.name ?? ''),
      address: oneLine(letter.from?.address ?? sender).toLowerCase(),
    },
    subject: oneLine(letter.subject ?? ''),
    text: (letter.text ?? (letter.html ?? '').replace(/<[^<>]{0,1000}>/g, ' '))
      .replaceAll('\u0000', '')
      .trim()
      .slice(0, 20_000),
    messageId: numbers(letter.messageId)[0],
    references: [...numbers(letter.inReplyTo), ...numbers(letter.references)].slice(0, 50),
  }
}

const parsed = (bytes: Uint8Array): Promise<Email | undefined> =>
  readIn<typeof readers>()('capture.letter', { bytes }).catch(() => undefined)

/**
 * What hangs on a letter, and on the letters that hang on it: many people forward a bill as an attached
 * letter.
 */
async function attachedTo(letter: Email, depth = 0): Promise<(Attachment & { bytes: Uint8Array })[]> {
  const found: (Attachment & { bytes: Uint8Array })[] = []
  for (const one of letter.attachments) {
    const inside =
      depth < deepest && one.mimeType === 'message/rfc822'
        ? await parsed(new Uint8Array(one.content as ArrayBuffer))
        : undefined
    const within = inside ? await attachedTo(inside, depth + 1) : []
    if (within.length) found.push(...within)
    else found.push({ ...one, bytes: new Uint8Array(one.content as ArrayBuffer) })
  }
  return found
}

const oneLine = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, 200)

function mailbox(from: { name: string; address?: string | undefined } | undefined): string {
  if (!from?.address) return ''
  return oneLine(from.name && from.name !== from.address ? `${from.name} <${from.address}>` : from.address)
}
