import { defineResource } from '#kit/describe/resource.ts'
import { number, percent, text } from '#kit/fields/field.ts'

/**
 * What is withheld by code when no certificate says otherwise; the law's own codes, whose rates and names a
 * business may change.
 */
export const withholdingCodes = defineResource({
  name: 'withholdingcodes',
  table: 'withholding_codes',
  title: 'code',
  fields: {
    code: text({ computed: true }),
    name: text({ max: 120 }),
    rateBp: percent({ need: true }),
    withoutBooksBp: percent({ need: true }),
    kind856: text({ need: true, max: 2, column: 'kind856' }),
    suppliers: number({ computed: true }),
  },
  list: {
    columns: ['code', 'name', 'rateBp', 'withoutBooksBp', 'kind856', 'suppliers'],
    filters: [],
    sort: ['code', 'asc'],
  },
  form: [{ section: 'identity', fields: ['name', 'rateBp', 'withoutBooksBp', 'kind856'] }],
  allow: { see: 'filings.see', change: 'filings.make' },
  screens: { list: '/invoice/codemasmakor', form: '/invoice/codemasmakor' },
})
