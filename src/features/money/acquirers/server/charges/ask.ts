import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { cardById, openCard } from '../cards/card.ts'
import type { Answer, Lost, Silence } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { chargeNow } from './card.ts'
import { chargeOf, setCharge, tell, type Charge } from './charge.ts'
import { hear } from './hear.ts'
import { askHold } from './hold.ts'
import { mendPapers } from './papers.ts'
import { purposeOf } from './purposes.ts'
import { take } from './take.ts'

export type By = 'notice' | 'return' | 'person' | 'sweep'

/**
 * Asks the acquirer what became of a charge, and does what follows. It may be called by a notice, by the payer who comes back, by a person and by the sweep,
 * at once and again. Answers whether anything was heard.
 */
export async function settleCharge(
  app: App,
  companyId: string,
  id: string,
  by: By,
  told?: string,
): Promise<boolean> {
  if (await askHold(app, companyId, id)) return true
  const asked = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (by === 'notice') await tell(ctx, id, 'notice')
    // Kept, so that whoever asks later can ask about it too.
    if (told && told.length <= 4000 && charge.state !== 'paid') await setCharge(ctx, id, { told })
    // Its paper may still be missing.
    if (charge.state === 'paid' && charge.ask_at !== null) await mendPapers(ctx, id)
    return charge.state === 'paid' || charge.state === 'saved' || charge.state === 'released'
      ? undefined
      : {
          charge,
          terminal: await terminalById(ctx, charge.terminal_id),
          lost: charge.card_id ? await lostOf(ctx, charge) : undefined,
        }
  })
  if (!asked) return true
  const { charge, terminal, lost } = asked
  // Whoever was to charge the card died before he asked: nothing happened yet.
  if (charge.card_id && !lost)
    return charge.state === 'begun' ? (await chargeNow(app, companyId, id)).isHeard : true
  const heard = lost
    ? await hearOfLost(app, companyId, terminal, lost)
    : await hearOfForm(app, companyId, terminal, charge, told)
  await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, id, heard))
  return heard.is !== 'silence'
}

/** What became of a form. A card that is only kept is proved by the acquirer before anybody is told that it is. */
const hearOfForm = (
  app: App,
  companyId: string,
  terminal: Terminal,
  { reference, told: toldBefore }: Charge,
  told?: string,
): Promise<Answer | Silence> =>
  hear(app, companyId, terminal, async (): Promise<Answer> => {
    // A form whose address never came to us is one nobody can pay by.
    if (!reference) return { is: 'none' }
    const answer = await terminal.acquirer.page!.ask(reference, told ?? (toldBefore || undefined))
    const check = terminal.acquirer.cards?.check
    if (answer.is !== 'saved' || !check) return answer
    const isGood = await check(answer.card, {
      text: reference.slice(0, 40),
      number: Math.floor(Math.random() * 2_000_000_000) + 1,
    })
    return isGood ? answer : { is: 'declined', code: 'notProved', class: 'hard' }
  })

/** What became of a charge of a kept card whose call nobody answered. */
const hearOfLost = (app: App, companyId: string, terminal: Terminal, lost: Lost): Promise<Answer | Silence> =>
  hear(app, companyId, terminal, async (): Promise<Answer | Silence> => {
    const { byReference, day } = terminal.acquirer
    if (byReference) return byReference(lost)
    if (!day) return { is: 'silence', wasSent: true }
    // What was asked for a moment before midnight stands in the list of the next day.
    for (const one of [lost.day, addDays(lost.day, 1)]) {
      if (one > dayInJerusalem(app.now())) break
      const found = (await day(one)).find(
        ({ key, agorot }) => agorot > 0 && (key === lost.key.text || key === String(lost.key.number)),
      )
      if (found) return { is: 'paid', ...found, brand: '', instalments: 1 }
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

/** A person looked at the acquirer's own site and says that nothing was paid by a charge in doubt. Should it have been after all, asking still finds it. */
export async function sayUnpaid(ctx: Ctx, id: string): Promise<void> {
  if ((await chargeOf(ctx, id, true)).state !== 'needsPerson') throw fail('paymentLinks.notInDoubt')
  const charge = await chargeOf(ctx, id)
  await setCharge(ctx, id, { state: 'lapsed', asks: 0, ask_at: null })
  await tell(ctx, id, 'saidUnpaid', { by: ctx.caller.fullName })
  if (charge.card_id) await purposeOf(charge).failed?.(ctx, await chargeOf(ctx, id))
  await ctx.audit('paymentLinks.sayUnpaid', 'cardCharges', id)
}

/** The charge of a terminal that somebody tells of, by whatever he names. */
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
