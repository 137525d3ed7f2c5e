import { sql } from 'kysely'
import { momentInJerusalem, weekday, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { holidayOn } from '#domain/hours/holidays.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { letterLink, callerOfPerson } from '#features/base/session/server/index.ts'
import { mayHear, ring, wayOf } from '#features/people/bell/server/index.ts'
import { leads } from '../leads.ts'
import { stale } from './served.ts'

/** The kind by which people choose whether they are notified. */
export const morningKind = 'lead.morning'

const from = '07:00'
const until = '12:00'
/** So many are named in the letter; of the others it says how many. */
const mostNamed = 20

/** The leads that wait for a person, over `t`: their own, and for owners also the unassigned ones. */
const waitsFor = (userId: ReturnType<typeof sql>, isOwner: ReturnType<typeof sql>) =>
  sql`t.archived_at is null and (t.owner_id = ${userId} or t.owner_id is null and ${isOwner}) and ${stale}`

const mornings = dueRows<Day>({
  name: 'leads.morning',
  given: (app) => momentInJerusalem(app.now()).day,
  due: (_app, day) => sql`select m.company_id, m.user_id::text as key, ${day}::timestamptz as at
    from memberships m
    where m.removed_at is null and m.blocked_at is null
      and m.company_id in (select w.company_id from leads w
      where w.outcome = 'open' and w.archived_at is null)
      and exists (select 1 from leads t where t.company_id = m.company_id
      and ${waitsFor(sql`m.user_id`, sql`m.type_id = 4`)})
      and not exists (select 1 from lead_mornings d where d.company_id = m.company_id
      and d.user_id = m.user_id
      and d.told_on >= ${day}::date)`,
  serve: async (ctx, userId, day) => {
    const { rows } = await sql`insert into lead_mornings as d (company_id, user_id, told_on)
      values (${ctx.companyId}, ${userId}, ${day})
      on conflict (company_id, user_id) do update set told_on = excluded.told_on
      where d.told_on < excluded.told_on returning 1`.execute(ctx.tx)
    if (rows.length) await ctx.later('leads.morning', { userId })
    return rows.length
  },
})

/**
 * On the morning of each working day, people with waiting leads are notified of all of them at once. Answers how
 * many people.
 */
export async function tellMorning(app: App, isOver?: () => boolean): Promise<number> {
  const { day, time } = momentInJerusalem(app.now())
  if (time < from || time >= until || weekday(day) === 6 || holidayOn(day)) return 0
  return serveDue(app, mornings, { given: day, isOver })
}

/**
 * The email to one person and the notification; nothing where the person wants none, may not see leads any more, or
 * has handled them all meanwhile.
 */
export const morningLetter: Job = async (ctx, { userId: given }) => {
  const userId = String(given)
  const person = await callerOfPerson(ctx.app, ctx.companyId, userId)
  if (!person || !mayHear(person, morningKind)) return
  const way = await wayOf(ctx, userId, morningKind)
  if (way === 'none') return
  const { rows, of } = await waiting(ctx, userId, person.typeId === 4)
  if (of === 0) return
  await ring(ctx, morningKind, { entity: 'leads', id: rows[0]!.id }, { count: of }, [userId])
  if (way !== 'mail') return
  const { language } = person
  const business = (await companyOf(ctx)).name
  const path = `${leads.screens.list}?show=list&view=stale&isStale=true`
  const link =
    (await letterLink(ctx.app, { userId, companyId: ctx.companyId, path })) ?? `${siteOf(ctx.app)}${path}`
  const lines = rows.map((one) =>
    [
      `• ${one.name}`,
      one.company,
      one.stage,
      say(language, 'leads.morning.since', { day: formatDay(one.since) }),
      one.nextDay &&
        say(language, 'leads.morning.planned', { what: one.nextText || '–', day: formatDay(one.nextDay) }),
      !one.isHis && say(language, 'leads.morning.nobody'),
    ]
      .filter(Boolean)
      .join(' · '),
  )
  if (of > rows.length) lines.push(say(language, 'leads.morning.more', { count: of - rows.length }))
  const sentence = say(language, `bell.kinds.${morningKind}`, { count: of })
  const { rows: addresses } = await sql<{
    email: string
  }>`select email from users where id = ${userId}`.execute(ctx.app.db.kysely)
  mailAfterCommit(ctx, {
    to: addresses[0]!.email,
    subject: `${business}: ${sentence}`.slice(0, 200),
    text: say(language, 'leads.morning.mail', { sentence, lines: lines.join('\n'), link, business }),
  })
}

interface Waiting {
  id: string
  name: string
  company: string | null
  stage: string
  since: Day
  nextDay: Day | null
  nextText: string | null
  isHis: boolean
}

async function waiting(ctx: Ctx, userId: string, isOwner: boolean): Promise<{ rows: Waiting[]; of: number }> {
  const { rows } = await sql<
    Waiting & { of: number }
  >`select t.id, t.name, t.company, s.name as stage, (t.stage_at at time zone 'Asia/Jerusalem')::date as
      since,
      t.next_day as "nextDay", t.next_text as "nextText", t.owner_id is not null as "isHis",
      count(*) over ()::int as of
    from leads t join lead_stages s on s.company_id = t.company_id and s.id = t.stage_id
    where t.company_id = ${ctx.companyId} and ${waitsFor(sql`${userId}`, sql`${isOwner}`)}
    order by t.stage_at, t.id limit ${mostNamed}`.execute(ctx.tx)
  return { rows, of: rows[0]?.of ?? 0 }
}
