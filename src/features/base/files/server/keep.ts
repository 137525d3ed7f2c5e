import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { momentCursor, packed, unpacked } from '#kit/server/data/cursors.ts'
import { maxFileBytes, type StoredFile } from '../endpoints.ts'
import { kindOf } from './kinds.ts'
import type { readers } from './readers.ts'

interface Attachable {
  /** The rules that open, and that change, the files attached to such a thing. */
  see: string
  change: string
  /** The table whose row must be visible to the caller. */
  table: string
  /** Its files contain no amounts: people who may not see amounts may open them too. */
  withoutSums?: boolean
  /** More than the row being visible: whether the caller may see this one. */
  may?: (ctx: Ctx, id: string) => Promise<boolean>
}

const attachables = new Map<string, Attachable>()

/** Lets files be attached to the things of a resource: its rights are those of the files too. */
export const registerAttachable = (entity: string, attachable: Attachable): void =>
  void attachables.set(entity, attachable)

export interface KeptFile {
  id: string
  name: string
  mime: string
  size: number
  sha256: string
}

/**
 * Keeps a file of the business. Its kind is found by its content and its name gets the ending that says so.
 * Refuses `files.badType`, `files.broken` and `files.overQuota`; the same bytes take their room once.
 */
export async function keepFile(
  ctx: Ctx,
  given: { name: string; bytes: Uint8Array; folderId?: string | null; source?: StoredFile['source'] },
): Promise<KeptFile> {
  const bytes = Buffer.from(given.bytes.buffer, given.bytes.byteOffset, given.bytes.byteLength)
  if (!bytes.length) throw fail('files.broken')
  if (bytes.length > maxFileBytes) throw fail('kit.tooLarge')
  const kind = kindOf(bytes, given.name)
  if (!kind) throw fail('files.badType')
  const isArchive = kind.mime.includes('zip') || kind.mime.includes('openxml')
  if (isArchive && !(await readIn<typeof readers>()('files.zipIsSane', { bytes }))) throw fail('files.broken')
  const sha = createHash('sha256').update(bytes).digest()
  const { rows } = await sql<{
    quota: number
    kept: number
    known: boolean
  }>`select c.file_quota_bytes as quota, kept_bytes(${ctx.companyId}) as kept,
      exists (select 1 from file_contents where company_id = ${ctx.companyId} and sha256 = ${sha}) as known
    from companies c where c.id = ${ctx.companyId}`.execute(ctx.tx)
  const { quota, kept, known } = rows[0]!
  if (!known && kept + bytes.length > quota) throw fail('files.overQuota')
  if (!known)
    await sql`insert into file_contents (company_id, sha256, bytes)
      values (${ctx.companyId}, ${sha}, ${bytes}) on conflict do nothing`.execute(ctx.tx)
  const id = newId()
  const name = named(given.name, kind.extension)
  await sql`insert into files (company_id, id, folder_id, name, mime, size, sha256, source, created_by)
    values (${ctx.companyId}, ${id}, ${given.folderId ?? null}, ${name}, ${kind.mime}, ${bytes.length},
      ${sha}, ${given.source ?? 'upload'},
      ${ctx.caller.sessionId ? ctx.caller.userId : null})`.execute(ctx.tx)
  await ctx.audit('files.upload', 'files', id, undefined, { name, size: bytes.length })
  return { id, name, mime: kind.mime, size: bytes.length, sha256: sha.toString('hex') }
}

/** The name a file is kept by: 'scan.exe' that is a PDF becomes 'scan.exe.pdf', the ending is what it is. */
export function named(name: string, extension: string): string {
  const clean =
    name
      .replace(/[\u0000-\u001f\u007f/\\\u202a-\u202e\u2066-\u2069]/g, '')
      .trim()
      .slice(0, 190) || 'file'
  const same =
    { jpg: /\.jpe?g$/i, txt: /\.(txt|log|md)$/i, xml: /\.xml$/i }[extension] ??
    new RegExp(`\\.${extension}$`, 'i')
  return same.test(clean) ? clean : `${clean}.${extension}`
}

