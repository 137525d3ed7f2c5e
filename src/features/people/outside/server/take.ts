import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { SealError } from '#kit/server/seal/pdfFile.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, signerOf } from '#features/base/companies/server/index.ts'
import { isSigned, lookInto, NotTaken, sealable } from '#features/sales/signing/server/index.ts'
import { kindOf } from '#features/base/files/server/index.ts'
import { fold } from '#domain/fold.ts'
import { maxOutsideBytes } from '../endpoints.ts'

async function refuseNoRoom(ctx: Ctx, size: number): Promise<void> {
  const { rows } = await sql<{
    quota: number
    kept: number
  }>`select c.file_quota_bytes as quota, kept_bytes(c.id)
      + coalesce((select sum(o.size) from outside_documents o where o.company_id = c.id), 0)::bigint as kept
    from companies c where c.id = ${ctx.companyId}`.execute(ctx.tx)
  const { quota, kept } = rows[0]!
  if (kept + size > quota) throw fail('files.overQuota')
}

/** Accepts a PDF, seals it and stores it. Its kind is derived from its content. */
export async function take(
  ctx: Ctx,
  { name, customerId, bytes: given }: { name: string; customerId?: string | undefined; bytes: Uint8Array },
): Promise<{ id: string }> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (bytes.length > maxOutsideBytes) throw fail('kit.tooLarge')
  if (kindOf(bytes, name)?.extension !== 'pdf') throw fail('outside.notPdf')
  if (customerId) {
    const { rows } =
      await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${customerId}
          and role = 'customer'`.execute(ctx.tx)
    if (!rows.length) throw failField('customerId', 'fields.ref')
  }
  await refuseNoRoom(ctx, bytes.length)
  const company = await companyOf(ctx)
  const signer = await signerOf(ctx)
  const words = { name: company.name, reason: say(company.language, 'outside.sealReason'), at: ctx.now }
  let sealed: Uint8Array
  let pages: number
  try {
    const ready = await sealable(bytes)
    pages = ready.pages
    sealed = sealPdf(ready.file, signer, words)
    // What we hand out must open, and hold as many pages as came in.
    if ((await lookInto(sealed)).pages !== pages) throw new SealError('pages are missing')
  } catch (e) {
    if (e instanceof NotTaken) throw fail(`outside.${e.why}`)
    if (e instanceof SealError) throw fail(isSigned(bytes) ? 'outside.signedElsewhere' : 'outside.broken')
    throw e
  }
  const id = newId()
  const title = name.replace(/\.pdf$/i, '').trim() || name
  await sql`insert into outside_documents (company_id, id, name, customer_id, pages, size, page_key,
      original_sha256, folded, created_by)
    values (${ctx.companyId}, ${id}, ${title}, ${customerId ?? null}, ${pages}, ${sealed.length},
      ${newToken()},
      ${createHash('sha256').update(bytes).digest()}, ${fold(title)}, ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`insert into outside_files (company_id, document_id, bytes, sha256)
    values (${ctx.companyId}, ${id}, ${Buffer.from(sealed)},
      ${createHash('sha256').update(sealed).digest()})`.execute(ctx.tx)
  await ctx.audit('outsideDocuments.upload', 'outsideDocuments', id, undefined, {
    name: title,
    size: bytes.length,
  })
  return { id }
}
