import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { letterPdf } from '#features/sales/documents/server/index.ts'
import { send } from './send.ts'
import { signOutside } from './sign.ts'
import { take } from './take.ts'

/**
 * What a demo business brought in from elsewhere: an agreement, which waits to be signed where that is shown,
 * and a report that was sent to a customer.
 */
export async function showOutside(ctx: Ctx, customerId: string | undefined, asks: boolean): Promise<void> {
  const company = await companyOf(ctx)
  const pdf = (title: string, body: string) =>
    letterPdf({
      language: 'he',
      day: ctx.today,
      madeAt: ctx.now,
      title,
      body,
      business: { name: company.name, kind: company.kind, taxId: company.taxId, address: [] },
      settings: { layout: 'modern', accent: company.accent },
      isDraft: false,
    })
  const agreement = await pdf(
    'הסכם אחזקה שנתי',
    'ההסכם כולל שתי ביקורות בשנה, טיפול בתקלות תוך יום עבודה ודוח בסוף כל רבעון.\n\nההסכם בתוקף לשנה מיום חתימתו.',
  )
  const taken = await take(ctx, {
    name: 'הסכם אחזקה שנתי.pdf',
    bytes: agreement,
    ...(customerId ? { customerId } : {}),
  })
  const { rows: customers } = await sql<{
    name: string
    email: string | null
  }>`select name, email from parties
    where company_id = ${ctx.companyId} and id = ${customerId ?? null}`.execute(ctx.tx)
  // A demo sends no email: signers get their links by hand.
  if (asks && customers[0] && can(ctx.caller, 'signing.send'))
    await signOutside(ctx, {
      id: taken.id,
      signer: { ...customers[0], identity: 'link', channel: 'person' },
      message: '',
    })
  const report = await pdf('דוח בדיקה תקופתית', 'הבדיקה נעשתה בכל לוחות החשמל. לא נמצאו ליקויים.')
  const { id } = await take(ctx, {
    name: 'דוח בדיקה תקופתית.pdf',
    bytes: report,
    ...(customerId ? { customerId } : {}),
  })
  await send(ctx, { id, to: 'office@example.com', attach: true })
}