/** The bytes of a file, or `kit.notFound`; rights are the caller's affair. */
export async function readFile(ctx: Ctx, id: string): Promise<{ bytes: Buffer; mime: string; name: string }> {
  const { rows } = await sql<{
    bytes: Buffer
    mime: string
    name: string
  }>`select c.bytes, f.mime, f.name from files f
    join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
    where f.company_id = ${ctx.companyId} and f.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Attaches a file to a thing; twice is once. */
export async function attachFile(ctx: Ctx, fileId: string, entity: string, entityId: string): Promise<void> {
  await sql`insert into file_links (company_id, file_id, entity, entity_id)
    values (${ctx.companyId}, ${fileId}, ${entity}, ${entityId})
    on conflict do nothing`.execute(ctx.tx)
  await ctx.audit('files.attach', entity, entityId, undefined, { fileId })
}

/** Takes a file off a thing; the file stays. */
export async function detachFile(ctx: Ctx, fileId: string, entity: string, entityId: string): Promise<void> {
  await sql`delete from file_links where company_id = ${ctx.companyId} and file_id = ${fileId}
      and entity = ${entity} and entity_id = ${entityId}`.execute(ctx.tx)
  await ctx.audit('files.detach', entity, entityId, { fileId })
}

const fileColumns = sql`f.id, f.name, f.mime, f.size, f.folder_id as "folderId", f.source,
    f.created_at as "createdAt",
  (select u.full_name from users u where u.id = f.created_by) as by,
  coalesce((select jsonb_agg(jsonb_build_object('entity', l.entity, 'entityId', l.entity_id)
  order by l.created_at) from file_links l
    where l.company_id = f.company_id and l.file_id = f.id), '[]') as links`

/** The files attached to a thing, oldest first. */
export async function filesOf(ctx: Ctx, entity: string, entityId: string): Promise<StoredFile[]> {
  const { rows } =
    await sql<StoredFile>`select ${fileColumns} from file_links k join files f on f.company_id = k.company_id
        and f.id = k.file_id
    where k.company_id = ${ctx.companyId} and k.entity = ${entity} and k.entity_id = ${entityId}
    order by k.created_at, f.id`.execute(ctx.tx)
  return rows
}

export async function oneFile(ctx: Ctx, id: string): Promise<StoredFile> {
  const { rows } =
    await sql<StoredFile>`select ${fileColumns} from files f where f.company_id = ${ctx.companyId}
        and f.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function listFiles(
  ctx: Ctx,
  {
    folder,
    q,
    kind,
    cursor,
  }: {
    folder?: string | undefined
    q?: string | undefined
    kind?: string | undefined
    cursor?: string | undefined
  },
): Promise<{ rows: StoredFile[]; nextCursor: string | null }> {
  const size = 60
  const [at, after] = momentCursor(cursor === undefined ? undefined : unpacked(cursor))
  const { rows } =
    await sql<StoredFile>`select ${fileColumns} from files f where f.company_id = ${ctx.companyId}
    ${folder === 'top' ? sql`and f.folder_id is null` : folder ? sql`and f.folder_id = ${folder}` : sql``}
    ${q?.trim() ? sql`and f.name ilike ${`%${q.trim().replace(/[\\%_]/g, '\\$&')}%`}` : sql``}
    ${
      kind === 'picture'
        ? sql`and f.mime like
        'image/%'`
        : kind === 'pdf'
          ? sql`and f.mime =
            'application/pdf'`
          : kind === 'other'
            ? sql`and f.mime not like 'image/%'
                and f.mime <> 'application/pdf'`
            : sql``
    }
    and (f.created_at, f.id) < (${at}::timestamptz, ${after}::uuid)
    order by f.created_at desc, f.id desc limit ${size + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return {
    rows: shown,
    nextCursor: rows.length > size && last ? packed(`${last.createdAt}|${last.id}`) : null,
  }
}

/**
 * Refuses with 'not found' what this caller may not see (or change): a file is open to who may see the store,
 * to who uploaded it, and to who may see a thing it is attached to.
 */
export async function checkFileRight(
  ctx: Ctx,
  id: string,
  right: 'see' | 'change' = 'see',
): Promise<StoredFile> {
  const file = await oneFile(ctx, id)
  if (can(ctx.caller, `files.${right}`)) return file
  const { rows } = await sql`select 1 from files where company_id = ${ctx.companyId} and id = ${id}
        and created_by = ${ctx.caller.userId}`.execute(ctx.tx)
  if (rows.length) return file
  for (const { entity, entityId } of file.links) if (await mayThing(ctx, entity, entityId, right)) return file
  throw fail('kit.notFound')
}

/**
 * Opens a file: refuses with 'not found' what this caller may not see. Amounts cannot be removed from a scan, so
 * people who may not see amounts open their own uploads, and files attached only to things whose files contain none.
 */
export async function checkFileOpens(ctx: Ctx, id: string): Promise<void> {
  const file = await checkFileRight(ctx, id)
  if (!ctx.caller.hideTotalPrices) return
  if (file.links.length && file.links.every(({ entity }) => attachables.get(entity)?.withoutSums)) return
  const { rows } = await sql`select 1 from files where company_id = ${ctx.companyId} and id = ${id}
        and created_by = ${ctx.caller.userId}`.execute(ctx.tx)
  if (!rows.length) throw forbidden({ sight: 'figures' })
}

/** Whether the caller may see (or change) the files of a thing, which must exist and belong to the caller's company. */
export async function mayThing(
  ctx: Ctx,
  entity: string,
  entityId: string,
  right: 'see' | 'change',
): Promise<boolean> {
  const attachable = attachables.get(entity)
  if (!attachable || !can(ctx.caller, attachable[right])) return false
  const { rows } = await sql`select 1 from ${sql.table(attachable.table)} where company_id = ${ctx.companyId}
        and id = ${entityId}`.execute(ctx.tx)
  return rows.length > 0 && (attachable.may === undefined || attachable.may(ctx, entityId))
}

/** Refuses with 'not found' a thing that is not there or not the caller's to see (or change). */
export async function checkThing(
  ctx: Ctx,
  entity: string,
  entityId: string,
  right: 'see' | 'change',
): Promise<void> {
  if (!(await mayThing(ctx, entity, entityId, right))) throw fail('kit.notFound')
}

/** Removes a file; what it is attached to keeps it. The bytes go with the last file that has them. */
export async function removeFile(ctx: Ctx, id: string) {
  const file = await oneFile(ctx, id)
  if (file.links.length) throw fail('files.inUse')
  const { rows } = await sql<{
    sha256: Buffer
  }>`delete from files where company_id = ${ctx.companyId} and id = ${id} returning sha256`.execute(ctx.tx)
  await sql`delete from file_contents c where c.company_id = ${ctx.companyId}
      and c.sha256 = ${rows[0]!.sha256}
    and not exists (select 1 from files f where f.company_id = c.company_id and f.sha256 = c.sha256)`.execute(
    ctx.tx,
  )
  await ctx.audit('files.remove', 'files', id, { name: file.name })
  return { done: true as const }
}
