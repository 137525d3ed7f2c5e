import { sql } from 'kysely'
import { occurrences, type Series } from '#domain/calendar/series.ts'
import { addDays, dayInJerusalem, weekday } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { tellClass } from './listeners.ts'
import { conflictsOf, momentOf, type Placed } from './conflicts.ts'
import { oneClass } from './read.ts'

/** The classes of a series stand so far ahead. */
export const madeAhead = 90

interface Kind {
  id: string
  minutes: number
  seats: number
  price_agorot: number
  is_appointment: boolean
}

async function kindOf(ctx: Ctx, id: string): Promise<Kind> {
  const { rows } = await sql<Kind>`select id, minutes, seats, price_agorot, is_appointment from class_kinds
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw failField('kindId', 'fields.ref')
  return rows[0]
}

async function checkPlaced(
  ctx: Ctx,
  { trainerId, placeId }: { trainerId?: string | null | undefined; placeId?: string | null | undefined },
): Promise<void> {
  await checkRef(ctx, 'trainerId', 'class_trainers', trainerId, sql`archived_at is null`)
  await checkRef(ctx, 'placeId', 'class_places', placeId, sql`archived_at is null`)
}

/**
 * The person who arranges for one trainer or place waits for the person who does at the same moment: what is free is free
 * for one of them.
 */
export async function lockPlaced(
  ctx: Ctx,
  { trainerId, placeId }: { trainerId?: string | null | undefined; placeId?: string | null | undefined },
): Promise<void> {
  if (trainerId)
    await sql`select 1 from class_trainers where company_id = ${ctx.companyId}
        and id = ${trainerId} for no key update`.execute(ctx.tx)
  if (placeId)
    await sql`select 1 from class_places where company_id = ${ctx.companyId} and id = ${placeId} for no key
      update`.execute(ctx.tx)
}

async function refuseConflict(ctx: Ctx, placed: Placed, anyway: boolean): Promise<void> {
  await lockPlaced(ctx, placed)
  const hits = await conflictsOf(ctx, placed)
  if (hits.length && !anyway)
    throw fail('classes.conflict', { name: hits[0]!.name, conflicts: JSON.stringify(hits) })
}

export interface Given {
  kindId: string
  day: string
  at: string
  minutes?: number | undefined
  trainerId: string | null
  placeId: string | null
  groupId: string | null
  seats?: number | undefined
  priceAgorot?: number | undefined
  title: string
  notes: string
  repeat?:
    | {
        unit: 'day' | 'week' | 'month'
        every: number
        days: number[]
        untilDay: string | null
        times: number | null
      }
    | undefined
  anyway: boolean
}

export async function createClass(ctx: Ctx, given: Given) {
  const kind = await kindOf(ctx, given.kindId)
  await checkPlaced(ctx, given)
  await checkRef(ctx, 'groupId', 'class_groups', given.groupId, sql`archived_at is null`)
  const minutes = given.minutes ?? kind.minutes
  const seats = kind.is_appointment ? 1 : (given.seats ?? kind.seats)
  const price = given.priceAgorot ?? kind.price_agorot
  const one = {
    day: given.day,
    at: given.at,
    minutes,
    seats,
    kindId: kind.id,
    trainerId: given.trainerId,
    placeId: given.placeId,
  }
  if (!given.repeat) {
    await refuseConflict(ctx, one, given.anyway)
    const id = newId()
    await sql`insert into classes (company_id, id, kind_id, trainer_id, place_id, group_id, title, starts_at,
        ends_at, day, seats, price_agorot, notes, created_by)
      values (${ctx.companyId}, ${id}, ${kind.id}, ${given.trainerId}, ${given.placeId}, ${given.groupId},
        ${given.title}, ${momentOf(given.day, given.at)},
        ${momentOf(given.day, given.at)} + make_interval(mins => ${minutes}), ${given.day}, ${seats},
        ${price}, ${given.notes}, ${ctx.caller.userId})`.execute(ctx.tx)
    await ctx.audit('classes.create', 'classes', id, undefined, {
      kindId: kind.id,
      day: given.day,
      at: given.at,
    })
    await tellClass(ctx, 'made', id)
    return { row: await oneClass(ctx, id), made: 1, collide: 0 }
  }
  const { unit, every, days, untilDay, times } = given.repeat
  if (untilDay && untilDay < given.day) throw failField('repeat.untilDay', 'fields.dayOrder')
  // A week of chosen days begins on the first of them.
  let first = given.day
  if (unit === 'week' && days.length) while (!days.includes(weekday(first))) first = addDays(first, 1)
  if (untilDay && untilDay < first) throw fail('classes.noDays')
  const rule: Series = { unit, every, days, first, until: untilDay, count: times }
  const until = addDays(first > ctx.today ? first : ctx.today, madeAhead)
  const wanted = occurrences(rule, first, until)
  if (!wanted.length) throw fail('classes.noDays')
  await lockPlaced(ctx, given)
  const collide: string[] = []
  for (const day of wanted) {
    const hits = await conflictsOf(ctx, { ...one, day })
    if (hits.length) collide.push(JSON.stringify(hits))
  }
  if (collide.length && !given.anyway)
    throw fail('classes.conflict', {
      name: String((JSON.parse(collide[0]!) as { name: string }[])[0]!.name),
      conflicts: collide[0]!,
      count: collide.length,
    })
  const seriesId = newId()
  await sql`insert into class_series (company_id, id, kind_id, trainer_id, place_id, group_id, unit, every,
      days, first_day, until_day, times, at, minutes, seats, title, notes, price_agorot, made_until)
    values (${ctx.companyId}, ${seriesId}, ${kind.id}, ${given.trainerId}, ${given.placeId}, ${given.groupId},
      ${unit}, ${every}, ${days}::smallint[], ${first}, ${untilDay}, ${times},
      ${given.at}, ${minutes}, ${seats}, ${given.title}, ${given.notes}, ${price}, ${until})`.execute(ctx.tx)
  const ids = wanted.map(() => newId())
  await insertDays(ctx, {
    companyId: ctx.companyId,
    seriesId,
    days: wanted,
    ids,
    by: ctx.caller.userId,
  })
  await ctx.audit('classes.create', 'classes', ids[0]!, undefined, {
    kindId: kind.id,
    day: first,
    at: given.at,
    times: wanted.length,
  })
  for (const id of ids) await tellClass(ctx, 'made', id)
  return { row: await oneClass(ctx, ids[0]!), made: ids.length, collide: collide.length }
}

async function insertDays(
  { tx }: Ctx,
  of: {
    companyId: string
    seriesId: string
    days: string[]
    ids: string[]
    by: string | null
  },
): Promise<void> {
  await sql`insert into classes (company_id, id, kind_id, trainer_id, place_id, group_id, series_id,
      series_day, title, starts_at, ends_at, day, seats, price_agorot, notes, created_by)
    select s.company_id, d.id, s.kind_id, s.trainer_id, s.place_id, s.group_id, s.id, d.day, s.title,
      (d.day + s.at::time) at time zone 'Asia/Jerusalem',
      ((d.day + s.at::time) at time zone 'Asia/Jerusalem') + make_interval(mins => s.minutes), d.day, s.seats,
      s.price_agorot, s.notes, ${of.by}
    from class_series s cross join unnest(${of.days}::date[], ${of.ids}::uuid[]) as d (day, id)
    where s.company_id = ${of.companyId} and s.id = ${of.seriesId}
    on conflict (company_id, series_id, series_day) do nothing`.execute(tx)
}

interface Locked {
  id: string
  version: number
  state: string
  kind_id: string
  trainer_id: string | null
  place_id: string | null
  series_id: string | null
  series_day: string | null
  seats: number
  day: string
  at: string
  minutes: number
}

/** A class for a caller that changes it, from the version the caller saw. */
export async function lockedClass(ctx: Ctx, id: string, version?: number): Promise<Locked> {
  const { rows } =
    await sql<Locked>`select id, version, state, kind_id, trainer_id, place_id, series_id, series_day, seats,
        day,
      to_char(starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at,
      (extract(epoch from ends_at - starts_at) / 60)::int as minutes
    from classes where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (version !== undefined && rows[0].version !== version) throw fail('classes.moved')
  if (rows[0].state === 'cancelled') throw fail('classes.isCancelled')
  return rows[0]
}

export async function moveClass(
  ctx: Ctx,
  given: {
    id: string
    version: number
    day: string
    at: string
    minutes?: number | undefined
    trainerId?: string | null | undefined
    placeId?: string | null | undefined
    anyway: boolean
  },
) {
  const was = await lockedClass(ctx, given.id, given.version)
  const to = {
    day: given.day,
    at: given.at,
    minutes: given.minutes ?? was.minutes,
    trainerId: given.trainerId === undefined ? was.trainer_id : given.trainerId,
    placeId: given.placeId === undefined ? was.place_id : given.placeId,
  }
  await checkPlaced(ctx, to)
  await refuseConflict(ctx, { ...to, kindId: was.kind_id, except: was.id, seats: was.seats }, given.anyway)
  await sql`update classes set starts_at = ${momentOf(to.day, to.at)}, ends_at = ${momentOf(to.day, to.at)} +
      make_interval(mins => ${to.minutes}),
      trainer_id = ${to.trainerId}, place_id = ${to.placeId}, is_own = true, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${was.id}`.execute(ctx.tx)
  await ctx.audit('classes.move', 'classes', was.id, { day: was.day, at: was.at }, { day: to.day, at: to.at })
  if (to.day !== was.day || to.at !== was.at) await tellClass(ctx, 'moved', was.id)
  return oneClass(ctx, was.id)
}

export interface Changes {
  id: string
  version: number
  following: boolean
  at?: string | undefined
  minutes?: number | undefined
  trainerId?: string | null | undefined
  placeId?: string | null | undefined
  seats?: number | undefined
  priceAgorot?: number | undefined
  title?: string | undefined
  notes?: string | undefined
  anyway: boolean
}

/** The person who changes a series from a class on waits for the person who does, and for what makes its classes ahead. */
const lockSeries = (ctx: Ctx, classId: string) =>
  sql`select 1 from class_series where company_id = ${ctx.companyId}
      and id = (select series_id from classes where company_id = ${ctx.companyId} and id = ${classId}) for
      update`.execute(ctx.tx)

export async function changeClass(ctx: Ctx, { id, version, following, anyway, ...to }: Changes) {
  if (following) await lockSeries(ctx, id)
  const was = await lockedClass(ctx, id, version)
  await checkPlaced(ctx, to)
  const trainerId = to.trainerId === undefined ? was.trainer_id : to.trainerId
  const placeId = to.placeId === undefined ? was.place_id : to.placeId
  const [at, minutes] = [to.at ?? was.at, to.minutes ?? was.minutes]
  const moves =
    at !== was.at || minutes !== was.minutes || trainerId !== was.trainer_id || placeId !== was.place_id
  const whole = following && was.series_id !== null
  // What was changed separately stays as it is.
  const those = whole
    ? (
        await sql<{
          id: string
          day: string
        }>`select id, day from classes where company_id = ${ctx.companyId} and series_id = ${was.series_id}
            and series_day >= ${was.series_day}
          and state <> 'cancelled' and (not is_own or id = ${id}) order by day for update`.execute(ctx.tx)
      ).rows
    : [{ id, day: was.day }]
  if (moves) {
    await lockPlaced(ctx, { trainerId, placeId })
    for (const one of those)
      await refuseConflict(
        ctx,
        {
          day: one.day,
          at,
          minutes,
          trainerId,
          placeId,
          except: one.id,
          kindId: was.kind_id,
          seats: to.seats ?? was.seats,
        },
        anyway,
      )
  }
  const seatsWanted = to.seats
  const set = sql.join([
    sql`updated_at = now()`,
    ...(whole ? [] : [sql`is_own = is_own or ${moves || seatsWanted !== undefined}`]),
    ...(moves
      ? [
          sql`starts_at = (day + ${at}::time) at time zone 'Asia/Jerusalem',
              ends_at = ((day + ${at}::time) at time zone 'Asia/Jerusalem') +
              make_interval(mins => ${minutes})`,
          sql`trainer_id = ${trainerId}, place_id = ${placeId}`,
        ]
      : []),
    ...(seatsWanted === undefined ? [] : [sql`seats = ${seatsWanted}`]),
    ...(to.priceAgorot === undefined ? [] : [sql`price_agorot = ${to.priceAgorot}`]),
    ...(to.title === undefined ? [] : [sql`title = ${to.title}`]),
    ...(to.notes === undefined ? [] : [sql`notes = ${to.notes}`]),
  ])
  await sql`update classes set ${set} where company_id = ${ctx.companyId}
      and id = any (${those.map((one) => one.id)}::uuid[])`.execute(ctx.tx)
  if (whole)
    await sql`update class_series set at = ${at}, minutes = ${minutes}, trainer_id = ${trainerId},
        place_id = ${placeId}, seats = coalesce(${seatsWanted ?? null}, seats),
        title = coalesce(${to.title ?? null}, title), notes = coalesce(${to.notes ?? null}, notes),
        price_agorot = coalesce(${to.priceAgorot ?? null}, price_agorot), updated_at = now()
      where company_id = ${ctx.companyId} and id = ${was.series_id}`.execute(ctx.tx)
  await ctx.audit('classes.change', 'classes', id, undefined, {
    ...to,
    following: whole,
    classes: those.length,
  })
  if (at !== was.at) for (const one of those) await tellClass(ctx, 'moved', one.id)
  if (seatsWanted !== undefined) for (const one of those) await tellClass(ctx, 'seats', one.id)
  return { row: await oneClass(ctx, id), changed: those.length }
}

export async function cancelClass(
  ctx: Ctx,
  { id, version, following, reason }: { id: string; version: number; following: boolean; reason: string },
) {
  if (following) await lockSeries(ctx, id)
  const was = await lockedClass(ctx, id, version)
  const whole = following && was.series_id !== null
  const { rows } = await sql<{
    id: string
  }>`update classes set state = 'cancelled', updated_at = now() where company_id = ${ctx.companyId}
    and ${
      whole
        ? sql`series_id = ${was.series_id} and series_day >= ${was.series_day}
        and state = 'planned'`
        : sql`id = ${id}`
    } returning id`.execute(ctx.tx)
  // It ends the day before; nothing more is made of it.
  if (whole)
    await sql`update class_series set until_day = greatest(first_day, ${was.series_day}::date - 1),
        times = null, updated_at = now() where company_id = ${ctx.companyId}
        and id = ${was.series_id}`.execute(ctx.tx)
  let told = 0
  for (const one of rows) told += await tellClass(ctx, 'cancelled', one.id, reason)
  await ctx.audit('classes.cancel', 'classes', id, undefined, { reason, classes: rows.length })
  return { cancelled: rows.length, told }
}

const seriesAhead = dueRows({
  name: 'timetable.ahead',
  given: (app) => addDays(dayInJerusalem(app.now()), madeAhead),
  due: (_app, until) => sql`select company_id, id::text as key, made_until::timestamptz as at
    from class_series
    where made_until < ${until}::date and (until_day is null or until_day > made_until)`,
  serve: async (ctx, id, until) => {
    const { rows } = await sql<{
      unit: 'day' | 'week' | 'month'
      every: number
      days: number[]
      first_day: string
      until_day: string | null
      times: number | null
      made_until: string
    }>`select s.unit, s.every, s.days, s.first_day, s.until_day, s.times, s.made_until from class_series s
      where s.company_id = ${ctx.companyId} and s.id = ${id} and s.made_until < ${until} for
      update of s skip locked`.execute(ctx.tx)
    const [of] = rows
    if (!of) return 0
    const rule: Series = {
      unit: of.unit,
      every: of.every,
      days: of.days,
      first: of.first_day,
      until: of.until_day,
      count: of.times,
    }
    const days = occurrences(rule, addDays(of.made_until, 1), until)
    const ids = days.map(() => newId())
    if (days.length) await insertDays(ctx, { companyId: ctx.companyId, seriesId: id, days, ids, by: null })
    await sql`update class_series set made_until = ${until} where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
    for (const one of ids) await tellClass(ctx, 'made', one)
    return days.length
  },
})

/** Makes the classes of every series so far ahead; what is there already stays. Answers how many were made. */
export const makeAhead = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, seriesAhead, { isOver })
