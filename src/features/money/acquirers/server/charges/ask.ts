import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { cardById, openCard } from '../cards/card.ts'
import type { Answer, CardReader, Lost, SavedCard, Silence } from '../door.ts'
import { nothingForeign, returnedOf, type Foreign } from '../foreign.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { chargeNow } from './card.ts'
import { chargeOf, setCharge, tell, type Charge } from './charge.ts'
import { keysOf, tellsDeal, wrongIn } from './compare.ts'
import { hear } from './hear.ts'
import { askHold } from './hold.ts'
import { mendPapers } from './papers.ts'
import { purposeOf } from './purposes.ts'
import { take } from './take.ts'

export type By = 'notice' | 'return' | 'person' | 'sweep'

/**
 * Asks the acquirer what became of a charge, and does what follows. It may be called by a notice, by the
 * payer who comes back, by a person and by the sweep, at once and again. Answers whether anything was heard.
 *
 * @param brought what came from outside, as it came: it is filtered here
 */
export async function settleCharge(
  app: App,
  companyId: string,
  id: string,
  by: By,
  brought?: string,
): Promise<boolean> {
  if (await askHold(app, companyId, id)) return true
  const asked = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (by === 'notice') await tell(ctx, id, 'notice')
    const terminal = await terminalById(ctx, charge.terminal_id)
    const isOver = charge.state === 'paid' || charge.state === 'saved' || charge.state === 'released'
    const proofs = isOver || charge.card_id ? [] : await proofsOf(ctx, charge, terminal, brought)
    // Its paper may still be missing.
    if (charge.state === 'paid' && charge.ask_at !== null) await mendPapers(ctx, id)
    return isOver
      ? undefined
      : { charge, terminal, proofs, lost: charge.card_id ? await lostOf(ctx, charge) : undefined }
  })
  if (!asked) return true
  const { charge, terminal, proofs, lost } = asked
  // The process that was to charge the card died before the request: nothing happened yet.
  if (charge.card_id && !lost)
    return charge.state === 'begun' ? (await chargeNow(app, companyId, id)).isHeard : true
  const heard = lost
    ? await hearOfLost(app, companyId, terminal, lost)
    : await hearOfForm(app, companyId, terminal, charge, proofs)
  await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, id, heard))
  return heard.is !== 'silence'
}

/** How many proofs of a form are kept: a cancelled attempt, the payment and its notice. */
const mostProofs = 3
const mostToldLength = 4000

/**
 * The proofs that can be handed back to the acquirer: what came now and what was kept before, both read by the
 * same declaration. They are kept with the charge for later asks.
 */
async function proofsOf(ctx: Ctx, charge: Charge, terminal: Terminal, brought = ''): Promise<Foreign[]> {
  if (terminal.gateway.reads.returned === 'nothing') return []
  const keys = await keysOf(ctx, charge.id)
  const read = (text: string) => returnedOf(terminal.gateway, text, keys)
  // The newest first; the same again is one.
  const all = [brought, ...charge.told.split('\n')].flatMap((text) => read(text) ?? [])
  const byText = [...new Map(all.map((one) => [one.kept(), one]))].slice(0, mostProofs)
  let told = ''
  for (const [text] of byText) {
    const more = told ? `${told}\n${text}` : text
    if (more.length <= mostToldLength) told = more
  }
  if (told !== charge.told) await setCharge(ctx, charge.id, { told })
  return byText.map(([, one]) => one)
}

/**
 * The outcome of a form. The acquirer is queried with each proof and then with our own references; a deal that a
 * proof names and that belongs to another charge is ignored. A card is read only from a deal that was compared
 * and is ours; a card kept without a payment is proved by the acquirer before it counts as kept.
 */
