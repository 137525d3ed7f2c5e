import { sql } from 'kysely'
import { formatMoney, withCurrency } from '#domain/format.ts'
import type { Agorot } from '#domain/money.ts'
import type { Effect, Why } from '#kit/describe/effects.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import { areasOff } from '#kit/describe/area.ts'
import { can, isUnlimited } from '#kit/describe/session.ts'
import { newId, systemCaller, type Caller, type Ctx, type Language } from '../context.ts'
import { inShekelsToday } from '../data/exchange.ts'
import type { Asked, Beyond, Facts, Limits, Order, OwnEffect } from './order.ts'

/*
 * One mechanism for what somebody may do, now and later. Every effect calls `authorize` where it happens. An
 * instruction that causes effects later (a standing order, a payment page, a schedule) is an order: `ordered`
 * stores who gave it and within which limits, and `underOrder` carries it out within the stricter of those and
 * the limits of today. What reaches beyond them waits for a person (see approvals).
 */

const sumOf = (effect: Effect, limits: Limits): (readonly [Why, Agorot | null | undefined])[] => [
  ['sumLimit', limits.sumLimitAgorot],
  ...(effect === 'charge' ? ([['chargeLimit', limits.chargeLimitAgorot]] as const) : []),
  ...(effect === 'refund' ? ([['refundLimit', limits.refundLimitAgorot]] as const) : []),
]

/** What of one set of limits an effect is beyond; undefined when it is within all of them. */
export function beyond(effect: Effect, { agorot, documentType }: Facts, limits: Limits): Beyond | undefined {
  if (limits.draftsOnly || limits.readOnly) return { why: 'draftsOnly', limitAgorot: null }
  for (const [why, limit] of sumOf(effect, limits))
    if (limit !== null && limit !== undefined) {
      if (agorot === null) return { why: 'noRate', limitAgorot: limit }
      if (Math.abs(agorot) > limit) return { why, limitAgorot: limit }
    }
  const types = limits.docsAllow ?? []
  if (documentType !== undefined && types.length > 0 && !types.includes(documentType))
    return { why: 'documentType', limitAgorot: null }
  return undefined
}

/** What of an order, or of any of the limits in force, an effect is beyond. */
function beyondOrder({ stopped, limits }: Order, effect: Effect, facts: Facts): Beyond | undefined {
  if (stopped) return { why: stopped, limitAgorot: null }
  return limits.flatMap((one) => beyond(effect, facts, one) ?? [])[0]
}

/** What was asked, in shekels at today's rate, as limits compare it. */
export const factsOf = async (
  ctx: Ctx,
  { agorot, currency = 'ILS', documentType }: Asked,
): Promise<Facts> => ({
  agorot: await inShekelsToday(ctx, agorot, currency),
  documentType,
})

/** The one check of every effect, at the moment it happens. */
export async function authorize(ctx: Ctx, effect: Effect, asked: Asked): Promise<void> {
  const { caller } = ctx
  const { apiKey, order } = caller
  const facts = await factsOf(ctx, asked)
  if (apiKey) {
    const found = beyond(effect, facts, { ...apiKey, readOnly: false })
    if (found?.why === 'draftsOnly') throw fail('kit.keyDraftsOnly')
    if (found?.why === 'noRate') throw fail('approvals.noRate')
    if (found)
      throw fail('kit.keySumLimit', { limit: withCurrency(found.limitAgorot ?? 0, 'ILS', caller.language) })
  }
  if (order) {
    const found = beyondOrder(order, effect, facts)
    if (!found) return
    order.refused = { ...found, ...facts, effect }
    throw fail('approvals.needed')
  }
  if (!isPerson(caller)) {
    // Every test that runs a sweep or a job meets this wall.
    if (!caller.own && effect !== 'post') throw new Error(`the system may not ${effect} without an order`)
    return
  }
  // A person's limit holds however the charge is made. Refunds count what went back before, and types of documents
  // are refused by their own calls.
  if (effect === 'charge') {
    const found = beyond(effect, { agorot: facts.agorot }, await limitsToday(ctx))
    if (found?.why === 'noRate') throw fail('approvals.noRate')
    if (found) throw fail('approvals.beyondYours', { limit: formatMoney(found.limitAgorot ?? 0) })
  }
}

/** Whether a person or a key of theirs acts, and not the system. */
export const isPerson = ({ userId }: Caller): boolean => !userId.startsWith('00000000')

