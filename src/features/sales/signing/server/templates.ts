import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { Failure, fail, failAt, type FieldError } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { SealError } from '#kit/server/seal/pdfFile.ts'
import { readPdf } from '#kit/server/seal/pdfFile.ts'
import { pagesOf } from '#kit/server/seal/pdfValues.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { kindOf } from '#features/base/files/server/index.ts'
import type { TemplateAnswer } from '../endpoints.ts'
import { maxTemplateBytes } from '../endpoints.ts'
import type { SignField, SignRole } from '../shapes.ts'
import { fileOf, linkUrl, loadTemplate, pagesOfFile } from './load.ts'
import { isSigned, NotTaken, pictureOf, sealable } from './reading/reader.ts'

async function refuseNoRoom(ctx: Ctx, size: number): Promise<void> {
  const { rows } = await sql<{
    quota: number
    kept: number
  }>`select c.file_quota_bytes as quota, kept_bytes(c.id)
      + coalesce((select sum(length(f.bytes)) from sign_files f where f.company_id = c.id), 0)::bigint as kept
    from companies c where c.id = ${ctx.companyId}`.execute(ctx.tx)
  const { quota, kept } = rows[0]!
  if (kept + size > quota) throw fail('files.overQuota')
}

/**
 * Takes a PDF in as what lies under the fields: read in a thread, written again in plain form, refused by name
 * where it cannot be signed.
 */
export async function takeFile(ctx: Ctx, given: Uint8Array): Promise<{ fileId: string; pages: number }> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (bytes.length > maxTemplateBytes) throw fail('kit.tooLarge')
  if (kindOf(bytes, 'a.pdf')?.extension !== 'pdf') throw fail('signing.notPdf')
  if (isSigned(bytes)) throw fail('signing.signedAlready')
  await refuseNoRoom(ctx, bytes.length)
  try {
    const { file, pages, shapes } = await sealable(bytes)
    // What will be laid over must be found page by page.
    if (pagesOf(readPdf(file)).length !== pages) throw new SealError('pages are missing')
    return { fileId: await keepFile(ctx, file, bytes, shapes), pages }
  } catch (e) {
    if (e instanceof NotTaken) throw fail(`signing.${e.why}`)
    if (e instanceof SealError) throw fail('signing.broken')
    throw e
  }
}

async function keepFile(ctx: Ctx, file: Buffer, original: Buffer, pages: unknown): Promise<string> {
  const id = newId()
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  await sql`insert into sign_files (company_id, id, bytes, sha256, original_sha256, pages)
    values (${ctx.companyId}, ${id}, ${file}, ${hash(file)}, ${hash(original)},
      ${JSON.stringify(pages)})`.execute(ctx.tx)
  return id
}

/** Fields are counted beside the template, for its list. */
async function keepVersion(
  ctx: Ctx,
  templateId: string,
  {
    version,
    fileId,
    roles,
    fields,
  }: { version: number; fileId: string; roles: readonly SignRole[]; fields: readonly SignField[] },
): Promise<void> {
  await sql`insert into sign_versions (company_id, template_id, version, file_id, roles, fields, created_by)
    values (${ctx.companyId}, ${templateId}, ${version}, ${fileId}, ${JSON.stringify(roles)},
      ${JSON.stringify(fields)}, ${ctx.caller.userId})
    on conflict (company_id, template_id, version) do update
    set roles = excluded.roles, fields = excluded.fields`.execute(ctx.tx)
}

