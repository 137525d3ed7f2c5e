import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, fileValue } from '#kit/fields/schema.ts'

export const exportKinds = ['uniform', 'hashavshevet', 'xlsx', 'csv', 'hledger'] as const
export type ExportKind = (typeof exportKinds)[number]

/** A file to bring in, packed, in bytes. */
export const maxUniformBytes = 50 * 1024 * 1024

const access = { rule: 'uniform.export' } as const
const range = { from: dayValue, to: dayValue }
const byId = z.object({ id: z.uuid() })
const base = '/api4/invoiceexport'

const made = z.object({
  id: z.string(),
  kind: z.enum(exportKinds),
  from: z.string(),
  to: z.string(),
  name: z.string(),
  /** Where the law wants it to lie on a drive. */
  path: z.string(),
  size: z.number(),
  /** Records by their code; of other exports, rows by the name of the file in it. */
  counts: z.record(z.string(), z.number()),
  madeAt: z.string(),
  by: z.string().nullable(),
  /** The bytes are kept for a week, what is known of the file for ever. */
  there: z.boolean(),
})
export type MadeFile = z.infer<typeof made>

export const uniformNow = defineEndpoint({
  name: 'uniform.now',
  method: 'GET',
  path: `${base}/uniform`,
  access,
  file: true,
  input: z.object(range),
  output: z.any(),
  summary:
    'The uniform file (open format 1.31) of a range as an archive: OPENFRMT/…/INI.TXT and BKMVDATA.zip. Large ranges are made by uniform.make',
  errors: ['uniform.range', 'uniform.tooLarge', 'uniform.faulty'],
})
export const hledgerNow = defineEndpoint({
  name: 'uniform.hledger',
  method: 'GET',
  path: `${base}/hledger`,
  access,
  file: true,
  input: z.object(range),
  output: z.any(),
  summary: 'The books of a range as an hledger journal; what stood before the range is its first entry',
  errors: ['uniform.range', 'uniform.tooLarge', 'uniform.faulty'],
})
export const hashavshevetNow = defineEndpoint({
  name: 'uniform.hashavshevet',
  method: 'GET',
  path: `${base}/hashavshevet`,
  access,
  file: true,
  input: z.object(range),
  output: z.any(),
  summary:
    'The movements of a range and their cards for Hashavshevet: a ZIP of MOVEIN.DOC and HESHIN.DAT, each with its parameter file',
  errors: ['uniform.range', 'uniform.tooLarge', 'uniform.faulty'],
})
export const csvNow = defineEndpoint({
  name: 'uniform.csv',
  method: 'GET',
  path: `${base}/csv`,
  access,
  file: true,
  input: z.object(range),
  output: z.any(),
  summary:
    'Everything as CSV in an archive: registers, documents, lines, payments, expenses, entries, postings',
  errors: ['uniform.range', 'uniform.tooLarge', 'uniform.faulty'],
})
export const xlsxNow = defineEndpoint({
  name: 'uniform.xlsx',
  method: 'GET',
  path: `${base}/xlsx`,
  access,
  file: true,
  input: z.object(range),
  output: z.any(),
  summary: 'Everything as one workbook (XLSX), a sheet for each table of uniform.csv',
  errors: ['uniform.range', 'uniform.tooLarge', 'uniform.faulty'],
})
export const makeExport = defineEndpoint({
  name: 'uniform.make',
  method: 'POST',
  path: `${base}/made`,
  access,
  input: z.strictObject({ kind: z.enum(exportKinds), ...range }),
  output: z.object({ jobId: z.string(), fileId: z.string() }),
  summary: 'Makes an export of any size as long work; its file is then listed and kept for a week',
  errors: ['uniform.range'],
})
export const listExports = defineEndpoint({
  name: 'uniform.files',
  method: 'GET',
  path: `${base}/made`,
  access,
  input: z.object({}),
  output: z.object({ rows: z.array(made), since: dayValue.nullable(), isNamed: z.boolean() }),
  summary:
    'What was exported, newest first; `since` is the day of the first paper or entry there is to export, `isNamed` whether the uniform file can name the maker of the program',
})
export const getExport = defineEndpoint({
  name: 'uniform.file',
  method: 'GET',
  path: `${base}/made/{id}`,
  access,
  input: byId,
  output: made,
  summary: 'One export: its range, its records, where it is to lie',
  errors: ['kit.notFound'],
})
export const exportBytes = defineEndpoint({
  name: 'uniform.bytes',
  method: 'GET',
  path: `${base}/made/{id}/bytes`,
  access,
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The bytes of an export',
  errors: ['kit.notFound', 'uniform.gone'],
})
export const runReport = defineEndpoint({
  name: 'uniform.runReport',
  method: 'GET',
  path: `${base}/made/{id}/report`,
  access,
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The report of the run that made a uniform file, as the Instructions word it (5.4), as PDF',
  errors: ['kit.notFound'],
})

