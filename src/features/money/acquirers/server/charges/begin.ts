import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { authorize, ordered } from '#kit/server/rights/authority.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { Wallet } from '../../acquirers.ts'
import { AcquirerAway, KeysRefused, OrderRefused } from '../door.ts'
import { markAnswer } from '../terminals/health.ts'
import { terminalById, terminalFor, type Terminal } from '../terminals/terminals.ts'
import { beginTry, chargeKind, chargeOf, endTry, setCharge, tell, type Charge, type Try } from './charge.ts'

/** How long a form waits for its payer. */
const formMinutes = 60

export interface PageWish {
  purpose: string
  /** Money, unless said. card: only the card is kept, and agorot is 0. */
  deed?: Charge['deed']
  /** What is neither a link nor a document. */
  subjectId?: string | null
  /**
   * The payer agreed, in these words, to saving the card; it then is saved, for the customer the money belongs to.
   */
  consent?: string | undefined
  /** The card kept by it takes the place of that one. */
  renewsCardId?: string | null
  currency?: string
  linkId: string | null
  documentId: string | null
  customerId: string | null
  agorot: number
  description: string
  mostInstalments: number
  /** The form shall stand open for this means alone. */
  wallet?: Wallet | undefined
  payer: Charge['payer']
  language: Charge['language']
  /** Where the payer comes back to, without the charge. */
  page: string
}

/**
 * The first half of opening a form, inside the transaction that locked what is paid for: finds the open one, or
 * records one that is to be opened. One at a time, so that two tabs, or two people, have the same one, which is paid
 * once. A form of another amount, or an expired one, lapses.
 */
export async function planPage(ctx: Ctx, wish: PageWish): Promise<string> {
  const isSame = wish.linkId
    ? sql`link_id = ${wish.linkId}`
    : wish.subjectId
      ? sql`subject_id = ${wish.subjectId} and our_key is null`
      : sql`document_id = ${wish.documentId} and link_id is null and our_key is null and subject_id is null`
  const { rows } = await sql<Charge>`select * from charges where company_id = ${ctx.companyId} and ${isSame}
    and state in ('begun', 'declined', 'needsPerson') for update`.execute(ctx.tx)
  for (const known of rows) {
    // It may be paid: the person who pays again pays twice.
    if (known.state === 'needsPerson') throw fail('paymentLinks.inDoubt')
    const isGood =
      known.amount_agorot === wish.agorot &&
      (known.consent !== '') === !!wish.consent &&
      known.wallet === (wish.wallet ?? '') &&
      new Date(known.lapses_at).getTime() > ctx.now.getTime() + 60_000
    // One whose opener died before it came to an address is left behind: nobody can pay by it.
    const isAlive = known.form_url !== '' || ctx.now.getTime() - new Date(known.created_at).getTime() < 30_000
    if (isGood && isAlive) {
      if (wish.payer.name) await setCharge(ctx, known.id, { payer: JSON.stringify(wish.payer) })
      return known.id
    }
    await lapse(ctx, known)
  }
  const currency = wish.currency ?? 'ILS'
  await authorize(ctx, 'collect', { agorot: wish.agorot, currency })
  const deed = wish.deed ?? 'charge'
  const terminal = await terminalFor(ctx, wish.agorot || undefined, currency, {
    deed,
    keepsCard: !!wish.consent,
    wallet: wish.wallet,
  })
  if (!terminal) throw fail('paymentLinks.off')
  const id = newId()
  const lapsesAt = new Date(ctx.now.getTime() + formMinutes * 60_000)
  await sql`insert into charges (company_id, id, purpose, deed, link_id, document_id, subject_id, customer_id,
      terminal_id, amount_agorot, currency, consent,
      consent_address, renews_card_id, description, most_instalments, wallet, payer, language, return_to,
      lapses_at, ask_at, created_at)
    values (${ctx.companyId}, ${id}, ${wish.purpose}, ${deed}, ${wish.linkId}, ${wish.documentId},
      ${wish.subjectId ?? null}, ${wish.customerId},
      ${terminal.row.id}, ${wish.agorot}, ${currency}, ${wish.consent ?? ''},
      ${wish.consent ? ctx.address.slice(0, 60) : ''}, ${wish.renewsCardId ?? null},
      ${wish.description.slice(0, 200)}, ${wish.mostInstalments}, ${wish.wallet ?? ''},
      ${JSON.stringify(wish.payer)}, ${wish.language}, ${`${wish.page}?charge=${id}`}, ${lapsesAt},
      ${new Date(lapsesAt.getTime() + 120_000)}, ${ctx.now})`.execute(ctx.tx)
  await ordered(ctx, chargeKind, id)
  await tell(ctx, id, 'begun', { address: ctx.address })
  return id
}

