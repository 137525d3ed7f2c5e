import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Folder } from '../endpoints.ts'

export async function listFolders(
  ctx: Ctx,
): Promise<{ rows: Folder[]; keptBytes: number; quotaBytes: number }> {
  const { rows } = await sql<Folder>`select d.id, d.name, d.parent_id as "parentId",
      (select count(*)::int from files f where f.company_id = d.company_id and f.folder_id = d.id) as files
    from file_folders d where d.company_id = ${ctx.companyId} order by d.name`.execute(ctx.tx)
  const { rows: room } = await sql<{
    kept: number
    quota: number
  }>`select kept_bytes(id) as kept, file_quota_bytes as quota from companies
    where id = ${ctx.companyId}`.execute(ctx.tx)
  return { rows, keptBytes: room[0]!.kept, quotaBytes: room[0]!.quota }
}

async function oneFolder(ctx: Ctx, id: string): Promise<Folder> {
  const found = (await listFolders(ctx)).rows.find((f) => f.id === id)
  if (!found) throw fail('kit.notFound')
  return found
}

const takenMeans = (e: unknown): never => {
  if ((e as { code?: string }).code === '23505') throw fail('files.folderTaken')
  throw e
}

export async function makeFolder(
  ctx: Ctx,
  { name, parentId }: { name: string; parentId?: string | null | undefined },
): Promise<Folder> {
  if (parentId) await oneFolder(ctx, parentId)
  const id = newId()
  await sql`insert into file_folders (company_id, id, parent_id, name)
    values (${ctx.companyId}, ${id}, ${parentId ?? null}, ${name})`
    .execute(ctx.tx)
    .catch(takenMeans)
  await ctx.audit('files.makeFolder', 'folders', id, undefined, { name })
  return oneFolder(ctx, id)
}

export async function changeFolder(
  ctx: Ctx,
  { id, name, parentId }: { id: string; name?: string | undefined; parentId?: string | null | undefined },
): Promise<Folder> {
  const before = await oneFolder(ctx, id)
  const { rows } = await listFolders(ctx)
  // Upwards from the new place: meeting the folder itself would make a ring.
  for (let at = parentId ?? null; at; at = rows.find((f) => f.id === at)?.parentId ?? null) {
    if (at === id) throw fail('files.folderInItself')
    if (!rows.some((f) => f.id === at)) throw fail('kit.notFound')
  }
  await sql`update file_folders set name = ${name ?? before.name},
      parent_id = ${parentId === undefined ? before.parentId : parentId}
    where company_id = ${ctx.companyId} and id = ${id}`
    .execute(ctx.tx)
    .catch(takenMeans)
  await ctx.audit(
    'files.changeFolder',
    'folders',
    id,
    { name: before.name, parentId: before.parentId },
    { name, parentId },
  )
  return oneFolder(ctx, id)
}

export async function removeFolder(ctx: Ctx, { id }: { id: string }) {
  const before = await oneFolder(ctx, id)
  await sql`delete from file_folders where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('files.removeFolder', 'folders', id, { name: before.name })
  return { done: true as const }
}
