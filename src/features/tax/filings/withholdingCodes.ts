import { defineResource } from '#kit/describe/resource.ts'
import { day, number, percent, text } from '#kit/fields/field.ts'

/**
 * What is withheld by code when no certificate says otherwise: the law's own codes and rates, until the business enters
 * separate rates and names. Its rates begin on a day; payments before that day keep theirs, and without rates of the
 * business those of the law hold on each day. Reading shows what holds today.
 */
export const withholdingCodes = defineResource({
  name: 'withholdingcodes',
  table: 'withholding_codes',
  title: 'code',
  fields: {
    code: text({ computed: true }),
    name: text({ max: 120 }),
    rateBp: percent(),
    withoutBooksBp: percent(),
    /** From when the business's own rates hold; empty where the law's do. */
    fromDay: day(),
    kind856: text({ need: true, max: 2, column: 'kind856' }),
    suppliers: number({ computed: true }),
  },
  list: {
    columns: ['code', 'name', 'rateBp', 'withoutBooksBp', 'fromDay', 'kind856', 'suppliers'],
    filters: [],
    sort: ['code', 'asc'],
  },
  form: [{ section: 'identity', fields: ['name', 'rateBp', 'withoutBooksBp', 'fromDay', 'kind856'] }],
  allow: { see: 'filings.see', change: 'filings.make' },
  screens: { list: '/invoice/codemasmakor', form: '/invoice/codemasmakor' },
})
