import ical, { ICalCalendarMethod } from 'ical-generator'
import { sql } from 'kysely'
import { siteOf } from '#kit/server/outside/brands.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { asCaller, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { rowOfKey } from '#kit/server/http/pageKeys.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { memberCaller } from '#features/base/session/server/index.ts'
import { seen } from './sight.ts'

export async function feedState(ctx: Ctx): Promise<{ since: string | null; withNames: boolean }> {
  const { rows } = await sql<{
    since: string
    withNames: boolean
  }>`select created_at as since, with_names as "withNames" from task_feeds
    where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  return rows[0] ?? { since: null, withNames: false }
}

/** A new address each time: the one before ends, so a lost one is ended by making another. */
export async function makeFeed(ctx: Ctx, { withNames }: { withNames: boolean }): Promise<{ url: string }> {
  const key = newToken()
  await sql`insert into task_feeds (company_id, user_id, key_hash, with_names)
    values (${ctx.companyId}, ${ctx.caller.userId}, ${hashToken(key)}, ${withNames})
    on conflict (company_id, user_id) do update set key_hash = excluded.key_hash,
      with_names = excluded.with_names, created_at = now()`.execute(ctx.tx)
  await ctx.audit('tasks.feed', 'tasks', null, undefined, { withNames })
  return { url: `${siteOf(ctx.app)}/api2/invoice/tasksfeed/${key}` }
}

export async function endFeed(ctx: Ctx): Promise<{ done: true }> {
  await sql`delete from task_feeds where company_id = ${ctx.companyId}
      and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  await ctx.audit('tasks.feedEnd', 'tasks', null)
  return { done: true }
}

interface Dated {
  id: string
  title: string
  customer: string | null
  dueDay: string
  at: string | null
  version: number
  updatedAt: string
  minutes: number | null
}

/**
 * The open tasks of the person who made the address, as that person may see them today. A whole day, or half an hour; a changed one comes again with a
 * larger SEQUENCE.
 */
export async function feedFile(ctx: OpenCtx, { key }: { key: string }) {
  const row = await rowOfKey(
    ctx,
    sql<{
      company_id: string
      user_id: string
      with_names: boolean
    }>`select f.company_id, f.user_id, f.with_names from task_feeds f
      where f.key_hash = ${hashToken(key)}`,
  )
  const caller = await memberCaller(ctx.tx, row.company_id, row.user_id)
  if (!caller || !can(caller, 'tasks.see')) throw fail('kit.notFound')
  return asCaller(ctx.app, caller, ctx.address, async (inside) => {
    const { rows } = await sql<Dated>`select t.id, t.title, p.name as customer, t.due_day as "dueDay", case
          when t.due_time is not null
        then ((t.due_day + t.due_time::time) at time zone 'Asia/Jerusalem') end as at, t.version,
        t.updated_at as "updatedAt", t.remind_minutes as minutes
      from tasks t left join parties p on p.company_id = t.company_id and p.id = t.customer_id
      where t.company_id = ${row.company_id} and t.owner_id = ${row.user_id} and t.done_at is null
        and t.archived_at is null and t.due_day is not null
        and t.due_day > ${inside.today}::date - 60 and ${sql.join([sql`true`, ...seen(inside)], sql` and `)}
      order by t.due_day, t.id limit 1000`.execute(inside.tx)
    const calendar = ical({
      name: say(caller.language, 'tasks.feed.name'),
      method: ICalCalendarMethod.PUBLISH,
      prodId: { company: 'Pinkas', product: 'Tasks' },
      ttl: 3600,
    })
    for (const one of rows) {
      // A task that the product made says the customer in its title; the person who wants no names gets none by that
      // way either.
      const start = one.at ? new Date(one.at) : new Date(`${one.dueDay}T00:00:00Z`)
      calendar.createEvent({
        id: `${one.id}@pinkas`,
        sequence: one.version,
        stamp: new Date(one.updatedAt),
        start,
        end: new Date(start.getTime() + (one.at ? 1_800_000 : 86_400_000)),
        allDay: one.at === null,
        summary:
          row.with_names && one.customer && !one.title.includes(one.customer)
            ? `${one.title} · ${one.customer}`
            : !row.with_names && one.customer
              ? one.title.replaceAll(one.customer, '…')
              : one.title,
      })
    }
    return {
      bytes: Buffer.from(calendar.toString()),
      mime: 'text/calendar; charset=utf-8',
      name: 'tasks.ics',
      inline: true,
    }
  })
}
