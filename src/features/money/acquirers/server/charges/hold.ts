import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { answerWriter } from '../answers.ts'
import type { Answer, GivenBack, Silence, TryKey } from '../door.ts'
import { terminalById, type Terminal } from '../terminals/terminals.ts'
import { beginTry, chargeOf, endTry, madeOf, setCharge, tell, type Charge, type Try } from './charge.ts'
import { answersUnder, tellsDeal } from './compare.ts'
import { hear } from './hear.ts'
import { holdAsk, pauseAfter, settledAfter } from './states.ts'
import { take } from './take.ts'

interface Opened {
  charge: Charge
  terminal: Terminal
  made: Try
}

/**
 * Writes down that a hold is about to be taken or let go. One at a time: while nobody answered about one,
 * there is no other.
 */
const open = (
  app: App,
  companyId: string,
  id: string,
  deed: 'capture' | 'release',
  agorot?: number,
): Promise<Opened> =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id, true)
    if (charge.state !== 'held') throw fail('paymentLinks.notHeld')
    if (agorot !== undefined && (agorot < 1 || agorot > charge.amount_agorot))
      throw failField('amountAgorot', 'fields.range')
    const { rows } =
      await sql`select 1 from charge_tries where company_id = ${companyId} and charge_id = ${id}
      and deed in ('capture', 'release') and answered_at is null`.execute(ctx.tx)
    if (rows.length) throw fail('paymentLinks.inDoubt')
    return {
      charge,
      terminal: await terminalById(ctx, charge.terminal_id),
      made: await beginTry(ctx, charge, deed, agorot ?? charge.amount_agorot),
    }
  })

interface Heard {
  id: string
  no: number
  deed: 'capture' | 'release'
  agorot: number
  heard: Answer | GivenBack | Silence
}

const answers = answerWriter<Heard>('hold', async (ctx, { id, no, deed, agorot, heard }) => {
  const { rows } = await sql`select 1 from charge_tries where company_id = ${ctx.companyId}
      and charge_id = ${id}
    and no = ${no} and answered_at is null for update`.execute(ctx.tx)
  // It was written before, or the sweep learned it meanwhile.
  if (!rows.length) return
  if (heard.is === 'silence' && heard.wasSent) {
    await tell(ctx, id, 'holdUnknown')
    // It may have been done: the sweep asks what became of it, and nobody tries it again before that is
    // known.
    return void (await setCharge(ctx, id, {
      asks: 0,
      ask_at: new Date(ctx.now.getTime() + pauseAfter(0)),
    }))
  }
  await endTry(ctx, id, no, heard.is === 'silence' ? 'away' : heard.is, 'code' in heard ? heard.code : '')
  if (heard.is === 'declined' && deed === 'capture')
    return void (await tell(ctx, id, 'captureRefused', { code: heard.code }))
  if (heard.is === 'paid') {
    // From here on the charge is of what was taken.
    await setCharge(ctx, id, { amount_agorot: agorot })
    await take(ctx, id, heard)
  } else if (heard.is === 'done') await take(ctx, id, { is: 'released' })
  else if (heard.is === 'refused') await tell(ctx, id, 'releaseRefused', { code: heard.code })
})

/**
 * Takes what was set aside, or a part of it; the rest is free again. Throws `paymentLinks.notHeld`,
 * `paymentLinks.inDoubt`, `fields.range`.
 */
export async function captureHold(
  app: App,
  companyId: string,
  id: string,
  agorot: number,
): Promise<Charge['state']> {
  const { charge, terminal, made } = await open(app, companyId, id, 'capture', agorot)
  const heard = await hear(app, companyId, terminal, async (): Promise<Answer | Silence> =>
    terminal.acquirer.holds
      ? answersUnder(made, await terminal.acquirer.holds.capture(madeOf(charge), agorot, made))
      : { is: 'declined', code: 'cannot', class: 'technical' },
  )
  await answers.write(app, companyId, { id, no: made.no, deed: 'capture', agorot, heard })
  return asCaller(app, systemCaller(companyId), '', async (ctx) => (await chargeOf(ctx, id)).state)
}

