import { sql, type RawBuilder } from 'kysely'
import { cancelling, offeredUntil, type Cancelling } from '#domain/calendar/rules.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { markOfAddress } from '#kit/server/rights/address.ts'
import { newId, ofAllCustomers, type App, type Ctx, type Language } from '#kit/server/context.ts'
import { isLive, isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { cancelDocument } from '#features/sales/documents/server/index.ts'
import { draftOf, movePass, passFor } from '#features/calendar/passes/server/index.ts'
import type { BookingView, bookingStates } from '../endpoints.ts'
import { missedTooOften, refusalsFor } from './entry.ts'
import { paperIsPaid } from './paid.ts'
import { oneBooking } from './read.ts'
import { tellBooking } from './tell.ts'
import { checkUnpaid } from './unpaid.ts'

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

async function classRow(ctx: Ctx, id: string, isHeld: boolean): Promise<ClassRow> {
  const { rows } =
    await sql<ClassRow>`select c.id, c.kind_id, k.name as kind_name, c.title, c.group_id, c.starts_at,
        c.ends_at, c.day, c.price_agorot, c.state, k.cancel_hours, k.late_fee_agorot,
      k.no_show_fee_agorot, k.item_id from classes c join class_kinds k on k.company_id = c.company_id
      and k.id = c.kind_id
    where c.company_id = ${ctx.companyId}
      and c.id = ${id} ${isHeld ? sql`for no key update of c` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/**
 * A class for a caller that changes its participants: its row is locked before the participants are read. So nobody
 * joins the waiting list because of a seat that was just released, and nobody releases one past somebody who is just
 * joining the list. A caller that changes the class itself locks the same row (`lockedClass` of the timetable).
 */
const classFor = (ctx: Ctx, id: string): Promise<ClassRow> => classRow(ctx, id, true)

/** Takes the first free seat for a booking of a class that is held; false when there is none. */
async function takeSeat(ctx: Ctx, classId: string, bookingId: string): Promise<boolean> {
  const { rows } =
    await sql`update class_seats set booking_id = ${bookingId} where company_id = ${ctx.companyId}
        and class_id = ${classId}
      and no = (select min(no) from class_seats where company_id = ${ctx.companyId} and class_id = ${classId}
      and booking_id is null) returning no`.execute(ctx.tx)
  return rows.length > 0
}

const freeSeat = (ctx: Ctx, bookingId: string) =>
  sql`update class_seats set booking_id = null where company_id = ${ctx.companyId}
      and booking_id = ${bookingId}`.execute(ctx.tx)

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
  /** What has its price is held until it is paid. */
  payFirst?: boolean
}

/** So long a seat is held for the person who pays for it, and never into the class. */
const holdMinutes = 10

const heldUntil = (ctx: Ctx, of: ClassRow): string =>
  new Date(Math.min(ctx.now.getTime() + holdMinutes * 60_000, new Date(of.starts_at).getTime())).toISOString()

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

/** The booking that was made of a press without a network, if it has arrived before. */
async function madeOf(ctx: Ctx, clientId: string | undefined): Promise<string | undefined> {
  if (!clientId) return undefined
  const { rows } = await sql<{
    id: string
  }>`select id from class_bookings where company_id = ${ctx.companyId} and client_id = ${clientId}`.execute(
    ctx.tx,
  )
  return rows[0]?.id
}

function checkOpen(ctx: Ctx, of: ClassRow, { came }: Booked): void {
  if (of.state === 'cancelled') throw fail('classes.isCancelled')
  if (new Date(of.ends_at) <= ctx.now && !came) throw fail('bookings.isOver')
}

/** Whether there is a free seat, whether the person is booked already, and whether others wait. */
async function lookAt(
  ctx: Ctx,
  classId: string,
  customerId: string,
): Promise<{ free: boolean; twice: boolean; waits: boolean }> {
  const { rows } = await sql<{
    free: boolean
    twice: boolean
    waits: boolean
  }>`select exists (select 1 from class_seats where company_id = ${ctx.companyId} and class_id = ${classId}
      and booking_id is null) as free,
      exists (select 1 from class_bookings where company_id = ${ctx.companyId} and class_id = ${classId}
      and customer_id = ${customerId} and state not in ('cancelled', 'late')) as twice,
      exists (select 1 from class_bookings where company_id = ${ctx.companyId} and class_id = ${classId}
      and state = 'waiting') as waits`.execute(ctx.tx)
  return rows[0]!
}

/** Carries out `book`; answers the booking's id. */
export async function enterBooking(ctx: Ctx, given: Booked): Promise<string> {
  const before = await madeOf(ctx, given.clientId)
  if (before) return before
  const seen = await classRow(ctx, given.classId, false)
  checkOpen(ctx, seen, given)
  const { rows: known } =
    await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${given.customerId}
        and role = 'customer' and archived_at is null
      ${given.byWay === 'page' ? sql`for no key update` : sql`for key share`}`.execute(ctx.tx)
  if (!known.length) throw failField('customerId', 'fields.ref')
  // Of hundreds who want the last seats most are answered by one look; nobody waits at the class to be told
  // that it is full.
  if (!given.wait) {
    const { free, twice } = await lookAt(ctx, given.classId, given.customerId)
    if (!free) throw fail(twice ? 'bookings.twice' : 'bookings.full')
  }
  await refuse(ctx, given.customerId, seen.kind_id, given.override, !given.came && given.byWay !== 'group')
  const of = await classFor(ctx, given.classId)
  // The same press may have come by another way meanwhile.
  const meanwhile = await madeOf(ctx, given.clientId)
  if (meanwhile) return meanwhile
  checkOpen(ctx, of, given)
  const { free, twice, waits } = await ofAllCustomers(ctx, () => lookAt(ctx, of.id, given.customerId))
  if (twice) throw fail('bookings.twice')
  // Nobody passes those who wait, but in the last hour.
  const queues = !free || (waits && offeredUntil(new Date(of.starts_at), ctx.now) !== null)
  if (queues && !given.wait) throw fail('bookings.full')
  const id = newId()
  const paid = await payment(ctx, of, given)
  const holds = !queues && given.payFirst === true && paid.pays === 'price'
  if (given.byWay === 'page' && !queues && (paid.pays === 'price' || paid.pays === 'free'))
    await checkUnpaid(ctx, given.customerId)
  await sql`insert into class_bookings (company_id, id, class_id, customer_id, state, waits_since, until_at,
      came_at, pays, pass_id, price_agorot, by_way, override_reason, client_id, created_by,
      begun_from)
    values (${ctx.companyId}, ${id}, ${of.id}, ${given.customerId},
      ${queues ? 'waiting' : holds ? 'held' : given.came ? 'came' : 'booked'},
      ${queues ? sql`clock_timestamp()` : null}, ${holds ? heldUntil(ctx, of) : null},
      ${given.came && !queues ? ctx.now.toISOString() : null}, ${paid.pays}, ${paid.passId},
      ${paid.priceAgorot}, ${given.byWay}, ${given.override}, ${given.clientId ?? null},
      ${ctx.caller.userId || null},
      ${given.byWay === 'page' ? markOfAddress(ctx) : null})`.execute(ctx.tx)
  if (queues) {
    await ctx.audit('bookings.wait', 'classBookings', id, undefined, { classId: of.id })
    return id
  }
  await takeSeat(ctx, of.id, id)
  if (paid.passId) await movePass(ctx, paid.passId, -1, 'used', id)
  await ctx.audit('bookings.make', 'classBookings', id, undefined, {
    classId: of.id,
    customerId: given.customerId,
    ...(given.override ? { override: given.override } : {}),
  })
  if (given.byWay === 'page' && !holds) await tellBooking(ctx, id, 'booked')
  return id
}

async function refuse(
  ctx: Ctx,
  customerId: string,
  kindId: string,
  override: string,
  books = false,
): Promise<void> {
  const reasons = await refusalsFor(ctx, customerId, kindId)
  if (books && (await missedTooOften(ctx, customerId, kindId))) reasons.push('strikes')
  if (!reasons.length) return
  if (!override) throw fail('bookings.refused', { reasons: reasons.join(',') })
  if (!can(ctx.caller, 'calendar.override')) throw forbidden({ rule: 'calendar.override' })
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

/** A booking alone, for the person who puts it onto a paper and leaves the people of its class as they are. */
export async function bookingFor(ctx: Ctx, id: string): Promise<BookingRow> {
  const { rows } =
    await sql<BookingRow>`select id, class_id, customer_id, state, pays, pass_id, price_agorot, fee_agorot,
        document_id from class_bookings
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/**
 * A booking for the person who means to change what is with it; its class is held before it (`classFor`), so that
 * all go one way.
 */
export async function lockedBooking(ctx: Ctx, id: string): Promise<BookingRow> {
  await classFor(ctx, await classOfBooking(ctx, id))
  return bookingFor(ctx, id)
}

/**
 * Those who change the people of one class take turns before they take a connection: its row lets one of them
 * in at a time.
 */
export const turnOfClass = (classId: string): string => `class ${classId}`

/** The same for the person who comes with a booking; undefined for one that is not there. */
export async function turnOfBooking(
  id: string,
  { app, companyId }: { app: App; companyId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{
    of: string
  }>`select class_id as of from class_bookings where company_id = ${companyId} and id = ${id}`.execute(
    app.db.kysely,
  )
  return rows[0] && turnOfClass(rows[0].of)
}

async function classOfBooking(ctx: Ctx, id: string): Promise<string> {
  const { rows } = await sql<{
    class_id: string
  }>`select class_id from class_bookings where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0].class_id
}

/** What cancelling this booking now would cost. */
export async function costOf(ctx: Ctx, id: string): Promise<Cancelling & { of: ClassRow }> {
  const of = await classRow(ctx, await classOfBooking(ctx, id), false)
  return {
    of,
    ...cancelling(
      {
        cancelHours: of.cancel_hours,
        lateFeeAgorot: of.late_fee_agorot,
        noShowFeeAgorot: of.no_show_fee_agorot,
      },
      new Date(of.starts_at),
      ctx.now,
    ),
  }
}

/** A booking of which nothing has become yet. */
export const isCancellable = (state: string): boolean =>
  ['booked', 'held', 'offered', 'waiting'].includes(state)

export async function cancelBooking(
  ctx: Ctx,
  { id, waive }: { id: string; waive: boolean },
): Promise<BookingView> {
  const row = await lockedBooking(ctx, id)
  if (row.state === 'cancelled' || row.state === 'late') return oneBooking(ctx, id)
  if (!isCancellable(row.state)) throw fail('bookings.kept')
  const { of, isLate, feeAgorot } = await costOf(ctx, id)
  // A seat that was only held, or a place in the queue, costs nothing.
  const late = isLate && !waive && row.state === 'booked' && row.pays !== 'free'
  await sql`update class_bookings set state = ${late ? 'late' : 'cancelled'},
      fee_agorot = ${late ? feeAgorot : 0}, until_at = null, cancelled_at = ${ctx.now.toISOString()},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await freeSeat(ctx, id)
  if (!late && row.pass_id && row.state === 'booked') await movePass(ctx, row.pass_id, 1, 'returned', id)
  if (row.state === 'held') await dropRequest(ctx, row.document_id)
  await ctx.audit(
    'bookings.cancel',
    'classBookings',
    id,
    { state: row.state },
    { late, ...(isLate && waive ? { waived: true } : {}) },
  )
  await offerNext(ctx, of.id)
  await freeHour(ctx, of.id)
  return oneBooking(ctx, id)
}

/** What a held seat was asked for is asked no longer. */
export async function dropRequest(ctx: Ctx, documentId: string | null): Promise<void> {
  const { rows } =
    await sql`select 1 from documents where company_id = ${ctx.companyId} and id = ${documentId}
    and ${isLive()} and greatest(open_agorot, asked_agorot) > 0`.execute(ctx.tx)
  if (!rows.length) return
  const { language } = await companyOf(ctx)
  await cancelDocument(ctx, { id: documentId!, reason: say(language as Language, 'bookings.notPaid') })
}

/**
 * An hour that was created for one person is free once that person cancelled: it blocks nobody and pays no trainer.
 * One that is booked by another by now, that somebody waits for, that belongs to a course or has begun stays.
 */
async function freeHour(ctx: Ctx, classId: string): Promise<void> {
  const freed = await ofAllCustomers(ctx, async () => {
    const { rows } = await sql`update classes c set state = 'cancelled', updated_at = now() from class_kinds k
      where c.company_id = ${ctx.companyId} and c.id = ${classId} and c.state = 'planned'
        and c.group_id is null and c.starts_at > ${ctx.now.toISOString()}
        and k.company_id = c.company_id and k.id = c.kind_id and k.is_appointment
        and not exists (select 1 from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
        and b.state not in ('cancelled', 'late')) returning c.id`.execute(ctx.tx)
    return rows.length > 0
  })
  if (freed) await ctx.audit('classes.cancel', 'classes', classId, undefined, { reason: '', classes: 1 })
}

/** A held seat is booked once its payment arrived, and the person is notified. */
export async function confirmPaid(ctx: Ctx, and: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    id: string
  }>`select b.id from class_bookings b where b.company_id = ${ctx.companyId} and b.state = 'held' and ${and}
      and ${paperIsPaid} order by b.class_id, b.id limit 100`.execute(ctx.tx)
  let booked = 0
  for (const { id } of rows) {
    const row = await lockedBooking(ctx, id)
    if (row.state !== 'held') continue
    await sql`update class_bookings set state = 'booked', until_at = null, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit('bookings.confirm', 'classBookings', id)
    await tellBooking(ctx, id, 'booked')
    booked++
  }
  return booked
}

