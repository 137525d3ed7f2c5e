import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { smallConditions, smallPayments } from '#domain/filings/smallBusiness.ts'
import { dayValue, moneyValue } from '#kit/fields/schema.ts'
import { queryNumber } from '#kit/fields/query.ts'

const year = queryNumber(z.int().min(2000, { error: 'fields.range' }).max(2200, { error: 'fields.range' }))
const byYear = z.object({ year })
const languages = ['he', 'en', 'ar', 'ru', 'fr'] as const

/** An entry on the account that no paper explains. */
const other = z.object({
  entryId: z.string(),
  day: z.string(),
  kind: z.string(),
  reference: z.string(),
  details: z.string(),
  amountAgorot: z.number(),
})
export type OtherEntry = z.output<typeof other>

const payee = z.object({
  supplierId: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  incomeTaxFile: z.string().nullable(),
  occupation: z.string().nullable(),
  assessingOffice: z.string().nullable(),
  isPaResident: z.boolean(),
  address: z.string(),
  email: z.string().nullable(),
  code: z.string(),
  kind856: z.string(),
  payments: z.number(),
  grossAgorot: z.number(),
  withheldAgorot: z.number(),
  booksGrossAgorot: z.number(),
  booksWithheldAgorot: z.number(),
  balanceAgorot: z.number(),
  /** Of the certificate: when it was sent, and whether the figures have changed since. */
  givenAt: z.string().nullable(),
  changedSince: z.boolean(),
  /** What the return asks for and the card lacks. */
  missing: z.array(z.enum(['taxId', 'address'])),
})
export type Payee856 = z.output<typeof payee>

export const form856 = defineEndpoint({
  name: 'filings.form856',
  method: 'GET',
  path: '/api4/invoice/form856',
  access: { rule: 'filings.see' },
  input: byYear,
  output: z.object({
    year: z.number(),
    dueDay: z.string(),
    withholdingFile: z.string().nullable(),
    layoutKnown: z.boolean(),
    rows: z.array(payee),
    totals: z.object({
      grossAgorot: z.number(),
      withheldAgorot: z.number(),
      booksGrossAgorot: z.number(),
      booksWithheldAgorot: z.number(),
    }),
    /** On the account of tax withheld, besides payments to suppliers. */
    others: z.array(other),
    /** Where payments and books part; while there are any nothing of the year leaves. */
    differences: z.array(
      z.object({
        form: z.enum(['paid', 'turnover', 'withheldFromUs']),
        in: z.enum(['gross', 'withheld', 'turnover', 'lines', 'sums']),
        day: z.string(),
        name: z.string(),
        number: z.string(),
        paperAgorot: z.number(),
        booksAgorot: z.number(),
        open: z.string(),
      }),
    ),
  }),
  summary:
    'Form 856: what each supplier was paid and what was withheld in a year, from the payments and from the books',
})
export const export856 = defineEndpoint({
  name: 'filings.export856',
  method: 'GET',
  path: '/api4/invoiceexport/form856',
  access: { rule: 'filings.see' },
  file: true,
  input: byYear.extend({ format: z.enum(['csv', 'xlsx', 'file']).default('csv') }),
  output: z.any(),
  summary: 'Form 856 as a table; the file of the authority once its layout is known',
  errors: ['filings.layoutUnknown', 'filings.differ', 'session.forbidden'],
})
export const certificate857 = defineEndpoint({
  name: 'filings.certificate857',
  method: 'GET',
  path: '/api4/invoice/form857/{id}/pdf',
  access: { rule: 'filings.see' },
  file: true,
  input: z.object({ id: z.uuid(), year, language: z.enum(languages).default('he') }),
  output: z.any(),
  summary: 'Certificate 857 of a supplier: what he was paid and what was withheld in a year',
  errors: ['kit.notFound', 'filings.nothingToCertify', 'filings.differ', 'session.forbidden'],
})
export const certificates857 = defineEndpoint({
  name: 'filings.certificates857',
  method: 'GET',
  path: '/api4/invoiceexport/form857',
  access: { rule: 'filings.see' },
  file: true,
  input: byYear,
  output: z.any(),
  summary: 'The certificates 857 of all suppliers of a year, one archive',
  errors: ['filings.nothingToCertify', 'filings.differ', 'session.forbidden'],
})
export const send857 = defineEndpoint({
  name: 'filings.send857',
  method: 'POST',
  path: '/api4/invoice/form857/send',
  access: { rule: 'filings.make' },
  input: z.strictObject({
    year: z.number().int().min(2000).max(2200),
    supplierIds: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(500, { error: 'fields.range' }),
  }),
  output: z.object({ sent: z.number(), withoutMail: z.array(z.string()) }),
  summary: 'Sends suppliers their certificates 857 by mail',
  errors: ['filings.nothingToCertify', 'filings.differ', 'session.forbidden'],
})

