import { sql } from 'kysely'
import { cancelling, offeredUntil, type Cancelling } from '#domain/calendar/rules.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { draftOf, movePass, passFor } from '#features/calendar/passes/server/index.ts'
import type { BookingView, bookingStates } from '../endpoints.ts'
import { refusalsFor } from './entry.ts'
import { oneBooking } from './read.ts'
import { tellBooking } from './tell.ts'

type State = (typeof bookingStates)[number]

interface ClassRow {
  id: string
  kind_id: string
  kind_name: string
  title: string
  group_id: string | null
  starts_at: string
  ends_at: string
  day: string
  price_agorot: number
  state: string
  cancel_hours: number
  late_fee_agorot: number
  no_show_fee_agorot: number
  item_id: string | null
}

/** A class nobody cancels meanwhile; many may book into it at once. */
export async function classFor(ctx: Ctx, id: string): Promise<ClassRow> {
  const { rows } =
    await sql<ClassRow>`select c.id, c.kind_id, k.name as kind_name, c.title, c.group_id, c.starts_at, c.ends_at, c.day, c.price_agorot, c.state, k.cancel_hours, k.late_fee_agorot,
      k.no_show_fee_agorot, k.item_id from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    where c.company_id = ${ctx.companyId} and c.id = ${id} for share of c`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/**
 * Takes the first free seat that nobody else is taking. Where all that are free are just being taken it waits: whoever takes one may yet be refused, and
 * nobody is told it is full while a seat comes back. False when there is none.
 */
async function takeSeat(ctx: Ctx, classId: string, bookingId: string): Promise<boolean> {
  const take = async (waits: boolean): Promise<boolean> => {
    const { rows } =
      await sql`update class_seats set booking_id = ${bookingId} where company_id = ${ctx.companyId} and class_id = ${classId}
      and no = (select no from class_seats where company_id = ${ctx.companyId} and class_id = ${classId} and booking_id is null order by no limit 1 for update ${waits ? sql`` : sql`skip locked`}) returning no`.execute(
        ctx.tx,
      )
    return rows.length > 0
  }
  for (;;) {
    if ((await take(false)) || (await take(true))) return true
    const { rows } =
      await sql`select 1 from class_seats where company_id = ${ctx.companyId} and class_id = ${classId} and booking_id is null limit 1`.execute(
        ctx.tx,
      )
    if (!rows.length) return false
  }
}

const freeSeat = (ctx: Ctx, bookingId: string) =>
  sql`update class_seats set booking_id = null where company_id = ${ctx.companyId} and booking_id = ${bookingId}`.execute(ctx.tx)

export interface Booked {
  classId: string
  customerId: string
  pays: 'auto' | 'price' | 'pass' | 'free' | 'group'
  passId?: string | undefined
  wait: boolean
  came: boolean
  override: string
  clientId?: string | undefined
  byWay: 'desk' | 'page' | 'trainer' | 'group' | 'api'
}

/** How a visit is paid: by the course, by a pass, or by its price. */
async function payment(
  ctx: Ctx,
  of: ClassRow,
  { customerId, pays, passId }: Booked,
): Promise<{ pays: 'price' | 'pass' | 'group' | 'free'; passId: string | null; priceAgorot: number }> {
  if (pays === 'group' || pays === 'free') return { pays, passId: null, priceAgorot: 0 }
  if (pays !== 'price') {
    const pass = await passFor(ctx, customerId, of.kind_id, of.day, passId)
    if (pass) return { pays: 'pass', passId: pass.id, priceAgorot: 0 }
    if (pays === 'pass') throw failField('passId', 'passes.notHis')
  }
  return of.price_agorot === 0
    ? { pays: 'free', passId: null, priceAgorot: 0 }
    : { pays: 'price', passId: null, priceAgorot: of.price_agorot }
}

export async function book(ctx: Ctx, given: Booked): Promise<BookingView> {
  return oneBooking(ctx, await enterBooking(ctx, given))
}

/** The deed of `book`; gives the booking's id. */
export async function enterBooking(ctx: Ctx, given: Booked): Promise<string> {
  if (given.clientId) {
    const { rows } = await sql<{
      id: string
    }>`select id from class_bookings where company_id = ${ctx.companyId} and client_id = ${given.clientId}`.execute(ctx.tx)
    if (rows[0]) return rows[0].id
  }
  const of = await classFor(ctx, given.classId)
  if (of.state === 'cancelled') throw fail('classes.isCancelled')
  if (new Date(of.ends_at) <= ctx.now && !given.came) throw fail('bookings.isOver')
  const { rows: known } =
    await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${given.customerId} and role = 'customer' and archived_at is null for key share`.execute(
      ctx.tx,
    )
  if (!known.length) throw failField('customerId', 'fields.ref')
  // Of hundreds who want the last seats most are answered by one look.
  if (!given.wait) {
    const { rows } = await sql<{
      free: boolean
      twice: boolean
    }>`select exists (select 1 from class_seats where company_id = ${ctx.companyId} and class_id = ${of.id} and booking_id is null) as free,
      exists (select 1 from class_bookings where company_id = ${ctx.companyId} and class_id = ${of.id} and customer_id = ${given.customerId} and state not in ('cancelled', 'late')) as twice`.execute(
      ctx.tx,
    )
    if (!rows[0]!.free) throw fail(rows[0]!.twice ? 'bookings.twice' : 'bookings.full')
  }
  await refuse(ctx, given.customerId, of.kind_id, given.override)
  const id = newId()
  const paid = await payment(ctx, of, given)
  const { rows: made } = await sql<{
    id: string
  }>`insert into class_bookings (company_id, id, class_id, customer_id, state, pays, pass_id, price_agorot, by_way, override_reason, client_id, created_by)
    values (${ctx.companyId}, ${id}, ${of.id}, ${given.customerId}, 'booked', ${paid.pays}, ${paid.passId}, ${paid.priceAgorot}, ${given.byWay}, ${given.override}, ${given.clientId ?? null}, ${ctx.caller.userId || null})
    on conflict (company_id, class_id, customer_id) where state not in ('cancelled', 'late') do nothing returning id`.execute(ctx.tx)
  if (!made.length) throw fail('bookings.twice')
  // Nobody passes those who wait, but in the last hour.
  const { rows: waiting } =
    await sql`select 1 from class_bookings where company_id = ${ctx.companyId} and class_id = ${of.id} and state = 'waiting' limit 1`.execute(
      ctx.tx,
    )
  const queues = waiting.length > 0 && offeredUntil(new Date(of.starts_at), ctx.now) !== null
  if (queues || !(await takeSeat(ctx, of.id, id))) {
    if (!given.wait) throw fail('bookings.full')
    await sql`update class_bookings set state = 'waiting', waits_since = clock_timestamp() where company_id = ${ctx.companyId} and id = ${id}`.execute(
      ctx.tx,
    )
    await ctx.audit('bookings.wait', 'classBookings', id, undefined, { classId: of.id })
    return id
  }
  if (paid.passId) await movePass(ctx, paid.passId, -1, 'used', id)
  if (given.came)
    await sql`update class_bookings set state = 'came', came_at = ${ctx.now.toISOString()} where company_id = ${ctx.companyId} and id = ${id}`.execute(
      ctx.tx,
    )
  await ctx.audit('bookings.make', 'classBookings', id, undefined, {
    classId: of.id,
    customerId: given.customerId,
    ...(given.override ? { override: given.override } : {}),
  })
  if (given.byWay === 'page') await tellBooking(ctx, id, 'booked')
  return id
}

async function refuse(ctx: Ctx, customerId: string, kindId: string, override: string): Promise<void> {
  const reasons = await refusalsFor(ctx, customerId, kindId)
  if (!reasons.length) return
  if (!override) throw fail('bookings.refused', { reasons: reasons.join(',') })
  if (!can(ctx.caller, 'calendar.override')) throw fail('session.forbidden')
}

interface BookingRow {
  id: string
  class_id: string
  customer_id: string
  state: State
  pays: string
  pass_id: string | null
  price_agorot: number
  fee_agorot: number
  document_id: string | null
}

export async function lockedBooking(ctx: Ctx, id: string): Promise<BookingRow> {
  const { rows } =
    await sql<BookingRow>`select id, class_id, customer_id, state, pays, pass_id, price_agorot, fee_agorot, document_id from class_bookings
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** What cancelling this booking now would cost. */
export async function costOf(ctx: Ctx, id: string): Promise<Cancelling & { of: ClassRow }> {
  const { rows } = await sql<{
    class_id: string
  }>`select class_id from class_bookings where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const of = await classFor(ctx, rows[0].class_id)
  return {
    of,
    ...cancelling(
      { cancelHours: of.cancel_hours, lateFeeAgorot: of.late_fee_agorot, noShowFeeAgorot: of.no_show_fee_agorot },
      new Date(of.starts_at),
      ctx.now,
    ),
  }
}

const cancellable: readonly State[] = ['booked', 'held', 'offered', 'waiting']

export async function cancelBooking(ctx: Ctx, { id, waive }: { id: string; waive: boolean }): Promise<BookingView> {
  const row = await lockedBooking(ctx, id)
  if (row.state === 'cancelled' || row.state === 'late') return oneBooking(ctx, id)
  if (!cancellable.includes(row.state)) throw fail('bookings.kept')
  const { of, isLate, feeAgorot } = await costOf(ctx, id)
  // A seat that was only kept for him, or a place in the queue, costs nothing.
  const late = isLate && !waive && row.state === 'booked' && row.pays !== 'free'
  await sql`update class_bookings set state = ${late ? 'late' : 'cancelled'}, fee_agorot = ${late ? feeAgorot : 0}, until_at = null, cancelled_at = ${ctx.now.toISOString()}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await freeSeat(ctx, id)
  if (!late && row.pass_id && row.state === 'booked') await movePass(ctx, row.pass_id, 1, 'returned', id)
  await ctx.audit('bookings.cancel', 'classBookings', id, { state: row.state }, { late, ...(isLate && waive ? { waived: true } : {}) })
  await offerNext(ctx, of.id)
  return oneBooking(ctx, id)
}

/** Offers each free seat to the first who waits: he is told, and has until an hour that is said. In the last hour it is anybody's. */
export async function offerNext(ctx: Ctx, classId: string): Promise<number> {
  const of = await classFor(ctx, classId)
  if (of.state !== 'planned') return 0
  const until = offeredUntil(new Date(of.starts_at), ctx.now)
  if (!until) return 0
  const { rows: waiting } =
    await sql`select 1 from class_bookings where company_id = ${ctx.companyId} and class_id = ${classId} and state = 'waiting' limit 1`.execute(ctx.tx)
  if (!waiting.length) return 0
  // Of two seats given back at once each would be offered past the other: one holds whom the other is to offer his to. The second waits and sees what the first did.
  await sql`select pg_advisory_xact_lock(hashtext(${`offers:${classId}`}))`.execute(ctx.tx)
  let offered = 0
  for (;;) {
    const { rows } = await sql<{
      id: string
    }>`select id from class_bookings where company_id = ${ctx.companyId} and class_id = ${classId} and state = 'waiting'
      order by waits_since, id limit 1 for update skip locked`.execute(ctx.tx)
    if (!rows[0] || !(await takeSeat(ctx, classId, rows[0].id))) return offered
    await sql`update class_bookings set state = 'offered', until_at = ${until.toISOString()}, updated_at = now() where company_id = ${ctx.companyId} and id = ${rows[0].id}`.execute(
      ctx.tx,
    )
    await ctx.audit('bookings.offer', 'classBookings', rows[0].id, undefined, { until: until.toISOString() })
    await tellBooking(ctx, rows[0].id, 'offered')
    offered++
  }
}

export async function confirmBooking(ctx: Ctx, { id }: { id: string }): Promise<BookingView> {
  const row = await lockedBooking(ctx, id)
  if (row.state === 'booked') return oneBooking(ctx, id)
  const isWaiting = row.state === 'waiting'
  if (row.state !== 'offered' && row.state !== 'held' && !isWaiting) throw fail('bookings.notOffered')
  const of = await classFor(ctx, row.class_id)
  if (of.state === 'cancelled') throw fail('classes.isCancelled')
  // In the last hour whoever waits may take a free seat without being offered it.
  if (isWaiting) {
    if (offeredUntil(new Date(of.starts_at), ctx.now) !== null) throw fail('bookings.notOffered')
    if (!(await takeSeat(ctx, of.id, id))) throw fail('bookings.full')
  }
  // A pass may have run out while he waited: then the visit has its price.
  const paid =
    row.pays === 'pass' || row.pays === 'price'
      ? await payment(ctx, of, { customerId: row.customer_id, pays: 'auto' } as Booked)
      : undefined
  await sql`update class_bookings set state = 'booked', until_at = null, pays = ${paid?.pays ?? row.pays}, pass_id = ${paid ? paid.passId : row.pass_id}, price_agorot = ${paid?.priceAgorot ?? row.price_agorot},
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (paid?.passId) await movePass(ctx, paid.passId, -1, 'used', id)
  await ctx.audit('bookings.confirm', 'classBookings', id)
  return oneBooking(ctx, id)
}

/** Came or did not; whichever is pressed last counts, and pressing it twice changes nothing. */
export async function markBooking(
  ctx: Ctx,
  { id, state, at, override }: { id: string; state: 'came' | 'missed' | 'booked'; at?: string | undefined; override: string },
): Promise<BookingView> {
  const row = await lockedBooking(ctx, id)
  if (row.state === state) return oneBooking(ctx, id)
  if (row.state === 'offered' || row.state === 'held') await confirmBooking(ctx, { id })
  else if (!['booked', 'came', 'missed'].includes(row.state)) throw fail('bookings.kept')
  const of = await classFor(ctx, row.class_id)
  if (of.state === 'cancelled') throw fail('classes.isCancelled')
  if (state === 'missed' && new Date(of.starts_at) > ctx.now) throw fail('bookings.kept')
  if (state === 'came') await refuse(ctx, row.customer_id, of.kind_id, override)
  const pressed = at && new Date(at) <= ctx.now ? at : ctx.now.toISOString()
  await sql`update class_bookings set state = ${state}, came_at = ${state === 'came' ? pressed : null}, fee_agorot = ${state === 'missed' && row.pays !== 'free' ? of.no_show_fee_agorot : 0},
    override_reason = case when ${override !== ''} then ${override} else override_reason end, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('bookings.mark', 'classBookings', id, { state: row.state }, { state, ...(override ? { override } : {}) })
  return oneBooking(ctx, id)
}

export async function chargeBooking(ctx: Ctx, { id }: { id: string }): Promise<{ documentId: string; type: number }> {
  const row = await lockedBooking(ctx, id)
  if (row.document_id) {
    const { rows } = await sql<{
      type: number
    }>`select type from documents where company_id = ${ctx.companyId} and id = ${row.document_id} and status <> 'cancelled'`.execute(ctx.tx)
    if (rows[0]) return { documentId: row.document_id, type: rows[0].type }
  }
  const of = await classFor(ctx, row.class_id)
  const agorot = (row.state === 'cancelled' || row.state === 'late' ? 0 : row.price_agorot) + row.fee_agorot
  if (agorot <= 0 || row.state === 'cancelled') throw fail('bookings.nothingToPay')
  if (!can(ctx.caller, 'documents.draft')) throw fail('session.forbidden')
  const documentId = await draftOf(ctx, row.customer_id, {
    description: `${of.title || of.kind_name} ${of.day.slice(8)}/${of.day.slice(5, 7)}/${of.day.slice(0, 4)}`,
    agorot,
    itemId: of.item_id,
  })
  await sql`update class_bookings set document_id = ${documentId}, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('bookings.charge', 'classBookings', id, undefined, { documentId })
  const { rows } = await sql<{
    type: number
  }>`select type from documents where company_id = ${ctx.companyId} and id = ${documentId}`.execute(ctx.tx)
  return { documentId: documentId!, type: rows[0]!.type }
}
