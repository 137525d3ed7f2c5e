import { sql } from 'kysely'
import { addDays, momentAt, weekday, type Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { hashOf, insert, keep } from './outside.ts'

/** Hours of days of the week, in each of the next weeks. */
function weekly(
  today: Day,
  weeks: number,
  at: readonly (readonly [day: number, from: number, to: number])[],
): [string, string][] {
  const spans: [string, string][] = []
  for (let n = 0; n < weeks * 7; n++) {
    const day = addDays(today, n)
    for (const [of, from, to] of at)
      if (weekday(day) === of)
        spans.push([momentAt(day, from).toISOString(), momentAt(day, to).toISOString()])
  }
  return spans
}

/** A trainer with an external calendar of busy hours, and a room with a separate calendar of rentals. */
export async function showOutside(
  ctx: Ctx,
  { trainerId, placeId }: { trainerId: string; placeId: string },
): Promise<void> {
  const own = await insert(
    ctx,
    { trainerId, placeId: null },
    {
      name: 'היומן הפרטי',
      way: 'address',
      url: 'https://calendar.example.com/michal/private.ics',
      hash: hashOf(`demo ${trainerId}`),
      host: 'calendar.example.com',
    },
  )
  await keep(ctx, own, {
    spans: weekly(ctx.today, 8, [
      [0, 14, 16],
      [1, 13, 15],
      [3, 10, 12],
      [5, 9, 13],
    ]),
    skipped: 0,
  })
  // There is nobody there to ask.
  await sql`update outside_calendars set next_at = null where company_id = ${ctx.companyId}
      and id = ${own}`.execute(ctx.tx)
  const hall = await insert(
    ctx,
    { trainerId: null, placeId },
    { name: 'השכרות האולם', way: 'file', hash: hashOf(`demo ${placeId}`), host: '' },
  )
  await keep(ctx, hall, {
    spans: weekly(ctx.today, 6, [
      [5, 12, 16],
      [6, 19, 22],
    ]),
    skipped: 0,
  })
}
