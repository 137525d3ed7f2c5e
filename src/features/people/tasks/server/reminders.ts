import { sql } from 'kysely'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { dueRows, serveDue, type Look } from '#kit/server/work/dueRows.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { makeNext } from './actions.ts'

const isToRemind = (now: Date) =>
  sql`t.reminded_at is null and t.done_at is null and t.archived_at is null and t.remind_at <= ${now}`

const reminders = dueRows({
  name: 'tasks.remind',
  due: (app) => sql`select t.company_id, t.id::text as key, t.remind_at as at from tasks t
    where ${isToRemind(app.now())}`,
  serve: async (ctx, id) => {
    const { rows } = await sql<{
      title: string
      owner_id: string | null
      due_day: string
      due_time: string | null
    }>`update tasks t set reminded_at = ${ctx.now}, version = version - 1
      where t.company_id = ${ctx.companyId} and t.id = ${id} and ${isToRemind(ctx.now)}
      returning title, owner_id, due_day, due_time`.execute(ctx.tx)
    const [one] = rows
    if (!one) return 0
    await ring(
      ctx,
      'task.reminder',
      { entity: 'tasks', id },
      { title: one.title, day: one.due_day, time: one.due_time ?? '' },
      [one.owner_id],
    )
    return 1
  },
})

/** Rings for what is due to be rung for; each once, whichever process is first. */
export const remind = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, reminders, { isOver })

const isNewest = sql`not exists (select 1 from tasks n where n.company_id = t.company_id
    and n.series_id = t.series_id and n.series_day > t.series_day)`

const comingBack = dueRows<Day>({
  name: 'tasks.bringBack',
  given: (app) => dayInJerusalem(app.now()),
  due: (_app, today) => sql`select t.company_id, t.id::text as key, t.due_day::timestamptz as at from tasks t
    where t.repeat is not null and t.repeat_when = 'day' and t.archived_at is null
      and t.due_day < ${today}::date and ${isNewest}`,
  serve: async (ctx, id) => {
    const { rows } = await sql<
      Parameters<typeof makeNext>[1]
    >`select * from tasks t where t.company_id = ${ctx.companyId} and t.id = ${id} and ${isNewest} for
      update of t`.execute(ctx.tx)
    return rows[0] && (await makeNext(ctx, rows[0])) ? 1 : 0
  },
})

/** Makes the next of what comes back by the calendar whether the last was done or not. */
export const bringBack = (app: App, look: Look = {}): Promise<number> => serveDue(app, comingBack, look)
