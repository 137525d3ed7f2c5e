import { sql } from 'kysely'
import { addDays, addMonths, momentAt, startOfMonth, type Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { orderInput, type OrderInput } from '../endpoints.ts'
import { createOrder, pauseOrder } from './actions.ts'
import { step } from './make.ts'
import { orderOf } from './order.ts'

interface Customer {
  id: string
  isDealer: boolean | null
}

/** A paper of an order, to be paid like any other. */
interface Billed {
  documentId: string
  customerId: string
  agorot: number
}

/** The same business on another day, for what is made up of its past. */
const on = (ctx: Ctx, today: Day): Ctx => ({ ...ctx, today, now: momentAt(today, 6) })

const index: readonly (readonly [monthsAgo: number, value: string])[] = [
  [13, '103.1'],
  [12, '103.4'],
  [11, '103.3'],
  [10, '103.6'],
  [9, '104'],
  [8, '104.2'],
  [7, '104.3'],
  [6, '104.6'],
  [5, '104.9'],
  [4, '105.1'],
  [3, '105.2'],
  [2, '105.5'],
  [1, '105.4'],
]

/**
 * Standing orders of a demo business, lived through month by month: contracts of service that run, one linked
 * to the index, one collected by the bank, one that failed and is being mended, one paused, one that ended.
 * Answers what is to be done on the first of each month of its year.
 */
export async function showStandingOrders(
  ctx: Ctx,
  customers: readonly Customer[],
  start: Day,
): Promise<(month: Day) => Promise<Billed[]>> {
  for (const [monthsAgo, value] of index)
    await sql`insert into price_indices (company_id, month, value, source)
      values (${ctx.companyId}, ${startOfMonth(addMonths(ctx.today, -monthsAgo))}, ${value}, 'typed')
      on conflict do nothing`.execute(ctx.tx)
  await sql`insert into standing_campaigns (company_id, id, name, is_usual, steps)
    values (${ctx.companyId}, gen_random_uuid(), 'טיפול רגיל', true, ${JSON.stringify([
      { days: 0, on: 'any', deed: 'mail' },
      { days: 3, on: 'soft', deed: 'retry' },
      { days: 4, on: 'hard', deed: 'sms' },
      { days: 8, on: 'soft', deed: 'retry' },
      { days: 10, on: 'any', deed: 'mail' },
      { days: 15, on: 'any', deed: 'task' },
      { days: 20, on: 'any', deed: 'pause' },
    ])}::jsonb)`.execute(ctx.tx)
  const at = (i: number) => customers[i % customers.length]!.id
  const usual = {
    documentType: 8,
    billingDay: 1,
    send: 'none',
    partyKind: 'business',
    shift: 'none',
  } as const
  const month = (back: number) => {
    const day = startOfMonth(addMonths(ctx.today, -back))
    return day < start ? start : day
  }
  const wished: { from: Day; given: OrderInput }[] = [
    {
      title: 'חוזה שירות חודשי',
      customerId: at(0),
      startDay: start,
      lines: [{ description: 'שירות ותחזוקה, {חודש} {שנה}', unitPrice: '850' }],
    },
    {
      title: 'בדיקת לוחות רבעונית',
      customerId: at(2),
      startDay: start,
      everyN: 3,
      lines: [{ description: 'בדיקת לוחות {מיום}–{עד}', unitPrice: '1450' }],
    },
    {
      title: 'שכירות ציוד, צמוד מדד',
      customerId: at(3),
      startDay: month(8),
      linked: 'cpi',
      lines: [{ description: 'שכירות גנרטור, {חודש} {שנה}', unitPrice: '1200' }],
    },
    {
      title: 'כוננות לילה',
      customerId: at(4),
      startDay: month(5),
      times: 3,
      lines: [{ description: 'כוננות, תשלום {מספר מתוך מתוך}', unitPrice: '600' }],
    },
    {
      title: 'ניטור מרחוק',
      customerId: at(5),
      startDay: month(6),
      untilDay: addDays(startOfMonth(addMonths(ctx.today, 7)), -1),
      lines: [{ description: 'ניטור {חודש} {שנה}', unitPrice: '320' }],
      discountBp: 2000,
      discountTurns: 2,
    },
    {
      title: 'תחזוקת משרדים',
      customerId: at(1),
      startDay: month(7),
      lines: [{ description: 'תחזוקה {חודש} {שנה}', unitPrice: '480' }],
    },
  ].map(({ startDay, ...given }) => ({
    from: startDay,
    given: { ...usual, ...given, startDay } as OrderInput,
  }))
  const ids = new Map<OrderInput, string>()
  return async (today) => {
    const isNow = addMonths(today, 1) > ctx.today
    for (const { from, given } of wished) {
      if (from > today) continue
      const there = on(ctx, today)
      let id = ids.get(given)
      if (!id) {
        id = await createOrder(there, orderInput.parse(given))
        ids.set(given, id)
      }
      await step(there, id)
      if (isNow && given === wished[5]!.given)
        await pauseOrder(on(ctx, addDays(today, 1)), await orderOf(ctx, id, true), addMonths(today, 2), {
          words: 'הלקוח עובר משרד',
        })
    }
    if (isNow) await showFailing(ctx, at(6))
    const { rows } =
      await sql<Billed>`select d.id as "documentId", d.customer_id as "customerId", d.total_agorot as agorot
      from standing_periods p join documents d on d.company_id = p.company_id and d.id = p.document_id
      where p.company_id = ${ctx.companyId} and d.day = ${today}`.execute(ctx.tx)
    return rows
  }
}

/** By a card that nobody entered yet: it failed three days ago, and its customer was notified. */
async function showFailing(ctx: Ctx, customerId: string): Promise<void> {
  const day = addDays(ctx.today, -3)
  const there = on(ctx, day)
  const id = await createOrder(
    there,
    orderInput.parse({
      title: 'מנוי תאורת חירום',
      customerId,
      startDay: day,
      means: 'card',
      documentType: 9,
      partyKind: 'business',
      mayPause: true,
      lines: [{ description: 'מנוי {חודש} {שנה}', unitPrice: '350', vatKind: 2 }],
    }),
  )
  await step(there, id)
}
