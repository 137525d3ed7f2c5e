import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, number, ref, text } from '#kit/fields/field.ts'
import { vatKinds } from './items.ts'

/** What a sale is to the books. An item and a line of a document may name one. */
export const incomeKinds = defineResource({
  name: 'incomeKinds',
  table: 'income_kinds',
  title: 'name',
  hint: 'code',
  fields: {
    name: text({ need: true, max: 100 }),
    // What another program or the accountant calls it.
    code: text({ max: 20 }),
    accountId: ref('accounts', { need: true }),
    vatKind: choice(vatKinds, { words: 'items.vatKind' }),
    itemCount: number({ computed: true }),
  },
  list: {
    columns: ['name', 'code', 'accountId', 'vatKind', 'itemCount'],
    filters: ['code', 'accountId', 'vatKind'],
    sort: ['name', 'asc'],
  },
  form: [{ section: 'facts', fields: ['name', 'code', 'accountId', 'vatKind'] }],
  allow: { see: 'items.see', change: 'items.change' },
  unique: ['name', 'code'],
  screens: { list: '/invoice/IncomeItems', form: '/invoice/IncomeItems' },
})

export type IncomeKind = Row<typeof incomeKinds> & { accountIdName: string | null }
