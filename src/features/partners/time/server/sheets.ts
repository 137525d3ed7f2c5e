import { sql } from 'kysely'
import { addDays, daysBetween, endOfMonth, momentAt, startOfMonth, type Day } from '#domain/day.ts'
import {
  hoursOf,
  isMinorOn,
  paidHundredths,
  sumRates,
  termsOn,
  usualTerms,
  type WorkedDay,
  type WorkTerms,
} from '#domain/hours/hours.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Clocking, Sheet, TimeRequest } from '../endpoints.ts'
import { clockingColumns, clockingTables } from './clock.ts'

export interface Agreed extends WorkTerms {
  hourAgorot: number | null
}

/** What was agreed with people of the business, by person, the oldest first. */
export async function allTerms(ctx: Ctx): Promise<Map<string, Agreed[]>> {
  const { rows } = await sql<
    Agreed & { personId: string }
  >`select person_id as "personId", from_day as "from", days, short_day as "shortDay", rest_day as "restDay",
    day_minutes as "dayMinutes", overtime, born, hour_agorot as "hourAgorot" from work_terms
    where company_id = ${ctx.companyId} order by person_id, from_day`.execute(ctx.tx)
  const by = new Map<string, Agreed[]>()
  for (const { personId, ...terms } of rows) by.set(personId, [...(by.get(personId) ?? []), terms])
  return by
}

/** The moments of the month's days in Jerusalem, the last one outside. */
export const momentsOf = (month: Day): { from: string; to: string } => ({
  from: momentAt(month, 0).toISOString(),
  to: momentAt(addDays(endOfMonth(month), 1), 0).toISOString(),
})

/**
 * The days of somebody's month. The week in which the month begins is read from its Sunday, for what was
 * worked in it before counts for the week's hours.
 */
export function daysOf(
  clockings: readonly { startedAt: string; endedAt: string | null }[],
  terms: readonly WorkTerms[],
  month: Day,
): WorkedDay[] {
  const stretches = clockings.flatMap(({ startedAt, endedAt }) =>
    endedAt ? [{ start: Date.parse(startedAt), end: Date.parse(endedAt) }] : [],
  )
  return hoursOf(stretches, terms).filter(({ day }) => day >= month && day <= endOfMonth(month))
}

export const clockingsOf = async (ctx: Ctx, personId: string, month: Day): Promise<Clocking[]> => {
  const { to } = momentsOf(month)
  const { rows } =
    await sql<Clocking>`select ${clockingColumns} from ${clockingTables} where c.company_id = ${ctx.companyId}
        and c.person_id = ${personId}
    and c.archived_at is null and c.started_at >= ${momentAt(addDays(month, -6), 0).toISOString()}
    and c.started_at < ${to} order by c.started_at`.execute(ctx.tx)
  return rows
}

/**
 * Wage of the hours, by the hour's wage of each day; nothing unless every day has one. Half an agora goes up,
 * once, at the end.
 */
export function wageOf(days: readonly WorkedDay[], terms: readonly Agreed[]): number | null {
  let hundredths = 0n
  for (const one of days) {
    const agreed = termsOn(terms, one.day) as Agreed | undefined
    // Of what a minor may not work there is no wage by this table.
    if (!agreed || agreed.hourAgorot === null || one.above) return null
    hundredths += BigInt(paidHundredths(one.byRate)) * BigInt(agreed.hourAgorot)
  }
  return Number((hundredths + 3000n) / 6000n)
}

/** For a minor in a month: minutes above what the law allows in it; null for everybody else. */
const minorAboveOf = (days: readonly WorkedDay[], terms: readonly WorkTerms[], month: Day): number | null =>
  isMinorOn(termsOn(terms, endOfMonth(month)) ?? usualTerms, month)
    ? days.reduce((sum, { above = 0 }) => sum + above, 0)
    : null

export const requestRows = async (ctx: Ctx, where: ReturnType<typeof sql>): Promise<TimeRequest[]> =>
  (
    await sql<TimeRequest>`select r.id, r.person_id as "personId", u.full_name as person, r.kind,
        r.clocking_id as "clockingId", r.started_at as "startedAt", r.ended_at as "endedAt",
      c.started_at as "beforeStartedAt", c.ended_at as "beforeEndedAt", r.reason, r.state, r.answer,
      r.created_at as "createdAt"
    from time_requests r join users u on u.id = r.person_id left
    join clockings c on c.company_id = r.company_id and c.id = r.clocking_id
    where r.company_id = ${ctx.companyId} and ${where} order by r.created_at desc, r.id desc
    limit 200`.execute(ctx.tx)
  ).rows

/** Whether the caller sees what others earn. */
export const seesPay = ({ caller }: Ctx): boolean => can(caller, 'time.pay') && !caller.hideTotalPrices

