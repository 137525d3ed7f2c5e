import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, languageValue, moneyValue } from '#kit/fields/schema.ts'
import { askErrors, askValues } from '#features/sales/signing/shapes.ts'
import { passShape } from '#features/calendar/passes/endpoints.ts'
import { classShape } from '#features/calendar/timetable/endpoints.ts'

const base = '/api4/invoice/classbookings'
const see = { rule: 'calendar.see' }
const desk = { rule: 'calendar.desk' }
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

export const bookingStates = [
  'held',
  'booked',
  'waiting',
  'offered',
  'cancelled',
  'late',
  'came',
  'missed',
] as const
export const refusals = ['banned', 'noPass', 'renewal', 'debt', 'health', 'frozen', 'strikes'] as const
export type Refusal = (typeof refusals)[number]

export const bookingShape = z.object({
  id: z.string(),
  classId: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  phone: z.string().nullable(),
  customerKey: z.string().nullable().describe('His key, as it may stand on a card of his'),
  state: z.enum(bookingStates),
  pays: z.enum(['price', 'pass', 'group', 'free']),
  passName: z.string().nullable(),
  passLeft: z.number().nullable(),
  priceAgorot: z.number().nullable(),
  feeAgorot: z.number().nullable(),
  isPaid: z.boolean(),
  documentId: z.string().nullable(),
  documentType: z.number().nullable(),
  byWay: z.string(),
  place: z.number().nullable().describe('In the queue, of whoever waits'),
  untilAt: z.string().nullable(),
  cameAt: z.string().nullable(),
  bookedAt: z.string(),
  refusals: z.array(z.enum(refusals)).describe('What would stand in the way at the desk'),
  notes: z.string(),
})
export type BookingView = z.output<typeof bookingShape>

