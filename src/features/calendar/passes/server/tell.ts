import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { lastDay } from './read.ts'

/**
 * Sends a customer a message by email, or by text message where there is no email address; after the commit. Answers
 * whether there was a way to reach the customer.
 */
export async function writeTo(
  ctx: Ctx,
  to: { id: string; email: string | null; phone: string | null },
  { subject, text }: { subject: string; text: string },
): Promise<boolean> {
  const phone = israeliMobile(to.phone)
  const way = to.email ? 'mail' : phone ? 'sms' : undefined
  if (!way) return false
  // Marks of direction are of use in a letter; in a short message each is a strange sign that costs.
  const body = way === 'sms' ? text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '') : text
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id)
    values (${ctx.companyId}, ${id}, 'classBooking', ${way}, ${way === 'mail' ? to.email : phone}, ${subject},
      ${body.trim()}, ${to.id})`.execute(ctx.tx)
  await ctx.later(way === 'mail' ? 'letters.mail' : 'letters.sms', { messageId: id })
  return true
}

/** Tells the person who bought a pass that it ends soon, or that it has ended with visits in it. */
export async function tellEnd(
  ctx: Ctx,
  passId: string,
  word: 'ending' | 'ended',
  left: number | null,
): Promise<boolean> {
  const { rows } = await sql<{
    id: string
    customer: string
    email: string | null
    phone: string | null
    language: Language
    name: string
    day: string
    key: string | null
  }>`select w.id, w.name as customer, w.email, coalesce(nullif(w.mobile, ''), w.phone) as phone, w.language,
      k.name, to_char(${lastDay}, 'DD/MM/YYYY') as day,
      (select g.key from booking_pages g where g.company_id = p.company_id and g.is_on) as key
    from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
    join parties w on w.company_id = p.company_id and w.id = p.customer_id
    where p.company_id = ${ctx.companyId} and p.id = ${passId}`.execute(ctx.tx)
  const [of] = rows
  if (!of) return false
  const said = {
    customer: of.customer,
    name: of.name,
    day: of.day,
    // Without a number of visits there is nothing left to tell of.
    count: left ?? 0,
    link: of.key ? `${siteOf(ctx.app)}/yeshfit/${of.key}?mine=1` : '',
    business: (await companyOf(ctx)).name,
  }
  const sayIt = (part: 'subject' | 'text') => say(of.language, `passes.mail.${word}.${part}`, said)
  return writeTo(ctx, of, { subject: sayIt('subject'), text: sayIt('text') })
}
