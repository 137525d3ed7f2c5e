import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { hear } from '../charges/hear.ts'
import { pauseAfter } from '../charges/states.ts'
import type { SavedCard, Silence } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { markOf, openCard, type Card } from './card.ts'
import { usersOf } from './users.ts'

const rowOf = async (ctx: Ctx, id: string): Promise<Card | undefined> =>
  (
    await sql<Card>`select * from cards where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
  ).rows[0]

/**
 * Nothing is charged to a card any more from here on; the acquirer is notified after the commit, and then it is
 * deleted here too.
 */
export async function removeCard(ctx: Ctx, id: string): Promise<void> {
  const card = await rowOf(ctx, id)
  if (!card) throw fail('kit.notFound')
  if (card.state === 'removing' || card.state === 'removed') return
  if (card.state === 'replaced') throw fail('savedCards.gone')
  await sql`update cards set state = 'removing', is_default = false, tries = 0, ask_at = ${ctx.now},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  // The newest of the others is what its owner is charged by from now on.
  if (card.is_default)
    await sql`update cards set is_default = true where company_id = ${ctx.companyId}
        and id = (select id from cards
      where company_id = ${ctx.companyId} and customer_id = ${card.customer_id} and state = 'active'
        and id <> ${id}
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
  await sql`update cards set is_default = false where company_id = ${ctx.companyId}
      and customer_id = ${card.customer_id} and is_default`.execute(ctx.tx)
  await sql`update cards set is_default = true, updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('savedCards.default', 'savedCards', id)
}

interface Forgetting {
  terminal: Terminal
  /** undefined: nothing is to be forgotten there. */
  secret: SavedCard | undefined
  tries: number
}

/** The living cards of a business that are charged by this token. */
const livingBy = (mark: Buffer) => sql`token_mark = ${mark} and state in ('active', 'askAgain')`

/** Adds fingerprints to the cards from before tokens were distinguished, as far as they can be decrypted. */
async function markCards(inside: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;)
    after = await inside(async (ctx) => {
      const { rows } =
        await sql<Card>`select * from cards where company_id = ${ctx.companyId} and token_mark is null
            and secret_sealed is not null
        ${after ? sql`and id > ${after}` : sql``} order by id limit 200 for update`.execute(ctx.tx)
      for (const card of rows) {
        const secret = await openCard(ctx, card).catch(() => undefined)
        if (!secret) continue
        await sql`update cards set token_mark = ${markOf(ctx.app, secret.token)}
          where company_id = ${ctx.companyId} and id = ${card.id}`.execute(ctx.tx)
      }
      return rows.at(-1)?.id
    })
}

/**
 * Has the acquirer forget a card that was removed or replaced, then forgets what it was charged by. A token
 * that another card is charged by stays at the acquirer until the last of them goes. May run twice.
 */
export async function forgetCard(app: App, companyId: string, id: string): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  await markCards(inside)
  const found = await inside(async (ctx): Promise<Forgetting | undefined> => {
    const card = await rowOf(ctx, id)
    if (!card || (card.state !== 'removing' && card.state !== 'replaced')) return undefined
    const secret = await openCard(ctx, card).catch(() => undefined)
    const { rows } = secret
      ? await sql`select 1 from cards where company_id = ${companyId}
          and ${livingBy(markOf(app, secret.token))} limit 1`.execute(ctx.tx)
      : { rows: [] }
    return {
      terminal: await terminalById(ctx, card.terminal_id),
      secret: rows.length ? undefined : secret,
      tries: card.tries,
    }
  })
  if (!found) return
  const { terminal, secret, tries } = found
  const forget = terminal.acquirer.cards?.forget
  const isAsked = secret !== undefined && forget !== undefined
  const heard: 'done' | Silence = isAsked
    ? await hear(app, companyId, terminal, async () => (await forget(secret), 'done' as const))
    : 'done'
  await inside(async (ctx) => {
    // The same card was given again while its token was on the way out: nothing can be charged by that any
    // more, and its owner is asked once more.
    if (isAsked && (heard === 'done' || heard.wasSent)) {
      const { rows: lost } = await sql<{ id: string }>`update cards set state = 'askAgain', updated_at = now()
        where company_id = ${companyId} and ${livingBy(markOf(app, secret.token))} returning id`.execute(
        ctx.tx,
      )
      for (const one of lost) await usersOf().lost(ctx, one.id)
    }
    // What the acquirer will not be told within a week is forgotten here at least: nothing can be charged by
    // it any more.
    if (heard !== 'done' && tries < 10)
      return void (await sql`update cards
        set tries = tries + 1, ask_at = ${new Date(ctx.now.getTime() + pauseAfter(tries))}
        where company_id = ${companyId} and id = ${id}`.execute(ctx.tx))
    await sql`update cards set secret_sealed = null, token_mark = null, ask_at = null, updated_at = now(),
        state = case when state = 'removing' then 'removed' else state end
      where company_id = ${companyId} and id = ${id}`.execute(ctx.tx)
  })
}
