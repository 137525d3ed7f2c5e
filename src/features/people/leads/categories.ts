import { defineResource, type Row } from '#kit/describe/resource.ts'
import { number, ref, text } from '#kit/fields/field.ts'

/** The tree that leads are sorted by: a region and its towns, a line of business and its parts. */
export const leadCategories = defineResource({
  name: 'leadCategories',
  table: 'categories',
  where: { kind: 'leads' },
  title: 'path',
  fields: {
    path: text({ computed: true }),
    name: text({ need: true, max: 80 }),
    parentId: ref('leadCategories'),
    leads: number({ computed: true }),
    depth: number({ computed: true }),
  },
  list: { columns: ['path', 'leads'], filters: ['parentId'], sort: ['path', 'asc'] },
  form: [{ section: 'facts', fields: ['name', 'parentId'] }],
  allow: { see: 'leads.see', change: 'leads.setUp' },
  screens: {
    list: '/invoice/leadcategories',
    form: '/invoice/leadcategories',
    card: '/invoice/leadcategories/$id',
  },
})
export type LeadCategory = Row<typeof leadCategories>