interface PrincipalRow {
  present: boolean
  rules: number[]
  docs_allow: number[]
  charge_limit_agorot: number | null
  refund_limit_agorot: number | null
  hide_total_prices: boolean
  own_customers_only: boolean
  type_id: number
  sub_type_id: number
  full_name: string
  language: Language
  email_verified: boolean
  trades: string[] | null
  areas_switched: Record<string, boolean>
  key_alive: boolean | null
  key_rules: number[] | null
  key_docs: number[] | null
  read_only: boolean | null
  drafts_only: boolean | null
  sum_limit_agorot: number | null
}

/** A person, and a key where one was used, as they are today. */
async function principalOf(
  ctx: Ctx,
  userId: string,
  keyId: string | null,
): Promise<PrincipalRow | undefined> {
  const { rows } = await sql<PrincipalRow>`select m.removed_at is null and m.blocked_at is null
      and u.blocked_at is null as present, m.rules, m.docs_allow, m.charge_limit_agorot,
      m.refund_limit_agorot, m.hide_total_prices, m.own_customers_only, m.type_id, m.sub_type_id,
      u.full_name, u.language, u.email_verified_at is not null as email_verified, c.trades, c.areas_switched,
      k.revoked_at is null and (k.expires_at is null or k.expires_at > ${ctx.now}) as key_alive,
      k.rules as key_rules, k.docs_allow as key_docs, k.read_only, k.drafts_only, k.sum_limit_agorot
    from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
    left join api_keys k on k.company_id = m.company_id and k.id = ${keyId}
    where m.company_id = ${ctx.companyId} and m.user_id = ${userId}`.execute(ctx.tx)
  return rows[0]
}

const limitsFrom = (row: PrincipalRow, withKey: boolean): Limits[] => [
  {
    docsAllow: row.docs_allow,
    chargeLimitAgorot: row.charge_limit_agorot,
    refundLimitAgorot: row.refund_limit_agorot,
  },
  ...(withKey
    ? [
        {
          readOnly: row.read_only ?? false,
          draftsOnly: row.drafts_only ?? false,
          sumLimitAgorot: row.sum_limit_agorot,
          docsAllow: row.key_docs ?? [],
        },
      ]
    : []),
]

/** The limits of the person who calls, as they are now. */
export async function limitsToday({ caller, ...ctx }: Ctx): Promise<Limits> {
  const row = await principalOf({ caller, ...ctx }, caller.userId, null)
  return row ? limitsFrom(row, false)[0]! : {}
}

/**
 * A caller that was stored when work was started, with the rights of today: narrower where they were narrowed.
 * Undefined where the person left or the key ended.
 */
export async function callerToday(ctx: Ctx): Promise<Caller | undefined> {
  const { caller } = ctx
  if (!isPerson(caller)) return caller
  const today = await principalOf(ctx, caller.userId, caller.apiKey?.id ?? null)
  // Who was never a member works for the system: the demo and the support desk.
  if (!today) return caller
  if (!today.present || (caller.apiKey && !today.key_alive)) return undefined
  const { apiKey } = caller
  const limits = strictest([{ docsAllow: caller.docsAllow }, ...limitsFrom(today, apiKey !== undefined)])
  return {
    ...caller,
    rules: apiKey ? within([caller.rules, today.rules, today.key_rules ?? []]) : today.rules,
    docsAllow: [...(limits.docsAllow ?? [])],
    hideTotalPrices: caller.hideTotalPrices || today.hide_total_prices,
    ownCustomersOnly: caller.ownCustomersOnly || today.own_customers_only,
    ...(apiKey
      ? {
          apiKey: {
            ...apiKey,
            readOnly: apiKey.readOnly || today.read_only === true,
            draftsOnly: apiKey.draftsOnly || today.drafts_only === true,
            sumLimitAgorot: least([apiKey.sumLimitAgorot, today.sum_limit_agorot]),
          },
        }
      : {}),
  }
}

/** Rules that are in all of the lists; one that allows everything narrows nothing. */
function within(all: readonly (readonly number[])[]): number[] {
  const lists = all.filter((rules) => !isUnlimited(rules))
  const [first, ...others] = lists
  if (!first) return []
  const kept = first.filter((rule) => others.every((rules) => rules.includes(rule)))
  return kept.length ? kept : [nothing]
}

/** What an order would do next. */
export interface Foreseen {
  id: string
  does: readonly (Asked & { effect: Effect })[]
}

