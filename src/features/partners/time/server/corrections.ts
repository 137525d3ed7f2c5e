import { sql } from 'kysely'
import { dayInJerusalem, startOfMonth, type Day } from '#domain/day.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { absenceKinds } from '../endpoints.ts'
import { longestMs } from './clock.ts'
import { personOf } from './sheets.ts'

const done = { done: true as const }
/** Further back nobody corrects by a request. */
const oldestDays = 400

interface Asked {
  kind: 'add' | 'change' | 'remove'
  clockingId?: string | null | undefined
  startedAt?: string | null | undefined
  endedAt?: string | null | undefined
  reason: string
}

async function refuseSigned(ctx: Ctx, personId: string, from: Day, to: Day = from): Promise<void> {
  const { rows } =
    await sql`select 1 from time_sheets where company_id = ${ctx.companyId} and person_id = ${personId}
    and month between ${startOfMonth(from)} and ${startOfMonth(to)} and approved_at is not null
    limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('time.signed')
}

/** Requests a correction; it is validated now, and again when it is approved. */
export async function askChange(
  ctx: Ctx,
  { kind, clockingId, startedAt, endedAt, reason }: Asked,
): Promise<{ id: string }> {
  const { userId } = ctx.caller
  if (kind !== 'add') {
    if (!clockingId) throw failField('clockingId', 'fields.need')
    const { rows } = await sql<{
      at: string
    }>`select started_at as at from clockings where company_id = ${ctx.companyId} and id = ${clockingId}
        and person_id = ${userId} and archived_at is null`.execute(ctx.tx)
    if (!rows[0]) throw fail('kit.notFound')
    await refuseSigned(ctx, userId, dayInJerusalem(new Date(rows[0].at)))
  } else if (clockingId) throw failField('clockingId', 'fields.unknown', { keys: 'clockingId' })
  if (kind !== 'remove') {
    if (!startedAt) throw failField('startedAt', 'fields.need')
    if (!endedAt) throw failField('endedAt', 'fields.need')
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt)]
    if (end <= start) throw failField('endedAt', 'time.endFirst')
    if (end - start > longestMs) throw failField('endedAt', 'time.tooLong')
    if (end > ctx.now.getTime()) throw failField('endedAt', 'time.ahead')
    if (start < ctx.now.getTime() - oldestDays * 86_400_000) throw failField('startedAt', 'time.tooOld')
    await refuseSigned(ctx, userId, dayInJerusalem(new Date(start)))
  }
  const id = newId()
  const { rows } =
    await sql`insert into time_requests (company_id, id, person_id, kind, clocking_id, started_at, ended_at,
        reason)
    values (${ctx.companyId}, ${id}, ${userId}, ${kind}, ${kind === 'add' ? null : clockingId},
      ${kind === 'remove' ? null : startedAt}, ${kind === 'remove' ? null : endedAt}, ${reason})
    on conflict do nothing returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('time.asked')
  await ctx.audit('time.ask', 'timeRequests', id, undefined, { kind, startedAt, endedAt, reason })
  return { id }
}

export async function withdraw(ctx: Ctx, { id }: { id: string }) {
  const { rows } = await sql<{
    state: string
  }>`select state from time_requests where company_id = ${ctx.companyId} and id = ${id}
      and person_id = ${ctx.caller.userId} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].state !== 'asked') throw fail('time.decided')
  await sql`update time_requests set state = 'withdrawn' where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  return done
}

export async function decide(
  ctx: Ctx,
  { id, approve, answer }: { id: string; approve: boolean; answer: string },
) {
  const { rows } = await sql<{
    state: string
    kind: Asked['kind']
    personId: string
    clockingId: string | null
    startedAt: string | null
    endedAt: string | null
  }>`select state, kind, person_id as "personId", clocking_id as "clockingId", started_at as "startedAt",
      ended_at as "endedAt" from time_requests
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const one = rows[0]
  if (!one) throw fail('kit.notFound')
  if (one.state !== 'asked') throw fail('time.decided')
  if (approve) {
    if (one.kind === 'add')
      await sql`insert into clockings (company_id, id, person_id, started_at, ended_at, source)
        values (${ctx.companyId}, ${newId()}, ${one.personId}, ${one.startedAt}, ${one.endedAt},
          'correction')`.execute(ctx.tx)
    else if (one.kind === 'change')
      await sql`update clockings set started_at = ${one.startedAt}, ended_at = ${one.endedAt},
          source = 'correction', updated_at = now()
        where company_id = ${ctx.companyId} and id = ${one.clockingId}`.execute(ctx.tx)
    else
      await sql`update clockings set archived_at = now(), updated_at = now()
        where company_id = ${ctx.companyId} and id = ${one.clockingId}`.execute(ctx.tx)
    // The worker signed something else: the signature is needed again.
    const day =
      one.startedAt ??
      (
        await sql<{
          at: string
        }>`select started_at as at from clockings where company_id = ${ctx.companyId}
            and id = ${one.clockingId}`.execute(ctx.tx)
      ).rows[0]!.at
    await sql`update time_sheets set worker_at = null where company_id = ${ctx.companyId}
        and person_id = ${one.personId} and approved_at is null
      and month = ${startOfMonth(dayInJerusalem(new Date(day)))}`.execute(ctx.tx)
  }
  await sql`update time_requests set state = ${approve ? 'approved' : 'refused'}, answer = ${answer},
      decided_by = ${ctx.caller.userId}, decided_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('time.decide', 'timeRequests', id, undefined, { approve, answer })
  return done
}

interface Away {
  kind: (typeof absenceKinds)[number]
  from: Day
  to: Day
  note: string
  personId?: string | undefined
}

export async function keepAbsence(
  ctx: Ctx,
  { kind, from, to, note, personId }: Away,
): Promise<{ id: string }> {
  const person = await personOf(ctx, personId)
  if (person.id !== ctx.caller.userId && !can(ctx.caller, 'time.approve'))
    throw forbidden({ rule: 'time.approve' })
  if (to < from) throw failField('to', 'time.endFirst')
  await refuseSigned(ctx, person.id, from, to)
  const id = newId()
  await sql`insert into absences (company_id, id, person_id, kind, from_day, to_day, note, created_by)
    values (${ctx.companyId}, ${id}, ${person.id}, ${kind}, ${from}, ${to}, ${note},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('time.absence', 'absences', id, undefined, { person: person.name, kind, from, to })
  return { id }
}

export async function dropAbsence(ctx: Ctx, { id }: { id: string }) {
  const { rows } = await sql<{
    personId: string
    from: Day
    to: Day
  }>`select person_id as "personId", from_day as "from", to_day as "to" from absences
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null for update`.execute(ctx.tx)
  const one = rows[0]
  if (!one || (one.personId !== ctx.caller.userId && !can(ctx.caller, 'time.approve')))
    throw fail('kit.notFound')
  await refuseSigned(ctx, one.personId, one.from, one.to)
  await sql`update absences set archived_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('time.dropAbsence', 'absences', id)
  return done
}
