import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { terminalById, terminalFor, terminalRow, type Terminal } from '../terminals/terminals.ts'
import { AcquirerAway, KeysRefused, type Acquirer } from '../door.ts'
import { beginTry, chargeOf, endTry, setCharge, tell, type Charge, type Payer, type Try } from './charge.ts'
import { hear } from './ask.ts'
import { take } from './take.ts'

/** How long a form waits for its payer. */
export const formMinutes = 60

export interface PageWish {
  purpose: string
  kind?: 'pay' | 'hold' | 'save'
  linkId?: string | null
  documentId?: string | null
  cardLinkId?: string | null
  customerId: string | null
  agorot: number
  currency?: string
  description: string
  mostInstalments: number
  payer: Partial<Payer>
  language: Charge['language']
  /** Where the payer comes back to, without the charge. */
  page: string
  keepsCard?: boolean
  consent?: string
}

/**
 * The first half of opening a form, inside the transaction that locked what is paid for: finds the one that stands open, or writes down one that is to be
 * opened. One at a time, so that two tabs, or two people, stand before the same one, which is paid once. A form of another sum, or one that is past, lapses.
 */
export async function planPage(ctx: Ctx, wish: PageWish): Promise<{ id: string }> {
  const { rows } = await sql<Charge>`select * from charges where company_id = ${ctx.companyId} and ${sameThing(wish)}
    and state in ('begun', 'declined') for update`.execute(ctx.tx)
  const kind = wish.kind ?? 'pay'
  for (const known of rows) {
    const isGood =
      known.amount_agorot === wish.agorot && known.kind === kind && known.consent === (wish.consent ?? '') && new Date(known.lapses_at).getTime() > ctx.now.getTime() + 60_000
    // One whose opener died before it came to an address is left behind: nobody can pay by it.
    const isAlive = known.form_url !== '' || ctx.now.getTime() - new Date(known.created_at).getTime() < 30_000
    if (isGood && isAlive) {
      if (wish.payer.name) await setCharge(ctx, known.id, { payer: JSON.stringify(wish.payer) })
      return { id: known.id }
    }
    await lapse(ctx, known)
  }
  const does = (acquirer: Acquirer) => (kind === 'hold' ? acquirer.page?.holds : kind === 'save' || wish.keepsCard ? acquirer.page?.saves && acquirer.card : acquirer.page)
  const terminal = await terminalFor(ctx, { agorot: wish.agorot || undefined!, currency: wish.currency ?? 'ILS', does })
  if (!terminal) throw fail('paymentLinks.off')
  const id = newId()
  const lapsesAt = new Date(ctx.now.getTime() + formMinutes * 60_000)
  await sql`insert into charges (company_id, id, purpose, kind, means, our_key, link_id, document_id, card_link_id, customer_id, terminal_id, amount_agorot, currency, description,
      most_instalments, payer, language, keeps_card, consent, return_to, lapses_at, ask_at, created_at)
    values (${ctx.companyId}, ${id}, ${wish.purpose}, ${kind}, 'page', ${id}, ${wish.linkId ?? null}, ${wish.documentId ?? null}, ${wish.cardLinkId ?? null}, ${wish.customerId},
      ${terminal.row.id}, ${wish.agorot}, ${wish.currency ?? 'ILS'}, ${wish.description}, ${wish.mostInstalments}, ${JSON.stringify(wish.payer)}, ${wish.language},
      ${wish.keepsCard ?? kind === 'save'}, ${wish.consent ?? ''}, ${`${wish.page}?charge=${id}`}, ${lapsesAt}, ${new Date(lapsesAt.getTime() + 120_000)}, ${ctx.now})`.execute(ctx.tx)
  await tell(ctx, id, 'begun', { address: ctx.address })
  return { id }
}

const sameThing = ({ linkId, documentId, cardLinkId }: PageWish) =>
  linkId ? sql`link_id = ${linkId}` : cardLinkId ? sql`card_link_id = ${cardLinkId}` : sql`document_id = ${documentId ?? null} and link_id is null`

