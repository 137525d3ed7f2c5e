import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { tellEach } from '#kit/server/events.ts'
import type { Outcome, Payer } from '../endpoints.ts'
import { AcquirerAway, type ChargeStatus } from './acquirer.ts'
import { terminalOf, terminalOfBefore } from './account.ts'
import { issueFor } from './paper.ts'
import { payableOf, type Charge, type Link, type Payable } from './payable.ts'

export const chargeOf = async (ctx: Ctx, id: string, lock = false): Promise<Charge> => {
  const { rows } =
    await sql<Charge>`select * from card_charges where company_id = ${ctx.companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const linkOf = async (ctx: Ctx, id: string, lock = false): Promise<Link> => {
  const { rows } =
    await sql<Link>`select * from payment_links where company_id = ${ctx.companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function tell(ctx: Ctx, chargeId: string, kind: string, details: Record<string, unknown> = {}): Promise<void> {
  await sql`insert into charge_events (company_id, id, charge_id, at, kind, details)
    values (${ctx.companyId}, ${newId()}, ${chargeId}, ${ctx.now}, ${kind}, ${JSON.stringify(details)})`.execute(ctx.tx)
  await tellEach(ctx, `cardCharges.${kind}`, [{ id: chargeId, after: details }])
}

export const setCharge = (ctx: Ctx, id: string, values: Record<string, unknown>) =>
  sql`update card_charges set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/** A form is open so long; whoever comes later begins anew. */
const formMinutes = 60

interface Wanted {
  linkId: string | null
  documentId: string | null
  customerId: string | null
  agorot: number
  description: string
  mostInstalments: number
  payer: Partial<Payer>
  language: Charge['language']
  /** Where the payer comes back to, without the charge. */
  page: string
}

/**
 * The acquirer's form for something to pay: one at a time, so that two tabs, or two people, stand before the same one, which is paid once.
 * A form of another sum, or one that is past, is closed first.
 */
export async function begin(ctx: Ctx, wanted: Wanted): Promise<{ url: string }> {
  const terminal = await terminalOf(ctx)
  if (!terminal) throw fail('paymentLinks.off')
  const { acquirer, account, noticeTo } = terminal
  const isSame = wanted.linkId ? sql`link_id = ${wanted.linkId}` : sql`document_id = ${wanted.documentId} and link_id is null`
  const { rows } = await sql<Charge>`select * from card_charges where company_id = ${ctx.companyId} and ${isSame}
    and state in ('begun', 'declined') for update`.execute(ctx.tx)
  try {
    for (const known of rows) {
      const isGood = known.amount_agorot === wanted.agorot && new Date(known.lapses_at).getTime() > ctx.now.getTime() + 60_000
      if (isGood && known.form_url) {
        if (wanted.payer.name) await setCharge(ctx, known.id, { payer: JSON.stringify(wanted.payer) })
        return { url: known.form_url }
      }
      if (known.reference) {
        await acquirer.close(account, known.reference)
        // It was paid a moment before: that counts.
        if ((await acquirer.status(account, known.reference)).state === 'paid') throw fail('paymentLinks.notOpen')
      }
      await setCharge(ctx, known.id, { state: 'lapsed' })
      await tell(ctx, known.id, 'lapsed')
    }
    const id = newId()
    const lapsesAt = new Date(ctx.now.getTime() + formMinutes * 60_000)
    await sql`insert into card_charges (company_id, id, link_id, document_id, customer_id, acquirer, amount_agorot, most_instalments, payer, language, lapses_at)
      values (${ctx.companyId}, ${id}, ${wanted.linkId}, ${wanted.documentId}, ${wanted.customerId}, ${acquirer.name}, ${wanted.agorot},
        ${wanted.mostInstalments}, ${JSON.stringify(wanted.payer)}, ${wanted.language}, ${lapsesAt})`.execute(ctx.tx)
    const { reference, url } = await acquirer.open(account, {
      key: id,
      agorot: wanted.agorot,
      description: wanted.description,
      mostInstalments: wanted.mostInstalments,
      language: wanted.language,
      lapsesAt,
      returnTo: `${wanted.page}?charge=${id}`,
      noticeTo,
    })
    await setCharge(ctx, id, { reference, form_url: url })
    await tell(ctx, id, 'begun', { address: ctx.address })
    // Whoever closes the window and whose notice is lost is found all the same.
    await ctx.later('paymentLinks.settle', { chargeId: id }, new Date(lapsesAt.getTime() + 120_000))
    return { url }
  } catch (e) {
    if (e instanceof AcquirerAway) throw fail('paymentLinks.acquirerAway')
    throw e
  }
}

/**
 * Asks the acquirer what became of a charge, and does what follows. It may be called by a notice, by the payer who comes back, by a person
 * and by the job, at once and again: what was done once is not done again. Throws AcquirerAway.
 */
export async function settleCharge(app: App, companyId: string, id: string, by: 'notice' | 'return' | 'person' | 'job'): Promise<void> {
  const asked = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (by === 'notice') await tell(ctx, id, 'notice')
    return charge.reference && charge.state !== 'paid' ? { reference: charge.reference, ...(await terminalOfBefore(ctx)) } : undefined
  })
  if (!asked) return
  const status = await asked.acquirer.status(asked.account, asked.reference)
  await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, id, status))
}

/** What the acquirer says of a charge becomes so here: once. */
export async function take(ctx: Ctx, id: string, status: ChargeStatus): Promise<void> {
  const charge = await chargeOf(ctx, id, true)
  if (charge.state === 'paid') return
  if (status.state === 'declined' && charge.state === 'begun') {
    await setCharge(ctx, id, { state: 'declined', decline_code: status.code })
    await tell(ctx, id, 'declined', { code: status.code })
  }
  if (status.state === 'closed' && charge.state !== 'lapsed') {
    await setCharge(ctx, id, { state: 'lapsed' })
    await tell(ctx, id, 'lapsed')
  }
  if (status.state !== 'paid') return
  const paid = {
    state: 'paid' as const,
    amount_agorot: status.agorot,
    instalments: status.instalments,
    card_brand: status.brand,
    card_last4: status.last4,
    approval: status.approval,
    decline_code: '',
  }
  await setCharge(ctx, id, { ...paid, paid_at: ctx.now })
  await tell(ctx, id, 'paid', { agorot: status.agorot })
  const link = charge.link_id ? await linkOf(ctx, charge.link_id, true) : undefined
  if (!(await isStillDue(ctx, charge, link))) {
    await setCharge(ctx, id, { surplus: true })
    await tell(ctx, id, 'surplus')
    await giveAllBack(ctx, id, status.agorot)
    return
  }
  await makePaper(ctx, { ...charge, ...paid }, link)
  if (link)
    await sql`update payment_links set state = 'paid', paid_at = ${ctx.now}, charge_id = ${id}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${link.id}`.execute(ctx.tx)
}

/** Money that came late is taken; money for what is paid or cancelled by now is not ours. */
async function isStillDue(ctx: Ctx, charge: Charge, link: Link | undefined): Promise<boolean> {
  if (link && link.state !== 'open') return false
  if (!charge.document_id) return true
  return (await payableOf(ctx, charge.document_id, true)).dueAgorot > 0
}

async function giveAllBack(ctx: Ctx, chargeId: string, agorot: number): Promise<void> {
  const refundId = newId()
  await sql`insert into charge_refunds (company_id, id, charge_id, amount_agorot, automatic) values (${ctx.companyId}, ${refundId}, ${chargeId}, ${agorot}, true)`.execute(
    ctx.tx,
  )
  await ctx.later('paymentLinks.refund', { refundId })
}

/** The paper of money that came. What stands in its way does not undo that it came: it is written down, and a person tries again. */
export async function makePaper(ctx: Ctx, charge: Charge, link: Link | undefined): Promise<void> {
  await sql`savepoint paper`.execute(ctx.tx)
  try {
    const issued = await issueFor(ctx, charge, link)
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

/** The code of a refusal, the innermost one. */
export function codeOf(e: unknown): string {
  const { code, errors } = e as { code?: string; errors?: { code: string }[] }
  return (errors?.[0]?.code ?? code ?? 'kit.failed').slice(0, 60)
}

/** What the payer is told. */
export async function outcomeOf(ctx: Ctx, id: string): Promise<Outcome> {
  const charge = await chargeOf(ctx, id)
  const { rows } = charge.paper_id
    ? await sql<{ key: string; type: number; number: number }>`select page_key as key, type, number from documents
        where company_id = ${ctx.companyId} and id = ${charge.paper_id}`.execute(ctx.tx)
    : { rows: [] }
  const state = charge.state === 'paid' ? (charge.surplus ? 'surplus' : 'paid') : charge.state === 'begun' ? 'open' : charge.state
  return { state, code: charge.decline_code, paper: rows[0] ?? null }
}

/** Refuses what a link may not be for. */
export async function checkPayable(ctx: Ctx, documentId: string): Promise<Payable> {
  const payable = await payableOf(ctx, documentId).catch(() => {
    throw failField('documentId', 'fields.ref')
  })
  if (payable.currency !== 'ILS') throw fail('paymentLinks.onlyShekels')
  if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
  return payable
}
