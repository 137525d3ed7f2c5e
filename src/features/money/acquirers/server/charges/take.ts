import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { newId } from '#kit/server/context.ts'
import { keepCard } from '../cards/keep.ts'
import type { Answer } from '../door.ts'
import { chargeOf, codeOf, endTry, lastTry, setCharge, tell, type Charge, type Try } from './charge.ts'
import { purposeOf } from './purposes.ts'
import { hopelessAfter, pauseAfter, settledAfter, stepOf, type Silence, type Situation, type State } from './states.ts'

const minute = 60_000

/**
 * What an acquirer says of a charge becomes so here, and nowhere else: the answer of a call, a notice that made us ask, the payer who comes back, a person
 * and the sweep all end in this function, under the lock of the charge's row. What was done once is not done again.
 */
export async function take(ctx: Ctx, id: string, heard: Answer | Silence, tryNo?: number): Promise<void> {
  const before = await chargeOf(ctx, id)
  const purpose = purposeOf(before)
  await purpose.lock?.(ctx, before)
  const charge = await chargeOf(ctx, id, true)
  const asked = await lastTry(ctx, id, ['page', 'charge', 'hold', 'capture', 'release'])
  const wrong = 'uid' in heard ? await wrongIn(ctx, charge, heard, asked) : undefined
  if (wrong) {
    ctx.app.log.warn({ charge: id, what: wrong }, 'the acquirer tells of another charge than was asked about')
    await tell(ctx, id, 'mismatch', { what: wrong })
  }
  const answer: Answer | Silence = wrong ? { is: 'silence', wasSent: true } : heard
  const step = stepOf(situationOf(ctx, charge, asked), answer)
  // A try is answered by whatever says what became of it.
  if (asked?.open && (tryNo === undefined || tryNo === asked.no) && (step ? step.to !== 'unknown' && step.to !== 'needsPerson' : isNews(answer, asked)))
    await endTry(ctx, id, asked.no, answer.is, step?.decline?.code)
  if (!step) {
    await setCharge(ctx, id, { ask_at: nextAsk(ctx, charge, charge.state), asks: charge.asks + 1 })
    return
  }
  const { to, decline } = step
  const isNew = to !== charge.state
  await setCharge(ctx, id, {
    state: to,
    ...(decline ? { decline_code: decline.code.slice(0, 40), decline_class: decline.class } : {}),
    unknown_since: to === 'unknown' ? (charge.unknown_since ?? ctx.now) : null,
    asks: isNew ? 0 : charge.asks + 1,
    ask_at: nextAsk(ctx, isNew ? { ...charge, asks: 0 } : charge, to),
    ...(to === 'paid' ? { paid_at: ctx.now } : {}),
  })
  if (answer.is === 'saved') {
    await setCharge(ctx, id, { uid: answer.uid, approval: answer.approval, card_brand: answer.card.brand, card_last4: answer.card.last4 })
    await tell(ctx, id, 'saved')
    await keepCard(ctx, await chargeOf(ctx, id), answer.card, answer)
    return
  }
  if (answer.is !== 'paid' && answer.is !== 'held') {
    await tell(ctx, id, to === 'held' ? 'captureRefused' : to, decline ? { code: decline.code } : {})
    if (to === 'declined' || to === 'lapsed') await purpose.failed?.(ctx, await chargeOf(ctx, id))
    return
  }
  const { uid, agorot, instalments, brand, last4, approval } = answer
  await setCharge(ctx, id, {
    uid,
    amount_agorot: agorot,
    instalments,
    card_brand: brand || charge.card_brand,
    card_last4: last4 || charge.card_last4,
    approval,
    decline_code: '',
    decline_class: '',
    ...(to === 'held' ? { held_agorot: agorot } : {}),
  })
  await tell(ctx, id, to, { agorot })
  if (answer.card && charge.keeps_card) await keepCard(ctx, await chargeOf(ctx, id), answer.card, answer)
  if (to === 'held') return
  const paid = await chargeOf(ctx, id)
  if (!(await purpose.isDue(ctx, paid))) {
    await setCharge(ctx, id, { surplus: true })
    await tell(ctx, id, 'surplus')
    await giveAllBack(ctx, paid)
    return
  }
  await makePaper(ctx, paid)
  await purpose.paid?.(ctx, paid)
}

