import { sql } from 'kysely'
import { addDays, yearOf } from '#domain/day.ts'
import { newId, type Ctx } from '#kit/server/context.ts'

/** A made-up business pays advances like any other; one that is an exempt dealer is a small business, too. */
export async function showFilings(ctx: Ctx): Promise<void> {
  await sql`insert into advance_rates (company_id, id, from_day, rate_bp) select id, ${newId()}, '2000-01-01',
      450
    from companies
    where id = ${ctx.companyId} and demo on conflict do nothing`.execute(ctx.tx)
  await sql`insert into small_elections (company_id, from_year, takes)
    select id, ${yearOf(ctx.today) - 1}, true from companies
    where id = ${ctx.companyId} and demo and kind = 'exemptDealer' on conflict do nothing`.execute(ctx.tx)
  // Two weeks of reserve duty.
  await sql`insert into small_payments (company_id, id, day, kind, amount_agorot)
    select id, ${newId()}, ${addDays(ctx.today, -40)}, 'reserve', 342600 from companies
    where id = ${ctx.companyId} and demo and kind = 'exemptDealer'`.execute(ctx.tx)
}
