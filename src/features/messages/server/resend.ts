import { sql } from 'kysely'
import { israeliMobile } from '../../../domain/phone.ts'
import { fail, failField } from '../../../kit/describe/errors.ts'
import { emailValue } from '../../../kit/fields/schema.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import '../../sms/rules.ts'

interface Letter {
  channel: string
  recipient: string
  state: string
  document_id: string | null
  attachments: { id: string }[]
}

/** What sends a document's letter when the work of the first time is forgotten. */
function madeAfresh({ channel, document_id, attachments }: Letter): { name: string; payload: Record<string, unknown> } | undefined {
  if (!document_id) return undefined
  return channel === 'sms'
    ? { name: 'documents.sms', payload: {} }
    : { name: 'documents.mail', payload: { attach: true, files: attachments.map(({ id }) => id) } }
}

/** A mail goes to a mail address and a text message to a mobile phone. */
function addressFor(channel: string, to: string): string {
  if (channel === 'sms') {
    const mobile = israeliMobile(to)
    if (!mobile) throw failField('to', 'sms.notMobile')
    return mobile
  }
  const { success, data } = emailValue.safeParse(to)
  if (!success) throw failField('to', 'fields.email')
  return data
}

/**
 * Sends a letter again as it was: the work behind the commit that sent it the first time is asked once more, for a new row of the list.
 * That work is remembered for a month; a document's letter can be made afresh even later.
 */
export async function resend(ctx: Ctx, { id, to }: { id: string; to?: string | undefined }): Promise<{ messageId: string }> {
  const { rows } = await sql<Letter>`select channel, recipient, state, document_id, attachments from messages
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const letter = rows[0]
  // What went by WhatsApp a person sent; nothing here can send it again.
  if (!letter || letter.channel === 'whatsapp') throw fail('kit.notFound')
  const address = to === undefined ? letter.recipient : addressFor(letter.channel, to)
  if (letter.state === 'queued') throw fail('messages.stillQueued')
  const { rows: work } = await sql<{ name: string; payload: Record<string, unknown> }>`select name, payload from outbox
    where company_id = ${ctx.companyId} and payload ? 'messageId' and payload->>'messageId' = ${id} order by created_at desc limit 1`.execute(
    ctx.tx,
  )
  const job = work[0] ?? madeAfresh(letter)
  if (!job) throw fail('messages.tooOld')
  const messageId = newId()
  await sql`insert into messages (company_id, id, channel, recipient, subject, body, document_id, party_id, letter_id, outside_id,
        attachments, resend_of, created_by)
    select company_id, ${messageId}, channel, ${address}, subject, body, document_id, party_id, letter_id, outside_id,
      attachments, id, ${ctx.caller.userId}
    from messages where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later(job.name, { ...job.payload, messageId })
  await ctx.audit('messages.resend', 'messages', id, undefined, { to: address })
  return { messageId }
}
