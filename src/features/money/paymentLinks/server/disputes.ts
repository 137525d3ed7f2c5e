import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { chargeOf, tell, type Charge } from '#features/money/acquirers/server/index.ts'
import { makeTask } from '#features/people/tasks/server/index.ts'
import { bouncePayment, undoReturn } from '#features/sales/payments/server/index.ts'
import type { ChargeAnswer } from '../endpoints.ts'

/** The denial of a charge that stands, or the last one that was won. */
export async function disputeOf(ctx: Ctx, chargeId: string): Promise<ChargeAnswer['dispute']> {
  const { rows } = await sql<NonNullable<ChargeAnswer['dispute']>>`select state, told_on as "toldOn", answer_by as "answerBy", reason
    from charge_disputes where company_id = ${ctx.companyId} and charge_id = ${chargeId} order by state = 'won', created_at desc limit 1`.execute(
    ctx.tx,
  )
  return rows[0] ?? null
}

/** The one payment of a charge's paper. */
async function paymentOf(ctx: Ctx, charge: Charge): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select id from document_payments where company_id = ${ctx.companyId} and document_id = ${charge.paper_id}
    and means = 4 and amount_agorot = ${charge.amount_agorot}`.execute(ctx.tx)
  if (rows.length !== 1) throw fail('paymentLinks.cannotDispute')
  return rows[0]!.id
}

/** Somebody who may decide about money is asked to answer. */
async function askOwner(ctx: Ctx, charge: Charge, answerBy: Day | null): Promise<void> {
  const { language } = await companyOf(ctx)
  const { rows } = await sql<{ id: string }>`select user_id as id from memberships
    where company_id = ${ctx.companyId} and type_id = 4 and removed_at is null order by created_at limit 1`.execute(ctx.tx)
  const who = charge.payer.name || charge.description
  await makeTask(ctx, {
    title: say(language, 'cardCharges.disputeTask', { who }).slice(0, 300),
    dueDay: answerBy ?? ctx.today,
    ownerId: rows[0]?.id ?? null,
    customerId: charge.customer_id,
    documentId: charge.paper_id,
  })
}

interface Denied {
  id: string
  reason: string
  toldOn?: Day | undefined
  answerBy?: Day | null | undefined
}

/**
 * The payer denied the payment and the acquirer took it back: as with a cheque that bounced the receipt keeps its number, its debt stands again, and so much
 * less is owed by the acquirer. Somebody is asked to answer.
 */
export async function dispute(ctx: Ctx, { id, reason, toldOn = ctx.today, answerBy = null }: Denied): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  if (charge.state !== 'paid' || charge.surplus || !charge.paper_id) throw fail('paymentLinks.notPaid')
  // What was given back in part is taken back by hand, for what is left of it.
  if (charge.given_back_agorot > 0) throw fail('paymentLinks.cannotDispute')
  if (toldOn > ctx.today) throw failField('toldOn', 'fields.range')
  if (answerBy && answerBy < toldOn) throw failField('answerBy', 'fields.dayOrder')
  const { rows: refunds } = await sql`select 1 from charge_refunds where company_id = ${ctx.companyId} and charge_id = ${id}
    and state in ('asked', 'unknown', 'needsPerson')`.execute(ctx.tx)
  if (refunds.length) throw fail('paymentLinks.cannotDispute')
  const paymentId = await paymentOf(ctx, charge)
  const { rows } = await sql`insert into charge_disputes (company_id, id, charge_id, told_on, answer_by, reason, payment_id, created_by)
    values (${ctx.companyId}, ${newId()}, ${id}, ${toldOn}, ${answerBy}, ${reason}, ${paymentId}, ${ctx.caller.userId || null})
    on conflict do nothing returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('paymentLinks.disputed')
  await bouncePayment(ctx, { id: paymentId, reason, date: toldOn })
  await tell(ctx, id, 'disputed', { agorot: charge.amount_agorot })
  await ctx.audit('paymentLinks.dispute', 'cardCharges', id, undefined, { reason, toldOn, answerBy })
  await askOwner(ctx, charge, answerBy)
}

/** It is decided: won, the money is back where it was; lost, everything stays as it is. */
export async function endDispute(ctx: Ctx, { id, isWon }: { id: string; isWon: boolean }): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  const { rows } = await sql<{
    paymentId: string
  }>`update charge_disputes set state = ${isWon ? 'won' : 'lost'}, ended_on = ${ctx.today}, updated_at = now()
    where company_id = ${ctx.companyId} and charge_id = ${id} and state = 'open' returning payment_id as "paymentId"`.execute(ctx.tx)
  if (!rows[0]) throw fail('paymentLinks.notDisputed')
  if (isWon) await undoReturn(ctx, rows[0].paymentId)
  await tell(ctx, id, isWon ? 'disputeWon' : 'disputeLost', { agorot: charge.amount_agorot })
  await ctx.audit('paymentLinks.endDispute', 'cardCharges', id, undefined, { isWon })
}
