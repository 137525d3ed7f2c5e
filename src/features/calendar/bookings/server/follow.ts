import { sql } from 'kysely'
import { isAsked } from '#kit/server/rights/authority.ts'
import { ofAllCustomers, type App, type Ctx } from '#kit/server/context.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { fail, failField, Failure } from '#kit/describe/errors.ts'
import { movePass } from '#features/calendar/passes/server/index.ts'
import { registerClassListener } from '#features/calendar/timetable/server/index.ts'
import { book, cancelBooking, confirmPaid, dropRequest, lockedBooking, offerNext } from './actions.ts'
import { bookingPageKind, mayRemind } from './pageOrders.ts'
import { paperIsPaid } from './paid.ts'
import { tellBooking } from './tell.ts'

/** What becomes of a class becomes of those who booked it, in the same transaction. */
registerClassListener((ctx, turn, classId, reason) =>
  ofAllCustomers(ctx, async () => {
    if (turn === 'made') {
      await bookGroup(ctx, classId)
      return 0
    }
    if (turn === 'seats') {
      await offerNext(ctx, classId)
      return 0
    }
    const { rows } = await sql<{
      id: string
      state: string
      pass_id: string | null
      document_id: string | null
    }>`select id, state, pass_id, document_id from class_bookings where company_id = ${ctx.companyId}
        and class_id = ${classId}
    and state in ('booked', 'held', 'offered', 'waiting', 'came', 'missed') order by id for update`.execute(
      ctx.tx,
    )
    let told = 0
    for (const one of rows) {
      if (turn === 'cancelled') {
        await sql`update class_bookings set state = 'cancelled', fee_agorot = 0, price_agorot = 0,
            until_at = null, cancelled_at = ${ctx.now.toISOString()}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${one.id}`.execute(ctx.tx)
        await sql`update class_seats set booking_id = null where company_id = ${ctx.companyId}
            and booking_id = ${one.id}`.execute(ctx.tx)
        if (one.state === 'held') await dropRequest(ctx, one.document_id)
        // Whatever was used for it is refunded, however late it is: the customer did not cancel.
        if (one.pass_id && ['booked', 'came', 'missed'].includes(one.state))
          await movePass(ctx, one.pass_id, 1, 'returned', one.id)
      }
      if (await tellBooking(ctx, one.id, turn, reason)) told++
    }
    if (turn === 'moved') {
      // No offer reaches into the last hour before the new beginning; and what was free in that hour waits
      // for an answer again when it is farther away.
      await sql`update class_bookings b set until_at = least(b.until_at, c.starts_at - interval '1 hour'),
          updated_at = now() from classes c
        where c.company_id = b.company_id and c.id = b.class_id and b.company_id = ${ctx.companyId}
          and b.class_id = ${classId} and b.state in ('held', 'offered')`.execute(ctx.tx)
      await offerNext(ctx, classId)
    }
    return told
  }),
)

/**
 * Books every participant of a course into each of its classes. Answers how many were booked and how many found no
 * seat.
 */
async function bookGroup(ctx: Ctx, classId: string): Promise<{ booked: number; full: number }> {
  const { rows } = await sql<{
    customer_id: string
  }>`select g.customer_id from classes c join class_group_people g on g.company_id = c.company_id
      and g.group_id = c.group_id
    where c.company_id = ${ctx.companyId} and c.id = ${classId} and c.state = 'planned'
      and c.day >= g.from_day and (g.to_day is null or c.day <= g.to_day)
      and not exists (select 1 from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
      and b.customer_id = g.customer_id and b.by_way = 'group')
      and not exists (select 1 from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
      and b.customer_id = g.customer_id and b.state not in ('cancelled', 'late'))
    order by g.created_at, g.customer_id`.execute(ctx.tx)
  let booked = 0
  let full = 0
  for (const { customer_id: customerId } of rows)
    try {
      await sql`savepoint seat`.execute(ctx.tx)
      await book(ctx, {
        classId,
        customerId,
        pays: 'group',
        wait: false,
        came: false,
        override: '',
        byWay: 'group',
      })
      await sql`release savepoint seat`.execute(ctx.tx)
      booked++
    } catch (e) {
      // No room, or entry is blocked: the course goes on without this participant, and it is reported.
      if (!(e instanceof Failure)) throw e
      await sql`rollback to savepoint seat`.execute(ctx.tx)
      full++
    }
  return { booked, full }
}

interface Member {
  customerId: string
  fromDay: string
  toDay: string | null
}

/**
 * Sets who belongs to a course: the person who is new is booked into what is still to be, the person who left is taken out
 * of it.
 */
