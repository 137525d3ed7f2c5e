import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { turnsOf, type Turn } from '#domain/standingOrders/schedule.ts'
import { formatDay } from '#domain/format.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { endApproval, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef, checkRefs } from '#kit/server/data/refs.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  cardById,
  cardsOf,
  lacksCurrency,
  lastDay,
  terminalById,
} from '#features/money/acquirers/server/index.ts'
import { countsAsDealer } from '#features/sales/documents/workOut.ts'
import type { OrderAnswer, OrderGiven, OrderLine } from '../endpoints.ts'
import { typeByCard, typesFor } from '../standingOrders.ts'
import { answerOf } from './answer.ts'
import { isUsable } from './card.ts'
import { giveUp } from './dunning.ts'
import { periodOf } from './period.ts'
import { goOn, makeTurn, missedTurns, setTurn, skipTurns, endIfOver } from './make.ts'
import { noticesOfOrder, planNotices, sendNotice } from './notices.ts'
import {
  isOver,
  livingOrder,
  orderKind,
  noticesFor,
  orderOf,
  planOf,
  setOrder,
  tellStep,
  versionOn,
  versionsOf,
  type StoredOrder,
  type Version,
} from './order.ts'
import { takeCard } from './purpose.ts'
import { morningOf, settingsOf } from './settings.ts'
import { tellCustomer } from './tell.ts'
import { comingOf, factsOf, knownOf, workTurn } from './turns.ts'

interface Customer {
  id: string
  isDealer: boolean | null
  taxId: string | null
  shut: boolean
}

async function customerOf(ctx: Ctx, id: string): Promise<Customer> {
  const { rows } =
    await sql<Customer>`select id, is_dealer as "isDealer", tax_id as "taxId", archived_at is not null
        or blocked as shut
    from parties where company_id = ${ctx.companyId} and id = ${id} and role = 'customer'
      and merged_into is null`.execute(ctx.tx)
  if (!rows[0]) throw failField('customerId', 'fields.ref')
  return rows[0]
}

/** An order as it would be kept, with everything that was left open filled in; nothing is written. */
async function settled(
  ctx: Ctx,
  given: Omit<OrderGiven, 'lines'>,
  before?: StoredOrder,
): Promise<StoredOrder> {
  const customer = await customerOf(ctx, given.customerId)
  if (customer.shut && !before) throw failField('customerId', 'fields.ref')
  const company = await companyOf(ctx)
  if (!typesFor(given.means, company.kind).includes(given.documentType)) {
    const isDonation =
      typeFacts(given.documentType).isDonation && given.means === 'masav' && company.kind === 'nonProfit'
    if (!isDonation) throw failField('documentType', 'standingOrders.wrongType')
  }
  if (given.means === 'masav' && given.currency !== 'ILS')
    throw failField('currency', 'standingOrders.onlyShekels')
  if (given.linked !== 'none' && given.currency !== 'ILS')
    throw failField('linked', 'standingOrders.onlyShekels')
  if (given.untilDay && given.untilDay < given.startDay) throw failField('untilDay', 'fields.dayOrder')
  if (given.discountBp > 0 && given.discountTurns === 0) throw failField('discountTurns', 'fields.need')
  await checkRef(ctx, 'projectId', 'projects', given.projectId)
  await checkRef(ctx, 'agentId', 'agents', given.agentId)
  await checkRef(ctx, 'campaignId', 'standing_campaigns', given.campaignId, sql`archived_at is null`)
  if (given.means === 'masav') await checkMandate(ctx, given.customerId)
  if (given.means === 'card') {
    await checkCard(ctx, given.customerId, given.cardId)
    const isSame =
      before?.means === 'card' &&
      before.currency === given.currency &&
      before.card_id === (given.cardId ?? null)
    if (!isSame) await checkCurrency(ctx, 'currency', given.currency, given.cardId)
  }
  return {
    ...(before ?? fresh(given.startDay)),
    title: given.title,
    customer_id: given.customerId,
    means: given.means,
    card_id: given.means === 'card' ? (given.cardId ?? null) : null,
    document_type: given.documentType,
    language: given.language ?? null,
    currency: given.currency,
    agent_id: given.agentId ?? null,
    project_id: given.projectId ?? null,
    send: given.send,
    send_to: given.sendTo,
    notes: given.notes,
    notes_internal: given.notesInternal,
    start_day: given.startDay,
    every_n: given.everyN,
    unit: given.unit,
    billing_day: given.unit === 'month' || given.unit === 'year' ? given.billingDay : 0,
    shift: given.shift,
    charge_today: given.chargeToday,
    prorate: given.prorate,
    arrears: given.arrears,
    trial_days: given.trialDays,
    until_day: given.untilDay ?? null,
    times: given.times ?? null,
    first_price_agorot: given.firstPriceAgorot ?? null,
    discount_bp: given.discountBp,
    discount_turns: given.discountTurns,
    linked: given.linked,
    link_falls: given.linkFalls,
    // The law protects the person who does not buy for a business.
    party_kind: given.partyKind ?? (countsAsDealer(customer) ? 'business' : 'consumer'),
    may_pause: given.mayPause,
    may_cancel: given.mayCancel,
    yearly_receipt: given.yearlyReceipt && typeFacts(given.documentType).isDonation,
    campaign_id: given.campaignId ?? null,
  }
}

