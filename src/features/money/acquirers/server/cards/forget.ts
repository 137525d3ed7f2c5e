import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { hear } from '../charges/hear.ts'
import { pauseAfter } from '../charges/states.ts'
import type { SavedCard, Silence } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { openCard, type Card } from './card.ts'
import { usersOf } from './users.ts'

const rowOf = async (ctx: Ctx, id: string): Promise<Card | undefined> =>
  (await sql<Card>`select * from cards where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)).rows[0]

/** Nothing is charged to a card any more from here on; the acquirer is told behind the commit, and then it is forgotten here too. */
export async function removeCard(ctx: Ctx, id: string): Promise<void> {
  const card = await rowOf(ctx, id)
  if (!card) throw fail('kit.notFound')
  if (card.state === 'removing' || card.state === 'removed') return
  if (card.state === 'replaced') throw fail('savedCards.gone')
  await sql`update cards set state = 'removing', is_default = false, tries = 0, ask_at = ${ctx.now}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  // The newest of the others is what its owner is charged by from now on.
  if (card.is_default)
    await sql`update cards set is_default = true where company_id = ${ctx.companyId} and id = (select id from cards
      where company_id = ${ctx.companyId} and customer_id = ${card.customer_id} and state = 'active' and id <> ${id}
      order by created_at desc, id limit 1)`.execute(ctx.tx)
  await usersOf().removed(ctx, id)
  await ctx.audit('savedCards.remove', 'savedCards', id, { brand: card.brand, last4: card.last4 })
  await ctx.later('acquirers.forgetCard', { cardId: id })
}

/** A customer is charged by this card from now on, where nobody says which. */
export async function makeDefault(ctx: Ctx, id: string): Promise<void> {
  const card = await rowOf(ctx, id)
  if (!card) throw fail('kit.notFound')
  if (card.state !== 'active') throw fail('savedCards.gone')
  await sql`update cards set is_default = false where company_id = ${ctx.companyId} and customer_id = ${card.customer_id} and is_default`.execute(
    ctx.tx,
  )
  await sql`update cards set is_default = true, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('savedCards.default', 'savedCards', id)
}

interface Forgetting {
  terminal: Terminal
  secret: SavedCard | undefined
  tries: number
}

/** Has the acquirer forget a card that was removed or replaced, then forgets what it was charged by. May run twice. */
export async function forgetCard(app: App, companyId: string, id: string): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const found = await inside(async (ctx): Promise<Forgetting | undefined> => {
    const card = await rowOf(ctx, id)
    if (!card || (card.state !== 'removing' && card.state !== 'replaced')) return undefined
    return {
      terminal: await terminalById(ctx, card.terminal_id),
      secret: await openCard(ctx, card).catch(() => undefined),
      tries: card.tries,
    }
  })
  if (!found) return
  const { terminal, secret, tries } = found
  const forget = terminal.acquirer.cards?.forget
  const heard: 'done' | Silence =
    secret && forget ? await hear(app, companyId, terminal, async () => (await forget(secret), 'done' as const)) : 'done'
  await inside(async (ctx) => {
    // What the acquirer will not be told within a week is forgotten here at least: nothing can be charged by it any more.
    if (heard !== 'done' && tries < 10)
      return void (await sql`update cards set tries = tries + 1, ask_at = ${new Date(ctx.now.getTime() + pauseAfter(tries))}
        where company_id = ${companyId} and id = ${id}`.execute(ctx.tx))
    await sql`update cards set secret_sealed = null, ask_at = null, updated_at = now(),
        state = case when state = 'removing' then 'removed' else state end
      where company_id = ${companyId} and id = ${id}`.execute(ctx.tx)
  })
}
