import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { makerKinds, priorities } from './tasks.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/tasks'
const boardsBase = '/api4/invoice/boards'
const see = { rule: 'tasks.see' }
const change = { rule: 'tasks.change' }
const arrange = { rule: 'tasks.boards' }
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

/** A task as a board and a list show it. */
const card = z.object({
  id: z.string(),
  title: z.string(),
  boardId: z.string(),
  columnId: z.string(),
  rank: z.string(),
  version: z.number(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  createdBy: z.string(),
  dueDay: z.string().nullable(),
  dueTime: z.string().nullable(),
  priority: z.enum(priorities),
  repeat: z.string().nullable(),
  customerId: z.string().nullable(),
  customerName: z.string().nullable(),
  projectName: z.string().nullable(),
  leadName: z.string().nullable(),
  sumAgorot: z.number().nullable().describe('Of the document it names, where the caller sees that'),
  currency: z.string().nullable(),
  ticked: z.number(),
  items: z.number(),
  comments: z.number(),
  waits: z.boolean().describe('For another task that is not done'),
  doneAt: z.string().nullable(),
  madeKind: z.string().nullable(),
})
export type TaskCard = z.output<typeof card>

const column = z.object({
  id: z.string(),
  name: z.string(),
  limit: z.number().nullable(),
  isDone: z.boolean(),
})
export type BoardColumn = z.output<typeof column>
const board = z.object({
  id: z.string(),
  name: z.string(),
  lanes: z.enum(['none', 'owner', 'priority']),
  isMain: z.boolean(),
  columns: z.array(column),
})
export type TaskBoard = z.output<typeof board>

export const listBoards = defineEndpoint({
  name: 'boards.list',
  method: 'GET',
  path: boardsBase,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(board) }),
  summary: 'Boards with their columns; the main one first',
})
const boardGiven = z.strictObject({
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(60, { error: 'fields.tooLong' }),
  lanes: z.enum(['none', 'owner', 'priority'], { error: 'fields.choice' }).default('none'),
  columns: z
    .array(
      z.strictObject({
        id: z.uuid().optional().describe('Of a column that is there; without it a new one'),
        name: z
          .string({ error: 'fields.need' })
          .trim()
          .min(1, { error: 'fields.need' })
          .max(40, { error: 'fields.tooLong' }),
        limit: z
          .number()
          .int()
          .min(1, { error: 'fields.range' })
          .max(999, { error: 'fields.range' })
          .nullable()
          .default(null),
        isDone: z.boolean().default(false),
      }),
    )
    .min(2, { error: 'fields.need' })
    .max(12, { error: 'fields.range' }),
})
export const createBoard = defineEndpoint({
  name: 'boards.create',
  method: 'POST',
  path: boardsBase,
  access: arrange,
  input: boardGiven,
  output: board,
  summary: 'A board of one’s own: its columns, their limits, and which of them means done',
  errors: ['tasks.needsDone'],
})
export const changeBoard = defineEndpoint({
  name: 'boards.change',
  method: 'PUT',
  path: `${boardsBase}/{id}`,
  access: arrange,
  input: boardGiven.extend({ id: z.uuid() }),
  output: board,
  summary: 'Changes a board; a column that is left out must be empty',
  errors: ['kit.notFound', 'tasks.needsDone', 'tasks.columnNotEmpty'],
})
export const dropBoard = defineEndpoint({
  name: 'boards.drop',
  method: 'DELETE',
  path: `${boardsBase}/{id}`,
  access: arrange,
  input: byId,
  output: done,
  summary: 'Puts a board away; its open tasks go to the main one',
  errors: ['kit.notFound', 'tasks.mainBoard'],
})
export const boardCards = defineEndpoint({
  name: 'boards.cards',
  method: 'GET',
  path: `${boardsBase}/{id}/cards`,
  access: see,
  input: z.object({
    id: z.uuid(),
    ids: z.string().max(12_000).optional().describe('Only these, by ids with commas: what changed meanwhile'),
  }),
  output: z.object({ rows: z.array(card) }),
  summary: 'The cards of a board in their order; what was done more than two weeks ago is left out',
  errors: ['kit.notFound'],
})
export const moveTask = defineEndpoint({
  name: 'tasks.move',
  method: 'POST',
  path: `${base}/{id}/move`,
  access: change,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    version: z.number().int().describe('As it was seen'),
    columnId: z.uuid(),
    afterId: z
      .uuid()
      .nullable()
      .default(null)
      .describe('The card it stands after; at the top without one, when beforeId is named'),
    beforeId: z
      .uuid()
      .nullable()
      .default(null)
      .describe('The card it stands before; at the end when neither is named'),
  }),
  output: card,
  summary: 'Moves a card; whoever saw an older version is refused with the card as it is now',
  errors: ['kit.notFound', 'tasks.moved', 'tasks.columnFull'],
})
export const openTasks = defineEndpoint({
  name: 'tasks.open',
  method: 'GET',
  path: `${base}/open`,
  access: see,
  input: z.object({
    of: z.enum(['mine', 'waiting', 'all']).default('mine').describe('waiting: given by the caller to others'),
    customerId: z.uuid().optional(),
    leadId: z.uuid().optional(),
    documentId: z.uuid().optional(),
    q: z.string().max(100).optional(),
    done: queryFlag.optional().describe('Those that were done instead, the last first'),
  }),
  output: z.object({ rows: z.array(card), today: z.string() }),
  summary: 'Tasks as a person works through them, at most 500: by their day, then by their urgency',
})
export const quickTask = defineEndpoint({
  name: 'tasks.quick',
  method: 'POST',
  path: `${base}/quick`,
  access: change,
  forDrafts: true,
  input: z.strictObject({
    text: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' })
      .describe('"call Dana tomorrow at 10 @noa", in Hebrew or English'),
    columnId: z.uuid().optional(),
    boardId: z.uuid().optional(),
    customerId: z.uuid().optional(),
    leadId: z.uuid().optional(),
    documentId: z.uuid().optional(),
  }),
  output: card,
  summary: 'Makes a task of a line as people type it',
})
export const wholeTask = defineEndpoint({
  name: 'tasks.whole',
  method: 'GET',
  path: `${base}/{id}/whole`,
  access: see,
  input: byId,
  output: z.object({
    task: z.record(z.string(), z.any()),
    items: z.array(z.object({ id: z.string(), text: z.string(), done: z.boolean() })),
    comments: z.array(
      z.object({
        id: z.string(),
        by: z.string().nullable(),
        byId: z.string(),
        text: z.string(),
        at: z.string(),
      }),
    ),
    watchers: z.array(z.object({ id: z.string(), name: z.string() })),
    givenBy: z.string().nullable(),
  }),
  summary: 'A task with its list, what was said and who watches',
  errors: ['kit.notFound'],
})
export const finishTask = defineEndpoint({
  name: 'tasks.finish',
  method: 'POST',
  path: `${base}/{id}/finish`,
  access: change,
  forDrafts: true,
  input: z.strictObject({ id: z.uuid(), done: z.boolean().default(true) }),
  output: card,
  summary: 'Done, or open again; of what repeats the next one is made',
  errors: ['kit.notFound'],
})
export const commentTask = defineEndpoint({
  name: 'tasks.comment',
  method: 'POST',
  path: `${base}/{id}/comments`,
  // The person who sees a task may say a word to it.
  access: see,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    text: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(4000, { error: 'fields.tooLong' })
      .describe('@name tells that person'),
  }),
  output: z.object({ id: z.string(), mentioned: z.array(z.string()) }),
  summary: 'Says a word to a task; it cannot be changed',
  errors: ['kit.notFound'],
})
export const watchTask = defineEndpoint({
  name: 'tasks.watch',
  method: 'PUT',
  path: `${base}/{id}/watchers`,
  access: change,
  input: z.strictObject({ id: z.uuid(), people: z.array(z.uuid()).max(50, { error: 'fields.range' }) }),
  output: done,
  summary: 'Who hears of a task besides who does it',
  errors: ['kit.notFound'],
})
const itemText = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(300, { error: 'fields.tooLong' })
export const addItem = defineEndpoint({
  name: 'tasks.addItem',
  method: 'POST',
  path: `${base}/{id}/items`,
  access: change,
  forDrafts: true,
  input: z.strictObject({ id: z.uuid(), text: itemText }),
  output: z.object({ itemId: z.string() }),
  summary: 'A line to be ticked off within a task',
  errors: ['kit.notFound', 'kit.tooMuch'],
})
export const changeItem = defineEndpoint({
  name: 'tasks.changeItem',
  method: 'PATCH',
  path: `${base}/{id}/items/{itemId}`,
  access: change,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    itemId: z.uuid(),
    text: itemText.optional(),
    done: z.boolean().optional(),
  }),
  output: done,
  summary: 'Ticks a line off, or changes it',
  errors: ['kit.notFound'],
})
export const dropItem = defineEndpoint({
  name: 'tasks.dropItem',
  method: 'DELETE',
  path: `${base}/{id}/items/{itemId}`,
  access: change,
  input: z.object({ id: z.uuid(), itemId: z.uuid() }),
  output: done,
  summary: 'Takes a line out',
  errors: ['kit.notFound'],
})
const maker = z.object({
  kind: z.enum(makerKinds),
  isOn: z.boolean(),
  days: z.number(),
  ownerId: z.string().nullable(),
})
export type TaskMaker = z.output<typeof maker>
export const listMakers = defineEndpoint({
  name: 'tasks.makers',
  method: 'GET',
  path: `${base}/makers`,
  access: arrange,
  input: z.object({}),
  output: z.object({ rows: z.array(maker) }),
  summary: 'Which tasks the product makes by itself, after how many days and for whom',
})
export const setMaker = defineEndpoint({
  name: 'tasks.setMaker',
  method: 'PUT',
  path: `${base}/makers`,
  access: arrange,
  input: z.strictObject({
    kind: z.enum(makerKinds, { error: 'fields.choice' }),
    isOn: z.boolean(),
    days: z.number().int().min(0, { error: 'fields.range' }).max(365, { error: 'fields.range' }),
    ownerId: z.uuid().nullable(),
  }),
  output: maker,
  summary: 'Changes it',
})
export const feedState = defineEndpoint({
  name: 'tasks.feed',
  method: 'GET',
  path: `${base}/feed`,
  access: see,
  input: z.object({}),
  output: z.object({ since: z.string().nullable(), withNames: z.boolean() }),
  summary: 'Whether the caller has a calendar address',
})
export const makeFeed = defineEndpoint({
  name: 'tasks.makeFeed',
  method: 'POST',
  path: `${base}/feed`,
  access: see,
  input: z.strictObject({ withNames: z.boolean().default(false).describe('Names of customers too') }),
  output: z.object({ url: z.string() }),
  summary: 'A secret address of the caller’s tasks as a calendar; told once, and the one before ends',
})
export const endFeed = defineEndpoint({
  name: 'tasks.endFeed',
  method: 'DELETE',
  path: `${base}/feed`,
  access: see,
  input: z.object({}),
  output: done,
  summary: 'Ends the calendar address at once',
})
export const feedFile = defineEndpoint({
  name: 'tasks.feedFile',
  method: 'GET',
  path: '/api2/invoice/tasksfeed/{key}',
  access: 'key',
  input: z.object({ key: z.string().min(20).max(100) }),
  output: z.any(),
  file: true,
  summary: 'The tasks of whoever has the address, as iCalendar',
  errors: ['kit.notFound'],
})
const team = z.object({ id: z.string(), name: z.string(), members: z.array(z.string()) })
export type WorkTeam = z.output<typeof team>
export const listTeams = defineEndpoint({
  name: 'workTeams.list',
  method: 'GET',
  path: '/api4/invoice/workteams',
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(team) }),
  summary: 'Who works together: whoever may see the work of his teams sees that of these people',
})
export const saveTeam = defineEndpoint({
  name: 'workTeams.save',
  method: 'PUT',
  path: '/api4/invoice/workteams',
  access: { rule: 'workers.change' },
  input: z.strictObject({
    id: z.uuid().optional().describe('A new one without it'),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(60, { error: 'fields.tooLong' }),
    members: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(200, { error: 'fields.range' }),
  }),
  output: team,
  summary: 'Makes or changes a team',
  errors: ['kit.notFound'],
})
export const dropTeam = defineEndpoint({
  name: 'workTeams.drop',
  method: 'DELETE',
  path: '/api4/invoice/workteams/{id}',
  access: { rule: 'workers.change' },
  input: byId,
  output: done,
  summary: 'Ends a team',
  errors: ['kit.notFound'],
})
