import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, dayValue, moneyValue } from '#kit/fields/schema.ts'
import { classStates, seriesUnits } from './timetable.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/classes'
const see = { rule: 'calendar.see' }
const change = { rule: 'calendar.change' }
const setUp = { rule: 'calendar.setUp' }
const done = z.object({ done: z.literal(true) })
const time = z
  .string({ error: 'fields.need' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'classes.notTime' })
const minutes = z
  .number()
  .int({ error: 'fields.number' })
  .min(5, { error: 'fields.range' })
  .max(1440, { error: 'fields.range' })
const seats = z
  .number()
  .int({ error: 'fields.number' })
  .min(1, { error: 'fields.range' })
  .max(500, { error: 'fields.range' })

/** A class as a calendar shows it. */
export const classShape = z.object({
  id: z.string(),
  version: z.number(),
  kindId: z.string(),
  kindName: z.string(),
  color: z.string(),
  isAppointment: z.boolean(),
  title: z.string(),
  day: z.string(),
  at: z.string().describe('On the clock in Jerusalem, HH:MM'),
  startsAt: z.string(),
  endsAt: z.string(),
  minutes: z.number(),
  trainerId: z.string().nullable(),
  trainerName: z.string().nullable(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  groupId: z.string().nullable(),
  groupName: z.string().nullable(),
  seriesId: z.string().nullable(),
  seats: z.number(),
  taken: z.number(),
  came: z.number(),
  waiting: z.number(),
  who: z.string().nullable().describe('Of an appointment: with whom'),
  priceAgorot: z.number().nullable(),
  state: z.enum(classStates),
  notes: z.string(),
  conflict: z.enum(['trainer', 'place', 'away']).nullable(),
})
export type ClassView = z.output<typeof classShape>

const block = z.object({
  id: z.string(),
  trainerId: z.string().nullable(),
  trainerName: z.string().nullable(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  startsAt: z.string(),
  endsAt: z.string(),
  why: z.string(),
  isOutside: z.boolean().describe('Read from a calendar elsewhere, which does not say here why'),
})
export type ClassBlock = z.output<typeof block>

export const listClasses = defineEndpoint({
  name: 'classes.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({
    from: dayValue,
    to: dayValue,
    trainerId: z.uuid().optional(),
    placeId: z.uuid().optional(),
    kindId: z.uuid().optional(),
    cancelled: queryFlag.optional().describe('With those that were cancelled'),
  }),
  output: z.object({ rows: z.array(classShape), blocks: z.array(block) }),
  summary: 'Classes and absences of some days, at most 62, in their order',
})

