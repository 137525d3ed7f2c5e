import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { bookingShape } from '#features/calendar/bookings/endpoints.ts'
import { classShape, listClasses } from '#features/calendar/timetable/endpoints.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/trainerarea'
const own = { rule: 'calendar.own' }
const pay = { rule: 'calendar.pay' }
const done = z.object({ done: z.literal(true) })
const time = z
  .string({ error: 'fields.need' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'classes.notTime' })
const month = z.string().regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, { error: 'fields.day' })

export const trainerDay = defineEndpoint({
  name: 'trainerArea.day',
  method: 'GET',
  path: `${base}/day`,
  access: own,
  input: z.object({ day: dayValue.optional() }),
  output: z.object({
    trainer: z.object({ id: z.string(), name: z.string() }).nullable(),
    day: z.string(),
    rows: z.array(z.object({ row: classShape, people: z.array(bookingShape) })),
  }),
  summary: 'One’s own classes of a day with who is to come',
})
export const trainerWeek = defineEndpoint({
  name: 'trainerArea.classes',
  method: 'GET',
  path: `${base}/classes`,
  access: own,
  input: z.object({
    from: dayValue,
    to: dayValue,
    all: queryFlag.optional().describe('Of every trainer'),
  }),
  output: listClasses.output.extend({
    trainer: z.object({ id: z.string(), name: z.string() }).nullable(),
    trainers: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  summary: 'One’s own classes of some days, or everybody’s',
})
export const trainerMark = defineEndpoint({
  name: 'trainerArea.mark',
  method: 'POST',
  path: `${base}/mark`,
  access: own,
  input: z.strictObject({
    id: z.uuid(),
    state: z.enum(['came', 'missed', 'booked'], { error: 'fields.choice' }),
    override: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: bookingShape,
  summary: 'Marks who came to one’s own class',
  errors: ['kit.notFound', 'trainers.notYours', 'bookings.kept', 'bookings.refused'],
})
export const trainerTell = defineEndpoint({
  name: 'trainerArea.tell',
  method: 'POST',
  path: `${base}/tell`,
  access: own,
  input: z.strictObject({
    classId: z.uuid(),
    text: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(500, { error: 'fields.tooLong' }),
  }),
  output: z.object({ told: z.number() }),
  summary: 'Writes to everybody who is booked into one’s own class',
  errors: ['kit.notFound', 'trainers.notYours'],
})
export const trainerBlock = defineEndpoint({
  name: 'trainerArea.block',
  method: 'POST',
  path: `${base}/blocks`,
  access: own,
  input: z.strictObject({
    fromDay: dayValue,
    from: time,
    toDay: dayValue,
    to: time,
    why: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: done,
  summary: 'Says when one is away',
  errors: ['trainers.none', 'classes.backwards'],
})
export const trainerUnblock = defineEndpoint({
  name: 'trainerArea.unblock',
  method: 'DELETE',
  path: `${base}/blocks/{id}`,
  access: own,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'An absence of one’s own that is none',
  errors: ['kit.notFound', 'trainers.none'],
})

const swap = z.object({
  id: z.string(),
  state: z.enum(['asked', 'accepted', 'approved', 'refused', 'withdrawn']),
  fromName: z.string(),
  toName: z.string(),
  isMine: z.boolean(),
  isForMe: z.boolean(),
  className: z.string(),
  day: z.string(),
  at: z.string(),
  note: z.string(),
})
export type SwapView = z.output<typeof swap>
export const listSwaps = defineEndpoint({
  name: 'classSwaps.list',
  method: 'GET',
  path: '/api4/invoice/classswaps',
  access: own,
  input: z.object({}),
  output: z.object({ rows: z.array(swap) }),
  summary: 'Classes that are asked to change hands: one’s own, and all of them for whoever arranges classes',
})
export const askSwap = defineEndpoint({
  name: 'classSwaps.ask',
  method: 'POST',
  path: '/api4/invoice/classswaps',
  access: own,
  input: z.strictObject({
    classId: z.uuid(),
    toTrainer: z.uuid({ error: 'fields.need' }),
    note: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: swap,
  summary: 'Asks another trainer to take one’s class',
  errors: ['kit.notFound', 'trainers.notYours', 'trainers.swapOpen', 'fields.ref'],
})
export const answerSwap = defineEndpoint({
  name: 'classSwaps.answer',
  method: 'POST',
  path: '/api4/invoice/classswaps/{id}/answer',
  access: own,
  input: z.strictObject({
    id: z.uuid(),
    answer: z
      .enum(['accept', 'refuse', 'withdraw', 'approve'], { error: 'fields.choice' })
      .describe('approve is for whoever arranges classes, after it was accepted'),
  }),
  output: swap,
  summary: 'Accepts, refuses, takes back or approves; approved, the class changes hands',
  errors: [
    'kit.notFound',
    'trainers.notYours',
    'trainers.swapDecided',
    'classes.conflict',
    'session.forbidden',
  ],
})

const history = z.object({
  trainerId: z.string(),
  trainerName: z.string(),
  month: z.string(),
  rows: z.array(
    z.object({
      id: z.string(),
      day: z.string(),
      at: z.string(),
      name: z.string(),
      minutes: z.number(),
      booked: z.number(),
      came: z.number(),
      payAgorot: z.number().nullable(),
    }),
  ),
  classes: z.number(),
  came: z.number(),
  payAgorot: z.number().nullable(),
  payBy: z.enum(['class', 'head', 'hour']),
  /** What one class, one who came or one hour is paid by. */
  rateAgorot: z.number().nullable(),
  sheet: z.object({ expenseId: z.string().nullable(), agorot: z.number().nullable() }).nullable(),
})
export type TrainerMonth = z.output<typeof history>
export const trainerHistory = defineEndpoint({
  name: 'trainerArea.history',
  method: 'GET',
  path: `${base}/history`,
  access: own,
  input: z.object({
    month: month.optional(),
    trainerId: z.uuid().optional().describe('Another’s, for whoever may see what trainers are paid'),
  }),
  output: history,
  summary: 'The classes one gave in a month and what they come to',
  errors: ['trainers.none', 'trainers.notYours'],
})
export const listSheets = defineEndpoint({
  name: 'trainerPay.list',
  method: 'GET',
  path: '/api4/invoice/trainerpay',
  access: pay,
  input: z.object({ month: month.optional() }),
  output: z.object({ month: z.string(), rows: z.array(history.omit({ rows: true })) }),
  summary: 'What every trainer is to be paid for a month',
})
export const makeSheet = defineEndpoint({
  name: 'trainerPay.make',
  method: 'POST',
  path: '/api4/invoice/trainerpay',
  access: pay,
  input: z.strictObject({ trainerId: z.uuid(), month }),
  output: z.object({ expenseId: z.string(), agorot: z.number() }),
  summary: 'Makes a month of a trainer a bill of his that waits to be paid; once',
  errors: [
    'kit.notFound',
    'trainers.sheetMade',
    'trainers.needsSupplier',
    'trainers.monthOpen',
    'trainers.nothingDue',
  ],
})
