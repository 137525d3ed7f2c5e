import { sql } from 'kysely'
import { addDays, dayInJerusalem, daysBetween, type Day } from '#domain/day.ts'
import { documentTypes, mayIssue, type BusinessKind } from '#domain/documents/kinds.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { parse } from '#kit/server/contract/failures.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { frozenDays, isPaidFor, lastDay, onePass, visitsLeft } from './read.ts'
import { tellEnd } from './tell.ts'

export interface Sold {
  kindId: string
  customerId: string
  fromDay?: string | undefined
  priceAgorot?: number | undefined
  people: string[]
  paper: boolean
  /** Bought by the customer: it covers nothing before it is paid. */
  paidFirst?: boolean
}

/** One line of money as the lines of a paper write it. */
export const written = (agorot: number): string =>
  `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`

/**
 * A draft over one thing that was sold, for the person who takes the money to finish: an invoice receipt, or a
 * payment request of who issues none.
 */
export async function draftOf(
  ctx: Ctx,
  customerId: string,
  line: { description: string; agorot: number; itemId: string | null },
): Promise<string | null> {
  if (line.agorot <= 0 || !can(ctx.caller, 'documents.draft')) return null
  const { kind } = await companyOf(ctx)
  const type =
    documentTypes[
      mayIssue(kind as BusinessKind, 'taxInvoiceReceipt') ? 'taxInvoiceReceipt' : 'paymentRequest'
    ].id
  const { draft: _, ...content } = parse(createDocument.input, {
    type,
    customerId,
    draft: true,
    // A price of a studio is what is paid: its VAT is in it.
    lines: [
      {
        description: line.description.slice(0, 500),
        quantity: '1',
        unitPrice: written(line.agorot),
        vatKind: 2,
        ...(line.itemId ? { itemId: line.itemId } : {}),
      },
    ],
  })
  return keepPrepared(ctx, await prepareDocument(ctx, content as never))
}

