import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/jobs.ts'
import { checkKeyIssues } from '#kit/server/keys.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  cancelDocument,
  contentOf,
  creditDocument,
  freeMoney,
  issuePrepared,
  loadDocument,
  loadPayments,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import { isIncomeItself, typeById, typeId } from '#features/sales/documents/types/index.ts'
import { refundToCustomer } from '#features/sales/payments/server/index.ts'
import { AcquirerAway } from './acquirer.ts'
import { terminalOfBefore } from './account.ts'
import { chargeOf, codeOf, setCharge, tell } from './charge.ts'
import type { Charge } from './payable.ts'

interface Refund {
  id: string
  charge_id: string
  amount_agorot: number
  reason: string
  state: 'asked' | 'done' | 'refused'
  tries: number
}

/** What may still be given back of a charge: nothing of what is on its way. */
export async function leftOf(ctx: Ctx, charge: Charge): Promise<number> {
  const { rows } = await sql<{ agorot: number }>`select coalesce(sum(amount_agorot), 0)::bigint as agorot from charge_refunds
    where company_id = ${ctx.companyId} and charge_id = ${charge.id} and state <> 'refused'`.execute(ctx.tx)
  return charge.state === 'paid' ? charge.amount_agorot - rows[0]!.agorot : 0
}

/** A receipt for a donation is reported whole, and so is its cancellation. */
export async function isWholeOnly(ctx: Ctx, charge: Charge): Promise<boolean> {
  if (!charge.paper_id) return false
  const { rows } = await sql<{
    type: number
  }>`select type from documents where company_id = ${ctx.companyId} and id = ${charge.paper_id}`.execute(ctx.tx)
  return rows[0]?.type === typeId('donationReceipt')
}

/** Asks for money back: written down first, then asked of the acquirer behind the commit, under a key of its own. */
export async function askRefund(
  ctx: Ctx,
  { id, amountAgorot, reason }: { id: string; amountAgorot: number; reason: string },
): Promise<void> {
  // The money leaves behind the commit, when nobody knows any more who asked.
  checkKeyIssues(ctx.caller, amountAgorot)
  const charge = await chargeOf(ctx, id, true)
  if (charge.state !== 'paid') throw fail('paymentLinks.notPaid')
  const left = await leftOf(ctx, charge)
  if (amountAgorot > left) throw failField('amountAgorot', 'paymentLinks.refundsTooMuch')
  if (amountAgorot < charge.amount_agorot && (await isWholeOnly(ctx, charge))) throw failField('amountAgorot', 'paymentLinks.donationWhole')
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, reason, created_by)
    values (${ctx.companyId}, ${refundId}, ${id}, ${amountAgorot}, ${reason}, ${ctx.caller.userId})`.execute(ctx.tx)
  await tell(ctx, id, 'refundAsked', { agorot: amountAgorot, by: ctx.caller.fullName })
  await ctx.audit('paymentLinks.refund', 'cardCharges', id, undefined, { amountAgorot, reason })
  await ctx.later('paymentLinks.refund', { refundId })
}

const setRefund = (ctx: Ctx, id: string, values: Record<string, unknown>) =>
  sql`update charge_refunds set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/** An acquirer that is silent is asked again after so many minutes, and then less and less often. */
const pauseMinutes = (tries: number) => Math.min(2 ** tries, 360)

/** Gives the money back at the acquirer, then in the books. May run twice: the acquirer knows the key, and the row its state. */
export const refundJob: Job = async (ctx, { refundId }) => {
  const { rows } =
    await sql<Refund>`select * from charge_refunds where company_id = ${ctx.companyId} and id = ${String(refundId)} for update`.execute(
      ctx.tx,
    )
  const [refund] = rows
  if (!refund || refund.state !== 'asked') return
  const charge = await chargeOf(ctx, refund.charge_id, true)
  const { acquirer, account } = await terminalOfBefore(ctx)
  let answer: Awaited<ReturnType<typeof acquirer.giveBack>>
  try {
    answer = await acquirer.giveBack(account, charge.reference!, refund.amount_agorot, refund.id)
  } catch (e) {
    if (!(e instanceof AcquirerAway)) throw e
    await setRefund(ctx, refund.id, { tries: refund.tries + 1 })
    await ctx.later('paymentLinks.refund', { refundId }, new Date(ctx.now.getTime() + pauseMinutes(refund.tries) * 60_000))
    return
  }
  if (answer.state === 'refused') {
    await setRefund(ctx, refund.id, { state: 'refused', code: answer.code, tries: refund.tries + 1 })
    await tell(ctx, charge.id, 'refundRefused', { agorot: refund.amount_agorot, code: answer.code })
    return
  }
  await setRefund(ctx, refund.id, { state: 'done', reference: answer.reference, tries: refund.tries + 1 })
  await setCharge(ctx, charge.id, { given_back_agorot: charge.given_back_agorot + refund.amount_agorot })
  await tell(ctx, charge.id, 'givenBack', { agorot: refund.amount_agorot })
  if (!charge.paper_id) return
  await sql`savepoint paper`.execute(ctx.tx)
  try {
    const paperId = await bookRefund(ctx, charge, refund, answer.reference)
    if (paperId) await setRefund(ctx, refund.id, { paper_id: paperId })
  } catch (e) {
    // The money went back all the same: the books follow by hand, and the page of the charge says so.
    await sql`rollback to savepoint paper`.execute(ctx.tx)
    ctx.app.log.warn({ refund: refund.id, err: (e as Error).message }, 'no paper for money given back')
    await setRefund(ctx, refund.id, { paper_failure: codeOf(e) })
    await tell(ctx, charge.id, 'paperFailed', { code: codeOf(e) })
  }
}

/** The papers of money given back; undefined when a person took the receipt back before. */
async function bookRefund(ctx: Ctx, charge: Charge, refund: Refund, reference: string): Promise<string | undefined> {
  const paper = await loadDocument(ctx, charge.paper_id!, true)
  if (paper.status === 'cancelled') return undefined
  const type = typeById(paper.type)!
  const agorot = refund.amount_agorot
  const isWhole = agorot === charge.amount_agorot
  const money = { amountAgorot: agorot, means: 4 as const, reference, notes: refund.reason }
  if (type.name === 'taxInvoiceReceipt') {
    if (isWhole) return (await cancelDocument(ctx, { id: paper.id, reason: refund.reason })).id
    const credit = await creditDocument(ctx, { id: paper.id, reason: refund.reason, agorot })
    return (await refundToCustomer(ctx, { ...money, documentId: credit.id })).id
  }
  if (isIncomeItself(type, (await companyOf(ctx)).kind)) {
    if (isWhole) return (await cancelDocument(ctx, { id: paper.id, reason: refund.reason })).id
    const [first] = contentOf(paper, [], await loadPayments(ctx, paper.id)).payments!
    const content = {
      ...contentOf(paper, []),
      sourceId: paper.id,
      date: ctx.today,
      dueDate: null,
      lines: [],
      closes: [],
      payments: [{ ...first!, amountAgorot: -agorot, date: ctx.today, dueDate: ctx.today, instalments: null, reference }],
    }
    return (await issuePrepared(ctx, await prepareDocument(ctx, content), undefined, { reason: refund.reason })).id
  }
  // What the receipt had closed is open again by so much, and that much of it goes back to the payer.
  await freeMoney(ctx, paper.id, agorot)
  return (await refundToCustomer(ctx, { ...money, documentId: paper.id })).id
}