const fresh = (start: Day) => ({
  id: newId(),
  number: 0,
  state: 'active' as const,
  held_why: '',
  paused_until: null,
  failing_since: null,
  end_reason: '',
  end_by: '',
  ended_on: null,
  next_from: start,
  next_no: 1,
  next_day: start,
  next_at: null,
  next_total_agorot: 0,
  page_key: newToken(),
  page_seen_at: null,
})

async function checkMandate(ctx: Ctx, customerId: string): Promise<void> {
  const { rows } =
    await sql`select 1 from debit_mandates where company_id = ${ctx.companyId} and party_id = ${customerId}
        and ended_at is null`.execute(ctx.tx)
  if (!rows.length) throw failField('means', 'standingOrders.noMandate')
}

async function checkCard(ctx: Ctx, customerId: string, cardId: string | null | undefined): Promise<void> {
  // Without one the customer is asked for it on the customer's page.
  if (!cardId) return
  const card = await cardById(ctx, cardId).catch(() => undefined)
  if (!card || card.customer_id !== customerId || !isUsable(ctx, card))
    throw failField('cardId', 'standingOrders.noCard')
}

/**
 * A terminal that does not charge such money declines every charge of the order: it is said while it can
 * still be chosen otherwise.
 */
async function checkCurrency(
  ctx: Ctx,
  path: string,
  currency: string,
  cardId: string | null | undefined,
): Promise<void> {
  if (!cardId) {
    if (await lacksCurrency(ctx, currency)) throw failField(path, 'standingOrders.noCurrency', { currency })
    return
  }
  const { row } = await terminalById(ctx, (await cardById(ctx, cardId)).terminal_id)
  if (row.currencies.includes(currency)) return
  const terminal = row.name || say(ctx.caller.language, `cardCharges.acquirer.${row.gateway}`)
  throw failField(path, 'standingOrders.cardCurrency', {
    currency,
    terminal,
    currencies: row.currencies.join(', '),
  })
}

/** The first version of the prices, with the index they are of. */
async function firstVersion(ctx: Ctx, order: StoredOrder, given: OrderGiven): Promise<Version> {
  let base: { value: string; of: Day } | null = null
  if (order.linked !== 'none') {
    if (given.baseValue) base = { value: given.baseValue, of: given.baseOf ?? order.start_day }
    else {
      const on = order.start_day < ctx.today ? order.start_day : ctx.today
      base = (await knownOf(ctx, order.linked, on))(on) ?? null
      if (!base) throw failField('baseValue', 'standingOrders.noIndex')
    }
  }
  return {
    no: 1,
    fromDay: order.start_day,
    lines: given.lines,
    baseValue: base?.value ?? null,
    baseOf: base?.of ?? null,
    raises: false,
    why: '',
  }
}

/** Refuses an order that comes to nothing, and a first price that is none. */
async function checkSums(ctx: Ctx, order: StoredOrder, version: Version): Promise<void> {
  const [turn] = turnsOf({ ...planOf(order), trialDays: order.trial_days })
  if (!turn) throw failField('untilDay', 'standingOrders.nothing')
  const facts = await factsOf(ctx, order)
  const whole = workTurn(
    { ...order, first_price_agorot: null, discount_bp: 0, discount_turns: 0 },
    version,
    { ...turn, part: null },
    facts,
    ctx.today,
  )
  if (whole.totalAgorot <= 0) throw failField('lines', 'standingOrders.nothing')
  if (order.first_price_agorot !== null && order.first_price_agorot > whole.totalAgorot)
    throw failField('firstPriceAgorot', 'standingOrders.firstTooHigh')
}

