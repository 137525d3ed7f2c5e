import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, email, flag, language, moment, number, phone, text } from '#kit/fields/field.ts'

/** How much an accountant sees. */
export const accessKinds = ['all', 'books', 'reports'] as const
export type Access = (typeof accessKinds)[number]

/** What the monthly package may hold, and the rule one needs to put it there. */
export const packageContents = {
  income: 'reports.sales',
  expenses: 'reports.expenses',
  vat: 'reports.tax',
  trialBalance: 'reports.accounting',
  generalLedger: 'reports.accounting',
  profitLoss: 'reports.accounting',
  debts: 'reports.debts',
  suppliers: 'reports.expenses',
  bills: 'expenses.see',
  uniform: 'uniform.export',
  documents: 'documents.see',
} as const
export type Content = keyof typeof packageContents
export const contentNames = Object.keys(packageContents) as [Content, ...Content[]]

/** The accountants of a business: guests with separate rights, and a package once a month. */
export const accountants = defineResource({
  name: 'accountants',
  table: 'accountants',
  title: 'name',
  hint: 'office',
  fields: {
    name: text({ need: true, max: 120 }),
    office: text({ max: 120, start: '' }),
    email: email({ need: true }),
    phone: phone({ start: '' }),
    language: language({ need: true }),
    access: choice(accessKinds, { need: true }),
    mayExpenses: flag({ need: true }),
    mayPost: flag({ need: true }),
    sendDay: number(),
    state: choice(['active', 'invited', 'blocked', 'gone'], { computed: true }),
    seenAt: moment({ computed: true }),
    /** When the last package went out. */
    sentAt: moment({ computed: true }),
  },
  extra: {
    contents: z.array(z.enum(contentNames)),
    /** The person in the business, or the invitation until it is accepted. */
    personId: z.uuid(),
    expiresAt: z.string().nullable(),
  },
  list: {
    columns: ['name', 'office', 'email', 'access', 'sendDay', 'state', 'seenAt'],
    filters: ['access'],
    sort: ['name', 'asc'],
  },
  form: [],
  allow: { see: 'accountant.see', change: 'accountant.change' },
  screens: { list: '/invoice/cpauser', form: '/invoice/editcpa', card: '/invoice/editcpa/$id/details' },
})

export type Accountant = Row<typeof accountants>
