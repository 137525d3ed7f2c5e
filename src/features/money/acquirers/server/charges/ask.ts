import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { AcquirerAway, KeysRefused, type Answer, type Made } from '../door.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { markAnswer } from '../terminals/health.ts'
import { chargeOf, lastTry, tell, type Charge } from './charge.ts'
import { take } from './take.ts'
import type { Silence } from './states.ts'

/** What a charge is known by at its acquirer. */
export const madeOf = (charge: Charge): Made => ({
  uid: charge.uid,
  approval: charge.approval,
  reference: charge.reference ?? '',
  agorot: charge.held_agorot ?? charge.amount_agorot,
  currency: charge.currency,
  day: dayInJerusalem(new Date(charge.paid_at ?? charge.created_at)),
})

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

type By = 'notice' | 'return' | 'person' | 'sweep' | 'job'

/**
 * Asks the acquirer what became of a charge, and does what follows. It may be called by a notice, by the payer who comes back, by a person and by the sweep,
 * at once and again. Answers whether anything was heard.
 */
export async function settleCharge(app: App, companyId: string, id: string, by: By): Promise<boolean> {
  const asked = await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (by === 'notice') await tell(ctx, id, 'notice')
    if (isEnded(charge)) return undefined
    return { charge, terminal: await terminalById(ctx, charge.terminal_id), last: await lastOf(ctx, charge) }
  })
  if (!asked) return true
  const { charge, terminal, last } = asked
  const heard = await hear(app, companyId, terminal, () => find(terminal, charge, last))
  await asCaller(app, systemCaller(companyId), '', (ctx) => take(ctx, id, heard, last?.no))
  return heard.is !== 'silence'
}

const isEnded = ({ state, ask_at: askAt }: Charge): boolean => ['paid', 'saved', 'released'].includes(state) || (state === 'lapsed' && askAt === null)

const lastOf = (ctx: Ctx, charge: Charge) => lastTry(ctx, charge.id, ['page', 'charge', 'hold', 'capture', 'release'])

/** By whatever the gateway can be asked by. One that cannot be asked is silent, until a person has looked. */
async function find({ acquirer }: Terminal, charge: Charge, last: Awaited<ReturnType<typeof lastOf>>): Promise<Answer | Silence> {
  const { page, byKey, byUid } = acquirer
  const nobodyKnows: Silence = { is: 'silence', wasSent: true }
  if (!last) return { is: 'none' }
  if (last.deed === 'page') {
    if (charge.reference) return page!.ask(charge.reference, last)
    return byKey ? byKey(last, new Date(last.askedAt)) : { is: 'none' }
  }
  if (last.deed === 'capture' || last.deed === 'release') return byUid ? byUid(charge.uid) : nobodyKnows
  return byKey ? byKey(last, new Date(last.askedAt)) : nobodyKnows
}
