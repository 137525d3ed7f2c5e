import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { App } from '#kit/server/context.ts'
import { eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerPasses } from '#features/money/standingOrders/server/index.ts'
import * as calls from '../endpoints.ts'
import { passKinds } from '../passes.ts'
import '../rules.ts'
import './events.ts'
import './holdings.ts'
import { end, expire, fix, freeze, sell, unfreeze, warn } from './actions.ts'
import { endsSoon, lastDay, mayUse, onePass, passesWhere, renewalsWhere } from './read.ts'
import { renew } from './renew.ts'
import { subscribed } from './subscribed.ts'

export { showRenewals } from './demo.ts'
export { draftOf, expire, move as movePass, sell as sellPass, warn } from './actions.ts'
export { writeTo } from './tell.ts'
export {
  lastDay,
  mayUse,
  onePass,
  passesWhere,
  passFor,
  renewalsWhere,
  usable,
  waitsForCard,
} from './read.ts'

registerPasses({ rule: 'passes.see', find: subscribed })

databaseFailures.PK301 = () => fail('passes.noneLeft')

// Passes of a merged customer are the one's who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update passes set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any (${[...gone]}::uuid[])`.execute(ctx.tx)
  await sql`update pass_renewals set customer_id = case when customer_id = any (${[...gone]}::uuid[]) then
      ${keepId} else customer_id end,
      people = (select
      coalesce(array_agg(distinct case when one = any (${[...gone]}::uuid[]) then ${keepId}::uuid
      else one end), '{}') from unnest(people) one)
    where company_id = ${ctx.companyId}
      and (customer_id = any (${[...gone]}::uuid[]) or people && ${[...gone]}::uuid[])`.execute(ctx.tx)
  await sql`insert into pass_people (company_id, pass_id, customer_id)
    select company_id, pass_id, ${keepId}::uuid from pass_people
    where company_id = ${ctx.companyId} and customer_id = any (${[...gone]}::uuid[])
    on conflict do nothing`.execute(ctx.tx)
  await sql`delete from pass_people where company_id = ${ctx.companyId}
      and customer_id = any (${[...gone]}::uuid[])`.execute(ctx.tx)
})

export const implementations: Implementation[] = [
  implement(calls.listPasses, async (ctx, { customerId, state }) => {
    const conditions = [
      ...(customerId ? [mayUse(customerId)] : []),
      ...(state === 'ended' ? [sql`(p.ended_at is not null or ${lastDay} < ${ctx.today}::date)`] : []),
      ...(state === 'running' || state === 'ending'
        ? [sql`(p.ended_at is null and ${lastDay} >= ${ctx.today}::date)`]
        : []),
      ...(state === 'ending' ? [endsSoon(ctx.today)] : []),
    ]
    return {
      rows: await passesWhere(ctx, conditions.length ? sql.join(conditions, sql` and `) : sql`true`),
      renewals:
        state === 'ended'
          ? []
          : await renewalsWhere(
              ctx,
              customerId ? sql`(r.customer_id = ${customerId} or ${customerId} = any (r.people))` : sql`true`,
            ),
    }
  }),
  implement(calls.getPass, async (ctx, { id }) => {
    const row = await onePass(ctx, id)
    const { rows: moves } = await sql<{
      at: string
      visits: number
      why: string
      note: string
      by: string | null
      className: string | null
      classDay: string | null
    }>`select m.at, m.visits, m.why, m.note, u.full_name as by, coalesce(nullif(c.title, ''), k.name) as
        "className", c.day as "classDay"
      from pass_moves m left join users u on u.id = m.by_user left
      join class_bookings b on b.company_id = m.company_id and b.id = m.booking_id
      left join classes c on c.company_id = b.company_id and c.id = b.class_id left
      join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
      where m.company_id = ${ctx.companyId} and m.pass_id = ${id} order by m.at desc, m.id desc
      limit 500`.execute(ctx.tx)
    const { rows: freezes } = await sql<{
      id: string
      fromDay: string
      toDay: string
    }>`select id, from_day as "fromDay", to_day as "toDay" from pass_freezes
      where company_id = ${ctx.companyId} and pass_id = ${id} order by from_day`.execute(ctx.tx)
    return { row, moves, freezes }
  }),
  implement(calls.sellPass, sell),
  implement(calls.renewPass, renew),
  implement(calls.freezePass, freeze),
  implement(calls.unfreezePass, unfreeze),
  implement(calls.fixPass, fix),
  implement(calls.endPass, end),
  ...serveResource({
    resource: passKinds,
    refNames: {
      itemId: sql`(select i.name from items i where i.company_id = t.company_id and i.id = t.item_id)`,
    },
    compute: {
      sold: sql`(select count(*) from passes p where p.company_id = t.company_id and p.kind_id = t.id)::int`,
    },
    beforeSave: async (ctx, values) => {
      await checkRef(ctx, 'itemId', 'items', values.itemId)
      checkWithin('visits', values.visits, { min: 1, max: 1000 })
      checkWithin('days', values.days, { min: 1, max: 1100 })
      checkWithin('priceAgorot', values.priceAgorot, { min: 0, max: 100_000_000 })
      checkWithin('people', values.people, { min: 1, max: 20 })
      checkWithin('freezeDays', values.freezeDays, { min: 0, max: 365 })
      return values
    },
  }),
]

const hour = 3_600_000

export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, 'passes that end', hour, async (isOver) => {
      const { day, time } = momentInJerusalem(app.now())
      // Letters and short messages go out with it: nobody is woken by them.
      if (time < '09:00' || time >= '20:00') return
      await eachOf(
        () => expire(app, day, isOver),
        () => warn(app, day, isOver),
      )
    }),
  )

export const machines: Machines = {
  'timer index.ts': { completes: 'tells a customer that the pass they bought ends' },
}
