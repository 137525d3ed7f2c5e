import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import { classesWhere, oneClass } from '#features/calendar/timetable/server/index.ts'
import type { BookingView } from '../endpoints.ts'
import { refusalsOfMany } from './entry.ts'

type Stored = Omit<BookingView, 'refusals'> & { kindId: string }

async function storedWhere(ctx: Ctx, condition: RawBuilder<unknown>): Promise<Stored[]> {
  const sees = !ctx.caller.hideTotalPrices
  const { rows } =
    // Those asked for come first, and the rest is looked up by them, whatever the database has learned of its
    // tables so far.
    await sql<Stored>`with b as materialized (select * from class_bookings b
      where b.company_id = ${ctx.companyId} and ${condition})
    select b.id, b.class_id as "classId", b.customer_id as "customerId", w.name as "customerName",
      coalesce(nullif(w.mobile, ''), w.phone) as phone, nullif(w.custom_key, '') as "customerKey", b.state,
      b.pays,
      pk.name as "passName", case when p.visits is not null then (select sum(m.visits) from pass_moves m
      where m.company_id = b.company_id and m.pass_id = b.pass_id)::int end as "passLeft",
      ${sees ? sql`b.price_agorot` : sql`null::bigint`} as "priceAgorot",
      ${sees ? sql`b.fee_agorot` : sql`null::bigint`} as "feeAgorot",
      (b.pays <> 'price' and b.fee_agorot = 0) or (b.price_agorot + b.fee_agorot = 0)
      or coalesce(${isLive('d')} and greatest(d.open_agorot, d.asked_agorot) <= 0,
      false) as "isPaid",
      case when sees_type(d.type) then d.id end as "documentId",
      case when sees_type(d.type) then d.type end as "documentType", b.by_way as "byWay",
      c.kind_id as "kindId",
      case when b.state = 'waiting' then (select count(*) from class_bookings q
      where q.company_id = b.company_id and q.class_id = b.class_id and q.state = 'waiting'
        and (q.waits_since, q.id) <= (b.waits_since, b.id))::int end as place,
      b.until_at as "untilAt", b.came_at as "cameAt", b.created_at as "bookedAt", b.notes
    from b join classes c on c.company_id = b.company_id and c.id = b.class_id
    join parties w on w.company_id = b.company_id and w.id = b.customer_id
    left join passes p on p.company_id = b.company_id and p.id = b.pass_id left
    join pass_kinds pk on pk.company_id = p.company_id and pk.id = p.kind_id
    left join documents d on d.company_id = b.company_id and d.id = b.document_id
    order by b.class_id,
      array_position(array['came', 'booked', 'offered', 'held', 'missed', 'waiting', 'late', 'cancelled'],
      b.state), b.waits_since, w.name, b.id limit 2000`.execute(ctx.tx)
  return rows
}

export async function bookingsWhere(ctx: Ctx, condition: RawBuilder<unknown>): Promise<BookingView[]> {
  const stored = await storedWhere(ctx, condition)
  const kinds = new Map<string, Stored[]>()
  for (const one of stored) kinds.set(one.kindId, [...(kinds.get(one.kindId) ?? []), one])
  const found = new Map<string, BookingView['refusals']>()
  for (const [kindId, those] of kinds) {
    const of = await refusalsOfMany(
      ctx,
      those.map(({ customerId }) => customerId),
      kindId,
    )
    for (const one of those) found.set(one.id, of.get(one.customerId) ?? [])
  }
  return stored.map(({ kindId: _, ...one }) => ({ ...one, refusals: found.get(one.id) ?? [] }))
}

export async function oneBooking(ctx: Ctx, id: string): Promise<BookingView> {
  const [found] = await bookingsWhere(ctx, sql`b.id = ${id}`)
  if (!found) throw fail('kit.notFound')
  return found
}

/** What else somebody has at the time of a class, on the clock of its day. */
export async function clashOf(ctx: Ctx, { id, customerId }: { id: string; customerId: string }) {
  await oneClass(ctx, id)
  const { rows } = await sql<{
    classId: string
    name: string
    at: string
    to: string
  }>`select o.id as "classId", coalesce(nullif(o.title, ''), k.name) as name,
      to_char(o.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at,
      to_char(o.ends_at at time zone 'Asia/Jerusalem', 'HH24:MI') as to
    from classes c join classes o on o.company_id = c.company_id and o.id <> c.id and o.state = 'planned'
      and o.starts_at < c.ends_at and o.ends_at > c.starts_at
      join class_bookings b on b.company_id = o.company_id and b.class_id = o.id
        and b.customer_id = ${customerId} and b.state in ('booked', 'held', 'offered')
      join class_kinds k on k.company_id = o.company_id and k.id = o.kind_id
    where c.company_id = ${ctx.companyId} and c.id = ${id} order by o.starts_at, o.id limit 5`.execute(ctx.tx)
  return { rows }
}

const isGone = ({ state }: BookingView) => state === 'cancelled' || state === 'late'

export async function peopleOf(ctx: Ctx, { id }: { id: string }) {
  const row = await oneClass(ctx, id)
  const all = await bookingsWhere(ctx, sql`b.class_id = ${id}`)
  return { row, people: all.filter((one) => !isGone(one)), gone: all.filter(isGone) }
}

export async function deskDay(
  ctx: Ctx,
  { day = ctx.today }: { day?: string | undefined },
  ofTrainer?: string,
) {
  const rows = await classesWhere(
    ctx,
    sql`c.day = ${day}
        and c.state <> 'cancelled' ${ofTrainer ? sql`and c.trainer_id = ${ofTrainer}` : sql``}`,
  )
  const people = rows.length
    ? await bookingsWhere(
        ctx,
        sql`b.class_id = any (${rows.map(({ id }) => id)}::uuid[]) and b.state not in ('cancelled', 'late')`,
      )
    : []
  return {
    day,
    rows: rows.map((row) => ({ row, people: people.filter(({ classId }) => classId === row.id) })),
  }
}
