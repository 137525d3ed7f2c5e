import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { emailValue } from '#kit/fields/schema.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Content } from '#features/partners/accountant/accountants.ts'
import { refuseContents } from '#features/partners/accountant/server/index.ts'
import '#features/base/sms/rules.ts'
import { lackingToRedirect, lackingToSend } from '../kinds.ts'

interface Letter {
  kind: string
  channel: string
  recipient: string
  state: string
  document_id: string | null
  party_id: string | null
  letter_id: string | null
  outside_id: string | null
  attachments: { id: string }[]
}

/** Kinds that are their words alone, which the row keeps. */
const wordsAlone = ['letter', 'reminder', 'paymentLink', 'customerPage']

/**
 * What sends a letter when the work of the first time is forgotten: the paper it brought is found again by
 * what the row names.
 */
function madeAfresh({
  kind,
  channel,
  document_id,
  letter_id,
  outside_id,
  attachments,
}: Letter): { name: string; payload: Record<string, unknown> } | undefined {
  if (letter_id) return { name: 'letters.sealed', payload: { letterId: letter_id } }
  if (outside_id) return { name: 'outside.mail', payload: { documentId: outside_id, attach: true } }
  if (wordsAlone.includes(kind) && channel !== 'whatsapp')
    return { name: channel === 'sms' ? 'letters.sms' : 'letters.mail', payload: {} }
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
 * The addresses and phones a letter belongs to: of its document as it was issued, and of its customer now.
 */
async function isOwners(
  ctx: Ctx,
  { channel, document_id, party_id }: Letter,
  address: string,
): Promise<boolean> {
  const { rows } = await sql<{
    email: string | null
    phone: string | null
  }>`select d.customer->>'email' as email, d.customer->>'phone' as phone
      from documents d where d.company_id = ${ctx.companyId} and d.id = ${document_id}
    union all select p.email, coalesce(p.mobile, p.phone) from parties p where p.company_id = ${ctx.companyId}
      and p.id = ${party_id}`.execute(ctx.tx)
  return rows.some(({ email, phone }) =>
    channel === 'sms'
      ? !!phone && israeliMobile(phone) === address
      : email?.toLowerCase() === address.toLowerCase(),
  )
}

/** Sending again requires the rights of the first time, for the same recipient. */
async function checkSender(
  ctx: Ctx,
  letter: Letter,
  address: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const { caller } = ctx
  const lacks = lackingToSend(letter.kind, caller)
  if (lacks) throw forbidden(lacks)
  const redirects = address === letter.recipient ? undefined : lackingToRedirect(letter.kind, caller)
  if (redirects)
    throw caller.hideTotalPrices ? failField('to', 'documents.onlyToCustomer') : forbidden(redirects)
  if (letter.kind === 'accountant') refuseContents(ctx, (payload.contents as Content[] | undefined) ?? [])
  if (!caller.hideTotalPrices) return
  if (!(await isOwners(ctx, letter, address))) throw failField('to', 'documents.onlyToCustomer')
}

/**
 * Sends a letter again as it was: the work behind the commit that sent it the first time is asked once more,
 * for a new row of the list. That work is remembered for a month; what brings a kept paper, or is words
 * alone, can be made afresh even later.
 */
export async function resend(
  ctx: Ctx,
  { id, to }: { id: string; to?: string | undefined },
): Promise<{ messageId: string }> {
  const { rows } =
    await sql<Letter>`select kind, channel, recipient, state, document_id, party_id, letter_id, outside_id,
        attachments from messages
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const letter = rows[0]
  // What went by WhatsApp a person sent; nothing here can send it again.
  if (!letter || letter.channel === 'whatsapp') throw fail('kit.notFound')
  const address = to === undefined ? letter.recipient : addressFor(letter.channel, to)
  if (letter.state === 'queued' || letter.state === 'postponed') throw fail('messages.stillQueued')
  const { rows: work } = await sql<{
    name: string
    payload: Record<string, unknown>
  }>`select name, payload from outbox
    where company_id = ${ctx.companyId} and payload ? 'messageId' and payload->>'messageId' = ${id}
    order by created_at desc limit 1`.execute(ctx.tx)
  const job = work[0] ?? madeAfresh(letter)
  if (!job) throw fail('messages.tooOld')
  await checkSender(ctx, letter, address, job.payload)
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, document_id,
      party_id, letter_id, outside_id,
        attachments, card, resend_of, created_by)
    select company_id, ${messageId}, kind, channel, ${address}, subject, body, document_id, party_id,
      letter_id, outside_id,
      attachments, card, id, ${ctx.caller.userId}
    from messages where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later(job.name, { ...job.payload, messageId })
  await ctx.audit('messages.resend', 'messages', id, undefined, { to: address })
  return { messageId }
}
