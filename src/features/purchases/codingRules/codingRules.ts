import { vatShareNames } from '#domain/vat/shares.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, number, ref, text } from '#kit/fields/field.ts'

/** How bills are coded before a person looks: the supplier, or words in the bill, decide. */
export const codingRules = defineResource({
  name: 'codingrules',
  table: 'coding_rules',
  title: 'name',
  fields: {
    name: text({ need: true, max: 120 }),
    supplierId: ref('suppliers'),
    contains: text({ max: 80, start: '' }),
    typeId: ref('expensetypes', { need: true }),
    vatShare: choice(vatShareNames, { words: 'expensetypes.vatShare' }),
    projectId: ref('projects'),
    place: number({ need: true, start: 100 }),
  },
  list: {
    columns: ['place', 'name', 'supplierId', 'contains', 'typeId', 'vatShare', 'projectId'],
    filters: ['supplierId', 'typeId', 'projectId'],
    sort: ['place', 'asc'],
  },
  form: [
    { section: 'when', fields: ['name', 'supplierId', 'contains'] },
    { section: 'then', fields: ['typeId', 'vatShare', 'projectId'] },
    { section: 'order', fields: ['place'] },
  ],
  searchIn: ['contains'],
  allow: { see: 'expenses.see', change: 'codingRules.change' },
  screens: { list: '/invoice/codingrules', form: '/invoice/codingrules' },
})
export type CodingRule = Row<typeof codingRules>
