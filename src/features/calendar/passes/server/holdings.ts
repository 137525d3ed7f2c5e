import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import { registerHoldings } from '#features/registers/parties/server/index.ts'
import { registerOrigin } from '#features/money/standingOrders/server/index.ts'
import { lastDay, visitsLeft } from './read.ts'
import { comesAgain, stateOn } from './subscribed.ts'

const rule = 'passes.see'

// Passes beside the plans of customers. One that was followed by another of its kind needs no new one.
registerHoldings({
  rule,
  packages: (ctx) =>
    sql`select company_id, id, created_at, updated_at, name, 'pass' from pass_kinds
      where company_id = ${ctx.companyId}`,
  held: (
    ctx,
  ) => sql`select x.company_id, x.id, x.at, x.at, 'pass', x.kind_id, x.name, x.customer_id, x.from_day,
      x.to_day,
      case when x.state in ('ended', 'cancelled') then null when x.visits is not null then x.left_visits
      else x.to_day - greatest(x.from_day, ${ctx.today}::date) + 1 end,
      case when x.state in ('ended', 'cancelled') then null when x.visits is not null then 'visits'
      else 'days' end,
      case x.state when 'unpaid' then 'waiting' when 'frozen' then 'paused' else x.state end,
      case when x.again then 'itself' when x.state in ('unpaid', 'ahead') then null
      when not x.followed then 'anew' end,
      format('/invoice/invoiceCustomer/%s/passes', x.customer_id)
    from (select p.company_id, p.id, p.created_at as at, p.kind_id, k.name, p.customer_id, p.from_day,
      p.visits, case when p.visits is not null then ${visitsLeft} end as left_visits,
        case when p.end_reason = 'cancelled' then (p.ended_at at time zone 'Asia/Jerusalem')::date
        else ${lastDay}::date end as to_day,
        ${stateOn(ctx.today)} as state, ${comesAgain} as again,
        exists (select 1 from passes n where n.company_id = p.company_id and n.customer_id = p.customer_id
          and n.kind_id = p.kind_id and (n.from_day, n.created_at, n.id) > (p.from_day, p.created_at, p.id))
          as followed
      from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
      where p.company_id = ${ctx.companyId}) x`,
})

// An order that brings passes is shown by them: it is listed itself only while none of them runs, as when its first
// charge is not paid yet.
registerOrigin({
  of: (ctx) => sql`select r.kind_id as id, k.name, t.state in ('ended', 'cancelled') or ${
    can(ctx.caller, rule)
      ? sql`exists (select 1 from passes p where p.company_id = r.company_id and p.order_id = r.order_id
          and p.ended_at is null and ${lastDay} >= ${ctx.today}::date)`
      : sql`false`
  } as told
    from pass_renewals r join pass_kinds k on k.company_id = r.company_id and k.id = r.kind_id
    where r.company_id = t.company_id and r.order_id = t.id`,
})
