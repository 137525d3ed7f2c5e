import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'

interface Letter {
  channel: string
  recipient: string
  state: string
  document_id: string | null
}

/**
 * Sends a letter again as it was: the work behind the commit that sent it the first time is asked once more, for a new row of the list.
 * That work is remembered for a month; a document's letter can be made afresh even later.
 */
export async function resend(ctx: Ctx, { id, to }: { id: string; to?: string | undefined }): Promise<{ messageId: string }> {
  const { rows } = await sql<Letter>`select channel, recipient, state, document_id from messages
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const letter = rows[0]
  if (!letter || letter.channel !== 'mail') throw fail('kit.notFound')
  if (letter.state === 'queued') throw fail('messages.stillQueued')
  const { rows: work } = await sql<{ name: string; payload: Record<string, unknown> }>`select name, payload from outbox
    where company_id = ${ctx.companyId} and payload ? 'messageId' and payload->>'messageId' = ${id} order by created_at desc limit 1`.execute(
    ctx.tx,
  )
  const job = work[0] ?? (letter.document_id ? { name: 'documents.mail', payload: { attach: true } } : undefined)
  if (!job) throw fail('messages.tooOld')
  const messageId = newId()
  await sql`insert into messages (company_id, id, channel, recipient, subject, body, document_id, party_id, resend_of, created_by)
    select company_id, ${messageId}, channel, ${to ?? letter.recipient}, subject, body, document_id, party_id, id, ${ctx.caller.userId}
    from messages where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later(job.name, { ...job.payload, messageId })
  await ctx.audit('messages.resend', 'messages', id, undefined, { to: to ?? letter.recipient })
  return { messageId }
}