/**
 * Offers each free seat to the first person waiting, who is notified and has until a stated hour. In the last hour
 * anybody may take it.
 */
export async function offerNext(ctx: Ctx, classId: string): Promise<number> {
  const of = await classFor(ctx, classId)
  const until = offeredUntil(new Date(of.starts_at), ctx.now)
  if (of.state !== 'planned' || !until) return 0
  return ofAllCustomers(ctx, async () => {
    for (let offered = 0; ; offered++) {
      const { rows } = await sql<{
        id: string
      }>`select id from class_bookings where company_id = ${ctx.companyId} and class_id = ${classId}
          and state = 'waiting' order by waits_since, id limit 1`.execute(ctx.tx)
      if (!rows[0] || !(await takeSeat(ctx, classId, rows[0].id))) return offered
      await sql`update class_bookings set state = 'offered', until_at = ${until.toISOString()},
          updated_at = now() where company_id = ${ctx.companyId} and id = ${rows[0].id}`.execute(ctx.tx)
      await ctx.audit('bookings.offer', 'classBookings', rows[0].id, undefined, {
        until: until.toISOString(),
      })
      await tellBooking(ctx, rows[0].id, 'offered')
    }
  })
}

export async function confirmBooking(
  ctx: Ctx,
  { id, payFirst = false }: { id: string; payFirst?: boolean },
): Promise<BookingView> {
  const row = await lockedBooking(ctx, id)
  if (row.state === 'booked') return oneBooking(ctx, id)
  const isWaiting = row.state === 'waiting'
  if (row.state !== 'offered' && row.state !== 'held' && !isWaiting) throw fail('bookings.notOffered')
  const of = await classFor(ctx, row.class_id)
  if (of.state === 'cancelled') throw fail('classes.isCancelled')
  // In the last hour the person who waits may take a free seat without being offered it.
  if (isWaiting) {
    if (offeredUntil(new Date(of.starts_at), ctx.now) !== null) throw fail('bookings.notOffered')
    if (!(await takeSeat(ctx, of.id, id))) throw fail('bookings.full')
  }
  // A pass may have run out while its holder waited: then the visit has its price.
  const paid =
    row.pays === 'pass' || row.pays === 'price'
      ? await payment(ctx, of, { customerId: row.customer_id, pays: 'auto' } as Booked)
      : undefined
  const holds = payFirst && paid?.pays === 'price'
  await sql`update class_bookings set state = ${holds ? 'held' : 'booked'},
      until_at = ${holds ? heldUntil(ctx, of) : null}, pays = ${paid?.pays ?? row.pays},
      pass_id = ${paid ? paid.passId : row.pass_id}, price_agorot = ${paid?.priceAgorot ?? row.price_agorot},
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (paid?.passId) await movePass(ctx, paid.passId, -1, 'used', id)
  await ctx.audit('bookings.confirm', 'classBookings', id)
  return oneBooking(ctx, id)
}

/** Came or did not; whichever is pressed last counts, and pressing it twice changes nothing. */
export async function markBooking(
  ctx: Ctx,
  {
    id,
    state,
    at,
    override,
  }: { id: string; state: 'came' | 'missed' | 'booked'; at?: string | undefined; override: string },
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
  await sql`update class_bookings set state = ${state}, came_at = ${state === 'came' ? pressed : null},
      fee_agorot = ${state === 'missed' && row.pays !== 'free' ? of.no_show_fee_agorot : 0},
    override_reason = case when ${override !== ''} then ${override} else override_reason end,
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'bookings.mark',
    'classBookings',
    id,
    { state: row.state },
    { state, ...(override ? { override } : {}) },
  )
  return oneBooking(ctx, id)
}

