import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, longText, money, ref, text } from '#kit/fields/field.ts'

/** A job with a budget: documents and expenses name it, and it says what is left. */
export const projects = defineResource({
  name: 'projects',
  table: 'projects',
  title: 'name',
  hint: 'number',
  fields: {
    name: text({ need: true, max: 200 }),
    number: text({ max: 20 }),
    customerId: ref('customers'),
    managerId: ref('agents'),
    fromDay: day(),
    toDay: day(),
    state: choice(['open', 'closed'], { start: 'open' }),
    budgetIncomeAgorot: money(),
    budgetExpenseAgorot: money(),
    notes: longText({ max: 4000 }),
    // Worked out from documents and expenses, before VAT, in shekels.
    incomeAgorot: money({ computed: true }),
    expenseAgorot: money({ computed: true }),
    profitAgorot: money({ computed: true }),
  },
  list: {
    columns: [
      'number',
      'name',
      'customerId',
      'toDay',
      'budgetIncomeAgorot',
      'incomeAgorot',
      'expenseAgorot',
      'profitAgorot',
      'state',
    ],
    filters: ['state', 'customerId', 'managerId', 'fromDay', 'toDay'],
    sort: ['name', 'asc'],
    totals: ['incomeAgorot', 'expenseAgorot', 'profitAgorot'],
  },
  form: [
    {
      section: 'identity',
      fields: ['name', 'number', 'customerId', 'managerId', 'fromDay', 'toDay', 'state'],
    },
    { section: 'budget', fields: ['budgetIncomeAgorot', 'budgetExpenseAgorot', 'notes'] },
  ],
  allow: { see: 'projects.see', change: 'projects.change' },
  unique: ['number'],
  screens: {
    list: '/invoice/projectItems',
    form: '/invoice/projectItems',
    card: '/invoice/projectItems/$id',
  },
})

export type Project = Row<typeof projects> & { customerIdName: string | null; managerIdName: string | null }
