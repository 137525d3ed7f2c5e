import { sql } from 'kysely'
import type { z } from 'zod'
import { Failure, fail } from '#kit/describe/errors.ts'
import { databaseFailures, failureOf } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Clocking, press } from '../endpoints.ts'

databaseFailures.PK262 = () => fail('time.signed')
databaseFailures.PK263 = () => fail('time.overlap')

type Pressed = z.output<typeof press>

/** What a phone kept longer than this is no clocking any more; it is asked for as a correction. */
const oldestDays = 35
/** Clocks of phones go a little ahead. */
const aheadMs = 5 * 60_000
export const longestMs = 16 * 3_600_000

export const clockingColumns = sql`c.id, c.started_at as "startedAt", c.ended_at as "endedAt",
    c.project_id as "projectId", p.name as project,
  c.customer_id as "customerId", k.name as customer, c.task, c.source,
  c.document_id is not null as "isCharged"`
export const clockingTables = sql`clockings c left join projects p on p.company_id = c.company_id
    and p.id = c.project_id
  left join parties k on k.company_id = c.company_id and k.id = c.customer_id`

export async function openClocking(ctx: Ctx, personId: string): Promise<Clocking | null> {
  const { rows } = await sql<Clocking>`select ${clockingColumns} from ${clockingTables}
    where c.company_id = ${ctx.companyId} and c.person_id = ${personId} and c.ended_at is null
      and c.archived_at is null`.execute(ctx.tx)
  return rows[0] ?? null
}

/**
 * Accepts presses in the order of their times. Each is a row under the id it was given on the device: a repeated
 * press is answered as the first time, and does nothing. What cannot be accepted is reported with its code and stays
 * refused; the others count.
 */
export async function takePresses(
  ctx: Ctx,
  { presses }: { presses: Pressed[] },
): Promise<{ rows: { id: string; code: string | null }[] }> {
  const { userId } = ctx.caller
  // One after another for a person: two tabs, or a page and its repeat, must not both find the clock stopped.
  await sql`select 1 from memberships where company_id = ${ctx.companyId} and user_id = ${userId} for no key
    update`.execute(ctx.tx)
  const told = new Map<string, string | null>()
  const ends = new Map<string, string>()
  const inOrder = [...presses].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  for (const [n, one] of inOrder.entries()) {
    const { rows } = await sql<{
      refused: string
      mine: boolean
    }>`select refused, person_id = ${userId} as mine from clock_presses where company_id = ${ctx.companyId}
        and id = ${one.id}`.execute(ctx.tx)
    if (rows[0]) {
      told.set(one.id, rows[0].mine ? rows[0].refused || null : 'kit.conflict')
      continue
    }
    let code = ''
    let clockingId: string | null = null
    try {
      await sql`savepoint press`.execute(ctx.tx)
      // An end that was kept beside its beginning: written together, so that what was worked since on another
      // device is not in the way.
      const next = inOrder[n + 1]
      const end =
        one.deed === 'in' && next?.deed === 'out' && Date.parse(next.at) - Date.parse(one.at) <= longestMs
          ? next
          : undefined
      clockingId = ends.get(one.id) ?? (await take(ctx, one, end))
      if (end) ends.set(end.id, clockingId)
      await sql`release savepoint press`.execute(ctx.tx)
    } catch (e) {
      const failure = failureOf(e)
      // What is wrong with the server is not the press's fault: it is sent again.
      if (!(e instanceof Failure) && failure.code === 'kit.failed') throw e
      await sql`rollback to savepoint press`.execute(ctx.tx)
      code = failure.code
    }
    await sql`insert into clock_presses (company_id, id, person_id, deed, at, clocking_id, refused)
      values (${ctx.companyId}, ${one.id}, ${userId}, ${one.deed}, ${one.at}, ${clockingId},
        ${code})`.execute(ctx.tx)
    told.set(one.id, code || null)
  }
  return { rows: presses.map(({ id }) => ({ id, code: told.get(id) ?? null })) }
}

