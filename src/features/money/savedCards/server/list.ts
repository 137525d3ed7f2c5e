import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { addDays } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import type { GatewayName } from '#features/money/acquirers/acquirers.ts'
import { cardById, lastDay, usersOf, type Card } from '#features/money/acquirers/server/index.ts'
import type { CardAnswer } from '../endpoints.ts'
import { savedCards, type ShownState } from '../savedCards.ts'

/** How long before its end a card is said to end. */
const soonDays = 60

const customerName = sql`(select p.name from parties p where p.company_id = t.company_id
    and p.id = t.customer_id)`
const lastDayThere = sql`least((t.expiry || '-01')::date + interval '1 month' - interval '1 day',
    t.token_deleted_on)`

export const cardList: ServedResource = {
  alsoCalled: { customerName: 'customerIdName' },
  resource: savedCards,
  noArchive: true,
  compute: {
    customerId: sql`t.customer_id`,
    brand: sql`t.brand`,
    last4: sql`t.last4`,
    expiry: sql`t.expiry`,
    isDefault: sql`t.is_default`,
    terminal: sql`(select coalesce(nullif(x.name, ''), x.gateway) from terminals x
      where x.company_id = t.company_id and x.id = t.terminal_id)`,
    state: sql`case when t.state in ('removing', 'removed') then 'removed'
        when t.state <> 'active' then t.state
      when ${lastDayThere} < ${todayThere}::date then 'expired' when ${lastDayThere} < ${todayThere}::date +
      ${soonDays}::int then 'expiring' else 'active' end`,
    lastUsedAt: sql`t.last_used_at`,
    createdAt: sql`t.created_at`,
  },
  refNames: { customerId: customerName },
  search: (q) =>
    sql`(t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')}))
        or t.last4 = ${q})`,
}

export function shownState(card: Card, today: string): ShownState {
  if (card.state === 'removing' || card.state === 'removed') return 'removed'
  if (card.state !== 'active') return card.state
  const last = lastDay(card)
  return last < today ? 'expired' : last < addDays(today, soonDays) ? 'expiring' : 'active'
}

/** A card with its owner's consent, its automatic charges, and its last charges. */
export async function showCard(ctx: Ctx, id: string): Promise<CardAnswer> {
  const card = await cardById(ctx, id)
  const { rows } = await sql<{
    name: string
    email: string | null
    phone: string | null
    terminal: string
    gateway: GatewayName
  }>`
    select p.name, p.email, coalesce(p.mobile, p.phone) as phone, coalesce(nullif(t.name, ''), '') as
      terminal, t.gateway
    from parties p join terminals t on t.company_id = p.company_id and t.id = ${card.terminal_id}
    where p.company_id = ${ctx.companyId} and p.id = ${card.customer_id}`.execute(ctx.tx)
  const { rows: charges } = await sql<
    CardAnswer['charges'][number]
  >`select id, created_at as at, description, amount_agorot as "sumAgorot", state,
      decline_class as "declineClass", decline_code as "declineCode" from charges
    where company_id = ${ctx.companyId} and card_id = ${card.id} order by created_at desc, id desc
    limit 12`.execute(ctx.tx)
  const uses = await usersOf().uses(ctx, [card.id])
  const of = rows[0]!
  return {
    id: card.id,
    customerId: card.customer_id,
    customerName: of.name,
    email: of.email,
    phone: of.phone,
    brand: card.brand,
    last4: card.last4,
    expiry: card.expiry,
    lastDay: lastDay(card),
    state: shownState(card, ctx.today),
    isDefault: card.is_default,
    terminal: of.terminal,
    gateway: of.gateway,
    consent: card.consent,
    consentAt: card.consent_at,
    lastUsedAt: card.last_used_at,
    createdAt: card.created_at,
    uses: uses.map(({ name, href }) => ({ name, href })),
    charges,
  }
}
