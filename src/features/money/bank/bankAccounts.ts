import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, day, money, number, ref, text } from '#kit/fields/field.ts'

/** The accounts the business has at banks; their statements are brought in here. */
export const bankAccounts = defineResource({
  name: 'bankaccounts',
  table: 'bank_accounts',
  title: 'name',
  hint: 'number',
  fields: {
    name: text({ need: true, max: 120 }),
    bankCode: number(),
    branch: text({ max: 4 }),
    number: text({ max: 20 }),
    currency: currency({ start: 'ILS' }),
    // The ordinary bank account of the books when nothing is said.
    accountId: ref('accounts'),
    // Of the last statement.
    balanceAgorot: money({ computed: true }),
    balanceDay: day({ computed: true }),
    ledgerAgorot: money({ computed: true }),
    // Lines that nobody has matched or booked yet.
    openLines: number({ computed: true }),
  },
  list: {
    columns: [
      'name',
      'bankCode',
      'branch',
      'number',
      'accountId',
      'balanceDay',
      'balanceAgorot',
      'ledgerAgorot',
      'openLines',
    ],
    filters: ['currency'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'identity', fields: ['name', 'bankCode', 'branch', 'number', 'currency'] },
    { section: 'books', fields: ['accountId'] },
  ],
  allow: { see: 'bank.see', change: 'bank.change' },
  screens: { list: '/invoice/banklist', form: '/invoice/banklist', card: '/invoice/banklist/$id' },
})
export type BankAccount = Row<typeof bankAccounts> & { accountIdName: string | null }

export const lineStates = ['open', 'matched', 'booked'] as const

/** What the bank says happened, line by line. */
export const bankLines = defineResource({
  name: 'banklines',
  table: 'bank_lines',
  title: 'text',
  fields: {
    bankAccountId: ref('bankaccounts', { need: true }),
    day: day({ need: true }),
    valueDay: day(),
    text: text({ need: true }),
    details: text(),
    reference: text(),
    amountAgorot: money({ need: true }),
    balanceAgorot: money(),
    // Of the account; amounts in another currency are shown with its sign.
    currency: currency({ computed: true }),
    state: choice(lineStates, { computed: true }),
    matchNumber: number({ computed: true }),
  },
  list: {
    columns: ['day', 'text', 'details', 'reference', 'amountAgorot', 'balanceAgorot', 'state'],
    filters: ['day', 'state', 'amountAgorot', 'bankAccountId'],
    sort: ['day', 'desc'],
    totals: ['amountAgorot'],
  },
  form: [],
  allow: { see: 'bank.see', change: 'bank.change' },
  screens: { list: '/invoice/banklist', form: '/invoice/banklist' },
})
export type BankLineRow = Row<typeof bankLines>
