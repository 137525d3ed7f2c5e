import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Answer, Deal, Silence } from '../door.ts'
import { chargeOf, codeOf, setCharge, tell, type Charge } from './charge.ts'
import { purposeOf } from './purposes.ts'
import { hopelessAfter, nextAsk, stepOf } from './states.ts'

/**
 * What an acquirer says of a charge becomes so here, and nowhere else: a notice that made us ask, the payer who comes back, a person and the sweep all end
 * in this function, under the lock of the charge's row. What was done once is not done again.
 */
export async function take(ctx: Ctx, id: string, heard: Answer | Silence): Promise<void> {
  const purpose = purposeOf(await chargeOf(ctx, id))
  await purpose.lock(ctx, await chargeOf(ctx, id))
  const charge = await chargeOf(ctx, id, true)
  const wrong = heard.is === 'paid' && charge.state !== 'paid' ? await wrongIn(ctx, charge, heard) : undefined
  if (wrong) {
    ctx.app.log.warn({ charge: id, what: wrong }, 'the acquirer tells of another charge than was asked about')
    await tell(ctx, id, 'mismatch', { what: wrong })
  }
  const now = ctx.now.getTime()
  const lapsesAt = new Date(charge.lapses_at).getTime()
  const step = stepOf(
    { state: charge.state, declineCode: charge.decline_code, isLapsed: lapsesAt < now, isHopeless: now - lapsesAt > hopelessAfter },
    wrong ? { is: 'mismatch' } : heard,
  )
  const { to, decline } = step ?? { to: charge.state }
  const asks = to === charge.state ? charge.asks + 1 : 0
  const next = nextAsk(now, lapsesAt, to, asks)
  await setCharge(ctx, id, {
    state: to,
    asks,
    ask_at: next === null ? null : new Date(next),
    ...(decline ? { decline_code: decline.code.slice(0, 40), decline_class: decline.class } : {}),
    ...(to === 'paid' && heard.is === 'paid' && step ? factsOf(heard, ctx.now) : {}),
  })
  if (!step) return
  if (to !== 'paid') return void (await tell(ctx, id, to, decline ? { code: decline.code } : {}))
  await tell(ctx, id, 'paid', { agorot: charge.amount_agorot })
  const paid = await chargeOf(ctx, id)
  if (!(await purpose.isDue(ctx, paid))) {
    await setCharge(ctx, id, { surplus: true })
    await tell(ctx, id, 'surplus')
    await giveAllBack(ctx, paid)
    return
  }
  await makePaper(ctx, paid)
  await purpose.paid(ctx, paid)
}

/** No more of a deal than its columns hold, whatever an acquirer sends beside the sum. */
const factsOf = (deal: Deal, now: Date) => ({
  paid_at: now,
  uid: deal.uid,
  instalments: deal.instalments > 1 && deal.instalments <= 99 ? Math.floor(deal.instalments) : 1,
  card_brand: deal.brand.slice(0, 30),
  card_last4: /^\d{4}$/.test(deal.last4) ? deal.last4 : '',
  approval: deal.approval.slice(0, 40),
  decline_code: '',
  decline_class: '',
})

/** What is not as it was asked: the terminal, the deal's own number, our reference, the currency, the sum. */
async function wrongIn(ctx: Ctx, charge: Charge, deal: Deal): Promise<string | undefined> {
  if (deal.isOurs === false) return 'terminal'
  if (!deal.uid || deal.uid.length > 100) return 'number'
  const { rows: others } = await sql`select 1 from charges where company_id = ${ctx.companyId} and terminal_id = ${charge.terminal_id}
    and uid = ${deal.uid} and id <> ${charge.id}`.execute(ctx.tx)
  if (others.length) return 'number'
  if (deal.key !== undefined) {
    const { rows } = await sql`select 1 from charge_tries where company_id = ${ctx.companyId} and charge_id = ${charge.id}
      and (gateway_key = ${deal.key} or gateway_number::text = ${deal.key})`.execute(ctx.tx)
    if (!rows.length) return 'reference'
  }
  if (deal.currency !== charge.currency) return 'currency'
  return deal.agorot === charge.amount_agorot ? undefined : 'sum'
}

async function giveAllBack(ctx: Ctx, charge: Charge): Promise<void> {
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, automatic, ask_at)
    values (${ctx.companyId}, ${refundId}, ${charge.id}, ${charge.amount_agorot}, true, ${new Date(ctx.now.getTime() + 60_000)})`.execute(
    ctx.tx,
  )
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