export async function newTemplate(
  ctx: Ctx,
  about: {
    name: string
    fileId: string
    pages: number
    roles: readonly SignRole[]
    fields: readonly SignField[]
  },
): Promise<string> {
  const id = newId()
  const { name, fileId, pages, roles, fields } = about
  await sql`insert into sign_templates (company_id, id, name, pages, fields, page_key, folded, created_by)
    values (${ctx.companyId}, ${id}, ${name}, ${pages}, ${fields.length}, ${newToken()}, ${fold(name)},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await keepVersion(ctx, id, { version: 1, fileId, roles, fields })
  return id
}

export const firstRole = (ctx: Ctx): SignRole => ({
  id: 'r1',
  name: say(ctx.caller.language, 'signing.firstRole'),
  order: 1,
  above: null,
})

export async function uploadTemplate(
  ctx: Ctx,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<{ id: string }> {
  const { fileId, pages } = await takeFile(ctx, bytes)
  const title = name.replace(/\.pdf$/i, '').trim() || name
  const id = await newTemplate(ctx, { name: title, fileId, pages, roles: [firstRole(ctx)], fields: [] })
  await ctx.audit('signTemplates.upload', 'signTemplates', id, undefined, { name: title, pages })
  return { id }
}

export async function wholeTemplate(ctx: Ctx, { id }: { id: string }): Promise<TemplateAnswer> {
  const t = await loadTemplate(ctx, id)
  const { rows } = await sql<{
    sent: boolean
    used: number
  }>`select exists (select 1 from sign_requests r where r.company_id = ${ctx.companyId}
      and r.template_id = ${id} and r.version = ${t.version}) as sent,
    (select count(*)::int from sign_requests r where r.company_id = ${ctx.companyId} and r.template_id = ${id}
    and r.from_open) as used`.execute(ctx.tx)
  const { isOpen, most, each, until, identity } = t
  return {
    id,
    name: t.name,
    note: t.note,
    version: t.version,
    roles: t.roles,
    fields: t.fields,
    pages: (await pagesOfFile(ctx, t.fileId)).map(({ width, height, text }) => ({ width, height, text })),
    isSent: rows[0]!.sent,
    archivedAt: t.archivedAt,
    open: { isOpen, most, each, until, identity, used: rows[0]!.used, url: linkUrl(ctx, t.pageKey) },
  }
}

/** Each field lies on a page that is there, within its edges, and belongs to a role that is there. */
export function checkFields(
  roles: readonly SignRole[],
  fields: readonly SignField[],
  pages: readonly { width: number; height: number }[],
): void {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  const roleIds = new Set(roles.map(({ id }) => id))
  if (roleIds.size !== roles.length) errors.push({ path: 'roles', code: 'signing.doubleField' })
  for (const [at, field] of fields.entries()) {
    const page = pages[field.page - 1]
    const path = `fields.${at}`
    if (seen.has(field.id)) errors.push({ path: `${path}.id`, code: 'signing.doubleField' })
    seen.add(field.id)
    if (!roleIds.has(field.role)) errors.push({ path: `${path}.role`, code: 'signing.roleUnknown' })
    // A hair beyond the edge is a matter of rounding.
    if (!page || field.x + field.w > page.width + 0.5 || field.y + field.h > page.height + 0.5)
      errors.push({ path: `${path}.page`, code: 'signing.fieldOutside' })
    if (field.kind === 'choice' && new Set(field.options).size < 2)
      errors.push({ path: `${path}.options`, code: 'signing.needOptions' })
  }
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
}

export async function saveTemplate(
  ctx: Ctx,
  { id, version, roles, fields }: { id: string; version: number; roles: SignRole[]; fields: SignField[] },
): Promise<TemplateAnswer> {
  const t = await loadTemplate(ctx, id, true)
  if (t.version !== version) throw fail('signing.moved')
  checkFields(roles, fields, await pagesOfFile(ctx, t.fileId))
  const { rows } =
    await sql`select 1 from sign_requests where company_id = ${ctx.companyId} and template_id = ${id}
        and version = ${version} limit 1`.execute(ctx.tx)
  const next = rows.length ? version + 1 : version
  await keepVersion(ctx, id, { version: next, fileId: t.fileId, roles, fields })
  await sql`update sign_templates set version = ${next}, fields = ${fields.length}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'signTemplates.fields',
    'signTemplates',
    id,
    { version },
    { version: next, fields: fields.length },
  )
  return wholeTemplate(ctx, { id })
}

/**
 * An open link has one signer: the first role; what others would have to sign cannot be sent by a stranger.
 */
export async function openTemplate(
  ctx: Ctx,
  given: {
    id: string
    isOpen: boolean
    most: number | null
    each: number
    until: string | null
    identity: 'link' | 'code'
  },
): Promise<TemplateAnswer> {
  const t = await loadTemplate(ctx, given.id, true)
  if (given.isOpen) {
    if (new Set(t.fields.map(({ role }) => role)).size > 1) throw fail('signing.noRole')
    if (!t.fields.some(({ kind }) => kind === 'signature')) throw fail('signing.needSignature')
    // An outsider cannot set an amount.
    if (t.fields.some(({ kind, amountAgorot }) => kind === 'pay' && !amountAgorot))
      throw fail('signing.needAmount')
    if (given.until && given.until < ctx.today) throw failAt('until', 'signing.dayPast')
  }
  await sql`update sign_templates set is_open = ${given.isOpen}, open_most = ${given.most},
      open_each = ${given.each}, open_until = ${given.until},
    open_identity = ${given.identity}, updated_at = now() where company_id = ${ctx.companyId}
    and id = ${given.id}`.execute(ctx.tx)
  const { id, ...limits } = given
  await ctx.audit('signTemplates.open', 'signTemplates', id, { isOpen: t.isOpen }, limits)
  return wholeTemplate(ctx, given)
}

export async function copyTemplate(ctx: Ctx, { id }: { id: string }): Promise<{ id: string }> {
  const t = await loadTemplate(ctx, id)
  const name = say(ctx.caller.language, 'signing.copyOf', { name: t.name }).slice(0, 200)
  const pages = (await pagesOfFile(ctx, t.fileId)).length
  const made = await newTemplate(ctx, { name, fileId: t.fileId, pages, roles: t.roles, fields: t.fields })
  await ctx.audit('signTemplates.copy', 'signTemplates', made, undefined, { from: id })
  return { id: made }
}

const pictures = new Map<string, Promise<Uint8Array>>()
const mostPictures = 120
const pictureWidth = 1240

/**
 * A page as a picture. The last ones stay in memory: an editor and a signer look at the same pages again and
 * again. The person who asks for one that is being drawn waits for that one.
 */
export async function pictureFor(ctx: Ctx, fileId: string, page: number): Promise<Later<FileAnswer>> {
  const name = `${fileId}:${page}`
  let drawn = pictures.get(name)
  if (drawn) pictures.delete(name)
  else {
    const file = await fileOf(ctx, fileId)
    if (page > file.pages.length) throw fail('kit.notFound')
    drawn = pictures.get(name) ?? pictureOf(file.bytes, page, pictureWidth)
    drawn.catch(() => pictures.delete(name))
    if (pictures.size >= mostPictures) pictures.delete(pictures.keys().next().value!)
  }
  pictures.set(name, drawn)
  const picture = drawn
  return new Later(async () => ({
    bytes: await picture,
    mime: 'image/webp',
    name: `page-${page}.webp`,
    inline: true,
  }))
}

export const templatePicture = async (
  ctx: Ctx,
  { id, page }: { id: string; page: number },
): Promise<Later<FileAnswer>> => pictureFor(ctx, (await loadTemplate(ctx, id)).fileId, page)
