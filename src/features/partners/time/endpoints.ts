import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue, languageValue, monthValue } from '#kit/fields/schema.ts'
import { askErrors, askValues } from '#features/sales/signing/shapes.ts'

const base = '/api4/invoice/time'
const done = z.object({ done: z.literal(true) })
// Nobody else clocks, asks or signs in a person's name.
const own = { rule: 'time.clock', person: true } as const
const team = { rule: 'time.team' }
const moment = z.iso.datetime({ offset: true, error: 'fields.text' })
const said = (max: number) =>
  z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(max, { error: 'fields.tooLong' })

export const absenceKinds = ['vacation', 'sick', 'reserve', 'other'] as const
/** Minutes by what they are paid, in hundredths of the wage. */
const byRate = z.record(z.string(), z.number())

const clocking = z.object({
  id: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  projectId: z.string().nullable(),
  project: z.string().nullable(),
  customerId: z.string().nullable(),
  customer: z.string().nullable(),
  task: z.string(),
  source: z.enum(['clock', 'offline', 'correction']),
  isCharged: z.boolean(),
})
export type Clocking = z.output<typeof clocking>
const request = z.object({
  id: z.string(),
  personId: z.string(),
  person: z.string(),
  kind: z.enum(['add', 'change', 'remove']),
  clockingId: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The present times, where something is to be changed. */
  beforeStartedAt: z.string().nullable(),
  beforeEndedAt: z.string().nullable(),
  reason: z.string(),
  state: z.enum(['asked', 'approved', 'refused', 'withdrawn']),
  answer: z.string(),
  createdAt: z.string(),
})
export type TimeRequest = z.output<typeof request>
const absence = z.object({
  id: z.string(),
  kind: z.enum(absenceKinds),
  from: z.string(),
  to: z.string(),
  note: z.string(),
})
const dayRow = z.object({
  day: z.string(),
  minutes: z.number(),
  byRate,
  ordinary: z.number(),
  rule: z.enum(['fiveDays', 'shortDay', 'sixDays', 'restEve', 'night', 'agreed', 'week', 'minor']),
  isNight: z.boolean(),
  /** For a minor: minutes above what the law allows, which no overtime rate covers. */
  above: z.number().optional(),
  holiday: z.string().nullable(),
})
const sheet = z.object({
  personId: z.string(),
  person: z.string(),
  month: z.string(),
  days: z.array(dayRow),
  clockings: z.array(clocking),
  absences: z.array(absence),
  requests: z.array(request),
  minutes: z.number(),
  byRate,
  /** For a minor in this month: minutes above what the Youth Labour Law allows; null for everybody else. */
  minorAbove: z.number().nullable(),
  workerAt: z.string().nullable(),
  approvedAt: z.string().nullable(),
  approvedBy: z.string().nullable(),
  /** By the hour’s wage, where one was agreed for every day: to the agora, before tax. */
  wageAgorot: z.number().nullable().optional(),
})
export type Sheet = z.output<typeof sheet>

export const press = z.strictObject({
  id: z.uuid(),
  deed: z.enum(['in', 'out'], { error: 'fields.choice' }),
  at: moment,
  projectId: z.uuid().nullish(),
  customerId: z.uuid().nullish(),
  task: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  latitude: z.number().min(-90).max(90).nullish(),
  longitude: z.number().min(-180).max(180).nullish(),
})
export type Press = z.input<typeof press>

