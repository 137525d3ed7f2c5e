import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { giveConsent } from '#features/registers/parties/server/index.ts'
import type { AskGiven } from '../shapes.ts'
import { askForSignature } from './askFor.ts'
import { registerSigned, signedValues } from './consequences.ts'
import { sheetPdf, signingRows } from './sheet.ts'

/**
 * The customer's written consent to receive tax documents by electronic means (bookkeeping rules, section 18b),
 * signed on the customer's phone.
 */
export async function askConsent(
  ctx: Ctx,
  { customerId, ...given }: AskGiven & { customerId: string },
): Promise<{ id: string }> {
  const { rows } = await sql<{ language: string | null }>`select language from parties
    where company_id = ${ctx.companyId} and id = ${customerId} and role = 'customer'
      and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const company = await companyOf(ctx)
  const language = (given.signer.language ?? rows[0].language ?? company.language) as typeof company.language
  const name = say(language, 'signing.consent.title')
  const { pdf, fields } = await sheetPdf(ctx, {
    language,
    title: name,
    text: say(language, 'signing.consent.text', { business: company.name }),
    rows: [
      [
        {
          id: 'email',
          kind: 'text',
          label: say(language, 'signing.consent.email'),
          check: 'email',
          merge: 'signer.email',
        },
      ],
      ...signingRows(language),
    ],
  })
  const { id } = await askForSignature(ctx, {
    name,
    paper: { pdf, fields },
    signers: [{ ...given.signer, role: 'r1' }],
    purpose: 'consent',
    purposeId: customerId,
    customerId,
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  return { id }
}

/** Once for each document: repeated it would undo what was withdrawn since. */
registerSigned('consent', async (ctx, { id, customerId }) => {
  if (!customerId) return
  const { rows } = await sql`update parties set consent_request_id = ${id} where company_id = ${ctx.companyId}
        and id = ${customerId} and role = 'customer'
    and consent_request_id is distinct from ${id} returning 1`.execute(ctx.tx)
  if (rows.length)
    await giveConsent(ctx, { id: customerId, how: 'signed', by: (await signedValues(ctx, id)).name })
})