export const classPeople = defineEndpoint({
  name: 'bookings.ofClass',
  method: 'GET',
  path: '/api4/invoice/classes/{id}/people',
  access: see,
  input: byId,
  output: z.object({ row: classShape, people: z.array(bookingShape), gone: z.array(bookingShape) }),
  summary: 'Who is booked into a class, who waits, and who cancelled',
  errors: ['kit.notFound'],
})
export const getBooking = defineEndpoint({
  name: 'bookings.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: byId,
  output: bookingShape,
  summary: 'One booking',
  errors: ['kit.notFound'],
})
export const bookingClash = defineEndpoint({
  name: 'bookings.clash',
  method: 'GET',
  path: '/api4/invoice/classes/{id}/clash',
  access: desk,
  input: z.object({ id: z.uuid(), customerId: z.uuid() }),
  output: z.object({
    rows: z.array(z.object({ classId: z.string(), name: z.string(), at: z.string(), to: z.string() })),
  }),
  summary: 'What somebody has booked at the time of a class; nothing is kept',
  errors: ['kit.notFound'],
})
export const makeBooking = defineEndpoint({
  name: 'bookings.make',
  method: 'POST',
  path: base,
  access: desk,
  input: z.strictObject({
    classId: z.uuid(),
    customerId: z.uuid({ error: 'fields.need' }),
    pays: z
      .enum(['auto', 'price', 'pass', 'free'], { error: 'fields.choice' })
      .default('auto')
      .describe('auto: by the pass that ends first, or by its price'),
    passId: z.uuid().optional(),
    wait: z.boolean().default(false).describe('Onto the waiting list where it is full'),
    came: z.boolean().default(false).describe('He stands at the desk'),
    override: z
      .string()
      .trim()
      .max(200, { error: 'fields.tooLong' })
      .default('')
      .describe('Why he is let in although something stands in the way'),
    clientId: z.uuid().optional().describe('Of a press without a network: known again, it is done once'),
  }),
  output: bookingShape,
  summary: 'Books somebody into a class: one seat, once',
  errors: [
    'kit.notFound',
    'fields.ref',
    'bookings.full',
    'bookings.twice',
    'bookings.isOver',
    'bookings.refused',
    'classes.isCancelled',
    'passes.notHis',
    'passes.noneLeft',
  ],
})
export const cancelBooking = defineEndpoint({
  name: 'bookings.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  access: desk,
  input: z.strictObject({
    id: z.uuid(),
    waive: z.boolean().default(false).describe('Late, and yet without a fee and with the visit given back'),
  }),
  output: bookingShape,
  summary: 'Cancels a booking by the rule of its kind; the first who waits is offered the seat',
  errors: ['kit.notFound', 'bookings.kept'],
})
export const markBooking = defineEndpoint({
  name: 'bookings.mark',
  method: 'POST',
  path: `${base}/{id}/mark`,
  access: desk,
  input: z.strictObject({
    id: z.uuid(),
    state: z.enum(['came', 'missed', 'booked'], { error: 'fields.choice' }),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When it was pressed, of a press without a network'),
    override: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: bookingShape,
  summary: 'Came, did not come, or not known yet; pressing twice does it once',
  errors: ['kit.notFound', 'bookings.kept', 'bookings.refused'],
})
export const scanBooking = defineEndpoint({
  name: 'bookings.scan',
  method: 'POST',
  path: `${base}/scan`,
  access: desk,
  input: z.strictObject({
    text: z.string().trim().max(200).describe('What stands in the code on his phone'),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When it was read, of a code read without a network'),
    override: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: bookingShape,
  summary: 'Checks in whoever shows his code at the desk',
  errors: ['kit.notFound', 'bookings.unknownCode', 'bookings.oldCode', 'bookings.kept', 'bookings.refused'],
})
export const confirmBooking = defineEndpoint({
  name: 'bookings.confirm',
  method: 'POST',
  path: `${base}/{id}/confirm`,
  access: desk,
  input: byId,
  output: bookingShape,
  summary: 'Takes a seat that was offered to somebody who waited',
  errors: ['kit.notFound', 'bookings.notOffered', 'bookings.full', 'passes.noneLeft'],
})
export const chargeBooking = defineEndpoint({
  name: 'bookings.charge',
  method: 'POST',
  path: `${base}/{id}/charge`,
  access: desk,
  input: byId,
  output: z.object({ documentId: z.string(), type: z.number() }),
  summary: 'Leaves the draft of a paper over the price or the fee of a booking',
  errors: ['kit.notFound', 'bookings.nothingToPay', 'session.forbidden'],
})
export const cancelCost = defineEndpoint({
  name: 'bookings.cost',
  method: 'GET',
  path: `${base}/{id}/cost`,
  access: desk,
  input: byId,
  output: z.object({
    isLate: z.boolean(),
    feeAgorot: z.number(),
    returnsVisit: z.boolean(),
    freeUntil: z.string(),
  }),
  summary: 'What cancelling now would cost',
  errors: ['kit.notFound'],
})
export const bookingMessage = defineEndpoint({
  name: 'bookings.message',
  method: 'GET',
  path: `${base}/{id}/message`,
  access: desk,
  secret: true,
  input: byId,
  output: z.object({ url: z.string(), text: z.string() }),
  summary:
    'What is told of a booking, in the customer’s language, as a link that opens WhatsApp with it; nothing is sent',
  errors: ['kit.notFound'],
})
export const deskDay = defineEndpoint({
  name: 'bookings.day',
  method: 'GET',
  path: '/api4/invoice/classdesk',
  access: desk,
  input: z.object({ day: dayValue.optional() }),
  output: z.object({
    day: z.string(),
    rows: z.array(z.object({ row: classShape, people: z.array(bookingShape) })),
  }),
  summary: 'The classes of a day with everybody who is to come',
})

export const entryShape = z.object({
  customerId: z.string(),
  customerName: z.string(),
  phone: z.string().nullable(),
  may: z.boolean(),
  refusals: z.array(z.enum(refusals)),
  passes: z.array(passShape),
  debtAgorot: z.number().nullable(),
  healthUntil: z.string().nullable(),
  needsLetter: z.boolean(),
  ban: z.string().nullable(),
  nextClass: z.string().nullable(),
})
export type EntryView = z.output<typeof entryShape>
export const listEntries = defineEndpoint({
  name: 'entry.list',
  method: 'GET',
  path: '/api4/invoice/classentry',
  access: desk,
  input: z.object({
    q: z.string().trim().max(80).optional(),
    only: z.enum(['all', 'refused', 'ending']).optional(),
  }),
  output: z.object({ rows: z.array(entryShape) }),
  summary: 'Who may come in and who may not, and why; without a question those with a pass or a booking',
})
export const ban = defineEndpoint({
  name: 'entry.ban',
  method: 'PUT',
  path: '/api4/invoice/classentry/{customerId}/ban',
  access: { rule: 'calendar.override' },
  input: z.strictObject({
    customerId: z.uuid(),
    why: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
  }),
  output: done,
  summary: 'Keeps somebody out, with the reason',
  errors: ['kit.notFound'],
})
export const unban = defineEndpoint({
  name: 'entry.unban',
  method: 'DELETE',
  path: '/api4/invoice/classentry/{customerId}/ban',
  access: { rule: 'calendar.override' },
  input: z.object({ customerId: z.uuid() }),
  output: done,
  summary: 'Lets somebody in again',
  errors: ['kit.notFound'],
})
export const askHealth = defineEndpoint({
  name: 'entry.askHealth',
  method: 'POST',
  path: '/api4/invoice/classentry/{customerId}/health',
  access: desk,
  input: z.strictObject({ customerId: z.uuid(), ...askValues }),
  output: z.object({ id: z.string(), url: z.string() }),
  summary: 'Sends the yearly declaration of health to be signed; it holds for a year from the day it was',
  errors: askErrors,
})
export const bringLetter = defineEndpoint({
  name: 'entry.letter',
  method: 'POST',
  path: '/api4/invoice/classentry/{customerId}/letter',
  access: desk,
  input: z.strictObject({
    customerId: z.uuid(),
    letterUntil: dayValue.describe('Until when the doctor’s letter holds'),
  }),
  output: done,
  summary: 'A doctor’s letter that was brought to the desk, for a declaration with a yes in it',
  errors: ['kit.notFound', 'bookings.noDeclaration'],
})

export const groupPeople = defineEndpoint({
  name: 'classGroups.people',
  method: 'GET',
  path: '/api4/invoice/classGroups/{id}/people',
  access: see,
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        customerId: z.string(),
        customerName: z.string(),
        phone: z.string().nullable(),
        fromDay: z.string(),
        toDay: z.string().nullable(),
      }),
    ),
  }),
  summary: 'Who belongs to a course',
  errors: ['kit.notFound'],
})
export const setGroupPeople = defineEndpoint({
  name: 'classGroups.setPeople',
  method: 'PUT',
  path: '/api4/invoice/classGroups/{id}/people',
  access: { rule: 'calendar.change' },
  input: z.strictObject({
    id: z.uuid(),
    people: z
      .array(
        z.strictObject({ customerId: z.uuid(), fromDay: dayValue, toDay: dayValue.nullable().default(null) }),
      )
      .max(500, { error: 'fields.range' }),
  }),
  output: z.object({
    booked: z.number(),
    cancelled: z.number(),
    full: z.number().describe('Places that were lacking'),
  }),
  summary: 'Sets who belongs to a course: they are booked into all its classes that are still to be',
  errors: ['kit.notFound', 'fields.ref'],
})

