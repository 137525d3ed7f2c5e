import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/vault.ts'
import { AcquirerAway, type Acquirer, type ChargeStatus } from './acquirer.ts'
import { testCards } from './testCards.ts'

/*
 * An acquirer that moves no money, behind the same door a real one stands behind: a form hosted apart (a page of this server), a signed
 * notice some time after, the status when it is asked, money given back under a key. What it does follows the number of the card.
 */

interface TestCharge {
  company_id: string
  reference: string
  amount_agorot: number
  most_instalments: number
  description: string
  language: string
  return_to: string
  state: 'open' | 'declined' | 'paid' | 'closed'
  code: string
  brand: string
  last4: string
  instalments: number | null
  approval: string
  given_back: Record<string, number>
  refuses_refunds: boolean
  expires_at: string
}

/** For tests: nothing answers while it stands. */
export const simulated = { outage: false }

const inside = <T>(app: App, companyId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  if (simulated.outage) throw new AcquirerAway('HTTP 503')
  return asCaller(app, systemCaller(companyId), '', work)
}

const chargeOf = async (ctx: Ctx, reference: string, lock = false): Promise<TestCharge> => {
  const { rows } =
    await sql<TestCharge>`select * from test_charges where company_id = ${ctx.companyId} and reference = ${reference} ${lock ? sql`for update` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
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

const isOver = (charge: TestCharge, now: Date) => charge.state !== 'paid' && new Date(charge.expires_at) < now

export const testAcquirer = (app: App): Acquirer => ({
  name: 'test',
  isTest: true,
  open: ({ companyId }, order) =>
    inside(app, companyId, async (ctx) => {
      await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, most_instalments, description, language, return_to, expires_at)
        values (${companyId}, ${`T${newToken().slice(0, 22)}`}, ${order.key}, ${order.agorot}, ${order.mostInstalments}, ${order.description},
          ${order.language}, ${order.returnTo}, ${order.lapsesAt}) on conflict (company_id, merchant_key) do nothing`.execute(ctx.tx)
      const { rows } = await sql<{ reference: string }>`select reference from test_charges
        where company_id = ${companyId} and merchant_key = ${order.key}`.execute(ctx.tx)
      const { reference } = rows[0]!
      return { reference, url: `${app.publicUrl()}/testcard/${reference}` }
    }),
  status: ({ companyId }, reference) =>
    inside(app, companyId, async (ctx): Promise<ChargeStatus> => {
      const charge = await chargeOf(ctx, reference)
      if (charge.state === 'paid')
        return {
          state: 'paid',
          agorot: charge.amount_agorot,
          brand: charge.brand,
          last4: charge.last4,
          instalments: charge.instalments ?? 1,
          approval: charge.approval,
        }
      if (charge.state === 'closed' || isOver(charge, ctx.now)) return { state: 'closed' }
      return charge.state === 'declined' ? { state: 'declined', code: charge.code } : { state: 'open' }
    }),
  close: ({ companyId }, reference) =>
    inside(app, companyId, async (ctx) => {
      await sql`update test_charges set state = 'closed' where company_id = ${companyId} and reference = ${reference} and state <> 'paid'`.execute(
        ctx.tx,
      )
    }),
  giveBack: ({ companyId }, reference, agorot, key) =>
    inside(app, companyId, async (ctx) => {
      const charge = await chargeOf(ctx, reference, true)
      const done = { state: 'done', reference: `R${key.replaceAll('-', '').slice(-12)}` } as const
      if (charge.given_back[key] !== undefined) return done
      const before = Object.values(charge.given_back).reduce((sum, one) => sum + one, 0)
      if (charge.state !== 'paid' || before + agorot > charge.amount_agorot) return { state: 'refused', code: 'tooMuch' }
      if (charge.refuses_refunds) return { state: 'refused', code: 'refused' }
      await sql`update test_charges set given_back = given_back || ${JSON.stringify({ [key]: agorot })}::jsonb
        where company_id = ${companyId} and reference = ${reference}`.execute(ctx.tx)
      return done
    }),
  readNotice: ({ secret }, { reference, event, at, signature }) => {
    if (![reference, event, at, signature].every((one) => typeof one === 'string')) return undefined
    const wanted = Buffer.from(sign(secret, String(reference), String(event), String(at)))
    const given = Buffer.from(String(signature))
    return wanted.length === given.length && timingSafeEqual(wanted, given) ? String(reference) : undefined
  },
})

/** The business of a form, by its reference. */
export async function companyOfForm(tx: Ctx['tx'], reference: string): Promise<string | undefined> {
  const { rows } = await sql<{ company_id: string }>`select company_id from test_charges where reference = ${reference}`.execute(tx)
  return rows[0]?.company_id
}

export async function showForm(ctx: Ctx, reference: string) {
  const charge = await chargeOf(ctx, reference)
  return {
    description: charge.description,
    amountAgorot: charge.amount_agorot,
    mostInstalments: charge.most_instalments,
    language: charge.language,
    state: isOver(charge, ctx.now) ? ('closed' as const) : charge.state,
    returnTo: charge.return_to,
  }
}

export interface TestPayment {
  number: string
  month: number
  year: number
  instalments: number
}

/** Somebody pressed "pay" on the form. A charge is paid once, however often that happens. */
export async function payForm(ctx: Ctx, reference: string, given: TestPayment) {
  if (simulated.outage) throw fail('paymentLinks.acquirerAway')
  const charge = await chargeOf(ctx, reference, true)
  const answer = { returnTo: charge.return_to }
  if (charge.state === 'paid') return { state: 'paid' as const, code: '', ...answer }
  if (charge.state === 'closed' || isOver(charge, ctx.now)) throw fail('paymentLinks.formClosed')
  const card = testCards.get(given.number)
  if (!card) throw fail('paymentLinks.notTestCard')
  if (`${given.year}-${String(given.month).padStart(2, '0')}` < ctx.today.slice(0, 7)) throw fail('paymentLinks.cardExpired')
  if (card.deed === 'timeout') throw fail('paymentLinks.acquirerAway')
  if (card.deed === 'decline' || card.deed === 'noFunds') {
    const code = card.deed === 'decline' ? 'declined' : 'noFunds'
    await sql`update test_charges set state = 'declined', code = ${code} where company_id = ${ctx.companyId} and reference = ${reference}`.execute(
      ctx.tx,
    )
    return { state: 'declined' as const, code, ...answer }
  }
  await sql`update test_charges set state = 'paid', code = '', brand = ${card.brand}, last4 = ${given.number.slice(-4)},
    instalments = ${Math.min(given.instalments, charge.most_instalments)}, approval = ${String(randomInt(100_000, 999_999))},
    refuses_refunds = ${card.deed === 'noRefund'} where company_id = ${ctx.companyId} and reference = ${reference}`.execute(ctx.tx)
  if (card.deed === 'lost') return { state: 'lost' as const, code: '', ...answer }
  for (let i = 0; i < (card.deed === 'twice' ? 2 : 1); i++)
    await ctx.later('paymentLinks.testNotice', { reference, at: ctx.now.toISOString() })
  return { state: 'paid' as const, code: '', ...answer }
}
