import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'

export interface DocumentFile {
  id: string
  name: string
  mime: string
  size: number
  /** Its customer sees it on the customer page. */
  shown: boolean
  /** It goes along with the mail. */
  mailed: boolean
}

/** The files attached to a document, oldest first, with where each goes. */
export async function documentFiles(ctx: Ctx, id: string): Promise<DocumentFile[]> {
  const { rows } =
    await sql<DocumentFile>`select f.id, f.name, f.mime, f.size, coalesce(m.shown, false) as shown,
        coalesce(m.mailed, false) as mailed
    from file_links l join files f on f.company_id = l.company_id and f.id = l.file_id
      left join document_files m on m.company_id = l.company_id and m.document_id = l.entity_id
        and m.file_id = l.file_id
    where l.company_id = ${ctx.companyId} and l.entity = 'documents' and l.entity_id = ${id}
    order by l.created_at, f.id`.execute(ctx.tx)
  return rows
}

/** Says where a file goes. It may be changed at any time: it is no part of the document. */
export async function markFile(
  ctx: Ctx,
  { id, fileId, shown, mailed }: { id: string; fileId: string; shown: boolean; mailed: boolean },
): Promise<{ rows: DocumentFile[] }> {
  const before = (await documentFiles(ctx, id)).find((file) => file.id === fileId)
  if (!before) throw fail('kit.notFound')
  await sql`insert into document_files (company_id, document_id, file_id, shown, mailed)
    values (${ctx.companyId}, ${id}, ${fileId}, ${shown}, ${mailed})
    on conflict (company_id, document_id, file_id) do update
    set shown = excluded.shown, mailed = excluded.mailed`.execute(ctx.tx)
  await ctx.audit(
    'documents.markFile',
    'documents',
    id,
    { name: before.name, shown: before.shown, mailed: before.mailed },
    { name: before.name, shown, mailed },
  )
  return { rows: await documentFiles(ctx, id) }
}

/** A draft that goes takes nothing with it: its files stay in the store. */
export async function letFilesGo(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from document_files where company_id = ${ctx.companyId} and document_id = ${id}`.execute(
    ctx.tx,
  )
  await sql`delete from file_links where company_id = ${ctx.companyId} and entity = 'documents'
      and entity_id = ${id}`.execute(ctx.tx)
}
