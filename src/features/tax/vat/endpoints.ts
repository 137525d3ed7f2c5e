import { z } from 'zod'
import { gateReasons } from '#domain/vat/gate.ts'
import { figureNames } from '#domain/vat/papers.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/vat'
const see = { rule: 'vat.see' }
const change = { rule: 'vat.file' }

/** 'YYYY-MM': any month of the period. */
const period = z.string().regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, { error: 'fields.period' })
const inPeriod = z.object({ period: period.optional() })
const days = z.object({ from: z.string(), to: z.string() })

const figure = z.object({
  name: z.enum(figureNames),
  /** From papers, to the agora. */
  exactAgorot: z.number().optional(),
  /** From the lines of the books. */
  booksAgorot: z.number().optional(),
  /** As the return carries it: whole shekels, in agorot. */
  filedAgorot: z.number().optional(),
  /** As the return alone would carry it, each figure rounded separately. */
  returnAgorot: z.number().optional(),
})
export type VatFigure = z.infer<typeof figure>

const found = z.object({
  /** What it is: the rule's number of the authority's list, or what the two ways disagree in. */
  code: z.string(),
  isWarning: z.boolean(),
  /** Papers it leads to; empty when the whole file is meant. */
  papers: z.array(z.object({ number: z.string(), name: z.string(), open: z.string().nullable() })),
})
export type Finding = z.infer<typeof found>

const difference = z.object({
  number: z.string(),
  name: z.string(),
  in: z.enum(['net', 'outputVat', 'inputVat', 'equipmentVat', 'gross', 'rate']),
  open: z.string().nullable(),
  paperAgorot: z.number().optional(),
  booksAgorot: z.number().optional(),
})
export type VatDifference = z.infer<typeof difference>

const filing = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  kind: z.enum(['detailed', 'return']),
  basis: z.enum(['accrual', 'cash']),
  entryCount: z.number(),
  toPayAgorot: z.number().optional(),
  outputVatAgorot: z.number().optional(),
  inputVatAgorot: z.number().optional(),
  hasFile: z.boolean(),
  madeAt: z.string(),
  madeBy: z.string().nullable(),
  sentDay: z.string().nullable(),
  confirmation: z.string(),
  sentBy: z.string().nullable(),
  reopenedAt: z.string().nullable(),
  reopenedBy: z.string().nullable(),
  reopenReason: z.string(),
})
export type VatFiling = z.infer<typeof filing>

export const vatPeriodFacts = defineEndpoint({
  name: 'vat.period',
  method: 'GET',
  path: `${base}/period`,
  access: see,
  input: inPeriod,
  output: z.object({
    period: days,
    /** The periods before and after, by a month of each. */
    before: z.string(),
    after: z.string(),
    isOver: z.boolean(),
    basis: z.enum(['accrual', 'cash']),
    figures: z.array(figure),
    /** Credits above sales or bills: figures the return cannot carry. */
    negative: z.array(z.enum(figureNames)),
    counts: z.object({ sales: z.number(), inputs: z.number(), entries: z.number() }),
    differences: z.array(difference),
    /** Documents of the period without their entry: what differs because of them is mended where they are posted. */
    missingEntries: z.number(),
    /**
     * Of books that came from another program's file: until when, whether the period lies wholly before that,
     * and what its documents and journal differ by.
     */
    brought: z
      .object({
        until: z.string(),
        isWhole: z.boolean(),
        differences: z.array(difference.pick({ in: true, paperAgorot: true, booksAgorot: true })),
      })
      .nullable(),
    faults: z.array(found),
    /** Sales above the sum from which a customer must be named, that name none. */
    unnamed: z.array(z.object({ number: z.string(), name: z.string(), open: z.string().nullable() })),
    filing: filing.nullable(),
    /** The entry that moved the VAT of the filing to the account of the VAT authority. */
    settlement: z
      .object({ entryId: z.string(), day: z.string(), toPayAgorot: z.number().optional() })
      .nullable(),
    /**
     * The account of the VAT authority: what is still owed to it, of all periods; a refund that did not come
     * yet is negative.
     */
    owed: z.object({ accountId: z.string(), owedAgorot: z.number().optional() }).nullable(),
    /** Sales abroad without VAT, and the declaration that stands for each in the file. */
    exports: z.array(
      z.object({
        id: z.string(),
        number: z.string(),
        day: z.string(),
        name: z.string(),
        sumAgorot: z.number().optional(),
        exportEntry: z.string(),
      }),
    ),
    /** Earlier periods with papers that were not reported. */
    unfiledBefore: days.nullable(),
  }),
  summary:
    'A VAT period: its figures by both ways, what differs, what the authority would refuse, and whether it was filed',
  errors: ['vat.noVat'],
})

