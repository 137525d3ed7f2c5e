import { z } from 'zod'
import { dayValue } from '#kit/fields/schema.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/expensesbackup'
const access = { rule: 'reports.expenses' } as const

export const makeArchive = defineEndpoint({
  name: 'expensesBackup.make',
  method: 'POST',
  path: base,
  access,
  input: z.strictObject({ from: dayValue, to: dayValue, supplier: z.uuid().optional() }),
  output: z.object({ id: z.string(), jobId: z.string() }),
  summary:
    'Gathers the pictures of the expenses of a period, and a list of them, into an archive, as long work',
  errors: ['expensesBackup.nothing', 'expensesBackup.tooLarge', 'kit.notFound'],
})

const archive = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  supplier: z.string().nullable(),
  name: z.string(),
  bytes: z.number(),
  expenses: z.number(),
  files: z.number(),
  without: z.number(),
  isReady: z.boolean(),
  createdAt: z.string(),
})
export type ExpenseArchive = z.infer<typeof archive>

export const listArchives = defineEndpoint({
  name: 'expensesBackup.list',
  method: 'GET',
  path: base,
  access,
  input: z.object({}),
  output: z.object({ rows: z.array(archive) }),
  summary: 'The archives of pictures I asked for in the last week, newest first',
})

export const archiveFile = defineEndpoint({
  name: 'expensesBackup.file',
  method: 'GET',
  path: '/api4/invoiceexport/expensesbackup/{id}',
  access,
  file: true,
  input: z.object({
    id: z.uuid(),
    /** From which byte: what came already need not come again. */
    from: queryNumber(z.int().min(0)).optional(),
    /** So many bytes; all that is left when absent. */
    most: queryNumber(z.int().min(1)).optional(),
  }),
  output: z.any(),
  summary: 'An archive of pictures as it is read: whole, or from any byte on',
  errors: ['kit.notFound', 'expensesBackup.notReady', 'expensesBackup.changed'],
})
