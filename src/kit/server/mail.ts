import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import { sql } from 'kysely'
import type { App, Ctx } from './context.ts'
import { brandFor } from './brands.ts'
import type { Brand } from './crew/whose.ts'
import { newId } from './context.ts'
import { inTestBusiness } from './testBusiness.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html?: string
  replyTo?: string
  fromName?: string
  /** In place of the installation's own address. */
  fromAddress?: string
  /** Where whoever gets it ends letters of this kind; mail programs show it as a button. */
  stopUrl?: string
  attachments?: {
    filename: string
    content: Buffer
    contentType: string
    /** Stands in the letter itself, under this name. */ cid?: string
  }[]
}

let transport: { url: string; made: Transporter } | undefined

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** The same words below the picture of a brand; addresses can be pressed. */
const dressed = (text: string, name: string): string =>
  `<div dir="auto" style="font-family:sans-serif;font-size:15px;line-height:1.5"><p><img src="cid:brand" alt="${escaped(name)}" height="40"></p><div style="white-space:pre-wrap">${escaped(
    text,
  ).replace(/https?:\/\/[^\s<]*[^\s<.,;:)]/g, (url) => `<a href="${url}">${url}</a>`)}</div></div>`

/** A letter as a brand sends it: by its sender where that was proved, answered at its support, under its picture. */
function branded(mail: Mail, { name, mailName, mailFrom, isMailProved, supportEmail, logo }: Brand): Mail {
  return {
    ...mail,
    fromName: mail.fromName ?? (mailName || name),
    ...(isMailProved ? { fromAddress: mailFrom } : {}),
    ...(mail.replyTo || !supportEmail ? {} : { replyTo: supportEmail }),
    ...(logo
      ? {
          html: mail.html ?? dressed(mail.text, name),
          attachments: [
            ...(mail.attachments ?? []),
            { filename: 'logo.png', content: logo, contentType: 'image/png', cid: 'brand' },
          ],
        }
      : {}),
  }
}

/**
 * Sends by SMTP when a server is set; otherwise the letter is kept as a file in the data directory, readable by its owner only.
 * The answer says which, so that nobody is told 'sent' of a letter that was kept.
 */
export async function sendMail(app: App, plain: Mail, brand?: Brand): Promise<'sent' | 'kept'> {
  const mail = brand ? branded(plain, brand) : plain
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
    html: mail.html,
    replyTo: mail.replyTo,
    ...(mail.stopUrl ? { list: { unsubscribe: mail.stopUrl } } : {}),
    attachments: mail.attachments,
    // Fields of a letter never name files or addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (smtpUrl) {
    if (transport?.url !== smtpUrl) transport = { url: smtpUrl, made: createTransport(smtpUrl) }
    await transport.made.sendMail(letter)
    return 'sent'
  }
  const composed = await createTransport({ streamTransport: true, buffer: true }).sendMail(letter)
  keep(dataDir, 'mail', 'eml', composed.message as Buffer)
  return 'kept'
}

/** In the name of a business, under the brand it uses the product by; what a test business writes is kept, whatever server there is. */
export async function sendMailOf(ctx: Pick<Ctx, 'app' | 'companyId'>, mail: Mail): Promise<'sent' | 'kept'> {
  const brand = await brandFor(ctx.app, ctx.companyId)
  return sendMail(
    (await inTestBusiness(ctx))
      ? { ...ctx.app, settings: { ...ctx.app.settings, smtpUrl: undefined } }
      : ctx.app,
    mail,
    brand,
  )
}

/**
 * Sends the letter of a row of `messages` and writes what became of it there: sent, kept, refused by the receiving server ('bounced'), or
 * given up after the last try ('failed'). What may yet succeed is thrown for the worker to try again.
 */
async function deliver(ctx: Ctx, messageId: string, mail: Mail, isLast: boolean): Promise<void> {
  let state: 'sent' | 'kept' | 'bounced' | 'failed'
  let error: string | null = null
  try {
    state = await sendMailOf(ctx, mail)
  } catch (e) {
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
  await sql`update messages set state = ${state}, error = ${error}, sent_at = case
      when ${error === null} then now() end, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${messageId}`.execute(ctx.tx)
}

/** A row of `messages` that waits to leave. */
export interface Queued {
  recipient: string
  subject: string
  body: string
  documentId: string | null
}

/** What a letter needs beside its row: in whose name it goes, and what is made only now. */
export interface Outgoing {
  from: { name: string; email?: string | null | undefined }
  attachments?: NonNullable<Mail['attachments']>
  /** In the place of the row's own. */
  text?: string
  stopUrl?: string
}

/**
 * Sends a queued row of `messages`. It is locked and leaves only while it is queued: a second run of the same job sends nothing twice. `fill` answers
 * undefined where nothing may be sent after all, and says so in the row itself.
 */
export async function deliverQueued(
  ctx: Ctx,
  messageId: string,
  isLast: boolean,
  fill: (message: Queued) => Promise<Outgoing | undefined>,
): Promise<void> {
  const { rows } = await sql<Queued & { state: string }>`select recipient, subject, body,
      document_id as "documentId", state from messages
    where company_id = ${ctx.companyId} and id = ${messageId} for update`.execute(ctx.tx)
  const [message] = rows
  if (message?.state !== 'queued') return
  const filled = await fill(message)
  if (!filled) return
  const { from, attachments = [], text = message.body, stopUrl } = filled
  const mail = {
    to: message.recipient,
    subject: message.subject,
    text,
    fromName: from.name,
    ...(from.email ? { replyTo: from.email } : {}),
    ...(attachments.length ? { attachments } : {}),
    ...(stopUrl ? { stopUrl } : {}),
  }
  await deliver(ctx, messageId, mail, isLast)
}

/** Sends a text message through the gateway of SMS_URL (POST {to, text} as JSON), or keeps it like a letter. */
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