/** Whether an answer that changes nothing still answers the try: a capture that is held as before, a hold that is let go. */
const isNews = (answer: Answer | Silence, asked: Try): boolean =>
  answer.is !== 'silence' && answer.is !== 'none' && answer.is !== 'open' && asked.deed !== 'page'

function situationOf(ctx: Ctx, charge: Charge, asked: (Try & { open: boolean }) | undefined): Situation {
  const now = ctx.now.getTime()
  const since = charge.unknown_since ?? (charge.means === 'page' && charge.state !== 'asked' ? charge.lapses_at : undefined)
  return {
    state: charge.state,
    means: charge.means,
    kind: charge.kind,
    isLapsed: new Date(charge.lapses_at).getTime() < now,
    isSettled: !asked || now - new Date(asked.askedAt).getTime() > settledAfter,
    isHopeless: since !== undefined && now - new Date(since).getTime() > hopelessAfter,
    wasHeld: charge.held_agorot !== null,
    isReleasing: asked?.deed === 'release',
  }
}

/** What is not as it was asked: the sum, the currency, the reference, the terminal. */
async function wrongIn(ctx: Ctx, charge: Charge, answer: Extract<Answer, { uid: string }>, asked: Try | undefined): Promise<string | undefined> {
  if (answer.isOurs === false) return 'terminal'
  if (answer.key !== undefined) {
    const { rows } = await sql`select 1 from charge_tries where company_id = ${ctx.companyId} and charge_id = ${charge.id}
      and (gateway_key = ${answer.key} or gateway_number::text = ${answer.key})`.execute(ctx.tx)
    if (!rows.length) return 'reference'
  }
  if (answer.is === 'saved') return undefined
  if (answer.currency !== charge.currency) return 'currency'
  const wanted = asked?.deed === 'capture' && answer.is === 'paid' ? asked.agorot : (charge.held_agorot ?? charge.amount_agorot)
  return answer.agorot === wanted ? undefined : 'sum'
}

/** When the acquirer is to be asked next; never when nothing more can come. */
function nextAsk(ctx: Ctx, { asks, means, lapses_at: lapsesAt }: Pick<Charge, 'asks' | 'means' | 'lapses_at'>, state: State): Date | null {
  const now = ctx.now.getTime()
  const after = (ms: number) => new Date(now + ms)
  const lapse = new Date(lapsesAt).getTime() + 2 * minute
  if (state === 'asked' || state === 'unknown') return after(pauseAfter(asks))
  if (means !== 'page') return null
  if (state === 'begun' || state === 'declined') return lapse > now ? new Date(lapse) : after(pauseAfter(asks + 1))
  // Somebody may have pressed in the last moment: once at its end, and once an hour after.
  if (state === 'lapsed' && asks < 2) return lapse > now ? new Date(lapse) : after(60 * minute)
  return null
}

async function giveAllBack(ctx: Ctx, charge: Charge): Promise<void> {
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, automatic, ask_at)
    values (${ctx.companyId}, ${refundId}, ${charge.id}, ${charge.amount_agorot}, true, ${new Date(ctx.now.getTime() + minute)})`.execute(ctx.tx)
  await ctx.later('acquirers.refund', { refundId })
}

/** The paper of money that came. What stands in its way does not undo that it came: it is written down, and a person tries again. */
export async function makePaper(ctx: Ctx, charge: Charge): Promise<void> {
  await sql`savepoint paper`.execute(ctx.tx)
  try {
    const issued = await purposeOf(charge).issue(ctx, charge)
    await setCharge(ctx, charge.id, { paper_id: issued.id, paper_failure: '', customer_id: issued.customerId })
    await tell(ctx, charge.id, 'paper', { number: issued.number })
  } catch (e) {
    await sql`rollback to savepoint paper`.execute(ctx.tx)
    const failure = codeOf(e)
    ctx.app.log.warn({ charge: charge.id, err: (e as Error).message }, 'no paper for a payment')
    await setCharge(ctx, charge.id, { paper_failure: failure })
    await tell(ctx, charge.id, 'paperFailed', { code: failure })
  }
}
