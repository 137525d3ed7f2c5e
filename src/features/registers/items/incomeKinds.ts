import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, number, ref, text } from '#kit/fields/field.ts'
import { vatKinds } from './items.ts'

/** What a sale is to the books. An item and a line of a document may name one. */
export const incomeKinds = defineResource({
  name: 'incomeKinds',
  table: 'income_kinds',
  title: 'name',
  fields: {
    name: text({ need: true, max: 100 }),
    accountId: ref('accounts', { need: true }),
    vatKind: choice(vatKinds, { words: 'items.vatKind' }),
    itemCount: number({ computed: true }),
  },
  list: { columns: ['name', 'accountId', 'vatKind', 'itemCount'], filters: ['accountId', 'vatKind'], sort: ['name', 'asc'] },
  form: [{ section: 'facts', fields: ['name', 'accountId', 'vatKind'] }],
  allow: { see: 'items.see', change: 'items.change' },
  unique: ['name'],
  screens: { list: '/invoice/IncomeItems', form: '/invoice/IncomeItems' },
})

export type IncomeKind = Row<typeof incomeKinds> & { accountIdName: string | null }
