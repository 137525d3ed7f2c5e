import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import type { Agorot } from '#domain/money.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Worker } from '../workers.ts'

/**
 * The limits of a person: how much they may refund of one card charge, and how much they may charge a saved card at
 * once.
 */
const limits = {
  // Under the names of the acquirers' rule and of the saved cards'.
  refund: { may: 'charges.refund', field: 'refundLimitAgorot', column: 'refund_limit_agorot' },
  charge: { may: 'savedCards.charge', field: 'chargeLimitAgorot', column: 'charge_limit_agorot' },
} as const
type Kind = keyof typeof limits
type Limit = (typeof limits)[Kind]

/** What is said of the limits of a person: a sum, null for no bound, absent where nothing is said of it. */
export type GivenLimits = { [K in Kind as (typeof limits)[K]['field']]?: Agorot | null | undefined }

/** The limits of the caller; null without one. A key has those of the person who created it. */
export async function sumLimitOf(ctx: Ctx, kind: Kind): Promise<Agorot | null> {
  return ownLimit(ctx, limits[kind])
}

async function ownLimit(ctx: Ctx, { column }: Limit): Promise<Agorot | null> {
  const { rows } = await sql<{ agorot: number | null }>`select ${sql.ref(column)} as agorot from memberships
    where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  return rows[0]?.agorot ?? null
}

const isBeyond = (limit: Agorot | null, own: Agorot | null): boolean =>
  own !== null && (limit === null || limit > own)

const mayIt = ({ rules, docsAllow }: Pick<Worker, 'rules' | 'docsAllow'>, { may }: Limit): boolean =>
  can({ rules, docsAllow }, may)

/** A person with limits cannot change people who may do more. */
export async function refuseLimitsBeyond(ctx: Ctx, one: Worker): Promise<void> {
  for (const limit of Object.values(limits))
    if (mayIt(one, limit) && isBeyond(one[limit.field], await ownLimit(ctx, limit)))
      throw fail('team.beyondYours')
}

/**
 * Stores the limits of a person, or, where none were given and the rights are changed, copies those of the caller:
 * nobody grants what they do not have, and nobody changes their own.
 */
export async function settleLimits(
  ctx: Ctx,
  one: Worker,
  given: GivenLimits,
  touched: boolean,
): Promise<void> {
  for (const limit of Object.values(limits)) await settleLimit(ctx, one, limit, given[limit.field], touched)
}

async function settleLimit(
  ctx: Ctx,
  one: Worker,
  limit: Limit,
  given: Agorot | null | undefined,
  touched: boolean,
): Promise<void> {
  if (given === undefined && !touched) return
  if (one.id === ctx.caller.userId) throw fail('team.yourself')
  const own = await ownLimit(ctx, limit)
  if (given !== undefined && own !== null && isBeyond(given, own))
    throw failField(limit.field, 'team.limitBeyondYours', { limit: formatMoney(own) })
  const before = one[limit.field]
  const after = given !== undefined ? given : isBeyond(before, own) ? own : before
  if (after === before) return
  const set = sql`${sql.ref(limit.column)} = ${after}`
  if (one.state === 'invited')
    await sql`update invitations set ${set}, updated_at = now() where company_id = ${ctx.companyId}
        and id = ${one.id}`.execute(ctx.tx)
  else
    await sql`update memberships set ${set} where company_id = ${ctx.companyId}
        and user_id = ${one.id}`.execute(ctx.tx)
}

type Rights = Pick<Worker, 'rules' | 'docsAllow'>

/**
 * People of a set that is changed by a caller with limits: people who may do more already cannot be changed, and
 * people who get the right by it get the caller's limits.
 */
export async function settleLimitsOfSet(
  ctx: Ctx,
  number: number,
  before: Rights,
  after: Rights,
): Promise<void> {
  for (const limit of Object.values(limits)) await settleLimitOfSet(ctx, limit, number, before, after)
}

async function settleLimitOfSet(
  ctx: Ctx,
  limit: Limit,
  number: number,
  before: Rights,
  after: Rights,
): Promise<void> {
  const own = await ownLimit(ctx, limit)
  if (own === null || !(mayIt(before, limit) || mayIt(after, limit))) return
  const column = sql.ref(limit.column)
  const beyond = sql`company_id = ${ctx.companyId} and rule_id = ${number}
      and coalesce(${column} > ${own}, true)`
  const inside = sql`${beyond} and removed_at is null`
  const asked = sql`${beyond} and used_at is null and revoked_at is null`
  if (mayIt(before, limit)) {
    const { rows } =
      await sql`select 1 from memberships where ${inside} union all select 1 from invitations where ${asked}
        limit 1`.execute(ctx.tx)
    if (rows.length) throw fail('team.beyondYours')
    return
  }
  await sql`update memberships set ${column} = ${own} where ${inside}`.execute(ctx.tx)
  await sql`update invitations set ${column} = ${own}, updated_at = now() where ${asked}`.execute(ctx.tx)
}
