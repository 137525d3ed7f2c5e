import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { authorize, ordered } from '#kit/server/rights/authority.ts'
import { cardById, lastDay, openCard, type Card } from '../cards/card.ts'
import type { Answer, SavedCard, Silence } from '../door.ts'
import { takesSum, terminalById, type Terminal } from '../terminals/terminals.ts'
import { beginTry, chargeKind, chargeOf, tell, type Charge, type Try } from './charge.ts'
import { answersUnder } from './compare.ts'
import { answerWriter } from '../answers.ts'
import { hear } from './hear.ts'
import { purposeOf } from './purposes.ts'
import type { State } from './states.ts'
import { take } from './take.ts'

/** What a kept card is to be charged. */
export interface CardWish {
  cardId: string
  agorot: number
  /** Shekels unless said. */
  currency?: string
  /** The text at the acquirer, and on many statements. */
  description: string
  /** Whose charge it is, as registered by `registerPurpose`. */
  purpose: string
  /**
   * Of the person who asks, once per try: `<order>:<period>:<try>`. Under one key a card is charged once, however
   * often and by however many it is asked; the person who wants another try after `declined` takes another key.
   */
  ourKey: string
  /** What it is for, in the table of its feature; any id. */
  subjectId: string
  /** The document that it pays. */
  documentId?: string | null
  instalments?: number
  language?: Charge['language']
  deed?: 'charge' | 'hold'
}

/** Refuses a card that cannot be charged, by name; the person who is refused may ask for a new one. */
function checkCard(ctx: Ctx, card: Card): void {
  if (card.state === 'askAgain') throw fail('savedCards.askAgain')
  if (card.state !== 'active') throw fail('savedCards.gone')
  if (lastDay(card) < ctx.today) throw fail('paymentLinks.cardExpired')
}

/**
 * The first half of charging a kept card, inside the transaction that wants the money: writes down what is to
 * be charged, and answers the charge's id. The same key again answers the same charge and writes nothing.
 * After the commit call `chargeNow`; who dies in between is done for by the sweep within minutes. Throws
 * `savedCards.gone`, `savedCards.askAgain`, `paymentLinks.cardExpired`, `savedCards.terminalOff`,
 * `savedCards.notTaken`, `fields.range`.
 */
export async function planCardCharge(ctx: Ctx, wish: CardWish): Promise<string> {
  const { rows: known } = await sql<{ id: string }>`select id from charges
    where company_id = ${ctx.companyId} and our_key = ${wish.ourKey}`.execute(ctx.tx)
  if (known[0]) return known[0].id
  if (!Number.isSafeInteger(wish.agorot) || wish.agorot < 1) throw failField('amountAgorot', 'fields.range')
  const currency = wish.currency ?? 'ILS'
  await authorize(ctx, 'charge', { agorot: wish.agorot, currency })
  const card = await cardById(ctx, wish.cardId)
  checkCard(ctx, card)
  const terminal = await terminalById(ctx, card.terminal_id)
  if (terminal.row.state === 'off' || !terminal.acquirer.cards) throw fail('savedCards.terminalOff')
  if (!takesSum(terminal.row, wish.agorot, currency)) throw fail('savedCards.notTaken')
  const id = newId()
  const { rows } = await sql<{
    id: string
  }>`insert into charges (company_id, id, purpose, deed, subject_id, document_id, customer_id, terminal_id,
      card_id,
      our_key, amount_agorot, currency, description, most_instalments, instalments, language, lapses_at,
      ask_at, created_at)
    values (${ctx.companyId}, ${id}, ${wish.purpose}, ${wish.deed ?? 'charge'}, ${wish.subjectId},
      ${wish.documentId ?? null}, ${card.customer_id},
      ${card.terminal_id}, ${card.id}, ${wish.ourKey}, ${wish.agorot}, ${currency},
      ${wish.description.slice(0, 200)}, ${wish.instalments ?? 1},
      ${wish.instalments ?? 1}, ${wish.language ?? 'he'}, ${ctx.now},
      ${new Date(ctx.now.getTime() + 120_000)}, ${ctx.now})
    on conflict (company_id, our_key) do nothing returning id`.execute(ctx.tx)
  // Another transaction was quicker under the same key; it is over, or ours would still wait for it.
  if (!rows[0]) return planCardCharge(ctx, wish)
  await ordered(ctx, chargeKind, id)
  await tell(ctx, id, 'begun', {})
  return id
}

/**
 * What became of a charge. `state`: paid, held, declined; unknown or needsPerson while nobody knows; begun
 * when another process is on it.
 */
export interface CardOutcome {
  chargeId: string
  state: State
  /** The acquirer's code where it was declined, and what it tells to do. */
  declineCode: string
  declineClass: string
  paperId: string | null
  isHeard: boolean
}

const answers = answerWriter<{ chargeId: string; heard: Answer | Silence }>(
  'card',
  async (ctx, { chargeId, heard }) => void (await take(ctx, chargeId, heard)),
)

interface Ready {
  charge: Charge
  made: Try
  terminal: Terminal
  card: SavedCard
}

/**
 * The second half, outside of every transaction: charges the card at the acquirer, once, and tells its
 * purpose what became of it. The person who calls it again, or while another one is on it, only learns how things
 * stand.
 */
export async function chargeNow(app: App, companyId: string, chargeId: string): Promise<CardOutcome> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const ready = await inside(async (ctx): Promise<Ready | undefined> => {
    const charge = await chargeOf(ctx, chargeId, true)
    if (charge.state !== 'begun' || !charge.card_id) return undefined
    const { rows } =
      await sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${chargeId}
          and deed = 'card'`.execute(ctx.tx)
    if (rows.length) return undefined
    const known = await cardById(ctx, charge.card_id)
    // It was removed between the two halves: nothing is asked, and nothing happened.
    const card =
      known.terminal_id === charge.terminal_id ? await openCard(ctx, known).catch(() => undefined) : undefined
    if (!card || known.state === 'removing') {
      await take(ctx, chargeId, { is: 'declined', code: 'cardGone', class: 'hard' })
      return undefined
    }
    await sql`update cards set last_used_at = ${ctx.now} where company_id = ${companyId}
        and id = ${known.id}`.execute(ctx.tx)
    return {
      charge,
      card,
      made: await beginTry(ctx, charge, 'card', charge.amount_agorot),
      terminal: await terminalById(ctx, charge.terminal_id),
    }
  })
  let isHeard = true
  if (ready) {
    const { charge, made, terminal, card } = ready
    const heard = await hear(app, companyId, terminal, async (): Promise<Answer | Silence> =>
      answersUnder(
        made,
        await terminal.acquirer.cards!.charge(card, {
          key: made,
          deed: charge.deed === 'hold' ? 'hold' : 'charge',
          agorot: charge.amount_agorot,
          currency: charge.currency,
          description: charge.description,
          instalments: charge.most_instalments,
          recurs: purposeOf(charge).recurs ?? false,
          payer: charge.payer,
          noticeTo: terminal.noticeTo,
        }),
      ),
    )
    isHeard = heard.is !== 'silence'
    await answers.write(app, companyId, { chargeId, heard })
  }
  return inside(async (ctx) => {
    const charge = await chargeOf(ctx, chargeId)
    return {
      chargeId,
      state: charge.state,
      declineCode: charge.decline_code,
      declineClass: charge.decline_class,
      paperId: charge.paper_id,
      isHeard,
    }
  })
}
