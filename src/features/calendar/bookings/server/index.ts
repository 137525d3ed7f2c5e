import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { App } from '#kit/server/context.ts'
import { eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import {
  book,
  cancelBooking,
  chargeBooking,
  confirmBooking,
  costOf,
  isCancellable,
  markBooking,
  turnOfBooking,
  turnOfClass,
} from './actions.ts'
import { banPerson, listEntries, unbanPerson } from './entry.ts'
import { askHealth, bringLetter } from './health.ts'
import { lapse, remind, setGroupPeople, settleHeld } from './follow.ts'
import { bookingOfCode, checkInByCode } from './pass.ts'
import { clashOf, deskDay, oneBooking, peopleOf } from './read.ts'
import { attendance } from './report.ts'
import { messageOfBooking } from './tell.ts'
import { billHours, listHours } from './hours.ts'
import { keepWords, listWords } from './words.ts'

export {
  book,
  bookingFor,
  cancelBooking,
  confirmBooking,
  confirmPaid,
  costOf,
  enterBooking,
  lockedBooking,
  markBooking,
  turnOfBooking,
  turnOfClass,
} from './actions.ts'
export { entryOf } from './entry.ts'
export { healthHere, keepHealth } from './health.ts'
export { lapse, remind, settleHeld } from './follow.ts'
export { bookingPageKind } from './pageOrders.ts'
export { doorCode } from './pass.ts'
export { bookingsWhere, deskDay, oneBooking } from './read.ts'

type Of = { app: App; companyId: string }
const turn = ({ id }: { id: string }, of: Of) => turnOfBooking(id, of)

const has = (state: string): boolean => ['booked', 'came', 'missed'].includes(state)

// What a merged customer booked is booked by the one who stays; where both are in one class, one of their two
// places goes to the person who waits.
registerFollower('customer', async (ctx, keepId, gone) => {
  for (const goneId of gone) {
    const { rows: both } = await sql<{
      id: string
      other: string
      state: string
      otherState: string
    }>`select b.id, b.state, o.id as other, o.state as "otherState" from class_bookings b
      join class_bookings o on o.company_id = b.company_id and o.class_id = b.class_id
        and o.customer_id = ${keepId} and o.state not in ('cancelled', 'late')
        join classes c on c.company_id = b.company_id and c.id = b.class_id
      where b.company_id = ${ctx.companyId} and b.customer_id = ${goneId}
        and b.state not in ('cancelled', 'late') order by c.starts_at, c.id`.execute(ctx.tx)
    for (const one of both) {
      // A seat that is had is worth more than one that is waited for or offered.
      const loses = has(one.state) && !has(one.otherState) ? one.other : one.id
      if (isCancellable(loses === one.id ? one.state : one.otherState))
        await cancelBooking(ctx, { id: loses, waive: true })
    }
    await sql`update class_bookings b set customer_id = ${keepId} where company_id = ${ctx.companyId}
        and customer_id = ${goneId}
      and (state in ('cancelled', 'late') or not exists (select 1 from class_bookings o
      where o.company_id = b.company_id and o.class_id = b.class_id and o.customer_id = ${keepId}
        and o.state not in ('cancelled', 'late')))`.execute(ctx.tx)
  }
  const those = sql`${[...gone]}::uuid[]`
  await sql`insert into class_group_people (company_id, group_id, customer_id, from_day, to_day)
    select company_id, group_id, ${keepId}::uuid, from_day, to_day from class_group_people
    where company_id = ${ctx.companyId} and customer_id = any (${those}) on conflict do nothing`.execute(
    ctx.tx,
  )
  await sql`delete from class_group_people where company_id = ${ctx.companyId}
      and customer_id = any (${those})`.execute(ctx.tx)
})

export const implementations: Implementation[] = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.listHours, listHours),
  implement(calls.deskDay, (ctx, given) => deskDay(ctx, given)),
  implement(calls.classPeople, peopleOf),
  implement(calls.bookingClash, clashOf),
  implement(calls.scanBooking, checkInByCode, async ({ text }, of: Of) => {
    const id = bookingOfCode(text)
    return id && turnOfBooking(id, of)
  }),
  implement(calls.getBooking, (ctx, { id }) => oneBooking(ctx, id)),
  implement(calls.bookingMessage, messageOfBooking),
  implement(
    calls.makeBooking,
    (ctx, given) => book(ctx, { ...given, byWay: ctx.caller.apiKey ? 'api' : 'desk' }),
    ({ classId }) => turnOfClass(classId),
  ),
  implement(calls.cancelBooking, cancelBooking, turn),
  implement(calls.markBooking, markBooking, turn),
  implement(calls.confirmBooking, confirmBooking, turn),
  implement(calls.chargeBooking, chargeBooking),
  implement(calls.cancelCost, async (ctx, { id }) => {
    const { isLate, feeAgorot, returnsVisit, freeUntil } = await costOf(ctx, id)
    return { isLate, feeAgorot, returnsVisit, freeUntil: freeUntil.toISOString() }
  }),
  implement(calls.listEntries, listEntries),
  implement(calls.ban, banPerson),
  implement(calls.unban, unbanPerson),
  implement(calls.askHealth, askHealth),
  implement(calls.bringLetter, bringLetter),
  implement(calls.groupPeople, async (ctx, { id }) => {
    const { rows: there } =
      await sql`select 1 from class_groups where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    if (!there.length) throw fail('kit.notFound')
    const { rows } = await sql<{
      customerId: string
      customerName: string
      phone: string | null
      fromDay: string
      toDay: string | null
    }>`select g.customer_id as "customerId", w.name as "customerName", coalesce(nullif(w.mobile, ''), w.phone)
        as phone, g.from_day as "fromDay", g.to_day as "toDay"
      from class_group_people g join parties w on w.company_id = g.company_id and w.id = g.customer_id
      where g.company_id = ${ctx.companyId} and g.group_id = ${id} order by w.name, w.id`.execute(ctx.tx)
    return { rows }
  }),
  implement(calls.setGroupPeople, setGroupPeople),
  implement(calls.listBookingWords, listWords),
  implement(calls.billHours, billHours),
  implement(calls.keepBookingWords, keepWords),
]

export const reports = [attendance]

const minute = 60_000

export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, 'bookings', minute, (isOver) =>
      eachOf(
        () => lapse(app, isOver),
        () => settleHeld(app),
        () => remind(app, isOver),
      ),
    ),
  )

export const machines: Machines = {
  'timer index.ts': { orders: ['bookingPages'] },
}