export const pcn874 = defineEndpoint({
  name: 'vat.pcn874',
  method: 'GET',
  path: '/api4/invoiceexport/pcn874',
  access: see,
  file: true,
  input: z.object({ period }),
  output: z.any(),
  summary:
    'The file PCN874 of a period: as it was filed, or as it would be filed now; refused while it has errors or papers and books differ',
  errors: ['vat.noVat', 'vat.differ', 'vat.faulty', 'vat.negative', 'session.forbidden'],
})

export const listFilings = defineEndpoint({
  name: 'vat.filings',
  method: 'GET',
  path: `${base}/filings`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(filing) }),
  summary: 'What was reported of VAT, the newest first; what was taken back stays in the list',
})
export const fileReturn = defineEndpoint({
  name: 'vat.file',
  method: 'POST',
  path: `${base}/filings`,
  access: change,
  input: z.strictObject({
    period,
    kind: z.enum(['detailed', 'return']).default('detailed'),
    /** Also moves the VAT of the period to the account of the VAT authority. */
    settle: z.boolean().default(false),
  }),
  output: filing,
  summary: 'Reports a period: keeps its figures and its file for ever and locks it for VAT',
  errors: [
    'vat.noVat',
    'vat.periodNotOver',
    'vat.alreadyFiled',
    'vat.differ',
    'vat.faulty',
    'vat.negative',
    'session.forbidden',
  ],
})
export const filingFile = defineEndpoint({
  name: 'vat.filingFile',
  method: 'GET',
  path: '/api4/invoiceexport/vatfilings/{id}',
  access: see,
  file: true,
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  summary: 'The very file of a filing',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const markSent = defineEndpoint({
  name: 'vat.markSent',
  method: 'POST',
  path: `${base}/filings/{id}/sent`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    day: dayValue,
    confirmation: z.string().trim().min(1, { error: 'fields.need' }).max(40, { error: 'fields.tooLong' }),
  }),
  output: filing,
  summary: 'Writes down when the authority took the report and its confirmation number',
  errors: ['kit.notFound', 'vat.notFiled'],
})
export const reopenFiling = defineEndpoint({
  name: 'vat.reopen',
  method: 'POST',
  path: `${base}/filings/{id}/reopen`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(3, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: filing,
  summary: 'Takes a filing back: the period is open again, the filing and the reason stay in the log',
  errors: ['kit.notFound', 'vat.notFiled'],
})

const gateBill = z.object({
  id: z.string(),
  supplierId: z.string().nullable(),
  supplier: z.string(),
  email: z.string().nullable(),
  number: z.string(),
  day: z.string(),
  netAgorot: z.number().optional(),
  vatAgorot: z.number().optional(),
  /** The part that is claimed, and is at risk when a reason says so. */
  recognisedAgorot: z.number().optional(),
  allocation: z.string(),
  inBooks: z.boolean(),
  reasons: z.array(z.enum(gateReasons)),
  /** The last day of the period it may still be put off to; null when it may not. */
  postponeTo: z.string().nullable(),
  askedAt: z.string().nullable(),
})
export type GateRow = z.infer<typeof gateBill>

export const vatAnswer = defineEndpoint({
  name: 'vat.answer',
  method: 'GET',
  path: `${base}/answer`,
  access: see,
  input: inPeriod,
  output: z.object({
    period: days,
    /** The periods before and after, by a month of each. */
    before: z.string(),
    after: z.string(),
    /**
     * `running`: the period is not over. `toReport`: it is, and was not reported. `toPay` and `refund`: it was reported, and
     * money is still to move. `done`: nothing is left.
     */
    state: z.enum(['running', 'toReport', 'toPay', 'refund', 'done']),
    /** As the return carries them: whole shekels, in agorot. */
    outputVatAgorot: z.number().optional(),
    inputVatAgorot: z.number().optional(),
    toPayAgorot: z.number().optional(),
    /** What is still to be paid of the period; negative: to come back. */
    leftAgorot: z.number().optional(),
    dueDay: z.string(),
    /** The exact day is not published: it follows from the rule. */
    isByRule: z.boolean(),
    isLate: z.boolean(),
    /** The business reports in detail: its figures are those of the detailed report once the period is over. */
    isDetailed: z.boolean(),
    /** Expenses of the period that nobody approved, and the VAT they would take off. */
    waiting: z.object({ count: z.number(), vatAgorot: z.number().optional() }),
    /** An earlier period with documents that was not reported. */
    unfiledBefore: days.nullable(),
  }),
  summary:
    'What is to be paid or comes back for VAT, and by when: of a period, or of the one that waits for its report or its payment',
  errors: ['vat.noVat'],
})

export const vatAhead = defineEndpoint({
  name: 'vat.ahead',
  method: 'GET',
  path: `${base}/ahead`,
  access: { rule: 'documents.see' },
  input: z.object({}),
  output: z.object({ amountAgorot: z.number() }),
  summary: 'What the running VAT period comes to so far, by the basis the business reports on',
  errors: ['vat.noVat'],
})
export const vatGate = defineEndpoint({
  name: 'vat.gate',
  method: 'GET',
  path: `${base}/gate`,
  access: see,
  input: inPeriod,
  output: z.object({
    period: days,
    before: z.string(),
    after: z.string(),
    isFiled: z.boolean(),
    checked: z.number(),
    claimedAgorot: z.number().optional(),
    atRiskAgorot: z.number().optional(),
    riskCount: z.number(),
    byReason: z.array(
      z.object({ reason: z.enum(gateReasons), count: z.number(), atRiskAgorot: z.number().optional() }),
    ),
    rows: z.array(gateBill),
  }),
  summary: 'The input VAT of a period that might not be allowed, bill by bill, with the reasons',
  errors: ['vat.noVat'],
})
export const postponeBill = defineEndpoint({
  name: 'vat.postpone',
  method: 'POST',
  path: `${base}/gate/{id}/postpone`,
  access: change,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ vatDay: z.string() }),
  summary: 'Puts the VAT of a bill off to the next period; an entry moves it in the books',
  errors: ['kit.notFound', 'vat.noVat', 'vat.notInPeriod', 'vat.periodFiled', 'expenses.notApproved'],
})
export const askSupplier = defineEndpoint({
  name: 'vat.ask',
  method: 'POST',
  path: `${base}/gate/{id}/ask`,
  access: change,
  input: z.strictObject({ id: z.uuid(), to: emailValue.optional() }),
  output: z.object({ messageId: z.string() }),
  summary: 'Asks a supplier by mail for what his bill lacks',
  errors: ['kit.notFound', 'vat.noMail', 'vat.notInPeriod'],
})

