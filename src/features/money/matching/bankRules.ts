import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, flag, ref, text } from '#kit/fields/field.ts'

export const ruleDeeds = ['fee', 'interest', 'transfer', 'account', 'receipt', 'supplier'] as const

/** What a line of the bank is whose text contains some words, as the business says. */
export const bankRules = defineResource({
  name: 'bankrules',
  table: 'bank_rules',
  title: 'contains',
  fields: {
    contains: text({ need: true, max: 100 }),
    direction: choice(['out', 'in', 'both'], { start: 'both' }),
    deed: choice(ruleDeeds, { need: true }),
    accountId: ref('accounts'),
    customerId: ref('customers'),
    supplierId: ref('suppliers'),
    bankAccountId: ref('bankaccounts'),
    automatic: flag({ start: false }),
  },
  list: {
    columns: ['contains', 'direction', 'deed', 'accountId', 'customerId', 'supplierId', 'automatic'],
    filters: ['deed', 'automatic'],
    sort: ['contains', 'asc'],
  },
  form: [
    { section: 'when', fields: ['contains', 'direction'] },
    {
      section: 'then',
      fields: ['deed', 'accountId', 'customerId', 'supplierId', 'bankAccountId', 'automatic'],
    },
  ],
  allow: { see: 'matching.see', change: 'matching.change' },
  screens: { list: '/invoice/bankrules', form: '/invoice/bankrules' },
})
export type BankRule = Row<typeof bankRules>