export async function preview(ctx: Ctx, given: OrderGiven) {
  const order = await settled(ctx, given)
  const version = await firstVersion(ctx, order, given)
  await checkSums(ctx, order, version)
  return {
    coming: await comingOf(ctx, order, [version], order.start_day, 12),
    endDay: (await factsOf(ctx, order)).endDay,
    notices: noticesFor(order, [version]).map(({ kind, forDay, from, to }) => ({
      kind,
      forDay,
      fromDay: from,
      toDay: to,
      sentAt: null,
    })),
  }
}

const columnsOf = (order: StoredOrder) => {
  const { next_at: _at, page_seen_at: _seen, ...columns } = order
  return columns
}

export async function keepVersion(ctx: Ctx, orderId: string, version: Version): Promise<void> {
  await sql`insert into standing_versions (company_id, order_id, no, from_day, lines, base_value, base_of,
      raises, why, made_by, made_at)
    values (${ctx.companyId}, ${orderId}, ${version.no}, ${version.fromDay},
      ${JSON.stringify(version.lines)}::jsonb, ${version.baseValue}, ${version.baseOf},
      ${version.raises}, ${version.why}, ${ctx.caller.userId}, ${ctx.now})`.execute(ctx.tx)
}

/** Sets an order up. What its first day owes already is made by the engine at once, oldest first. */
export async function create(ctx: Ctx, given: OrderGiven): Promise<OrderAnswer> {
  return answerOf(ctx, await createOrder(ctx, given))
}

export async function createOrder(ctx: Ctx, given: OrderGiven): Promise<string> {
  const order = await settled(ctx, given)
  const version = await firstVersion(ctx, order, given)
  await checkSums(ctx, order, version)
  const { rows: numbers } = await sql<{
    number: number
  }>`select next_number(${ctx.companyId}, 'standingOrders', ${ctx.today}) as number`.execute(ctx.tx)
  order.number = numbers[0]!.number
  const columns = Object.entries({
    ...columnsOf(order),
    company_id: ctx.companyId,
    created_by: ctx.caller.userId,
    created_at: ctx.now,
  })
  await sql`insert into standing_orders (${sql.join(columns.map(([name]) => sql.ref(name)))})
    values (${sql.join(columns.map(([, value]) => sql`${value}`))})`.execute(ctx.tx)
  await keepVersion(ctx, order.id, version)
  await ordered(ctx, orderKind, order.id)
  const settings = await settingsOf(ctx)
  const [first] = turnsOf(planOf(order))
  await setTurn(ctx, order, [version], first!, settings)
  await planNotices(ctx, order, [version])
  await tellStep(ctx, order.id, 'created')
  await ctx.audit('standingOrders.create', 'standingOrders', order.id, undefined, {
    title: order.title,
    customerId: order.customer_id,
    means: order.means,
    startDay: order.start_day,
    everyN: order.every_n,
    unit: order.unit,
  })
  return order.id
}

const rhythm = [
  'start_day',
  'every_n',
  'unit',
  'billing_day',
  'charge_today',
  'prorate',
  'arrears',
  'trial_days',
  'first_price_agorot',
  'discount_bp',
  'discount_turns',
  'linked',
  'link_falls',
  'currency',
] as const