export async function sell(
  ctx: Ctx,
  { kindId, customerId, fromDay, priceAgorot, people, paper, paidFirst = false }: Sold,
) {
  const { rows } = await sql<{
    name: string
    visits: number | null
    days: number
    price: number
    people: number
    trial: boolean
    item: string | null
  }>`select name, visits, days, price_agorot as price, people, is_trial as trial, item_id as item
    from pass_kinds
    where company_id = ${ctx.companyId} and id = ${kindId} and archived_at is null`.execute(ctx.tx)
  const [kind] = rows
  if (!kind) throw failField('kindId', 'fields.ref')
  const everybody = [...new Set([customerId, ...people])]
  const { rows: known } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and id = any (${everybody}::uuid[])
      and role = 'customer' and archived_at is null
    for no key update`.execute(ctx.tx)
  if (!known.some(({ id }) => id === customerId)) throw failField('customerId', 'fields.ref')
  if (known.length < everybody.length) throw failField('people', 'fields.ref')
  if (everybody.length > kind.people) throw failField('people', 'passes.tooMany', { count: kind.people })
  if (kind.trial) {
    const { rows: had } =
      await sql`select 1 from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
      where p.company_id = ${ctx.companyId} and p.customer_id = ${customerId} and k.is_trial limit 1`.execute(
        ctx.tx,
      )
    if (had.length) throw failField('kindId', 'passes.trialOnce')
  }
  const from = fromDay ?? ctx.today
  const price = priceAgorot ?? kind.price
  const id = newId()
  const documentId = paper
    ? await draftOf(ctx, customerId, { description: kind.name, agorot: price, itemId: kind.item })
    : null
  await sql`insert into passes (company_id, id, kind_id, customer_id, visits, price_agorot, from_day, to_day,
      document_id, paid_first, created_by)
    values (${ctx.companyId}, ${id}, ${kindId}, ${customerId}, ${kind.visits}, ${price}, ${from},
      ${addDays(from, kind.days - 1)}, ${documentId}, ${paidFirst && price > 0},
      ${ctx.caller.userId})`.execute(ctx.tx)
  for (const one of everybody)
    await sql`insert into pass_people (company_id, pass_id, customer_id)
      values (${ctx.companyId}, ${id}, ${one})`.execute(ctx.tx)
  if (kind.visits !== null) await move(ctx, id, kind.visits, 'bought')
  await ctx.audit('passes.sell', 'passes', id, undefined, { kindId, customerId, priceAgorot: price })
  return onePass(ctx, id)
}

export async function move(
  ctx: Ctx,
  passId: string,
  visits: number,
  why: 'bought' | 'used' | 'returned' | 'expired' | 'ended' | 'fixed',
  bookingId: string | null = null,
  note = '',
): Promise<void> {
  await sql`insert into pass_moves (company_id, id, pass_id, visits, why, booking_id, note, by_user)
    values (${ctx.companyId}, ${newId()}, ${passId}, ${visits}, ${why}, ${bookingId}, ${note},
      ${ctx.caller.userId || null})
    on conflict (company_id, booking_id, why) where booking_id is not null do nothing`.execute(ctx.tx)
}

async function locked(ctx: Ctx, id: string) {
  const { rows } = await sql<{
    id: string
    visits: number | null
    from_day: string
    ended_at: string | null
    most: number
    frozen: number
  }>`select p.id, p.visits, p.from_day, p.ended_at, k.freeze_days as most, ${frozenDays} as frozen
    from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
    where p.company_id = ${ctx.companyId} and p.id = ${id} for update of p`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].ended_at) throw fail('passes.isEnded')
  return rows[0]
}

/** Frozen days make it last longer; a day on which a visit is booked with it cannot be frozen. */
export async function freeze(
  ctx: Ctx,
  { id, fromDay, toDay }: { id: string; fromDay: string; toDay: string },
) {
  const pass = await locked(ctx, id)
  if (toDay < fromDay) throw failField('toDay', 'fields.dayOrder')
  if (fromDay < pass.from_day) throw failField('fromDay', 'fields.range')
  const days = daysBetween(fromDay, toDay) + 1
  if (pass.frozen + days > pass.most)
    throw failField('toDay', 'passes.freezeTooLong', { count: Math.max(0, pass.most - pass.frozen) })
  const { rows: crossed } =
    await sql`select 1 from pass_freezes where company_id = ${ctx.companyId} and pass_id = ${id}
        and from_day <= ${toDay} and to_day >= ${fromDay}`.execute(ctx.tx)
  if (crossed.length) throw failField('fromDay', 'fields.range')
  const { rows: booked } = await sql<{
    day: string
  }>`select c.day from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
    where b.company_id = ${ctx.companyId} and b.pass_id = ${id}
      and b.state in ('held', 'booked', 'came', 'missed') and c.day between ${fromDay} and ${toDay} order by 1
      limit 1`.execute(ctx.tx)
  if (booked[0]) throw failField('fromDay', 'passes.frozenVisit', { day: booked[0].day })
  await sql`insert into pass_freezes (company_id, id, pass_id, from_day, to_day, created_by)
    values (${ctx.companyId}, ${newId()}, ${id}, ${fromDay}, ${toDay}, ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('passes.freeze', 'passes', id, undefined, { fromDay, toDay })
  return onePass(ctx, id)
}

export async function unfreeze(ctx: Ctx, { id, freezeId }: { id: string; freezeId: string }) {
  await locked(ctx, id)
  const { rows } = await sql`delete from pass_freezes where company_id = ${ctx.companyId} and pass_id = ${id}
        and id = ${freezeId} returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('passes.unfreeze', 'passes', id)
  return onePass(ctx, id)
}

export async function fix(ctx: Ctx, { id, visits, note }: { id: string; visits: number; note: string }) {
  const pass = await locked(ctx, id)
  if (visits === 0 || pass.visits === null) throw failField('visits', 'fields.range')
  await move(ctx, id, visits, 'fixed', null, note)
  await ctx.audit('passes.fix', 'passes', id, undefined, { visits, note })
  return onePass(ctx, id)
}

/** Ended by the desk, and closed with what was left in it. */
export async function end(ctx: Ctx, { id }: { id: string }) {
  await locked(ctx, id)
  const { left } = await onePass(ctx, id)
  if (left !== null && left > 0) await move(ctx, id, -left, 'ended')
  await sql`update passes set ended_at = now(), end_reason = 'cancelled', updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('passes.end', 'passes', id)
  return onePass(ctx, id)
}

const isOver = (today: string) =>
  sql`p.ended_at is null and p.to_day < ${today}::date and ${lastDay} < ${today}::date`

const expired = dueRows<Day>({
  name: 'passes.expire',
  given: (app) => dayInJerusalem(app.now()),
  due: (_app, today) =>
    sql`select p.company_id, p.id::text as key, p.to_day::timestamptz as at from passes p
      where ${isOver(today)}`,
  serve: async (ctx, id, today) => {
    await sql`select 1 from passes where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
    const { rows: still } = await sql<{
      left: number | null
      paid: boolean
    }>`select case when p.visits is not null then ${visitsLeft} end as left, ${isPaidFor} as paid
      from passes p where p.company_id = ${ctx.companyId} and p.id = ${id}
        and ${isOver(today)}`.execute(ctx.tx)
    if (!still[0]) return 0
    const { left, paid } = still[0]
    if (left !== null && left > 0) {
      await move(ctx, id, -left, 'expired')
      if (paid) await tellEnd(ctx, id, 'ended', left)
    }
    await sql`update passes set ended_at = now(), end_reason = 'expired', updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    return 1
  },
})

/** What has run out is closed with what was left in it, and told; each once. */
export const expire = (app: App, today: Day, stops?: () => boolean): Promise<number> =>
  serveDue(app, expired, { given: today, isOver: stops })

/** So many days before a pass ends its holder is notified. */
const warnDays = 7

const endsSoon = (today: string) => sql`p.ended_at is null and p.warned_at is null and p.order_id is null
    and p.to_day - p.from_day > ${warnDays} and p.to_day >= ${today}::date - 400
  and ${lastDay} between ${today}::date and ${today}::date + ${warnDays}::int
  and (p.visits is null or ${visitsLeft} > 0) and ${isPaidFor}`

const ending = dueRows<Day>({
  name: 'passes.warn',
  given: (app) => dayInJerusalem(app.now()),
  due: (_app, today) =>
    sql`select p.company_id, p.id::text as key, p.to_day::timestamptz as at from passes p
      where ${endsSoon(today)}`,
  serve: async (ctx, id, today) => {
    const { rows: mine } = await sql<{
      left: number | null
    }>`update passes p set warned_at = now() where p.company_id = ${ctx.companyId} and p.id = ${id}
        and ${endsSoon(today)}
      returning case when p.visits is not null then ${visitsLeft} end as left`.execute(ctx.tx)
    return mine[0] && (await tellEnd(ctx, id, 'ending', mine[0].left)) ? 1 : 0
  },
})

/**
 * Tells of each pass that ends soon, once; not of one that is renewed automatically, nor of a day or a week that
 * is over as soon as it begins.
 */
export const warn = (app: App, today: Day, stops?: () => boolean): Promise<number> =>
  serveDue(app, ending, { given: today, isOver: stops })
