import { sql, type RawBuilder } from 'kysely'
import { daysBetween } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ClassBlock, ClassView } from '../endpoints.ts'

/** A person is looked at two months at a time. */
const mostDays = 62
const most = 3000

const overlapping = (
  column: 'trainer_id' | 'place_id',
) => sql`exists (select 1 from classes x where x.company_id = c.company_id
    and x.${sql.ref(column)} = c.${sql.ref(column)}
  and x.id <> c.id and x.state <> 'cancelled' and x.starts_at < c.ends_at and x.ends_at > c.starts_at)`

const columns = (sees: boolean) => sql`c.id, c.version, c.kind_id as "kindId", k.name as "kindName", k.color,
    k.is_appointment as "isAppointment", c.title, c.day,
  to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at, c.starts_at as "startsAt",
  c.ends_at as "endsAt",
  (extract(epoch from c.ends_at - c.starts_at) / 60)::int as minutes, c.trainer_id as "trainerId",
  t.name as "trainerName", c.place_id as "placeId", p.name as "placeName",
  c.group_id as "groupId", g.name as "groupName", c.series_id as "seriesId", c.seats,
  (select count(*) from class_seats s where s.company_id = c.company_id and s.class_id = c.id
  and s.booking_id is not null)::int as taken,
  (select count(*) from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
  and b.state = 'came')::int as came,
  (select count(*) from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
  and b.state = 'waiting')::int as waiting,
  case when k.is_appointment then (select min(w.name) from class_bookings b
  join parties w on w.company_id = b.company_id and w.id = b.customer_id
    where b.company_id = c.company_id and b.class_id = c.id
      and b.state not in ('cancelled', 'late', 'waiting')) end as who,
  ${sees ? sql`c.price_agorot` : sql`null::bigint`} as "priceAgorot", c.state, c.notes,
  case when c.state = 'cancelled' then null when c.trainer_id is not null and ${overlapping('trainer_id')}
  then 'trainer' when c.place_id is not null and ${overlapping('place_id')} then 'place'
    when exists (select 1 from class_blocks b where b.company_id = c.company_id
    and (b.trainer_id = c.trainer_id or b.place_id = c.place_id) and b.starts_at < c.ends_at
    and b.ends_at > c.starts_at)
    then 'away' end as conflict`

/** Classes by a condition over `c`, in their order. */
export async function classesWhere(ctx: Ctx, condition: RawBuilder<unknown>): Promise<ClassView[]> {
  const { rows } = await sql<ClassView>`select ${columns(!ctx.caller.hideTotalPrices)} from classes c
    join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    left join class_trainers t on t.company_id = c.company_id and t.id = c.trainer_id
    left join class_places p on p.company_id = c.company_id and p.id = c.place_id
    left join class_groups g on g.company_id = c.company_id and g.id = c.group_id
    where c.company_id = ${ctx.companyId} and ${condition} order by c.starts_at, k.name, c.id
    limit ${most}`.execute(ctx.tx)
  return rows
}

export async function oneClass(ctx: Ctx, id: string): Promise<ClassView> {
  const [found] = await classesWhere(ctx, sql`c.id = ${id}`)
  if (!found) throw fail('kit.notFound')
  return found
}

/** The trainer that a person is; nothing where the person is none. */
export async function trainerOf(ctx: Ctx): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from class_trainers where company_id = ${ctx.companyId}
    and user_id = ${ctx.caller.userId} and archived_at is null`.execute(ctx.tx)
  return rows[0]
}

interface Asked {
  from: string
  to: string
  trainerId?: string | undefined
  placeId?: string | undefined
  kindId?: string | undefined
  cancelled?: 'true' | 'false' | undefined
}

export async function list(ctx: Ctx, { from, to, trainerId, placeId, kindId, cancelled }: Asked) {
  if (to < from) throw failField('to', 'fields.dayOrder')
  if (daysBetween(from, to) >= mostDays) throw failField('to', 'fields.range')
  const conditions = [
    sql`c.day between ${from} and ${to}`,
    ...(trainerId ? [sql`c.trainer_id = ${trainerId}`] : []),
    ...(placeId ? [sql`c.place_id = ${placeId}`] : []),
    ...(kindId ? [sql`c.kind_id = ${kindId}`] : []),
    ...(cancelled === 'true' ? [] : [sql`c.state <> 'cancelled'`]),
  ]
  return {
    rows: await classesWhere(ctx, sql.join(conditions, sql` and `)),
    blocks: await blocksOf(ctx, from, to, { trainerId, placeId }),
  }
}

export async function blocksOf(
  ctx: Ctx,
  from: string,
  to: string,
  {
    trainerId,
    placeId,
    id,
  }: { trainerId?: string | undefined; placeId?: string | undefined; id?: string } = {},
): Promise<ClassBlock[]> {
  const conditions = [
    sql`b.starts_at < ((${to}::date + 1)::timestamp at time zone 'Asia/Jerusalem')
        and b.ends_at > (${from}::date::timestamp at time zone 'Asia/Jerusalem')`,
    ...(id ? [sql`b.id = ${id}`] : []),
    ...(trainerId ? [sql`b.trainer_id = ${trainerId}`] : []),
    ...(placeId ? [sql`b.place_id = ${placeId}`] : []),
  ]
  // The reason of an absence is shown to people who arrange classes, and to the trainer concerned.
  const tells = can(ctx.caller, 'calendar.change')
  const { rows } = await sql<ClassBlock>`select b.id, b.trainer_id as "trainerId", t.name as "trainerName",
        b.place_id as "placeId", p.name as "placeName",
      b.starts_at as "startsAt", b.ends_at as "endsAt", case when ${tells} or t.user_id = ${ctx.caller.userId}
      then b.why else '' end as why, b.outside_id is not null as "isOutside"
    from class_blocks b left join class_trainers t on t.company_id = b.company_id and t.id = b.trainer_id
    left join class_places p on p.company_id = b.company_id and p.id = b.place_id
    where b.company_id = ${ctx.companyId} and ${sql.join(conditions, sql` and `)} order by b.starts_at
    limit 3000`.execute(ctx.tx)
  return rows
}
