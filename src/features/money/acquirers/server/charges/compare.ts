import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { Answer, TryKey } from '../door.ts'
import type { Charge } from './charge.ts'

/** An answer about a deal or a kept card, of any kind of card. */
type Told = Extract<Answer<unknown>, { is: 'paid' | 'held' | 'saved' }>

export const tellsDeal = <A extends Answer<unknown> | { is: 'silence' }>(
  answer: A,
): answer is Extract<A, { is: 'paid' | 'held' | 'saved' }> =>
  answer.is === 'paid' || answer.is === 'held' || answer.is === 'saved'

/** What may come of a charge: money set aside may be taken at the acquirer's own site. */
const comesOf: Readonly<Record<Charge['deed'], readonly string[]>> = {
  charge: ['paid'],
  hold: ['held', 'paid'],
  card: ['saved'],
}

/**
 * The answer to a call of ours that charged a card or took a hold: it came on the line of that call, which
 * named its reference, so where it repeats none it is about that one. Never used for answers to queries.
 */
export const answersUnder = (made: TryKey, answer: Answer): Answer =>
  (answer.is === 'paid' || answer.is === 'held') && answer.key === undefined
    ? { ...answer, key: made.text }
    : answer

/** The references under which the acquirer was asked about a charge. */
export async function keysOf(ctx: Ctx, chargeId: string): Promise<string[]> {
  const { rows } = await sql<{ text: string; number: string }>`select gateway_key as text,
      gateway_number::text as number
    from charge_tries where company_id = ${ctx.companyId} and charge_id = ${chargeId}`.execute(ctx.tx)
  return rows.flatMap(({ text, number }) => [text, number])
}

/**
 * What in an acquirer's answer differs from the request: the terminal, the action, the deal's number, our reference,
 * the currency, the amount. The only place where a charge and a deal are compared; nothing is paid, held or saved
 * without it. A reference that is absent is not ours.
 */
export async function wrongIn(ctx: Ctx, charge: Charge, deal: Told): Promise<string | undefined> {
  if (deal.isOurs === false) return 'terminal'
  if (!comesOf[charge.deed].includes(deal.is)) return 'deed'
  const isOurKey =
    deal.key === undefined
      ? deal.form !== undefined && deal.form === charge.reference
      : (await keysOf(ctx, charge.id)).includes(deal.key)
  if (deal.is === 'saved') return isOurKey ? undefined : 'reference'
  if (!deal.uid || deal.uid.length > 100) return 'number'
  const { rows: others } = await sql`select 1 from charges where company_id = ${ctx.companyId}
    and terminal_id = ${charge.terminal_id} and uid = ${deal.uid} and id <> ${charge.id}`.execute(ctx.tx)
  if (others.length) return 'number'
  if (!isOurKey) return 'reference'
  if (deal.currency !== charge.currency) return 'currency'
  return deal.agorot === charge.amount_agorot ? undefined : 'sum'
}
