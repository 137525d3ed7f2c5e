import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays, dayInJerusalem, momentAt } from '#domain/day.ts'
import { Failure, fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { asBusiness } from '#kit/server/work/threads/currentBusiness.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, isResting } from '#kit/server/work/dueRows.ts'
import { getOutside, NotGot } from '#kit/server/outside/getOutside.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { outsideUrl } from '#kit/server/outside/reach.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import type { OutsideCalendar, OutsideProblem } from '../endpoints.ts'
import type { Busy } from './readBusy.ts'
import type { readers } from './readers.ts'

const limits = { mostBytes: 4 * 1024 * 1024, milliseconds: 20_000 }
/** So far ahead appointments can be made, and so far calendars are read. */
const aheadDays = 366
const mostCalendars = 5
const minute = 60_000

interface Whose {
  trainerId: string | null
  placeId: string | null
}

/** A person who manages the calendar sets up everybody's; a trainer only one's own. */
async function mayFor(ctx: Ctx, { trainerId, placeId }: Whose): Promise<void> {
  if (can(ctx.caller, 'calendar.setUp')) return
  const { rows } = trainerId
    ? await sql`select 1 from class_trainers where company_id = ${ctx.companyId} and id = ${trainerId}
        and user_id = ${ctx.caller.userId} and archived_at is null`.execute(ctx.tx)
    : { rows: [] }
  if (placeId || !rows.length || !can(ctx.caller, 'calendar.own')) throw forbidden({ rule: 'calendar.own' })
}

async function rowsOf(ctx: Ctx, { trainerId, placeId }: Whose, id?: string): Promise<OutsideCalendar[]> {
  const { rows } =
    await sql<OutsideCalendar>`select id, trainer_id as "trainerId", place_id as "placeId", name, way, host,
        state, nullif(problem, '') as problem, spans, skipped, until_day as "untilDay", read_at as "readAt",
      tried_at as "triedAt" from outside_calendars
      where company_id = ${ctx.companyId}
        ${
          id
            ? sql`and id =
            ${id}`
            : sql`and trainer_id is not distinct from ${trainerId}::uuid and place_id is not distinct
              from ${placeId}::uuid`
        }
      order by created_at, id`.execute(ctx.tx)
  return rows
}

export async function listOutside(
  ctx: Ctx,
  given: { trainerId?: string | undefined; placeId?: string | undefined },
): Promise<{ rows: OutsideCalendar[] }> {
  const whose = await whoseOf(ctx, given)
  return { rows: await rowsOf(ctx, whose) }
}

/** A trainer or a place; without either, oneself as a trainer. */
async function whoseOf(
  ctx: Ctx,
  { trainerId, placeId }: { trainerId?: string | null | undefined; placeId?: string | null | undefined },
): Promise<Whose> {
  if (trainerId && placeId) throw failField('placeId', 'fields.ref')
  let whose: Whose = { trainerId: trainerId ?? null, placeId: placeId ?? null }
  if (!trainerId && !placeId) {
    const { rows } = await sql<{
      id: string
    }>`select id from class_trainers where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}
        and archived_at is null`.execute(ctx.tx)
    if (!rows[0]) throw failField('trainerId', 'fields.need')
    whose = { trainerId: rows[0].id, placeId: null }
  }
  await mayFor(ctx, whose)
  await checkRef(ctx, 'trainerId', 'class_trainers', whose.trainerId)
  await checkRef(ctx, 'placeId', 'class_places', whose.placeId)
  return whose
}

/**
 * The row of a calendar, for as long as the transaction lasts, of somebody whose calendars the caller may set
 * up.
 */
async function locked(ctx: Ctx, id: string): Promise<{ way: 'address' | 'file' }> {
  const { rows } = await sql<
    Whose & { way: 'address' | 'file' }
  >`select trainer_id as "trainerId", place_id as "placeId", way from outside_calendars
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await mayFor(ctx, rows[0])
  return rows[0]
}

/** One more of somebody's; the same twice is the same one. */
export async function insert(
  ctx: Ctx,
  whose: Whose,
  {
    name,
    way,
    url,
    hash,
    host,
  }: { name: string; way: 'address' | 'file'; url?: string; hash: Buffer; host: string },
): Promise<string> {
  await sql`select 1 from ${sql.table(whose.trainerId ? 'class_trainers' : 'class_places')}
    where company_id = ${ctx.companyId} and id = ${whose.trainerId ?? whose.placeId} for no key
    update`.execute(ctx.tx)
  const there = await sql<{ id: string }>`select id from outside_calendars where company_id = ${ctx.companyId}
    and coalesce(trainer_id, place_id) = ${whose.trainerId ?? whose.placeId} and url_hash = ${hash}`.execute(
    ctx.tx,
  )
  if (there.rows[0]) return there.rows[0].id
  const { length } = await rowsOf(ctx, whose)
  if (length >= mostCalendars) throw fail('outsideCalendars.most', { count: mostCalendars })
  const id = newId()
  const due = way === 'address' ? new Date(ctx.now.getTime() + 10 * minute).toISOString() : null
  await sql`insert into outside_calendars (company_id, id, trainer_id, place_id, name, way, url_sealed,
      url_hash, host, next_at, created_by)
    values (${ctx.companyId}, ${id}, ${whose.trainerId}, ${whose.placeId}, ${name}, ${way},
      ${url === undefined ? null : encrypt(ctx.app.secrets.vault, Buffer.from(url))}, ${hash}, ${host},
      ${due}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('outsideCalendars.add', 'outsideCalendars', id, undefined, { ...whose, name, way, host })
  return id
}

export const hashOf = (what: string | Uint8Array): Buffer => createHash('sha256').update(what).digest()

/** Calendars are given as `webcal:` too, which is https by another name. */
const asHttps = (given: string): string => given.trim().replace(/^webcals?:/i, 'https:')

/** Keeps the secret address of a calendar elsewhere, and reads it at once. */
export async function addOutside(
  ctx: OutsideCtx,
  given: { trainerId: string | null; placeId: string | null; name: string; url: string },
): Promise<OutsideCalendar> {
  const found = outsideUrl(asHttps(given.url), ctx.app.settings.webhooks)
  const id = await ctx.within(async (inside) => {
    const whose = await whoseOf(inside, given)
    if ('why' in found) throw failField('url', `outsideCalendars.${found.why}`)
    // What we tell other calendars ourselves would come back as somebody's other life.
    if (found.url.includes('classesfeed/') && found.url.startsWith(ctx.app.publicUrl()))
      throw failField('url', 'outsideCalendars.ours')
    const { host } = new URL(found.url)
    return insert(inside, whose, {
      name: given.name || host.slice(0, 80),
      way: 'address',
      url: found.url,
      hash: hashOf(found.url),
      host,
    })
  })
  await readOne(ctx.app, ctx.companyId, id)
  return ctx.within(async (inside) => (await rowsOf(inside, { trainerId: null, placeId: null }, id))[0]!)
}

/**
 * The same of a file that was saved elsewhere: it is read once, and says nothing of what changes there later.
 */
export async function addOutsideFile(
  ctx: Ctx,
  given: { trainerId?: string | undefined; placeId?: string | undefined; name: string; bytes: Uint8Array },
): Promise<OutsideCalendar> {
  const whose = await whoseOf(ctx, given)
  const busy = await readIn<typeof readers>()('timetable.busy', { bytes: given.bytes, ...windowOf(ctx.now) })
  const id = await insert(ctx, whose, { name: given.name, way: 'file', hash: hashOf(given.bytes), host: '' })
  await keep(ctx, id, busy)
  return (await rowsOf(ctx, whose, id))[0]!
}

export async function refreshOutside(ctx: OutsideCtx, { id }: { id: string }): Promise<OutsideCalendar> {
  const { way } = await ctx.within((inside) => locked(inside, id))
  if (way === 'file') throw fail('outsideCalendars.isFile')
  await readOne(ctx.app, ctx.companyId, id)
  return ctx.within(async (inside) => {
    const [row] = await rowsOf(inside, { trainerId: null, placeId: null }, id)
    if (!row) throw fail('kit.notFound')
    return row
  })
}

export async function dropOutside(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  await locked(ctx, id)
  await sql`delete from class_blocks where company_id = ${ctx.companyId} and outside_id = ${id}`.execute(
    ctx.tx,
  )
  await sql`delete from outside_calendars where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('outsideCalendars.delete', 'outsideCalendars', id)
  return { done: true }
}

const windowOf = (now: Date): { from: string; to: string } => {
  const today = dayInJerusalem(now)
  return {
    from: momentAt(addDays(today, -7), 0).toISOString(),
    to: momentAt(addDays(today, aheadDays), 0).toISOString(),
  }
}

/** Lays what was read in place of what was known, all at once. */
export async function keep(ctx: Ctx, id: string, { spans, skipped }: Busy): Promise<void> {
  await sql`delete from class_blocks where company_id = ${ctx.companyId} and outside_id = ${id}`.execute(
    ctx.tx,
  )
  const rows = spans.map(([from, to]) => ({ id: newId(), from, to }))
  await sql`insert into class_blocks (company_id, id, trainer_id, place_id, starts_at, ends_at, outside_id)
    select o.company_id, s.id, o.trainer_id, o.place_id, s."from", s."to", o.id from outside_calendars o
      cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s
        (id uuid, "from" timestamptz, "to" timestamptz)
    where o.company_id = ${ctx.companyId} and o.id = ${id}`.execute(ctx.tx)
  const every = new Date(ctx.now.getTime() + 30 * minute).toISOString()
  await sql`update outside_calendars set state = 'read', problem = '', spans = ${spans.length},
      skipped = ${skipped}, until_day = ${addDays(ctx.today, aheadDays)}, read_at = ${ctx.now.toISOString()},
      tried_at = ${ctx.now.toISOString()}, fails = 0, next_at = case
      when way = 'address' then ${every}::timestamptz end where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
}

/**
 * After a failure it is tried again, later and later, at least once a day; what was known before stays:
 * better busy than booked twice.
 */
async function keepProblem(ctx: Ctx, id: string, problem: OutsideProblem): Promise<void> {
  await sql`update outside_calendars set state = 'failed', problem = ${problem},
      tried_at = ${ctx.now.toISOString()}, fails = least(fails + 1, 1000),
      next_at = ${ctx.now.toISOString()}::timestamptz +
      least(interval '1 day', interval '30 minutes' * power(2, least(fails, 10)))
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}

/** Fetches the present content of one calendar; no transaction is open meanwhile. */
async function readOne(app: App, companyId: string, id: string): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const asked = await inside(async (ctx) => {
    const { rows } = await sql<{
      sealed: Buffer
    }>`update outside_calendars set next_at = ${new Date(ctx.now.getTime() + 10 * minute).toISOString()}
      where company_id = ${companyId} and id = ${id} and way = 'address'
      returning url_sealed as sealed`.execute(ctx.tx)
    return (
      rows[0] && {
        url: decrypt(app.secrets.vault, rows[0].sealed).toString(),
        isTest: await inTestBusiness(ctx),
      }
    )
  })
  if (!asked) return
  let busy: Busy | undefined
  let problem: OutsideProblem | undefined
  // A business for trying things out asks nobody.
  if (asked.isTest) busy = { spans: [], skipped: 0 }
  else
    try {
      const bytes = await getOutside(app.settings.webhooks, asked.url, {
        ...limits,
        accept: 'text/calendar, */*;q=0.1',
      })
      busy = await asBusiness(companyId, undefined, () =>
        readIn<typeof readers>()('timetable.busy', { bytes, ...windowOf(app.now()) }),
      )
    } catch (e) {
      if (e instanceof NotGot) problem = e.problem
      else if (e instanceof Failure)
        problem =
          e.code === 'outsideCalendars.notCalendar' || e.code === 'http.badText'
            ? 'notCalendar'
            : e.code === 'outsideCalendars.tooMany' || e.code === 'kit.tooMuch'
              ? 'tooMany'
              : undefined
      if (!problem) throw e
    }
  await inside(async (ctx) => {
    const { rows } =
      await sql`select 1 from outside_calendars where company_id = ${companyId} and id = ${id} for
        update`.execute(ctx.tx)
    // It may have been taken away meanwhile.
    if (!rows.length) return
    if (busy) await keep(ctx, id, busy)
    else await keepProblem(ctx, id, problem!)
  })
}

const atOnce = 20
const sideBySide = 4

/** Reads those whose time has come; of several processes each takes others. Answers how many were asked. */
export async function readOutside(app: App, isOver: () => boolean = () => false): Promise<number> {
  let done = 0
  while (!isOver()) {
    const now = app.now()
    const lease = new Date(now.getTime() + 10 * minute).toISOString()
    const due = await asSystem(app.db, async (tx) => {
      const { rows } = await sql<{
        companyId: string
        key: string
      }>`update outside_calendars o set next_at = ${lease} from (
          select company_id, id from outside_calendars c where next_at <= ${now.toISOString()}
            and not ${isResting(app, 'timetable.outside', sql`c.company_id`, sql`c.id::text`)}
            order by next_at
          limit ${atOnce} for update skip locked) d
        where o.company_id = d.company_id and o.id = d.id
        returning o.company_id as "companyId", o.id as key`.execute(tx)
      return rows
    })
    for (let n = 0; n < due.length; n += sideBySide)
      await Promise.all(
        due
          .slice(n, n + sideBySide)
          .map((one) => attempt(app, 'timetable.outside', one, () => readOne(app, one.companyId, one.key))),
      )
    done += due.length
    if (due.length < atOnce) break
  }
  return done
}
