import { choice, flag, money, ref, text } from '#kit/fields/field.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'

/**
 * The chart of accounts. A customer's or supplier's card is a party on its control account, not an account of
 * its own.
 */
export const accounts = defineResource({
  name: 'accounts',
  table: 'accounts',
  prefix: '/api5/invoicecpa',
  title: 'name',
  hint: 'number',
  fields: {
    number: text({ need: true, max: 15 }),
    name: text({ need: true, max: 120 }),
    kind: choice(['asset', 'liability', 'equity', 'income', 'expense'], { need: true }),
    cardKindId: ref('cardKinds'),
    sortCode: text({ max: 15, start: '' }),
    code6111: text({ max: 4, start: '', column: 'code6111' }),
    // Of income only: gains, interest and the like, on which no advances are paid.
    outsideTurnover: flag(),
    // Kept by the ledger: what moved this year to this day, and the balance.
    debitAgorot: money({ computed: true }),
    creditAgorot: money({ computed: true }),
    balanceAgorot: money({ computed: true }),
  },
  list: {
    columns: ['number', 'name', 'kind', 'cardKindId', 'sortCode', 'balanceAgorot'],
    filters: ['kind', 'cardKindId', 'sortCode', 'code6111', 'outsideTurnover'],
    sort: ['number', 'asc'],
  },
  form: [
    { section: 'identity', fields: ['number', 'name', 'kind', 'cardKindId'] },
    { section: 'statements', fields: ['sortCode', 'code6111', 'outsideTurnover'] },
  ],
  allow: { see: 'ledger.see', change: 'ledger.change' },
  unique: ['number'],
  screens: {
    list: '/invoice/cardskarteset',
    form: '/invoice/cardskarteset',
    card: '/invoice/cardskarteset/$id',
  },
})

export type AccountRow = Row<typeof accounts>
