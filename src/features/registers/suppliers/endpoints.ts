import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, dayValue } from '#kit/fields/schema.ts'
import { sameness } from '#features/registers/parties/endpoints.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/suppliers'
const see = { rule: 'suppliers.see' }
const change = { rule: 'suppliers.change' }
const byId = z.object({ id: z.uuid() })
const short = z.string().max(200)

export const findSupplierTwins = defineEndpoint({
  name: 'suppliers.twins',
  method: 'GET',
  path: `${base}/twins`,
  access: see,
  input: z.object({
    taxId: short.optional(),
    email: short.optional(),
    phone: short.optional(),
    mobile: short.optional(),
    except: z.uuid().optional(),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        taxId: z.string().nullable(),
        city: z.string().nullable(),
        archived: z.boolean(),
        by: z.array(z.enum(sameness)),
      }),
    ),
  }),
  summary: 'Suppliers with the same number, phone or mail; ask before making one',
})

export const supplierFigures = defineEndpoint({
  name: 'suppliers.figures',
  method: 'GET',
  path: `${base}/figures`,
  access: see,
  input: z.object({}),
  output: z.object({
    /** Absent for people who may see no amounts. */
    owedAgorot: z.number().optional(),
    overdueAgorot: z.number().optional(),
    dueThisWeek: z.number(),
  }),
  summary:
    'What is owed to all suppliers, how much of it is overdue, and how many of them are due within seven days',
})

const maybe = (max: number) =>
  z
    .string()
    .trim()
    .max(max, { error: 'fields.tooLong' })
    .nullable()
    .default(null)
    .transform((v) => v || null)

export const changeBank = defineEndpoint({
  name: 'suppliers.changeBank',
  method: 'PUT',
  path: `${base}/{id}/bank`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    bankCode: z
      .number({ error: 'fields.choice' })
      .int()
      .min(1, { error: 'fields.choice' })
      .max(99, { error: 'fields.choice' })
      .nullable()
      .default(null),
    bankBranch: maybe(3),
    bankAccount: maybe(20),
    bankAccountName: maybe(120),
    iban: maybe(42),
    /** The new account number (or IBAN) once more, where it takes the place of a known one. */
    again: maybe(42),
  }),
  output: z.any(),
  summary:
    'Changes where a supplier is paid; the number is given twice, and whoever pays is warned for thirty days',
  errors: ['kit.notFound'],
})

export const findSupplierDoubles = defineEndpoint({
  name: 'suppliers.doubles',
  method: 'GET',
  path: `${base}/doubles`,
  access: change,
  input: z.object({}),
  output: z.object({
    groups: z.array(z.object({ by: z.enum(sameness), ids: z.array(z.uuid()), names: z.array(z.string()) })),
  }),
  summary: 'Suppliers who are likely the same: one number, one phone, one mail, one name',
})

export const mergeSuppliers = defineEndpoint({
  name: 'suppliers.merge',
  method: 'POST',
  path: `${base}/merge`,
  access: change,
  input: z.object({
    keepId: z.uuid(),
    ids: z.array(z.uuid()).min(1).max(20),
    /**
     * From whom each field is taken; `bank` and `certificates` each as a whole. From the one who stays when
     * not named.
     */
    from: z.record(z.string().max(40), z.uuid()).default({}),
  }),
  output: z.object({ id: z.uuid(), merged: z.number().int() }),
  summary:
    'Makes several records one supplier: balances move by an entry, bills stay where they were entered',
  errors: ['kit.notFound', 'suppliers.merged', 'suppliers.mergeItself', 'ledger.periodClosed'],
})

export const withholdingOfSupplier = defineEndpoint({
  name: 'suppliers.withholding',
  method: 'GET',
  path: `${base}/{id}/withholding`,
  access: see,
  input: byId.extend({ day: dayValue.optional() }),
  output: z.object({
    day: z.string(),
    rateBp: z.number(),
    reason: z.enum(['certificate', 'aboveCeiling', 'withoutCertificate', 'booksUnknown', 'booksNotApproved']),
    certificateId: z.string().nullable(),
    validTo: z.string().nullable(),
    ceilingAgorot: z.number().nullable(),
  }),
  summary: 'What is to be withheld from a supplier on a day, and why',
  errors: ['kit.notFound'],
})

