import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, color, flag, longText, number, percent, ref, tags, text } from '#kit/fields/field.ts'

/* What customers are sorted by, and the fields a business invents for them. */

const allow = { see: 'customers.see', change: 'customers.change' }
const at = (path: string) => ({ list: path, form: path })

export const customerTypes = defineResource({
  name: 'customerTypes',
  table: 'customer_types',
  title: 'name',
  fields: {
    name: text({ need: true, max: 60 }),
    discountBp: percent({ start: 0 }),
    // Kept as 'eom:30'; may be written as people do.
    dueTerms: text({ max: 60 }),
    // Set by a call of the prices, which require a separate right.
    priceListId: ref('priceLists', { computed: true }),
    customers: number({ computed: true }),
  },
  list: {
    columns: ['name', 'discountBp', 'dueTerms', 'priceListId', 'customers'],
    filters: [],
    sort: ['name', 'asc'],
  },
  form: [{ section: 'main', fields: ['name', 'discountBp', 'dueTerms'] }],
  allow,
  unique: ['name'],
  screens: at('/invoice/CustomersTypes'),
})

export const customerStatuses = defineResource({
  name: 'customerStatuses',
  table: 'customer_statuses',
  title: 'name',
  fields: {
    name: text({ need: true, max: 40 }),
    color: color({ start: '#5b6660' }),
    position: number({ computed: true }),
    customers: number({ computed: true }),
  },
  list: { columns: ['name', 'color', 'customers'], filters: [], sort: ['position', 'asc'] },
  form: [{ section: 'main', fields: ['name', 'color'] }],
  allow,
  unique: ['name'],
  screens: at('/invoice/customerstatuses'),
})

export const portfolios = defineResource({
  name: 'portfolios',
  table: 'portfolios',
  title: 'name',
  fields: {
    name: text({ need: true, max: 80 }),
    agentId: ref('agents'),
    notes: longText({ max: 1000 }),
    customers: number({ computed: true }),
  },
  list: { columns: ['name', 'agentId', 'customers'], filters: ['agentId'], sort: ['name', 'asc'] },
  form: [{ section: 'main', fields: ['name', 'agentId', 'notes'] }],
  allow,
  unique: ['name'],
  screens: at('/invoice/portfolio'),
})

/** A field a business invents for its customers; the values stand under its id. */
export const customerFields = defineResource({
  name: 'customerFields',
  table: 'customer_fields',
  title: 'name',
  fields: {
    name: text({ need: true, max: 60 }),
    kind: choice(['text', 'number', 'day', 'choice', 'flag'], { need: true, start: 'text' }),
    choices: tags(),
    needed: flag({ start: false }),
    position: number({ computed: true }),
  },
  list: { columns: ['name', 'kind', 'choices', 'needed'], filters: [], sort: ['position', 'asc'] },
  form: [{ section: 'main', fields: ['name', 'kind', 'choices', 'needed'] }],
  allow,
  unique: ['name'],
  screens: at('/invoice/customerfields'),
})

export type CustomerField = Row<typeof customerFields>

/** Who may be in charge of a customer: the members of the business, by name alone. */
export const agents = defineResource({
  name: 'agents',
  table: 'agents',
  title: 'name',
  fields: { name: text({ need: true }) },
  list: { columns: ['name'], filters: [], sort: ['name', 'asc'] },
  form: [],
  allow,
  screens: at('/invoice/portfolio'),
})
