import { defineResource, type Row } from '#kit/describe/resource.ts'
import { number, ref, text } from '#kit/fields/field.ts'

/**
 * The tree of item categories. A category is named by its full path, and the list follows the order of the tree.
 */
export const categories = defineResource({
  name: 'categories',
  table: 'categories',
  where: { kind: 'items' },
  title: 'path',
  fields: {
    path: text({ computed: true }),
    name: text({ need: true, max: 80 }),
    parentId: ref('categories'),
    itemCount: number({ computed: true }),
    depth: number({ computed: true }),
  },
  list: { columns: ['path', 'itemCount'], filters: ['parentId'], sort: ['path', 'asc'] },
  form: [{ section: 'facts', fields: ['name', 'parentId'] }],
  allow: { see: 'items.see', change: 'items.change' },
  screens: { list: '/invoice/categories', form: '/invoice/categories', card: '/invoice/categories/$id' },
})

export type Category = Row<typeof categories>
