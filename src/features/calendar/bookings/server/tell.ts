import { sql } from 'kysely'
import { whatsAppLink } from '#domain/phone.ts'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { fillPlaceholders } from '#kit/server/outside/placeholders.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { writeTo } from '#features/calendar/passes/server/index.ts'
import type { bookingLetters } from '../endpoints.ts'
import { ownWords } from './words.ts'

export type BookingWord = (typeof bookingLetters)[number]

/** The text of a booking for its customer, in the customer's language; undefined: there is no such booking. */
async function said(ctx: Ctx, bookingId: string, word: BookingWord | undefined, reason: string) {
  const { rows } = await sql<{
    customer_id: string
    name: string
    email: string | null
    phone: string | null
    language: Language
    title: string
    day: string
    at: string
    place: string | null
    until: string | null
    key: string | null
    state: string
  }>`select w.id as customer_id, w.name, w.email, coalesce(nullif(w.mobile, ''), w.phone) as phone,
      w.language, coalesce(nullif(c.title, ''), k.name) as title, to_char(c.day, 'DD/MM/YYYY') as day,
      to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at, p.name as place,
      to_char(b.until_at at time zone 'Asia/Jerusalem', 'DD/MM HH24:MI') as until, b.state,
      (select g.key from booking_pages g where g.company_id = b.company_id and g.is_on) as key
    from class_bookings b join parties x on x.company_id = b.company_id and x.id = b.customer_id
    join parties w on w.company_id = x.company_id and w.id = coalesce(x.merged_into, x.id)
    join classes c on c.company_id = b.company_id and c.id = b.class_id
    join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    left join class_places p on p.company_id = c.company_id and p.id = c.place_id
    where b.company_id = ${ctx.companyId} and b.id = ${bookingId}`.execute(ctx.tx)
  const [of] = rows
  if (!of) return undefined
  const facts = {
    business: (await companyOf(ctx)).name,
    customer: of.name,
    title: of.title,
    day: of.day,
    at: of.at,
    place: of.place ?? '',
    until: of.until ?? '',
    reason,
    link: of.key ? `${siteOf(ctx.app)}/yeshfit/${of.key}?mine=1` : '',
  }
  const letter = word ?? (of.state === 'offered' ? 'offered' : 'reminder')
  const own = await ownWords(ctx, letter, of.language)
  const sayIt = (part: 'subject' | 'text') =>
    own ? fillPlaceholders(own[part], facts) : say(of.language, `bookings.mail.${letter}.${part}`, facts)
  return {
    to: { id: of.customer_id, email: of.email, phone: of.phone },
    subject: sayIt('subject'),
    text: sayIt('text'),
  }
}

/**
 * Sends the customer of a booking a message in the customer's language, by email or by text message where there is
 * no email address; after the commit. Answers whether there was a way to reach the customer.
 */
export async function tellBooking(
  ctx: Ctx,
  bookingId: string,
  word: BookingWord,
  reason = '',
): Promise<boolean> {
  const found = await said(ctx, bookingId, word, reason)
  return found ? writeTo(ctx, found.to, found) : false
}

/** The same as a link that opens WhatsApp with it: an offer while it is valid, else the reminder. */
export async function messageOfBooking(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ url: string; text: string }> {
  const found = await said(ctx, id, undefined, '')
  if (!found) throw fail('kit.notFound')
  const text = found.text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return { url: whatsAppLink(found.to.phone, text), text }
}
