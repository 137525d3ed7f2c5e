import { addDays, addMonths, startOfMonth, type Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'

/** The next day of the month on which it is sent; today's is tomorrow's month. */
export function nextSend(today: Day, sendDay: number): Day {
  const of = (month: Day) => addDays(startOfMonth(month), sendDay - 1)
  return of(today) > today ? of(today) : of(addMonths(today, 1))
}

/** Puts the next package into the queue, for the morning of its day. */
export async function plan(ctx: Ctx, id: string, { plan: count, sendDay }: { plan: number; sendDay: number }): Promise<void> {
  const day = nextSend(ctx.today, sendDay)
  const month = startOfMonth(addMonths(day, -1))
  // Seven or eight in the morning in Israel, whichever clock is on.
  await ctx.later('accountant.package', { id, plan: count, month }, new Date(`${day}T05:00:00Z`))
}
