import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { insideOf, unknownKey } from '#kit/server/http/pageKeys.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { hearNotice } from '../../notices.ts'
import { settingsOf, testRow } from '../../terminals/terminals.ts'
import { testCards } from './cards.ts'
import { isDone, isOver, testChargeOf } from './charges.ts'
import { signedNotice, simulated } from './client.ts'

/** The business of a form, by its reference. */
async function companyOfForm(ctx: OpenCtx, reference: string): Promise<string> {
  const { rows } = await sql<{
    company_id: string
  }>`select company_id from test_charges where reference = ${reference}`.execute(ctx.tx)
  return rows[0]?.company_id ?? (await unknownKey(ctx))
}

export const testForm = async (ctx: OpenCtx, { key }: { key: string }) =>
  insideOf(ctx, await companyOfForm(ctx, key), async (inside) => {
    const charge = await testChargeOf(inside, key)
    return {
      business: (await companyOf(inside)).name,
      description: charge.description,
      amountAgorot: charge.amount_agorot,
      mostInstalments: charge.most_instalments,
      language: charge.language,
      deed: charge.deed,
      keepsCard: charge.keeps_card,
      state: isOver(charge, ctx.now)
        ? ('closed' as const)
        : isDone(charge)
          ? ('paid' as const)
          : (charge.state as 'open' | 'declined' | 'closed'),
      returnTo: charge.return_to,
    }
  })

interface TestPayment {
  number: string
  month: number
  year: number
  instalments: number
}

export async function testPay(ctx: OpenCtx, { key, ...given }: TestPayment & { key: string }) {
  const made = await insideOf(ctx, await companyOfForm(ctx, key), (inside) => payForm(inside, key, given))
  // Paid, and the line broke: what the payer sees is a failure.
  if (made.state === 'lost') throw fail('paymentLinks.acquirerAway')
  return { ...made, state: made.state }
}

/** Somebody pressed "pay" on the form. A charge is paid once, however often that happens. */
async function payForm(ctx: Ctx, reference: string, given: TestPayment) {
  if (simulated.outage) throw fail('paymentLinks.acquirerAway')
  const charge = await testChargeOf(ctx, reference, true)
  const answer = { returnTo: charge.return_to }
  if (isDone(charge)) return { state: 'paid' as const, code: '', ...answer }
  if (charge.state === 'closed' || isOver(charge, ctx.now)) throw fail('paymentLinks.formClosed')
  const card = testCards.get(given.number)
  if (!card) throw fail('paymentLinks.notTestCard')
  if (`${given.year}-${String(given.month).padStart(2, '0')}` < ctx.today.slice(0, 7))
    throw fail('paymentLinks.cardExpired')
  // A card that is only kept is not asked for money, so it cannot be declined yet: its charges will be.
  const isKept = charge.deed === 'card'
  if (card.deed === 'timeout' && !isKept) throw fail('paymentLinks.acquirerAway')
  if ((card.deed === 'decline' || card.deed === 'noFunds') && !isKept) {
    const code = card.deed === 'decline' ? 'declined' : 'noFunds'
    await sql`update test_charges set state = 'declined', code = ${code} where company_id = ${ctx.companyId}
        and reference = ${reference}`.execute(ctx.tx)
    return { state: 'declined' as const, code, ...answer }
  }
  const after = { charge: 'paid', hold: 'held', card: 'saved' }[charge.deed]
  const token = charge.keeps_card || charge.deed === 'card' ? `TOK${newToken().slice(0, 24)}` : ''
  const expiry = `${given.year}-${String(given.month).padStart(2, '0')}`
  if (token)
    await sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${ctx.companyId}, ${token}, ${card.deed}, ${card.brand}, ${given.number.slice(-4)},
        ${expiry})`.execute(ctx.tx)
  await sql`update test_charges set state = ${after}, token = ${token}, expiry = ${expiry}, code = '',
      brand = ${card.brand}, last4 = ${given.number.slice(-4)},
    instalments = ${Math.min(given.instalments, charge.most_instalments)},
    approval = ${String(randomInt(100_000, 999_999))},
    refuses_refunds = ${card.deed === 'noRefund'} where company_id = ${ctx.companyId}
    and reference = ${reference}`.execute(ctx.tx)
  if (card.deed === 'lost' && !isKept) return { state: 'lost' as const, code: '', ...answer }
  for (let i = 0; i < (card.deed === 'twice' ? 2 : 1); i++)
    await ctx.later('acquirers.testNotice', { reference, at: ctx.now.toISOString() })
  return { state: 'paid' as const, code: '', ...answer }
}

/** The notice of the test acquirer, on its way: signed by it and read like any other. */
export const testNotice: Job = async ({ app, companyId }, { reference, at }) => {
  const row = await asCaller(app, systemCaller(companyId), '', testRow)
  if (!row) return
  const fields = signedNotice(settingsOf(app, row).secret ?? '', String(reference), new Date(String(at)))
  await hearNotice(app, companyId, row, { text: JSON.stringify(fields), headers: {} })
}
