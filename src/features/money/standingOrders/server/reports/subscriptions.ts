import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { means, subscriptionStates, type Means } from '../../standingOrders.ts'
import { brought, chargesLeft, toldState } from '../list.ts'
import { holds, passesSource, type Subscribed, type SubscriptionsAsked } from '../subscribed.ts'

/** Orders, as they stand; why one ended or waits is put into words. */
async function ordersOf(
  ctx: Ctx,
  { state, kind, customer, from, to, left, means: way }: SubscriptionsAsked & { means?: Means | undefined },
) {
  const { rows } = await sql<
    Subscribed & { by: string; heldWhy: string }
  >`select state, customer, title, "startDay", "nextDay", "untilDay", "left", turns, "sumAgorot",
      "monthlyAgorot", "broughtAgorot", reason, open, by, "heldWhy"
      from (select t.id, c.name as customer, t.title, ${toldState} as state, t.means,
        t.start_day as "startDay",
        case when t.state in ('active', 'failing') then t.next_day end as "nextDay",
        coalesce(t.ended_on, t.until_day) as "untilDay", t.next_total_agorot as "sumAgorot",
        coalesce((select p.monthly_agorot from standing_periods p where p.company_id = t.company_id
        and p.order_id = t.id and p.state <> 'skipped'
          and t.state in ('active', 'failing', 'held') order by p.period_start desc limit 1), 0)::bigint as
          "monthlyAgorot", ${chargesLeft} as "left",
        ${brought} as "broughtAgorot", (select count(*)::int from standing_periods p
        where p.company_id = t.company_id and p.order_id = t.id and p.state = 'done') as turns,
        t.end_reason as reason, t.end_by as by, t.held_why as "heldWhy", t.customer_id as party,
        '/invoice/retainers/' || t.id as open
      from standing_orders t join parties c on c.company_id = t.company_id and c.id = t.customer_id
      where t.company_id = ${ctx.companyId}) x
      where (${state ?? null}::text is null or state = ${state ?? null})
        and (${customer ?? null}::uuid is null or party = ${customer ?? null})
        and (${way ?? null}::text is null or means = ${way ?? null})
        and (${from ?? null}::date is null or "startDay" >= ${from ?? null})
        and (${to ?? null}::date is null or "startDay" <= ${to ?? null})
        ${kind ? sql`and title ilike ${holds(kind)}` : sql``}
        ${left === undefined ? sql`` : sql`and "left" <= ${left}`}
      order by customer, title, id`.execute(ctx.tx)
  const { language } = ctx.caller
  return rows.map(({ by, heldWhy, ...row }) => ({
    ...row,
    reason: [
      heldWhy && say(language, `errors.${heldWhy}`),
      by && by !== 'plan' && say(language, `standingOrders.by.${by}`),
      row.reason,
    ]
      .filter(Boolean)
      .join(' · '),
  }))
}

/**
 * What customers have for a time, by its state: standing orders on trial, running, failing, paused, ending,
 * over, and why; passes with what is left of them.
 */
export const subscriptions = defineReport({
  name: 'subscriptions',
  feature: 'standingOrders',
  group: 'money',
  path: '/invoice/reportsubscription',
  allow: 'reports.standingOrders',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    what: choice(['orders', 'passes']),
    kind: text({ max: 100 }),
    state: choice(subscriptionStates),
    customer: ref('customers'),
    means: choice(means),
    from: day(),
    to: day(),
    left: number(),
  },
  key: ['what', 'customer', 'title', 'startDay'],
  columns: {
    state: text(),
    customer: text(),
    title: text(),
    what: text(),
    startDay: day(),
    nextDay: day(),
    untilDay: day(),
    left: number(),
    turns: number(),
    sumAgorot: money(),
    monthlyAgorot: { ...money(), main: true },
    broughtAgorot: money(),
    reason: text(),
  },
  groupBy: 'state',
  totals: ['monthlyAgorot', 'broughtAgorot'],
  rows: async (ctx, { what, ...asked }) => {
    const passes = passesSource()
    // A pass is charged by nothing: the person who asks for a means asks for orders.
    const wantsPasses =
      what !== 'orders' && !asked.means && passes !== undefined && can(ctx.caller, passes.rule)
    const found = [
      ...(what === 'passes' ? [] : (await ordersOf(ctx, asked)).map((row) => ({ what: 'orders', ...row }))),
      ...(wantsPasses ? (await passes.find(ctx, asked)).map((row) => ({ what: 'passes', ...row })) : []),
    ]
    const { language } = ctx.caller
    return found
      .toSorted((a, b) => subscriptionStates.indexOf(a.state) - subscriptionStates.indexOf(b.state))
      .map((row) => ({
        ...row,
        state: say(language, `standingOrders.reports.subscriptions.state.${row.state}`),
        what: say(language, `standingOrders.reports.subscriptions.what.${row.what}`),
      }))
  },
})