export const activityOfSupplier = defineEndpoint({
  name: 'suppliers.activity',
  method: 'GET',
  path: `${base}/{id}/activity`,
  access: see,
  input: byId.extend({ cursor: z.string().max(100).optional(), bank: z.enum(['true']).optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        who: z.string().nullable(),
        action: z.string(),
        entity: z.string(),
        before: z.any(),
        after: z.any(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  summary: 'Who changed what in a supplier, newest first',
  errors: ['kit.notFound'],
})

// ---- System 1000

const base1000 = '/api4/invoice/system1000'

const asked = z.object({
  id: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  state: z.enum(['valid', 'expiring', 'booksNotApproved', 'none']),
  validTo: z.string().nullable(),
  rateBp: z.number().nullable(),
  /** Why the supplier cannot be queried. */
  problem: z.enum(['noNumber', 'wrongNumber', 'foreign']).nullable(),
})
export type Asked = z.output<typeof asked>

export const overview1000 = defineEndpoint({
  name: 'system1000.overview',
  method: 'GET',
  path: base1000,
  access: see,
  input: z.object({}),
  output: z.object({ withholdingFile: z.string().nullable(), mostRows: z.number(), rows: z.array(asked) }),
  summary: 'The suppliers the tax authority may be asked about',
})

export const query1000 = defineEndpoint({
  name: 'system1000.query',
  method: 'GET',
  path: `${base1000}/query`,
  access: change,
  file: true,
  input: z.object({
    which: z.enum(['all', 'expiring']).default('all'),
    /** From one. */
    part: queryNumber(z.int().min(1).max(100)).default(1),
  }),
  output: z.any(),
  summary: 'The query file for the tax authority, at most 1,000 suppliers each',
  errors: ['suppliers.noWithholdingFile', 'suppliers.nobodyToAsk'],
})

const known = z.object({ rateBp: z.number().nullable(), toDay: z.string(), booksValid: z.boolean() })
const answered = z.object({
  supplierId: z.string(),
  name: z.string(),
  taxId: z.string(),
  before: known.nullable(),
  after: known.extend({ fromDay: z.string(), ceilingAgorot: z.number().nullable() }),
  /** The same is known already. */
  same: z.boolean(),
})
export type Answered = z.output<typeof answered>

export const csvColumns = ['taxId', 'rate', 'fromDay', 'toDay', 'books', 'ceiling'] as const
export type CsvColumn = (typeof csvColumns)[number]

const upload1000 = {
  name: z.string().trim().min(1).max(200),
  /** Of a table: which column (from zero) holds what, as `taxId:0,rate:3`. */
  columns: z
    .string()
    .max(200)
    .regex(/^(\w+:\d{1,2}(,|$))*$/, { error: 'fields.text' })
    .optional(),
  bytes: bytesValue,
}

const MAX_ANSWER_BYTES = 2 * 1024 * 1024

export const readAnswer1000 = defineEndpoint({
  name: 'system1000.read',
  method: 'POST',
  path: `${base1000}/read`,
  access: change,
  reads: true,
  upload: { maxBytes: MAX_ANSWER_BYTES },
  input: z.object(upload1000),
  output: z.object({
    kind: z.enum(['answers', 'errors', 'table', 'query']),
    rows: z.array(answered),
    refusals: z.array(
      z.object({
        supplierId: z.string().nullable(),
        name: z.string().nullable(),
        key: z.string(),
        errorCode: z.string(),
        known: z.string().nullable(),
        errorText: z.string(),
      }),
    ),
    /** Numbers the answer names and no supplier has. */
    strangers: z.array(z.string()),
    badLines: z.array(z.number()),
    /** Of a table: its head, and what each column was taken for. */
    table: z
      .object({
        head: z.array(z.string()),
        columns: z.partialRecord(z.enum(csvColumns), z.number()),
        missing: z.array(z.enum(csvColumns)),
      })
      .nullable(),
  }),
  summary: 'What an answer of the tax authority would change; nothing is saved',
  errors: ['suppliers.answerUnreadable'],
})

export const applyAnswer1000 = defineEndpoint({
  name: 'system1000.apply',
  method: 'POST',
  path: `${base1000}/apply`,
  access: change,
  upload: { maxBytes: MAX_ANSWER_BYTES },
  input: z.object({
    ...upload1000,
    /** Numbers of the suppliers left as they are. */
    skip: z
      .string()
      .max(12_000)
      .regex(/^(\d{9}(,|$))*$/, { error: 'fields.text' })
      .optional(),
  }),
  output: z.object({ made: z.number() }),
  summary: 'Takes an answer of the tax authority over as certificates; what is known already is left alone',
  errors: ['suppliers.answerUnreadable'],
})
