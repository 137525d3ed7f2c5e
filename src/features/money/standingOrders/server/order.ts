import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { noticesOf, type Notice } from '#domain/standingOrders/notices.ts'
import { benefitTurns, type LinkedTo } from '#domain/standingOrders/price.ts'
import { endOf, paidFrom, turnsOf, type Plan, type Unit } from '#domain/standingOrders/schedule.ts'
import type { Shift } from '#domain/bankDays.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { OrderLine } from '../endpoints.ts'
import type { Means, storedStates } from '../standingOrders.ts'

/** What these orders are called where it is kept who gave them. */
export const orderKind = 'standingOrders'

export interface StoredOrder {
  id: string
  number: number
  title: string
  customer_id: string
  means: Means
  card_id: string | null
  document_type: number
  language: Language | null
  currency: string
  agent_id: string | null
  project_id: string | null
  send: 'mail' | 'sms' | 'none'
  send_to: string
  notes: string
  notes_internal: string
  start_day: Day
  every_n: number
  unit: Unit
  billing_day: number
  shift: Shift
  charge_today: boolean
  prorate: boolean
  arrears: boolean
  trial_days: number
  until_day: Day | null
  times: number | null
  first_price_agorot: number | null
  discount_bp: number
  discount_turns: number
  linked: LinkedTo
  link_falls: boolean
  party_kind: 'consumer' | 'business'
  may_pause: boolean
  may_cancel: boolean
  yearly_receipt: boolean
  campaign_id: string | null
  state: (typeof storedStates)[number]
  held_why: string
  paused_until: Day | null
  failing_since: Day | null
  end_reason: string
  end_by: string
  ended_on: Day | null
  next_from: Day | null
  next_no: number | null
  next_day: Day | null
  next_at: string | null
  next_total_agorot: number
  page_key: string
  page_seen_at: string | null
}

/** What is charged from a day on. */
export interface Version {
  no: number
  fromDay: Day
  lines: OrderLine[]
  baseValue: string | null
  baseOf: Day | null
  raises: boolean
  why: string
}

export async function orderOf(ctx: Ctx, id: string, lock = false): Promise<StoredOrder> {
  const { rows } = await sql<StoredOrder>`select * from standing_orders where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** One that has not come to its end. */
export async function livingOrder(ctx: Ctx, id: string): Promise<StoredOrder> {
  const order = await orderOf(ctx, id, true)
  if (isOver(order)) throw fail('standingOrders.over')
  return order
}

export const isOver = ({ state }: Pick<StoredOrder, 'state'>): boolean =>
  state === 'ended' || state === 'cancelled'

export const planOf = (order: StoredOrder): Plan => ({
  start: order.start_day,
  every: order.every_n,
  unit: order.unit,
  billingDay: order.billing_day,
  shift: order.shift,
  chargeToday: order.charge_today,
  prorate: order.prorate,
  arrears: order.arrears,
  trialDays: order.trial_days,
  until: order.until_day,
  times: order.times,
})

export const benefitOf = (order: StoredOrder) => ({
  firstPriceAgorot: order.first_price_agorot,
  discountBp: order.discount_bp,
  discountTurns: order.discount_turns,
})

export async function versionsOf(ctx: Ctx, id: string): Promise<Version[]> {
  const { rows } =
    await sql<Version>`select no, from_day as "fromDay", lines, trim_scale(base_value)::text as "baseValue",
        base_of as "baseOf", raises, why
    from standing_versions where company_id = ${ctx.companyId} and order_id = ${id}
    order by from_day`.execute(ctx.tx)
  return rows
}

/** What is charged for days that begin on a day. */
export function versionOn(versions: readonly Version[], day: Day): Version {
  let found = versions[0]!
  for (const one of versions) if (one.fromDay <= day) found = one
  return found
}

/** Adds a line to the timeline; nothing of it is ever changed. */
export async function tellStep(
  ctx: Ctx,
  orderId: string,
  kind: string,
  details: Record<string, string | number | boolean | null> = {},
  periodStart: Day | null = null,
): Promise<void> {
  const by = /^0{8}-/.test(ctx.caller.userId) ? null : ctx.caller.userId
  await sql`insert into standing_steps (company_id, id, order_id, period_start, at, kind, details, by_user)
    values (${ctx.companyId}, ${newId()}, ${orderId}, ${periodStart}, ${ctx.now}, ${kind},
      ${JSON.stringify(details)}, ${by})`.execute(ctx.tx)
}

export async function setOrder(
  ctx: Ctx,
  id: string,
  values: Partial<Record<keyof StoredOrder | 'leased_until', unknown>>,
): Promise<void> {
  const columns = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update standing_orders set ${sql.join(columns)}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}

/** The last days of lower prices: of free days, and of charges that cost less. */
export function benefitEnds(order: StoredOrder): Day[] {
  const plan = planOf(order)
  const ends = order.trial_days > 0 ? [addDays(paidFrom(plan), -1)] : []
  const turns = benefitTurns(benefitOf(order))
  if (turns > 0)
    for (const turn of turnsOf(plan))
      if (turn.no === turns) ends.push(turn.to)
      else if (turn.no > turns) break
  return ends
}

/** Every notice the law requires for an order in its present state. */
export function noticesFor(order: StoredOrder, versions: readonly Version[]): Notice[] {
  const deal = {
    party: order.party_kind,
    start: order.start_day,
    end: endOf(planOf(order)),
    raises: versions.flatMap((one) => (one.raises ? [one.fromDay] : [])),
  }
  const [last = null, ...before] = benefitEnds(order).toReversed()
  return [
    ...noticesOf({ ...deal, benefitUntil: last }),
    ...before.flatMap((day) => noticesOf({ ...deal, end: null, raises: [], benefitUntil: day })),
  ]
}
