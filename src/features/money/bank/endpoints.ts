import { z } from 'zod'
import { bankColumns } from '#domain/bank/table.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { fileValue } from '#kit/fields/schema.ts'

/** A statement, in bytes; the largest a business of many payments gets for a year is a tenth of it. */
export const maxStatementBytes = 10 * 1024 * 1024
export const maxStatementLines = 20_000

const base = '/api4/invoice/bankstatements'
const byId = z.object({ id: z.uuid() })
const see = { rule: 'bank.see' } as const
const change = { rule: 'bank.change' } as const

const summary = z.object({
  id: z.string(),
  bankAccountId: z.string(),
  /** Of its amounts. */
  currency: z.string(),
  name: z.string(),
  kind: z.enum(['table', 'ofx', 'mt940']),
  state: z.enum(['read', 'taken', 'undone']),
  fromDay: z.string().nullable(),
  toDay: z.string().nullable(),
  openingAgorot: z.number().nullable(),
  closingAgorot: z.number().nullable(),
  /** Lines that came in by it, and lines of it that were there before. */
  taken: z.number(),
  known: z.number(),
  gapAgorot: z.number(),
  mismatches: z.number(),
  by: z.string().nullable(),
  createdAt: z.string(),
  /** How many of its lines are matched or booked: while there are any it cannot be undone. */
  matched: z.number(),
})
export type StatementSummary = z.output<typeof summary>

const previewLine = z.object({
  position: z.number(),
  day: z.string(),
  text: z.string(),
  details: z.string(),
  reference: z.string(),
  amountAgorot: z.number(),
  balanceAgorot: z.number().nullable(),
  novelty: z.enum(['new', 'known', 'suspect']),
  /** The balance the bank wrote here is not that of the line before plus this sum. */
  mismatch: z.boolean(),
})
export type PreviewLine = z.output<typeof previewLine>

const whole = summary.extend({
  /** Columns of a table with their heads and samples, and what each is taken for; empty for other files. */
  columns: z.array(
    z.object({ title: z.string(), samples: z.array(z.string()), is: z.enum(bankColumns).nullable() }),
  ),
  remembered: z.boolean(),
  /** Enough is known of the columns to read lines. */
  complete: z.boolean(),
  /** The balances in the file agree with all its lines. Where false, nothing in it says that no line is missing. */
  proven: z.boolean(),
  /** Other sheets of the workbook that look like statements and are not read. */
  leftOut: z.array(z.string()),
  faults: z.array(z.object({ row: z.number(), code: z.string(), value: z.string() })),
  counts: z.object({ new: z.number(), known: z.number(), suspect: z.number() }),
  newAgorot: z.number(),
  /** The number of the account as the file has it, when it is not ours. */
  otherAccount: z.string().nullable(),
  lines: z.array(previewLine),
})
export type WholeStatement = z.output<typeof whole>

export const uploadStatement = defineEndpoint({
  name: 'bankstatements.upload',
  makes: { see: 'bankstatements.get' },
  method: 'POST',
  path: '/api4/invoice/bankaccounts/{id}/statements',
  access: change,
  upload: { maxBytes: maxStatementBytes, toFile: true },
  input: z.object({
    id: z.uuid(),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' })
      .regex(/^[^\u0000-\u001f\u007f/\\]+$/, { error: 'fields.text' })
      .default('statement'),
    bytes: fileValue,
  }),
  output: whole,
  summary:
    'Reads a statement (CSV, XLSX, a page with a table, OFX, MT940) and says which lines are new; nothing comes in by it. Next: take',
  errors: [
    'kit.notFound',
    'bank.notAStatement',
    'bank.empty',
    'bank.otherCurrency',
    'bank.severalAccounts',
    'bank.tooMany',
  ],
})
export const listStatements = defineEndpoint({
  name: 'bankstatements.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({ bankAccountId: z.uuid() }),
  output: z.object({ rows: z.array(summary) }),
  summary: 'The statements of a bank account, the newest first',
})
export const getStatement = defineEndpoint({
  name: 'bankstatements.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: byId,
  output: whole,
  summary: 'A statement as it is read: its columns, its lines, what is new of them',
  errors: ['kit.notFound'],
})
export const mapStatement = defineEndpoint({
  name: 'bankstatements.map',
  method: 'POST',
  path: `${base}/{id}/columns`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    mapping: z.array(z.enum(bankColumns).nullable()).max(200, { error: 'fields.range' }),
  }),
  output: whole,
  summary: 'Says what the columns of a table are; remembered for the next file with these heads',
  errors: ['kit.notFound', 'bank.wrongState', 'bank.unmapped'],
})
export const takeStatement = defineEndpoint({
  name: 'bankstatements.take',
  method: 'POST',
  path: `${base}/{id}/take`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    /** Brings in the suspected doubles too. */
    suspects: z.boolean().default(false),
  }),
  output: whole,
  summary: 'Brings the new lines of a statement in',
  errors: ['kit.notFound', 'bank.wrongState', 'bank.unmapped', 'bank.nothingNew'],
})
export const undoStatement = defineEndpoint({
  name: 'bankstatements.undo',
  method: 'POST',
  path: `${base}/{id}/undo`,
  access: change,
  input: byId,
  output: summary,
  summary:
    'Takes a statement back with all lines that came by it; refused while one of them is matched or booked',
  errors: ['kit.notFound', 'bank.wrongState', 'bank.lineMatched'],
})
