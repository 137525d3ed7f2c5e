import { sql } from 'kysely'
import { addDays, weekday } from '#domain/day.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { formatMoment } from '#domain/format.ts'
import { fail } from '#kit/describe/errors.ts'
import { parse } from '#kit/server/contract/failures.ts'
import { underOrder } from '#kit/server/rights/authority.ts'
import { newId, type App, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { isLive, isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { insideOf } from '#kit/server/http/pageKeys.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { companyOf, faceOf } from '#features/base/companies/server/index.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { terminalFor } from '#features/money/acquirers/server/index.ts'
import { linkOfDocument } from '#features/money/paymentLinks/server/index.ts'
import {
  book,
  bookingFor,
  bookingPageKind,
  cancelBooking,
  confirmBooking,
  confirmPaid,
  costOf,
  doorCode,
  entryOf,
  healthHere,
  lockedBooking,
  turnOfBooking,
  turnOfClass,
} from '#features/calendar/bookings/server/index.ts'
import { mayUse, passesWhere, sellPass } from '#features/calendar/passes/server/index.ts'
import { lockPlaced, makeFeed, momentOf } from '#features/calendar/timetable/server/index.ts'
import type { MyBookings, ShownClass } from '../endpoints.ts'
import { customerOf, pageOfKey } from './who.ts'

const shownDays = 14

export async function show(
  ctx: OpenCtx,
  { key, lang, from: asked }: { key: string; lang?: Language | undefined; from?: string | undefined },
) {
  const page = await pageOfKey(ctx, key)
  return insideOf(ctx, page.company_id, async (inside) => {
    const company = await companyOf(inside)
    const from = asked && asked > inside.today ? asked : inside.today
    const to = addDays(from, shownDays - 1)
    const now = inside.now.toISOString()
    const { rows: classes } =
      await sql<ShownClass>`select c.id, c.kind_id as "kindId", coalesce(nullif(c.title, ''), k.name) as name,
          k.color, c.day, to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at,
        (extract(epoch from c.ends_at - c.starts_at) / 60)::int as minutes, t.name as trainer,
        c.trainer_id as "trainerId", concat_ws(', ', p.name, nullif(p.room, '')) as place,
        c.place_id as "placeId", c.seats,
        (select count(*) from class_seats s where s.company_id = c.company_id and s.class_id = c.id
        and s.booking_id is null)::int as free,
        (select count(*) from class_bookings b where b.company_id = c.company_id and b.class_id = c.id
        and b.state = 'waiting')::int as waiting, c.price_agorot as "priceAgorot",
        (c.starts_at - make_interval(mins => k.lead_minutes) > ${now} and c.day <= ${inside.today}::date +
        k.ahead_days) as "isBookable",
        k.cancel_hours as "cancelHours", k.late_fee_agorot as "lateFeeAgorot",
        k.no_show_fee_agorot as "noShowFeeAgorot", k.strikes
      from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id left
      join class_trainers t on t.company_id = c.company_id and t.id = c.trainer_id
      left join class_places p on p.company_id = c.company_id and p.id = c.place_id
      where c.company_id = ${inside.companyId} and c.state = 'planned' and c.group_id is null and k.is_public
        and not k.is_appointment and c.day between ${from} and ${to} and c.starts_at > ${now}
      order by c.starts_at, k.name, c.id limit 500`.execute(inside.tx)
    const { rows: kinds } = await sql<{
      kindId: string
      name: string
      minutes: number
      priceAgorot: number
      about: string
      cancelHours: number
      lateFeeAgorot: number
      noShowFeeAgorot: number
      strikes: number | null
    }>`select id as "kindId", name, minutes, price_agorot as "priceAgorot", about,
        cancel_hours as "cancelHours", late_fee_agorot as "lateFeeAgorot",
        no_show_fee_agorot as "noShowFeeAgorot", strikes from class_kinds
      where company_id = ${inside.companyId} and is_appointment and is_public and archived_at is null
      order by name limit 50`.execute(inside.tx)
    const { rows: trainers } = await sql<{
      id: string
      name: string
    }>`select id, name from class_trainers where company_id = ${inside.companyId} and archived_at is null
      and hours <> '[[],[],[],[],[],[],[]]'::jsonb order by name limit 100`.execute(inside.tx)
    const { rows: passes } = await sql<{
      id: string
      name: string
      visits: number | null
      days: number
      priceAgorot: number
      about: string
    }>`select id, name, visits, days, price_agorot as "priceAgorot", about from pass_kinds
      where company_id = ${inside.companyId} and is_public and archived_at is null order by price_agorot, name
      limit 50`.execute(inside.tx)
    return {
      ...faceOf(company),
      language: (['he', 'en', 'ar', 'ru', 'fr'] as const).find((one) => one === lang) ?? company.language,
      today: inside.today,
      from,
      to,
      welcome: page.welcome,
      newPeople: page.new_people,
      paysOnline: Boolean(await terminalFor(inside)),
      classes: classes.map((one) => ({ ...one, place: one.place || null })),
      appointments: trainers.length ? kinds.map((one) => ({ ...one, trainers })) : [],
      passes,
    }
  })
}

/**
 * Runs inside the business for a person whose phone was verified; `turn` names the resource that many may want at
 * once.
 */
async function asCustomer<T>(
  ctx: OpenCtx,
  { key, token }: { key: string; token: string },
  work: (inside: Ctx, me: { id: string; name: string }) => Promise<T>,
  turn?: (of: { app: App; companyId: string }) => string | undefined | Promise<string | undefined>,
): Promise<T> {
  const { company_id: companyId } = await pageOfKey(ctx, key)
  const run = () => insideOf(ctx, companyId, async (inside) => work(inside, await customerOf(inside, token)))
  const thing = await turn?.({ app: ctx.app, companyId })
  return thing === undefined ? run() : ctx.app.db.turns.take(thing, run, ctx.gone)
}

const past = 60

export const mine = (ctx: OpenCtx, given: { key: string; token: string }): Promise<MyBookings> =>
  asCustomer(ctx, given, async (inside, me) => {
    await confirmPaid(inside, sql`b.customer_id = ${me.id}`)
    const { rows } = await sql<{
      id: string
      classId: string
      name: string
      day: string
      at: string
      place: string | null
      trainer: string | null
      state: MyBookings['bookings'][number]['state']
      queue: number | null
      untilAt: string | null
      passName: string | null
      toPayAgorot: number
      startsAt: string
      endsAt: string
      isPast: boolean
      freeUntil: string
      isLate: boolean
      feeAgorot: number
    }>`select b.id, b.class_id as "classId", coalesce(nullif(c.title, ''), k.name) as name, c.day,
        to_char(c.starts_at at time zone 'Asia/Jerusalem', 'HH24:MI') as at,
        c.starts_at as "startsAt", c.ends_at as "endsAt",
        concat_ws(', ', p.name, nullif(p.room, '')) as place,
        t.name as trainer, b.state, case when b.state = 'waiting' then (select count(*) from class_bookings q
        where q.company_id = b.company_id and q.class_id = b.class_id and q.state = 'waiting'
          and (q.waits_since, q.id) <= (b.waits_since, b.id))::int end as queue,
        b.until_at as "untilAt", pk.name as "passName", case
        when b.state in ('booked', 'held', 'came', 'missed', 'late')
        and not coalesce(${isLive('d')} and greatest(d.open_agorot, d.asked_agorot) <=
        0, false)
          then case when b.state = 'late' then 0 else b.price_agorot end + b.fee_agorot
          else 0 end as "toPayAgorot",
        c.ends_at <= ${inside.now.toISOString()} as "isPast",
        c.starts_at - make_interval(hours => k.cancel_hours) as "freeUntil",
        (b.state = 'booked' and b.pays <> 'free' and c.starts_at - make_interval(hours => k.cancel_hours) <
        ${inside.now.toISOString()}) as "isLate", k.late_fee_agorot as "feeAgorot"
      from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
      join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
      left join class_places p on p.company_id = c.company_id and p.id = c.place_id left
      join class_trainers t on t.company_id = c.company_id and t.id = c.trainer_id
      left join passes ps on ps.company_id = b.company_id and ps.id = b.pass_id left
      join pass_kinds pk on pk.company_id = ps.company_id and pk.id = ps.kind_id
      left join documents d on d.company_id = b.company_id and d.id = b.document_id
      where b.company_id = ${inside.companyId} and b.customer_id = ${me.id} and b.state <> 'cancelled'
        and c.day > ${addDays(inside.today, -past)} order by c.starts_at <= now(),
        abs(extract(epoch from c.starts_at - now())) limit 100`.execute(inside.tx)
    const { refusals, healthUntil, needsHealth } = await entryOf(inside, me.id)
    const passes = await passesWhere(inside, mayUse(me.id), 50)
    return {
      name: me.name,
      // A debt, or the reason of a block, is a matter for the desk: the page says only to ask there.
      refusals,
      healthUntil,
      needsHealth,
      passes: passes
        .filter(({ state }) => state !== 'ended')
        .map(({ id, kindName, left, toDay, state }) => ({ id, name: kindName, left, toDay, state })),
      bookings: rows.map((one) => ({
        ...one,
        place: one.place || null,
        code:
          one.state === 'booked' && one.day === inside.today
            ? doorCode(inside.app, one.id, inside.now)
            : null,
      })),
    }
  })

/** Whether what has a price is paid before it is booked: where the business wants it so and takes cards. */
async function paysFirst(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{
    first: boolean
  }>`select pay_first as first from booking_pages where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]?.first === true && Boolean(await terminalFor(ctx))
}

export async function bookHere(
  ctx: OpenCtx,
  given: { key: string; token: string; classId: string; wait: boolean },
) {
  const work = async (inside: Ctx, me: { id: string }) => {
    const { rows } = await sql<{
      early: boolean
      closed: boolean
      may: boolean
    }>`select c.day > ${inside.today}::date + k.ahead_days as early,
        c.starts_at - make_interval(mins => k.lead_minutes) <= ${inside.now.toISOString()} as closed,
        (k.is_public and c.group_id is null and not k.is_appointment) as may from classes c
        join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
        where c.company_id = ${inside.companyId} and c.id = ${given.classId}`.execute(inside.tx)
    if (!rows[0]?.may) throw fail('kit.notFound')
    if (rows[0].early) throw fail('bookings.tooEarly')
    if (rows[0].closed) throw fail('bookings.closed')
    const { state, id } = await book(inside, {
      classId: given.classId,
      customerId: me.id,
      pays: 'auto',
      wait: given.wait,
      came: false,
      override: '',
      byWay: 'page',
      payFirst: await paysFirst(inside),
    })
    return { state, id }
  }
  return asCustomer(ctx, given, work, () => turnOfClass(given.classId))
}

interface SlotKind {
  id: string
  minutes: number
  before: number
  after: number
  lead: number
  ahead: number
  price: number
}

async function slotKind(ctx: Ctx, id: string): Promise<SlotKind> {
  const { rows } = await sql<SlotKind>`select id, minutes, buffer_before as before, buffer_after as after,
        lead_minutes as lead, ahead_days as ahead, price_agorot as price from class_kinds
    where company_id = ${ctx.companyId} and id = ${id} and is_appointment and is_public
      and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const every = 15
const minuteOf = (at: string): number => Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/**
 * Free start times on a day: inside the working hours of a trainer, not beside another class with the break both
 * need around them. The trainer with the fewest classes that day comes first.
 */
async function freeSlots(
  ctx: Ctx,
  kind: SlotKind,
  day: string,
  trainerId?: string,
): Promise<{ at: string; trainerId: string }[]> {
  if (day < ctx.today || day > addDays(ctx.today, kind.ahead)) return []
  const { rows: trainers } = await sql<{
    id: string
    hours: [string, string][][]
    load: number
  }>`select t.id, t.hours,
      (select count(*) from classes c where c.company_id = t.company_id and c.trainer_id = t.id
      and c.day = ${day} and c.state <> 'cancelled')::int as load from class_trainers t
      where t.company_id = ${ctx.companyId}
        and t.archived_at is null ${trainerId ? sql`and t.id = ${trainerId}` : sql``}
        order by load, t.name, t.id limit 50`.execute(ctx.tx)
  const { rows: taken } = await sql<{
    trainer: string
    from: number
    to: number
  }>`select c.trainer_id as trainer,
      extract(epoch from c.starts_at at time zone 'Asia/Jerusalem' - ${day}::date)::int / 60 - case
      when k.is_appointment then k.buffer_before else 0 end as from,
      extract(epoch from c.ends_at at time zone 'Asia/Jerusalem' - ${day}::date)::int / 60 + case
      when k.is_appointment then k.buffer_after else 0 end as to
    from classes c join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
    where c.company_id = ${ctx.companyId} and c.day between ${day}::date - 1 and ${day}::date + 1
      and c.state <> 'cancelled' and c.trainer_id is not null
    union all select b.trainer_id,
      extract(epoch from b.starts_at at time zone 'Asia/Jerusalem' - ${day}::date)::bigint / 60,
      extract(epoch from b.ends_at at time zone 'Asia/Jerusalem' - ${day}::date)::bigint / 60
      from class_blocks b where b.company_id = ${ctx.companyId} and b.trainer_id is not null
        and b.starts_at < ((${day}::date + 1)::timestamp at time zone 'Asia/Jerusalem')
        and b.ends_at > (${day}::date::timestamp at time zone 'Asia/Jerusalem')`.execute(ctx.tx)
  const { rows: first } = await sql<{
    minute: number
  }>`select extract(epoch from (${ctx.now.toISOString()}::timestamptz + make_interval(mins => ${kind.lead}))
      at time zone 'Asia/Jerusalem' - ${day}::date)::bigint / 60 as minute`.execute(ctx.tx)
  const slots = new Map<number, string>()
  for (const { id, hours } of trainers) {
    const busy = taken.filter(({ trainer }) => trainer === id)
    for (const [from, to] of hours[weekday(day)] ?? [])
      for (let at = minuteOf(from); at + kind.minutes <= minuteOf(to); at += every) {
        if (at < Number(first[0]!.minute) || slots.has(at)) continue
        if (
          !busy.some(
            (one) => Number(one.from) < at + kind.minutes + kind.after && Number(one.to) > at - kind.before,
          )
        )
          slots.set(at, id)
      }
  }
  return [...slots].toSorted(([a], [b]) => a - b).map(([at, id]) => ({ at: clock(at), trainerId: id }))
}

export async function slots(
  ctx: OpenCtx,
  {
    key,
    kindId,
    trainerId,
    day,
  }: { key: string; kindId: string; trainerId?: string | undefined; day: string },
) {
  const page = await pageOfKey(ctx, key)
  return insideOf(ctx, page.company_id, async (inside) => ({
    rows: await freeSlots(inside, await slotKind(inside, kindId), day, trainerId),
  }))
}

export async function appoint(
  ctx: OpenCtx,
  given: { key: string; token: string; kindId: string; trainerId: string; day: string; at: string },
) {
  const work = async (inside: Ctx, me: { id: string }) => {
    const kind = await slotKind(inside, given.kindId)
    // The person who asks for the same hour of the same person waits here, and then finds it gone.
    await lockPlaced(inside, { trainerId: given.trainerId })
    if (!(await freeSlots(inside, kind, given.day, given.trainerId)).some(({ at }) => at === given.at))
      throw fail('bookingPage.slotGone')
    const classId = newId()
    await sql`insert into classes (company_id, id, kind_id, trainer_id, starts_at, ends_at, day, seats,
        price_agorot)
        values (${inside.companyId}, ${classId}, ${kind.id}, ${given.trainerId},
          ${momentOf(given.day, given.at)},
      ${momentOf(given.day, given.at)} + make_interval(mins => ${kind.minutes}), ${given.day}, 1,
      ${kind.price})`.execute(inside.tx)
    await inside.audit('classes.create', 'classes', classId, undefined, {
      kindId: kind.id,
      day: given.day,
      at: given.at,
    })
    const { state, id } = await book(inside, {
      classId,
      customerId: me.id,
      pays: 'auto',
      wait: false,
      came: false,
      override: '',
      byWay: 'page',
      payFirst: await paysFirst(inside),
    })
    return { state, id }
  }
  return asCustomer(ctx, given, work, () => `trainer ${given.trainerId}`)
}

/** A booking of this person, and of nobody else. */
async function own(ctx: Ctx, me: { id: string }, id: string, read = lockedBooking) {
  const row = await read(ctx, id)
  if (row.customer_id !== me.id) throw fail('kit.notFound')
  return row
}

export const cancelHere = (ctx: OpenCtx, given: { key: string; token: string; id: string; late: boolean }) =>
  asCustomer(
    ctx,
    given,
    async (inside, me) => {
      const row = await own(inside, me, given.id)
      const cost = await costOf(inside, given.id)
      if (cost.isLate && row.state === 'booked' && row.pays !== 'free' && !given.late)
        throw fail('bookings.lateNow', { sum: cost.feeAgorot })
      await cancelBooking(inside, { id: given.id, waive: false })
      return { done: true as const }
    },
    (of) => turnOfBooking(given.id, of),
  )

export const confirmHere = (ctx: OpenCtx, given: { key: string; token: string; id: string }) =>
  asCustomer(
    ctx,
    given,
    async (inside, me) => {
      // What is held is taken by paying for it.
      if ((await own(inside, me, given.id)).state === 'held') throw fail('bookings.notOffered')
      const { state } = await confirmBooking(inside, { id: given.id, payFirst: await paysFirst(inside) })
      return { state }
    },
    (of) => turnOfBooking(given.id, of),
  )

/**
 * What a customer pays for on the page, within the limits of who set it up; undefined where it waits for approval.
 * A payment request is issued and paid on its page: the money has its paper whatever happens here.
 */
async function request(
  ctx: Ctx,
  customerId: string,
  description: string,
  agorot: number,
  itemId: string | null,
): Promise<string | undefined> {
  const { draft: _, ...content } = parse(createDocument.input, {
    type: documentTypes.paymentRequest.id,
    customerId,
    draft: true,
    // It is paid at once on the page that it opens; the credit terms of the customer are for what is billed.
    dueDate: ctx.today,
    lines: [
      {
        description: description.slice(0, 500),
        quantity: '1',
        unitPrice: `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`,
        vatKind: 2,
        ...(itemId ? { itemId } : {}),
      },
    ],
  })
  const made = await underOrder(ctx, bookingPageKind, ctx.companyId, async (bound) =>
    issuePrepared(bound, await prepareDocument(bound, content as never)),
  )
  return 'done' in made ? made.done.id : undefined
}

export async function pay(
  ctx: OpenCtx,
  given: { key: string; token: string; bookingId?: string | undefined; passKindId?: string | undefined },
) {
  // Counted before anything is held: the counter has a separate connection.
  await throttle(
    ctx.app,
    `bookingpay:${(await asCustomer(ctx, given, (_, me) => Promise.resolve(me))).id}`,
    12,
  )
  const found = await asCustomer(ctx, given, async (inside, me) => {
    if (!(await terminalFor(inside))) throw fail('bookingPage.notOnline')
    if (given.passKindId) {
      const { rows } = await sql<{
        name: string
        price: number
        item: string | null
      }>`select name, price_agorot as price, item_id as item from pass_kinds
        where company_id = ${inside.companyId} and id = ${given.passKindId} and is_public
          and archived_at is null`.execute(inside.tx)
      if (!rows[0]) throw fail('kit.notFound')
      if (rows[0].price <= 0) throw fail('bookings.nothingToPay')
      // The person who presses twice pays for the one that still waits.
      const { rows: waits } = await sql<{
        id: string
        document: string
      }>`select p.id, p.document_id as document from passes p join documents d on d.company_id = p.company_id
          and d.id = p.document_id
        where p.company_id = ${inside.companyId} and p.customer_id = ${me.id}
          and p.kind_id = ${given.passKindId} and p.paid_first and p.ended_at is null
          and ${isNotCancelled('d')} and greatest(d.open_agorot, d.asked_agorot) > 0 limit 1`.execute(
        inside.tx,
      )
      let documentId = waits[0]?.document
      if (!documentId) {
        documentId = await request(inside, me.id, rows[0].name, rows[0].price, rows[0].item)
        if (!documentId) return undefined
        const pass = await sellPass(inside, {
          kindId: given.passKindId,
          customerId: me.id,
          people: [],
          paper: false,
          paidFirst: true,
        })
        await sql`update passes set document_id = ${documentId} where company_id = ${inside.companyId}
            and id = ${pass.id}`.execute(inside.tx)
      }
      return { url: (await linkOfDocument(inside, documentId)).url }
    }
    if (!given.bookingId) throw fail('bookings.nothingToPay')
    const row = await own(inside, me, given.bookingId, bookingFor)
    const agorot = (row.state === 'late' ? 0 : row.price_agorot) + row.fee_agorot
    if (row.state === 'cancelled' || row.state === 'waiting' || agorot <= 0)
      throw fail('bookings.nothingToPay')
    let documentId: string | null | undefined = row.document_id
    const { of: held } = await costOf(inside, row.id)
    const { rows: of } = await sql<{
      status: string
      due: number
    }>`select status, greatest(open_agorot, asked_agorot) as due from documents
      where company_id = ${inside.companyId} and id = ${documentId}`.execute(inside.tx)
    if (of[0] && statusFacts(of[0].status).isLive && Number(of[0].due) <= 0)
      throw fail('bookings.nothingToPay')
    if (!of[0] || !statusFacts(of[0].status).isLive) {
      documentId = await request(
        inside,
        me.id,
        `${held.title || held.kind_name} ${held.day.slice(8)}/${held.day.slice(5, 7)}/${held.day.slice(0, 4)}`,
        agorot,
        held.item_id,
      )
      if (!documentId) return undefined
      await sql`update class_bookings set document_id = ${documentId}, updated_at = now()
        where company_id = ${inside.companyId} and id = ${row.id}`.execute(inside.tx)
    }
    // The payer reads the class, its day and its hour, and comes back to the own bookings.
    const link = await linkOfDocument(inside, documentId!, {
      description: `${held.title || held.kind_name} · ${formatMoment(new Date(held.starts_at))}`,
      backTo: `${siteOf(ctx.app)}/yeshfit/${given.key}?mine=1`,
    })
    return { url: link.url }
  })
  // Committed with the question: nothing can be paid here before somebody approved.
  if (!found) throw fail('bookingPage.notOnline')
  return found
}

export const health = (ctx: OpenCtx, given: { key: string; token: string }): Promise<{ url: string }> =>
  asCustomer(ctx, given, (inside, me) => healthHere(inside, me.id))

export const feed = (ctx: OpenCtx, given: { key: string; token: string }): Promise<{ url: string }> =>
  asCustomer(ctx, given, (inside, me) =>
    makeFeed(inside, { trainerId: null, placeId: null, customerId: me.id }),
  )
