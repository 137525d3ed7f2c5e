import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { Answer, GivenBack, Silence } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { beginTry, chargeOf, endTry, madeOf, setCharge, tell, type Charge, type Try } from './charge.ts'
import { hear } from './hear.ts'
import { take } from './take.ts'

interface Opened {
  charge: Charge
  terminal: Terminal
  made: Try
}

/** Writes down that a hold is about to be taken or let go. One at a time: while nobody answered about one, there is no other. */
const open = (app: App, companyId: string, id: string, deed: 'capture' | 'release', agorot?: number): Promise<Opened> =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id, true)
    if (charge.state !== 'held') throw fail('paymentLinks.notHeld')
    if (agorot !== undefined && (agorot < 1 || agorot > charge.amount_agorot)) throw failField('amountAgorot', 'fields.range')
    const { rows } = await sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${id}
      and deed in ('capture', 'release') and answered_at is null`.execute(ctx.tx)
    if (rows.length) throw fail('paymentLinks.inDoubt')
    return {
      charge,
      terminal: await terminalById(ctx, charge.terminal_id),
      made: await beginTry(ctx, charge, deed, agorot ?? charge.amount_agorot),
    }
  })

const answered = (
  app: App,
  companyId: string,
  { charge, made }: Opened,
  heard: Answer | GivenBack | Silence,
  then: (ctx: Ctx) => Promise<void>,
) =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    if (heard.is === 'silence' && heard.wasSent) return void (await tell(ctx, charge.id, 'holdUnknown'))
    await endTry(ctx, charge.id, made.no, heard.is === 'silence' ? 'away' : heard.is, 'code' in heard ? heard.code : '')
    await then(ctx)
  })

/** Takes what was set aside, or a part of it; the rest is free again. Throws `paymentLinks.notHeld`, `paymentLinks.inDoubt`, `fields.range`. */
export async function captureHold(app: App, companyId: string, id: string, agorot: number): Promise<Charge['state']> {
  const opened = await open(app, companyId, id, 'capture', agorot)
  const { charge, terminal, made } = opened
  const heard = await hear(app, companyId, terminal, async (): Promise<Answer | Silence> =>
    terminal.acquirer.holds
      ? terminal.acquirer.holds.capture(madeOf(charge), agorot, made)
      : { is: 'declined', code: 'cannot', class: 'technical' },
  )
  await answered(app, companyId, opened, heard, async (ctx) => {
    if (heard.is === 'declined') return void (await tell(ctx, id, 'captureRefused', { code: heard.code }))
    if (heard.is !== 'paid') return
    // From here on the charge is of what was taken.
    await setCharge(ctx, id, { amount_agorot: agorot })
    await take(ctx, id, heard)
  })
  return asCaller(app, systemCaller(companyId), '', async (ctx) => (await chargeOf(ctx, id)).state)
}

/** Lets go of what was set aside. Where the acquirer cannot be told, it lets go by itself. */
export async function releaseHold(app: App, companyId: string, id: string): Promise<Charge['state']> {
  const opened = await open(app, companyId, id, 'release')
  const { charge, terminal, made } = opened
  const release = terminal.acquirer.holds?.release
  const heard = await hear(app, companyId, terminal, async (): Promise<GivenBack | Silence> =>
    release ? release(madeOf(charge), made) : { is: 'done', uid: '' },
  )
  await answered(app, companyId, opened, heard, async (ctx) => {
    if (heard.is === 'done') await take(ctx, id, { is: 'released' })
    else if (heard.is === 'refused') await tell(ctx, id, 'releaseRefused', { code: heard.code })
  })
  return asCaller(app, systemCaller(companyId), '', async (ctx) => (await chargeOf(ctx, id)).state)
}
