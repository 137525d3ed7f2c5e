import { sql } from 'kysely'
import { asOrdered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { keepCard } from '../cards/keep.ts'
import type { Answer, Deal, Silence } from '../door.ts'
import { chargeKind, chargeOf, endTry, setCharge, tell, type Charge } from './charge.ts'
import { tellsDeal, wrongIn } from './compare.ts'
import { makePaper } from './papers.ts'
import { purposeOf, type Purpose } from './purposes.ts'
import { holdAsk, holdOf, hopelessAfter, nextAsk, settledAfter, stepOf, usualHold } from './states.ts'

/**
 * What an acquirer says of a charge becomes so here, and nowhere else: a notice that made us ask, the payer
 * who comes back, a person and the sweep all end in this function, under the lock of the charge's row. What
 * was done once is not done again.
 */
export async function take(ctx: Ctx, id: string, heard: Answer | Silence): Promise<void> {
  const purpose = purposeOf(await chargeOf(ctx, id))
  await purpose.lock(ctx, await chargeOf(ctx, id))
  const charge = await chargeOf(ctx, id, true)
  // Somebody was quicker; nothing more comes of it, and what is planned for its paper stays.
  if (isOver(charge)) return
  const isDeal = heard.is === 'paid' || heard.is === 'held'
  const wrong = tellsDeal(heard) ? await wrongIn(ctx, charge, heard) : undefined
  if (wrong) {
    ctx.app.log.warn({ charge: id, what: wrong }, 'the acquirer tells of another charge than was asked about')
    await tell(ctx, id, 'mismatch', { what: wrong })
  }
  const now = ctx.now.getTime()
  const lapsesAt = new Date(charge.lapses_at).getTime()
  const isByCard = charge.card_id !== null
  const since = isByCard ? await askedAt(ctx, id, now) : lapsesAt
  const step = stepOf(
    {
      state: charge.state,
      isByCard,
      declineCode: charge.decline_code,
      isLapsed: lapsesAt < now,
      isSettled: isByCard && now - since > settledAfter,
      isHopeless: now - since > hopelessAfter,
      hold: holdOf(now, charge.held_until),
    },
    wrong ? { is: 'mismatch' } : heard,
  )
  const { to, decline } = step ?? { to: charge.state }
  const asks = to === charge.state ? charge.asks + 1 : 0
  const heldUntil =
    heard.is === 'held' && step ? (heard.until ?? new Date(now + usualHold).toISOString()) : charge.held_until
  const next = isByCard && (to === 'declined' || to === 'lapsed') ? null : nextAsk(now, lapsesAt, to, asks)
  await setCharge(ctx, id, {
    state: to,
    asks,
    ask_at: to === 'held' ? holdAsk(now, heldUntil) : next === null ? null : new Date(next),
    // It names the payer, and is asked about no more.
    ...(to === 'paid' || to === 'saved' ? { told: '' } : {}),
    ...(decline ? { decline_code: decline.code.slice(0, 40), decline_class: decline.class } : {}),
    ...(isDeal && step && !wrong ? factsOf(heard, to === 'paid' ? ctx.now : null) : {}),
    ...(to === 'held' ? { held_until: heldUntil } : {}),
  })
  if (!step) return
  if (isByCard && to !== 'unknown' && to !== 'needsPerson') await endCardTry(ctx, id, to, decline?.code)
  if (to === 'paid') await tell(ctx, id, 'paid', { agorot: charge.amount_agorot })
  else if (to === 'declined') await tell(ctx, id, 'declined', { code: decline!.code })
  else
    await tell(
      ctx,
      id,
      to,
      to === 'held' ? { agorot: charge.amount_agorot } : heard.is === 'postponed' ? { code: heard.code } : {},
    )
  const after = await chargeOf(ctx, id)
  // What follows from a charge happens within the limits of who ordered it.
  const bound = await asOrdered(ctx, chargeKind, id)
  if (to === 'paid') await paid(bound, after, purpose)
  else if (to === 'held') await purpose.held?.(bound, after)
  else if (to === 'released') await purpose.released?.(bound, after)
  else if (isByCard && (to === 'declined' || to === 'lapsed')) await purpose.failed?.(bound, after)
  else if (isByCard && (to === 'unknown' || to === 'needsPerson')) await purpose.inDoubt?.(bound, after)
  if (!wrong && tellsDeal(heard) && heard.card && charge.consent) {
    const whose = charge.customer_id
      ? null
      : ((await purpose.forWhom?.(bound, await chargeOf(ctx, id))) ?? null)
    if (whose) await setCharge(ctx, id, { customer_id: whose })
    const card = await keepCard(ctx, await chargeOf(ctx, id), heard.card)
    if (card) await purpose.kept?.(bound, await chargeOf(ctx, id), card)
  }
}

/**
 * When the acquirer was asked to charge a card: not when that was written down, which may be days before
 * where a process died in between. The person who asks what became of it while another one's call is on its way
 * hears of nothing, and that means nothing yet.
 */
async function askedAt(ctx: Ctx, id: string, now: number): Promise<number> {
  const { rows } = await sql<{ at: string | null }>`select max(asked_at) as at from charge_tries
    where company_id = ${ctx.companyId} and charge_id = ${id} and deed = 'card'`.execute(ctx.tx)
  return rows[0]?.at ? new Date(rows[0].at).getTime() : now
}

const isOver = ({ state }: Charge): boolean => state === 'paid' || state === 'saved' || state === 'released'

/** Money came: its paper, or back with it where nobody wants it any more. */
async function paid(ctx: Ctx, charge: Charge, purpose: Purpose): Promise<void> {
  if (!(await purpose.isDue(ctx, charge))) {
    await setCharge(ctx, charge.id, { surplus: true })
    await tell(ctx, charge.id, 'surplus')
    await giveAllBack(ctx, charge)
    return
  }
  await makePaper(ctx, charge)
  await purpose.paid(ctx, charge)
}

async function endCardTry(ctx: Ctx, id: string, outcome: string, code = ''): Promise<void> {
  const { rows } = await sql<{ no: number }>`select no from charge_tries
    where company_id = ${ctx.companyId} and charge_id = ${id} and deed = 'card'
      and answered_at is null`.execute(ctx.tx)
  if (rows[0]) await endTry(ctx, id, rows[0].no, outcome, code)
}

/** No more of a deal than its columns hold, whatever an acquirer sends beside the sum. */
const factsOf = (deal: Deal, paidAt: Date | null) => ({
  paid_at: paidAt,
  uid: deal.uid,
  instalments: deal.instalments > 1 && deal.instalments <= 99 ? Math.floor(deal.instalments) : 1,
  card_brand: deal.brand.slice(0, 30),
  card_last4: /^\d{4}$/.test(deal.last4) ? deal.last4 : '',
  approval: deal.approval.slice(0, 40),
  decline_code: '',
  decline_class: '',
})

async function giveAllBack(ctx: Ctx, charge: Charge): Promise<void> {
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, automatic, ask_at)
    values (${ctx.companyId}, ${refundId}, ${charge.id}, ${charge.amount_agorot}, true,
      ${new Date(ctx.now.getTime() + 60_000)})`.execute(ctx.tx)
  await ctx.later('acquirers.refund', { refundId })
}