export const clockNow = defineEndpoint({
  name: 'time.now',
  method: 'GET',
  path: `${base}/now`,
  access: own,
  input: z.object({}),
  output: z.object({
    open: clocking.nullable(),
    /** Runs for more than twelve hours: probably somebody forgot to stop it. */
    isForgotten: z.boolean(),
    todayMinutes: z.number(),
    asksPlace: z.boolean(),
    agreedPlace: z.boolean().nullable(),
    projects: z.array(z.object({ id: z.string(), name: z.string(), customerId: z.string().nullable() })),
  }),
  summary: 'Whether my clock runs, since when, and what I can clock on',
})
export const pressClock = defineEndpoint({
  name: 'time.press',
  method: 'POST',
  path: `${base}/presses`,
  access: own,
  input: z.strictObject({
    presses: z.array(press).min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooLong' }),
  }),
  output: z.object({ rows: z.array(z.object({ id: z.string(), code: z.string().nullable() })) }),
  summary:
    'Presses of the clock, one or those that were kept without a network; each counts once, however often it is sent',
  about:
    'Each press has an id made where it was pressed. What is sent again is answered as the first time. Presses are taken in the order of their times; one that cannot be is told with its code, and the others count all the same.',
})
export const agreePlace = defineEndpoint({
  name: 'time.agreePlace',
  method: 'POST',
  path: `${base}/place`,
  access: own,
  input: z.strictObject({ agrees: z.boolean() }),
  output: done,
  summary: 'Whether I agree that the place where I clock is kept',
})
export const monthSheet = defineEndpoint({
  name: 'time.sheet',
  method: 'GET',
  path: `${base}/sheet`,
  access: own,
  input: z.object({ month: monthValue, personId: z.uuid().optional() }),
  output: sheet,
  summary:
    'The sheet of a month: each day by the law, with its rule; of somebody else for whoever sees the team',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const signSheet = defineEndpoint({
  name: 'time.sign',
  method: 'POST',
  path: `${base}/sheet/sign`,
  access: own,
  input: z.strictObject({ month: monthValue }),
  output: done,
  summary: 'Signs my sheet of a month that is over',
  errors: ['time.stillOpen', 'time.monthRuns', 'time.signed'],
})
export const approveSheet = defineEndpoint({
  name: 'time.approve',
  method: 'POST',
  path: `${base}/sheet/approve`,
  access: { rule: 'time.approve' },
  input: z.strictObject({
    month: monthValue,
    personId: z.uuid(),
    as: z.enum(['approved', 'open'], { error: 'fields.choice' }),
  }),
  output: done,
  summary: 'Signs a worker’s sheet for the employer, which locks it; or opens it again',
  errors: ['kit.notFound', 'time.stillOpen', 'time.notSigned'],
})
export const askChange = defineEndpoint({
  name: 'time.ask',
  method: 'POST',
  path: `${base}/requests`,
  access: own,
  input: z.strictObject({
    kind: z.enum(['add', 'change', 'remove'], { error: 'fields.choice' }),
    clockingId: z.uuid().nullish(),
    startedAt: moment.nullish(),
    endedAt: moment.nullish(),
    reason: said(300),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Asks that a clocking be added, changed or taken away',
  errors: [
    'kit.notFound',
    'time.endFirst',
    'time.tooLong',
    'time.ahead',
    'time.tooOld',
    'time.signed',
    'time.asked',
  ],
})
export const withdrawRequest = defineEndpoint({
  name: 'time.withdraw',
  method: 'POST',
  path: `${base}/requests/{id}/withdraw`,
  access: own,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Takes my request back',
  errors: ['kit.notFound', 'time.decided'],
})
export const decideRequest = defineEndpoint({
  name: 'time.decide',
  method: 'POST',
  path: `${base}/requests/{id}/decide`,
  access: { rule: 'time.approve' },
  input: z.strictObject({
    id: z.uuid(),
    approve: z.boolean(),
    answer: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
  }),
  output: done,
  summary: 'Approves a request, which is then done, or refuses it',
  errors: ['kit.notFound', 'time.decided', 'time.overlap', 'time.signed'],
})
export const keepAbsence = defineEndpoint({
  name: 'time.absence',
  method: 'POST',
  path: `${base}/absences`,
  access: own,
  input: z.strictObject({
    kind: z.enum(absenceKinds, { error: 'fields.choice' }),
    from: dayValue,
    to: dayValue,
    note: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
    personId: z.uuid().optional(),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Writes an absence down: vacation, sickness, reserve duty',
  errors: ['kit.notFound', 'time.endFirst', 'time.signed', 'session.forbidden'],
})
export const dropAbsence = defineEndpoint({
  name: 'time.dropAbsence',
  method: 'DELETE',
  path: `${base}/absences/{id}`,
  access: own,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Takes an absence away',
  errors: ['kit.notFound', 'time.signed'],
})

export const teamMonth = defineEndpoint({
  name: 'time.team',
  method: 'GET',
  path: `${base}/team`,
  access: team,
  input: z.object({ month: monthValue.optional() }),
  output: z.object({
    month: z.string(),
    asksPlace: z.boolean(),
    rows: z.array(
      z.object({
        personId: z.string(),
        person: z.string(),
        /** The worker's email address; empty for people who may not set terms. */
        email: z.string(),
        since: z.string().nullable(),
        minutes: z.number(),
        byRate,
        absentDays: z.number(),
        workerAt: z.string().nullable(),
        approvedAt: z.string().nullable(),
        terms: z
          .object({
            from: z.string(),
            days: z.number(),
            shortDay: z.number(),
            restDay: z.number(),
            dayMinutes: z.number().nullable(),
            overtime: z.boolean(),
            hourAgorot: z.number().nullable(),
            born: z.string().nullable().optional(),
          })
          .nullable(),
        /** Nothing for who may not see what others earn. */
        wageAgorot: z.number().nullable(),
      }),
    ),
    requests: z.array(request),
  }),
  summary:
    'The team’s hours of a month: who works now, hours by what they are paid, absences, signatures, and what waits for a decision',
})
export const keepTerms = defineEndpoint({
  name: 'time.keepTerms',
  method: 'PUT',
  path: `${base}/terms`,
  access: { rule: 'time.settings' },
  input: z.strictObject({
    personId: z.uuid(),
    from: dayValue,
    days: z.union([z.literal(5), z.literal(6)], { error: 'fields.choice' }),
    shortDay: z.number().int().min(0, { error: 'fields.range' }).max(6, { error: 'fields.range' }),
    restDay: z.union([z.literal(0), z.literal(5), z.literal(6)], { error: 'fields.choice' }),
    dayMinutes: z
      .number()
      .int()
      .min(60, { error: 'fields.range' })
      .max(720, { error: 'fields.range' })
      .nullable(),
    overtime: z.boolean(),
    hourAgorot: z
      .number()
      .int()
      .min(0, { error: 'fields.range' })
      .max(10_000_000, { error: 'fields.range' })
      .nullable(),
    /** For a minor: the law allows no overtime before the age of eighteen. */
    born: dayValue.nullable().default(null),
  }),
  output: done,
  summary: 'What was agreed with a worker, from a day on; days before it stay by what was agreed then',
  errors: ['kit.notFound', 'time.signed', 'time.bornAfter', 'session.forbidden'],
})
export const askNotice = defineEndpoint({
  name: 'time.askNotice',
  method: 'POST',
  path: `${base}/people/{personId}/notice`,
  access: { rule: 'time.settings' },
  input: z.strictObject({
    personId: z.uuid(),
    ...askValues,
    job: said(500),
    superior: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
    from: dayValue,
    until: dayValue.nullable().default(null),
    pay: said(500),
    payDay: z.number().int().min(1, { error: 'fields.range' }).max(9, { error: 'fields.range' }).default(9),
    social: z.string().trim().max(1000, { error: 'fields.tooLong' }).default(''),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Sends a worker the written notice of his terms of work, for him to sign that he has it; day, week and rest are those that were agreed with him',
  errors: [...askErrors, 'time.endFirst'],
})
export const keepTimeSettings = defineEndpoint({
  name: 'time.settings',
  method: 'PUT',
  path: `${base}/settings`,
  access: { rule: 'time.settings' },
  input: z.strictObject({ asksPlace: z.boolean() }),
  output: done,
  summary: 'Whether the business asks where its workers clock; it is kept of those who agreed',
})
export const inviteClocker = defineEndpoint({
  name: 'time.invite',
  method: 'POST',
  path: `${base}/people`,
  access: { rule: 'time.settings', person: true },
  throttle: 60,
  verified: true,
  input: z.strictObject({ email: emailValue, fullName: said(120), language: languageValue.optional() }),
  output: done,
  summary: 'Asks somebody by mail to clock here, and nothing else',
  errors: ['team.alreadyHere', 'team.beyondYours'],
})
export const hoursBy = ['worker', 'project', 'customer'] as const
export const hoursReport = defineEndpoint({
  name: 'time.report',
  method: 'GET',
  path: `${base}/report`,
  access: team,
  input: z.object({
    from: dayValue,
    to: dayValue,
    by: z.enum(hoursBy, { error: 'fields.choice' }).default('worker'),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string().nullable(),
        name: z.string(),
        minutes: z.number(),
        chargedMinutes: z.number(),
        clockings: z.number(),
      }),
    ),
    minutes: z.number(),
  }),
  summary: 'Hours of a period by worker, project or customer, and how many of them were charged',
})
export const payrollFile = defineEndpoint({
  name: 'time.payroll',
  method: 'GET',
  path: '/api4/invoiceexport/time/payroll',
  access: { rule: 'time.pay' },
  file: true,
  input: z.object({ month: monthValue }),
  output: z.any(),
  summary:
    'The month for payroll, a line a worker: hours by what they are paid, and days of absence, as a table with commas',
  about:
    'Programs of payroll take a table whose columns are chosen when it is read. The columns here are those people enter by hand; a layout of one program in particular is not public and was not copied.',
})
export const chargeHours = defineEndpoint({
  name: 'time.charge',
  method: 'POST',
  path: `${base}/charge`,
  access: { rule: 'time.charge' },
  input: z.strictObject({
    customerId: z.uuid(),
    from: dayValue,
    to: dayValue,
    /** Of an hour, before VAT. */
    hourPrice: z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, { error: 'fields.decimal' }),
  }),
  output: z.object({ documentId: z.string(), minutes: z.number() }),
  summary:
    'Lays the hours of a customer that were not charged onto the draft of an invoice, a line a project and worker; each hour once',
  errors: ['kit.notFound', 'time.nothing', 'session.forbidden'],
})