export async function setGroupPeople(ctx: Ctx, { id, people }: { id: string; people: Member[] }) {
  const { rows } = await sql`select 1 from class_groups where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  const seen = new Set<string>()
  for (const [n, one] of people.entries()) {
    await checkRef(ctx, `people.${n}.customerId`, 'parties', one.customerId, sql`role = 'customer'`)
    if (seen.has(one.customerId)) throw failField(`people.${n}.customerId`, 'bookings.twice')
    seen.add(one.customerId)
    if (one.toDay && one.toDay < one.fromDay) throw failField(`people.${n}.toDay`, 'fields.dayOrder')
  }
  // Bookings of others stay: a person who sees only their own customers did not see them.
  await sql`delete from class_group_people g where company_id = ${ctx.companyId} and group_id = ${id}
      and not customer_id = any (${[...seen]}::uuid[])
    and exists (select 1 from parties w where w.company_id = g.company_id and w.id = g.customer_id)`.execute(
    ctx.tx,
  )
  for (const one of people)
    await sql`insert into class_group_people (company_id, group_id, customer_id, from_day, to_day)
      values (${ctx.companyId}, ${id}, ${one.customerId}, ${one.fromDay}, ${one.toDay})
      on conflict (company_id, group_id, customer_id) do update set from_day = excluded.from_day,
        to_day = excluded.to_day`.execute(ctx.tx)
  // All of the course's classes are held first, in the order of the calendar, so that two such changes never
  // wait for each other crosswise.
  const { rows: ahead } = await sql<{
    id: string
  }>`select id from classes where company_id = ${ctx.companyId} and group_id = ${id} and state = 'planned'
      and starts_at > ${ctx.now.toISOString()} order by starts_at, id
    for no key update`.execute(ctx.tx)
  const { rows: gone } = await sql<{
    id: string
  }>`select b.id from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
    left join class_group_people g on g.company_id = c.company_id and g.group_id = c.group_id
      and g.customer_id = b.customer_id
    where b.company_id = ${ctx.companyId} and c.group_id = ${id} and b.pays = 'group' and b.state = 'booked'
      and c.starts_at > ${ctx.now.toISOString()}
      and (g.customer_id is null or c.day < g.from_day or c.day > g.to_day)`.execute(ctx.tx)
  for (const one of gone) await cancelBooking(ctx, { id: one.id, waive: true })
  let booked = 0
  let full = 0
  for (const one of ahead) {
    const done = await bookGroup(ctx, one.id)
    booked += done.booked
    full += done.full
  }
  await ctx.audit('classGroups.setPeople', 'classGroups', id, undefined, { people: people.length })
  return { booked, cancelled: gone.length, full }
}

const paidSeats = dueRows({
  name: 'bookings.paid',
  due: () => sql`select b.company_id, b.id::text as key, b.until_at as at from class_bookings b
    where b.state = 'held' and b.until_at is not null and ${paperIsPaid}`,
  serve: (ctx, id) => confirmPaid(ctx, sql`b.id = ${id}`),
})

/** Held seats that were paid are booked. */
export const settlePaid = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, paidSeats, { isOver })

/**
 * Paid, or perhaps: the acquirer has not answered yet. What is paid after the seat went to another person is refunded,
 * because its document is cancelled.
 */
const isPaidPerhaps = sql`(b.state = 'held'
    and (${paperIsPaid}
    or exists (select 1 from charges h where h.company_id = b.company_id and h.document_id = b.document_id
  and h.state in ('unknown', 'needsPerson'))))`

const isLapsed = (now: Date) => sql`b.state in ('held', 'offered') and b.until_at < ${now}
    and not ${isPaidPerhaps}`

const lapsedSeats = dueRows({
  name: 'bookings.lapse',
  due: (app) => sql`select b.company_id, b.id::text as key, b.until_at as at from class_bookings b
    where ${isLapsed(app.now())}`,
  serve: async (ctx, id) => {
    await lockedBooking(ctx, id)
    const { rows: still } = await sql`select 1 from class_bookings b where b.company_id = ${ctx.companyId}
      and b.id = ${id} and ${isLapsed(ctx.now)}`.execute(ctx.tx)
    if (!still.length) return 0
    await cancelBooking(ctx, { id, waive: true })
    return 1
  },
})

/** What was kept for somebody and not taken in time is free again. */
export async function lapse(app: App, isOver?: () => boolean): Promise<number> {
  await settlePaid(app, isOver)
  return serveDue(app, lapsedSeats, { isOver })
}

/** A class that is over has been held. */
export const settleHeld = (app: App): Promise<unknown> =>
  sql`update classes set state = 'held', updated_at = now()
    where state = 'planned' and ends_at < ${app.now().toISOString()}`.execute(app.db.kysely)

const reminders = dueRows({
  name: 'bookings.remind',
  due: (app) => {
    const now = app.now()
    return sql`select b.company_id, b.id::text as key, c.starts_at as at from class_bookings b
      join classes c on c.company_id = b.company_id and c.id = b.class_id
      join booking_pages t on t.company_id = b.company_id where t.remind_hours > 0 and b.state = 'booked'
        and not ${isAsked(bookingPageKind, 'company_id')}
        and b.reminded_at is null and c.state = 'planned' and c.starts_at > ${now}
        and c.starts_at < ${now}::timestamptz + t.remind_hours * interval '1 hour'
        and b.created_at < c.starts_at - t.remind_hours * interval '1 hour'`
  },
  serve: async (ctx, id) => {
    if (!(await mayRemind(ctx))) return 0
    const { rows: mine } =
      await sql`update class_bookings set reminded_at = ${ctx.now} where company_id = ${ctx.companyId}
          and id = ${id} and reminded_at is null and state = 'booked' returning id`.execute(ctx.tx)
    return mine.length && (await tellBooking(ctx, id, 'reminder')) ? 1 : 0
  },
})

/** Reminds the person who booked, so many hours before as the business said; each once. */
export const remind = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, reminders, { isOver })
