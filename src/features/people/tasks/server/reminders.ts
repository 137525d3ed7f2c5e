import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { makeNext } from './deeds.ts'

interface Due {
  company_id: string
  id: string
  title: string
  owner_id: string | null
  due_day: string
  due_time: string | null
}

/** Rings for what is due to be rung for. Claimed and rung in one transaction: each once, whichever process is first. */
export async function remind(app: App): Promise<number> {
  const now = app.now().toISOString()
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<Due>`update tasks set reminded_at = ${now}, version = version - 1
        where (company_id, id) in (select company_id, id from tasks
        where reminded_at is null and done_at is null and archived_at is null and remind_at <= ${now}
        order by remind_at limit 200 for update skip locked)
      returning company_id, id, title, owner_id, due_day, due_time`.execute(tx)
    for (const one of rows)
      await ring(
        { tx, companyId: one.company_id },
        'task.reminder',
        { entity: 'tasks', id: one.id },
        { title: one.title, day: one.due_day, time: one.due_time ?? '' },
        [one.owner_id],
      )
    return rows.length
  })
}

const first = '00000000-0000-0000-0000-000000000000'

/** Makes the next of what comes back by the calendar whether the last was done or not: of all series, a part at a time; one that breaks stops no other. */
export async function bringBack(app: App, atOnce = 200): Promise<number> {
  const today = dayInJerusalem(app.now())
  const isNewest = sql`not exists (select 1 from tasks n where n.company_id = t.company_id
      and n.series_id = t.series_id and n.series_day > t.series_day)`
  let made = 0
  for (let after: string | undefined = first; after;) {
    const { rows }: { rows: { company_id: string; id: string }[] } = await sql<{
      company_id: string
      id: string
    }>`select t.company_id, t.id from tasks t
      where t.repeat is not null and t.repeat_when = 'day' and t.archived_at is null
        and t.due_day < ${today}::date and ${isNewest} and t.id > ${after}
      order by t.id limit ${atOnce}`.execute(app.db.kysely)
    for (const { company_id: companyId, id } of rows)
      await asCaller(app, systemCaller(companyId), '', async (ctx) => {
        const found = await sql<
          Parameters<typeof makeNext>[1]
        >`select * from tasks t where t.company_id = ${companyId} and t.id = ${id} and ${isNewest} for
          update of t`.execute(ctx.tx)
        if (found.rows[0] && (await makeNext(ctx, found.rows[0]))) made++
      }).catch((e: Error) =>
        app.log.warn({ err: e.message, task: id }, 'the next of a series could not be made'),
      )
    after = rows.length === atOnce ? rows.at(-1)!.id : undefined
  }
  return made
}
