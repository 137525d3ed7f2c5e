import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import type { Agorot } from '#domain/money.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Worker } from '../workers.ts'

/** As the rule of the acquirers: who may give money back to cards. */
const refunding = 'charges.refund'

/** How much whoever asks may give back of one charge to a card; null where he is not bound. A key is bound as the person who made it. */
export async function refundLimitOf(ctx: Ctx): Promise<Agorot | null> {
  const { rows } = await sql<{ agorot: number | null }>`select refund_limit_agorot as agorot from memberships
    where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  return rows[0]?.agorot ?? null
}

const isBeyond = (limit: Agorot | null, own: Agorot | null): boolean => own !== null && (limit === null || limit > own)

const mayRefund = ({ rules, docsAllow }: Pick<Worker, 'rules' | 'docsAllow'>): boolean => can({ rules, docsAllow }, refunding)

/** Whoever is bound himself touches nobody who may give back more. */
export async function refuseRefundsBeyond(ctx: Ctx, one: Worker): Promise<void> {
  if (mayRefund(one) && isBeyond(one.refundLimitAgorot, await refundLimitOf(ctx)))
    throw fail('team.beyondYours')
}

/**
 * Writes how much a person may give back of one charge, or, where nothing was said and his rights are changed, binds him as whoever changes them: nobody
 * gives what he has not got, and nobody changes what he may himself.
 */
export async function settleRefundLimit(ctx: Ctx, one: Worker, given: Agorot | null | undefined, touched: boolean): Promise<void> {
  if (given === undefined && !touched) return
  if (one.id === ctx.caller.userId) throw fail('team.yourself')
  const own = await refundLimitOf(ctx)
  if (given !== undefined && own !== null && isBeyond(given, own))
    throw failField('refundLimitAgorot', 'team.refundBeyondYours', { limit: formatMoney(own) })
  const after = given !== undefined ? given : isBeyond(one.refundLimitAgorot, own) ? own : one.refundLimitAgorot
  if (after === one.refundLimitAgorot) return
  if (one.state === 'invited')
    await sql`update invitations set refund_limit_agorot = ${after}, updated_at = now() where company_id = ${ctx.companyId} and id = ${one.id}`.execute(ctx.tx)
  else await sql`update memberships set refund_limit_agorot = ${after} where company_id = ${ctx.companyId} and user_id = ${one.id}`.execute(ctx.tx)
}

/** People of a set that is changed by somebody who is bound: whoever may give back more already is beyond him, and whoever gets the right by it is bound as he is. */
export async function settleRefundsOfSet(
  ctx: Ctx,
  number: number,
  before: Pick<Worker, 'rules' | 'docsAllow'>,
  after: Pick<Worker, 'rules' | 'docsAllow'>,
): Promise<void> {
  const own = await refundLimitOf(ctx)
  if (own === null || !(mayRefund(before) || mayRefund(after))) return
  const beyond = sql`company_id = ${ctx.companyId} and rule_id = ${number} and coalesce(refund_limit_agorot > ${own}, true)`
  const inside = sql`${beyond} and removed_at is null`
  const asked = sql`${beyond} and used_at is null and revoked_at is null`
  if (mayRefund(before)) {
    const { rows } =
      await sql`select 1 from memberships where ${inside} union all select 1 from invitations where ${asked} limit 1`.execute(ctx.tx)
    if (rows.length) throw fail('team.beyondYours')
    return
  }
  await sql`update memberships set refund_limit_agorot = ${own} where ${inside}`.execute(ctx.tx)
  await sql`update invitations set refund_limit_agorot = ${own}, updated_at = now() where ${asked}`.execute(ctx.tx)
}
