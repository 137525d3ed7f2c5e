import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { addCard, consentText, testRow } from '#features/money/acquirers/server/index.ts'
import { makeRequest } from './requests.ts'

/**
 * Customers of a demo business who gave their cards: one that runs, one that ends soon, one that is past, and
 * one who was asked.
 */
export async function addSavedCards(ctx: Ctx, customers: readonly { id: string }[]): Promise<void> {
  const terminal = await testRow(ctx)
  if (!terminal) return
  const [first, second, third, fourth] = customers
  const give = async (customer: { id: string } | undefined, brand: string, last4: string, months: number) => {
    if (!customer) return
    const [token, expiry] = [`TOK${newToken().slice(0, 24)}`, addMonths(ctx.today, months).slice(0, 7)]
    await sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      values (${ctx.companyId}, ${token}, 'approve', ${brand}, ${last4}, ${expiry})`.execute(ctx.tx)
    await addCard(
      ctx,
      { token, brand, last4, expiry },
      {
        customerId: customer.id,
        terminalId: terminal.id,
        consent: await consentText(ctx, 'he'),
        consentAt: ctx.now,
        consentAddress: '',
      },
    )
  }
  await give(first, 'visa', '4242', 31)
  await give(first, 'mastercard', '4444', 14)
  await give(second, 'mastercard', '4444', 1)
  await give(third, 'visa', '4242', -1)
  if (fourth) await makeRequest(ctx, { customerId: fourth.id })
}
