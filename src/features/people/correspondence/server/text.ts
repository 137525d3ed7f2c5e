import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverSms } from '#features/base/sms/server/index.ts'
import '#features/base/sms/rules.ts'
import { addressee } from './addressees.ts'

/** A text message without attachments. It is listed among the messages at once and sent after the commit. */
export async function sendText(
  ctx: Ctx,
  { to, text, customerId }: { to: string; text: string; customerId?: string | undefined },
) {
  const mobile = israeliMobile(to)
  if (!mobile) throw failField('to', 'sms.notMobile')
  if (customerId) await addressee(ctx, customerId)
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by)
    values (${ctx.companyId}, ${messageId}, 'letter', 'sms', ${mobile}, '', ${text}, ${customerId ?? null},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.later('letters.sms', { messageId })
  await ctx.audit('customers.sendSms', 'customers', customerId ?? null, undefined, { to: mobile })
  return { messageId }
}

export const smsLetter: Job = (ctx, { messageId }, isLast) => deliverSms(ctx, String(messageId), isLast)
