import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { forbids, type NoticeKind } from '#domain/standingOrders/notices.ts'
import { turnFrom } from '#domain/standingOrders/schedule.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  isOver,
  noticesFor,
  orderOf,
  planOf,
  tellStep,
  versionOn,
  versionsOf,
  type StoredOrder,
  type Version,
} from './order.ts'
import { languageOf, personOf, tellCustomer } from './tell.ts'
import { factsOf, workTurn } from './turns.ts'

interface Kept {
  kind: NoticeKind
  forDay: Day
  fromDay: Day
  toDay: Day
  sentAt: string | null
}

export async function noticesOfOrder(ctx: Ctx, orderId: string): Promise<Kept[]> {
  const { rows } = await sql<Kept>`select kind, for_day as "forDay", from_day as "fromDay", to_day as "toDay",
        sent_at as "sentAt"
    from standing_notices where company_id = ${ctx.companyId} and order_id = ${orderId}
    order by from_day, kind`.execute(ctx.tx)
  return rows
}

/** Recalculates the notices of an order; sent ones stay sent. */
export async function planNotices(ctx: Ctx, order: StoredOrder, versions: readonly Version[]): Promise<void> {
  await sql`delete from standing_notices where company_id = ${ctx.companyId} and order_id = ${order.id}
      and sent_at is null`.execute(ctx.tx)
  if (isOver(order)) return
  for (const { kind, forDay, from, to } of noticesFor(order, versions))
    await sql`insert into standing_notices (company_id, order_id, kind, for_day, from_day, to_day)
      values (${ctx.companyId}, ${order.id}, ${kind}, ${forDay}, ${from}, ${to})
      on conflict do nothing`.execute(ctx.tx)
}

/** Sends one notice, or says on the timeline that there is nowhere to send it. Answers whether it left. */
export async function sendNotice(
  ctx: Ctx,
  order: StoredOrder,
  { kind, forDay }: Pick<Kept, 'kind' | 'forDay'>,
): Promise<boolean> {
  const versions = await versionsOf(ctx, order.id)
  const language = languageOf(order, await personOf(ctx, order))
  const sums = await sumsAround(ctx, order, versions, kind, forDay)
  const shown = (agorot: number | undefined) =>
    agorot === undefined ? '' : withCurrency(agorot, order.currency, language)
  const sent = await tellCustomer(
    ctx,
    order,
    kind,
    {
      day: formatDay(forDay),
      from: formatDay(kind === 'raise' ? forDay : addDays(forDay, 1)),
      before: shown(sums.before),
      after: shown(sums.after),
    },
    kind === 'endShort' ? 'sms' : 'mail',
  )
  if (!sent) {
    await tellStep(ctx, order.id, 'noticeNoAddress', { what: kind, day: forDay })
    return false
  }
  await sql`update standing_notices set sent_at = ${ctx.now}, message_id = ${sent.id}
    where company_id = ${ctx.companyId} and order_id = ${order.id} and kind = ${kind}
      and for_day = ${forDay}`.execute(ctx.tx)
  await tellStep(ctx, order.id, 'notice', { what: kind, day: forDay, to: sent.to })
  return true
}

/** What is charged before and after the day a notice tells of. */
async function sumsAround(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  kind: NoticeKind,
  forDay: Day,
): Promise<{ before?: number; after?: number }> {
  const plan = planOf(order)
  const after =
    kind === 'end' || kind === 'endShort'
      ? undefined
      : turnFrom(plan, kind === 'raise' ? forDay : addDays(forDay, 1))
  if (!after) return {}
  const facts = await factsOf(ctx, order)
  const work = (version: Version, turn = after) =>
    workTurn(order, version, turn, facts, ctx.today).totalAgorot
  const is = work(versionOn(versions, after.from))
  if (kind === 'raise') return { before: work(versionOn(versions, addDays(forDay, -1))), after: is }
  const last = turnFrom({ ...plan, until: null, times: null }, order.start_day)
  return {
    after: is,
    ...(last && last.from <= forDay ? { before: work(versionOn(versions, last.from), last) } : { before: 0 }),
  }
}

/** Sends whatever of an order is due to be told today. */
export async function sendDueNotices(ctx: Ctx, orderId: string): Promise<number> {
  const order = await orderOf(ctx, orderId, true)
  if (isOver(order) || order.state === 'draft') return 0
  let sent = 0
  for (const one of await noticesOfOrder(ctx, orderId))
    if (
      !one.sentAt &&
      one.fromDay <= ctx.today &&
      ctx.today <= one.toDay &&
      (await sendNotice(ctx, order, one))
    )
      sent++
  return sent
}

/** A notice without which days from `from` on may not be charged; sent now where its days have not passed. */
export async function missingNotice(ctx: Ctx, order: StoredOrder, from: Day): Promise<Kept | undefined> {
  if (order.party_kind === 'business') return undefined
  for (const one of await noticesOfOrder(ctx, order.id)) {
    if (one.sentAt || !forbids(one, from)) continue
    const isOpen = one.fromDay <= ctx.today && ctx.today <= one.toDay
    if (!isOpen || !(await sendNotice(ctx, order, one))) return one
  }
  return undefined
}
