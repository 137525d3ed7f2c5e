import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { failureOf } from '#kit/server/contract/failures.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { asCaller, newId, systemCaller, type App, type Caller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, dueRows, everyRound, isResting, serveDue } from '#kit/server/work/dueRows.ts'
import { registerGivenUp } from '#kit/server/work/givenUp.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { callerOfPerson } from '#features/base/session/server/index.ts'
import { hearerOf } from '#features/base/team/server/index.ts'
import { Away, FolderGone, Full, Never, Revoked, type Door, type Memory } from './doors/door.ts'
import { fileFor } from './files.ts'
import { doorOf, mayConnect, type TargetRow } from './targets.ts'

/** The lease of a place: renewed with each copy; when its process dies another takes it over. */
const leaseMs = 10 * 60_000
/** Places that one process copies to at a time: a slow one takes none from the others while there are more. */
const placesAtOnce = 8
/** Of one business: however many of its places are slow, others have theirs. */
const placesOfOne = 2
/** While all that are taken up are slow, what became due meanwhile is looked for so often. */
const lookAgainMs = 3000
const copiesAtOnce = 20
/** Minutes until each further try: a day in all, then it is left to a person. */
const waits = [1, 5, 15, 60, 180, 360, 360, 480]
const restWhenFullMs = 3_600_000

interface CopyRow {
  entity: string
  entity_id: string
  state: string
  remote_id: string
  session_sealed: Buffer | null
  tries: number
}

/** The database counts microseconds, a Date milliseconds: what became due within this very one is due. */
const soon = (now: Date) => new Date(now.getTime() + 1)

interface Taken {
  /** How many places may be taken up. */
  most: number
  /** Businesses whose places are copied to now, and places that were taken up in this look and took nothing. */
  companies: readonly string[]
  idle: readonly string[]
}

/** Takes up places that something is due for: a few of each business, by chance, so that none is first each time. */
const claim = (app: App, by: string, { most, companies, idle }: Taken): Promise<TargetRow[]> =>
  asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } = await sql<TargetRow>`with due as (
        select company_id, id, row_number() over (partition by company_id order by random()) as turn
        from drive_targets t where t.archived_at is null and t.state in ('on', 'full')
          and (t.leased_until is null or t.leased_until < ${now})
          and (t.rest_until is null or t.rest_until < ${now})
          and t.company_id <> all (${companies}::uuid[]) and t.id <> all (${idle}::uuid[])
          and not ${isResting(app, 'drive.places', sql`t.company_id`, sql`t.id::text`)}
          and exists (select 1 from drive_copies c where c.company_id = t.company_id and c.target_id = t.id
            and c.state in ('waiting', 'asked') and c.next_at < ${soon(now)}))
      update drive_targets t
        set leased_by = ${by}, leased_until = ${new Date(now.getTime() + leaseMs)} from (
        select t.company_id, t.id from drive_targets t join due d using (company_id, id)
        where d.turn <= ${placesOfOne} and (t.leased_until is null or t.leased_until < ${now})
        order by d.turn, random() limit ${most} for update of t skip locked) taken
      where t.company_id = taken.company_id and t.id = taken.id returning t.*`.execute(tx)
    return rows
  })

/**
 * With whose rights copies are made to a place now, or why they are not: the person who connected it has to be here, and
 * see everything, at each copy as on the day of the connection.
 */
async function authorityOf(
  app: App,
  { company_id, created_by }: TargetRow,
): Promise<Caller | 'left' | 'limited'> {
  const caller = await callerOfPerson(app, company_id, created_by)
  if (!caller) return 'left'
  return mayConnect(caller) ? caller : 'limited'
}

