import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue } from '#kit/fields/schema.ts'
import { queryFlag } from '#kit/fields/query.ts'

const done = z.object({ done: z.literal(true) })

/** One file, in bytes; photographs of papers and long PDFs fit. */
export const maxFileBytes = 20 * 1024 * 1024

const nameValue = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(200, { error: 'fields.tooLong' })
  .regex(/^[^\u0000-\u001f\u007f/\\]+$/, { error: 'fields.text' })

const link = z.object({ entity: z.string(), entityId: z.string() })
const file = z.object({
  id: z.string(),
  name: z.string(),
  mime: z.string(),
  /** Bytes. */
  size: z.number(),
  folderId: z.string().nullable(),
  source: z.enum(['upload', 'mail', 'phone', 'system']),
  createdAt: z.string(),
  by: z.string().nullable(),
  links: z.array(link),
})
export type StoredFile = z.infer<typeof file>

const entityValue = z.string().regex(/^[a-zA-Z]{1,40}$/, { error: 'fields.choice' })

export const listFiles = defineEndpoint({
  name: 'files.list',
  method: 'GET',
  path: '/api4/invoice/files',
  access: { rule: 'files.see' },
  input: z.object({
    /** A folder's id, or 'top' for what lies in none; all folders when absent. */
    folder: z.union([z.uuid(), z.literal('top')]).optional(),
    q: z.string().max(100).optional(),
    kind: z.enum(['picture', 'pdf', 'other']).optional(),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ rows: z.array(file), nextCursor: z.string().nullable() }),
  summary: 'The files of the business, newest first',
})
export const filesOfThing = defineEndpoint({
  name: 'files.of',
  method: 'GET',
  path: '/api4/invoice/files/of/{entity}/{id}',
  access: 'member',
  input: z.object({ entity: entityValue, id: z.uuid() }),
  output: z.object({ rows: z.array(file) }),
  summary: 'The files attached to one thing',
  errors: ['kit.notFound'],
})
export const uploadFile = defineEndpoint({
  name: 'files.upload',
  method: 'POST',
  path: '/api4/invoice/files',
  access: 'member',
  forDrafts: true,
  upload: { maxBytes: maxFileBytes },
  input: z.object({
    name: nameValue,
    folder: z.uuid().optional(),
    /** Attaches the new file at once. */
    entity: entityValue.optional(),
    entityId: z.uuid().optional(),
    bytes: bytesValue,
  }),
  output: file,
  summary: 'Keeps a file; its type is found by its content',
  errors: ['files.badType', 'files.broken', 'files.overQuota', 'kit.notFound', 'session.forbidden'],
})
export const getFile = defineEndpoint({
  name: 'files.get',
  method: 'GET',
  path: '/api4/invoice/files/{id}',
  access: 'member',
  input: z.object({ id: z.uuid(), inline: queryFlag.optional() }),
  output: z.any(),
  file: true,
  summary: 'The bytes of a file',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const thumbnail = defineEndpoint({
  name: 'files.thumbnail',
  method: 'GET',
  path: '/api4/invoice/files/{id}/thumbnail',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  file: true,
  summary: 'A small picture of a picture, 320 pixels at most',
  errors: ['kit.notFound', 'session.forbidden', 'files.broken'],
})
export const changeFile = defineEndpoint({
  name: 'files.change',
  method: 'PATCH',
  path: '/api4/invoice/files/{id}',
  access: { rule: 'files.change' },
  input: z.strictObject({
    id: z.uuid(),
    name: nameValue.optional(),
    folderId: z.uuid().nullable().optional(),
  }),
  output: file,
  summary: 'Renames a file or puts it into another folder',
  errors: ['kit.notFound'],
})
export const removeFile = defineEndpoint({
  name: 'files.remove',
  method: 'DELETE',
  path: '/api4/invoice/files/{id}',
  access: { rule: 'files.change' },
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Removes a file that is attached to nothing',
  errors: ['kit.notFound', 'files.inUse'],
})
export const attach = defineEndpoint({
  name: 'files.attach',
  method: 'PUT',
  path: '/api4/invoice/files/{id}/links/{entity}/{entityId}',
  access: 'member',
  forDrafts: true,
  input: z.strictObject({ id: z.uuid(), entity: entityValue, entityId: z.uuid() }),
  output: file,
  summary: 'Attaches a file to a thing',
  errors: ['kit.notFound'],
})
export const detach = defineEndpoint({
  name: 'files.detach',
  method: 'DELETE',
  path: '/api4/invoice/files/{id}/links/{entity}/{entityId}',
  access: 'member',
  input: z.object({ id: z.uuid(), entity: entityValue, entityId: z.uuid() }),
  output: done,
  summary: 'Takes a file off a thing; the file itself stays',
  errors: ['kit.notFound'],
})

const folder = z.object({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullable(),
  files: z.number(),
})
export type Folder = z.infer<typeof folder>
const folderName = nameValue.max(120, { error: 'fields.tooLong' })

export const listFolders = defineEndpoint({
  name: 'files.folders',
  method: 'GET',
  path: '/api4/invoice/folders',
  access: { rule: 'files.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(folder), keptBytes: z.number(), quotaBytes: z.number() }),
  summary: 'The folders, and how much of the room is used',
})
export const makeFolder = defineEndpoint({
  name: 'files.makeFolder',
  method: 'POST',
  path: '/api4/invoice/folders',
  access: { rule: 'files.change' },
  input: z.strictObject({ name: folderName, parentId: z.uuid().nullable().optional() }),
  output: folder,
  summary: 'Makes a folder',
  errors: ['files.folderTaken', 'kit.notFound'],
})
export const changeFolder = defineEndpoint({
  name: 'files.changeFolder',
  method: 'PATCH',
  path: '/api4/invoice/folders/{id}',
  access: { rule: 'files.change' },
  input: z.strictObject({
    id: z.uuid(),
    name: folderName.optional(),
    parentId: z.uuid().nullable().optional(),
  }),
  output: folder,
  summary: 'Renames or moves a folder',
  errors: ['files.folderTaken', 'files.folderInItself', 'kit.notFound'],
})
export const removeFolder = defineEndpoint({
  name: 'files.removeFolder',
  method: 'DELETE',
  path: '/api4/invoice/folders/{id}',
  access: { rule: 'files.change' },
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Removes a folder with those inside it; their files go to the top',
  errors: ['kit.notFound'],
})
