import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, number, ref, text } from '#kit/fields/field.ts'

/**
 * What can be held for a time: a kind of passes, a page where one subscribes, an item that is charged again
 * and again.
 */
export const packageKinds = ['pass', 'page', 'item'] as const
export const holdingKinds = ['pass', 'plan'] as const
/**
 * As the person who sells it sees it: to come, held, its end near, resting, something to be done first (money, a
 * decision), over.
 */
export const holdingStates = ['ahead', 'active', 'ending', 'paused', 'waiting', 'ended', 'cancelled'] as const
/** How it goes on: automatically, by setting its end later, or with a new one. */
export const renewals = ['itself', 'prolong', 'anew'] as const

const allow = { see: 'customers.see', change: 'customers.change' }
const screen = '/invoice/invoicecustomers/$id'

/** What customers can hold; each feature that sells such things brings its own. */
export const packages = defineResource({
  name: 'packages',
  table: 'packages',
  title: 'name',
  fields: { name: text({ computed: true }), kind: choice(packageKinds, { computed: true }) },
  list: { columns: ['name', 'kind'], filters: ['kind'], sort: ['name', 'asc'] },
  form: [],
  allow,
  screens: { list: '/invoice/invoicecustomers/all', form: '/invoice/invoicecustomers/all', card: screen },
})

/** Who holds what, from when to when, and what is left of it. */
export const holdings = defineResource({
  name: 'holdings',
  table: 'holdings',
  title: 'customerId',
  fields: {
    customerId: ref('customers', { computed: true }),
    packageId: ref('packages', { computed: true }),
    kind: choice(holdingKinds, { computed: true }),
    fromDay: day({ computed: true }),
    toDay: day({ computed: true }),
    left: number({ computed: true }),
    /** What is counted there. */
    leftOf: choice(['visits', 'charges', 'days'], { computed: true }),
    state: choice(holdingStates, { computed: true }),
    renewal: choice(renewals, { computed: true }),
  },
  extra: {
    /** The address of the thing itself. */
    open: z.string(),
  },
  list: {
    columns: ['customerId', 'packageId', 'fromDay', 'toDay', 'left', 'state', 'renewal'],
    filters: ['state', 'packageId', 'customerId', 'kind', 'fromDay', 'toDay', 'left', 'renewal'],
    sort: ['fromDay', 'desc'],
  },
  form: [],
  allow,
  screens: { list: '/invoice/invoicecustomers/all', form: '/invoice/invoicecustomers/all' },
})
export type HoldingRow = Row<typeof holdings> & {
  customerIdName: string | null
  packageIdName: string | null
}
