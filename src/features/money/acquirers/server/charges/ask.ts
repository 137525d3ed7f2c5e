import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { AcquirerAway, KeysRefused, type Answer, type Silence } from '../door.ts'
import { markAnswer } from '../terminals/health.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { chargeOf, setCharge, tell } from './charge.ts'
import { take } from './take.ts'

/** Calls an acquirer outside of every transaction, and says what was heard: a silence where nothing could be read. */
export async function hear<A>(app: App, companyId: string, terminal: Terminal, call: () => Promise<A>): Promise<A | Silence> {
  try {
    const answer = await call()
    await markAnswer(app, companyId, terminal.row)
    return answer
  } catch (e) {
    if (e instanceof KeysRefused) {
      await markAnswer(app, companyId, terminal.row, e.code)
      return { is: 'silence', wasSent: false }
    }
    if (e instanceof AcquirerAway) return { is: 'silence', wasSent: e.wasSent }
    throw e
  }
}

export type By = 'notice' | 'return' | 'person' | 'sweep'

/**
 * Asks the acquirer what became of a charge, and does what follows. It may be called by a notice, by the payer who comes back, by a person and by the sweep,
 * at once and again. Answers whether anything was heard.
 */
export async function settleCharge(app: App, companyId: string, id: string, by: By): Promise<boolean> {
  const asked = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (by === 'notice') await tell(ctx, id, 'notice')
    return charge.state === 'paid' ? undefined : { reference: charge.reference, terminal: await terminalById(ctx, charge.terminal_id) }
  })
  if (!asked) return true
  const { reference, terminal } = asked
  const heard = await hear(app, companyId, terminal, async (): Promise<Answer> =>
    // A form whose address never came to us is one nobody can pay by.
    reference ? terminal.acquirer.page!.ask(reference) : { is: 'none' },
  )
  await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, id, heard))
  return heard.is !== 'silence'
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
  await setCharge(ctx, id, { state: 'lapsed', asks: 0, ask_at: null })
  await tell(ctx, id, 'saidUnpaid', { by: ctx.caller.fullName })
  await ctx.audit('paymentLinks.sayUnpaid', 'cardCharges', id)
}

/** The charge of a terminal that somebody tells of, by whatever he names. */
export async function chargeNamed(
  app: App,
  companyId: string,
  terminalId: string,
  { key, reference, uid }: { key?: string | undefined; reference?: string | undefined; uid?: string | undefined },
): Promise<string | undefined> {
  return asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const { rows } = await sql<{
      id: string
    }>`select c.id from charges c where c.company_id = ${companyId} and c.terminal_id = ${terminalId}
      and (c.reference = ${reference ?? null} or (c.uid = ${uid ?? null} and c.uid <> '') or c.id = (select t.charge_id from charge_tries t
        where t.company_id = ${companyId} and t.gateway_key = ${key ?? null})) limit 1`.execute(ctx.tx)
    return rows[0]?.id
  })
}