export const cardRoles = [
  'customers',
  'suppliers',
  'asset',
  'liability',
  'equity',
  'income',
  'expense',
] as const
export type CardRole = (typeof cardRoles)[number]

/** Accounts our own postings look for; the others of a chart are free. */
export const specialAccounts = [
  'cash',
  'bank',
  'cheques',
  'cardClearing',
  'inputVat',
  'inputVatFixedAssets',
  'withheldByCustomers',
  'withheldFromSuppliers',
  'outputVat',
  'vatSettlement',
  'rounding',
  'openingBalances',
] as const
export type SpecialAccount = (typeof specialAccounts)[number]

const params = z.record(z.string(), z.union([z.string(), z.number()]))
const fault = z.object({ line: z.number(), code: z.string(), params })
const faults = z.object({ rows: z.array(fault), counts: z.record(z.string(), z.number()) })

const choices = z.object({
  /** By sort code: what its accounts are. */
  sorts: z.record(z.string().max(15), z.enum(cardRoles)),
  /** Which account of the file is which of ours, by its key. */
  accounts: z.partialRecord(z.enum(specialAccounts), z.string().max(15)),
})
export type Choices = z.infer<typeof choices>

export const comparedParts = ['account', 'customer', 'supplier', 'openItems', 'ageing'] as const

/** The books after the import against the file, where the two differ. */
const inBooks = z.object({
  /** How many of each were compared; days of the ageing, of all customers each. */
  accounts: z.number(),
  parties: z.number(),
  days: z.number(),
  found: z.number(),
  differences: z.array(
    z.object({
      part: z.enum(comparedParts),
      key: z.string(),
      name: z.string(),
      day: z.string(),
      fileAgorot: z.number(),
      booksAgorot: z.number(),
      /** The path of the screen that shows the figure of the books. */
      open: z.string(),
    }),
  ),
})
export type InBooks = z.infer<typeof inBooks>

const parity = z.object({
  program: z.object({
    name: z.string(),
    version: z.string(),
    vendor: z.string(),
    business: z.string(),
    dealerNumber: z.string(),
    from: z.string(),
    to: z.string(),
    charset: z.string(),
  }),
  /** Records by code: found in the file, and what the file says of itself. */
  records: z.array(z.object({ code: z.string(), found: z.number(), said: z.number().nullable() })),
  sorts: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      accounts: z.number(),
      example: z.string(),
      role: z.enum(cardRoles),
      sure: z.boolean(),
    }),
  ),
  accounts: z.array(
    z.object({ name: z.enum(specialAccounts), key: z.string().nullable(), account: z.string() }),
  ),
  /** The cards one may choose those from. */
  cards: z.array(z.object({ key: z.string(), name: z.string(), sort: z.string() })),
  documents: z.array(
    z.object({
      code: z.number(),
      month: z.string(),
      count: z.number(),
      totalAgorot: z.number(),
      /** What of it will stand among the documents. */
      kept: z.number(),
      keptAgorot: z.number(),
    }),
  ),
  series: z.array(
    z.object({
      code: z.number(),
      first: z.string(),
      last: z.string(),
      count: z.number(),
      missing: z.number(),
    }),
  ),
  balances: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      role: z.enum(cardRoles),
      openingAgorot: z.number(),
      /** By what B110 says, and by its opening and its lines. */
      saidAgorot: z.number(),
      foundAgorot: z.number(),
      /** Of customers and suppliers: what stays open by the documents, and the opening item for the rest. */
      openAgorot: z.number(),
      openingItemAgorot: z.number(),
    }),
  ),
  counts: z.object({
    customers: z.number(),
    suppliers: z.number(),
    accounts: z.number(),
    items: z.number(),
    documents: z.number(),
    otherPapers: z.number(),
    entries: z.number(),
    openingItems: z.number(),
  }),
  /** Entries that do not balance, by the sum that goes to opening balances. */
  unbalancedAgorot: z.number(),
  /** After the import alone; imports of earlier versions have none. */
  inBooks: inBooks.optional(),
  writing: faults,
  identities: faults,
})
export type Parity = z.infer<typeof parity>

