import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import { sql } from 'kysely'
import type { App, Ctx, Language } from '../context.ts'
import { brandFor } from './brands.ts'
import type { Brand } from '../work/threads/currentBusiness.ts'
import { asCaller, newId, systemCaller } from '../context.ts'
import { brandCid, logoCid, mailHtml, type MailCard, type MailFace } from './mailLayout.ts'
import { takeRoom } from './mailLimit.ts'
import { Postponed } from '../work/postponed.ts'
import { isHere } from '../settings.ts'
import { inTestBusiness } from './testBusiness.ts'

/**
 * How long a mail server may be silent before the job is tried again: less than a job's lease, so nothing is sent twice,
 * and less than a transaction may wait (db.ts).
 */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

export interface Mail {
  to: string
  subject: string
  text: string
  /** How the sender shows itself in the HTML part; the product, or its brand, when absent. */
  face?: MailFace
  /** What it is about, above the text of the HTML part. */
  card?: MailCard
  /** Of its words. */
  language?: Language
  replyTo?: string
  fromName?: string
  /** In place of the installation's own address. */
  fromAddress?: string
  /** Where the person who gets it ends letters of this kind; mail programs show it as a button. */
  stopUrl?: string
  attachments?: {
    filename: string
    content: Buffer
    contentType: string
    /** Embedded in the email, under this name. */ cid?: string
  }[]
}

/**
 * The address of a mail server with encryption required: `smtp:` to another machine must be encrypted by STARTTLS before
 * anything is sent. `?requireTLS=false` is the explicit exception, for a server without certificates in one's own network.
 */
