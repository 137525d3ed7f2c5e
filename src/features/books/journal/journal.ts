import { defineResource, type Row } from '#kit/describe/resource.ts'
import { currency, day, money, price, ref, text, type Fields } from '#kit/fields/field.ts'

const prefix = '/api5/invoicecpa'

export const batchStates = ['open', 'checked', 'posted', 'dropped'] as const
export const batchKinds = ['typed', 'imported', 'opening', 'reversal'] as const

/** Kinds of movement: what a line of the grid begins with. */
export const movementKinds = defineResource({
  name: 'movementKinds',
  table: 'movement_kinds',
  prefix,
  title: 'name',
  hint: 'code',
  fields: {
    code: text({ need: true, max: 15 }),
    name: text({ need: true, max: 120 }),
    debitAccountId: ref('accounts'),
    creditAccountId: ref('accounts'),
    vatCodeId: ref('vatCodes'),
    details: text({ max: 200, start: '' }),
  },
  list: {
    columns: ['code', 'name', 'debitAccountId', 'creditAccountId', 'vatCodeId'],
    filters: ['debitAccountId', 'creditAccountId', 'vatCodeId'],
    sort: ['code', 'asc'],
  },
  form: [
    { section: 'facts', fields: ['code', 'name', 'details'] },
    { section: 'accounts', fields: ['debitAccountId', 'creditAccountId', 'vatCodeId'] },
  ],
  allow: { see: 'ledger.see', change: 'ledger.change' },
  unique: ['code'],
  screens: { list: '/invoice/typesaccounting', form: '/invoice/typesaccounting' },
})
export type MovementKind = Row<typeof movementKinds>

/**
 * Lines that are not posted yet, as a file brings them: one account to be debited, one to be credited, a sum.
 */
export const journalLines = defineResource({
  name: 'journalLines',
  table: 'journal_lines',
  prefix,
  title: 'title',
  fields: {
    // Many lines say the same; none is ever taken for another.
    title: text({ computed: true }),
    batchId: text({ computed: true }),
    day: day({ need: true }),
    valueDay: day(),
    reference: text({ max: 40, start: '' }),
    details: text({ max: 200, start: '' }),
    debitAccountId: ref('accounts'),
    creditAccountId: ref('accounts'),
    amountAgorot: money({ need: true }),
    vatCodeId: ref('vatCodes'),
    vatAgorot: money(),
    projectId: ref('projects'),
    // What the amount is in another currency.
    currency: currency(),
    foreignAgorot: money(),
  },
  list: {
    columns: ['day', 'reference', 'details', 'debitAccountId', 'creditAccountId', 'amountAgorot'],
    filters: ['day', 'debitAccountId', 'creditAccountId'],
    sort: ['day', 'desc'],
  },
  form: [
    {
      section: 'facts',
      fields: [
        'day',
        'valueDay',
        'reference',
        'details',
        'debitAccountId',
        'creditAccountId',
        'amountAgorot',
        'vatCodeId',
        'vatAgorot',
        'projectId',
        'currency',
        'foreignAgorot',
      ],
    },
  ],
  allow: { see: 'journal.enter', change: 'journal.enter' },
  screens: { list: '/invoice/manotlist', form: '/invoice/moveaccounting' },
})

const openingFields = <const Party extends 'customers' | 'suppliers'>(to: Party) => ({
  partyId: ref(to, { need: true }),
  number: text({ need: true, max: 40 }),
  day: day({ need: true }),
  dueDay: day(),
  // What is left to pay; negative for money or a credit that waits for a debt.
  amountAgorot: money({ need: true }),
  currency: currency({ start: 'ILS' }),
  // Of the books before; the rate of the opening's day when it is left open.
  rate: price(),
  ilsAgorot: money({ computed: true }),
})

/** Of an invoice to a customer, where the business reports VAT as it is paid. */
const vatFields = {
  // In the amount, and not reported to anybody yet.
  vatAgorot: money(),
  allocationNumber: text({ max: 30 }),
}

const openingItems = <const Party extends 'customers' | 'suppliers', More extends Fields>(
  name: string,
  role: 'customer' | 'supplier',
  to: Party,
  more: More,
) =>
  defineResource({
    name,
    table: 'opening_items',
    prefix,
    where: { role },
    title: 'number',
    fields: { ...openingFields(to), ...more },
    list: {
      columns: ['partyId', 'number', 'day', 'dueDay', 'amountAgorot', 'currency', 'ilsAgorot'],
      filters: ['partyId', 'day', 'dueDay', 'currency', 'amountAgorot'],
      sort: ['day', 'asc'],
    },
    form: [
      { section: 'facts', fields: ['partyId', 'number', 'day', 'dueDay'] },
      { section: 'sum', fields: ['amountAgorot', 'currency', 'rate', ...(Object.keys(more) as never[])] },
    ],
    allow: { see: 'journal.enter', change: 'journal.enter' },
    screens: { list: '/invoice/openingbalances', form: '/invoice/openingbalances' },
  })

/** What each customer owed when the books began here, paper by paper, until it is posted. */
export const openingCustomers = openingItems('openingCustomers', 'customer', 'customers', vatFields)
/** What each supplier was owed then. */
export const openingSuppliers = openingItems('openingSuppliers', 'supplier', 'suppliers', {})