/** What is known of a kind of order; declared once by its feature. */
export interface OrderKind {
  /** Who lost this right orders nothing any more, and only who has it approves. */
  rule: string
  /**
   * It follows from what was allowed already, such as the receipt of a charge: only the limits of that moment hold,
   * and it does not matter whether its principal is still there.
   */
  isConsequence?: boolean
  /** Whose history keeps the decision; that of the approvals where nothing is said. */
  entity?: string
  /** What waits, in the words of the business, and where it is seen. */
  describe: (ctx: Ctx, ids: readonly string[]) => Promise<{ id: string; title: string; href: string }[]>
  /** What those that go on would do next; what is over is left out. Absent where no order of the kind goes on. */
  next?: (ctx: Ctx, ids: readonly string[]) => Promise<Foreseen[]>
  /** Approved: the order goes on, now under who approved it. */
  goOn: (ctx: Ctx, id: string) => Promise<void>
  /** Rejected: the order ends or stays where it is. */
  stop?: (ctx: Ctx, id: string, reason: string) => Promise<void>
}

const kinds = new Map<string, OrderKind>()

/** Declares what may cause effects later. */
export function registerOrders(kind: string, how: OrderKind): void {
  if (kinds.has(kind)) throw new Error(`orders of the kind ${kind} are declared twice`)
  kinds.set(kind, how)
}

export const orderKinds = (): ReadonlyMap<string, OrderKind> => kinds

/**
 * Stores who orders what happens later and the limits of now; again when it is changed, so that nobody makes
 * more of an order than they may order. What is ordered while another order is carried out keeps its principal.
 */
export async function ordered(ctx: Ctx, kind: string, id: string): Promise<void> {
  if (!kinds.has(kind)) throw new Error(`no such kind of order: ${kind}`)
  const { caller, companyId } = ctx
  const { order, apiKey } = caller
  const by = order ? order.userId : isPerson(caller) ? caller.userId : null
  const keyId = order ? order.keyId : (apiKey?.id ?? null)
  const limits = order
    ? strictest(order.limits)
    : by === null
      ? {}
      : strictest([
          await limitsToday(ctx),
          ...(apiKey ? [{ draftsOnly: apiKey.draftsOnly, sumLimitAgorot: apiKey.sumLimitAgorot }] : []),
          { docsAllow: caller.docsAllow },
        ])
  await sql`insert into authorities (company_id, kind, subject_id, user_id, key_id, limits, ordered_at)
    values (${companyId}, ${kind}, ${id}, ${by}, ${keyId}, ${JSON.stringify(limits)}::jsonb, ${ctx.now})
    on conflict (company_id, kind, subject_id) do update set user_id = excluded.user_id,
      key_id = excluded.key_id, limits = excluded.limits, ordered_at = excluded.ordered_at
      -- What the system or a customer changes stays under who ordered it.
      where excluded.user_id is not null`.execute(ctx.tx)
}

/**
 * An order goes on under another person, because the one who gave it leaves; the limits of the moment it was given stay
 * with it.
 */
export const handOrderOver = async (ctx: Ctx, kind: string, id: string, to: string): Promise<void> =>
  void (await sql`update authorities set user_id = ${to}, key_id = null where company_id = ${ctx.companyId}
    and kind = ${kind} and subject_id = ${id}`.execute(ctx.tx))

const least = (values: readonly (Agorot | null | undefined)[]): Agorot | null => {
  const given = values.filter((one): one is Agorot => one !== null && one !== undefined)
  return given.length ? Math.min(...given) : null
}

/** A number that names no rule and no document type: an empty list would mean all of them. */
const nothing = 0

function strictest(all: readonly Limits[]): Limits {
  const lists = all.map(({ docsAllow }) => docsAllow ?? []).filter((list) => list.length > 0)
  const both = lists.reduce<readonly number[] | undefined>(
    (kept, list) => (kept ? kept.filter((id) => list.includes(id)) : list),
    undefined,
  )
  return {
    draftsOnly: all.some((one) => one.draftsOnly || one.readOnly),
    sumLimitAgorot: least(all.map((one) => one.sumLimitAgorot)),
    chargeLimitAgorot: least(all.map((one) => one.chargeLimitAgorot)),
    refundLimitAgorot: least(all.map((one) => one.refundLimitAgorot)),
    docsAllow: both ? (both.length ? both : [nothing]) : [],
  }
}

