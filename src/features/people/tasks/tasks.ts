import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, flag, longText, moment, number, ref, text } from '#kit/fields/field.ts'

export const priorities = ['high', 'normal', 'low'] as const
export type Priority = (typeof priorities)[number]
/** The kinds of tasks the product creates automatically. */
export const makerKinds = [
  'quoteUnanswered',
  'chequeToDeposit',
  'certificateEnding',
  'allocationMissing',
  'orderFailing',
  'treatmentDue',
] as const
export type MakerKind = (typeof makerKinds)[number]

/** Something somebody has to do, perhaps by a day, perhaps about a customer, a document or a lead. */
export const tasks = defineResource({
  name: 'tasks',
  table: 'tasks',
  title: 'title',
  hint: 'dueDay',
  fields: {
    title: text({ need: true, max: 300 }),
    ownerId: ref('agents'),
    dueDay: day(),
    // 'HH:MM'
    dueTime: text({ max: 5 }),
    priority: choice(priorities, { start: 'normal' }),
    customerId: ref('customers'),
    projectId: ref('projects'),
    leadId: ref('leads'),
    documentId: ref('documents'),
    expenseId: ref('expenses'),
    // Created again automatically: 'week:2'.
    repeat: text({ max: 10 }),
    repeatWhen: choice(['done', 'day'], { start: 'done' }),
    repeatFrom: choice(['rule', 'done'], { start: 'rule' }),
    remindMinutes: number(),
    waitsForId: ref('tasks'),
    notes: longText({ max: 10_000 }),
    isDone: flag({ computed: true }),
    doneAt: moment({ computed: true }),
    boardId: ref('boards', { computed: true }),
    columnId: ref('boardColumns', { computed: true }),
    rank: text({ computed: true }),
    version: number({ computed: true }),
    madeKind: choice(makerKinds, { computed: true }),
  },
  extra: {
    /** People who follow it besides its owner. */
    watchers: z.array(z.uuid()),
    createdBy: z.uuid().nullable(),
    /** What made it, where no person did. */
    madeFor: z.string().nullable(),
  },
  list: {
    columns: ['title', 'ownerId', 'dueDay', 'priority', 'customerId', 'isDone'],
    filters: [
      'ownerId',
      'dueDay',
      'priority',
      'customerId',
      'projectId',
      'leadId',
      'documentId',
      'isDone',
      'madeKind',
    ],
    sort: ['dueDay', 'asc'],
  },
  form: [
    { section: 'what', fields: ['title', 'ownerId', 'dueDay', 'dueTime', 'priority', 'notes'] },
    {
      section: 'about',
      fields: ['customerId', 'projectId', 'leadId', 'documentId', 'expenseId', 'waitsForId'],
    },
    { section: 'again', fields: ['repeat', 'repeatWhen', 'repeatFrom', 'remindMinutes'] },
  ],
  allow: { see: 'tasks.see', change: 'tasks.change' },
  screens: { list: '/invoice/alltasks', form: '/invoice/alltasks', card: '/invoice/alltasks?task=$id' },
})

export type Task = Row<typeof tasks> & { ownerIdName: string | null; customerIdName: string | null }
