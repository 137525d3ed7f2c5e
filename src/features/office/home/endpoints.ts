import { z } from 'zod'
import { turnoverDuties } from '#domain/vat/turnover.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { businessKindNames } from '#features/base/companies/company.ts'
import { homeFigures } from '#features/sales/documents/endpoints.ts'
import { expenseFigures } from '#features/purchases/expenses/endpoints.ts'
import { tileNames } from './tiles.ts'

const tiles = z
  .array(z.object({ name: z.enum(tileNames, { error: 'fields.choice' }), shown: z.boolean() }))
  .max(tileNames.length)

/** What is taken off the money that lies in the bank and the till, because it is somebody else's. */
export const yoursParts = ['vat', 'advances', 'withheld', 'wages', 'suppliers', 'deposits'] as const
export type YoursPart = (typeof yoursParts)[number]

/** Parts of the page that are worked out of the books, and may fail alone. */
export const homeParts = [
  'documents',
  'expenses',
  'vatAhead',
  'gate',
  'yours',
  'turnover',
  'uninvoiced',
] as const
export type HomePart = (typeof homeParts)[number]

export const homePage = defineEndpoint({
  name: 'home.page',
  method: 'GET',
  path: '/api4/invoice/homepage',
  access: 'member',
  input: z.object({}),
  output: z.object({
    tiles,
    documents: homeFigures.output.nullable(),
    expenses: expenseFigures.output.nullable(),
    /** What the running VAT period comes to so far; below nothing it comes back. */
    vatAheadAgorot: z.number().nullable(),
    /** The period of `vatAheadAgorot`, the one that waits or else the running one, and the day of its report. */
    vat: z.object({ from: z.string(), to: z.string(), dueDay: z.string() }).nullable(),
    gate: z
      .object({ riskCount: z.number(), atRiskAgorot: z.number().optional(), isFiled: z.boolean() })
      .nullable(),
    /** Money that is the owner's own. */
    yours: z
      .object({
        cashAgorot: z.number(),
        parts: z.array(z.object({ part: z.enum(yoursParts), sumAgorot: z.number(), open: z.string() })),
        yoursAgorot: z.number(),
        /** Where the lines of the bank and the till stand. */
        open: z.string(),
      })
      .nullable(),
    /**
     * Papers sent to be signed: how many wait for others, how many of them are late, how many were signed in
     * seven days.
     */
    signing: z.object({ waiting: z.number(), late: z.number(), done: z.number() }).nullable(),
    /** Cheques in the drawer that may be deposited by the end of the week. */
    cheques: z.object({ count: z.number(), sumAgorot: z.number(), firstDay: z.string() }).nullable(),
    /**
     * Limits of the law that the year's turnover is near or has passed; `open` is where that is put right.
     */
    turnover: z.array(
      z.object({
        duty: z.enum(turnoverDuties),
        state: z.enum(['near', 'passed', 'unknown']),
        year: z.number(),
        turnoverAgorot: z.number(),
        limitAgorot: z.number(),
        open: z.string(),
      }),
    ),
    kind: z.enum(businessKindNames),
    /** Of an exempt dealer and of a small business: the turnover of the year and how high it may be. */
    ceiling: z.object({ turnoverAgorot: z.number(), limitAgorot: z.number() }).nullable(),
    /** The statement of last year of an exempt dealer or of a small business, in the month in which it is due. */
    statement: z
      .object({ duty: z.enum(['exemptStatement', 'smallStatement']), year: z.number(), dueDay: z.string() })
      .nullable(),
    /** Receipts of online payments without a tax invoice, and by when the first of them is to be invoiced. */
    uninvoiced: z.object({ count: z.number(), agorot: z.number().optional(), dueDay: z.string() }).nullable(),
    /** Documents to which the authority refused a number, and messages that did not arrive. */
    refusedNumbers: z.number(),
    failedMessages: z.number(),
    /** Parts that could not be worked out, and are left out; the others are as they are. */
    unavailable: z.array(z.enum(homeParts)),
    /** One's own tasks for today, and how many of them are overdue. */
    tasks: z.object({ due: z.number(), late: z.number() }).nullable(),
  }),
  summary: 'Everything the home page shows, in one call: each part by its own right, and left out without it',
})

export const keepTiles = defineEndpoint({
  name: 'home.tiles',
  method: 'PUT',
  path: '/api4/invoice/homepage/tiles',
  access: 'login',
  input: z.strictObject({ tiles }),
  output: z.object({ tiles }),
  summary: 'Which parts of the home page I see, and in which order',
})
