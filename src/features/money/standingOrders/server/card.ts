import { sql } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import {
  cardById,
  chargeNow,
  lastDay,
  planCardCharge,
  type Card,
} from '#features/money/acquirers/server/index.ts'
import type { StoredPeriod } from './period.ts'
import { orderOf, type StoredOrder } from './order.ts'
import { languageOf, personOf } from './tell.ts'

/** Whose charges these are, as acquirers know it: one charge of an order, and a card that is kept for one. */
export const turnPurpose = 'standingTurn'
export const cardPurpose = 'standingCard'

/** Why a card cannot be charged, in the form of a decline. */
export interface Refused {
  code: string
  class: string
}

const refusals: Readonly<Record<string, string>> = {
  'savedCards.gone': 'hard',
  'savedCards.askAgain': 'hard',
  'paymentLinks.cardExpired': 'expired',
  'savedCards.terminalOff': 'technical',
  'savedCards.notTaken': 'technical',
  'kit.notFound': 'hard',
}

/**
 * Writes down, in the transaction of the charge, that its card is to be asked; the call itself is made behind
 * the commit by `askPending`, and by the sweep of the acquirers should everybody die. The key names the
 * order, its days and the try, so that no try is ever charged twice. Answers why the card cannot be asked.
 */
export async function planCard(
  ctx: Ctx,
  order: StoredOrder,
  period: Pick<StoredPeriod, 'id' | 'period_start' | 'total_agorot' | 'tries'>,
): Promise<Refused | undefined> {
  if (!order.card_id) return { code: 'savedCards.gone', class: 'hard' }
  try {
    const chargeId = await planCardCharge(ctx, {
      cardId: order.card_id,
      agorot: period.total_agorot,
      currency: order.currency,
      description: order.title,
      purpose: turnPurpose,
      ourKey: `${order.id}:${period.period_start}:${period.tries + 1}`,
      subjectId: period.id,
      language: languageOf(order, await personOf(ctx, order)),
    })
    await sql`update standing_periods set charge_id = ${chargeId} where company_id = ${ctx.companyId}
        and id = ${period.id}`.execute(ctx.tx)
    await ctx.later('standingOrders.ask', { id: order.id }, new Date(ctx.now.getTime() + 30_000))
    return undefined
  } catch (e) {
    const known = e instanceof Failure ? refusals[e.code] : undefined
    if (!known) throw e
    return { code: (e as Failure).code, class: known }
  }
}

/**
 * Calls the acquirer for every charge of an order that was written down and not asked yet; outside of every
 * transaction.
 */
export async function askPending(app: App, companyId: string, orderId: string): Promise<void> {
  const { rows } = await asCaller(app, systemCaller(companyId), '', (ctx) =>
    sql<{
      id: string
    }>`select c.id from charges c join standing_periods p on p.company_id = c.company_id
        and p.id = c.subject_id
      where c.company_id = ${companyId} and p.order_id = ${orderId} and c.purpose = ${turnPurpose}
        and c.state = 'begun' and c.our_key is not null
        and not exists (select 1 from charge_tries t where t.company_id = c.company_id and t.charge_id = c.id)
        order by c.created_at`.execute(ctx.tx),
  )
  for (const { id } of rows) await chargeNow(app, companyId, id)
}

/** The card an order is charged by, or the one that took its place. */
export const cardOf = (ctx: Ctx, order: Pick<StoredOrder, 'card_id'>): Promise<Card | undefined> =>
  order.card_id ? cardById(ctx, order.card_id).catch(() => undefined) : Promise.resolve(undefined)

/**
 * Whether an order by card was not given one yet: it waits for its first card, and nothing of it is tried or fails. A
 * card that was given and cannot be charged any more is another matter: its charges fail, and the customer is asked for
 * another.
 */
export const waitsForCard = (order: Pick<StoredOrder, 'means' | 'card_id'>): boolean =>
  order.means === 'card' && order.card_id === null

/** Whether a card can be charged today. */
export const isUsable = (ctx: Ctx, card: Card | undefined): card is Card =>
  card?.state === 'active' && lastDay(card) >= ctx.today

/** What waits for its terminal is looked at again after so long. */
export const rateWaitMs = 20_000

/**
 * Whether a terminal was asked as often in the last minute as it may be. Charges of one terminal count one after
 * another: the person who asks here waits until the charge before is written down, since several are made at once.
 */
export async function isOverRate(ctx: Ctx, order: StoredOrder, perMinute: number): Promise<boolean> {
  const card = await cardOf(ctx, order)
  if (!card) return false
  await sql`select
      pg_advisory_xact_lock(hashtextextended(${`rate of ${card.terminal_id}`}, 0))`.execute(ctx.tx)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from charges where company_id = ${ctx.companyId}
      and terminal_id = ${card.terminal_id}
    and purpose = ${turnPurpose} and created_at > ${new Date(ctx.now.getTime() - 60_000)}`.execute(ctx.tx)
  return rows[0]!.count >= perMinute
}

export const orderOfPeriod = async (ctx: Ctx, periodId: string, lock = false): Promise<StoredOrder> => {
  const { rows } = await sql<{
    id: string
  }>`select order_id as id from standing_periods where company_id = ${ctx.companyId}
      and id = ${periodId}`.execute(ctx.tx)
  return orderOf(ctx, rows[0]?.id ?? periodId, lock)
}
