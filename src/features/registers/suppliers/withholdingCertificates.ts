import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, flag, money, percent, ref, text } from '#kit/fields/field.ts'

/** What the tax authority says is to be withheld from a supplier, and until when. */
export const withholdingCertificates = defineResource({
  name: 'withholdingCertificates',
  table: 'withholding_certificates',
  title: 'fromDay',
  fields: {
    supplierId: ref('suppliers', { need: true, column: 'party_id' }),
    fromDay: day({ need: true }),
    toDay: day({ need: true }),
    // Nothing: the authority says there is none, and only the approval of the books is known.
    rateBp: percent(),
    ceilingAgorot: money(),
    booksValid: flag({ start: true }),
    booksToDay: day(),
    notes: text({ max: 500 }),
    // A file of the business, kept with the supplier's.
    fileId: text({ max: 36 }),
    source: choice(['manual', 'system1000'], { computed: true }),
  },
  list: {
    columns: ['fromDay', 'toDay', 'rateBp', 'ceilingAgorot', 'source', 'booksValid', 'booksToDay', 'fileId'],
    filters: ['supplierId', 'toDay'],
    sort: ['fromDay', 'desc'],
  },
  form: [
    { section: 'rate', fields: ['fromDay', 'toDay', 'rateBp', 'ceilingAgorot'] },
    { section: 'books', fields: ['booksValid', 'booksToDay'] },
    { section: 'paper', fields: ['fileId', 'notes'] },
  ],
  allow: { see: 'suppliers.see', change: 'suppliers.change' },
  screens: { list: '/invoice/suppliers', form: '/invoice/suppliers' },
})

export type Certificate = Row<typeof withholdingCertificates>
