import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { fillPlaceholders } from '#kit/server/outside/placeholders.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { keptCard } from '#features/sales/documents/server/index.ts'
import type { StoredOrder } from './order.ts'
import { ownWords } from './words.ts'

export const pageOf = (ctx: Ctx, { page_key: key }: Pick<StoredOrder, 'page_key'>): string =>
  `${siteOf(ctx.app)}/retainer/${key}`

interface Person {
  name: string
  email: string | null
  phone: string | null
  language: Language
}

/** The customer, or the remaining record after a merge. */
export async function personOf(ctx: Ctx, order: Pick<StoredOrder, 'customer_id'>): Promise<Person> {
  const { rows } =
    await sql<Person>`select c.name, c.email, coalesce(c.mobile, c.phone) as phone, c.language from parties p
    join parties c on c.company_id = p.company_id and c.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.id = ${order.customer_id}`.execute(ctx.tx)
  return rows[0] ?? { name: '', email: null, phone: null, language: 'he' }
}

/** Letters about a charge that did not go through, which the customer can still pay. */
const unpaid: ReadonlySet<string> = new Set(['failed', 'failedHard', 'pausedByCampaign'])

/** The amount that a letter speaks of: what is to be paid, or what the order costs from now on. */
function cardOf(
  language: Language,
  word: string,
  { sum, after, title, link }: Record<string, string | number>,
): string | null {
  const amount = sum ?? after
  if (!amount || word === 'cancelledByCampaign') return null
  return keptCard(language, {
    amount: String(amount),
    url: String(link),
    ...(unpaid.has(word) ? {} : { label: String(title), leads: 'details' }),
  })
}

/** The language of a customer's messages about an order. */
export const languageOf = (order: StoredOrder, person: Person): Language => order.language ?? person.language

/**
 * Sends the customer a message about an order in the customer's language, by email or by text message, by the other
 * where only that is known; the message is the row that is sent after the commit. Answers the channel and the
 * address; undefined when there is none.
 */
export async function tellCustomer(
  ctx: Ctx,
  order: StoredOrder,
  word: string,
  values: Record<string, string | number>,
  channel: 'mail' | 'sms' = 'mail',
): Promise<{ id: string; channel: 'mail' | 'sms'; to: string } | undefined> {
  const person = await personOf(ctx, order)
  const mail = (order.send_to.includes('@') ? order.send_to : person.email) ?? ''
  const phone = israeliMobile(order.send_to.includes('@') ? person.phone : order.send_to || person.phone)
  const way = channel === 'sms' && phone ? 'sms' : mail ? 'mail' : phone ? 'sms' : undefined
  if (!way) return undefined
  const language = languageOf(order, person)
  const said: Record<string, string | number> = {
    business: (await companyOf(ctx)).name,
    customer: person.name,
    title: order.title,
    link: pageOf(ctx, order),
    ...values,
  }
  const own = await ownWords(ctx, word, language)
  const sayIt = (part: 'subject' | 'text' | 'sms') =>
    own ? fillPlaceholders(own[part], said) : say(language, `standingOrders.mail.${word}.${part}`, said)
  // Marks of direction are of use on paper; in a short message they are strange signs, and each costs a
  // letter.
  const plain = (text: string) =>
    way === 'sms' ? text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '') : text
  const id = newId()
  const to = way === 'mail' ? mail : phone!
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id, card)
    values (${ctx.companyId}, ${id}, 'standingOrder', ${way}, ${to}, ${sayIt('subject')},
      ${plain(sayIt(way === 'mail' ? 'text' : 'sms'))}, ${order.customer_id},
      ${way === 'mail' ? cardOf(language, word, said) : null}::jsonb)`.execute(ctx.tx)
  await ctx.later(way === 'mail' ? 'letters.mail' : 'letters.sms', { messageId: id })
  return { id, channel: way, to }
}
