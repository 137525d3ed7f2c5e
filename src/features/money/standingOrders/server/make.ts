import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { timesFraction } from '#domain/money.ts'
import { turnsOf, type Turn } from '#domain/standingOrders/schedule.ts'
import { fail } from '#kit/describe/errors.ts'
import { authorize, underOrder } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { issuePrepared, prepareDocument, refuseShut } from '#features/sales/documents/server/index.ts'
import { isOverRate, planCard, rateWaitMs, waitsForCard } from './card.ts'
import { failTurn, hasFailed } from './dunning.ts'
import { missingNotice } from './notices.ts'
import {
  isOver,
  orderKind,
  orderOf,
  planOf,
  setOrder,
  tellStep,
  versionOn,
  versionsOf,
  type StoredOrder,
  type Version,
} from './order.ts'
import { contentOf, paperDay, paperOf, sendPaper } from './paper.ts'
import { morningOf, settingsOf, type OrderSettings } from './settings.ts'
import { tellCustomer } from './tell.ts'
import { factsOf, workTurn, type WorkedTurn } from './turns.ts'
import { typeByCard } from '../standingOrders.ts'

/**
 * The result of a step of the engine: something was done and there may be more, or there is nothing to do now.
 */
export type Made = 'more' | 'nothing'

/** The charge that comes next, and those behind it. */
function* fromNext(order: StoredOrder): Generator<Turn> {
  if (order.next_from === null) return
  for (const turn of turnsOf(planOf(order))) if (turn.from >= order.next_from) yield turn
}

/** Charges whose day has come and that were not made. */
export function missedTurns(order: StoredOrder, today: Day): Turn[] {
  const found: Turn[] = []
  for (const turn of fromNext(order)) {
    if (turn.day > today || found.length >= 600) break
    found.push(turn)
  }
  return found
}

/**
 * The next step of one order: a charge whose day has come, its end, or the end of its pause. Everything it
 * does is one transaction under the lock of the order's row, and the key of the charge is (order, first day):
 * however often it runs and wherever it dies, no days are charged twice. The oldest comes first, with the day
 * it belongs to.
 */
export async function step(ctx: Ctx, id: string): Promise<Made> {
  const order = await orderOf(ctx, id, true)
  const settings = await settingsOf(ctx)
  if (settings.stoppedAt !== null) return 'nothing'
  if (order.state === 'paused') {
    if (order.paused_until === null || order.paused_until > ctx.today)
      return letBe(ctx, order, order.paused_until, settings)
    await goOn(ctx, order, order.paused_until, settings)
    return 'more'
  }
  if (order.state !== 'active' && order.state !== 'failing') return letBe(ctx, order, null, settings)
  const [turn, ...later] = missedTurns(order, ctx.today)
  if (!turn) {
    if (order.next_from !== null) return letBe(ctx, order, order.next_day, settings)
    // The days that were charged last still run.
    if (order.next_at !== null && new Date(order.next_at) > ctx.now) {
      await setOrder(ctx, order.id, { leased_until: null })
      return 'nothing'
    }
    await endIfOver(ctx, order)
    return 'nothing'
  }
  if (waitsForCard(order)) {
    await invite(ctx, order)
    await setOrder(ctx, order.id, { next_at: null, leased_until: null })
    return 'nothing'
  }
  if (later.length + 1 > settings.mostMissed) {
    const { code, params } = fail('standingOrders.missed', { count: later.length + 1 })
    await hold(ctx, order, code, params)
    return 'nothing'
  }
  if (order.means === 'card' && (await isOverRate(ctx, order, settings.ratePerMinute))) {
    await setOrder(ctx, order.id, { next_at: new Date(ctx.now.getTime() + rateWaitMs), leased_until: null })
    return 'nothing'
  }
  await makeTurn(ctx, order, turn, settings)
  return 'more'
}

/** Invites the customer to give the first card, once; the order waits for it. A person may send the link again. */
async function invite(ctx: Ctx, order: StoredOrder): Promise<void> {
  const { rows } = await sql`select 1 from standing_steps where company_id = ${ctx.companyId}
    and order_id = ${order.id} and kind in ('invited', 'told') limit 1`.execute(ctx.tx)
  if (rows.length) return
  const made = await underOrder(ctx, orderKind, order.id, (bound) => tellCustomer(bound, order, 'invite', {}))
  if ('waits' in made) return
  const sent = made.done
  await tellStep(
    ctx,
    order.id,
    sent ? 'invited' : 'noAddress',
    sent ? { to: sent.to, channel: sent.channel } : {},
  )
}

/** Nothing to do before a day: a clock that was set back, or somebody was quicker. */
async function letBe(
  ctx: Ctx,
  order: StoredOrder,
  until: Day | null,
  settings: OrderSettings,
): Promise<Made> {
  await setOrder(ctx, order.id, { next_at: until && morningOf(until, settings), leased_until: null })
  return 'nothing'
}