/** Pauses a place; the owner is notified by `tellOfPaused`. */
const pausePlace = (app: App, place: TargetRow, why: 'left' | 'limited') =>
  asCaller(app, systemCaller(place.company_id), '', async (ctx) => {
    const { rows } = await sql`update drive_targets set state = 'paused', paused_why = ${why}, told_at = null,
        rest_until = null, updated_at = now() where company_id = ${ctx.companyId} and id = ${place.id}
        and state in ('on', 'full') and created_by = ${place.created_by} returning 1`.execute(ctx.tx)
    if (rows.length)
      await ctx.audit('drive.pause', 'driveTargets', place.id, undefined, { name: place.name, why })
  })

/** Places that paused since the last look: their owner is notified. */
const paused = dueRows({
  name: 'drive.paused',
  due: () => sql`select company_id, id::text as key, updated_at as at from drive_targets
    where state = 'paused'
      and told_at is null and archived_at is null`,
  serve: async (ctx, id) => {
    const { rows } = await sql<TargetRow>`select * from drive_targets where company_id = ${ctx.companyId}
      and id = ${id} and state = 'paused'`.execute(ctx.tx)
    if (rows[0]) await tell(ctx, rows[0], `paused.${rows[0].paused_why}`, null)
    return rows.length
  },
})

/** Lays everything that is due, and notifies of what paused, for tests; answers how many copies were laid. */
export async function copyAll(app: App, isOver: () => boolean = () => false): Promise<number> {
  const by = newId()
  const laid = await copyDue(app, by, isOver)
  await serveDue(app, paused, { isOver })
  return laid
}

/** Goes on until nothing is due that is not taken up. A place that is slow holds up no other. */
async function copyDue(app: App, by: string, isOver: () => boolean): Promise<number> {
  const running = new Map<Promise<void>, TargetRow>()
  const idle: string[] = []
  let laid = 0
  const take = (place: TargetRow) => {
    const row = { companyId: place.company_id, key: place.id }
    const one: Promise<void> = attempt(app, 'drive.places', row, () => copyTo(app, place, by, isOver))
      .then((n) => {
        if (n) laid += n
        else idle.push(place.id)
      })
      .finally(() => running.delete(one))
    running.set(one, place)
  }
  while (!isOver()) {
    const most = placesAtOnce - running.size
    const companies = [...running.values()].map(({ company_id }) => company_id)
    if (most > 0) for (const place of await claim(app, by, { most, companies, idle })) take(place)
    if (!running.size) return laid
    await Promise.race([...running.keys(), pause(lookAgainMs, undefined, { ref: false })])
  }
  await Promise.all(running.keys())
  return laid
}

async function copyTo(app: App, place: TargetRow, by: string, isOver: () => boolean): Promise<number> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
    asCaller(app, systemCaller(place.company_id), '', work)
  /** Whether the place is still this process's. */
  const renew = async (): Promise<boolean> => {
    const until = new Date(app.now().getTime() + leaseMs)
    const { rows } = await inside((ctx) =>
      sql`update drive_targets set leased_until = ${until} where company_id = ${ctx.companyId}
          and id = ${place.id} and leased_by = ${by} returning 1`.execute(ctx.tx),
    )
    return rows.length > 0
  }
  let laid = 0
  try {
    const door = doorOf(app, place)
    if (!door) return 0
    const { rows } = await inside((ctx) =>
      sql<CopyRow>`select entity, entity_id, state, remote_id, session_sealed, tries from drive_copies
        where company_id = ${ctx.companyId} and target_id = ${place.id}
        and state in ('waiting', 'asked') and next_at < ${soon(ctx.now)} order by next_at, entity_id
        limit ${copiesAtOnce}`.execute(ctx.tx),
    )
    for (const copy of rows) {
      if (isOver() || !(await renew())) break
      const goesOn = await one(app, place, copy, door.put)
      if (goesOn) laid++
      else break
    }
  } finally {
    await inside((ctx) =>
      sql`update drive_targets set leased_by = null, leased_until = null where company_id = ${ctx.companyId}
          and id = ${place.id} and leased_by = ${by}`.execute(ctx.tx),
    ).catch(() => undefined)
  }
  return laid
}

/**
 * One copy: its file, then 'asked' is committed, then it is laid, then what came of it. Answers whether the
 * place takes more.
 */
