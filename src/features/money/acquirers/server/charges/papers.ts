import { sql } from 'kysely'
import { asOwn, registerOrders, underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isOutrun } from '#kit/server/data/db.ts'
import { bookRefund } from '../refunds/book.ts'
import { setRefund, type Refund } from '../refunds/row.ts'
import { chargeKind, chargeOf, codeOf, setCharge, tell, type Charge } from './charge.ts'
import { purposeOf } from './purposes.ts'
import { pauseAfter } from './states.ts'

/** Runs what issues a document; a refusal is answered as its code, and nothing of it stays. */
async function tried(ctx: Ctx, charge: Charge, work: () => Promise<void>): Promise<string> {
  await sql`savepoint paper`.execute(ctx.tx)
  try {
    await work()
    return ''
  } catch (e) {
    // Two papers in one transaction and one in another's may wait for each other: that is no fault of the
    // paper.
    if (isOutrun(e)) throw e
    await sql`rollback to savepoint paper`.execute(ctx.tx)
    ctx.app.log.warn({ charge: charge.id, err: (e as Error).message }, 'no paper for a payment')
    return codeOf(e)
  }
}

/**
 * The obstacle may be gone tomorrow (a closed month, a wrong clock): it is retried automatically, until a person was
 * quicker.
 */
const tryAgain = (ctx: Ctx, { id, asks }: Charge) =>
  setCharge(ctx, id, { asks: asks + 1, ask_at: new Date(ctx.now.getTime() + pauseAfter(asks)) })

/**
 * Issues the document of received money. A refusal does not undo the payment: it is recorded, and retried,
 * automatically or by a person. Answers whether the charge has its document.
 */
export async function makePaper(ctx: Ctx, charge: Charge): Promise<boolean> {
  let waits = false
  const refused = await tried(ctx, charge, async () => {
    const made = await underOrder(ctx, chargeKind, charge.id, (bound) =>
      purposeOf(charge).issue(bound, charge),
    )
    waits = 'waits' in made
    if (!('done' in made)) return
    const issued = made.done
    await setCharge(ctx, charge.id, {
      paper_id: issued.id,
      paper_failure: '',
      customer_id: issued.customerId,
    })
    await tell(ctx, charge.id, 'paper', { number: issued.number })
  })
  const failure = waits ? 'approvals.needed' : refused
  if (!failure) return true
  await setCharge(ctx, charge.id, { paper_failure: failure })
  await tryAgain(ctx, charge)
  // Once for each reason, however often it is tried.
  if (failure !== charge.paper_failure) await tell(ctx, charge.id, 'paperFailed', { code: failure })
  return false
}

/**
 * The papers of what went back of a charge and has none yet, in their order; none before the charge has its
 * own.
 */
export async function bookRefunds(ctx: Ctx, { id }: Charge): Promise<boolean> {
  const charge = await chargeOf(ctx, id)
  if (!charge.paper_id) return false
  const { rows } =
    await sql<Refund>`select * from charge_refunds where company_id = ${ctx.companyId} and charge_id = ${id}
    and state = 'done' and paper_id is null order by created_at, id for update`.execute(ctx.tx)
  for (const refund of rows) {
    const failure = await tried(ctx, charge, async () => {
      const paperId = await bookRefund(asOwn(ctx, 'refundPaper'), charge, refund, refund.reference)
      await setRefund(ctx, refund.id, { paper_failure: '', ...(paperId ? { paper_id: paperId } : {}) })
    })
    if (!failure) continue
    await setRefund(ctx, refund.id, { paper_failure: failure })
    await tryAgain(ctx, charge)
    if (failure !== refund.paper_failure) await tell(ctx, id, 'paperFailed', { code: failure })
    return false
  }
  return true
}

/**
 * Whatever of a paid charge has no paper gets it; asked for by the person who looks at it, and by the sweep until
 * there is nothing left to do.
 */
export async function mendPapers(ctx: Ctx, id: string): Promise<void> {
  const found = await chargeOf(ctx, id)
  // What is paid is locked before the charge, everywhere in this order.
  await purposeOf(found).lock(ctx, found)
  const charge = await chargeOf(ctx, id, true)
  if (charge.state !== 'paid' || charge.surplus) return
  const isWhole =
    (charge.paper_id !== null || (await makePaper(ctx, charge))) && (await bookRefunds(ctx, charge))
  if (isWhole && charge.ask_at !== null) await setCharge(ctx, id, { ask_at: null, asks: 0 })
}

registerOrders(chargeKind, {
  isConsequence: true,
  rule: 'paymentLinks.change',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string; payer: string | null }>`select c.id,
        c.description as title, coalesce(p.name, c.payer ->> 'name') as payer
      from charges c left join parties p on p.company_id = c.company_id and p.id = c.customer_id
      where c.company_id = ${ctx.companyId} and c.id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title, payer }) => ({
      id,
      title: [title, payer].filter(Boolean).join(' · '),
      href: `/invoice/historypayments/${id}`,
    }))
  },
  // The document of money that came is issued under who approved it.
  goOn: mendPapers,
})