export const getVatBasis = defineEndpoint({
  name: 'vat.basis',
  method: 'GET',
  path: `${base}/basis`,
  access: see,
  input: z.object({}),
  output: z.object({
    basis: z.enum(['accrual', 'cash']),
    /** The first day a change may hold from: that of the first period that is not filed. */
    changeFrom: z.string(),
    rows: z.array(z.object({ from: z.string(), basis: z.enum(['accrual', 'cash']) })),
  }),
  summary: 'Whether VAT of sales is due when they are invoiced or when they are paid',
  errors: ['vat.noVat'],
})
export const changeVatBasis = defineEndpoint({
  name: 'vat.changeBasis',
  method: 'PUT',
  path: `${base}/basis`,
  access: change,
  input: z.strictObject({ basis: z.enum(['accrual', 'cash']), from: dayValue }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Changes the basis for invoices from a period on',
  errors: ['vat.noVat', 'vat.basisFiled'],
})

export const settleFiling = defineEndpoint({
  name: 'vat.settle',
  method: 'POST',
  path: `${base}/filings/{id}/settle`,
  access: change,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ entryId: z.string() }),
  summary:
    'Moves the VAT of a filing to the account of the VAT authority by an entry; reopening the period takes it back',
  errors: [
    'kit.notFound',
    'vat.noVat',
    'vat.notFiled',
    'vat.alreadySettled',
    'ledger.noAccount',
    'ledger.periodClosed',
    'session.forbidden',
  ],
})
export const payVat = defineEndpoint({
  name: 'vat.pay',
  method: 'POST',
  path: `${base}/payments`,
  access: change,
  input: z.strictObject({
    day: dayValue,
    /** Positive: paid to the authority; negative: a refund that came. */
    amountAgorot: z
      .int()
      .min(-1_000_000_000_00)
      .max(1_000_000_000_00)
      .refine((sum) => sum !== 0, { error: 'fields.need' }),
    /** The account of money; the bank where none is named. */
    accountId: z.uuid().nullish(),
  }),
  output: z.object({ entryId: z.string() }),
  summary:
    'Records money that went to the VAT authority or came from it, as a journal entry that can be reversed',
  errors: ['vat.noVat', 'ledger.noAccount', 'ledger.periodClosed', 'session.forbidden'],
})