async function one(app: App, place: TargetRow, copy: CopyRow, put: Door['put']): Promise<boolean> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
    asCaller(app, systemCaller(place.company_id), '', work)
  const set = (values: Record<string, unknown>) =>
    inside((ctx) =>
      sql`update drive_copies
        set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
        where company_id = ${ctx.companyId} and target_id = ${place.id} and entity = ${copy.entity}
          and entity_id = ${copy.entity_id}`.execute(ctx.tx),
    )
  try {
    const authority = await authorityOf(app, place)
    if (typeof authority === 'string') {
      await pausePlace(app, place, authority)
      return false
    }
    const file = await asCaller(app, authority, '', (ctx) =>
      fileFor(ctx, copy.entity, copy.entity_id, place.pattern),
    )
    if (!file) {
      await set({ state: 'nothing', done_at: app.now() })
      return true
    }
    await set({
      state: 'asked',
      path: [...file.folders, file.name].join('/'),
      sha256: createHash('sha256').update(file.bytes).digest(),
      size_bytes: file.bytes.length,
    })
    await put(file, memoryOf(app, place, copy, set, inside))
    await set({ state: 'done', done_at: app.now(), error: '', session_sealed: null })
    await inside((ctx) =>
      sql`update drive_targets set state = 'on', last_error = '', last_done_at = ${ctx.now},
          rest_until = null, told_at = case when state = 'full' then null else told_at end
        where company_id = ${ctx.companyId} and id = ${place.id} and state in ('on', 'full')`.execute(ctx.tx),
    )
    return true
  } catch (e) {
    return failed(app, place, copy, e, set, inside)
  }
}

function memoryOf(
  app: App,
  place: TargetRow,
  copy: CopyRow,
  set: (values: Record<string, unknown>) => Promise<unknown>,
  inside: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>,
): Memory {
  return {
    remoteId: copy.remote_id,
    session: copy.session_sealed ? decrypt(app.secrets.vault, copy.session_sealed).toString() : '',
    keep: async ({ remoteId, session }) => {
      await set({
        ...(remoteId === undefined ? {} : { remote_id: remoteId }),
        // The person who has the address of an upload can write to it.
        ...(session === undefined
          ? {}
          : { session_sealed: encrypt(app.secrets.vault, Buffer.from(session)) }),
      })
    },
    folder: async (path) => {
      const { rows } = await inside((ctx) =>
        sql<{
          remote_id: string
        }>`select remote_id from drive_folders where company_id = ${ctx.companyId} and target_id = ${place.id}
            and path = ${path}`.execute(ctx.tx),
      )
      return rows[0]?.remote_id
    },
    keepFolder: async (path, remoteId) => {
      await inside((ctx) =>
        sql`insert into drive_folders (company_id, target_id, path, remote_id)
          values (${ctx.companyId}, ${place.id}, ${path}, ${remoteId})
          on conflict (company_id, target_id, path) do update set remote_id = excluded.remote_id`.execute(
          ctx.tx,
        ),
      )
    },
    forgetFolders: async () => {
      await inside((ctx) =>
        sql`delete from drive_folders where company_id = ${ctx.companyId}
            and target_id = ${place.id}`.execute(ctx.tx),
      )
    },
  }
}