/** Whose sheet: one's own, or another's for the person who sees the team. */
export async function personOf(ctx: Ctx, asked: string | undefined): Promise<{ id: string; name: string }> {
  const id = asked ?? ctx.caller.userId
  if (id !== ctx.caller.userId && !can(ctx.caller, 'time.team')) throw forbidden({ rule: 'time.team' })
  const { rows } = await sql<{
    name: string
  }>`select u.full_name as name from memberships m join users u on u.id = m.user_id
    where m.company_id = ${ctx.companyId} and m.user_id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { id, name: rows[0].name }
}

export async function sheetOf(
  ctx: Ctx,
  { month: name, personId }: { month: string; personId?: string | undefined },
): Promise<Sheet> {
  const person = await personOf(ctx, personId)
  const month = `${name}-01`
  const { from, to } = momentsOf(month)
  const terms = (await allTerms(ctx)).get(person.id) ?? []
  const clockings = await clockingsOf(ctx, person.id, month)
  const days = daysOf(clockings, terms, month)
  const { rows: signed } = await sql<{
    workerAt: string | null
    approvedAt: string | null
    approvedBy: string | null
  }>`select s.worker_at as "workerAt", s.approved_at as "approvedAt", u.full_name as "approvedBy"
    from time_sheets s left join users u on u.id = s.approved_by
    where s.company_id = ${ctx.companyId} and s.person_id = ${person.id} and s.month = ${month}`.execute(
    ctx.tx,
  )
  const { rows: absences } = await sql<
    Sheet['absences'][number]
  >`select id, kind, from_day as "from", to_day as "to", note from absences
    where company_id = ${ctx.companyId} and person_id = ${person.id} and archived_at is null
      and from_day <= ${endOfMonth(month)} and to_day >= ${month} order by from_day`.execute(ctx.tx)
  return {
    personId: person.id,
    person: person.name,
    month: name,
    days: days.map(({ holiday, byRate, ...day }) => ({
      ...day,
      byRate: { ...byRate },
      holiday: holiday ?? null,
    })),
    clockings: clockings.filter(({ startedAt }) => startedAt >= from && startedAt < to),
    absences,
    requests: await requestRows(
      ctx,
      sql`r.person_id = ${person.id} and (r.state = 'asked' or r.created_at >= ${from})`,
    ),
    minutes: days.reduce((all, day) => all + day.minutes, 0),
    byRate: { ...sumRates(days) },
    minorAbove: minorAboveOf(days, terms, month),
    workerAt: signed[0]?.workerAt ?? null,
    approvedAt: signed[0]?.approvedAt ?? null,
    approvedBy: signed[0]?.approvedBy ?? null,
    ...((person.id === ctx.caller.userId ? ctx.caller.hideTotalPrices : !seesPay(ctx))
      ? {}
      : { wageAgorot: wageOf(days, terms) }),
  }
}

const done = { done: true as const }

const refuseOpen = async (ctx: Ctx, personId: string, month: Day): Promise<void> => {
  const { from, to } = momentsOf(month)
  const { rows } =
    await sql`select 1 from clockings where company_id = ${ctx.companyId} and person_id = ${personId}
        and archived_at is null and ended_at is null
    and started_at >= ${from} and started_at < ${to}
    union all select 1 from time_requests where company_id = ${ctx.companyId} and person_id = ${personId}
      and state = 'asked'
      and coalesce(started_at,
      (select c.started_at from clockings c where c.company_id = time_requests.company_id
      and c.id = clocking_id)) >= ${from}
      and coalesce(started_at,
      (select c.started_at from clockings c where c.company_id = time_requests.company_id
      and c.id = clocking_id)) < ${to} limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('time.stillOpen')
}

const figuresOf = ({ minutes, byRate, days }: Sheet) => ({
  minutes,
  byRate,
  days: days.map(({ day, minutes: of, rule }) => ({ day, minutes: of, rule })),
})

export async function signSheet(ctx: Ctx, { month: name }: { month: string }) {
  const month = `${name}-01`
  if (endOfMonth(month) >= ctx.today) throw fail('time.monthRuns')
  await refuseOpen(ctx, ctx.caller.userId, month)
  const sheet = await sheetOf(ctx, { month: name })
  if (sheet.workerAt) throw fail('time.signed')
  await sql`insert into time_sheets (company_id, person_id, month, figures, worker_at)
    values (${ctx.companyId}, ${ctx.caller.userId}, ${month}, ${JSON.stringify(figuresOf(sheet))}, now())
    on conflict (company_id, person_id, month) do update set figures = excluded.figures, worker_at = now(),
      updated_at = now()`.execute(ctx.tx)
  await ctx.audit('time.sign', 'timeSheets', null, undefined, { month: name, minutes: sheet.minutes })
  return done
}

/**
 * The employer signs after the worker; then nothing of the month changes underneath until it is opened again,
 * which takes both signatures away.
 */
