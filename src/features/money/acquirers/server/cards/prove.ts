import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { hear } from '../charges/hear.ts'
import { pauseAfter } from '../charges/states.ts'
import type { SavedCard } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { openCard, type Card } from './card.ts'
import { usersOf } from './users.ts'

/**
 * Whether a card can be charged by its token, as its acquirer says without moving money; true where it cannot
 * say. Throws `paymentLinks.acquirerAway`.
 */
export async function proveCard(
  app: App,
  companyId: string,
  terminal: Terminal,
  card: SavedCard,
  key: string,
): Promise<boolean> {
  const heard = await checked(app, companyId, terminal, card, key)
  if (heard === undefined) throw fail('paymentLinks.acquirerAway')
  return heard
}

/** What the acquirer says of a token; undefined where nothing was heard. */
async function checked(
  app: App,
  companyId: string,
  terminal: Terminal,
  card: SavedCard,
  key: string,
): Promise<boolean | undefined> {
  const check = terminal.acquirer.cards?.check
  if (!check) return true
  const heard = await hear(app, companyId, terminal, async () => ({
    is: 'heard' as const,
    isGood: await check(card, { text: key, number: Math.floor(Math.random() * 2_000_000_000) + 1 }),
  }))
  return heard.is === 'silence' ? undefined : heard.isGood
}

/**
 * A card that came along with a payment is to be proved behind the commit: what was paid says nothing of the
 * token. Its row says so, so that the person who dies over it loses nothing.
 */
export async function proveLater(ctx: Ctx, id: string): Promise<void> {
  await sql`update cards set ask_at = ${new Date(ctx.now.getTime() + 60_000)}, tries = 0
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.later('acquirers.proveCard', { cardId: id })
}

/** How often a silent acquirer is asked about a token; a charge will tell. */
const mostTries = 10

/**
 * Proves a card that is to be proved, by its token and without moving money. One that cannot be charged is
 * asked for again. May run twice.
 */
export async function proveKept(app: App, companyId: string, id: string): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const toProve = async (ctx: Ctx): Promise<Card | undefined> =>
    (
      await sql<Card>`select * from cards where company_id = ${companyId} and id = ${id} and state = 'active'
          and ask_at is not null for update`.execute(ctx.tx)
    ).rows[0]
  const found = await inside(async (ctx) => {
    const card = await toProve(ctx)
    return card && { terminal: await terminalById(ctx, card.terminal_id), secret: await openCard(ctx, card) }
  })
  if (!found) return
  const isGood = await checked(app, companyId, found.terminal, found.secret, `prove-${id.slice(-12)}`)
  await inside(async (ctx) => {
    const card = await toProve(ctx)
    if (!card) return
    const again =
      isGood === undefined && card.tries < mostTries
        ? new Date(ctx.now.getTime() + pauseAfter(card.tries))
        : null
    await sql`update cards set ask_at = ${again}, tries = ${again ? card.tries + 1 : 0},
        state = ${isGood === false ? 'askAgain' : 'active'},
      updated_at = now() where company_id = ${companyId} and id = ${id}`.execute(ctx.tx)
    if (isGood !== false) return
    await ctx.audit('savedCards.notProved', 'savedCards', id, undefined, {
      brand: card.brand,
      last4: card.last4,
    })
    await usersOf().lost(ctx, id)
  })
}
