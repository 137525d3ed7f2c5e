import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, flag, moment, ref, text } from '#kit/fields/field.ts'

/** As people see a card: what is kept of it, and how long it runs. */
export const shownStates = ['active', 'expiring', 'expired', 'askAgain', 'replaced', 'removed'] as const
export type ShownState = (typeof shownStates)[number]

/** Cards that acquirers keep for customers; a number of one is nowhere here. */
export const savedCards = defineResource({
  name: 'savedCards',
  table: 'cards',
  title: 'last4',
  fields: {
    customerId: ref('customers', { computed: true }),
    brand: text({ computed: true }),
    last4: text({ computed: true, column: 'last4' }),
    /** The month it ends with, 'YYYY-MM'. */
    expiry: text({ computed: true }),
    isDefault: flag({ computed: true }),
    terminal: text({ computed: true }),
    state: choice(shownStates, { computed: true }),
    lastUsedAt: moment({ computed: true }),
    createdAt: moment({ computed: true }),
  },
  list: {
    columns: ['customerId', 'brand', 'last4', 'expiry', 'isDefault', 'terminal', 'lastUsedAt', 'state'],
    filters: ['state', 'customerId'],
    sort: ['createdAt', 'desc'],
  },
  form: [],
  allow: { see: 'savedCards.see', change: 'savedCards.change' },
  screens: { list: '/invoice/savecards', form: '/invoice/savecards' },
})
export type SavedCardRow = Row<typeof savedCards> & { customerIdName: string | null }