async function failed(
  app: App,
  place: TargetRow,
  copy: CopyRow,
  e: unknown,
  set: (values: Record<string, unknown>) => Promise<unknown>,
  inside: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>,
): Promise<boolean> {
  const words = (e instanceof Error ? e.message : 'unknown').slice(0, 200)
  const rest = (values: { state?: string; until: Date | null; tell?: string }) =>
    inside(async (ctx) => {
      await sql`update drive_targets set state = ${values.state ?? place.state}, rest_until = ${values.until},
          last_error = ${words} where company_id = ${ctx.companyId} and id = ${place.id}
            and state in ('on', 'full')`.execute(ctx.tx)
      if (values.tell) await tell(ctx, place, values.tell)
    })
  const now = app.now().getTime()
  if (e instanceof Revoked) {
    await rest({ state: 'revoked', until: null, tell: 'revoked' })
    return false
  }
  if (e instanceof Full) {
    await rest({ state: 'full', until: new Date(now + restWhenFullMs), tell: 'full' })
    return false
  }
  if (e instanceof FolderGone) {
    await inside((ctx) =>
      sql`delete from drive_folders where company_id = ${ctx.companyId} and target_id = ${place.id}`.execute(
        ctx.tx,
      ),
    )
    await set({ session_sealed: null })
  }
  if (
    e instanceof Never ||
    (!(e instanceof Away) && !(e instanceof FolderGone) && failureOf(e).status < 500)
  ) {
    await set({ state: 'failed', error: words })
    return true
  }
  const wait = waits[copy.tries]
  if (wait === undefined) await set({ state: 'failed', error: words })
  // A few seconds apart by chance, so that a hundred copies do not come back in one moment.
  else
    await set({
      tries: copy.tries + 1,
      error: words,
      next_at: new Date(now + wait * 60_000 + Math.floor(Math.random() * 10_000)),
    })
  if (e instanceof Away) {
    await rest({ until: new Date(now + 1000 * Math.min(e.after ?? 30, 3600)) })
    return false
  }
  return true
}

/**
 * Notifies a person once until the place works again: the one who connected it, or an owner when that person left;
 * `userId` null means an owner.
 */
async function tell(
  ctx: Ctx,
  place: TargetRow,
  why: string,
  userId: string | null = place.created_by,
): Promise<void> {
  const { rows } = await sql`update drive_targets set told_at = ${ctx.now}
    where company_id = ${ctx.companyId} and id = ${place.id} and told_at is null returning 1`.execute(ctx.tx)
  if (rows.length) await ctx.later('drive.mail', { id: place.id, why, userId })
}

/** The letter to that person; nothing when the place was removed meanwhile. */
export const tellJob: Job = async (ctx, payload) => {
  const { rows } = await sql<{ name: string }>`select name from drive_targets
    where company_id = ${ctx.companyId}
    and id = ${String(payload.id)} and archived_at is null`.execute(ctx.tx)
  const to = rows[0] && (await hearerOf(ctx, payload.userId as string | null))
  if (!to) return
  const said = {
    name: to.fullName,
    place: rows[0]!.name,
    business: (await companyOf(ctx)).name,
    link: `${siteOf(ctx.app)}/invoice/drive`,
  }
  mailAfterCommit(ctx, {
    to: to.email,
    subject: say(to.language, 'drive.mail.subject', said),
    text: say(to.language, `drive.mail.${String(payload.why)}`, said),
  })
}

registerGivenUp({
  kind: 'copy',
  rows: sql`select c.company_id, c.target_id::text as key, max(t.name) as name, max(c.error) as error,
    max(c.tries) as tries, count(*) as count, max(c.next_at) as at
    from drive_copies c join drive_targets t on t.company_id = c.company_id and t.id = c.target_id
    where c.state = 'failed' and t.archived_at is null group by c.company_id, c.target_id`,
  retry: async (tx, companyId, key) =>
    (
      await sql`update drive_copies set state = 'waiting', next_at = now(), tries = 0, error = ''
        where company_id = ${companyId} and target_id = ${key} and state = 'failed' returning 1`.execute(tx)
    ).rows.length > 0,
})

/** Looks every five seconds for what is to be laid, and every minute for places that paused. */
export const start = (app: App): Promise<() => Promise<void>> => {
  const stops = [
    everyRound(app, 'copies to other places', 5000, (isOver) => copyDue(app, newId(), isOver)),
    everyRound(app, 'places for copies that paused', 60_000, (isOver) => serveDue(app, paused, { isOver })),
  ]
  return Promise.resolve(async () => void (await Promise.all(stops.map((stop) => stop()))))
}
