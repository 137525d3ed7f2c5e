import { sql } from 'kysely'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { withCurrency } from '#domain/format.ts'
import type { Channel } from '#domain/documents/channels.ts'
import { wantsCertified, wantsConsent } from '#domain/documents/consent.ts'
import {
  documentTypeById,
  documentTypeNames,
  documentTypes,
  paymentMeansById,
} from '#domain/documents/kinds.ts'
import { israeliMobile, whatsAppLink } from '#domain/phone.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued, mailLeaves } from '#kit/server/outside/mail.ts'
import type { MailCard } from '#kit/server/outside/mailLayout.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { readFile } from '#features/base/files/server/index.ts'
import { giveConsent } from '#features/registers/parties/server/index.ts'
import { deliverSms, smsDoor } from '#features/base/sms/server/index.ts'
import { mostMailBytes, type ConsentInput } from '../../endpoints.ts'
import { moneyCard } from './card.ts'
import { documentFiles } from '../paper/files.ts'
import { genderOfPaper } from '../content/opening.ts'
import { load, loadPayments, type StoredDocument } from '../content/load.ts'
import { fileName, labelOfStored, paperForCustomer, titleOf } from '../paper/papers.ts'

/** Something that is attached automatically to the email of a document, such as its electronic form. */
export interface Companion {
  /** Word key of what it is. */
  word: string
  /** Undefined: it should go and cannot be made. */
  file: { filename: string; content: Buffer; contentType: string } | undefined
}

type FindCompanion = (ctx: Ctx, d: StoredDocument) => Promise<Companion | undefined>
const companions: FindCompanion[] = []

/**
 * For features that know another form of a document: asked whenever one is mailed; undefined where it does
 * not go along.
 */
export const registerCompanion = (find: FindCompanion): void => void companions.push(find)

async function companionsOf(ctx: Ctx, d: StoredDocument): Promise<Companion[]> {
  const found: Companion[] = []
  for (const find of companions) {
    const one = await find(ctx, d)
    if (one) found.push(one)
  }
  return found
}

/** Fills the business's own text: [customer], [document], [number], [total], [link], [business]. */
export function fillText(text: string, values: Record<string, string>): string {
  return text.replace(/\[(\w+)\]/g, (whole, name: string) => values[name] ?? whole)
}

const pageOf = (ctx: Ctx, d: StoredDocument): string => `${siteOf(ctx.app)}/paymentdoc/${d.page_key}`

const valuesOf = (ctx: Ctx, d: StoredDocument): Record<string, string> => ({
  customer: d.customer.name ?? '',
  document: titleOf(d),
  number: String(d.number),
  total: withCurrency(d.total_agorot, d.currency, d.language),
  business: d.business.name,
  link: pageOf(ctx, d),
})

const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** What is said in a message of each way when nobody wrote another text, in the language of the document. */
async function readyTexts(
  ctx: Ctx,
  d: StoredDocument,
): Promise<{ subject: string; mail: string; sms: string; whatsApp: string }> {
  const company = await companyOf(ctx)
  const values = valuesOf(ctx, d)
  // The business's text is in its own language; a customer of another language gets the ready one.
  const own = d.language === company.language
  const inShort = {
    name: {
      text: `${values.document} ${values.number}`,
      gender: genderOfPaper(d.language, d.type, labelOfStored(d)),
    },
    business: values.business!,
    total: values.total!,
    link: values.link!,
  }
  // Marks of direction are of use on paper; in a message they are strange signs, and each costs a letter.
  const plain = (text: string) => text.replace(marks, '').replaceAll('\u00a0', ' ')
  return {
    subject: fillText((own && company.mailSubject) || say(d.language, 'companies.start.mailSubject'), values),
    mail: fillText((own && company.mailText) || say(d.language, 'companies.start.mailText'), values),
    sms: plain(say(d.language, 'documents.sending.smsText', inShort)),
    whatsApp: plain(say(d.language, 'documents.page.whatsAppText', inShort)),
  }
}

async function issued(ctx: Ctx, id: string): Promise<StoredDocument> {
  const d = await load(ctx, id)
  if (statusFacts(d.status).isDraft) throw fail('documents.stillDraft')
  return d
}

interface Known {
  role: string
  mobile: string | null
  phone: string | null
  email: string | null
  consentAt: string | null
  consentHow: string | null
  askedAt: string | null
}

