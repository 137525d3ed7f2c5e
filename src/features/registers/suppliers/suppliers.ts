import { z } from 'zod'
import { withholdingCodes } from '#domain/withholding/kinds.ts'
import { withholdingStates } from '#domain/withholding/rate.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import {
  choice,
  day,
  email,
  flag,
  language,
  longText,
  moment,
  money,
  number,
  percent,
  phone,
  taxId,
  ref,
  text,
} from '#kit/fields/field.ts'

export const dealerKinds = [
  'licensed',
  'exempt',
  'company',
  'partnership',
  'nonProfit',
  'person',
  'foreign',
] as const

/** The supplier's bank account; changing a known one is a separate action. */
export { bankFields } from '#features/registers/parties/bank.ts'

/** For so long, people who look at a supplier or pay it are warned of a changed bank account. */
export const BANK_WARNING_DAYS = 30

export const suppliers = defineResource({
  name: 'suppliers',
  table: 'parties',
  where: { role: 'supplier' },
  title: 'name',
  hint: 'taxId',
  fields: {
    name: text({ need: true, max: 200 }),
    taxId: taxId(),
    dealerKind: choice(dealerKinds),
    // The supplier's key in another program.
    customKey: text({ max: 40 }),
    contact: text({ max: 120 }),
    email: email(),
    phone: phone(),
    mobile: phone(),
    street: text({ max: 120 }),
    city: text({ max: 80 }),
    zip: text({ max: 10 }),
    country: text({ max: 60 }),
    language: language({ start: 'he' }),
    // Kept as 'eom:30'; may be written as people do.
    dueTerms: text({ max: 60 }),
    // The usual kind of the supplier's bills.
    expenseTypeId: ref('expensetypes'),
    // Kept by the ledger; positive when we owe the supplier.
    balanceAgorot: money({ computed: true }),
    // Of the supplier's open bills.
    overdueAgorot: money({ computed: true }),
    dueDay: day({ computed: true }),
    withholdingKind: choice(withholdingCodes),
    incomeTaxFile: text({ max: 9 }),
    // Further details for the yearly return of tax withheld.
    occupation: text({ max: 60 }),
    assessingOffice: text({ max: 40 }),
    isPaResident: flag({ start: false }),
    // What the certificate of today says; nothing when none holds.
    withholdingBp: percent({ computed: true }),
    withholdingTo: day({ computed: true }),
    withholdingState: choice(withholdingStates, { computed: true }),
    bankCode: number(),
    bankBranch: text({ max: 3 }),
    bankAccount: text({ max: 20 }),
    bankAccountName: text({ max: 120 }),
    iban: text({ max: 42 }),
    bankChangedAt: moment({ computed: true }),
    notes: longText({ max: 4000 }),
    mergedIntoId: ref('suppliers', { computed: true, column: 'merged_into' }),
  },
  extra: {
    /** Those who turned out to be this one: their bills stand under their own ids for ever. */
    mergedIds: z.array(z.uuid()),
    /** The name of the person who last changed the bank account. */
    bankChangedBy: z.string().nullable(),
  },
  list: {
    columns: [
      'name',
      'taxId',
      'customKey',
      'phone',
      'withholdingBp',
      'withholdingTo',
      'dueDay',
      'balanceAgorot',
    ],
    filters: [
      'customKey',
      'withholdingState',
      'withholdingTo',
      'dueDay',
      'balanceAgorot',
      'dealerKind',
      'city',
    ],
    sort: ['name', 'asc'],
    totals: ['balanceAgorot'],
  },
  form: [
    { section: 'identity', fields: ['name', 'taxId', 'dealerKind', 'customKey'] },
    {
      section: 'contact',
      fields: ['contact', 'email', 'mobile', 'phone', 'street', 'city', 'zip', 'country', 'language'],
    },
    { section: 'terms', fields: ['dueTerms', 'expenseTypeId'] },
    {
      section: 'withholding',
      fields: ['withholdingKind', 'incomeTaxFile', 'occupation', 'assessingOffice', 'isPaResident'],
    },
    { section: 'bank', fields: ['bankCode', 'bankBranch', 'bankAccount', 'bankAccountName', 'iban'] },
    { section: 'notes', fields: ['notes'] },
  ],
  allow: { see: 'suppliers.see', change: 'suppliers.change' },
  search: 'search_suppliers',
  searchIn: ['name', 'taxId', 'email', 'phone', 'mobile', 'city', 'customKey'],
  unique: ['customKey', 'taxId'],
  screens: { list: '/invoice/suppliers', form: '/invoice/editsupplier', card: '/invoice/suppliers/$id' },
})

export type Supplier = Row<typeof suppliers>