/** Stops an order until a person decides. */
export async function hold(
  ctx: Ctx,
  order: StoredOrder,
  why: string,
  details: Record<string, string | number> = {},
): Promise<void> {
  await setOrder(ctx, order.id, {
    state: 'held',
    held_why: why.slice(0, 60),
    next_at: null,
    leased_until: null,
  })
  await tellStep(ctx, order.id, 'held', { why, ...details })
  await ctx.audit('standingOrders.hold', 'standingOrders', order.id, undefined, { why })
}

/**
 * Makes one charge, whatever its day, within the limits of who ordered it; answers false where the order was held
 * instead.
 */
export async function makeTurn(
  ctx: Ctx,
  order: StoredOrder,
  turn: Turn,
  settings: OrderSettings,
): Promise<boolean> {
  const made = await underOrder(ctx, orderKind, order.id, (bound) => turnMade(bound, order, turn, settings))
  if ('done' in made) return made.done
  await hold(ctx, order, 'approvals.needed')
  return false
}

async function turnMade(ctx: Ctx, order: StoredOrder, turn: Turn, settings: OrderSettings): Promise<boolean> {
  if (waitsForCard(order)) throw fail('standingOrders.noCard')
  const missing = await missingNotice(ctx, order, turn.from)
  if (missing) {
    await hold(ctx, order, 'standingOrders.noticeMissed', { what: missing.kind, day: missing.forDay })
    return false
  }
  const versions = await versionsOf(ctx, order.id)
  const version = versionOn(versions, turn.from)
  const documentType =
    order.means === 'card' ? typeByCard(order.document_type, (await companyOf(ctx)).kind) : billedAs(order)
  const day = await paperDay(ctx, documentType, turn.day)
  const worked = workTurn(order, version, turn, await factsOf(ctx, order, day), day)
  if (await keepPeriod(ctx, order, version, worked)) {
    if (worked.totalAgorot <= 0) await markSkipped(ctx, order, turn.from, 'nothing')
    else if (order.means === 'card') {
      // No card is charged for what could not be issued.
      await authorize(ctx, 'issue', {
        agorot: worked.totalAgorot,
        currency: order.currency,
        documentType,
      })
      const refused = await planCard(ctx, order, {
        period_start: turn.from,
        id: await idOf(ctx, order, turn.from),
        total_agorot: worked.totalAgorot,
        tries: 0,
      })
      if (refused) await failTurn(ctx, order, turn.from, refused)
    } else await billTurn(ctx, order, worked, day)
  }
  await setNext(ctx, order, versions, turn, settings)
  return true
}

/** The row of a charge. Answers false where its days were charged before. */
async function keepPeriod(
  ctx: Ctx,
  order: StoredOrder,
  version: Version,
  worked: WorkedTurn,
): Promise<boolean> {
  const { turn, link } = worked
  const { numAffectedRows } =
    await sql`insert into standing_periods (company_id, order_id, period_start, id, no, period_end, due_day,
        version_no, state, net_agorot,
      total_agorot, monthly_agorot, part_days, part_of, reduced, link, content, made_at)
    values (${ctx.companyId}, ${order.id}, ${turn.from}, ${newId()}, ${turn.no}, ${turn.to}, ${turn.day},
      ${version.no}, ${order.means === 'card' ? 'asked' : 'billed'},
      ${worked.netAgorot}, ${worked.totalAgorot}, ${worked.monthlyAgorot},
      ${worked.reduced === 'first' ? null : (turn.part?.days ?? null)},
      ${worked.reduced === 'first' ? null : (turn.part?.of ?? null)}, ${worked.reduced},
      ${link && JSON.stringify(link)}::jsonb, ${JSON.stringify(contentOf(worked))}::jsonb, ${ctx.now})
    on conflict do nothing`.execute(ctx.tx)
  return numAffectedRows === 1n
}

const idOf = async (ctx: Ctx, order: StoredOrder, start: Day): Promise<string> =>
  (
    await sql<{
      id: string
    }>`select id from standing_periods where company_id = ${ctx.companyId} and order_id = ${order.id}
        and period_start = ${start}`.execute(ctx.tx)
  ).rows[0]!.id

/** A donation collected by the bank is asked for first: its receipt comes with the money. */
const billedAs = ({ document_type: type }: StoredOrder): number =>
  typeFacts(type).isDonation ? documentTypes.paymentRequest.id : type

const markSkipped = (ctx: Ctx, order: StoredOrder, start: Day, reason: string) =>
  sql`update standing_periods set state = 'skipped', reason = ${reason}, net_agorot = 0, total_agorot = 0,
      monthly_agorot = 0
    where company_id = ${ctx.companyId} and order_id = ${order.id} and period_start = ${start}`.execute(
    ctx.tx,
  )