async function wasCharged(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from standing_periods where company_id = ${ctx.companyId} and order_id = ${id}
      limit 1`.execute(ctx.tx)
  return rows.length > 0
}

/**
 * Changes an order. Its days and what follows from them stand once something was charged: {n} of an order is
 * one count.
 */
export async function change(
  ctx: Ctx,
  { id, consent, ...given }: Omit<OrderGiven, 'lines'> & { id: string; consent: boolean },
): Promise<OrderAnswer> {
  const before = await livingOrder(ctx, id)
  const order = await settled(ctx, given, before)
  const changed = rhythm.filter((name) => order[name] !== before[name])
  const charged = await wasCharged(ctx, id)
  if (charged && changed.length) throw fail('standingOrders.rhythmFixed')
  const isLonger =
    (before.until_day !== null && (order.until_day === null || order.until_day > before.until_day)) ||
    (before.times !== null && (order.times === null || order.times > before.times))
  // A consumer's fixed term is extended only by the consumer.
  if (order.party_kind === 'consumer' && charged && isLonger && !consent)
    throw failField('untilDay', 'standingOrders.needConsent')
  if (order.customer_id !== before.customer_id && charged)
    throw failField('customerId', 'standingOrders.rhythmFixed')
  const differs = Object.fromEntries(
    Object.entries(order).filter(([name, value]) => value !== before[name as keyof StoredOrder]),
  )
  const names = Object.keys(differs)
  const versions = await versionsOf(ctx, id)
  if (!charged) {
    await sql`update standing_versions set from_day = ${order.start_day} where company_id = ${ctx.companyId}
        and order_id = ${id} and no = 1`.execute(ctx.tx)
    versions[0] = { ...versions[0]!, fromDay: order.start_day }
    await checkSums(ctx, order, versions[0]!)
  }
  if (names.length) {
    await setOrder(ctx, id, differs)
    await ordered(ctx, orderKind, id)
  }
  const now = await orderOf(ctx, id)
  await planAhead(ctx, now, versions, charged ? (before.next_from ?? ctx.today) : order.start_day)
  await planNotices(ctx, now, versions)
  if (names.length) {
    await tellStep(ctx, id, 'changed', { what: names.join(' ').slice(0, 300) })
    if (consent && isLonger) await tellStep(ctx, id, 'consent', { until: order.until_day })
    await ctx.audit(
      'standingOrders.change',
      'standingOrders',
      id,
      Object.fromEntries(names.map((name) => [name, before[name as keyof StoredOrder]])),
      differs,
    )
  }
  return answerOf(ctx, id)
}

/** The next charge from a day on, after something changed what comes. */
async function planAhead(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  from: Day,
): Promise<void> {
  const settings = await settingsOf(ctx)
  for (const turn of turnsOf(planOf(order)))
    if (turn.from >= from) return void (await nextIs(ctx, order, versions, turn, settings))
  const { rows } = await sql<{
    last: Day | null
  }>`select max(period_end) as last from standing_periods where company_id = ${ctx.companyId}
      and order_id = ${order.id}`.execute(ctx.tx)
  const last = rows[0]!.last
  await setOrder(ctx, order.id, {
    next_from: null,
    next_no: null,
    next_day: null,
    next_total_agorot: 0,
    next_at: morningOf(addDays(last && last > ctx.today ? last : ctx.today, 1), settings),
  })
}

async function nextIs(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  turn: Turn,
  settings: Awaited<ReturnType<typeof settingsOf>>,
): Promise<void> {
  await setTurn(ctx, order, versions, turn, settings)
  if (order.state === 'paused')
    await setOrder(ctx, order.id, { next_at: order.paused_until && morningOf(order.paused_until, settings) })
  else if (order.state === 'held') await setOrder(ctx, order.id, { next_at: null })
}

/** A new version from a day on. Answers it, or the code of why it may not be. */
export async function versionFor(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  given: { fromDay: Day; lines: OrderLine[]; why: string; notify: boolean },
): Promise<{
  version: Version
  before: number
  after: number
  first: Turn | undefined
  hindrance: string | null
}> {
  await checkRefs(
    ctx,
    given.lines.map(({ itemId }, at) => ({ field: `lines.${at}.itemId`, id: itemId })),
    'items',
  )
  const { rows } = await sql<{
    last: Day | null
  }>`select max(period_start) as last from standing_periods where company_id = ${ctx.companyId}
      and order_id = ${order.id}`.execute(ctx.tx)
  const facts = await factsOf(ctx, order)
  const last = rows[0]!.last
  const plan = planOf(order)
  let first: Turn | undefined
  for (const turn of turnsOf(plan))
    if (turn.from >= given.fromDay && turn.from >= (order.next_from ?? '9999')) {
      first = turn
      break
    }
  const current = versionOn(versions, given.fromDay)
  const known = order.linked === 'none' ? undefined : facts.known(ctx.today)
  const version: Version = {
    no: Math.max(0, ...versions.map(({ no }) => no)) + 1,
    fromDay: given.fromDay,
    lines: given.lines,
    // The new prices are of today: what the index did before is in them.
    baseValue: known?.value ?? current.baseValue,
    baseOf: known?.of ?? current.baseOf,
    raises: false,
    why: given.why,
  }
  const plain = { ...order, first_price_agorot: null, discount_bp: 0, discount_turns: 0 }
  const sumOf = (one: Version) =>
    first ? workTurn(plain, one, { ...first, part: null }, facts, ctx.today).totalAgorot : 0
  const [before, after] = [sumOf(current), sumOf(version)]
  version.raises = after > before
  const hindrance =
    last !== null && given.fromDay <= last
      ? 'standingOrders.periodMade'
      : !first
        ? 'standingOrders.nothingAhead'
        : after <= 0
          ? 'standingOrders.nothing'
          : // A consumer is notified thirty days before, and a missing notice is too late.
            version.raises &&
              order.party_kind === 'consumer' &&
              (given.fromDay < addDays(ctx.today, 30) || !given.notify)
            ? 'standingOrders.noticeTooLate'
            : null
  return { version, before, after, first, hindrance }
}

export async function keepPrices(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  version: Version,
  sums: { before: number; after: number },
  notify: boolean,
): Promise<void> {
  await sql`delete from standing_versions where company_id = ${ctx.companyId} and order_id = ${order.id}
      and from_day >= ${version.fromDay} and no > 1`.execute(ctx.tx)
  const kept = versions.filter(({ fromDay, no }) => fromDay < version.fromDay || no === 1)
  if (kept.some(({ fromDay }) => fromDay === version.fromDay))
    throw failField('fromDay', 'standingOrders.periodMade')
  await keepVersion(ctx, order.id, version)
  await ordered(ctx, orderKind, order.id)
  const all = [...kept, version].toSorted((a, b) => (a.fromDay < b.fromDay ? -1 : 1))
  await tellStep(ctx, order.id, 'prices', {
    fromDay: version.fromDay,
    beforeAgorot: sums.before,
    sumAgorot: sums.after,
    ...(version.why ? { words: version.why } : {}),
  })
  await ctx.audit(
    'standingOrders.prices',
    'standingOrders',
    order.id,
    { sumAgorot: sums.before },
    { sumAgorot: sums.after, fromDay: version.fromDay },
  )
  if (order.next_from) await planAhead(ctx, order, all, order.next_from)
  await planNotices(ctx, order, all)
  if (!notify || !version.raises) return
  // People the law protects are notified within its days; others now.
  if (order.party_kind === 'business')
    await sendNotice(ctx, order, { kind: 'raise', forDay: version.fromDay })
  else
    for (const one of await noticesOfOrder(ctx, order.id))
      if (one.kind === 'raise' && one.forDay === version.fromDay && !one.sentAt && one.fromDay <= ctx.today)
        await sendNotice(ctx, order, one)
}

export async function changePrices(
  ctx: Ctx,
  { id, ...given }: { id: string; fromDay: Day; lines: OrderLine[]; why: string; notify: boolean },
): Promise<OrderAnswer> {
  const order = await livingOrder(ctx, id)
  const versions = await versionsOf(ctx, id)
  const { version, before, after, hindrance } = await versionFor(ctx, order, versions, given)
  if (hindrance) throw failField(hindrance === 'standingOrders.nothing' ? 'lines' : 'fromDay', hindrance)
  await keepPrices(ctx, order, versions, version, { before, after }, given.notify)
  return answerOf(ctx, id)
}

/**
 * Changes the lines from the next charge on at the customer's request: the customer knows of them, so there is no
 * notice thirty days before. Throws the refusals of `changePrices`, except for that one.
 */
export async function changeByWish(ctx: Ctx, id: string, lines: OrderLine[], why: string): Promise<void> {
  const order = await livingOrder(ctx, id)
  if (order.next_from === null) throw fail('standingOrders.nothingAhead')
  const versions = await versionsOf(ctx, id)
  const { version, before, after, hindrance } = await versionFor(ctx, order, versions, {
    fromDay: order.next_from,
    lines,
    why,
    notify: false,
  })
  if (hindrance && hindrance !== 'standingOrders.noticeTooLate') throw fail(hindrance)
  await keepPrices(ctx, order, versions, { ...version, raises: false }, { before, after }, false)
}

export async function pauseOrder(
  ctx: Ctx,
  order: StoredOrder,
  until: Day | null,
  details: Record<string, string> = {},
): Promise<void> {
  if (until !== null && until <= ctx.today) throw failField('until', 'fields.dayPast')
  if (order.state === 'draft') throw fail('standingOrders.over')
  const settings = await settingsOf(ctx)
  await setOrder(ctx, order.id, {
    state: 'paused',
    held_why: '',
    paused_until: until,
    next_at: until && morningOf(until, settings),
  })
  await tellStep(ctx, order.id, 'paused', { ...details, ...(until ? { until } : {}) })
  await ctx.audit('standingOrders.pause', 'standingOrders', order.id, undefined, { until })
}

export async function pause(
  ctx: Ctx,
  { id, until, reason }: { id: string; until?: Day | null | undefined; reason: string },
): Promise<OrderAnswer> {
  await pauseOrder(ctx, await livingOrder(ctx, id), until ?? null, reason ? { words: reason } : {})
  return answerOf(ctx, id)
}

export async function resumeOrder(ctx: Ctx, id: string): Promise<void> {
  const order = await livingOrder(ctx, id)
  if (order.state !== 'paused') throw fail('standingOrders.notPaused')
  await ordered(ctx, orderKind, id)
  await goOn(ctx, order, ctx.today, await settingsOf(ctx))
}

export async function resume(ctx: Ctx, { id }: { id: string }): Promise<OrderAnswer> {
  await resumeOrder(ctx, id)
  return answerOf(ctx, id)
}

export async function skip(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<OrderAnswer> {
  const order = await livingOrder(ctx, id)
  const turn = nextOf(order)
  await skipTurns(ctx, order, [turn], 'asked', reason)
  await planAhead(ctx, order, await versionsOf(ctx, id), addDays(turn.from, 1))
  await ctx.audit('standingOrders.skip', 'standingOrders', id, undefined, { from: turn.from })
  return answerOf(ctx, id)
}

function nextOf(order: StoredOrder): Turn {
  if (order.next_from !== null)
    for (const turn of turnsOf(planOf(order))) if (turn.from >= order.next_from) return turn
  throw fail('standingOrders.nothingAhead')
}

/**
 * Ends an order; nothing is charged any more from this moment on, or from the end of what was charged. The customer
 * is notified in writing, with its day.
 */
export async function cancelOrder(
  ctx: Ctx,
  order: StoredOrder,
  {
    when,
    reason,
    by,
    notify,
  }: { when: 'now' | 'periodEnd'; reason: string; by: 'business' | 'customer'; notify: boolean },
): Promise<void> {
  const { rows } = await sql<{ last: Day | null }>`select max(period_end) as last from standing_periods
    where company_id = ${ctx.companyId} and order_id = ${order.id} and state <> 'skipped'
      and period_end >= ${ctx.today}`.execute(ctx.tx)
  const last = when === 'periodEnd' ? rows[0]!.last : null
  const versions = await versionsOf(ctx, order.id)
  if (last) {
    await setOrder(ctx, order.id, { until_day: last, times: null, end_reason: reason, end_by: by })
    const now = await orderOf(ctx, order.id)
    await planAhead(ctx, now, versions, addDays(last, 1))
    await tellStep(ctx, order.id, 'willEnd', { day: last, by, ...(reason ? { words: reason } : {}) })
    await ctx.audit('standingOrders.willEnd', 'standingOrders', order.id, undefined, {
      day: last,
      reason,
      by,
    })
  } else {
    await setOrder(ctx, order.id, {
      end_reason: reason,
      end_by: by,
      next_from: null,
      next_no: null,
      next_day: null,
      next_total_agorot: 0,
      held_why: '',
      state: 'active',
    })
    const { rows: failed } = await sql<{ start: Day }>`select period_start as start from standing_periods
      where company_id = ${ctx.companyId} and order_id = ${order.id} and state = 'failed'`.execute(ctx.tx)
    for (const { start } of failed)
      await giveUp(ctx, order, await periodOf(ctx, order.id, start), 'cancelled')
    await endIfOver(ctx, await orderOf(ctx, order.id))
  }
  const now = await orderOf(ctx, order.id)
  await planNotices(ctx, now, versions)
  if (notify || by === 'customer' || order.party_kind === 'consumer') {
    const sent = await tellCustomer(ctx, now, 'cancelled', { day: formatDay(last ?? ctx.today) })
    await tellStep(
      ctx,
      order.id,
      sent ? 'told' : 'noAddress',
      sent ? { to: sent.to, channel: sent.channel } : {},
    )
  }
}

export async function cancel(
  ctx: Ctx,
  { id, ...how }: { id: string; when: 'now' | 'periodEnd'; reason: string; notify: boolean },
): Promise<OrderAnswer> {
  await cancelOrder(ctx, await livingOrder(ctx, id), { ...how, by: 'business' })
  return answerOf(ctx, id)
}

/**
 * Makes the next charge before its day. The person who names days that were charged meanwhile is a repeat: nothing
 * is charged again, and never the days behind them.
 */
export async function chargeNext(ctx: Ctx, id: string, start: Day): Promise<void> {
  await orderOf(ctx, id, true)
  const { rows: made } = await sql<{
    isLeftOut: boolean
  }>`select state = 'skipped' and reason <> 'nothing' as "isLeftOut" from standing_periods
    where company_id = ${ctx.companyId} and order_id = ${id} and period_start = ${start}`.execute(ctx.tx)
  if (made[0]?.isLeftOut) throw failField('start', 'standingOrders.notNext')
  if (made[0]) return
  const order = await livingOrder(ctx, id)
  if (order.state === 'held' || order.state === 'draft' || order.state === 'paused')
    throw fail('standingOrders.nothingAhead')
  const turn = nextOf(order)
  if (turn.from !== start) throw failField('start', 'standingOrders.notNext')
  await tellStep(ctx, id, 'byHand', {}, turn.from)
  if (
    !(await makeTurn(
      ctx,
      order,
      { ...turn, day: turn.day < ctx.today ? turn.day : ctx.today },
      await settingsOf(ctx),
    ))
  )
    throw fail('standingOrders.noticeMissed')
}

/** What becomes of an order that waits for a person. */
export async function decide(ctx: Ctx, id: string, how: 'all' | 'last' | 'none'): Promise<void> {
  const order = await livingOrder(ctx, id)
  if (order.state !== 'held') throw fail('standingOrders.notHeld')
  const settings = await settingsOf(ctx)
  const why = order.held_why
  await ordered(ctx, orderKind, id)
  if (why === 'approvals.needed') await endApproval(ctx, orderKind, id)
  await setOrder(ctx, id, { state: order.failing_since ? 'failing' : 'active', held_why: '' })
  await tellStep(ctx, id, 'decided', { how, why })
  await ctx.audit('standingOrders.decide', 'standingOrders', id, undefined, { how, why })
  let now = await orderOf(ctx, id)
  if (why === 'standingOrders.noticeMissed' && how !== 'none') now = await tellLate(ctx, now)
  const missed = missedTurns(now, ctx.today)
  const skipped = how === 'all' ? [] : how === 'last' ? missed.slice(0, -1) : missed
  await skipTurns(ctx, now, skipped, 'missed')
  const versions = await versionsOf(ctx, id)
  if (skipped.length) await planAhead(ctx, now, versions, addDays(skipped.at(-1)!.from, 1))
  for (const turn of missed.slice(skipped.length))
    if (!(await makeTurn(ctx, await orderOf(ctx, id, true), turn, settings))) return
  if (missed.length === 0 && now.next_from) await planAhead(ctx, now, versions, now.next_from)
}

/**
 * A notice that was missed is sent now. What it tells of has no effect before thirty days are over: a raise
 * is put off, and the days of a lower price that is over are left out until then.
 */
async function tellLate(ctx: Ctx, order: StoredOrder): Promise<StoredOrder> {
  const late = (await noticesOfOrder(ctx, order.id)).filter(
    (one) => !one.sentAt && one.toDay < ctx.today && one.kind !== 'end' && one.kind !== 'endShort',
  )
  const effective = addDays(ctx.today, 30)
  for (const one of late) {
    if (!(await sendNotice(ctx, order, one))) throw fail('standingOrders.noticeMissed')
    if (one.kind === 'raise') {
      await sql`update standing_versions set from_day = ${effective} where company_id = ${ctx.companyId}
          and order_id = ${order.id} and from_day = ${one.forDay} and no > 1`.execute(ctx.tx)
      continue
    }
    const before = turnsBefore(order, effective)
    await skipTurns(ctx, order, before, 'noticeMissed')
    if (before.length)
      await planAhead(ctx, order, await versionsOf(ctx, order.id), addDays(before.at(-1)!.from, 1))
  }
  return orderOf(ctx, order.id, true)
}

function turnsBefore(order: StoredOrder, day: Day): Turn[] {
  const found: Turn[] = []
  for (const turn of turnsOf(planOf(order))) {
    if (turn.from >= day) break
    if (order.next_from !== null && turn.from >= order.next_from) found.push(turn)
  }
  return found
}

export async function moveCard(ctx: Ctx, { id, cardId }: { id: string; cardId: string }): Promise<void> {
  const order = await livingOrder(ctx, id)
  const type = typeByCard(order.document_type, (await companyOf(ctx)).kind)
  await checkCard(ctx, order.customer_id, cardId)
  await checkCurrency(ctx, 'cardId', order.currency, cardId)
  const card = await cardById(ctx, cardId)
  if (type !== order.document_type) await setOrder(ctx, id, { document_type: type })
  await ordered(ctx, orderKind, id)
  await takeCard(ctx, await orderOf(ctx, id), card.id, card)
}

export async function askCustomer(
  ctx: Ctx,
  { id, channel }: { id: string; channel: 'mail' | 'sms' },
): Promise<OrderAnswer> {
  const order = await orderOf(ctx, id, true)
  const sent = await tellCustomer(
    ctx,
    order,
    order.means === 'card' && !isOver(order) ? 'card' : 'page',
    {},
    channel,
  )
  if (!sent) throw failField('channel', 'standingOrders.noAddress')
  await tellStep(ctx, id, 'told', { to: sent.to, channel: sent.channel })
  await ctx.audit('standingOrders.ask', 'standingOrders', id, undefined, { to: sent.to })
  return answerOf(ctx, id)
}

/** How a customer can be charged, and whether the law protects the customer as a consumer. */
export async function cardsForOrder(ctx: Ctx, { customerId }: { customerId: string }) {
  const { rows } = await sql<{
    isDealer: boolean | null
    taxId: string | null
    mandate: string | null
  }>`select p.is_dealer as "isDealer", p.tax_id as "taxId",
      (select m.reference from debit_mandates m where m.company_id = p.company_id and m.party_id = p.id
      and m.ended_at is null) as mandate
    from parties p where p.company_id = ${ctx.companyId} and p.id = ${customerId}
      and p.role = 'customer'`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const cards = (await cardsOf(ctx, customerId)).filter((card) => isUsable(ctx, card))
  return {
    cards: cards.map((card) => ({
      id: card.id,
      brand: card.brand,
      last4: card.last4,
      expires: lastDay(card),
      isDefault: card.is_default,
    })),
    mandate: rows[0].mandate,
    isDealer: countsAsDealer(rows[0]),
  }
}

registerOrders(orderKind, {
  rule: 'standingOrders.change',
  entity: 'standingOrders',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string; number: number; customer: string }>`select t.id,
        t.title, t.number, p.name as customer
      from standing_orders t join parties p on p.company_id = t.company_id and p.id = t.customer_id
      where t.company_id = ${ctx.companyId} and t.id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title, customer }) => ({
      id,
      title: `${title} · ${customer}`,
      href: `/invoice/retainers/${id}`,
    }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{
      id: string
      agorot: number
      currency: string
      type: number
      means: string
    }>`select id, coalesce(next_total_agorot, 0) as agorot, currency, document_type as type, means
      from standing_orders where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])
        and state in ('active', 'failing') and next_at is not null`.execute(ctx.tx)
    return rows.map(({ id, type, means, ...asked }) => ({
      id,
      does: [
        { effect: 'issue', documentType: type, ...asked },
        ...(means === 'card' ? [{ effect: 'charge' as const, ...asked }] : []),
      ],
    }))
  },
  // What was held for approval is decided, and everything that was missed is charged; a charge that failed is tried
  // again.
  goOn: async (ctx, id) => {
    const order = await orderOf(ctx, id, true)
    if (order.state === 'held' && order.held_why === 'approvals.needed') await decide(ctx, id, 'all')
    await ctx.later('standingOrders.ask', { id })
    await sql`update standing_periods set step_at = ${ctx.now} where company_id = ${ctx.companyId}
      and order_id = ${id} and state = 'failed' and step_at is null`.execute(ctx.tx)
  },
})
