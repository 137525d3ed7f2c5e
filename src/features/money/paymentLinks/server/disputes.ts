import { sql } from 'kysely'
import { credit, debit } from '#domain/ledger/entry.ts'
import { timesFraction } from '#domain/money.ts'
import type { Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import { chargeOf, isWholeOnly, tell, type Charge } from '#features/money/acquirers/server/index.ts'
import { makeTask } from '#features/people/tasks/server/index.ts'
import { loseMoney, regainMoney, type AskedAgain } from '#features/sales/documents/server/index.ts'
import { bouncePayment, postStorno, undoReturn } from '#features/sales/payments/server/index.ts'
import type { ChargeAnswer } from '../endpoints.ts'

/** The open dispute of a charge, or the last one that was won. */
export async function disputeOf(ctx: Ctx, chargeId: string): Promise<ChargeAnswer['dispute']> {
  const { rows } = await sql<
    NonNullable<ChargeAnswer['dispute']>
  >`select state, told_on as "toldOn", answer_by as "answerBy", reason, amount_agorot as "amountAgorot"
    from charge_disputes where company_id = ${ctx.companyId} and charge_id = ${chargeId}
    order by state = 'won', created_at desc limit 1`.execute(ctx.tx)
  return rows[0] ?? null
}

interface Payment {
  id: string
  agorot: number
  ilsAgorot: number
  customerId: string | null
  number: number
}

/** The one payment of a charge's paper. */
async function paymentOf(ctx: Ctx, charge: Charge): Promise<Payment> {
  const { rows } = await sql<Payment>`select p.id, p.amount_agorot as agorot, p.ils_agorot as "ilsAgorot",
        d.customer_id as "customerId", d.number
    from document_payments p join documents d on d.company_id = p.company_id and d.id = p.document_id
    where p.company_id = ${ctx.companyId} and p.document_id = ${charge.paper_id}
    and p.means = 4 and p.amount_agorot = ${charge.amount_agorot}`.execute(ctx.tx)
  if (rows.length !== 1) throw fail('paymentLinks.cannotDispute')
  return rows[0]!
}

/** Somebody who may decide about money is asked to answer. */
async function askOwner(ctx: Ctx, charge: Charge, answerBy: Day | null): Promise<void> {
  const { language } = await companyOf(ctx)
  const { rows } = await sql<{ id: string }>`select user_id as id from memberships
    where company_id = ${ctx.companyId} and type_id = 4 and removed_at is null order by created_at
    limit 1`.execute(ctx.tx)
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
  /** All that was not refunded, unless given. */
  amountAgorot?: number | undefined
  toldOn?: Day | undefined
  answerBy?: Day | null | undefined
}

/**
 * The payer disputed the payment, or a part of it, and the acquirer reversed that: as with a bounced cheque the
 * receipt keeps its number, its debt is open again, and the acquirer owes so much less. A person is asked to answer.
 */
export async function dispute(
  ctx: Ctx,
  { id, reason, amountAgorot, toldOn = ctx.today, answerBy = null }: Denied,
): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  if (charge.state !== 'paid' || charge.surplus || !charge.paper_id) throw fail('paymentLinks.notPaid')
  const left = charge.amount_agorot - charge.given_back_agorot
  const agorot = amountAgorot ?? left
  if (agorot > left || agorot < 1) throw failField('amountAgorot', 'fields.range')
  const isWhole = agorot === charge.amount_agorot
  if (!isWhole && (await isWholeOnly(ctx, charge))) throw fail('paymentLinks.donationWhole')
  if (toldOn > ctx.today) throw failField('toldOn', 'fields.range')
  if (answerBy && answerBy < toldOn) throw failField('answerBy', 'fields.dayOrder')
  const { rows: refunds } =
    await sql`select 1 from charge_refunds where company_id = ${ctx.companyId} and charge_id = ${id}
    and state in ('asked', 'unknown', 'needsPerson')`.execute(ctx.tx)
  if (refunds.length) throw fail('paymentLinks.cannotDispute')
  const payment = await paymentOf(ctx, charge)
  const { rows } =
    await sql`insert into charge_disputes (company_id, id, charge_id, amount_agorot, told_on, answer_by,
        reason, payment_id, created_by)
    values (${ctx.companyId}, ${newId()}, ${id}, ${agorot}, ${toldOn}, ${answerBy}, ${reason}, ${payment.id},
      ${ctx.caller.userId || null})
    on conflict do nothing returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('paymentLinks.disputed')
  if (isWhole) await bouncePayment(ctx, { id: payment.id, reason, date: toldOn })
  else
    await takePartBack(ctx, charge, payment, {
      agorot,
      reason,
      toldOn,
      disputeId: String((rows[0] as { id: string }).id),
    })
  await tell(ctx, id, 'disputed', { agorot })
  await ctx.audit('paymentLinks.dispute', 'cardCharges', id, undefined, {
    reason,
    toldOn,
    answerBy,
    amountAgorot: agorot,
  })
  await askOwner(ctx, charge, answerBy)
}

/**
 * So much of the debt is open again, and the acquirer owes so much less; the rest of the payment stays where it is.
 */
async function takePartBack(
  ctx: Ctx,
  charge: Charge,
  { agorot: paid, ilsAgorot: paidIls, customerId, number }: Payment,
  { agorot, reason, toldOn, disputeId }: { agorot: number; reason: string; toldOn: Day; disputeId: string },
): Promise<void> {
  const ilsAgorot = timesFraction(paidIls, agorot, paid, 'halfAwayFromZero')
  const accounts = await accountIds(ctx)
  const asked = await loseMoney(ctx, charge.paper_id!, { agorot, ilsAgorot }, toldOn)
  const entryId = await post(ctx, {
    day: toldOn,
    kind: 'bounced',
    reference: String(number),
    details: reason,
    documentId: charge.paper_id!,
    postings: [
      debit(accounts.of('customers'), ilsAgorot, customerId ?? undefined),
      credit(accounts.of('cardClearing'), ilsAgorot),
    ],
  })
  await sql`update charge_disputes set entry_id = ${entryId}, asked = ${JSON.stringify(asked)}::jsonb
    where company_id = ${ctx.companyId} and id = ${disputeId}`.execute(ctx.tx)
}

/** It is decided: won, the money is back where it was; lost, everything stays as it is. */
export async function endDispute(ctx: Ctx, { id, isWon }: { id: string; isWon: boolean }): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  const { rows } = await sql<{
    paymentId: string
    agorot: number
    entryId: string | null
    asked: AskedAgain[]
  }>`update charge_disputes set state = ${isWon ? 'won' : 'lost'}, ended_on = ${ctx.today}, updated_at = now()
    where company_id = ${ctx.companyId} and charge_id = ${id} and state = 'open'
    returning payment_id as "paymentId",
      amount_agorot as agorot, entry_id as "entryId", asked`.execute(ctx.tx)
  if (!rows[0]) throw fail('paymentLinks.notDisputed')
  const { paymentId, agorot, entryId, asked } = rows[0]
  if (isWon && entryId) {
    const { ilsAgorot, agorot: paid } = await paymentOf(ctx, charge)
    await regainMoney(
      ctx,
      charge.paper_id!,
      { agorot, ilsAgorot: timesFraction(ilsAgorot, agorot, paid, 'halfAwayFromZero') },
      asked,
    )
    await postStorno(ctx, entryId, ctx.today)
  } else if (isWon) await undoReturn(ctx, paymentId)
  await tell(ctx, id, isWon ? 'disputeWon' : 'disputeLost', { agorot })
  await ctx.audit('paymentLinks.endDispute', 'cardCharges', id, undefined, { isWon })
}