/** Leaves charges out, each with its reason; they stand in the history like those that were made. */
export async function skipTurns(
  ctx: Ctx,
  order: StoredOrder,
  turns: readonly Turn[],
  reason: string,
  words = '',
): Promise<void> {
  for (const turn of turns) {
    await sql`insert into standing_periods (company_id, order_id, period_start, id, no, period_end, due_day,
        state, reason, made_at)
      values (${ctx.companyId}, ${order.id}, ${turn.from}, ${newId()}, ${turn.no}, ${turn.to}, ${turn.day},
        'skipped', ${reason}, ${ctx.now}) on conflict do nothing`.execute(ctx.tx)
    await tellStep(ctx, order.id, 'skipped', { reason, ...(words ? { words } : {}) }, turn.from)
  }
}

/**
 * Issues the paper of a charge and sends it; the money is awaited, or collected by the next file of the bank.
 */
async function billTurn(ctx: Ctx, order: StoredOrder, worked: WorkedTurn, day: Day): Promise<void> {
  const { turn } = worked
  const type = billedAs(order)
  const prepared = await prepareDocument(ctx, paperOf(order, contentOf(worked), type, day))
  refuseShut(prepared)
  const issued = await issuePrepared(ctx, prepared)
  await sql`update standing_periods set document_id = ${issued.id},
      net_agorot = ${prepared.ils.net || prepared.ils.total}, total_agorot = ${prepared.totals.total},
      monthly_agorot =
      ${timesFraction(worked.monthlyAgorot, prepared.ils.total, prepared.totals.total, 'halfAwayFromZero')}
    where company_id = ${ctx.companyId} and order_id = ${order.id} and period_start = ${turn.from}`.execute(
    ctx.tx,
  )
  await tellStep(
    ctx,
    order.id,
    'billed',
    { documentId: issued.id, type, number: issued.number, sumAgorot: prepared.totals.total },
    turn.from,
  )
  await ctx.audit('standingOrders.bill', 'standingOrders', order.id, undefined, {
    number: issued.number,
    from: turn.from,
  })
  await sendPaper(ctx, order, issued.id, turn.from)
}

/** Sets what comes behind a charge, or the day the order is over. */
export async function setNext(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  made: Turn,
  settings: OrderSettings,
): Promise<void> {
  for (const turn of turnsOf(planOf(order)))
    if (turn.from > made.from) return setTurn(ctx, order, versions, turn, settings)
  await setOrder(ctx, order.id, {
    next_from: null,
    next_no: null,
    next_day: null,
    next_total_agorot: 0,
    leased_until: null,
    next_at: morningOf(addDays(made.to, 1), settings),
  })
}

/** What the next charge of an order is. */
export async function setTurn(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  turn: Turn,
  settings: OrderSettings,
): Promise<void> {
  const { totalAgorot } = workTurn(order, versionOn(versions, turn.from), turn, await factsOf(ctx, order))
  await setOrder(ctx, order.id, {
    next_from: turn.from,
    next_no: turn.no,
    next_day: turn.day,
    next_total_agorot: totalAgorot,
    leased_until: null,
    next_at: morningOf(turn.day, settings),
  })
}

/** Begins again with the first charge from a day on, and leaves out, with a reason, what lies between. */
export async function goOn(
  ctx: Ctx,
  order: StoredOrder,
  from: Day,
  settings: OrderSettings,
  reason = 'paused',
): Promise<void> {
  const skipped: Turn[] = []
  let next: Turn | undefined
  for (const turn of fromNext(order)) {
    if (turn.from >= from) {
      next = turn
      break
    }
    skipped.push(turn)
  }
  await skipTurns(ctx, order, skipped, reason)
  const failing = await hasFailed(ctx, order.id)
  await setOrder(ctx, order.id, {
    state: failing ? 'failing' : 'active',
    held_why: '',
    paused_until: null,
    leased_until: null,
  })
  const versions = await versionsOf(ctx, order.id)
  if (next) await setTurn(ctx, order, versions, next, settings)
  else if (skipped.length) await setNext(ctx, order, versions, skipped.at(-1)!, settings)
  if (order.state === 'paused') {
    await tellStep(ctx, order.id, 'resumed')
    await ctx.audit('standingOrders.resume', 'standingOrders', order.id)
  }
}

/** An order whose last day is past: it ended as planned, or by the wish of somebody. */
export async function endIfOver(ctx: Ctx, order: StoredOrder): Promise<void> {
  if (isOver(order)) return
  const isWished = order.end_by === 'business' || order.end_by === 'customer'
  await setOrder(ctx, order.id, {
    state: isWished ? 'cancelled' : 'ended',
    held_why: '',
    ended_on: ctx.today,
    end_by: order.end_by || 'plan',
    next_at: null,
    leased_until: null,
  })
  await tellStep(
    ctx,
    order.id,
    isWished ? 'cancelled' : 'ended',
    order.end_reason ? { words: order.end_reason } : {},
  )
  await ctx.audit(
    isWished ? 'standingOrders.cancel' : 'standingOrders.end',
    'standingOrders',
    order.id,
    undefined,
    {
      reason: order.end_reason,
    },
  )
}
