import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import {
  chargeKind,
  chargeOf,
  connectTest,
  setCharge,
  take,
  testRow,
} from '#features/money/acquirers/server/index.ts'
import { makeLink } from './links.ts'

/**
 * A demo business takes cards by the test acquirer: a link that was paid, one that waits, one whose time is
 * over; and the page of a customer.
 */
export async function addPaymentsOnline(
  ctx: Ctx,
  customers: readonly { id: string; email: string | null }[],
): Promise<void> {
  await connectTest(ctx, 3)
  const terminal = await testRow(ctx)
  const [first, second, third] = customers
  if (!first || !second || !third) return
  const link = (
    customer: typeof first,
    description: string,
    amountAgorot: number,
    days: number,
    reference?: string,
  ) =>
    makeLink(ctx, {
      description,
      amountAgorot,
      customerId: customer.id,
      email: customer.email,
      mostInstalments: 3,
      expiresOn: addDays(ctx.today, days),
      remindDays: '3,7',
      ...(reference ? { reference } : {}),
    } as never)
  const paid = await link(first, 'מקדמה להזמנת ציוד', 120_000, 30, '1042')
  await link(second, 'ביקור שירות', 45_000, 14)
  const past = await link(third, 'פיקדון על השאלת ציוד', 80_000, 1)
  await sql`update payment_links set expires_on = ${addDays(ctx.today, -2)},
      created_at = ${addDays(ctx.today, -20)}::date where company_id = ${ctx.companyId}
      and id = ${past.id}`.execute(ctx.tx)
  const charge = async (linkId: string, customerId: string, agorot: number): Promise<string> => {
    const id = newId()
    await sql`insert into charges (company_id, id, purpose, link_id, customer_id, terminal_id, reference,
        amount_agorot, most_instalments, lapses_at)
      values (${ctx.companyId}, ${id}, 'link', ${linkId}, ${customerId}, ${terminal!.id},
        ${`T${newToken().slice(0, 22)}`}, ${agorot}, 3, ${ctx.now})`.execute(ctx.tx)
    await ordered(ctx, chargeKind, id)
    // The acquirer's simulator knows it too, so that money can be refunded.
    await sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot, most_instalments,
        description, language, return_to, state, expires_at)
      select company_id, reference, id::text, amount_agorot, most_instalments, '-', language, '/', 'paid',
        lapses_at from charges
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    return id
  }
  const refused = await charge(paid.id, first.id, 120_000)
  await take(ctx, refused, { is: 'declined', code: 'noFunds', class: 'soft' })
  await setCharge(ctx, refused, { state: 'lapsed', ask_at: null })
  const good = await charge(paid.id, first.id, 120_000)
  const { reference } = await chargeOf(ctx, good)
  await take(ctx, good, {
    is: 'paid',
    uid: reference!,
    key: undefined,
    form: reference!,
    agorot: 120_000,
    currency: 'ILS',
    brand: 'visa',
    last4: '4242',
    instalments: 3,
    approval: '204518',
  })
  await sql`insert into customer_pages (company_id, customer_id, page_key)
    values (${ctx.companyId}, ${first.id}, ${newToken()})`.execute(ctx.tx)
}
