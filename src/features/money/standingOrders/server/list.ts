import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { isChargeable } from '#features/money/acquirers/server/index.ts'
import { standingOrders } from '../standingOrders.ts'

const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

/**
 * It is charged by card, something is to be charged, and there is no card that can be: until another is given
 * everything of it fails.
 */
const needsCard = sql`(t.means = 'card'
    and (t.state = 'failing' or t.state = 'active' and t.next_from is not null)
    and not ${isChargeable(sql`t.card_id`)})`

/** The state as it is shown; `t` is the order. */
export const toldState = sql`case when ${needsCard} then 'needsCard' when t.state = 'active'
    and t.trial_days > 0 and t.start_day + t.trial_days > ${todayThere} then 'trial'
  when t.state = 'active' and (t.until_day is not null and t.end_by <> '' or t.next_from is null) then
  'ending' else t.state end`

const ofPeriods = (what: ReturnType<typeof sql>, which: ReturnType<typeof sql>) =>
  sql`(select ${what} from standing_periods p where p.company_id = t.company_id and p.order_id = t.id
      and ${which})`

/** What it brought: charges that were paid, and of open papers what was paid of them. */
export const brought = ofPeriods(sql`coalesce(sum(p.total_agorot), 0)::bigint`, sql`p.state = 'done'`)

/** Charges to come of an order that has so many; nothing where it has no count, or is over. */
export const chargesLeft = sql`case when t.times is not null and t.state not in ('ended', 'cancelled') then
    greatest(t.times - t.next_no + 1, 0)::int end`

/**
 * The day behind the last one that is agreed: of so many charges, what is left of them, counted from the
 * next.
 */
export const endOfPlan = sql`least(t.until_day + 1, case when t.times is not null then coalesce(
  (t.next_from + greatest(t.times - t.next_no + 1, 0) * t.every_n *
  make_interval(years => (t.unit = 'year')::int, months => (t.unit = 'month')::int,
    weeks => (t.unit = 'week')::int, days => (t.unit = 'day')::int))::date,
  (select max(p.period_end) + 1 from standing_periods p where p.company_id = t.company_id
  and p.order_id = t.id)) end)`
/** Months from today to the end of the plan, a begun one counted whole. */
export const monthsLeft = sql`case when t.state not in ('ended', 'cancelled') then
    (select greatest(0, extract(year from a.left) * 12 + extract(month from a.left)
  + (extract(day from a.left) > 0)::int)::int
  from (select age(${endOfPlan}::timestamp, ${todayThere}::timestamp) as left) a where a.left is not null)
    end`

const failed = sql`p.state = 'failed'`

export const orderList: ServedResource = {
  resource: standingOrders,
  noArchive: true,
  compute: {
    number: sql`t.number`,
    currency: sql`t.currency`,
    sumAgorot: sql`t.next_total_agorot`,
    monthsLeft,
    nextDay: sql`case when t.state in ('active', 'failing') then t.next_day end`,
    state: toldState,
    broughtAgorot: brought,
    turns: ofPeriods(sql`count(*)::int`, sql`p.state = 'done'`),
    failedAgorot: ofPeriods(sql`coalesce(sum(p.total_agorot), 0)::bigint`, failed),
    failure: ofPeriods(
      sql`coalesce(nullif(max(p.failure_class), ''), case when count(*) > 0 then 'soft' end)`,
      failed,
    ),
    failingSince: sql`t.failing_since`,
    stepDay: ofPeriods(sql`min((p.step_at at time zone 'Asia/Jerusalem')::date)`, failed),
    heldWhy: sql`nullif(t.held_why, '')`,
    endedOn: sql`t.ended_on`,
    endReason: sql`nullif(t.end_reason, '')`,
    agentId: sql`t.agent_id`,
    projectId: sql`t.project_id`,
    createdAt: sql`t.created_at`,
  },
  refNames: {
    customerId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
    agentId: sql`(select a.name from agents a where a.company_id = t.company_id and a.id = t.agent_id)`,
    projectId: sql`(select p.name from projects p where p.company_id = t.company_id and p.id = t.project_id)`,
  },
  search: (q) =>
    sql`(t.title ilike ${pattern(q)} or t.number::text = ${q}
        or t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')})))`,
}
