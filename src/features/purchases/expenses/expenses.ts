import { paperNames, vatShareNames } from '#domain/vat/shares.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, day, flag, money, percent, ref, text } from '#kit/fields/field.ts'

export const states = ['draft', 'waiting', 'approved', 'rejected', 'cancelled'] as const
export const means = ['onCredit', 'bank', 'card', 'cash', 'cheque', 'owner'] as const
export const paidMeans = ['bank', 'card', 'cash', 'cheque', 'owner'] as const
export const cycles = ['monthly', 'twoMonthly', 'quarterly', 'yearly'] as const
export const sources = [
  'typed',
  'phone',
  'mail',
  'upload',
  'api',
  'import',
  'recurring',
  'document',
  'opening',
] as const

/** The supplier's bill as a resource; entering and approving are separate commands. */
export const expenses = defineResource({
  name: 'expenses',
  table: 'expenses',
  title: 'supplierNumber',
  fields: {
    day: day({ need: true }),
    supplierId: ref('suppliers'),
    supplierNumber: text({ max: 40 }),
    typeId: ref('expensetypes', { need: true }),
    details: text(),
    paper: choice(paperNames, { need: true }),
    state: choice(states, { need: true }),
    paid: choice(['paid', 'onTheWay', 'partly', 'open'], { computed: true }),
    means: choice(means, { need: true }),
    dueDay: day(),
    vatDay: day({ need: true }),
    allocationNumber: text(),
    currency: currency({ need: true }),
    // In the currency of the books, so that a column adds up.
    netAgorot: money({ computed: true, inShekels: true }),
    vatAgorot: money({ computed: true, inShekels: true }),
    totalAgorot: money({ computed: true, inShekels: true }),
    recognisedVatAgorot: money({ need: true, inShekels: true }),
    openAgorot: money({ need: true, inShekels: true }),
    hasPaper: flag({ computed: true }),
    source: choice(sources, { need: true }),
    // Of its lines the first that names one; its filter finds a bill by any of them.
    projectId: ref('projects', { computed: true }),
  },
  list: {
    columns: [
      'day',
      'supplierId',
      'supplierNumber',
      'typeId',
      'totalAgorot',
      'vatAgorot',
      'openAgorot',
      'state',
    ],
    filters: [
      'typeId',
      'supplierId',
      'state',
      'paid',
      'day',
      'totalAgorot',
      'vatDay',
      'dueDay',
      'paper',
      'means',
      'hasPaper',
      'source',
      'projectId',
    ],
    sort: ['day', 'desc'],
    totals: ['totalAgorot', 'vatAgorot', 'openAgorot'],
  },
  form: [],
  fromFiles: true,
  allow: { see: 'expenses.see', change: 'expenses.enter' },
  screens: {
    list: '/invoice/Expenses',
    form: '/invoice/Expenses/all/new',
    card: '/invoice/Expenses/all/$id',
  },
})

/** The kinds of expense of a business: the account of each and the part the law recognizes. */
export const expenseTypes = defineResource({
  name: 'expensetypes',
  table: 'expense_types',
  title: 'name',
  hint: 'accountNumber',
  fields: {
    name: text({ need: true, max: 120 }),
    accountId: ref('accounts', { need: true }),
    accountNumber: text({ computed: true }),
    vatShare: choice(vatShareNames, { need: true, start: 'full' }),
    incomeTaxBp: percent({ need: true, start: 10_000 }),
    isFixedAsset: flag({ start: false }),
    depreciationBp: percent({ start: 0 }),
    // Of this year, in the books.
    yearAgorot: money({ computed: true }),
  },
  list: {
    columns: ['name', 'accountId', 'vatShare', 'incomeTaxBp', 'depreciationBp', 'yearAgorot'],
    filters: ['vatShare', 'isFixedAsset'],
    sort: ['accountNumber', 'asc'],
    totals: ['yearAgorot'],
  },
  form: [
    { section: 'identity', fields: ['name', 'accountId'] },
    { section: 'law', fields: ['vatShare', 'incomeTaxBp', 'isFixedAsset', 'depreciationBp'] },
  ],
  allow: { see: 'expenses.see', change: 'expenses.settings' },
  screens: { list: '/invoice/expensetypes', form: '/invoice/expensetypes' },
})

/** Bills that come back: each waits for its paper. */
export const recurringExpenses = defineResource({
  name: 'recurringexpenses',
  table: 'recurring_expenses',
  title: 'name',
  fields: {
    name: text({ need: true, max: 120 }),
    supplierId: ref('suppliers', { need: true }),
    typeId: ref('expensetypes', { need: true }),
    totalAgorot: money({ need: true }),
    means: choice(means, { need: true, start: 'bank' }),
    cycle: choice(cycles, { need: true, start: 'monthly' }),
    firstDay: day({ need: true }),
    // Nothing is awaited after it.
    lastDay: day(),
    // Of those that came.
    lastAgorot: money({ computed: true }),
    nextDay: day({ computed: true }),
    waits: flag({ computed: true }),
  },
  list: {
    columns: ['name', 'supplierId', 'typeId', 'cycle', 'totalAgorot', 'nextDay', 'waits'],
    filters: ['waits', 'cycle', 'typeId', 'supplierId', 'nextDay', 'lastDay'],
    sort: ['nextDay', 'asc'],
    totals: ['totalAgorot'],
  },
  form: [
    {
      section: 'identity',
      fields: ['name', 'supplierId', 'typeId', 'totalAgorot', 'means', 'cycle', 'firstDay', 'lastDay'],
    },
  ],
  allow: { see: 'expenses.see', change: 'expenses.enter' },
  screens: { list: '/invoice/recurringexpenses', form: '/invoice/recurringexpenses' },
})

export type ExpenseRow = Row<typeof expenses> & { supplierIdName: string | null; typeIdName: string | null }
export type RecurringRow = Row<typeof recurringExpenses> & {
  supplierIdName: string | null
  typeIdName: string | null
}
