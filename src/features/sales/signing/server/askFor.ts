import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { SignField, SignRole, SignerInput } from '../shapes.ts'
import { ask } from './send.ts'
import { signerUrl, loadTemplate } from './load.ts'
import { takeFile } from './templates.ts'

/** What another feature wants signed: one of the templates, or a PDF of its own making. */
export interface AskedSignature {
  name: string
  /** A template of the business, or a PDF with its fields. */
  paper:
    | { templateId: string }
    | { pdf: Uint8Array; roles?: readonly SignRole[]; fields: readonly SignField[] }
  signers: readonly SignerInput[]
  /** What it is for; when all have signed, the handler registered by `registerSigned` for it is called with this id. */
  purpose: string
  purposeId: string
  customerId?: string
  documentId?: string
  /** The initial values of fields; the signer may change them. */
  given?: Readonly<Record<string, string>>
  message?: string
  language?: Language
  expiresDay?: string
  sumAgorot?: number
}

/**
 * Asks for a signature: the one call for whatever needs one (a health declaration, a mandate, a delivery
 * note). Answers the paper's id and the address of each signer's page, in the order of the signers; those
 * reached by mail or text message are written to. Refuses what `ask` refuses.
 */
export async function askForSignature(
  ctx: Ctx,
  asked: AskedSignature,
): Promise<{ id: string; urls: string[] }> {
  const { paper, ...rest } = asked
  if ('templateId' in paper) {
    const t = await loadTemplate(ctx, paper.templateId)
    if (t.archivedAt) throw failField('templateId', 'fields.ref')
    const { id, keys } = await ask(ctx, {
      ...rest,
      fileId: t.fileId,
      roles: t.roles,
      fields: t.fields,
      template: { id: t.id, version: t.version },
    })
    return { id, urls: keys.map((key) => signerUrl(ctx, key)) }
  }
  const { fileId } = await takeFile(ctx, paper.pdf)
  const roles = paper.roles ?? [
    { id: 'r1', name: asked.signers[0]!.name.slice(0, 60), order: 1, above: null },
  ]
  const { id, keys } = await ask(ctx, { ...rest, fileId, roles, fields: paper.fields })
  return { id, urls: keys.map((key) => signerUrl(ctx, key)) }
}

/**
 * An open document for this subject that waits for a signer, with the signer's address: nobody is asked twice for
 * one thing.
 */
export async function askedBefore(
  ctx: Ctx,
  purpose: string,
  purposeId: string,
): Promise<{ id: string; url: string } | undefined> {
  const { rows } = await sql<{ id: string; key: string }>`select r.id, s.page_key as key from sign_requests r
    join sign_signers s on s.company_id = r.company_id and s.request_id = r.id and s.state = 'open'
    where r.company_id = ${ctx.companyId} and r.purpose = ${purpose} and r.purpose_id = ${purposeId}
      and r.state in ('sent', 'inProgress')
      and r.expires_at > ${ctx.now.toISOString()} order by r.sent_at desc limit 1`.execute(ctx.tx)
  return rows[0] && { id: rows[0].id, url: signerUrl(ctx, rows[0].key) }
}