export function encryptedSmtp(address: string): string {
  const url = new URL(address)
  if (url.protocol === 'smtp:' && !isHere(url.hostname) && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true')
  return url.href
}

let transport: { url: string; made: Transporter } | undefined

/**
 * A mail as a brand sends it: by its sender where that was proved, answered at its support, under its picture.
 */
function branded(mail: Mail, { name, mailName, mailFrom, isMailProved, supportEmail }: Brand): Mail {
  return {
    ...mail,
    fromName: mail.fromName ?? (mailName || name),
    ...(isMailProved ? { fromAddress: mailFrom } : {}),
    ...(mail.replyTo || !supportEmail ? {} : { replyTo: supportEmail }),
  }
}

type Picture = NonNullable<Mail['attachments']>[number]

/** The HTML part beside the text, in the one layout of all mail, with the pictures it shows. */
function laidOut(mail: Mail, brand: Brand | undefined): { html: string; pictures: Picture[] } {
  // What the product itself says to its users wears the product's name, or its brand's name and picture.
  const face: MailFace = mail.face ?? {
    name: mail.fromName ?? brand?.name ?? 'Pinkas',
    ...(brand?.logo ? { logo: { bytes: brand.logo, mime: 'image/png' } } : {}),
  }
  const hasBrandMark = mail.face !== undefined && !!brand?.logo
  const picture = (cid: string, { bytes, mime }: NonNullable<MailFace['logo']>): Picture => ({
    filename: `${cid}.${mime === 'image/png' ? 'png' : 'jpg'}`,
    content: bytes,
    contentType: mime,
    cid,
  })
  return {
    html: mailHtml({ ...mail, face, hasBrandMark }),
    pictures: [
      ...(face.logo ? [picture(logoCid, face.logo)] : []),
      ...(hasBrandMark ? [picture(brandCid, { bytes: brand!.logo!, mime: 'image/png' })] : []),
    ],
  }
}

/**
 * What mail is sent with: never a context in a transaction, which a silent mail server would keep open, with its locks
 * and its connection. From a job use `mailAfterCommit` or `deliverQueued`.
 */
export type Outside<Needs extends 'app' | 'companyId' = 'app' | 'companyId'> = Pick<Ctx, Needs> & {
  tx?: never
}

/**
 * Sends by SMTP when a server is set; otherwise the email is stored as a file in the data directory, readable by its
 * owner only. The answer says which, so that a stored email is never reported as sent.
 */
export async function sendMail(
  { app }: Outside<'app'>,
  plain: Mail,
  brand?: Brand,
): Promise<'sent' | 'kept'> {
  const mail = brand ? branded(plain, brand) : plain
  const { html, pictures } = laidOut(mail, brand)
  const { smtpUrl, dataDir, publicUrl } = app.settings
  const address =
    mail.fromAddress ||
    process.env.MAIL_FROM ||
    `pinkas@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}`
  const letter = {
    from: { name: mail.fromName ?? 'Pinkas', address },
    to: mail.to,
    subject: mail.subject.replace(/[\r\n]+/g, ' '),
    text: mail.text,
    html,
    replyTo: mail.replyTo,
    ...(mail.stopUrl ? { list: { unsubscribe: mail.stopUrl } } : {}),
    attachments: [...(mail.attachments ?? []), ...pictures],
    // Fields of a letter never name files or addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (smtpUrl) {
    if (transport?.url !== smtpUrl)
      transport = { url: smtpUrl, made: createTransport({ url: encryptedSmtp(smtpUrl), ...patience }) }
    await transport.made.sendMail(letter)
    return 'sent'
  }
  const composed = await createTransport({ streamTransport: true, buffer: true }).sendMail(letter)
  keep(dataDir, 'mail', 'eml', composed.message as Buffer)
  return 'kept'
}

/**
 * The same, from a job and after its transaction. `from`: in the name of the business, or of the installation.
 */
export function mailAfterCommit(
  { app, companyId, afterCommit }: Pick<Ctx, 'app' | 'companyId' | 'afterCommit'>,
  mail: Mail,
  from: 'business' | 'installation' = 'business',
): void {
  if (!afterCommit) throw new Error('mail is sent from a job')
  afterCommit(
    async () =>
      void (await (from === 'business' ? sendMailOf({ app, companyId }, mail) : sendMail({ app }, mail))),
  )
}

/** Whether mail of this business leaves the installation, or is kept. */
export const mailLeaves = async (ctx: Pick<Ctx, 'app' | 'companyId'>): Promise<boolean> =>
  ctx.app.settings.smtpUrl !== undefined && !(await inTestBusiness(ctx))

/**
 * Sends in the name of a business, under the brand it uses the product by. Throws `Postponed` over the daily limit of
 * recipients. Mail of a test business is kept, whatever server there is.
 */
export async function sendMailOf(ctx: Outside, mail: Mail): Promise<'sent' | 'kept'> {
  const brand = await brandFor(ctx.app, ctx.companyId)
  if (await inTestBusiness(ctx))
    return sendMail(
      { app: { ...ctx.app, settings: { ...ctx.app.settings, smtpUrl: undefined } } },
      mail,
      brand,
    )
  const giveBack = await takeRoom(ctx.app, ctx.companyId, mail.to)
  try {
    return await sendMail(ctx, mail, brand)
  } catch (e) {
    await giveBack()
    throw e
  }
}

/**
 * Sends the letter of a row of `messages` and writes what became of it there: sent, kept, refused by the
 * receiving server ('bounced'), or given up after the last try ('failed'). What may yet succeed is thrown for
 * the worker to try again.
 */
async function deliver(ctx: Outside, messageId: string, mail: Mail, isLast: boolean): Promise<void> {
  let state: 'sent' | 'kept' | 'bounced' | 'failed'
  let error: string | null = null
  try {
    state = await sendMailOf(ctx, mail)
  } catch (e) {
    if (e instanceof Postponed) throw e
    const { code, responseCode, response, message } = e as {
      code?: string
      responseCode?: number
      response?: string
      message: string
    }
    const isRefused =
      (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500
    if (!isRefused && !isLast) throw e
    state = isRefused ? 'bounced' : 'failed'
    error = (response ?? message).slice(0, 500)
  }
  await asCaller(ctx.app, systemCaller(ctx.companyId), '', ({ tx }) =>
    sql`update messages set state = ${state}, error = ${error}, sent_at = case
        when ${error === null} then now() end, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${messageId}`.execute(tx),
  )
}

type FindFace = (ctx: Ctx, language: Language | undefined) => Promise<MailFace>
let findFace: FindFace | undefined

/** The feature that knows the businesses says how one shows itself in mail. */
export const registerMailFace = (find: FindFace): void => void (findFace = find)

/** How this business shows itself to those it writes to, in the language of the mail where that is known. */
export const mailFace = async (ctx: Ctx, language?: Language): Promise<{ face?: MailFace }> =>
  findFace ? { face: await findFace(ctx, language) } : {}

/** A row of `messages` that waits to leave. */
export interface Queued {
  recipient: string
  subject: string
  body: string
  documentId: string | null
  /** What it is about, where that was known when it was queued, and the language of its words. */
  card: (MailCard & { language: Language }) | null
}

/** What a letter needs beside its row: in whose name it goes, and what is made only now. */
export interface Outgoing {
  from: { name: string; email?: string | null | undefined }
  attachments?: NonNullable<Mail['attachments']>
  /** In the place of the row's own. */
  text?: string
  stopUrl?: string
  card?: MailCard
  /** Of its words. */
  language?: Language
}

/**
 * Sends a queued row of `messages`, from a job. It leaves only while it waits, and after the transaction, so that a slow
 * mail server holds neither a lock nor a connection. `fill` answers undefined where nothing may be sent after all, and
 * says so in the row itself. Over the daily limit of recipients the row is marked as postponed and the job runs the next
 * day.
 */
export async function deliverQueued(
  ctx: Ctx,
  messageId: string,
  isLast: boolean,
  fill: (message: Queued) => Promise<Outgoing | undefined>,
): Promise<void> {
  const { app, companyId, afterCommit } = ctx
  if (!afterCommit) throw new Error('mail is sent from a job')
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (e) {
      if (e instanceof Postponed)
        e.note = (tx) =>
          sql`update messages set state = 'postponed', updated_at = now() where company_id = ${ctx.companyId}
            and id = ${messageId} and state = 'queued'`.execute(tx)
      throw e
    }
  }
  const mail = await noted(() => mailOf(ctx, messageId, fill))
  if (mail) afterCommit(() => noted(() => deliver({ app, companyId }, messageId, mail, isLast)))
}

/** What a queued row sends now; undefined where it was sent already or may not be. */
async function mailOf(
  ctx: Ctx,
  messageId: string,
  fill: (message: Queued) => Promise<Outgoing | undefined>,
): Promise<Mail | undefined> {
  const { rows } = await sql<
    Queued & { state: string }
  >`select recipient, subject, body, document_id as "documentId", card, state from messages
    where company_id = ${ctx.companyId} and id = ${messageId} for update`.execute(ctx.tx)
  const [message] = rows
  // example: job
  if (message?.state !== 'queued' && message?.state !== 'postponed') return undefined
  // example end
  // Before attachments are made: they may be many pages, and a backlog comes back every day.
  if (!(await inTestBusiness(ctx)))
    await takeRoom(ctx.app, ctx.companyId, message.recipient, { looksOnly: true })
  const filled = await fill(message)
  if (!filled) return undefined
  const { from, attachments = [], text = message.body, stopUrl } = filled
  const card = filled.card ?? message.card ?? undefined
  const language = filled.language ?? message.card?.language
  return {
    to: message.recipient,
    subject: message.subject,
    text,
    fromName: from.name,
    ...(from.email ? { replyTo: from.email } : {}),
    ...(attachments.length ? { attachments } : {}),
    ...(stopUrl ? { stopUrl } : {}),
    ...(card ? { card } : {}),
    ...(language ? { language } : {}),
    ...(await mailFace(ctx, language)),
  }
}

/**
 * Sends a text message through the gateway of SMS_URL (POST {to, text} as JSON), or keeps it like a letter.
 */
export async function sendSms(app: App, to: string, text: string): Promise<'sent' | 'kept'> {
  const { smsUrl } = app.settings
  if (!smsUrl) {
    keepSms(app, to, text)
    return 'kept'
  }
  const url = new URL(smsUrl)
  const secret = url.password
  url.username = url.password = ''
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret ? { authorization: `Bearer ${decodeURIComponent(secret)}` } : {}),
    },
    body: JSON.stringify({ to, text }),
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  })
  if (!answer.ok) throw new Error(`the message gateway answered ${answer.status}`)
  return 'sent'
}

/** Keeps a text message as a file in the data directory: what happens to it where nobody can send it. */
export const keepSms = ({ settings }: App, to: string, text: string): void =>
  keep(settings.dataDir, 'sms', 'txt', Buffer.from(`${to}\n${text}\n`))

function keep(dataDir: string, folder: string, ending: string, bytes: Buffer): void {
  mkdirSync(join(dataDir, folder), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, folder, `${newId()}.${ending}`), bytes, { mode: 0o600 })
}
