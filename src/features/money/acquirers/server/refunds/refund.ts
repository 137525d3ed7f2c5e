import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { formatMoney } from '#domain/format.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { authorize, beyond, factsOf } from '#kit/server/rights/authority.ts'
import { sumLimitOf } from '#features/base/team/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import { answerWriter } from '../answers.ts'
import { hear } from '../charges/hear.ts'
import {
  beginTry,
  chargeOf,
  endTry,
  madeOf,
  setCharge,
  tell,
  type Charge,
  type Try,
} from '../charges/charge.ts'
import { bookRefunds } from '../charges/papers.ts'
import { hopelessAfter, pauseAfter } from '../charges/states.ts'
import type { GivenBack, Silence } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { refundOf, setRefund, type Refund } from './row.ts'

/** What may still be refunded of a charge: nothing of what is on its way. */
export async function leftOf(ctx: Ctx, charge: Charge): Promise<number> {
  const { rows } = await sql<{
    agorot: number
  }>`select coalesce(sum(amount_agorot), 0)::bigint as agorot from charge_refunds
    where company_id = ${ctx.companyId} and charge_id = ${charge.id} and state <> 'refused'`.execute(ctx.tx)
  const { rows: denied } =
    await sql`select 1 from charge_disputes where company_id = ${ctx.companyId} and charge_id = ${charge.id}
        and state <> 'won'`.execute(ctx.tx)
  return charge.state === 'paid' && !denied.length ? charge.amount_agorot - rows[0]!.agorot : 0
}

/** A receipt for a donation is reported whole, and so is its cancellation. */
export async function isWholeOnly(ctx: Ctx, charge: Charge): Promise<boolean> {
  if (!charge.paper_id) return false
  const { rows } = await sql<{
    type: number
  }>`select type from documents where company_id = ${ctx.companyId} and id = ${charge.paper_id}`.execute(
    ctx.tx,
  )
  return rows[0]?.type === typeId('donationReceipt')
}

interface RefundWish {
  id: string
  /** All that is left when absent. */
  amountAgorot?: number | undefined
  reason: string
  /** Of the person who asks: under one, money goes back once. */
  clientKey?: string | undefined
}

/**
 * Asks for money back: written down first, then asked of the acquirer behind the commit, under a key of its
 * own.
 */