export async function chargeBooking(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ documentId: string; type: number }> {
  const row = await bookingFor(ctx, id)
  if (row.document_id) {
    const { rows } = await sql<{
      type: number
    }>`select type from documents where company_id = ${ctx.companyId} and id = ${row.document_id}
        and ${isNotCancelled()}`.execute(ctx.tx)
    if (rows[0]) return { documentId: row.document_id, type: rows[0].type }
  }
  const of = await classRow(ctx, row.class_id, false)
  const agorot = (row.state === 'cancelled' || row.state === 'late' ? 0 : row.price_agorot) + row.fee_agorot
  if (agorot <= 0 || row.state === 'cancelled') throw fail('bookings.nothingToPay')
  if (!can(ctx.caller, 'documents.draft')) throw forbidden({ rule: 'documents.draft' })
  const documentId = await draftOf(ctx, row.customer_id, {
    description: `${of.title || of.kind_name} ${of.day.slice(8)}/${of.day.slice(5, 7)}/${of.day.slice(0, 4)}`,
    agorot,
    itemId: of.item_id,
  })
  await sql`update class_bookings set document_id = ${documentId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('bookings.charge', 'classBookings', id, undefined, { documentId })
  const { rows } = await sql<{
    type: number
  }>`select type from documents where company_id = ${ctx.companyId} and id = ${documentId}`.execute(ctx.tx)
  return { documentId: documentId!, type: rows[0]!.type }
}
