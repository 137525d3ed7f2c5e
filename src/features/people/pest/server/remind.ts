import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { whatsAppLink } from '#domain/phone.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { mailTo, toldTo, type Ready } from './receiver.ts'

/** To whom and in which words the next visit at a site would be reminded of. */
export const remindingOf = async (ctx: Ctx, { id }: { id: string }) => toldTo(ctx, await readyOf(ctx, id))

async function readyOf(ctx: Ctx, id: string): Promise<Ready> {
  const { rows } = await sql<{
    customerId: string
    name: string
    email: string | null
    mobile: string | null
    language: Language | null
    site: string
    day: string | null
  }>`select p.id as "customerId", p.name, p.email, coalesce(nullif(s.phone, ''), p.mobile, p.phone) as mobile,
      p.language, s.name as site, s.next_day as day
    from pest_sites s join parties p on p.company_id = s.company_id and p.id = s.customer_id
    where s.company_id = ${ctx.companyId} and s.id = ${id} and s.archived_at is null`.execute(ctx.tx)
  const [of] = rows
  if (!of) throw fail('kit.notFound')
  if (!of.day) throw fail('pest.noVisit')
  const company = await companyOf(ctx)
  const said = {
    business: company.name,
    site: of.site,
    customer: of.name,
    day: formatDay(of.day),
    phone: company.phone ?? '',
  }
  // Marks of direction are strange signs in a message.
  const plain = (key: string) =>
    say(of.language ?? company.language, `pest.remind.${key}`, said).replace(/[\u2066-\u2069]/g, '')
  return {
    customerId: of.customerId,
    mail: of.email ?? '',
    phone: of.mobile ?? '',
    subject: plain('subject'),
    text: plain('text'),
  }
}

interface Reminder {
  id: string
  to?: string | undefined
  text?: string | undefined
}

/** Keeps the message and that the next visit was reminded of; the one after it is again to be. */
async function keep(
  ctx: Ctx,
  { id, to, text }: Reminder,
  channel: 'mail' | 'whatsapp',
): Promise<{ messageId: string; body: string }> {
  const ready = await readyOf(ctx, id)
  const messageId = newId()
  const body = text?.trim() || ready.text
  // WhatsApp messages are sent by people in their own program.
  const isSent = channel === 'whatsapp'
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by, state, sent_at)
    values (${ctx.companyId}, ${messageId}, 'letter', ${channel},
      ${isSent ? to || ready.phone || '–' : mailTo(ready, to)}, ${ready.subject}, ${body},
      ${ready.customerId}, ${ctx.caller.userId},
      ${isSent ? 'sent' : 'queued'}, ${isSent ? ctx.now : null})`.execute(ctx.tx)
  await sql`update pest_sites set reminded_at = ${ctx.now.toISOString()}, reminded_for = next_day,
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('pest.remind', 'pestsites', id, undefined, { to: to ?? '', channel })
  return { messageId, body }
}

/** The mail waits in the list of messages and leaves after the commit. */
export async function remindByMail(ctx: Ctx, given: Reminder) {
  const { messageId } = await keep(ctx, given, 'mail')
  await ctx.later('pest.remind', { messageId })
  return { done: true as const }
}

export async function remindByWhatsApp(ctx: Ctx, given: Reminder) {
  const { body } = await keep(ctx, given, 'whatsapp')
  return { url: whatsAppLink(given.to, body) }
}

export const mailReminder: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))