/** An order with the limits in force: those it was given with and those of today's principal. */
export async function orderOf(ctx: Ctx, kind: string, id: string): Promise<Order> {
  const how = kinds.get(kind)
  if (!how) throw new Error(`no such kind of order: ${kind}`)
  const { rows } = await sql<{
    user_id: string | null
    key_id: string | null
    limits: Limits
  }>`select user_id, key_id, limits from authorities where company_id = ${ctx.companyId} and kind = ${kind}
      and subject_id = ${id}`.execute(ctx.tx)
  const [row] = rows
  if (!row) throw new Error(`nobody ordered ${kind} ${id}`)
  const { user_id: userId, key_id: keyId } = row
  const order: Order = { kind, id, userId, keyId, limits: [row.limits] }
  if (userId === null || how.isConsequence) return order
  const today = await principalOf(ctx, userId, keyId)
  if (!today?.present || (keyId !== null && !today.key_alive)) return { ...order, stopped: 'gone' }
  const lists = [today.rules, ...(keyId === null ? [] : [today.key_rules ?? []])]
  if (lists.some((rules) => !isUnlimited(rules) && !can({ rules, docsAllow: [] }, how.rule)))
    return { ...order, stopped: 'noRight' }
  return { ...order, limits: [row.limits, ...limitsFrom(today, keyId !== null)] }
}

/**
 * In whose sight an order reads what it sends: the person who ordered it, narrowed to the key that was used, to the
 * document types of that moment and to the rights of today. The business's own orders see all of it. Undefined where
 * nothing may be sent; `isWithin` then asks.
 */
export async function sightOf(ctx: Ctx, kind: string, id: string): Promise<Caller | undefined> {
  const { userId, keyId, limits, stopped } = await orderOf(ctx, kind, id)
  if (stopped) return undefined
  if (userId === null) return systemCaller(ctx.companyId)
  const today = await principalOf(ctx, userId, keyId)
  if (!today) return undefined
  return {
    sessionId: '',
    userId,
    companyId: ctx.companyId,
    typeId: today.type_id,
    subTypeId: today.sub_type_id,
    rules: within([today.rules, ...(keyId === null ? [] : [today.key_rules ?? []])]),
    docsAllow: [...(strictest(limits).docsAllow ?? [])],
    hideTotalPrices: today.hide_total_prices,
    ownCustomersOnly: today.own_customers_only,
    fullName: today.full_name,
    language: today.language,
    emailVerified: today.email_verified,
    areasOff: areasOff({ trades: today.trades, switched: today.areas_switched }),
  }
}

/**
 * In whose sight an order sends now, where it may; otherwise it waits for approval and nothing is answered. `sees`:
 * whether that sight shows what is to be sent. The transaction must be committed for the question.
 */
export async function sendingSight(
  ctx: Ctx,
  kind: string,
  id: string,
  sees: (sight: Caller) => boolean | Promise<boolean> = () => true,
): Promise<Caller | undefined> {
  if (!(await isWithin(ctx, kind, id, 'send', { agorot: 0 }))) return undefined
  const sight = await sightOf(ctx, kind, id)
  if (sight && (await sees(sight))) return sight
  await askApproval(ctx, await orderOf(ctx, kind, id), {
    effect: 'send',
    why: 'noRight',
    agorot: 0,
    limitAgorot: null,
  })
  return undefined
}

/**
 * Asks about an order before its time, where what it would do next is beyond its limits; once, however often it is
 * run, and without ringing. Answers the id of the question.
 */
export async function askAhead(ctx: Ctx, kind: string, { id, does }: Foreseen): Promise<string | undefined> {
  const order = await orderOf(ctx, kind, id)
  for (const { effect, ...asked } of does) {
    const facts = await factsOf(ctx, asked)
    const found = beyondOrder(order, effect, facts)
    if (!found) continue
    return askApproval(ctx, order, { ...found, ...facts, effect }, { isQuiet: true })
  }
  return undefined
}

/** Whether a question about the row `t` of an order waits: a schedule passes it over until somebody decided. */
export const isAsked = (kind: string, key: 'id' | 'company_id' = 'id') =>
  sql<boolean>`exists (select 1 from approvals a where a.company_id = t.company_id and a.kind = ${kind}
    and a.subject_id = t.${sql.ref(key)} and a.state = 'waiting')`

/** Whether a refusal, however it was wrapped on its way, means that an order reached beyond its limits. */
export const needsApproval = (e: unknown): boolean =>
  e instanceof Failure &&
  (e.code === 'approvals.needed' || e.errors.some(({ code }) => code === 'approvals.needed'))

/** A context for an effect of the system's own. */
export const asOwn = (ctx: Ctx, own: OwnEffect): Ctx =>
  isPerson(ctx.caller) || ctx.caller.order ? ctx : { ...ctx, caller: { ...ctx.caller, own } }

