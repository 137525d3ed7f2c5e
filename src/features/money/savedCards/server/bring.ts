import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId } from '#kit/server/context.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { addCard, proveCard, terminalById, terminalFor } from '#features/money/acquirers/server/index.ts'
import { showCard } from './list.ts'

export interface BroughtCard {
  customerId: string
  terminalId?: string | undefined
  token: string
  expiry: string
  last4: string
  brand?: string | undefined
  consent: string
}

/**
 * A card that a terminal keeps already, by its token: where the acquirer can say so, it is proved before it
 * is kept.
 */
export async function bringCard({ app, companyId, within }: OutsideCtx, given: BroughtCard) {
  const terminal = await within(async (ctx) => {
    const { rows } =
      await sql`select 1 from parties where company_id = ${companyId} and id = ${given.customerId}
          and role = 'customer'`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
    const found = given.terminalId
      ? await terminalById(ctx, given.terminalId)
      : await terminalFor(ctx, undefined, 'ILS', { keepsCard: true })
    if (!found?.acquirer.cards) throw fail('savedCards.noTerminal')
    return found
  })
  const saved = {
    token: given.token,
    expiry: given.expiry,
    last4: given.last4,
    brand: (given.brand ?? '').toLowerCase(),
  }
  if (!(await proveCard(app, companyId, terminal, saved, `bring-${newId().slice(-12)}`)))
    throw failField('token', 'savedCards.notKnown')
  return within(async (ctx) => {
    const card = await addCard(ctx, saved, {
      customerId: given.customerId,
      terminalId: terminal.row.id,
      consent: given.consent,
      consentAt: ctx.now,
      consentAddress: ctx.address,
    })
    return showCard(ctx, card!.id)
  })
}
