import { sql } from 'kysely'
import { withCurrency } from '../../../domain/format.ts'
import { documentTypeById } from '../../../domain/documents/kinds.ts'
import { fail, failField } from '../../../kit/describe/errors.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import type { Job } from '../../../kit/server/jobs.ts'
import { deliver } from '../../../kit/server/mail.ts'
import { say } from '../../../kit/server/words.ts'
import { companyOf } from '../../companies/server/index.ts'
import { load, type StoredDocument } from './load.ts'
import { fileName, paperForCustomer } from './papers.ts'

/** Fills the business's own text: [customer], [document], [number], [total], [link], [business]. */
export function fillText(text: string, values: Record<string, string>): string {
  return text.replace(/\[(\w+)\]/g, (whole, name: string) => values[name] ?? whole)
}

const valuesOf = (ctx: Ctx, d: StoredDocument): Record<string, string> => ({
  customer: d.customer.name ?? '',
  document: say(d.language, `documents.types.${documentTypeById(d.type)}`),
  number: String(d.number),
  total: withCurrency(d.total_agorot, d.currency, d.language),
  business: d.business.name,
  link: `${ctx.app.publicUrl()}/paymentdoc/${d.page_key}`,
})

/** Queues the letter; it leaves after the commit and its fate is seen in the document's history and in the list of messages. */
export async function send(
  ctx: Ctx,
  given: { id: string; to: string; subject?: string | undefined; text?: string | undefined; attach: boolean },
) {
  const d = await load(ctx, given.id)
  if (d.status === 'draft') throw fail('documents.stillDraft')
  // Whoever may not see the figures may send them to their owner, and not to himself.
  if (ctx.caller.hideTotalPrices && given.to.toLowerCase() !== d.customer.email?.toLowerCase())
    throw failField('to', 'documents.onlyToCustomer')
  const company = await companyOf(ctx)
  const values = valuesOf(ctx, d)
  // The business's text is in its own language; a customer of another language gets the ready one.
  const own = d.language === company.language
  const subject = fillText(given.subject || (own && company.mailSubject) || say(d.language, 'companies.start.mailSubject'), values)
  let body = fillText(given.text || (own && company.mailText) || say(d.language, 'companies.start.mailText'), values)
  if (!body.includes(values.link!)) body = `${body}\n\n${values.link}`
  const id = newId()
  await sql`insert into messages (company_id, id, channel, recipient, subject, body, document_id, created_by)
    values (${ctx.companyId}, ${id}, 'mail', ${given.to}, ${subject}, ${body}, ${d.id}, ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`update documents set sent_at = now(), updated_at = now() where company_id = ${ctx.companyId} and id = ${d.id}`.execute(ctx.tx)
  await ctx.later('documents.mail', { messageId: id, attach: given.attach })
  await ctx.audit('documents.send', 'documents', d.id, undefined, { to: given.to })
  return { messageId: id }
}

export const mailDocument: Job = async (ctx, payload, isLast) => {
  const { rows } = await sql<{
    recipient: string
    subject: string
    body: string
    document_id: string
    state: string
  }>`select recipient, subject, body, document_id, state from messages
    where company_id = ${ctx.companyId} and id = ${String(payload.messageId)} for update`.execute(ctx.tx)
  const message = rows[0]
  // A second run of the same job sends nothing twice.
  if (!message || message.state !== 'queued') return
  const { bytes, document } = await paperForCustomer(ctx, message.document_id)
  const mail = {
    to: message.recipient,
    subject: message.subject,
    text: message.body,
    fromName: document.business.name,
    ...(document.business.email ? { replyTo: document.business.email } : {}),
    ...(payload.attach
      ? { attachments: [{ filename: fileName(document), content: Buffer.from(bytes), contentType: 'application/pdf' }] }
      : {}),
  }
  await deliver(ctx, String(payload.messageId), mail, isLast)
}