const conflict = z.object({
  what: z.enum(['trainer', 'place', 'customer', 'away', 'hours', 'room']),
  classId: z.string().nullable(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  freeAt: z.string().nullable().describe('From then on it would fit, on the clock of that day'),
})
export type ClassConflict = z.output<typeof conflict>

const placed = {
  day: dayValue,
  at: time,
  minutes,
  trainerId: z.uuid().nullable().default(null),
  placeId: z.uuid().nullable().default(null),
}
export const checkClass = defineEndpoint({
  name: 'classes.check',
  method: 'POST',
  path: `${base}/check`,
  access: see,
  forDrafts: true,
  input: z.strictObject({
    ...placed,
    kindId: z.uuid().nullable().default(null),
    seats: seats.optional(),
    except: z.uuid().optional(),
  }),
  output: z.object({
    rows: z.array(conflict),
    otherPlaces: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  summary: 'What a class at this time would collide with, and which places are free; nothing is kept',
})

export const repeatGiven = z.strictObject({
  unit: z.enum(seriesUnits, { error: 'fields.choice' }),
  every: z.number().int().min(1, { error: 'fields.range' }).max(52, { error: 'fields.range' }).default(1),
  days: z
    .array(z.number().int().min(0).max(6))
    .max(7)
    .default([])
    .describe('Of a week, 0 is Sunday; the day of the first without it'),
  untilDay: dayValue.nullable().default(null),
  times: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(500, { error: 'fields.range' })
    .nullable()
    .default(null),
})

export const createClass = defineEndpoint({
  name: 'classes.create',
  makes: { see: 'classes.get', id: 'row.id' },
  method: 'POST',
  path: base,
  access: change,
  input: z.strictObject({
    kindId: z.uuid({ error: 'fields.need' }),
    ...placed,
    minutes: minutes.optional().describe('As its kind says without it'),
    seats: seats.optional(),
    priceAgorot: moneyValue
      .min(0, { error: 'fields.range' })
      .max(10_000_000, { error: 'fields.range' })
      .optional(),
    groupId: z.uuid().nullable().default(null),
    title: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
    notes: z.string().trim().max(2000, { error: 'fields.tooLong' }).default(''),
    repeat: repeatGiven.optional(),
    anyway: z.boolean().default(false).describe('Although it collides with something'),
  }),
  output: z.object({
    row: classShape,
    made: z.number(),
    collide: z.number().describe('Of the repeated ones, how many collide with something'),
  }),
  summary: 'Makes a class, or one that comes back: its classes stand ninety days ahead',
  errors: ['classes.conflict', 'classes.noDays', 'fields.ref'],
})

const version = z.number().int()
export const moveClass = defineEndpoint({
  name: 'classes.move',
  method: 'POST',
  path: `${base}/{id}/move`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    version,
    day: dayValue,
    at: time,
    minutes: minutes.optional(),
    trainerId: z.uuid().nullable().optional(),
    placeId: z.uuid().nullable().optional(),
    anyway: z.boolean().default(false),
  }),
  output: classShape,
  summary: 'Moves one class to another time, trainer or place; whoever booked is told',
  errors: ['kit.notFound', 'classes.moved', 'classes.conflict', 'classes.isCancelled', 'fields.ref'],
})
export const changeClass = defineEndpoint({
  name: 'classes.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    version,
    following: z
      .boolean()
      .default(false)
      .describe('All of its series from this one on; what was changed by itself stays as it is'),
    at: time.optional(),
    minutes: minutes.optional(),
    trainerId: z.uuid().nullable().optional(),
    placeId: z.uuid().nullable().optional(),
    seats: seats.optional(),
    priceAgorot: moneyValue
      .min(0, { error: 'fields.range' })
      .max(10_000_000, { error: 'fields.range' })
      .optional(),
    title: z.string().trim().max(120, { error: 'fields.tooLong' }).optional(),
    notes: z.string().trim().max(2000, { error: 'fields.tooLong' }).optional(),
    anyway: z.boolean().default(false),
  }),
  output: z.object({ row: classShape, changed: z.number() }),
  summary: 'Changes one class, or its series from this one on',
  errors: [
    'kit.notFound',
    'classes.moved',
    'classes.conflict',
    'classes.isCancelled',
    'classes.seatsTaken',
    'fields.ref',
  ],
})
export const cancelClass = defineEndpoint({
  name: 'classes.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    version,
    following: z.boolean().default(false),
    reason: z
      .string()
      .trim()
      .max(200, { error: 'fields.tooLong' })
      .default('')
      .describe('Told to whoever booked'),
  }),
  output: z.object({ cancelled: z.number(), told: z.number() }),
  summary:
    'Cancels a class, or its series from this one on: visits go back to their passes and whoever booked is told',
  errors: ['kit.notFound', 'classes.moved', 'classes.isCancelled'],
})
export const getClass = defineEndpoint({
  name: 'classes.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: z.object({ id: z.uuid() }),
  output: classShape,
  summary: 'One class',
  errors: ['kit.notFound'],
})

export const addBlock = defineEndpoint({
  name: 'classBlocks.create',
  method: 'POST',
  path: '/api4/invoice/classblocks',
  access: change,
  input: z.strictObject({
    trainerId: z.uuid().nullable().default(null),
    placeId: z.uuid().nullable().default(null),
    fromDay: dayValue,
    from: time,
    toDay: dayValue,
    to: time,
    why: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  }),
  output: block,
  summary: 'Somebody is away, or a place is closed',
  errors: ['classes.backwards', 'fields.ref'],
})
export const dropBlock = defineEndpoint({
  name: 'classBlocks.delete',
  method: 'DELETE',
  path: '/api4/invoice/classblocks/{id}',
  access: change,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'An absence that is none',
  errors: ['kit.notFound'],
})

const hours = z.array(z.array(z.tuple([time, time])).max(4)).length(7)
export const trainerHours = defineEndpoint({
  name: 'classTrainers.hours',
  method: 'GET',
  path: '/api4/invoice/classTrainers/{id}/hours',
  access: see,
  input: z.object({ id: z.uuid() }),
  output: z.object({ hours: z.array(z.array(z.tuple([z.string(), z.string()]))) }),
  summary: 'When appointments may be made with somebody, for each day of the week from Sunday',
  errors: ['kit.notFound'],
})
export const setTrainerHours = defineEndpoint({
  name: 'classTrainers.setHours',
  method: 'PUT',
  path: '/api4/invoice/classTrainers/{id}/hours',
  access: setUp,
  input: z.strictObject({ id: z.uuid(), hours }),
  output: done,
  summary: 'Sets when appointments may be made with somebody',
  errors: ['kit.notFound', 'classes.backwards'],
})

