import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { ClassConflict } from '../endpoints.ts'

export interface Placed {
  day: string
  at: string
  minutes: number
  trainerId: string | null
  placeId: string | null
  seats?: number | undefined
  /** The class itself, where it is there already. */
  except?: string | undefined
  kindId?: string | null | undefined
}

/** The moment a clock in Jerusalem shows this time on this day. */
export const momentOf = (day: string, at: string) =>
  sql`((${day}::date + ${at}::time) at time zone 'Asia/Jerusalem')`

/**
 * What a class would collide with: its trainer's or its place's other classes (an appointment with its
 * buffers), what else its people have booked, absences, the hours of the place, and the room.
 */
export async function conflictsOf(
  ctx: Ctx,
  { day, at, minutes, trainerId, placeId, seats, except, kindId }: Placed,
): Promise<ClassConflict[]> {
  const { rows } = await sql<ClassConflict>`with w as (
      select ${momentOf(day, at)} - make_interval(mins => coalesce(k.buffer_before, 0)) as f,
        ${momentOf(day, at)} + make_interval(mins => ${minutes} + coalesce(k.buffer_after, 0)) as t
      from (select 1) one left join class_kinds k on k.company_id = ${ctx.companyId}
        and k.id = ${kindId ?? null}::uuid and k.is_appointment
    ), hits as (
      select case when c.trainer_id = ${trainerId}::uuid then 'trainer' else 'place' end as what,
        c.id as "classId", coalesce(nullif(c.title, ''), k.name) as name, c.starts_at as f, c.ends_at as t
        from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id cross join w
        where c.company_id = ${ctx.companyId} and c.state <> 'cancelled' and c.id is distinct
        from ${except ?? null}::uuid
          and (c.trainer_id = ${trainerId}::uuid or c.place_id = ${placeId}::uuid)
          and c.starts_at - make_interval(mins => case when k.is_appointment then k.buffer_before else 0 end)
          < w.t
          and c.ends_at + make_interval(mins => case when k.is_appointment then k.buffer_after else 0 end) >
          w.f
      union all select 'customer', c.id, w2.name, c.starts_at, c.ends_at from class_bookings mine cross join w
        join class_bookings b on b.company_id = mine.company_id and b.customer_id = mine.customer_id
          and b.class_id <> mine.class_id and b.state in ('booked', 'held', 'offered')
        join classes c on c.company_id = b.company_id and c.id = b.class_id and c.state = 'planned'
          and c.starts_at < w.t and c.ends_at > w.f
        join parties w2 on w2.company_id = b.company_id and w2.id = b.customer_id
        where mine.company_id = ${ctx.companyId} and mine.class_id = ${except ?? null}::uuid
          and mine.state in ('booked', 'held', 'offered')
      union all select 'away', null, coalesce(t.name, p.name), b.starts_at, b.ends_at from class_blocks b
      cross join w
        left join class_trainers t on t.company_id = b.company_id and t.id = b.trainer_id left
        join class_places p on p.company_id = b.company_id and p.id = b.place_id
        where b.company_id = ${ctx.companyId}
          and (b.trainer_id = ${trainerId}::uuid or b.place_id = ${placeId}::uuid) and b.starts_at < w.t
          and b.ends_at > w.f
      union all select 'hours', null, p.name, (${day}::date + coalesce(nullif(p.opens, ''), '00:00')::time) at
        time zone 'Asia/Jerusalem', (${day}::date + coalesce(nullif(p.closes, ''), '23:59')::time) at time
        zone 'Asia/Jerusalem'
        from class_places p cross join w where p.company_id = ${ctx.companyId} and p.id = ${placeId}::uuid
          and ((p.opens <> '' and ${at}::time < p.opens::time)
          or (p.closes <> '' and w.t > ((${day}::date + p.closes::time) at time zone 'Asia/Jerusalem')))
      union all select 'room', null, p.name, ${momentOf(day, at)}, w.t from class_places p cross join w
        where p.company_id = ${ctx.companyId} and p.id = ${placeId}::uuid and p.seats < ${seats ?? 0}
    ) select what, "classId", name, f as from, t as to,
        case when what in ('trainer', 'place') then to_char(t at time zone 'Asia/Jerusalem', 'HH24:MI') end as
        "freeAt" from hits order by f, what limit 20`.execute(ctx.tx)
  return rows
}

/** Living places in which nothing is at that time. */
export async function freePlaces(
  ctx: Ctx,
  { day, at, minutes, except, seats }: Placed,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select p.id, p.name from class_places p
    where p.company_id = ${ctx.companyId} and p.archived_at is null
      and (p.seats is null or p.seats >= ${seats ?? 0})
      and not exists (select 1 from classes c where c.company_id = p.company_id and c.place_id = p.id
      and c.state <> 'cancelled' and c.id is distinct from ${except ?? null}::uuid
        and c.starts_at < ${momentOf(day, at)} + make_interval(mins => ${minutes})
        and c.ends_at > ${momentOf(day, at)})
      and not exists (select 1 from class_blocks b where b.company_id = p.company_id and b.place_id = p.id
        and b.starts_at < ${momentOf(day, at)} + make_interval(mins => ${minutes})
        and b.ends_at > ${momentOf(day, at)})
    order by p.name limit 50`.execute(ctx.tx)
  return rows
}