export const exportOfDocument = defineEndpoint({
  name: 'vat.export',
  method: 'GET',
  path: `${base}/exports/{id}`,
  access: { rule: 'documents.see' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    isExport: z.boolean(),
    number: z.string(),
    exportEntry: z.string(),
    isFiled: z.boolean(),
  }),
  summary: 'Whether a document is an export, and its export declaration',
  errors: ['kit.notFound'],
})
export const setExportEntry = defineEndpoint({
  name: 'vat.setExportEntry',
  method: 'PUT',
  path: `${base}/exports/{id}`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    exportEntry: z
      .string()
      .trim()
      .regex(/^\d{0,14}$/, { error: 'vat.exportNumber' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary:
    'Writes down the number of the export declaration of a document, which the detailed report carries; empty takes it away',
  errors: ['kit.notFound', 'vat.noExport', 'vat.periodFiled'],
})

export const uninvoiced = defineEndpoint({
  name: 'vat.uninvoiced',
  method: 'GET',
  path: `${base}/uninvoiced`,
  access: see,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        number: z.number(),
        day: z.string(),
        /** Until when the law requires the invoice. */
        dueDay: z.string(),
        isLate: z.boolean(),
        customer: z.string(),
        subject: z.string(),
        currency: z.string(),
        /** What no invoice was issued for, in the currency of the receipt; absent where amounts are hidden. */
        amountAgorot: z.number().optional(),
      }),
    ),
    /** In shekels. */
    totalAgorot: z.number().optional(),
  }),
  summary:
    'Receipts of online payments that no tax invoice was issued for, and by when each is to be invoiced',
})
export type UninvoicedRow = z.output<typeof uninvoiced.output>['rows'][number]
export const issueUninvoiced = defineEndpoint({
  name: 'vat.issueUninvoiced',
  method: 'POST',
  path: `${base}/uninvoiced`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({
    ids: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(100, { error: 'fields.tooMany' }),
  }),
  output: z.object({
    rows: z.array(z.object({ receiptId: z.string(), id: z.string(), number: z.number() })),
  }),
  summary:
    'Issues the missing tax invoices of receipts, the oldest first, all or none; their money closes them',
  errors: ['vat.alreadyInvoiced', 'vat.periodFiled', 'documents.typeNotAllowed'],
})
