import { sql } from 'kysely'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { say } from '#kit/server/words.ts'
import { means, states, type OrderState } from '../../standingOrders.ts'
import { brought, toldState } from '../list.ts'

interface Found {
  id: string
  customer: string
  title: string
  state: OrderState
  means: string
  startDay: string
  nextDay: string | null
  untilDay: string | null
  sumAgorot: number
  monthlyAgorot: number
  broughtAgorot: number
  turns: number
  reason: string
  by: string
  heldWhy: string
}

/** Every standing order by its state: on trial, running, failing, paused, ending, over, and why. */
export const subscriptions = defineReport({
  name: 'subscriptions',
  feature: 'standingOrders',
  group: 'money',
  path: '/invoice/reportsubscription',
  allow: 'reports.standingOrders',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { state: choice(states), customer: ref('customers'), means: choice(means), from: day(), to: day() },
  key: ['customer', 'title', 'startDay'],
  columns: {
    state: text(),
    customer: text(),
    title: text(),
    startDay: day(),
    nextDay: day(),
    untilDay: day(),
    turns: number(),
    sumAgorot: money(),
    monthlyAgorot: { ...money(), main: true },
    broughtAgorot: money(),
    reason: text(),
  },
  groupBy: 'state',
  totals: ['monthlyAgorot', 'broughtAgorot'],
  rows: async (ctx, { state, customer, means: way, from, to }) => {
    const { rows } =
      await sql<Found>`select * from (select t.id, c.name as customer, t.title, ${toldState} as state, t.means, t.start_day as "startDay",
        case when t.state in ('active', 'failing') then t.next_day end as "nextDay", coalesce(t.ended_on, t.until_day) as "untilDay", t.next_total_agorot as "sumAgorot",
        coalesce((select p.monthly_agorot from standing_periods p where p.company_id = t.company_id and p.order_id = t.id and p.state <> 'skipped'
          and t.state in ('active', 'failing', 'held') order by p.period_start desc limit 1), 0)::bigint as "monthlyAgorot",
        ${brought} as "broughtAgorot", (select count(*)::int from standing_periods p where p.company_id = t.company_id and p.order_id = t.id and p.state = 'done') as turns,
        t.end_reason as reason, t.end_by as by, t.held_why as "heldWhy", t.customer_id as party
      from standing_orders t join parties c on c.company_id = t.company_id and c.id = t.customer_id where t.company_id = ${ctx.companyId}) x
      where (${state ?? null}::text is null or state = ${state ?? null}) and (${customer ?? null}::uuid is null or party = ${customer ?? null})
        and (${way ?? null}::text is null or means = ${way ?? null}) and (${from ?? null}::date is null or "startDay" >= ${from ?? null})
        and (${to ?? null}::date is null or "startDay" <= ${to ?? null})
      order by array_position(${[...states]}::text[], state), customer, title, id`.execute(ctx.tx)
    const { language } = ctx.caller
    return rows.map(({ id, state: found, reason, by, heldWhy, means: _, party: _party, ...row }: Found & { party?: string }) => ({
      ...row,
      state: say(language, `standingOrders.state.${found}`),
      reason: [heldWhy && say(language, `errors.${heldWhy}`), by && by !== 'plan' && say(language, `standingOrders.by.${by}`), reason]
        .filter(Boolean)
        .join(' · '),
      open: `/invoice/retainers/${id}`,
    }))
  },
})