export async function askRefund(
  ctx: Ctx,
  { id, amountAgorot: asked, reason, clientKey }: RefundWish,
): Promise<void> {
  // What a key may not do it may not look for either; how much that is without a sum is known below.
  await authorize(ctx, 'refund', { agorot: asked ?? 0 })
  const charge = await chargeOf(ctx, id, true)
  if (charge.state !== 'paid') throw fail('paymentLinks.notPaid')
  if (clientKey !== undefined) {
    const { rows } = await sql<{ agorot: number }>`select amount_agorot as agorot from charge_refunds
      where company_id = ${ctx.companyId} and charge_id = ${id} and client_key = ${clientKey}`.execute(ctx.tx)
    if (rows[0] && (asked === undefined || asked === rows[0].agorot)) return
    if (rows[0]) throw failField('clientKey', 'fields.taken', { name: clientKey })
  }
  const left = await leftOf(ctx, charge)
  const amountAgorot = asked ?? left
  if (amountAgorot <= 0) throw failField('amountAgorot', 'paymentLinks.refundsTooMuch')
  await authorize(ctx, 'refund', { agorot: amountAgorot, currency: charge.currency })
  if (amountAgorot > left) throw failField('amountAgorot', 'paymentLinks.refundsTooMuch')
  await checkLimit(ctx, charge, amountAgorot)
  if (amountAgorot < charge.amount_agorot && (await isWholeOnly(ctx, charge)))
    throw failField('amountAgorot', 'paymentLinks.donationWhole')
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, reason, client_key,
      created_by, ask_at)
    values (${ctx.companyId}, ${refundId}, ${id}, ${amountAgorot}, ${reason}, ${clientKey ?? null},
      ${ctx.caller.userId}, ${new Date(ctx.now.getTime() + 60_000)})`.execute(ctx.tx)
  await tell(ctx, id, 'refundAsked', { agorot: amountAgorot, by: ctx.caller.fullName })
  await ctx.audit('paymentLinks.refund', 'cardCharges', id, undefined, { amountAgorot, reason })
  await ctx.later('acquirers.refund', { refundId })
}

/**
 * A person may be limited to an amount for one charge: earlier refunds of it count, so that parts do not pass what
 * the whole would not.
 */
async function checkLimit(ctx: Ctx, charge: Charge, amountAgorot: number): Promise<void> {
  const limit = await sumLimitOf(ctx, 'refund')
  if (limit === null) return
  const { rows } = await sql<{
    agorot: number
  }>`select coalesce(sum(amount_agorot), 0)::bigint as agorot from charge_refunds
    where company_id = ${ctx.companyId} and charge_id = ${charge.id} and created_by = ${ctx.caller.userId}
      and state <> 'refused'`.execute(ctx.tx)
  const asked = { agorot: rows[0]!.agorot + amountAgorot, currency: charge.currency }
  const found = beyond('refund', await factsOf(ctx, asked), { refundLimitAgorot: limit })
  if (found?.why === 'noRate') throw failField('amountAgorot', 'approvals.noRate')
  if (found) throw failField('amountAgorot', 'paymentLinks.refundBeyondLimit', { limit: formatMoney(limit) })
}

const isOpen = ({ state }: Refund): boolean => state === 'asked' || state === 'unknown'

interface Asking {
  charge: Charge
  refund: Refund
  made: Try
  terminal: Terminal
  /** It was asked before, and what became of it is not known. */
  isAgain: boolean
}

/** Longer than a call takes: the person who made an unanswered try is not waiting for it any more. */
const stillWaiting = 60_000

/**
 * Refunds the money at the acquirer, then in the books. May run twice, at once and after a crash: an attempt without
 * an answer is looked up, and repeated only where the acquirer refunds once under one key.
 */
export async function giveBack(app: App, companyId: string, refundId: string): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const asking = await inside(async (ctx): Promise<Asking | undefined> => {
    const refund = await refundOf(ctx, refundId)
    if (!refund || !isOpen(refund)) return undefined
    const charge = await chargeOf(ctx, refund.charge_id, true)
    const terminal = await terminalById(ctx, charge.terminal_id)
    const { rows } =
      await sql<Try>`select no, deed, gateway_key as text, gateway_number as number, amount_agorot as agorot,
          asked_at as "askedAt"
      from charge_tries where company_id = ${companyId} and refund_id = ${refundId}
        and answered_at is null`.execute(ctx.tx)
    const [open] = rows
    if (!open)
      return {
        charge,
        refund,
        terminal,
        made: await beginTry(ctx, charge, 'refund', refund.amount_agorot, refundId),
        isAgain: false,
      }
    if (ctx.now.getTime() - new Date(open.askedAt).getTime() < stillWaiting && refund.state === 'asked')
      return undefined
    return { charge, refund, terminal, made: open, isAgain: true }
  })
  if (!asking) return
  const { charge, refund, made, terminal, isAgain } = asking
  const { giveBack: back, void: takeWholeBack } = terminal.acquirer
  const nobodyKnows: Silence = { is: 'silence', wasSent: true }
  const heard = await hear(app, companyId, terminal, async (): Promise<GivenBack | Silence> => {
    const done = madeOf(charge)
    const isWhole = refund.amount_agorot === charge.amount_agorot
    if (isAgain && !back?.once) return nobodyKnows
    // On its day the whole of a charge is voided before it is settled. What is too late for that is refunded.
    if (takeWholeBack && !isAgain && isWhole && done.day === dayInJerusalem(app.now())) {
      const voided = await takeWholeBack(done, made)
      if (voided.is === 'done' || !back) return voided
    }
    if (!back || (back.wholeOnly && !isWhole)) return { is: 'refused', code: 'cannot' }
    return back.do(done, refund.amount_agorot, made)
  })
  await answers.write(app, companyId, { refundId, made, heard, isAgain })
}

const answers = answerWriter<{ refundId: string; made: Try; heard: GivenBack | Silence; isAgain: boolean }>(
  'refund',
  (ctx, { refundId, made, heard, isAgain }) => takeBack(ctx, refundId, made, heard, isAgain),
)

async function takeBack(
  ctx: Ctx,
  refundId: string,
  made: Try,
  heard: GivenBack | Silence,
  isAgain: boolean,
): Promise<void> {
  const refund = await refundOf(ctx, refundId)
  if (!refund || !isOpen(refund)) return
  const charge = await chargeOf(ctx, refund.charge_id, true)
  const tries = refund.tries + 1
  const next = new Date(ctx.now.getTime() + pauseAfter(refund.tries))
  if (heard.is === 'silence') {
    // What never left us was not asked: it is asked again, under another key. What was asked once before stays
    // open.
    if (!heard.wasSent && !isAgain) {
      await endTry(ctx, charge.id, made.no, 'away')
      await setRefund(ctx, refund.id, { tries, ask_at: next })
      return
    }
    const isHopeless = ctx.now.getTime() - new Date(made.askedAt).getTime() > hopelessAfter
    const state = isHopeless ? 'needsPerson' : 'unknown'
    await setRefund(ctx, refund.id, { state, tries, ask_at: isHopeless ? null : next })
    if (state !== refund.state)
      await tell(ctx, charge.id, isHopeless ? 'refundNeedsPerson' : 'refundUnknown', {
        agorot: refund.amount_agorot,
      })
    return
  }
  await answered(ctx, charge, refund, made.no, heard, tries)
}

/** A person looked at the acquirer's own site, and says what became of money that nobody answered about. */
export async function sayRefund(
  ctx: Ctx,
  { id, refundId, isDone }: { id: string; refundId: string; isDone: boolean },
): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  const refund = await refundOf(ctx, refundId)
  if (!refund || refund.charge_id !== id) throw fail('kit.notFound')
  if (refund.state !== 'unknown' && refund.state !== 'needsPerson') throw fail('paymentLinks.notInDoubt')
  const { rows } = await sql<{ no: number }>`select no from charge_tries
    where company_id = ${ctx.companyId} and refund_id = ${refundId} and answered_at is null`.execute(ctx.tx)
  await tell(ctx, id, 'refundSaid', { agorot: refund.amount_agorot, by: ctx.caller.fullName })
  await ctx.audit('paymentLinks.sayRefund', 'cardCharges', id, undefined, {
    amountAgorot: refund.amount_agorot,
    isDone,
  })
  await answered(
    ctx,
    charge,
    refund,
    rows[0]?.no ?? 0,
    isDone ? { is: 'done', uid: '' } : { is: 'refused', code: 'byPerson' },
    refund.tries,
  )
}

async function answered(
  ctx: Ctx,
  charge: Charge,
  refund: Refund,
  no: number,
  heard: GivenBack,
  tries: number,
): Promise<void> {
  await endTry(ctx, charge.id, no, heard.is, heard.is === 'refused' ? heard.code : '')
  if (heard.is === 'refused') {
    await setRefund(ctx, refund.id, { state: 'refused', code: heard.code.slice(0, 40), tries, ask_at: null })
    await tell(ctx, charge.id, 'refundRefused', { agorot: refund.amount_agorot, code: heard.code })
    return
  }
  await setRefund(ctx, refund.id, { state: 'done', reference: heard.uid.slice(0, 60), tries, ask_at: null })
  await setCharge(ctx, charge.id, { given_back_agorot: charge.given_back_agorot + refund.amount_agorot })
  await tell(ctx, charge.id, 'givenBack', { agorot: refund.amount_agorot })
  // The money went back whatever becomes of its paper.
  await bookRefunds(ctx, charge)
}