async function customerOf(ctx: Ctx, d: StoredDocument): Promise<Known | undefined> {
  if (!d.customer_id) return undefined
  const { rows } = await sql<Known>`select g.role, g.mobile, g.phone, g.email, g.consent_at as "consentAt",
        g.consent_how as "consentHow", g.consent_asked_at as "askedAt"
    from parties p join parties g on g.company_id = p.company_id and g.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.id = ${d.customer_id}`.execute(ctx.tx)
  return rows[0]
}

function consentOf(d: StoredDocument, customer: Known | undefined) {
  if (!customer || customer.role !== 'customer' || !wantsConsent(documentTypeById(d.type)))
    return { state: 'notNeeded' as const, at: null, how: null }
  if (customer.consentAt) return { state: 'given' as const, at: customer.consentAt, how: customer.consentHow }
  return customer.askedAt
    ? { state: 'asked' as const, at: customer.askedAt, how: null }
    : { state: 'missing' as const, at: null, how: null }
}

/**
 * What the bookkeeping rules ask of computerised documents besides consent (section 18b); told, never
 * enforced.
 */
async function noticesOf(ctx: Ctx, d: StoredDocument): Promise<('first' | 'certified')[]> {
  const type = documentTypeById(d.type)
  if (!wantsConsent(type)) return []
  const { rows } = await sql<{ sentBefore: boolean; hasOwn: boolean }>`select
      exists (select 1 from documents where company_id = ${ctx.companyId} and sent_at is not null
      and type = any(${consentTypeIds}::int[])) as "sentBefore",
      exists (select 1 from signing_certificates where company_id = ${ctx.companyId} and active
      and not self_made) as "hasOwn"`.execute(ctx.tx)
  const { sentBefore, hasOwn } = rows[0]!
  const means = (await loadPayments(ctx, d.id)).map((one) => paymentMeansById(one.means)!)
  // Whether a certificate that was brought is a certified one, only its issuer knows.
  return [
    ...(sentBefore ? [] : ['first' as const]),
    ...(!hasOwn && wantsCertified(type, means) ? ['certified' as const] : []),
  ]
}

const consentTypeIds = documentTypeNames.filter(wantsConsent).map((name) => documentTypes[name].id)

/** More people than this get no invoices of one customer. */
const mostPeople = 10

/**
 * To whom a document goes by mail, whether one is sent or many: all the people of its customer who get
 * invoices, by their names; where there are none, the mail on the document, then the customer's own.
 */
export async function mailsOf(ctx: Ctx, d: StoredDocument): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select lower(c.email) as email from customer_contacts c
    where c.company_id = ${ctx.companyId} and c.gets_invoices and c.email is not null
      and c.archived_at is null
      and c.party_id = (select coalesce(p.merged_into, p.id) from parties p
      where p.company_id = ${ctx.companyId} and p.id = ${d.customer_id})
    group by 1 order by min(c.name), 1 limit ${mostPeople}`.execute(ctx.tx)
  if (rows.length) return rows.map(({ email }) => email)
  const one = d.customer.email ?? (await customerOf(ctx, d))?.email
  return one ? [one] : []
}

async function lastChannelOf(ctx: Ctx, d: StoredDocument): Promise<Channel | null> {
  if (!d.customer_id) return null
  const { rows } = await sql<{ channel: Channel }>`select m.channel
    from documents o join messages m on m.company_id = o.company_id and m.document_id = o.id
      and m.kind = 'document'
    where o.company_id = ${ctx.companyId} and o.customer_id = ${d.customer_id} and o.sent_at is not null
    order by m.created_at desc limit 1`.execute(ctx.tx)
  return rows[0]?.channel ?? null
}

/** To whom, in which words and with what a document would be sent. */
export async function sendingOf(ctx: Ctx, { id }: { id: string }) {
  const d = await issued(ctx, id)
  const customer = await customerOf(ctx, d)
  const hides = ctx.caller.hideTotalPrices
  const [first = '', ...also] = hides ? [d.customer.email ?? customer?.email ?? ''] : await mailsOf(ctx, d)
  return {
    language: d.language,
    to: {
      mail: first,
      also,
      phone:
        [d.customer.phone, customer?.mobile, customer?.phone].find((one) => israeliMobile(one)) ??
        d.customer.phone ??
        '',
    },
    texts: hides ? { subject: '', mail: '', sms: '', whatsApp: '' } : await readyTexts(ctx, d),
    consent: consentOf(d, customer),
    notices: await noticesOf(ctx, d),
    customerId: d.customer_id,
    lastChannel: await lastChannelOf(ctx, d),
    smsIsSet: (await smsDoor(ctx)).isSet,
    mailIsSet: await mailLeaves(ctx),
    companions: (await companionsOf(ctx, d)).map(({ word, file }) => ({ word, fault: !file })),
    files: (await documentFiles(ctx, id)).map(({ mime: _, shown: __, ...file }) => file),
  }
}

/** Records the customer's answer; once the customer agreed nothing is asked or recorded again. */
async function noteConsent(ctx: Ctx, d: StoredDocument, given: ConsentInput | undefined): Promise<void> {
  if (!given || !d.customer_id) return
  const customer = await customerOf(ctx, d)
  if (!customer || customer.role !== 'customer' || customer.consentAt) return
  const { rows } = await sql<{ id: string }>`select coalesce(merged_into, id) as id from parties
    where company_id = ${ctx.companyId} and id = ${d.customer_id}`.execute(ctx.tx)
  const id = rows[0]!.id
  if (given !== 'notNow') await giveConsent(ctx, { id, ...given })
  else if (!customer.askedAt) {
    await sql`update parties set consent_asked_at = ${ctx.now.toISOString()}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('customers.consentAsked', 'customers', id)
  }
}