export const makeFeed = defineEndpoint({
  name: 'classes.feed',
  method: 'POST',
  path: `${base}/feed`,
  access: see,
  input: z.strictObject({
    trainerId: z.uuid().nullable().default(null),
    placeId: z.uuid().nullable().default(null),
  }),
  output: z.object({ url: z.string() }),
  summary: 'An address from which a calendar elsewhere reads the classes; the one before ends',
  errors: ['fields.ref'],
})
export const endFeed = defineEndpoint({
  name: 'classes.endFeed',
  method: 'POST',
  path: `${base}/feed/end`,
  access: see,
  input: z.strictObject({
    trainerId: z.uuid().nullable().default(null),
    placeId: z.uuid().nullable().default(null),
  }),
  output: done,
  summary: 'Ends the address: it shows nothing any more',
})
export const classFeed = defineEndpoint({
  name: 'classes.feedFile',
  method: 'GET',
  path: '/api2/invoice/classesfeed/{key}',
  access: 'key',
  file: true,
  input: z.object({ key: z.string().min(20).max(100) }),
  output: z.any(),
  summary: 'The classes of whoever’s address it is, as iCalendar',
  errors: ['kit.notFound'],
})

/** What can go wrong with a calendar elsewhere: the words are `timetable.outside.problem.<word>`. */
export const outsideProblems = [
  'badAddress',
  'private',
  'name',
  'tls',
  'connection',
  'timeout',
  'redirect',
  'gone',
  'refused',
  'status',
  'tooLarge',
  'notCalendar',
  'tooMany',
] as const
export type OutsideProblem = (typeof outsideProblems)[number]

const outside = z.object({
  id: z.string(),
  trainerId: z.string().nullable(),
  placeId: z.string().nullable(),
  name: z.string(),
  way: z.enum(['address', 'file']),
  host: z.string().describe('Of the address; the rest of it is a secret and is never shown again'),
  state: z.enum(['new', 'read', 'failed']),
  problem: z.enum(outsideProblems).nullable(),
  spans: z.number().describe('How many busy times are known of it'),
  skipped: z.number().describe('Events that could not be understood'),
  untilDay: z.string().nullable(),
  readAt: z.string().nullable(),
  triedAt: z.string().nullable(),
})
export type OutsideCalendar = z.output<typeof outside>
const outsideBase = '/api4/invoice/outsidecalendars'
const outsideName = z.string().trim().max(80, { error: 'fields.tooLong' }).default('')
// A person who manages the calendar sets up everybody's, a trainer only one's own: the handler checks who calls.
const ofSomebody = { access: 'login', area: 'calendar' } as const
export const listOutside = defineEndpoint({
  ...ofSomebody,
  name: 'outsideCalendars.list',
  method: 'GET',
  path: outsideBase,
  input: z.object({
    trainerId: z.uuid().optional().describe('Oneself without it'),
    placeId: z.uuid().optional(),
  }),
  output: z.object({ rows: z.array(outside) }),
  summary: 'Calendars elsewhere whose busy times are read in, of a trainer or a place',
  errors: ['session.forbidden', 'fields.ref'],
})
export const addOutside = defineEndpoint({
  ...ofSomebody,
  name: 'outsideCalendars.add',
  method: 'POST',
  path: outsideBase,
  input: z.strictObject({
    trainerId: z.uuid().nullable().default(null).describe('Oneself without it'),
    placeId: z.uuid().nullable().default(null),
    name: outsideName,
    url: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(2000, { error: 'fields.tooLong' })
      .describe('The secret address in iCalendar form, https or webcal'),
  }),
  output: outside,
  summary:
    'Reads busy times from a calendar elsewhere by its secret address, at once and then every half hour',
  errors: [
    'session.forbidden',
    'fields.ref',
    'outsideCalendars.most',
    'outsideCalendars.badAddress',
    'outsideCalendars.privateAddress',
  ],
})
export const addOutsideFile = defineEndpoint({
  ...ofSomebody,
  name: 'outsideCalendars.addFile',
  method: 'POST',
  path: `${outsideBase}/file`,
  upload: { maxBytes: 4 * 1024 * 1024 },
  input: z.object({
    trainerId: z.uuid().optional().describe('Oneself without it'),
    placeId: z.uuid().optional(),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(80, { error: 'fields.tooLong' }),
    bytes: bytesValue,
  }),
  output: outside,
  summary: 'Reads busy times once from a file of a calendar (iCalendar)',
  errors: [
    'session.forbidden',
    'fields.ref',
    'outsideCalendars.most',
    'outsideCalendars.notCalendar',
    'outsideCalendars.tooMany',
  ],
})
export const refreshOutside = defineEndpoint({
  ...ofSomebody,
  name: 'outsideCalendars.refresh',
  method: 'POST',
  path: `${outsideBase}/{id}/refresh`,
  input: z.object({ id: z.uuid() }),
  output: outside,
  summary: 'Reads a calendar elsewhere now',
  errors: ['kit.notFound', 'session.forbidden', 'outsideCalendars.isFile'],
})
export const dropOutside = defineEndpoint({
  ...ofSomebody,
  name: 'outsideCalendars.delete',
  method: 'DELETE',
  path: `${outsideBase}/{id}`,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Reads a calendar elsewhere no longer, and forgets its busy times',
  errors: ['kit.notFound', 'session.forbidden'],
})