export async function approveSheet(
  ctx: Ctx,
  { month: name, personId, as }: { month: string; personId: string; as: 'approved' | 'open' },
) {
  const month = `${name}-01`
  const sheet = await sheetOf(ctx, { month: name, personId })
  if (as === 'open') {
    await sql`update time_sheets set approved_at = null, approved_by = null, worker_at = null,
        updated_at = now()
      where company_id = ${ctx.companyId} and person_id = ${personId} and month = ${month}`.execute(ctx.tx)
    await ctx.audit('time.open', 'timeSheets', null, undefined, { month: name, person: sheet.person })
    return done
  }
  if (!sheet.workerAt) throw fail('time.notSigned')
  await refuseOpen(ctx, personId, month)
  // What the worker signed equals what is there now, or the signature is needed again.
  const { rows } = await sql<{
    same: boolean
  }>`select figures = ${JSON.stringify(figuresOf(sheet))}::jsonb as same from time_sheets
    where company_id = ${ctx.companyId} and person_id = ${personId} and month = ${month} for update`.execute(
    ctx.tx,
  )
  if (!rows[0]?.same) throw fail('time.notSigned')
  await sql`update time_sheets set approved_at = now(), approved_by = ${ctx.caller.userId}, updated_at = now()
    where company_id = ${ctx.companyId} and person_id = ${personId} and month = ${month}`.execute(ctx.tx)
  await ctx.audit('time.approve', 'timeSheets', null, undefined, {
    month: name,
    person: sheet.person,
    minutes: sheet.minutes,
  })
  return done
}

/** Days of an absence within a month. */
export const absentIn = ({ from, to }: { from: Day; to: Day }, month: Day): number =>
  daysBetween(from > month ? from : month, to < endOfMonth(month) ? to : endOfMonth(month)) + 1

export async function teamOf(ctx: Ctx, { month: asked }: { month?: string | undefined }) {
  const month = asked ? `${asked}-01` : startOfMonth(ctx.today)
  const terms = await allTerms(ctx)
  const pay = seesPay(ctx)
  const { to } = momentsOf(month)
  const { rows: all } = await sql<{
    personId: string
    startedAt: string
    endedAt: string | null
  }>`select person_id as "personId", started_at as "startedAt", ended_at as "endedAt" from clockings
    where company_id = ${ctx.companyId} and archived_at is null
    and started_at >= ${momentAt(addDays(month, -6), 0).toISOString()} and started_at < ${to}
    order by started_at`.execute(ctx.tx)
  const { rows: away } = await sql<{
    personId: string
    from: Day
    to: Day
  }>`select person_id as "personId", from_day as "from", to_day as "to" from absences
    where company_id = ${ctx.companyId} and archived_at is null and from_day <= ${endOfMonth(month)}
      and to_day >= ${month}`.execute(ctx.tx)
  const { rows: sheets } = await sql<{
    personId: string
    workerAt: string | null
    approvedAt: string | null
  }>`select person_id as "personId", worker_at as "workerAt", approved_at as "approvedAt" from time_sheets
    where company_id = ${ctx.companyId} and month = ${month}`.execute(ctx.tx)
  const { rows: people } = await sql<{
    personId: string
    person: string
    email: string
    since: string | null
  }>`select m.user_id as "personId", u.full_name as person, case when ${can(ctx.caller, 'time.settings')} then
      u.email else '' end as email,
      (select c.started_at from clockings c where c.company_id = m.company_id and c.person_id = m.user_id
      and c.ended_at is null and c.archived_at is null) as since
    from memberships m join users u on u.id = m.user_id where m.company_id = ${ctx.companyId}
      and m.type_id in (4, 8, 9) and
      (m.removed_at is null
      or exists (select 1 from clockings c where c.company_id = m.company_id and c.person_id = m.user_id
      and c.started_at >= ${momentAt(month, 0).toISOString()} and c.started_at < ${to}))
    order by u.full_name, u.id`.execute(ctx.tx)
  const { rows: settings } = await sql<{
    asks: boolean
  }>`select asks_place as asks from time_settings where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return {
    month: month.slice(0, 7),
    asksPlace: settings[0]?.asks ?? false,
    rows: people.map((person) => {
      const own = terms.get(person.personId) ?? []
      const days = daysOf(
        all.filter(({ personId }) => personId === person.personId),
        own,
        month,
      )
      const sheet = sheets.find(({ personId }) => personId === person.personId)
      const last = own.findLast(({ from }) => from <= endOfMonth(month)) ?? own[0] ?? null
      return {
        ...person,
        minutes: days.reduce((sum, day) => sum + day.minutes, 0),
        byRate: { ...sumRates(days) },
        absentDays: away
          .filter(({ personId }) => personId === person.personId)
          .reduce((sum, one) => sum + absentIn(one, month), 0),
        workerAt: sheet?.workerAt ?? null,
        approvedAt: sheet?.approvedAt ?? null,
        terms: last && {
          ...last,
          hourAgorot: pay ? last.hourAgorot : null,
          days: Number(last.days),
          born: can(ctx.caller, 'time.settings') ? (last.born ?? null) : null,
        },
        wageAgorot: pay && days.length ? wageOf(days, own) : null,
      }
    }),
    requests: await requestRows(ctx, sql`r.state = 'asked'`),
  }
}