/** What customers are written of their bookings. */
export const bookingLetters = ['booked', 'reminder', 'offered', 'moved', 'cancelled'] as const
const need = (max: number) =>
  z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(max, { error: 'fields.tooLong' })
const letterWords = {
  subject: need(200).describe('Of the mail'),
  text: need(2000).describe('Of the mail, or of the short message where there is no address'),
}
const bookingLetter = z.object({
  letter: z.enum(bookingLetters).describe('Which letter'),
  ...letterWords,
  isOwn: z.boolean().describe('In words of the business; else the ready ones'),
  gaps: z.array(z.string()).describe('What is put in where it stands in braces'),
})
export type BookingLetter = z.output<typeof bookingLetter>
export const listBookingWords = defineEndpoint({
  name: 'bookings.words',
  method: 'GET',
  path: '/api4/invoice/classletters',
  access: see,
  input: z.object({ language: languageValue }),
  output: z.object({ rows: z.array(bookingLetter) }),
  summary: 'What customers are written of their bookings in a language: own words, or the ready ones',
})
export const keepBookingWords = defineEndpoint({
  name: 'bookings.keepWords',
  method: 'PUT',
  path: '/api4/invoice/classletters',
  access: { rule: 'calendar.setUp' },
  input: z.strictObject({
    letter: z.enum(bookingLetters, { error: 'fields.choice' }).describe('Which letter'),
    language: languageValue,
    words: z.strictObject(letterWords).nullable().describe('null: back to the ready words'),
  }),
  output: z.object({ rows: z.array(bookingLetter) }),
  summary:
    'Keeps a letter of bookings in words of the business, or goes back to the ready ones; the day and the time stay in it',
  errors: ['bookings.gapUnknown', 'bookings.gapMissing'],
})

const hour = z.object({
  id: z.string(),
  day: z.string(),
  at: z.string(),
  endsAt: z.string().describe('On the clock in Jerusalem, HH:MM'),
  name: z.string(),
  minutes: z.number(),
  priceAgorot: z.number().nullable(),
})
export type HourView = z.output<typeof hour>
const span = { customerId: z.uuid({ error: 'fields.need' }), from: dayValue, to: dayValue }
export const listHours = defineEndpoint({
  name: 'bookings.hours',
  method: 'GET',
  path: `${base}/hours`,
  access: see,
  input: z.object(span),
  output: z.object({ rows: z.array(hour), minutes: z.number() }),
  summary: 'Appointments with a customer that were held and stand on no paper yet, sixty at most',
})
export const billHours = defineEndpoint({
  name: 'bookings.bill',
  method: 'POST',
  path: `${base}/hours`,
  access: desk,
  input: z.strictObject({
    ...span,
    hourPriceAgorot: moneyValue
      .min(1, { error: 'fields.range' })
      .max(10_000_000, { error: 'fields.range' })
      .nullable()
      .default(null)
      .describe('Each appointment at its own price without it'),
    withVat: z.boolean().default(true).describe('Whether the price has its VAT in it'),
  }),
  output: z.object({
    documentId: z.string(),
    type: z.number(),
    appointments: z.number().describe('How many stand on it'),
    minutes: z.number(),
  }),
  summary: 'Leaves the draft of an invoice over the hours of a customer’s appointments, each of them once',
  errors: ['bookings.nothingToPay', 'session.forbidden'],
})
