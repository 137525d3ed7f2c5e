import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { bytesOf, fileNameOf, loadOutside, readyMail, urlOf } from './load.ts'

/** Queues the mail; what becomes of it is seen at the document and in the list of messages. */
export async function send(
  ctx: Ctx,
  {
    id,
    to,
    subject,
    text,
    attach,
  }: { id: string; to: string; subject?: string | undefined; text?: string | undefined; attach: boolean },
) {
  const d = await loadOutside(ctx, id, true)
  // A person who may not see the amounts may send them to their owner, and not to themselves.
  if (ctx.caller.hideTotalPrices && to.toLowerCase() !== d.email?.toLowerCase())
    throw failField('to', 'documents.onlyToCustomer')
  const ready = await readyMail(ctx, d)
  const link = urlOf(ctx, d)
  const words = text || ready.text
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      outside_id, created_by)
    values (${ctx.companyId}, ${messageId}, 'outside', 'mail', ${to}, ${subject || ready.subject},
      ${words.includes(link) ? words : `${words}\n\n${link}`},
      ${d.customerId}, ${id}, ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`update outside_documents set sent_at = coalesce(sent_at, ${ctx.now.toISOString()}),
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later('outside.mail', { messageId, documentId: id, attach })
  await ctx.audit('outsideDocuments.send', 'outsideDocuments', id, undefined, { to })
  return { messageId }
}

export const mailOutside: Job = (ctx, { messageId, documentId, attach }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => {
    const d = await loadOutside(ctx, String(documentId))
    return {
      from: await companyOf(ctx),
      ...(attach
        ? {
            attachments: [
              {
                filename: fileNameOf(d.name),
                content: await bytesOf(ctx, d.id),
                contentType: 'application/pdf',
              },
            ],
          }
        : {}),
    }
  })
