import { sql } from 'kysely'
import { addDays, addMonths, startOfMonth, type Day } from '#domain/day.ts'
import { endApproval, ordered } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'

/** What the packages of an accountant are called where it is kept who ordered them. */
export const packageKind = 'accountantPackages'

/** Stores who orders the packages of an accountant: what is in them and when they go. */
export async function orderPackages(ctx: Ctx, id: string): Promise<void> {
  await ordered(ctx, packageKind, id)
  await endApproval(ctx, packageKind, id)
}

/** The next day of the month on which it is sent; today's is tomorrow's month. */
export function nextSend(today: Day, sendDay: number): Day {
  const of = (month: Day) => addDays(startOfMonth(month), sendDay - 1)
  return of(today) > today ? of(today) : of(addMonths(today, 1))
}

/** The morning on which the package of a month is sent: seven or eight in Israel, whichever clock is on. */
export const sentOn = (month: Day, sendDay: number): Date =>
  new Date(`${addDays(addMonths(month, 1), sendDay - 1)}T05:00:00Z`)

/** Writes down whose package is next, and has a job wake it on its morning. */
export async function planMonth(
  ctx: Ctx,
  id: string,
  month: Day,
  { plan: count, sendDay }: { plan: number; sendDay: number },
): Promise<void> {
  await sql`update accountants set next_month = ${month} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.later('accountant.package', { id, plan: count, month }, sentOn(month, sendDay))
}

/** Plans the first package after today. */
export const plan = (ctx: Ctx, id: string, of: { plan: number; sendDay: number }): Promise<void> =>
  planMonth(ctx, id, startOfMonth(addMonths(nextSend(ctx.today, of.sendDay), -1)), of)