/** Nothing is to be paid by a form any more. It is closed at the acquirer behind the commit; what was paid there a moment before is found by asking. */
export async function lapse(ctx: Ctx, charge: Charge): Promise<void> {
  await setCharge(ctx, charge.id, { state: 'lapsed', asks: 0, ask_at: charge.reference ? new Date(ctx.now.getTime() + 120_000) : null })
  await tell(ctx, charge.id, 'lapsed')
  if (charge.reference) await ctx.later('acquirers.close', { chargeId: charge.id })
}

/** Closes a form where the gateway can, and asks whether it was paid before. */
export async function closePage(app: App, companyId: string, chargeId: string): Promise<void> {
  const found = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, chargeId)
    return { charge, terminal: await terminalById(ctx, charge.terminal_id) }
  })
  const { page } = found.terminal.acquirer
  if (page?.close) await page.close(found.charge.reference!)
  const heard = await hear(app, companyId, found.terminal, () => page!.ask(found.charge.reference!, { text: found.charge.our_key, number: 0 }))
  if (heard.is === 'paid' || heard.is === 'held' || heard.is === 'saved')
    await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, chargeId, heard))
}

/**
 * The second half, behind the commit of the first: opens the form at the acquirer, once, and answers its address. Whoever comes while another one opens it
 * waits for that.
 */
export async function openPage(app: App, companyId: string, chargeId: string): Promise<{ url: string }> {
  for (let waited = 0; ; waited += 250) {
    const step = await asCaller(app, systemCaller(companyId), '', async (ctx): Promise<{ url: string } | { order: Opening } | undefined> => {
      const charge = await chargeOf(ctx, chargeId, true)
      if (charge.form_url) return { url: charge.form_url }
      if (charge.state !== 'begun') throw fail('paymentLinks.acquirerAway')
      const { rows } = await sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${chargeId} and deed = 'page'`.execute(ctx.tx)
      if (rows.length) return undefined
      return { order: { charge, made: await beginTry(ctx, charge, 'page', charge.amount_agorot), terminal: await terminalById(ctx, charge.terminal_id) } }
    })
    if (step && 'url' in step) return step
    if (step) return { url: await opened(app, companyId, step.order) }
    if (waited > 10_000) throw fail('paymentLinks.acquirerAway')
    await new Promise((done) => setTimeout(done, 250))
  }
}

interface Opening {
  charge: Charge
  made: Try
  terminal: Terminal
}

async function opened(app: App, companyId: string, { charge, made, terminal }: Opening): Promise<string> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  try {
    const { reference, url } = await terminal.acquirer.page!.open({
      key: made,
      kind: charge.kind,
      agorot: charge.amount_agorot,
      currency: charge.currency,
      description: charge.description,
      mostInstalments: charge.most_instalments,
      language: charge.language,
      payer: charge.payer,
      keepsCard: charge.keeps_card,
      lapsesAt: new Date(charge.lapses_at),
      returnTo: charge.return_to,
      noticeTo: terminal.noticeTo,
    })
    await inside(async (ctx) => {
      await endTry(ctx, charge.id, made.no, 'open')
      await setCharge(ctx, charge.id, { reference, form_url: url })
    })
    return url
  } catch (e) {
    if (!(e instanceof AcquirerAway) && !(e instanceof KeysRefused)) throw e
    // A form whose address never came is one nobody can pay by.
    await inside(async (ctx) => {
      await endTry(ctx, charge.id, made.no, 'away', e instanceof KeysRefused ? e.code : '')
      await setCharge(ctx, charge.id, { state: 'lapsed', ask_at: null })
      await tell(ctx, charge.id, 'lapsed')
      if (e instanceof KeysRefused)
        await sql`update terminals set failed_at = ${ctx.now}, last_error = ${e.code.slice(0, 200)}, state = case when state = 'proved' then 'failing' else state end
          where company_id = ${companyId} and id = ${(await terminalRow(ctx, charge.terminal_id)).id}`.execute(ctx.tx)
    })
    throw fail('paymentLinks.acquirerAway')
  }
}
