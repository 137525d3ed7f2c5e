import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { approvalOf, askForSignature, uploadTemplate } from '#features/sales/signing/server/index.ts'
import type { AskGiven } from '#features/sales/signing/shapes.ts'
import { bytesOf, loadOutside } from './load.ts'

const end = Buffer.from('%%EOF')

/** The file as it was before it was sealed: the seal is one revision more, behind it. */
export function beforeSeal(sealed: Buffer): Buffer {
  const before = sealed.lastIndexOf(end, sealed.lastIndexOf(end) - 1)
  if (before < 0) throw new Error('a sealed file has two revisions')
  return sealed.subarray(0, before + end.length)
}

async function paperOf(ctx: Ctx, id: string) {
  // A paper from elsewhere is nothing but figures.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const d = await loadOutside(ctx, id)
  if (d.archivedAt) throw fail('kit.notFound')
  return { ...d, bytes: beforeSeal(await bytesOf(ctx, id)) }
}

/** Sends the document to be signed as it is, with a page of approval behind it. */
export async function signOutside(
  ctx: Ctx,
  { id, ...given }: AskGiven & { id: string },
): Promise<{ id: string }> {
  if (!can(ctx.caller, 'signing.send')) throw forbidden({ rule: 'signing.send' })
  const d = await paperOf(ctx, id)
  const company = await companyOf(ctx)
  const language = given.signer.language ?? d.language ?? company.language
  const approval = await approvalOf(ctx, d.bytes, {
    language,
    title: say(language, 'signing.document.approval', { paper: d.name }),
    text: say(language, 'signing.document.approves', { paper: d.name, business: company.name }),
  })
  const asked = await askForSignature(ctx, {
    name: d.name,
    paper: approval,
    signers: [{ ...given.signer, role: 'r1' }],
    purpose: 'outside',
    purposeId: id,
    ...(d.customerId ? { customerId: d.customerId } : {}),
    message: given.message,
    language,
    ...(given.expiresDay ? { expiresDay: given.expiresDay } : {}),
  })
  return { id: asked.id }
}

/** A template of its pages, on which fields are placed. */
export async function templateOf(ctx: Ctx, { id }: { id: string }): Promise<{ id: string }> {
  const { name, bytes } = await paperOf(ctx, id)
  return uploadTemplate(ctx, { name, bytes })
}