/** A context of the order's limits, for consequences that are not to wait on their own. */
export async function asOrdered(ctx: Ctx, kind: string, id: string): Promise<Ctx> {
  if (isPerson(ctx.caller) && !ctx.caller.order) return ctx
  return { ...ctx, caller: { ...ctx.caller, order: await orderOf(ctx, kind, id) } }
}

/**
 * Carries out part of an order within its limits. What is beyond them is undone, waits for approval, and is
 * answered as `waits`; every other failure is thrown. A person who does it by hand acts under their own limits.
 */
export async function underOrder<T>(
  ctx: Ctx,
  kind: string,
  id: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<{ done: T } | { waits: string }> {
  if (isPerson(ctx.caller) && !ctx.caller.order) return { done: await work(ctx) }
  const order = await orderOf(ctx, kind, id)
  await sql`savepoint under_order`.execute(ctx.tx)
  try {
    const done = await work({ ...ctx, caller: { ...ctx.caller, order } })
    await sql`release savepoint under_order`.execute(ctx.tx)
    return { done }
  } catch (e) {
    if (!needsApproval(e) || !order.refused) throw e
    await sql`rollback to savepoint under_order`.execute(ctx.tx)
    return { waits: await askApproval(ctx, order, order.refused) }
  }
}

/**
 * Whether an order may cause an effect; where not, it waits for approval. The transaction must be committed for
 * that: the caller refuses what was asked after it.
 */
export async function isWithin(
  ctx: Ctx,
  kind: string,
  id: string,
  effect: Effect,
  asked: Asked,
): Promise<boolean> {
  return 'done' in (await underOrder(ctx, kind, id, (bound) => authorize(bound, effect, asked)))
}

/** Closes the question of an order that a person dealt with otherwise: it was issued, changed or deleted. */
export async function endApproval(ctx: Ctx, kind: string, id: string): Promise<void> {
  await sql`update approvals set state = 'ended', decided_at = ${ctx.now}
    where company_id = ${ctx.companyId} and kind = ${kind} and subject_id = ${id}
      and state = 'waiting'`.execute(ctx.tx)
}

/** Notifies the owners of a question. */
export const ringOwners = async (ctx: Ctx, id: string, agorot: Agorot | null): Promise<void> =>
  void (await sql`select ring(${ctx.companyId}, 'approvals.asked', 'approvals', ${id},
      jsonb_build_object('agorot', ${agorot}::bigint),
      array(select user_id from memberships where company_id = ${ctx.companyId} and removed_at is null
        and blocked_at is null and (cardinality(rules) = 0 or rules[1] = -1)
        and cardinality(docs_allow) = 0 and not own_customers_only))`.execute(ctx.tx))

/** Puts a question into the inbox, once for each order, and rings for the owners. Answers its id. */
export async function askApproval(
  ctx: Ctx,
  { kind, id, userId, keyId }: Pick<Order, 'kind' | 'id' | 'userId' | 'keyId'>,
  { effect, why, agorot, limitAgorot, documentType }: NonNullable<Order['refused']>,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<string> {
  // What was rejected is not asked again until somebody orders it again.
  const { rows: rejected } = await sql<{ id: string }>`select a.id from approvals a
    join authorities o on o.company_id = a.company_id and o.kind = a.kind and o.subject_id = a.subject_id
    where a.company_id = ${ctx.companyId} and a.kind = ${kind} and a.subject_id = ${id}
      and a.state = 'rejected' and a.asked_at >= o.ordered_at limit 1`.execute(ctx.tx)
  if (rejected[0]) return rejected[0].id
  const { rows } = await sql<{ id: string; isNew: boolean }>`insert into approvals (company_id, id, kind,
      subject_id, user_id, key_id, effect, why, amount_agorot, limit_agorot, document_type, asked_at)
    values (${ctx.companyId}, ${newId()}, ${kind}, ${id}, ${userId}, ${keyId}, ${effect}, ${why}, ${agorot},
      ${limitAgorot}, ${documentType ?? null}, ${ctx.now})
    on conflict (company_id, kind, subject_id) where state = 'waiting'
      do update set effect = excluded.effect, why = excluded.why, amount_agorot = excluded.amount_agorot,
        limit_agorot = excluded.limit_agorot, document_type = excluded.document_type
    returning id, xmax = 0 as "isNew"`.execute(ctx.tx)
  const [asked] = rows
  if (asked!.isNew) {
    if (!isQuiet) await ringOwners(ctx, asked!.id, agorot)
    await ctx.audit('approvals.ask', 'approvals', asked!.id, undefined, { kind, subject: id, effect, why })
  }
  return asked!.id
}
