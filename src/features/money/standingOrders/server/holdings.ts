import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { registerHoldings } from '#features/registers/parties/server/index.ts'
import { standingOrders } from '../standingOrders.ts'
import { chargesLeft, endOfPlan, toldState } from './list.ts'

/** What an order was begun from, told by the features that begin orders themselves. */
interface Origin {
  /**
   * Over `t`, an order: selects id and name of what is held by it, and whether something else tells of it
   * already (`told`).
   */
  of: (ctx: Ctx) => RawBuilder<unknown>
  /** What can be held so, as a source of holdings selects it. */
  packages?: (ctx: Ctx) => RawBuilder<unknown>
}

const origins: Origin[] = []

/** Called by features that begin orders. */
export const registerOrigin = (origin: Origin): void => void origins.push(origin)

/** The item of the first line of its prices; an order that was written by hand is known by it. */
const itemOf = sql`select i.id, i.name, i.created_at, i.updated_at from standing_versions v
  join items i on i.company_id = v.company_id and i.id = (v.lines->0->>'itemId')::uuid
  where v.company_id = t.company_id and v.order_id = t.id order by v.no desc limit 1`

/** So many days before its end a plan is ending. */
const nearDays = 30

registerHoldings({
  rule: standingOrders.allow.see,
  packages: (ctx) =>
    sql.join(
      [
        ...origins.flatMap(({ packages }) => packages?.(ctx) ?? []),
        sql`select distinct t.company_id, i.id, i.created_at, i.updated_at, i.name, 'item'
          from standing_orders t cross join lateral (${itemOf}) i where t.company_id = ${ctx.companyId}`,
      ].map((one) => sql`(${one})`),
      sql` union all `,
    ),
  held: (ctx) => {
    const state = sql`case when o.told_as in ('failing', 'needsCard', 'held') then 'waiting'
      when o.told_as in ('trial', 'active') then case when o.start_day > ${ctx.today}::date then 'ahead'
      when o.end_day <= ${ctx.today}::date + ${nearDays}::int then 'ending' else 'active' end
      else o.told_as end`
    return sql`select o.company_id, o.id, o.created_at, o.updated_at, 'plan', o.package_id, o.package_name,
        o.customer_id, o.start_day, coalesce(o.ended_on, o.end_day),
        case when o.is_over then null when o.charges_left is not null then o.charges_left
        when o.end_day is not null then greatest(o.end_day - ${ctx.today}::date + 1, 0) end,
        case when o.is_over then null when o.charges_left is not null then 'charges'
        when o.end_day is not null then 'days' end,
        ${state}, case when o.is_over then case when not o.followed then 'anew' end
        when o.end_day is null then 'itself' when o.end_by <> '' then 'anew' else 'prolong' end,
        '/invoice/retainers/' || o.id
      from (select t.company_id, t.id, t.created_at, t.updated_at, coalesce(g.id, i.id) as package_id,
        coalesce(g.name, i.name, t.title) as package_name, t.customer_id, t.start_day,
          t.ended_on, t.end_by, ${endOfPlan} - 1 as end_day, ${chargesLeft} as charges_left,
          ${toldState} as told_as, t.state in ('ended', 'cancelled') as is_over,
          exists (select 1 from standing_orders n where n.company_id = t.company_id
          and n.customer_id = t.customer_id and n.title = t.title and n.number > t.number
          and n.state <> 'draft') as followed
        from standing_orders t
        left join lateral (${
          origins.length
            ? sql`select * from (${sql.join(
                origins.map(({ of }) => sql`(${of(ctx)})`),
                sql` union all `,
              )}) x limit 1`
            : sql`select null::uuid as id, null::text as name, false as told`
        }) g on true
        left join lateral (${itemOf}) i on g.id is null
        where t.company_id = ${ctx.companyId} and t.state <> 'draft' and not coalesce(g.told, false)) o`
  },
})