const customer = z.object({
  customerId: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  withholdsFile: z.string().nullable(),
  receipts: z.number(),
  receivedAgorot: z.number(),
  withheldAgorot: z.number(),
  /** Of what was received, in basis points. */
  rateBp: z.number(),
  booksWithheldAgorot: z.number(),
  certificateAgorot: z.number().nullable(),
  gotDay: z.string().nullable(),
  state: z.enum(['missing', 'got', 'differs']),
})
export type WithholdingCustomer = z.output<typeof customer>

export const withheldByCustomers = defineEndpoint({
  name: 'filings.withheldByCustomers',
  method: 'GET',
  path: '/api4/invoice/withheldbycustomers',
  access: { rule: 'filings.see' },
  input: byYear,
  output: z.object({ year: z.number(), rows: z.array(customer), others: z.array(other) }),
  summary:
    'Tax that customers withheld from us in a year, with their certificates, from the receipts and from the books',
  errors: ['session.forbidden'],
})
export const keepCertificate = defineEndpoint({
  name: 'filings.keepCertificate',
  method: 'PUT',
  path: '/api4/invoice/withheldbycustomers/{customerId}',
  access: { rule: 'filings.make' },
  input: z.strictObject({
    customerId: z.uuid(),
    year: z.number().int().min(2000).max(2200),
    withheldAgorot: moneyValue.min(0, { error: 'fields.range' }),
    gotDate: dayValue,
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Writes down that a customer’s certificate of tax withheld came, and what it says',
  errors: ['kit.notFound'],
})
export const dropCertificate = defineEndpoint({
  name: 'filings.dropCertificate',
  method: 'DELETE',
  path: '/api4/invoice/withheldbycustomers/{customerId}',
  access: { rule: 'filings.make' },
  input: z.object({ customerId: z.uuid(), year }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Takes back that a customer’s certificate came',
  errors: ['kit.notFound'],
})

const headInput = z.strictObject({
  /** The branch of economy, four digits. */
  branch: z
    .string()
    .trim()
    .regex(/^\d{4}$/, { error: 'filings.branch' }),
  description: z
    .string()
    .trim()
    .max(50, { error: 'fields.tooLong' })
    .regex(/^[\x20-\x7e\u05d0-\u05ea]*$/, { error: 'filings.letters' }),
  businessKind: z.enum(['1', '2', '3', '4'], { error: 'fields.choice' }),
  method: z.enum(['1', '2'], { error: 'fields.choice' }),
  opinion: z.enum(['1', '2', '3', '4', '5', '6', '9'], { error: 'fields.choice' }),
  withBalanceSheet: z.boolean(),
  /**
   * Of a partnership: how many partners, and the share in its profit that is reported, in hundredths of a per
   * cent.
   */
  partners: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(998, { error: 'fields.range' })
    .nullable()
    .default(null),
  partnersShareBp: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(10_000, { error: 'fields.range' })
    .nullable()
    .default(null),
})
export type Head6111 = z.output<typeof headInput>

const formLine = z.object({
  code: z.number(),
  name: z.string(),
  amountAgorot: z.number(),
  isTotal: z.boolean(),
  /** The accounts the line is made of; each exact, while the line is in whole shekels. */
  accounts: z.array(z.object({ accountId: z.string(), account: z.string(), amountAgorot: z.number() })),
})
export const form6111 = defineEndpoint({
  name: 'filings.form6111',
  method: 'GET',
  path: '/api4/invoice/form6111',
  access: { rule: 'filings.see' },
  input: byYear,
  output: z.object({
    year: z.number(),
    profitAndLoss: z.array(formLine),
    taxAdjustment: z.array(formLine),
    balanceSheet: z.array(formLine),
    problems: z.array(
      z.object({
        code: z.enum(['noCode', 'unknownCode', 'wrongPart', 'negative']),
        accountId: z.string().nullable(),
        account: z.string().nullable(),
        line: z.number().nullable(),
        amountAgorot: z.number(),
      }),
    ),
    identities: z.array(
      z.object({
        name: z.enum(['balanced', 'stock', 'profit']),
        leftAgorot: z.number(),
        rightAgorot: z.number(),
        ok: z.boolean(),
      }),
    ),
    /** Accounts whose totals and whose entries disagree. */
    differences: z.array(
      z.object({
        accountId: z.string(),
        account: z.string(),
        sumsAgorot: z.number(),
        entriesAgorot: z.number(),
      }),
    ),
    head: headInput.nullable(),
    /** A partnership says its partners too. */
    isPartnership: z.boolean(),
    /** Totals for tax by code, in agorot of whole shekels. */
    adjustments: z.array(z.object({ code: z.number(), amountAgorot: z.number() })),
    /** What the books propose for them. */
    proposed: z.array(z.object({ code: z.number(), amountAgorot: z.number() })),
    adjustable: z.array(z.object({ code: z.number(), name: z.string() })),
  }),
  summary: 'Form 6111 of a tax year: its lines from the accounts, what cannot be placed, what must hold',
  errors: ['session.forbidden'],
})
export const keepHead6111 = defineEndpoint({
  name: 'filings.keepHead6111',
  method: 'PUT',
  path: '/api4/invoice/form6111',
  access: { rule: 'filings.make' },
  input: z.strictObject({
    year: z.number().int().min(2000).max(2200),
    head: headInput,
    adjustments: z
      .array(z.strictObject({ code: z.number().int(), amountAgorot: moneyValue }))
      .max(50, { error: 'fields.range' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Keeps the head of form 6111 and the adjustments for tax of a year',
  errors: ['filings.balanceSheetMust', 'session.forbidden'],
})
export const file6111 = defineEndpoint({
  name: 'filings.file6111',
  method: 'GET',
  path: '/api4/invoiceexport/form6111',
  access: { rule: 'filings.make' },
  file: true,
  input: byYear,
  output: z.any(),
  summary: 'The file of form 6111 by the authority’s layout',
  errors: [
    'filings.headMissing',
    'filings.balanceSheetMust',
    'filings.partnersMissing',
    'filings.identitiesFail',
    'session.forbidden',
  ],
})

const small = '/api4/invoice/smallbusiness'
const smallYear = z
  .number({ error: 'fields.need' })
  .int({ error: 'fields.range' })
  .min(2024, { error: 'fields.range' })
  .max(2200, { error: 'fields.range' })

const smallFigures = z.object({
  turnoverAgorot: z.number(),
  compensationAgorot: z.number(),
  wholeAgorot: z.number(),
  rateBp: z.number(),
  deductionAgorot: z.number(),
  otherPaymentsAgorot: z.number(),
  incomeAgorot: z.number(),
  withheldAgorot: z.number(),
})
export type SmallFigures = z.output<typeof smallFigures>

const smallPayment = z.object({
  id: z.string(),
  day: z.string(),
  kind: z.enum(smallPayments),
  amountAgorot: z.number(),
  withheldAgorot: z.number(),
  note: z.string(),
})
export type SmallPaymentRow = z.output<typeof smallPayment>

const filedStatement = z.object({
  id: z.string(),
  year: z.number(),
  filedDay: z.string(),
  reference: z.string(),
  filedBy: z.string().nullable(),
  figures: smallFigures,
})

export const smallBusiness = defineEndpoint({
  name: 'filings.smallBusiness',
  method: 'GET',
  path: small,
  access: { rule: 'filings.see' },
  input: z.object({
    year,
    /** Deductions of the ordinary method that the books do not hold, for the comparison. */
    otherDeductionsAgorot: queryNumber(
      z.int().min(0, { error: 'fields.range' }).max(100_000_000_000, { error: 'fields.range' }),
    ).optional(),
  }),
  output: z.object({
    year: z.number(),
    /** Only individuals may be small businesses. */
    isIndividual: z.boolean(),
    takes: z.boolean(),
    /** The first year, not before this one, from which the deduction may be taken. */
    mayTakeFrom: z.number(),
    elections: z.array(z.object({ fromYear: z.number(), takes: z.boolean() })),
    conditions: z.array(z.enum(smallConditions)),
    relativesBp: z.number().nullable(),
    /** Until when the expected turnover of the year is declared to the authority. */
    declareUntil: z.string(),
    dueDay: z.string(),
    isByRule: z.boolean(),
    isOver: z.boolean(),
    figures: smallFigures,
    ceilingAgorot: z.number().nullable(),
    ceilingState: z.enum(['within', 'near', 'passed', 'unknown']),
    /** The ordinary method: expenses by the books with the other deductions, and what is taxed. */
    expensesAgorot: z.number(),
    actualAgorot: z.number(),
    actualIncomeAgorot: z.number(),
    better: z.enum(['small', 'actual', 'same']),
    differenceAgorot: z.number(),
    months: z.array(z.object({ month: z.string(), agorot: z.number() })),
    payments: z.array(smallPayment),
    filed: filedStatement.nullable(),
    /** The statement was filed and its figures are different now. */
    changedSince: z.boolean(),
    /** Where documents and books part in the turnover of the year; while there are any it is not filed. */
    differences: z.number(),
  }),
  summary:
    'A small business (esek zair) in a tax year: its election, both methods compared, and the short statement',
  errors: ['session.forbidden'],
})

export const electSmall = defineEndpoint({
  name: 'filings.electSmall',
  method: 'PUT',
  path: small,
  access: { rule: 'filings.make' },
  input: z.strictObject({
    year: smallYear,
    takes: z.boolean({ error: 'fields.need' }),
    /** That all conditions hold; needed where the deduction is taken. */
    meetsConditions: z.boolean().optional(),
  }),
  output: z.object({ done: z.literal(true) }),
  summary:
    'Writes down that the business takes the fixed deduction of a small business from a tax year on, or no more',
  errors: ['filings.notIndividual', 'filings.smallBarred', 'filings.smallFiled', 'session.forbidden'],
})

export const getSmallPayment = defineEndpoint({
  name: 'filings.smallPayment',
  method: 'GET',
  path: `${small}/payments/{id}`,
  access: { rule: 'filings.see' },
  input: z.object({ id: z.uuid() }),
  output: smallPayment,
  summary: 'A payment that the statement of a small business names',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const addSmallPayment = defineEndpoint({
  name: 'filings.addSmallPayment',
  method: 'POST',
  path: `${small}/payments`,
  access: { rule: 'filings.make' },
  input: z.strictObject({
    date: dayValue,
    kind: z.enum(smallPayments, { error: 'fields.choice' }),
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }),
    withheldAgorot: moneyValue.min(0, { error: 'fields.range' }).default(0),
    note: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: smallPayment,
  summary:
    'Adds a payment for war damage, reserve duty, birth or pregnancy to the statement of a small business',
  errors: ['filings.smallFiled', 'session.forbidden'],
})
export const dropSmallPayment = defineEndpoint({
  name: 'filings.dropSmallPayment',
  method: 'DELETE',
  path: `${small}/payments/{id}`,
  access: { rule: 'filings.make' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Removes a payment from the statement of a small business',
  errors: ['kit.notFound', 'filings.smallFiled', 'session.forbidden'],
})

export const getSmallStatement = defineEndpoint({
  name: 'filings.smallStatement',
  method: 'GET',
  path: `${small}/statements/{id}`,
  access: { rule: 'filings.see' },
  input: z.object({ id: z.uuid() }),
  output: filedStatement,
  summary: 'A short statement as it was filed',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const smallStatementPdf = defineEndpoint({
  name: 'filings.smallStatementPdf',
  method: 'GET',
  path: `${small}/pdf`,
  access: { rule: 'filings.see' },
  file: true,
  input: z.object({ year, language: z.enum(languages).default('he') }),
  output: z.any(),
  summary:
    'The short statement of a small business as a PDF: as it was filed, or with the figures of the year as they are now',
  errors: ['filings.smallNotTaken', 'session.forbidden'],
})
export const fileSmallStatement = defineEndpoint({
  name: 'filings.fileSmallStatement',
  method: 'POST',
  path: `${small}/statements`,
  access: { rule: 'filings.make' },
  input: z.strictObject({
    year: smallYear,
    /** The day on which it was filed with the authority; today when absent. */
    date: dayValue.optional(),
    reference: z.string().trim().max(60, { error: 'fields.tooLong' }).default(''),
  }),
  output: filedStatement,
  summary: 'Writes down that the short statement of a year was filed, with the figures of that moment',
  errors: [
    'filings.smallNotTaken',
    'filings.smallYearOpen',
    'filings.smallPassed',
    'filings.smallFiled',
    'filings.differ',
    'session.forbidden',
  ],
})
export const reopenSmallStatement = defineEndpoint({
  name: 'filings.reopenSmallStatement',
  method: 'DELETE',
  path: `${small}/statements/{id}`,
  access: { rule: 'filings.make' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Reopens a filed short statement; it stays in the log',
  errors: ['kit.notFound', 'session.forbidden'],
})