async function take(ctx: Ctx, one: Pressed, end?: Pressed): Promise<string> {
  const at = Date.parse(one.at)
  const now = ctx.now.getTime()
  if (at > now + aheadMs) throw fail('time.ahead')
  if (at < now - oldestDays * 86_400_000) throw fail('time.tooOld')
  const { userId } = ctx.caller
  if (one.deed === 'out') {
    const open = await openClocking(ctx, userId)
    if (!open) throw fail('time.notOpen')
    const started = Date.parse(open.startedAt)
    if (at <= started) throw fail('time.endFirst')
    if (at - started > longestMs) throw fail('time.tooLong')
    await sql`update clockings set ended_at = ${one.at}, task = case when ${one.task} = '' then task
        else ${one.task} end, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${open.id}`.execute(ctx.tx)
    return open.id
  }
  const open = await openClocking(ctx, userId)
  if (open && Date.parse(open.startedAt) <= at) throw fail('time.isOpen')
  if (end && Date.parse(end.at) <= at) throw fail('time.endFirst')
  if (end && Date.parse(end.at) > now + aheadMs) throw fail('time.ahead')
  const project = one.projectId ? await projectOf(ctx, one.projectId) : undefined
  const place = (await agreed(ctx)) ? one : undefined
  await sql`insert into clockings (company_id, id, person_id, started_at, ended_at, project_id, customer_id,
      task, source, latitude, longitude)
    values (${ctx.companyId}, ${one.id}, ${userId}, ${one.at}, ${end?.at ?? null}, ${project?.id ?? null},
      ${one.customerId ?? project?.customerId ?? null}, ${end?.task || one.task},
      ${now - at > 120_000 ? 'offline' : 'clock'}, round(${place?.latitude ?? null}::numeric, 4),
      round(${place?.longitude ?? null}::numeric, 4))`.execute(ctx.tx)
  return one.id
}

async function projectOf(ctx: Ctx, id: string): Promise<{ id: string; customerId: string | null }> {
  const { rows } = await sql<{
    id: string
    customerId: string | null
  }>`select id, customer_id as "customerId" from projects where company_id = ${ctx.companyId} and id = ${id}
      and archived_at is null and state = 'open'`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Both the business asks and this worker agreed. */
async function agreed(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean
  }>`select coalesce((select asks_place from time_settings where company_id = ${ctx.companyId}), false)
    and coalesce((select place from time_consents where company_id = ${ctx.companyId}
    and person_id = ${ctx.caller.userId}), false) as yes`.execute(ctx.tx)
  return rows[0]!.yes
}

/** Nobody works so long: a clock that runs longer was forgotten. */
export const forgottenMs = 12 * 3_600_000

export async function clockNow(ctx: Ctx) {
  const { userId } = ctx.caller
  const open = await openClocking(ctx, userId)
  const { rows } = await sql<{
    minutes: number
  }>`select coalesce(sum(floor(extract(epoch from ended_at) / 60) -
      floor(extract(epoch from started_at) / 60)), 0)::int as minutes from clockings
    where company_id = ${ctx.companyId} and person_id = ${userId} and archived_at is null
      and ended_at is not null
      and (started_at at time zone 'Asia/Jerusalem')::date = ${ctx.today}`.execute(ctx.tx)
  const { rows: projects } = await sql<{
    id: string
    name: string
    customerId: string | null
  }>`select id, name, customer_id as "customerId" from projects where company_id = ${ctx.companyId}
      and archived_at is null and state = 'open' order by name, id limit 200`.execute(ctx.tx)
  const { rows: settings } = await sql<{
    asksPlace: boolean | null
    agreedPlace: boolean | null
  }>`select (select asks_place from time_settings where company_id = ${ctx.companyId}) as "asksPlace",
    (select place from time_consents where company_id = ${ctx.companyId} and person_id = ${userId}) as
    "agreedPlace"`.execute(ctx.tx)
  return {
    open,
    isForgotten: open !== null && ctx.now.getTime() - Date.parse(open.startedAt) > forgottenMs,
    todayMinutes: rows[0]!.minutes,
    asksPlace: settings[0]!.asksPlace ?? false,
    agreedPlace: settings[0]!.agreedPlace,
    projects,
  }
}