const imported = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  state: z.enum(['checking', 'checked', 'running', 'done', 'failed']),
  error: z.object({ code: z.string(), params }).nullable(),
  jobId: z.string().nullable(),
  by: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})
export type UniformImport = z.infer<typeof imported>
const wholeImport = imported.extend({
  choices,
  report: parity.nullable(),
  /** Nothing is in the books yet, so a file may be brought in. */
  empty: z.boolean(),
  /** The file is of another dealer number than this business. */
  otherDealer: z.boolean(),
})
export type WholeImport = z.infer<typeof wholeImport>

const importAccess = { rule: 'uniform.import' } as const
const imports = '/api4/invoice/uniform'

export const listUniformImports = defineEndpoint({
  name: 'uniform.imports',
  method: 'GET',
  path: imports,
  access: importAccess,
  input: z.object({}),
  output: z.object({ rows: z.array(imported), empty: z.boolean() }),
  summary: 'The uniform files of other programs that were brought here, newest first',
})
export const uploadUniform = defineEndpoint({
  name: 'uniform.upload',
  method: 'POST',
  path: imports,
  access: importAccess,
  upload: { maxBytes: maxUniformBytes, toFile: true },
  input: z.object({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' })
      .regex(/^[^\u0000-\u001f\u007f/\\]+$/, { error: 'fields.text' }),
    bytes: fileValue,
  }),
  output: wholeImport,
  summary:
    'Takes a uniform file (an archive, or BKMVDATA alone) and begins the dry run; nothing is changed by it',
  errors: ['uniform.notUniform', 'uniform.archive', 'uniform.onlyIni', 'uniform.unpacksLarge'],
})
export const getUniformImport = defineEndpoint({
  name: 'uniform.import',
  method: 'GET',
  path: `${imports}/{id}`,
  access: importAccess,
  input: byId,
  output: wholeImport,
  summary: 'One import of a uniform file with its parity report',
  errors: ['kit.notFound'],
})
export const parityOfImport = defineEndpoint({
  name: 'uniform.parity',
  method: 'GET',
  path: `${imports}/{id}/parity`,
  access: importAccess,
  file: true,
  input: z.object({ id: z.uuid(), format: z.enum(['csv', 'xlsx', 'pdf']).default('pdf') }),
  output: z.any(),
  summary: 'The parity report of an import as CSV, XLSX or PDF',
  errors: ['kit.notFound', 'uniform.wrongState', 'session.forbidden'],
})
export const checkUniformImport = defineEndpoint({
  name: 'uniform.check',
  method: 'POST',
  path: `${imports}/{id}/check`,
  access: importAccess,
  input: z.strictObject({ id: z.uuid(), choices }),
  output: wholeImport,
  summary: 'The dry run again, with other choices',
  errors: ['kit.notFound', 'uniform.wrongState', 'uniform.gone'],
})
export const runUniformImport = defineEndpoint({
  name: 'uniform.run',
  method: 'POST',
  path: `${imports}/{id}/run`,
  access: importAccess,
  input: z.strictObject({
    id: z.uuid(),
    /** The file names another dealer number and is brought in all the same. */
    otherDealer: z.boolean().default(false),
  }),
  output: wholeImport,
  summary: 'Brings the file into the empty books: everything or nothing',
  errors: ['kit.notFound', 'uniform.wrongState', 'uniform.notEmpty', 'uniform.otherDealer', 'uniform.gone'],
})
export const dropUniformImport = defineEndpoint({
  name: 'uniform.drop',
  method: 'DELETE',
  path: `${imports}/{id}`,
  access: importAccess,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Throws a dry run away with its file',
  errors: ['kit.notFound', 'uniform.wrongState'],
})
