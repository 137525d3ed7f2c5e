import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { addressees } from '#features/people/correspondence/server/index.ts'
import { letterPdf } from '#features/sales/documents/server/index.ts'
import { approvalOf, askForSignature } from '#features/sales/signing/server/index.ts'
import type { AskGiven } from '#features/sales/signing/shapes.ts'
import { answerOf } from './drafts.ts'
import { sentLetter, sourceOf } from './paper.ts'

/**
 * Sends a letter to be signed by whom it was written to: the letter as it was sent, and behind it a page with
 * name, day and hand.
 */
export async function signLetter(
  ctx: Ctx,
  { id, ...given }: AskGiven & { id: string },
): Promise<{ id: string }> {
  if (!can(ctx.caller, 'signing.send')) throw forbidden({ rule: 'signing.send' })
  if ((await answerOf(ctx, id)).status === 'draft') throw fail('letters.stillDraft')
  const letter = await sentLetter(ctx, id)
  const { language, title } = letter
  const [customer] = await addressees(ctx, [letter.customerId])
  // Not sealed here: the seal is added when all have signed.
  const paper = await letterPdf(
    await sourceOf(ctx, { ...letter, madeAt: new Date(letter.sentAt), isDraft: false }, customer),
  )
  const approval = await approvalOf(ctx, paper, {
    language,
    title: say(language, 'signing.document.approval', { paper: title }),
    text: say(language, 'signing.document.approves', { paper: title, business: (await companyOf(ctx)).name }),
  })
  const asked = await askForSignature(ctx, {
    name: title,
    paper: approval,
    signers: [{ ...given.signer, role: 'r1' }],
    purpose: 'letter',
    purposeId: id,
    customerId: letter.customerId,
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  return { id: asked.id }
}
