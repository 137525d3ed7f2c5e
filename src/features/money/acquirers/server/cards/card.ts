import { createHmac } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import { lastDayOf, type CardState } from '../../acquirers.ts'
import type { SavedCard } from '../door.ts'

/** A kept card as everybody may know it; what it is charged by stays in its row, sealed. */
export interface Card {
  id: string
  customer_id: string
  terminal_id: string
  brand: string
  last4: string
  /** 'YYYY-MM', the month it ends with. */
  expiry: string
  token_deleted_on: string | null
  state: CardState
  replaced_by: string | null
  is_default: boolean
  consent: string
  consent_at: string
  tries: number
  last_used_at: string | null
  created_at: string
}

const columns = sql.raw(
  'id, customer_id, terminal_id, brand, last4, expiry, token_deleted_on::text, state, replaced_by, is_default, consent, consent_at, tries, last_used_at, created_at',
)

/** The last day a card can be charged on. */
export const lastDay = (card: Pick<Card, 'expiry' | 'token_deleted_on'>): string =>
  lastDayOf(card.expiry, card.token_deleted_on)

/** Whether a card can be charged today, inside a list whose table is `t`. */
export const isChargeable = (
  id: RawBuilder<unknown>,
) => sql<boolean>`exists (select 1 from cards c where c.company_id = t.company_id and c.id = ${id}
  and (c.state = 'replaced' or c.state = 'active'
  and least((c.expiry || '-01')::date + interval '1 month' - interval '1 day', c.token_deleted_on) >=
  ${todayThere}::date))`

/**
 * A card of the business, or the one that took its place since. Throws `kit.notFound`.
 * @param lock holds the row until the transaction ends
 */
export async function cardById(ctx: Ctx, id: string, lock = false): Promise<Card> {
  for (let at = id, steps = 0; steps < 20; steps++) {
    const { rows } =
      await sql<Card>`select ${columns} from cards where company_id = ${ctx.companyId} and id = ${at}
      ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
    const [card] = rows
    if (!card) break
    if (!card.replaced_by) return card
    at = card.replaced_by
  }
  throw fail('kit.notFound')
}

/** The cards of a customer that can be charged or asked for again, the default one first. */
export async function cardsOf(ctx: Ctx, customerId: string): Promise<Card[]> {
  const { rows } = await sql<Card>`select ${columns} from cards
    where company_id = ${ctx.companyId} and customer_id = ${customerId} and state in ('active', 'askAgain')
    order by is_default desc, created_at desc, id`.execute(ctx.tx)
  return rows
}

/**
 * The card a customer is charged by when none is named: the default one, else the newest that is still valid.
 */
export const defaultCard = async (ctx: Ctx, customerId: string): Promise<Card | undefined> =>
  (await cardsOf(ctx, customerId)).find((card) => card.state === 'active' && lastDay(card) >= ctx.today)

export const sealCard = (app: App, card: SavedCard): Buffer =>
  encrypt(
    app.secrets.vault,
    Buffer.from(
      JSON.stringify({
        token: card.token,
        uid: card.uid,
        approval: card.approval,
        ownerId: card.ownerId,
        at: card.at,
        threeDs: card.threeDs,
      }),
    ),
  )

/**
 * What two cards are known by to be charged by the same token, without either being opened; worth nothing
 * without the secrets of the installation.
 */
export const markOf = (app: App, token: string): Buffer =>
  createHmac('sha256', app.secrets.mac).update(`token of a card ${token}`).digest()

/** What an acquirer wants to see of a card. Never to leave the server, nor to be written anywhere. */
export async function openCard(ctx: Ctx, card: Card): Promise<SavedCard> {
  const { rows } = await sql<{ sealed: Buffer | null }>`select secret_sealed as sealed from cards
    where company_id = ${ctx.companyId} and id = ${card.id}`.execute(ctx.tx)
  const sealed = rows[0]?.sealed
  if (!sealed) throw fail('savedCards.gone')
  const secret = JSON.parse(decrypt(ctx.app.secrets.vault, sealed).toString()) as Pick<
    SavedCard,
    'token' | 'uid' | 'approval' | 'ownerId' | 'at' | 'threeDs'
  >
  return {
    ...secret,
    brand: card.brand,
    last4: card.last4,
    expiry: card.expiry,
    deletedOn: card.token_deleted_on ?? undefined,
  }
}
