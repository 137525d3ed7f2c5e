import { sql } from 'kysely'
import { addDays, addMonths, momentAt, startOfMonth, weekday } from '#domain/day.ts'
import { newId, type Ctx } from '#kit/server/context.ts'

/**
 * Two months of hours of somebody in a demo business: working days from eight, a long one now and then, a day
 * of vacation, and a request that waits.
 */
export async function showHours(
  ctx: Ctx,
  { personId, projectId }: { personId: string; projectId?: string | undefined },
): Promise<void> {
  const from = addMonths(startOfMonth(ctx.today), -1)
  await sql`insert into work_terms (company_id, person_id, from_day, days, short_day, rest_day, overtime,
      hour_agorot) values (${ctx.companyId}, ${personId}, ${from}, 5, 4, 6, true, 6200)
    on conflict do nothing`.execute(ctx.tx)
  const away = addDays(from, 11)
  let last = ''
  for (let day = from; day < ctx.today; day = addDays(day, 1)) {
    if (weekday(day) > 4 || day === away) continue
    const start = momentAt(day, 8).getTime() + (Number(day.slice(8)) % 7) * 60_000
    const end = start + (8 * 60 + 20 + (Number(day.slice(8)) % 5 === 0 ? 150 : 0)) * 60_000
    last = newId()
    await sql`insert into clockings (company_id, id, person_id, started_at, ended_at, project_id)
      values (${ctx.companyId}, ${last}, ${personId}, ${new Date(start).toISOString()},
        ${new Date(end).toISOString()}, ${projectId ?? null})`.execute(ctx.tx)
  }
  await sql`insert into absences (company_id, id, person_id, kind, from_day, to_day)
    values (${ctx.companyId}, ${newId()}, ${personId}, 'vacation', ${away}, ${away})`.execute(ctx.tx)
  if (last)
    await sql`insert into time_requests (company_id, id, person_id, kind, clocking_id, started_at, ended_at,
        reason)
      select ${ctx.companyId}, ${newId()}, ${personId}, 'change', id, started_at,
        ended_at + interval '25 minutes', 'נשארתי לסגור את המחסן' from clockings
        where company_id = ${ctx.companyId} and id = ${last}`.execute(ctx.tx)
}
