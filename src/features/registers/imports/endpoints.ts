import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { fileValue } from '#kit/fields/schema.ts'
import { queryFlag, queryNumber } from '#kit/fields/query.ts'

/** A file to bring in, in bytes. */
export const maxImportBytes = 50 * 1024 * 1024
export const maxImportRows = 200_000
export const maxImportColumns = 200

export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1255',
  'iso-8859-8',
  'cp862',
  'windows-1256',
  'windows-1251',
  'windows-1252',
] as const
export const delimiters = [',', ';', '\t', '|'] as const

const reading = z.object({
  /** Of a text file: its code page and what parts its columns. */
  encoding: z.enum(encodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  /** Hebrew that was stored as it is seen, last letter first. */
  visual: z.boolean().optional(),
  /** Of a workbook: the name of the sheet. */
  sheet: z.string().max(200).optional(),
  /** The row of the heads, the first being 1; 0 when there is none. */
  headRow: z.number().int().min(0).max(100),
})
export type Reading = z.infer<typeof reading>

const options = z.object({
  /**
   * How an existing record is known: 'auto' goes by the fields no two may share and, where a row has none, by
   * its title.
   */
  matchBy: z.string().max(60),
  /** What becomes of a record that is there already. */
  existing: z.enum(['update', 'skip']),
})
export type ImportOptions = z.infer<typeof options>

const outcomes = ['create', 'change', 'same', 'skip', 'faulty'] as const
export type Outcome = (typeof outcomes)[number]

const field = z.object({
  name: z.string(),
  title: z.string(),
  kind: z.string(),
  need: z.boolean(),
  unique: z.boolean(),
  /** The words of the choices, as they may stand in the file. */
  choices: z.array(z.string()).optional(),
})
export type ImportField = z.infer<typeof field>

const params = z.record(z.string(), z.union([z.string(), z.number()]))

const summary = z.object({
  id: z.string(),
  resource: z.string(),
  name: z.string(),
  size: z.number(),
  kind: z.enum(['text', 'xlsx']),
  state: z.enum(['read', 'checking', 'checked', 'running', 'done', 'failed', 'stopped', 'undoing', 'undone']),
  counts: z.object({
    create: z.number().optional(),
    change: z.number().optional(),
    same: z.number().optional(),
    skip: z.number().optional(),
    faulty: z.number().optional(),
    /** Of an undo. */
    undone: z.number().optional(),
    refused: z.number().optional(),
  }),
  error: z.object({ code: z.string(), params }).nullable(),
  jobId: z.string().nullable(),
  by: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  mayUndo: z.boolean(),
})
export type ImportSummary = z.infer<typeof summary>

const whole = summary.extend({
  reading,
  /** Field of each column, null where a column is left out. */
  mapping: z.array(z.string().nullable()),
  options,
  head: z.object({
    columns: z.array(z.object({ title: z.string(), samples: z.array(z.string()) })),
    sheets: z.array(z.string()).optional(),
    /** The mapping is the one chosen the last time for a file with these heads. */
    remembered: z.boolean(),
  }),
  fields: z.array(field),
  /** Fields by which an existing record may be known. */
  keys: z.array(z.object({ name: z.string(), title: z.string() })),
})
export type WholeImport = z.infer<typeof whole>

const resourceValue = z.string().regex(/^[a-zA-Z]{1,40}$/, { error: 'fields.choice' })
const nameValue = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(200, { error: 'fields.tooLong' })
  .regex(/^[^\u0000-\u001f\u007f/\\]+$/, { error: 'fields.text' })

const access = { rule: 'imports.run' } as const
const byId = z.object({ id: z.uuid() })

export const importable = defineEndpoint({
  name: 'imports.registers',
  method: 'GET',
  path: '/api4/invoice/import',
  access,
  input: z.object({}),
  output: z.object({
    rows: z.array(z.object({ resource: z.string(), title: z.string(), fields: z.array(field) })),
  }),
  summary: 'The registers this person may bring in from files, with their fields',
})
export const importTemplate = defineEndpoint({
  name: 'imports.template',
  method: 'GET',
  path: '/api4/invoice/import/{resource}/template',
  access,
  input: z.object({ resource: resourceValue }),
  output: z.any(),
  file: true,
  summary: 'An empty workbook with the heads of a register',
  errors: ['imports.notImportable'],
})
export const uploadImport = defineEndpoint({
  name: 'imports.upload',
  makes: { see: 'imports.get' },
  method: 'POST',
  path: '/api4/invoice/import/{resource}',
  access,
  upload: { maxBytes: maxImportBytes, toFile: true },
  input: z.object({
    resource: resourceValue,
    name: nameValue,
    encoding: z.enum(encodings).optional(),
    delimiter: z.enum(delimiters).optional(),
    sheet: z.string().max(200).optional(),
    /** Starts the dry run at once, with the columns as they were recognised. */
    check: queryFlag.optional(),
    bytes: fileValue,
  }),
  output: whole,
  summary: 'Takes a CSV or XLSX file of a register; nothing is changed by it. Next: check, then run',
  errors: [
    'imports.notImportable',
    'imports.badType',
    'imports.oldExcel',
    'imports.broken',
    'imports.bomb',
    'imports.empty',
  ],
})
export const listImports = defineEndpoint({
  name: 'imports.list',
  method: 'GET',
  path: '/api4/invoice/imports',
  access,
  input: z.object({ resource: resourceValue.optional(), cursor: z.uuid().optional() }),
  output: z.object({ rows: z.array(summary), nextCursor: z.string().nullable() }),
  summary: 'What was brought in from files, newest first',
})
export const getImport = defineEndpoint({
  name: 'imports.get',
  method: 'GET',
  path: '/api4/invoice/imports/{id}',
  access,
  input: byId,
  output: whole,
  summary: 'One import: how it is read, what its columns are, what came of it',
  errors: ['kit.notFound'],
})
export const rereadImport = defineEndpoint({
  name: 'imports.read',
  method: 'POST',
  path: '/api4/invoice/imports/{id}/read',
  access,
  input: z.strictObject({ id: z.uuid(), reading: reading.partial() }),
  output: whole,
  summary: 'Reads the heads again, with another code page, delimiter, sheet or row of heads',
  errors: ['kit.notFound', 'imports.wrongState', 'imports.gone'],
})
export const checkImport = defineEndpoint({
  name: 'imports.check',
  method: 'POST',
  path: '/api4/invoice/imports/{id}/check',
  access,
  input: z.strictObject({
    id: z.uuid(),
    mapping: z.array(z.string().max(80).nullable()).max(maxImportColumns),
    options: options.partial().optional(),
  }),
  output: whole,
  summary: 'Starts the dry run: every row is read and judged, nothing is saved',
  errors: ['kit.notFound', 'imports.wrongState', 'imports.twiceMapped', 'imports.unmapped', 'imports.gone'],
})
export const runImport = defineEndpoint({
  name: 'imports.run',
  method: 'POST',
  path: '/api4/invoice/imports/{id}/run',
  access,
  input: z.strictObject({
    id: z.uuid(),
    /** 'all': every row or none. 'good': the faulty rows are left out. */
    take: z.enum(['all', 'good']),
  }),
  output: whole,
  summary: 'Brings the checked rows in',
  errors: ['kit.notFound', 'imports.wrongState', 'imports.hasFaults', 'imports.nothingToDo'],
})
export const undoImport = defineEndpoint({
  name: 'imports.undo',
  method: 'POST',
  path: '/api4/invoice/imports/{id}/undo',
  access,
  input: byId,
  output: whole,
  summary:
    'Takes an import back: new records go to the archive, changed fields get their old values; what was touched since stays',
  errors: ['kit.notFound', 'imports.wrongState'],
})
export const importRows = defineEndpoint({
  name: 'imports.rows',
  method: 'GET',
  path: '/api4/invoice/imports/{id}/rows',
  access,
  input: z.object({
    id: z.uuid(),
    outcome: z.enum([...outcomes, 'refused']).default('faulty'),
    after: queryNumber(z.int().min(0)).default(0),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        row: z.number(),
        outcome: z.enum(outcomes),
        /** What the row is called. */
        title: z.string(),
        targetId: z.string().nullable(),
        faults: z.array(
          z.object({
            column: z.number().nullable(),
            title: z.string(),
            value: z.string(),
            field: z.string().nullable(),
            code: z.string(),
            params,
            text: z.string(),
          }),
        ),
        /** By field: what it was and what it becomes; of new records only what it becomes. */
        before: z.record(z.string(), z.any()),
        after: z.record(z.string(), z.any()),
        undone: z.string().nullable(),
      }),
    ),
    next: z.number().nullable(),
  }),
  summary: 'The rows of an import by what came of them, with every fault in words',
  errors: ['kit.notFound'],
})
export const importFaults = defineEndpoint({
  name: 'imports.faults',
  method: 'GET',
  path: '/api4/invoice/imports/{id}/faults',
  access,
  input: byId,
  output: z.any(),
  file: true,
  summary: 'The faulty rows as a workbook, the faults beside them',
  errors: ['kit.notFound'],
})
