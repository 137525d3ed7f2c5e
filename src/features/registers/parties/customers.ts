import { z } from 'zod'
import { exemptGrounds, zeroGrounds } from '#domain/vat/grounds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import {
  choice,
  currency,
  day,
  email,
  flag,
  language,
  longText,
  moment,
  money,
  number,
  own,
  percent,
  phone,
  ref,
  tags,
  taxId,
  text,
} from '#kit/fields/field.ts'

/** How a customer agreed to get documents by electronic means. */
export const consentWays = ['paper', 'mail', 'phone', 'registered', 'signed'] as const

// example: resource
export const customers = defineResource({
  name: 'customers',
  table: 'parties',
  where: { role: 'customer' },
  // example end
  title: 'name',
  hint: 'taxId',
  fields: {
    name: text({ need: true, max: 200 }),
    nameOnDocument: text({ max: 200 }),
    taxId: taxId(),
    isDealer: flag({ start: false }),
    // The customer's key in another program.
    customKey: text({ max: 40 }),
    contact: text({ max: 120 }),
    email: email(),
    phone: phone(),
    mobile: phone(),
    street: text({ max: 120 }),
    city: text({ max: 80 }),
    zip: text({ max: 10 }),
    country: text({ max: 60 }),
    // Brings language, currency and zero rate to new documents.
    isAbroad: flag({ start: false }),
    currency: currency(),
    zeroGround: choice(zeroGrounds),
    // Named by documents with exempt lines.
    exemptGround: choice(exemptGrounds),
    hidesIls: flag({ start: false }),
    language: language({ start: 'he' }),
    // The electronic invoice goes along with the mail.
    einvoiceXml: flag({ start: false }),
    typeId: ref('customerTypes'),
    statusId: ref('customerStatuses'),
    portfolioId: ref('portfolios'),
    agentId: ref('agents'),
    tags: tags(),
    // Kept as 'eom:30'; may be written as people do.
    dueTerms: text({ max: 60 }),
    // example: resource
    creditLimitAgorot: money(),
    zeroRate: flag({ start: false }),
    // example end
    withholdsBp: percent(),
    withholdsUntil: day(),
    withholdsFile: text({ max: 9 }),
    // Where a refund goes to and a debit comes from.
    bankCode: number(),
    bankBranch: text({ max: 3 }),
    bankAccount: text({ max: 20 }),
    bankAccountName: text({ max: 120 }),
    iban: text({ max: 42 }),
    // Nothing new is issued to the customer; what is owed may be paid.
    blocked: flag({ start: false }),
    blockedReason: text({ max: 200 }),
    notes: longText({ max: 4000 }),
    own: own(),
    // Kept by the ledger, so nobody types it in.
    balanceAgorot: money({ computed: true, inShekels: true }),
    aboveLimitAgorot: money({ computed: true }),
    lastDocumentDay: day({ computed: true }),
    source: choice(['entered', 'registered', 'imported'], { computed: true }),
    // Given and withdrawn by separate calls, which keep how and by whom.
    consentAt: moment({ computed: true }),
    consentHow: choice(consentWays, { computed: true }),
    consentBy: text({ computed: true }),
    mergedIntoId: ref('customers', { computed: true, column: 'merged_into' }),
  },
  extra: {
    /** Those who turned out to be this one: their papers stand under their own ids for ever. */
    mergedIds: z.array(z.uuid()),
    statusColor: z.string().nullable(),
    /** Of the customer's type: the terms and the discount of a customer who has none. */
    typeDueTerms: z.string().nullable(),
    typeDiscountBp: z.number().int().nullable(),
  },
  list: {
    columns: [
      'name',
      'taxId',
      'customKey',
      'phone',
      'typeId',
      'statusId',
      'tags',
      'lastDocumentDay',
      'balanceAgorot',
    ],
    filters: [
      'statusId',
      'typeId',
      'portfolioId',
      'agentId',
      'tags',
      'city',
      'isDealer',
      'isAbroad',
      'customKey',
      'blocked',
      'balanceAgorot',
      'lastDocumentDay',
      'source',
      'language',
      'consentAt',
    ],
    sort: ['name', 'asc'],
    totals: ['balanceAgorot'],
  },
  form: [
    { section: 'identity', fields: ['name', 'taxId', 'isDealer', 'nameOnDocument', 'customKey'] },
    {
      section: 'contact',
      fields: ['contact', 'email', 'mobile', 'phone', 'street', 'city', 'zip', 'einvoiceXml'],
    },
    {
      section: 'abroad',
      fields: ['isAbroad', 'country', 'language', 'currency', 'zeroRate', 'zeroGround', 'hidesIls'],
    },
    { section: 'sorting', fields: ['typeId', 'statusId', 'portfolioId', 'agentId', 'tags'] },
    {
      section: 'terms',
      fields: [
        'dueTerms',
        'creditLimitAgorot',
        'exemptGround',
        'withholdsBp',
        'withholdsUntil',
        'withholdsFile',
        'blocked',
        'blockedReason',
        'notes',
      ],
    },
    { section: 'bank', fields: ['bankCode', 'bankBranch', 'bankAccount', 'bankAccountName', 'iban'] },
    { section: 'own', fields: ['own'] },
  ],
  allow: { see: 'customers.see', change: 'customers.change' },
  search: 'search_customers',
  searchIn: ['name', 'nameOnDocument', 'taxId', 'email', 'phone', 'mobile', 'city', 'customKey'],
  unique: ['customKey', 'taxId'],
  screens: {
    list: '/invoice/InvoiceCustomers',
    form: '/invoice/InvoiceEditCustomers',
    card: '/invoice/invoiceCustomer/$id/details',
  },
})

export type Customer = Row<typeof customers>
