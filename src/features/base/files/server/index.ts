import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { can } from '#kit/describe/session.ts'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { changeFolder, listFolders, makeFolder, removeFolder } from './folders.ts'
import {
  attachFile,
  checkFileOpens,
  checkFileRight,
  checkThing,
  detachFile,
  filesOf,
  keepFile,
  listFiles,
  oneFile,
  readFile,
  removeFile,
} from './keep.ts'
import { isShownInside } from './kinds.ts'
import type { readers } from './readers.ts'

export {
  attachFile,
  checkFileOpens,
  detachFile,
  filesOf,
  keepFile,
  named,
  readFile,
  registerAttachable,
  type KeptFile,
} from './keep.ts'
export { isShownInside, kindOf } from './kinds.ts'

const done = { done: true as const }

export const implementations = [
  implement(calls.listFiles, listFiles),
  implement(calls.filesOfThing, async (ctx, { entity, id }) => {
    await checkThing(ctx, entity, id, 'see')
    return { rows: await filesOf(ctx, entity, id) }
  }),
  implement(calls.uploadFile, async (ctx, { name, folder, entity, entityId, bytes }) => {
    if (entity && entityId) await checkThing(ctx, entity, entityId, 'change')
    // What hangs on nothing yet is of the person who keeps the store, or is about to enter the expense it belongs
    // to.
    else if (!can(ctx.caller, 'files.change') && !can(ctx.caller, 'expenses.enter'))
      throw forbidden({ rule: 'files.change' })
    else if (folder) await folderThere(ctx, folder)
    const { id } = await keepFile(ctx, { name, bytes, folderId: folder ?? null })
    if (entity && entityId) await attachFile(ctx, id, entity, entityId)
    return oneFile(ctx, id)
  }),
  implement(calls.getFile, async (ctx, { id, inline }) => {
    await checkFileOpens(ctx, id)
    const file = await readFile(ctx, id)
    return { ...file, inline: inline === 'true' && isShownInside(file.mime) }
  }),
  implement(calls.thumbnail, async (ctx, { id }) => {
    await checkFileOpens(ctx, id)
    const file = await readFile(ctx, id)
    if (!file.mime.startsWith('image/')) throw fail('kit.notFound')
    return {
      bytes: await readIn<typeof readers>()('files.thumbnail', { bytes: file.bytes }),
      mime: 'image/jpeg',
      name: 'thumbnail.jpg',
      inline: true,
    }
  }),
  implement(calls.changeFile, async (ctx, { id, name, folderId }) => {
    const before = await oneFile(ctx, id)
    if (folderId) await folderThere(ctx, folderId)
    await sql`update files set name = ${name ?? before.name},
        folder_id = ${folderId === undefined ? before.folderId : folderId}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await ctx.audit(
      'files.change',
      'files',
      id,
      { name: before.name, folderId: before.folderId },
      { name, folderId },
    )
    return oneFile(ctx, id)
  }),
  implement(calls.removeFile, (ctx, { id }) => removeFile(ctx, id)),
  implement(calls.attach, async (ctx, { id, entity, entityId }) => {
    await checkFileRight(ctx, id)
    await checkThing(ctx, entity, entityId, 'change')
    await attachFile(ctx, id, entity, entityId)
    return oneFile(ctx, id)
  }),
  implement(calls.detach, async (ctx, { id, entity, entityId }) => {
    await checkThing(ctx, entity, entityId, 'change')
    await checkFileRight(ctx, id)
    await detachFile(ctx, id, entity, entityId)
    return done
  }),
  implement(calls.listFolders, listFolders),
  implement(calls.makeFolder, makeFolder),
  implement(calls.changeFolder, changeFolder),
  implement(calls.removeFolder, removeFolder),
]

async function folderThere(ctx: Parameters<typeof listFolders>[0], id: string): Promise<void> {
  const { rows } =
    await sql`select 1 from file_folders where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
}
