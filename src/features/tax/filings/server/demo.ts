import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'

/** A made-up business pays advances like any other. */
export const showFilings = (ctx: Ctx): Promise<unknown> =>
  sql`insert into advance_rates (company_id, id, from_day, rate_bp) select id, ${newId()}, '2000-01-01', 450
    from companies
    where id = ${ctx.companyId} and demo on conflict do nothing`.execute(ctx.tx)
