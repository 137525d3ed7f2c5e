import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Charge } from '../charges/charge.ts'
import type { SavedCard } from '../door.ts'
import { cardById, markOf, sealCard, type Card } from './card.ts'
import { proveLater } from './prove.ts'
import { usersOf } from './users.ts'

/**
 * As much of a card as its columns hold; undefined when there is no token to charge it by, or no telling when
 * it ends.
 */
function checked(saved: SavedCard): SavedCard | undefined {
  if (!saved.token || saved.token.length > 500 || !/^20\d\d-(0[1-9]|1[0-2])$/.test(saved.expiry))
    return undefined
  return {
    ...saved,
    brand: saved.brand.slice(0, 30),
    last4: /^\d{4}$/.test(saved.last4) ? saved.last4 : '',
    deletedOn: saved.deletedOn && /^\d{4}-\d\d-\d\d$/.test(saved.deletedOn) ? saved.deletedOn : undefined,
  }
}

interface Place {
  customerId: string
  terminalId: string
  consent: string
  consentAt: Date
  consentAddress: string
}

/**
 * Saves a card; a customer's first one is the default. The same card saved again, or a renewed one, replaces it.
 */
export async function addCard(
  ctx: Ctx,
  saved: SavedCard,
  place: Place,
  renews?: string,
): Promise<Card | undefined> {
  const card = checked(saved)
  if (!card) return undefined
  const { customerId, terminalId } = place
  await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${customerId} for
    update`.execute(ctx.tx)
  const id = newId()
  const mark = markOf(ctx.app, card.token)
  const { rows: before } = await sql<{ id: string; is_default: boolean }>`select id, is_default from cards
    where company_id = ${ctx.companyId} and customer_id = ${customerId} and state in ('active', 'askAgain')
      and (id = ${renews ?? null} or (terminal_id = ${terminalId}
        and (token_mark = ${mark}
        or (last4 = ${card.last4} and last4 <> '' and brand = ${card.brand}))))`.execute(ctx.tx)
  const { rows: defaults } = await sql`select 1 from cards
    where company_id = ${ctx.companyId} and customer_id = ${customerId} and is_default`.execute(ctx.tx)
  const isDefault = defaults.length === 0 || before.some((one) => one.is_default)
  if (isDefault)
    await sql`update cards set is_default = false where company_id = ${ctx.companyId}
        and customer_id = ${customerId} and is_default`.execute(ctx.tx)
  await sql`insert into cards (company_id, id, customer_id, terminal_id, secret_sealed, token_mark, brand,
      last4, expiry, token_deleted_on, is_default, consent,
      consent_at, consent_address, created_at)
    values (${ctx.companyId}, ${id}, ${customerId}, ${terminalId}, ${sealCard(ctx.app, card)}, ${mark},
      ${card.brand}, ${card.last4}, ${card.expiry},
      ${card.deletedOn ?? null}, ${isDefault}, ${place.consent}, ${place.consentAt},
      ${place.consentAddress.slice(0, 60)}, ${ctx.now})`.execute(ctx.tx)
  for (const old of before) await replace(ctx, old.id, id)
  await ctx.audit('savedCards.add', 'savedCards', id, undefined, {
    customerId,
    brand: card.brand,
    last4: card.last4,
    expiry: card.expiry,
  })
  return cardById(ctx, id)
}

/**
 * Another card stands for one from now on; its old token is forgotten at the acquirer behind the commit,
 * unless it is the new one's too.
 */
export async function replace(ctx: Ctx, oldId: string, newId: string): Promise<void> {
  await sql`update cards set state = 'replaced', replaced_by = ${newId}, is_default = false,
      ask_at = ${ctx.now}, tries = 0, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${oldId}`.execute(ctx.tx)
  await usersOf().replaced(ctx, oldId, newId)
}

/**
 * Keeps the card that a form was filled in with, for the customer the money is of. Nothing where nobody is
 * known, or nothing can be charged by it.
 */
export async function keepCard(ctx: Ctx, charge: Charge, saved: SavedCard): Promise<Card | undefined> {
  if (!charge.customer_id) return undefined
  const card = await addCard(
    ctx,
    { ...saved, at: charge.paid_at ? new Date(charge.paid_at).toISOString() : ctx.now.toISOString() },
    {
      customerId: charge.customer_id,
      terminalId: charge.terminal_id,
      consent: charge.consent,
      consentAt: new Date(charge.created_at),
      consentAddress: charge.consent_address,
    },
    charge.renews_card_id ?? undefined,
  )
  // One that was kept alone was proved before it was believed.
  if (card && charge.deed !== 'card') await proveLater(ctx, card.id)
  return card
}