/** Releases the hold. Where the acquirer cannot be notified, it releases it automatically. */
export async function releaseHold(app: App, companyId: string, id: string): Promise<Charge['state']> {
  const { charge, terminal, made } = await open(app, companyId, id, 'release')
  const release = terminal.acquirer.holds?.release
  const heard = await hear(app, companyId, terminal, async (): Promise<GivenBack | Silence> =>
    release ? release(madeOf(charge), made) : { is: 'done', uid: '' },
  )
  await answers.write(app, companyId, {
    id,
    no: made.no,
    deed: 'release',
    agorot: charge.amount_agorot,
    heard,
  })
  return asCaller(app, systemCaller(companyId), '', async (ctx) => (await chargeOf(ctx, id)).state)
}

interface Pending {
  charge: Charge
  terminal: Terminal
  no: number
  deed: 'capture' | 'release'
  agorot: number
  keys: TryKey[]
  day: string
}

/** What a hold's own call that nobody answered came to; undefined where none waits. */
const pendingOf = (app: App, companyId: string, id: string): Promise<Pending | undefined> =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const charge = await chargeOf(ctx, id)
    if (charge.state !== 'held') return undefined
    const { rows } = await sql<{
      no: number
      deed: string
      agorot: number
      text: string
      number: number
      isOpen: boolean
      at: string
    }>`select no, deed,
        amount_agorot as agorot, gateway_key as text, gateway_number as number,
        answered_at is null as "isOpen", asked_at as at from charge_tries
      where company_id = ${companyId} and charge_id = ${id} and refund_id is null order by no desc`.execute(
      ctx.tx,
    )
    const open = rows.find(({ deed, isOpen }) => isOpen && (deed === 'capture' || deed === 'release'))
    if (!open) return undefined
    return {
      charge,
      terminal: await terminalById(ctx, charge.terminal_id),
      no: open.no,
      deed: open.deed as Pending['deed'],
      agorot: open.agorot,
      // Under its own reference, and under that of the hold, which some go on by.
      keys: rows.map(({ text, number }) => ({ text, number })),
      day: dayInJerusalem(new Date(open.at)),
    }
  })

/**
 * Asks what became of taking a hold or letting it go, where nobody answered. false: nothing waits; the charge
 * is asked about as any other.
 */
export async function askHold(app: App, companyId: string, id: string): Promise<boolean> {
  const pending = await pendingOf(app, companyId, id)
  if (!pending) return false
  const { charge, terminal, no, deed, agorot, keys, day } = pending
  const { acquirer } = terminal
  const heard = await hear(app, companyId, terminal, async (): Promise<Answer | Silence> => {
    for (const key of acquirer.byReference ? keys : []) {
      const answer = await acquirer.byReference!({ key, agorot, currency: charge.currency, day })
      if (answer.is === 'paid' || answer.is === 'released') return answer
    }
    if (!charge.reference || !acquirer.page) return { is: 'none' }
    const answer = await acquirer.page.ask(charge.reference)
    return tellsDeal(answer) ? { ...answer, card: undefined } : answer
  })
  await asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const now = await chargeOf(ctx, id, true)
    if (now.state !== 'held') return
    const { rows } = await sql<{
      at: string
    }>`select asked_at as at from charge_tries where company_id = ${companyId} and charge_id = ${id}
        and no = ${no}
      and answered_at is null`.execute(ctx.tx)
    if (!rows[0]) return
    const isSettled = ctx.now.getTime() - new Date(rows[0].at).getTime() > settledAfter
    if (heard.is === 'paid' && heard.agorot === agorot) {
      await endTry(ctx, id, no, 'paid')
      await setCharge(ctx, id, { amount_agorot: agorot })
      await take(ctx, id, heard)
    } else if (
      deed === 'release' &&
      (heard.is === 'released' ||
        (isSettled && heard.is !== 'held' && heard.is !== 'paid' && heard.is !== 'silence'))
    ) {
      await endTry(ctx, id, no, 'done')
      await take(ctx, id, { is: 'released' })
    } else if (isSettled && heard.is !== 'silence' && heard.is !== 'paid') {
      // It never arrived there: the hold remains, and a person decides again.
      await endTry(ctx, id, no, 'none')
      await setCharge(ctx, id, { ask_at: holdAsk(ctx.now.getTime(), now.held_until) })
    } else
      await setCharge(ctx, id, {
        asks: now.asks + 1,
        ask_at: new Date(ctx.now.getTime() + pauseAfter(now.asks + 1)),
      })
  })
  return true
}
