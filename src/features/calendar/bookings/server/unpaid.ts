import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { markOfAddress } from '#kit/server/rights/address.ts'
import type { Ctx } from '#kit/server/context.ts'
import { paperIsPaid } from './paid.ts'

/*
 * Customers reserve seats and trainers' hours on the booking page without help, and pay later or never. A new
 * customer could reserve a whole month with one code, so the limit is lower until a first visit. Bookings by
 * pass or course and paid bookings are not counted; bookings that are free of charge are. New customers from one
 * address have a limit together, since one person may have many phones; customers who came before are not bound by
 * it, since many people may share an address.
 */

/** Open bookings to come that are not paid, and such bookings cancelled or lapsed within a day. */
const most = { known: { open: 20, ended: 20 }, fresh: { open: 5, ended: 5 } } as const
/** The same of all new customers from one address. */
const mostFromAddress = { open: 15, ended: 15 }

/**
 * Refuses a booking on the page by a customer who reserved much without paying. Under the lock of the
 * customer's row. Throws `bookings.tooManyUnpaid`.
 */
export async function checkUnpaid(ctx: Ctx, customerId: string): Promise<void> {
  const dayAgo = new Date(ctx.now.getTime() - 24 * 60 * 60_000).toISOString()
  const { rows } = await sql<{ open: number; ended: number; isKnown: boolean }>`select
      (count(*) filter (where b.state in ('held', 'booked', 'offered')
        and c.starts_at > ${ctx.now.toISOString()} and not ${paperIsPaid}))::int as open,
      (count(*) filter (where b.state = 'cancelled' and b.cancelled_at > ${dayAgo}))::int as ended,
      exists (select 1 from class_bookings k where k.company_id = ${ctx.companyId}
        and k.customer_id = ${customerId} and k.came_at is not null) as "isKnown"
    from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
    where b.company_id = ${ctx.companyId} and b.customer_id = ${customerId} and b.by_way = 'page'
      and b.pays in ('price', 'free')`.execute(ctx.tx)
  const { open, ended, isKnown } = rows[0]!
  const bound = isKnown ? most.known : most.fresh
  if (open >= bound.open || ended >= bound.ended) throw fail('bookings.tooManyUnpaid')
  if (!isKnown) await checkAddress(ctx)
}

async function checkAddress(ctx: Ctx): Promise<void> {
  const mark = markOfAddress(ctx)
  // Bookings from one address are serialized from here, whatever customer they are for.
  await sql`select pg_advisory_xact_lock(hashtextextended(${mark.toString('hex')}, 0))`.execute(ctx.tx)
  const dayAgo = new Date(ctx.now.getTime() - 24 * 60 * 60_000).toISOString()
  const { rows } = await sql<{ open: number; ended: number }>`select
      (count(*) filter (where b.state in ('held', 'booked', 'offered')
        and c.starts_at > ${ctx.now.toISOString()} and not ${paperIsPaid}))::int as open,
      (count(*) filter (where b.state = 'cancelled' and b.cancelled_at > ${dayAgo}))::int as ended
    from class_bookings b join classes c on c.company_id = b.company_id and c.id = b.class_id
    where b.company_id = ${ctx.companyId} and b.begun_from = ${mark} and b.pays in ('price', 'free')
      and not exists (select 1 from class_bookings k where k.company_id = b.company_id
        and k.customer_id = b.customer_id and k.came_at is not null)`.execute(ctx.tx)
  const { open, ended } = rows[0]!
  if (open >= mostFromAddress.open || ended >= mostFromAddress.ended) throw fail('bookings.tooManyUnpaid')
}