interface Letter {
  channel: 'mail' | 'sms' | 'whatsapp'
  to: string
  subject: string
  body: string
  attachments?: { id: string; name: string; size: number }[]
  isSent?: boolean
}

async function keep(
  ctx: Ctx,
  d: StoredDocument,
  { channel, to, subject, body, attachments = [], isSent }: Letter,
): Promise<string> {
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, document_id,
      attachments, created_by, state, sent_at)
    values (${ctx.companyId}, ${id}, 'document', ${channel}, ${to}, ${subject}, ${body}, ${d.id},
      ${JSON.stringify(attachments)}, ${ctx.caller.userId},
      ${isSent ? 'sent' : 'queued'}, ${isSent ? ctx.now.toISOString() : null})`.execute(ctx.tx)
  await sql`update documents set sent_at = now(), updated_at = now() where company_id = ${ctx.companyId}
      and id = ${d.id}`.execute(ctx.tx)
  await ctx.audit('documents.send', 'documents', d.id, undefined, {
    to,
    ...(channel === 'mail' ? {} : { channel }),
  })
  return id
}

const withLink = (text: string, link: string): string => (text.includes(link) ? text : `${text}\n\n${link}`)

/**
 * Queues the letter; it leaves after the commit and its fate is seen in the document's history and in the
 * list of messages.
 */
export async function send(
  ctx: Ctx,
  given: {
    id: string
    to: string
    /** Others who get the same message, each separately. */
    also?: string[] | undefined
    subject?: string | undefined
    text?: string | undefined
    attach: boolean
    files?: string[] | undefined
    consent?: ConsentInput | undefined
  },
) {
  const d = await issued(ctx, given.id)
  // People who may not see the amounts may send them to their owner, and not to themselves.
  const people = [...new Set([given.to, ...(given.also ?? [])].map((one) => one.toLowerCase()))]
  if (ctx.caller.hideTotalPrices && people.some((one) => one !== d.customer.email?.toLowerCase()))
    throw failField('to', 'documents.onlyToCustomer')
  const ready = await readyTexts(ctx, d)
  const values = valuesOf(ctx, d)
  const all = await documentFiles(ctx, d.id)
  const chosen = given.files
    ? all.filter(({ id }) => given.files!.includes(id))
    : all.filter(({ mailed }) => mailed)
  if (given.files && chosen.length !== new Set(given.files).size) throw failField('files', 'fields.ref')
  if (chosen.reduce((sum, { size }) => sum + size, 0) > mostMailBytes)
    throw failField('files', 'documents.mailTooLarge', { limit: mostMailBytes / 1_048_576 })
  await noteConsent(ctx, d, given.consent)
  const messageIds: string[] = []
  for (const to of people) {
    const messageId = await keep(ctx, d, {
      channel: 'mail',
      to,
      subject: given.subject ? fillText(given.subject, values) : ready.subject,
      body: withLink(given.text ? fillText(given.text, values) : ready.mail, values.link!),
      attachments: chosen.map(({ id, name, size }) => ({ id, name, size })),
    })
    await ctx.later('documents.mail', { messageId, attach: given.attach, files: chosen.map(({ id }) => id) })
    messageIds.push(messageId)
  }
  return { messageId: messageIds[0]!, messageIds }
}

const sameNumber = (d: StoredDocument, to: string): boolean =>
  israeliMobile(d.customer.phone) === israeliMobile(to)

interface Short {
  id: string
  to: string
  text?: string | undefined
  consent?: ConsentInput | undefined
}

/** The link of the document in a text message, queued like a letter. */
export async function sendSms(ctx: Ctx, { id, to, text, consent }: Short) {
  const d = await issued(ctx, id)
  const mobile = israeliMobile(to)
  if (!mobile) throw failField('to', 'sms.notMobile')
  if (ctx.caller.hideTotalPrices && !sameNumber(d, to)) throw failField('to', 'documents.onlyToCustomer')
  const body = withLink(text?.trim() || (await readyTexts(ctx, d)).sms, pageOf(ctx, d))
  await noteConsent(ctx, d, consent)
  const subject = `${titleOf(d)} ${d.number}`
  const messageId = await keep(ctx, d, { channel: 'sms', to: mobile, subject, body })
  await ctx.later('documents.sms', { messageId })
  return { messageId }
}

/**
 * WhatsApp messages are sent by people in their own program: the answer has its address with the text ready, and
 * that it was opened is recorded.
 */
export async function sendWhatsApp(ctx: Ctx, { id, to, text, consent }: Short) {
  const d = await issued(ctx, id)
  if (ctx.caller.hideTotalPrices && !sameNumber(d, to)) throw failField('to', 'documents.onlyToCustomer')
  const body = withLink(text?.trim() || (await readyTexts(ctx, d)).whatsApp, pageOf(ctx, d))
  await noteConsent(ctx, d, consent)
  const subject = `${titleOf(d)} ${d.number}`
  const messageId = await keep(ctx, d, {
    channel: 'whatsapp',
    to: to || (d.customer.name ?? ''),
    subject,
    body,
    isSent: true,
  })
  return { messageId, url: whatsAppLink(to, body) }
}

/** The files of a mail; undefined when one of them is gone since. */
async function filesOf(
  ctx: Ctx,
  ids: string[],
): Promise<{ filename: string; content: Buffer; contentType: string }[] | undefined> {
  const files = []
  for (const id of ids) {
    const file = await readFile(ctx, id).catch(() => undefined)
    if (!file) return undefined
    files.push({ filename: file.name, content: file.bytes, contentType: file.mime })
  }
  return files
}

/** What the mail is about: what is to be paid and by when, or what the document comes to, and its page. */
function cardOf(ctx: Ctx, d: StoredDocument, attached: string | undefined): MailCard {
  const open = typeFacts(d.type).asks ? d.asked_agorot : d.open_agorot
  const toPay = typeFacts(d.type).isToBePaid && statusFacts(d.status).isLive && open > 0
  // What is open is known in shekels only.
  const amount = toPay && d.currency === 'ILS' ? open : d.total_agorot
  return moneyCard(d.language, {
    amount: withCurrency(amount, d.currency, d.language),
    url: pageOf(ctx, d),
    attached,
    ...(toPay ? { dueDay: d.due_day } : { label: `${titleOf(d)} ${d.number}`, leads: 'document' }),
  })
}

export const mailDocument: Job = (ctx, payload, isLast) =>
  deliverQueued(ctx, String(payload.messageId), isLast, async ({ documentId }) => {
    const { bytes, document } = await paperForCustomer(ctx, documentId!)
    const files = await filesOf(ctx, (payload.files as string[] | undefined) ?? [])
    if (!files) {
      // A letter that promises a file must not leave without it.
      const why = say((await companyOf(ctx)).language, 'documents.sending.fileGone')
      await sql`update messages set state = 'failed', error = ${why}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${String(payload.messageId)}`.execute(ctx.tx)
      return undefined
    }
    const along = (await companionsOf(ctx, document)).flatMap(({ file }) => file ?? [])
    const paper = {
      filename: fileName(document),
      content: Buffer.from(bytes),
      contentType: 'application/pdf',
    }
    return {
      from: document.business,
      attachments: [...(payload.attach ? [paper] : []), ...along, ...files],
      card: cardOf(ctx, document, payload.attach ? paper.filename : undefined),
      language: document.language,
    }
  })

export const smsDocument: Job = (ctx, { messageId }, isLast) => deliverSms(ctx, String(messageId), isLast)