/**
 * Nothing is to be paid by a form any more. It is closed at the acquirer behind the commit; what was paid
 * there a moment before is found by asking.
 */
export async function lapse(ctx: Ctx, { id, reference }: Pick<Charge, 'id' | 'reference'>): Promise<void> {
  await setCharge(ctx, id, {
    state: 'lapsed',
    asks: 0,
    ask_at: reference ? new Date(ctx.now.getTime() + 120_000) : null,
  })
  await tell(ctx, id, 'lapsed')
  if (reference) await ctx.later('acquirers.close', { chargeId: id })
}

interface Opening {
  charge: Charge
  made: Try
  terminal: Terminal
}

const step = 250
const patience = 30_000

/**
 * The second half, behind the commit of the first: opens the form at the acquirer, once, and answers its
 * address. The person who comes while another one opens it waits for that.
 */
export async function openPage(app: App, companyId: string, chargeId: string): Promise<{ url: string }> {
  for (let waited = 0; waited < patience; waited += step) {
    const found = await asCaller(
      app,
      systemCaller(companyId),
      '',
      async (ctx): Promise<string | Opening | undefined> => {
        const charge = await chargeOf(ctx, chargeId, true)
        if (charge.form_url) return charge.form_url
        if (charge.state !== 'begun') throw fail('paymentLinks.acquirerAway')
        const { rows } =
          await sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${chargeId}
              and deed = 'page'`.execute(ctx.tx)
        if (rows.length) return undefined
        return {
          charge,
          made: await beginTry(ctx, charge, 'page', charge.amount_agorot),
          terminal: await terminalById(ctx, charge.terminal_id),
        }
      },
    )
    if (typeof found === 'string') return { url: found }
    if (found) return { url: await opened(app, companyId, found) }
    await new Promise((done) => setTimeout(done, step))
  }
  throw fail('paymentLinks.acquirerAway')
}

async function opened(app: App, companyId: string, { charge, made, terminal }: Opening): Promise<string> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  try {
    const { reference, url } = await terminal.acquirer.page!.open({
      key: made,
      deed: charge.deed,
      keepsCard: charge.deed === 'card' || charge.consent !== '',
      agorot: charge.amount_agorot,
      currency: charge.currency,
      description: charge.description,
      mostInstalments: charge.most_instalments,
      language: charge.language,
      payer: charge.payer,
      wallet: charge.wallet || undefined,
      lapsesAt: new Date(charge.lapses_at),
      returnTo: charge.return_to,
      noticeTo: terminal.noticeTo,
    })
    await inside(async (ctx) => {
      await endTry(ctx, charge.id, made.no, 'open')
      await setCharge(ctx, charge.id, { reference, form_url: url })
    })
    await markAnswer(app, companyId, terminal.row)
    return url
  } catch (e) {
    if (!(e instanceof AcquirerAway) && !(e instanceof KeysRefused)) throw e
    await inside(async (ctx) => {
      await endTry(ctx, charge.id, made.no, 'away', e instanceof KeysRefused ? e.code : '')
      // A form whose address never came is one nobody can pay by.
      await setCharge(ctx, charge.id, { state: 'lapsed', ask_at: null })
      await tell(ctx, charge.id, 'lapsed')
    })
    if (e instanceof KeysRefused && !(e instanceof OrderRefused))
      await markAnswer(app, companyId, terminal.row, e.code)
    throw fail('paymentLinks.acquirerAway')
  }
}
