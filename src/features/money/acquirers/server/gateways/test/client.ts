import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/vault.ts'
import { AcquirerAway, type Acquirer, type Answer, type GivenBack } from '../../door.ts'
import type { Gateway } from '../../gateway.ts'
import { isOver, testChargeOf } from './charges.ts'

/*
 * An acquirer that moves no money, behind the same door a real one stands behind: a form hosted apart (a page of this server), a signed
 * notice some time after, the status when it is asked, money given back under a key. What it does follows the number of the card.
 */

/** For tests. outage: nothing answers while it stands. mute: what is asked is done, and the answer is lost. */
export const simulated = { outage: false, mute: false }

const inside = async <T>(app: App, companyId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  if (simulated.outage) throw new AcquirerAway('HTTP 503', false)
  const answer = await asCaller(app, systemCaller(companyId), '', work)
  if (simulated.mute) throw new AcquirerAway('timeout')
  return answer
}

const sign = (secret: string, reference: string, event: string, at: string): string =>
  createHmac('sha256', secret).update(`${reference}.${event}.${at}`).digest('hex')

/** As it would come over the wire; for the job that delivers it, and for tests. */
export const signedNotice = (secret: string, reference: string, at: Date) => ({
  reference,
  event: 'paid',
  at: at.toISOString(),
  signature: sign(secret, reference, 'paid', at.toISOString()),
})

/** Why a test card is declined, as a real one would be. */
const classes = { noFunds: 'soft', declined: 'hard' } as const

const connect = (app: App, companyId: string, secret: string): Acquirer => ({
  page: {
    open: (order) =>
      inside(app, companyId, async (ctx) => {
        await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, most_instalments, description, language, return_to, expires_at)
          values (${companyId}, ${`T${newToken().slice(0, 22)}`}, ${order.key.text}, ${order.agorot}, ${order.mostInstalments}, ${order.description},
            ${order.language}, ${order.returnTo}, ${order.lapsesAt}) on conflict (company_id, merchant_key) do nothing`.execute(ctx.tx)
        const { rows } = await sql<{ reference: string }>`select reference from test_charges
          where company_id = ${companyId} and merchant_key = ${order.key.text}`.execute(ctx.tx)
        const { reference } = rows[0]!
        return { reference, url: `${app.publicUrl()}/testcard/${reference}` }
      }),
    ask: (reference) =>
      inside(app, companyId, async (ctx): Promise<Answer> => {
        const charge = await testChargeOf(ctx, reference)
        if (charge.state === 'paid')
          return {
            is: 'paid',
            uid: reference,
            agorot: charge.amount_agorot,
            currency: 'ILS',
            key: charge.merchant_key,
            brand: charge.brand,
            last4: charge.last4,
            instalments: charge.instalments ?? 1,
            approval: charge.approval,
          }
        if (charge.state === 'closed' || isOver(charge, ctx.now)) return { is: 'closed' }
        if (charge.state !== 'declined') return { is: 'open' }
        return { is: 'declined', code: charge.code, class: classes[charge.code as keyof typeof classes] }
      }),
    close: (reference) =>
      inside(app, companyId, async (ctx) => {
        await sql`update test_charges set state = 'closed' where company_id = ${companyId} and reference = ${reference} and state <> 'paid'`.execute(
          ctx.tx,
        )
      }),
  },
  giveBack: {
    once: true,
    do: ({ uid }, agorot, { text: key }) =>
      inside(app, companyId, async (ctx): Promise<GivenBack> => {
        const charge = await testChargeOf(ctx, uid, true)
        const done = { is: 'done', uid: `R${key.replaceAll('-', '').slice(-12)}` } as const
        if (charge.given_back[key] !== undefined) return done
        const before = Object.values(charge.given_back).reduce((sum, one) => sum + one, 0)
        if (charge.state !== 'paid' || before + agorot > charge.amount_agorot) return { is: 'refused', code: 'tooMuch' }
        if (charge.refuses_refunds) return { is: 'refused', code: 'refused' }
        await sql`update test_charges set given_back = given_back || ${JSON.stringify({ [key]: agorot })}::jsonb
          where company_id = ${companyId} and reference = ${uid}`.execute(ctx.tx)
        return done
      }),
  },
  readNotice: ({ fields: { reference, event, at, signature } }) => {
    if (!reference || !event || !at || !signature) return undefined
    const wanted = Buffer.from(sign(secret, reference, event, at))
    const given = Buffer.from(signature)
    return wanted.length === given.length && timingSafeEqual(wanted, given) ? { reference } : undefined
  },
})

export const testGateway: Gateway = {
  name: 'test',
  instalments: ['regular'],
  isTest: true,
  home: () => '',
  connect: ({ app, companyId, settings }) => connect(app, companyId, settings.secret ?? ''),
}