const hearOfForm = (
  app: App,
  companyId: string,
  terminal: Terminal,
  charge: Charge,
  proofs: readonly Foreign[],
): Promise<Answer | Silence> =>
  hear(app, companyId, terminal, async (): Promise<Answer> => {
    const { reference } = charge
    // A form whose address never came to us is one nobody can pay by.
    if (!reference) return { is: 'none' }
    const compare = (deal: Parameters<typeof wrongIn>[2]) =>
      asCaller(app, systemCaller(companyId), '', (ctx) => wrongIn(ctx, charge, deal))
    let refused: Answer | undefined
    let answer: Answer<SavedCard | CardReader> = { is: 'open' }
    let wrong: string | undefined
    for (const proof of [...proofs, nothingForeign]) {
      answer = await terminal.acquirer.page!.ask(reference, proof)
      wrong = tellsDeal(answer) ? await compare(answer) : undefined
      const isOfAnother = (wrong === 'reference' || wrong === 'number') && !proof.isEmpty
      if (answer.is === 'declined') refused ??= answer
      else if (answer.is !== 'open' && answer.is !== 'none' && !isOfAnother) break
    }
    // A refused attempt says nothing about one that another proof confirms.
    if (!tellsDeal(answer)) return answer.is === 'open' ? (refused ?? answer) : answer
    const { card: given, ...deal } = answer
    if (wrong) return { ...deal, card: undefined }
    const card =
      typeof given !== 'function'
        ? given
        : charge.consent || charge.deed === 'card'
          ? await given()
          : undefined
    if (deal.is !== 'saved') return { ...deal, card }
    if (!card) return { is: 'open' }
    const isGood = await terminal.acquirer.cards?.check?.(card, {
      text: reference.slice(0, 40),
      number: Math.floor(Math.random() * 2_000_000_000) + 1,
    })
    return isGood === false ? { is: 'declined', code: 'notProved', class: 'hard' } : { ...deal, card }
  })

/** What became of a charge of a kept card whose call nobody answered. */
const hearOfLost = (app: App, companyId: string, terminal: Terminal, lost: Lost): Promise<Answer | Silence> =>
  hear(app, companyId, terminal, async (): Promise<Answer | Silence> => {
    const { byReference, day } = terminal.acquirer
    if (byReference) return byReference(lost)
    if (!day) return { is: 'silence', wasSent: true }
    // A charge requested a moment before midnight is in the list of the next day.
    for (const one of [lost.day, addDays(lost.day, 1)]) {
      if (one > dayInJerusalem(app.now())) break
      const found = (await day(one)).find(
        ({ key, agorot }) => agorot > 0 && (key === lost.key.text || key === String(lost.key.number)),
      )
      if (found) return { is: 'paid', ...found, key: found.key, brand: '', instalments: 1 }
    }
    return { is: 'none' }
  })

async function lostOf(ctx: Ctx, charge: Charge): Promise<Lost | undefined> {
  const { rows } = await sql<{
    text: string
    number: number
    asked_at: string
  }>`select gateway_key as text, gateway_number as number, asked_at
    from charge_tries where company_id = ${ctx.companyId} and charge_id = ${charge.id}
      and deed = 'card'`.execute(ctx.tx)
  const [made] = rows
  if (!made) return undefined
  const card = await openCard(ctx, await cardById(ctx, charge.card_id!)).catch(() => undefined)
  return {
    key: { text: made.text, number: made.number },
    agorot: charge.amount_agorot,
    currency: charge.currency,
    day: dayInJerusalem(new Date(made.asked_at)),
    token: card?.token,
  }
}

/** Closes a form where the gateway can, and asks whether it was paid before. */
export async function closeForm(app: App, companyId: string, id: string): Promise<void> {
  const found = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    return { reference: charge.reference, terminal: await terminalById(ctx, charge.terminal_id) }
  })
  const { close } = found.terminal.acquirer.page ?? {}
  if (close && found.reference) await hear(app, companyId, found.terminal, () => close(found.reference!))
  await settleCharge(app, companyId, id, 'sweep')
}

/**
 * A person looked at the acquirer's own site and says that nothing was paid by a charge in doubt. Should it
 * have been after all, asking still finds it.
 */
export async function sayUnpaid(ctx: Ctx, id: string): Promise<void> {
  if ((await chargeOf(ctx, id, true)).state !== 'needsPerson') throw fail('paymentLinks.notInDoubt')
  const charge = await chargeOf(ctx, id)
  await setCharge(ctx, id, { state: 'lapsed', asks: 0, ask_at: null })
  await tell(ctx, id, 'saidUnpaid', { by: ctx.caller.fullName })
  if (charge.card_id) await purposeOf(charge).failed?.(ctx, await chargeOf(ctx, id))
  await ctx.audit('paymentLinks.sayUnpaid', 'cardCharges', id)
}

/** The charge of a terminal that a notice is about, by whatever it names. */
export async function chargeNamed(
  app: App,
  companyId: string,
  terminalId: string,
  {
    key,
    reference,
    uid,
  }: { key?: string | undefined; reference?: string | undefined; uid?: string | undefined },
): Promise<string | undefined> {
  return asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const { rows } = await sql<{
      id: string
    }>`select c.id from charges c where c.company_id = ${companyId} and c.terminal_id = ${terminalId}
      and (c.reference = ${reference ?? null} or (c.uid = ${uid ?? null} and c.uid <> '')
      or c.id = (select t.charge_id from charge_tries t
        where t.company_id = ${companyId} and t.gateway_key = ${key ?? null})) limit 1`.execute(ctx.tx)
    return rows[0]?.id
  })
}
