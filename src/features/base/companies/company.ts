import {
  choice,
  color,
  email,
  flag,
  language,
  longText,
  number,
  phone,
  ref,
  taxId,
  text,
} from '#kit/fields/field.ts'

export const businessKindNames = [
  'licensedDealer',
  'partnership',
  'company',
  'nonProfit',
  'exemptDealer',
] as const
/** Of keeping proper books, of withholding at source, and whatever else the authorities give. */
export const paperKinds = ['books', 'withholding', 'other'] as const
export const layouts = ['classic', 'modern', 'compact'] as const
export const roundings = ['none', 'whole', 'half'] as const

/**
 * The settings of a business, in the groups its screens show. Terms of payment are 'now', 'net:<days>' or
 * 'eom:<days>' (שוטף + days).
 */
export const companyFields = {
  name: text({ need: true, max: 120 }),
  kind: choice(businessKindNames, { need: true }),
  taxId: taxId({ need: true }),
  street: text({ max: 120 }),
  city: text({ max: 80 }),
  zip: text({ max: 10 }),
  phone: phone(),
  email: email(),
  website: text({ max: 120 }),
  vatPeriodMonths: number(),
  withholdingFile: text({ max: 9 }),
  incomeTaxOffice: text({ max: 80 }),
  incomeTaxFile: text({ max: 9 }),
  vatOffice: text({ max: 80 }),
  bankDetails: longText({ max: 500 }),
  // Of the account that money from abroad goes to.
  iban: text({ max: 42 }),
  swift: text({ max: 16 }),
  language: language({ need: true }),
  layout: choice(layouts, { need: true }),
  accent: color({ need: true }),
  rounding: choice(roundings, { need: true }),
  dueTerms: text({ need: true, max: 10 }),
  defaultVatKind: number(),
  textAbove: longText({ max: 2000 }),
  textBelow: longText({ max: 2000 }),
  mailSubject: text({ max: 200 }),
  mailText: longText({ max: 4000 }),
  backDating: flag(),
  showCreditLine: flag(),
  // Means of payment by name, in the order they are offered, by commas; all in the usual order when empty.
  receiptMeans: text({ max: 120 }),
  defaultCardBrand: text({ max: 30 }),
  // Where transfers land in the books; the first account of the bank when absent.
  transferAccountId: ref('accounts'),
  section46Text: longText({ max: 500, column: 'section46_text' }),
  thanksText: longText({ max: 500 }),
  phonePayment: longText({ max: 300 }),
} as const

export const companySections = [
  { section: 'identity', fields: ['name', 'kind', 'taxId'] },
  {
    section: 'tax',
    fields: ['vatPeriodMonths', 'vatOffice', 'incomeTaxOffice', 'incomeTaxFile', 'withholdingFile'],
  },
  {
    section: 'contact',
    fields: ['street', 'city', 'zip', 'phone', 'email', 'website', 'bankDetails', 'iban', 'swift'],
  },
  { section: 'paper', fields: ['language', 'layout', 'accent', 'showCreditLine'] },
  {
    section: 'documents',
    fields: ['defaultVatKind', 'dueTerms', 'rounding', 'backDating', 'textAbove', 'textBelow'],
  },
  {
    section: 'receipts',
    fields: [
      'receiptMeans',
      'defaultCardBrand',
      'transferAccountId',
      'section46Text',
      'thanksText',
      'phonePayment',
    ],
  },
  { section: 'mail', fields: ['mailSubject', 'mailText'] },
] as const
