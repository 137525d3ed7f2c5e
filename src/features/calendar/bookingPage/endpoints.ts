import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { bookingStates, refusals } from '#features/calendar/bookings/endpoints.ts'
import { passStates } from '#features/calendar/passes/endpoints.ts'

const settingsPath = '/api4/invoice/bookingpage'
const setUp = { rule: 'calendar.setUp' }
const base = '/api2/invoice/yeshfit/{key}'
const key = z.string().min(20).max(60)
const token = z.string().max(300).describe('Of whoever proved his phone')
const done = z.object({ done: z.literal(true) })
const lang = z.enum(['he', 'en', 'ar', 'ru', 'fr']).optional()

const settings = z.object({
  isOn: z.boolean(),
  url: z.string(),
  snippet: z.string().describe('To be put into a page of one’s own site'),
  welcome: z.string(),
  sites: z.array(z.string()),
  newPeople: z.boolean(),
  payFirst: z.boolean(),
  remindHours: z.number(),
})
export type BookingSettings = z.output<typeof settings>
export const bookingSettings = defineEndpoint({
  name: 'bookingPage.settings',
  method: 'GET',
  path: settingsPath,
  access: { rule: 'calendar.see' },
  input: z.object({}),
  output: settings,
  summary: 'The page on which customers book: its address and what it allows',
})
export const setBookingSettings = defineEndpoint({
  name: 'bookingPage.set',
  method: 'PUT',
  path: settingsPath,
  access: setUp,
  input: z.strictObject({
    isOn: z.boolean(),
    welcome: z.string().trim().max(1000, { error: 'fields.tooLong' }).default(''),
    sites: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .regex(/^https:\/\/[a-z0-9.-]+\.[a-z]{2,}(:\d{1,5})?$/, { error: 'fields.text' }),
      )
      .max(10, { error: 'fields.range' })
      .default([]),
    newPeople: z.boolean().default(true).describe('Whoever is no customer yet may book, too'),
    payFirst: z
      .boolean()
      .default(false)
      .describe('What has a price is paid by card at once; the seat is held for ten minutes'),
    remindHours: z
      .number()
      .int({ error: 'fields.number' })
      .min(0, { error: 'fields.range' })
      .max(72, { error: 'fields.range' })
      .default(0),
  }),
  output: settings,
  summary: 'Sets the page on which customers book',
})
export const renewBookingKey = defineEndpoint({
  name: 'bookingPage.renew',
  method: 'POST',
  path: `${settingsPath}/renew`,
  access: setUp,
  input: z.strictObject({}),
  output: settings,
  summary: 'Gives the page another address; the one before ends',
})

const cancelRules = {
  cancelHours: z
    .number()
    .describe('So many hours before, cancelling is free; after that a visit of a pass is not given back'),
  lateFeeAgorot: z.number().describe('Cancelled later'),
  noShowFeeAgorot: z.number().describe('Not cancelled, and did not come'),
  strikes: z
    .number()
    .nullable()
    .describe('Whoever cancels late or does not come so often in thirty days books at the desk alone'),
}
const shownClass = z.object({
  id: z.string(),
  kindId: z.string(),
  name: z.string(),
  color: z.string(),
  day: z.string(),
  at: z.string(),
  minutes: z.number(),
  trainer: z.string().nullable(),
  trainerId: z.string().nullable(),
  place: z.string().nullable(),
  placeId: z.string().nullable(),
  seats: z.number(),
  free: z.number(),
  waiting: z.number(),
  priceAgorot: z.number(),
  isBookable: z.boolean().describe('Neither too early nor too late'),
  ...cancelRules,
})
export type ShownClass = z.output<typeof shownClass>
export const showBookingPage = defineEndpoint({
  name: 'bookingPage.show',
  method: 'GET',
  path: base,
  access: 'key',
  input: z.object({ key, lang, from: dayValue.optional() }),
  output: z.object({
    ...faceFields,
    language: z.string(),
    today: z.string(),
    from: z.string(),
    to: z.string(),
    welcome: z.string(),
    newPeople: z.boolean(),
    paysOnline: z.boolean(),
    classes: z.array(shownClass),
    appointments: z.array(
      z.object({
        kindId: z.string(),
        name: z.string(),
        minutes: z.number(),
        priceAgorot: z.number(),
        about: z.string(),
        ...cancelRules,
        trainers: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    passes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        visits: z.number().nullable(),
        days: z.number(),
        priceAgorot: z.number(),
        about: z.string(),
      }),
    ),
  }),
  summary: 'What can be booked in the fourteen days from a day, with the seats that are free now',
  errors: ['kit.notFound'],
})
export const bookingLogo = defineEndpoint({
  name: 'bookingPage.logo',
  method: 'GET',
  path: `${base}/logo`,
  access: 'key',
  file: true,
  input: z.object({ key }),
  output: z.any(),
  summary: 'The logo at the head of the page',
  errors: ['kit.notFound'],
})
export const sendCode = defineEndpoint({
  name: 'bookingPage.code',
  method: 'POST',
  path: `${base}/code`,
  access: 'key',
  input: z.strictObject({
    key,
    lang,
    phone: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(25, { error: 'fields.tooLong' }),
    name: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
  }),
  output: z.object({ codeId: z.string() }),
  summary: 'Sends a code of six digits to a phone; it says to nobody whether the phone is known',
  errors: ['kit.notFound', 'kit.tooMany'],
})
export const verifyCode = defineEndpoint({
  name: 'bookingPage.verify',
  method: 'POST',
  path: `${base}/verify`,
  access: 'key',
  input: z.strictObject({
    key,
    codeId: z.uuid(),
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'fields.code' }),
    name: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
  }),
  output: z.object({ token: z.string(), name: z.string() }),
  summary: 'Proves a phone by its code: ten minutes, five tries',
  errors: ['kit.notFound', 'bookingPage.wrongCode', 'bookingPage.codeEnded', 'bookingPage.unknown'],
})

const mine = z.object({
  name: z.string(),
  refusals: z.array(z.enum(refusals)),
  healthUntil: z.string().nullable(),
  needsHealth: z.boolean(),
  passes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      left: z.number().nullable(),
      toDay: z.string(),
      state: z.enum(passStates),
    }),
  ),
  bookings: z.array(
    z.object({
      id: z.string(),
      classId: z.string(),
      name: z.string(),
      day: z.string(),
      at: z.string(),
      startsAt: z.string(),
      endsAt: z.string(),
      place: z.string().nullable(),
      trainer: z.string().nullable(),
      state: z.enum(bookingStates),
      queue: z.number().nullable(),
      untilAt: z.string().nullable(),
      passName: z.string().nullable(),
      toPayAgorot: z.number(),
      isPast: z.boolean(),
      freeUntil: z.string().describe('Until then cancelling costs nothing'),
      isLate: z.boolean().describe('Cancelling it now costs what is said'),
      feeAgorot: z.number(),
      code: z.string().nullable().describe('Of the QR he shows at the desk; it changes every half minute'),
    }),
  ),
})
export type MyBookings = z.output<typeof mine>
export const myBookings = defineEndpoint({
  name: 'bookingPage.mine',
  method: 'POST',
  path: `${base}/mine`,
  access: 'key',
  input: z.strictObject({ key, token }),
  output: mine,
  summary: 'What somebody has booked and the passes he has',
  errors: ['kit.notFound', 'bookingPage.logInAgain'],
})
const answers = [
  'kit.notFound',
  'bookingPage.logInAgain',
  'bookings.full',
  'bookings.twice',
  'bookings.closed',
  'bookings.tooEarly',
  'bookings.refused',
  'bookings.tooManyUnpaid',
  'classes.isCancelled',
] as const
export const bookOnPage = defineEndpoint({
  name: 'bookingPage.book',
  method: 'POST',
  path: `${base}/book`,
  access: 'key',
  input: z.strictObject({ key, token, classId: z.uuid(), wait: z.boolean().default(false) }),
  output: z.object({ state: z.enum(bookingStates), id: z.string() }),
  summary:
    'Books a class, by the pass that ends first or at its price; onto the waiting list where it is full',
  errors: [...answers],
})
export const slotsOnPage = defineEndpoint({
  name: 'bookingPage.slots',
  method: 'GET',
  path: `${base}/slots`,
  access: 'key',
  input: z.object({ key, kindId: z.uuid(), trainerId: z.uuid().optional(), day: dayValue }),
  output: z.object({ rows: z.array(z.object({ at: z.string(), trainerId: z.string() })) }),
  summary: 'Free times for an appointment on a day; whoever has the fewest that day comes first',
  errors: ['kit.notFound'],
})
export const appointOnPage = defineEndpoint({
  name: 'bookingPage.appoint',
  method: 'POST',
  path: `${base}/appoint`,
  access: 'key',
  input: z.strictObject({
    key,
    token,
    kindId: z.uuid(),
    trainerId: z.uuid(),
    day: dayValue,
    at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'classes.notTime' }),
  }),
  output: z.object({ state: z.enum(bookingStates), id: z.string() }),
  summary: 'Makes an appointment at a time that is free',
  errors: [...answers, 'bookingPage.slotGone'],
})
export const cancelOnPage = defineEndpoint({
  name: 'bookingPage.cancel',
  method: 'POST',
  path: `${base}/cancel`,
  access: 'key',
  input: z.strictObject({
    key,
    token,
    id: z.uuid(),
    late: z.boolean().default(false).describe('He was told what it costs and agrees'),
  }),
  output: done,
  summary: 'Cancels one’s own booking; late, only by whoever agreed to what it costs',
  errors: ['kit.notFound', 'bookingPage.logInAgain', 'bookings.lateNow', 'bookings.kept'],
})
export const confirmOnPage = defineEndpoint({
  name: 'bookingPage.confirm',
  method: 'POST',
  path: `${base}/confirm`,
  access: 'key',
  input: z.strictObject({ key, token, id: z.uuid() }),
  output: z.object({ state: z.enum(bookingStates) }),
  summary: 'Takes the seat that was offered; held where it is to be paid at once',
  errors: ['kit.notFound', 'bookingPage.logInAgain', 'bookings.notOffered', 'bookings.full'],
})
export const payOnPage = defineEndpoint({
  name: 'bookingPage.pay',
  method: 'POST',
  path: `${base}/pay`,
  access: 'key',
  input: z.strictObject({ key, token, bookingId: z.uuid().optional(), passKindId: z.uuid().optional() }),
  output: z.object({ url: z.string() }),
  summary: 'A page on which the booking or a new pass is paid by card',
  errors: [
    'kit.notFound',
    'bookingPage.logInAgain',
    'bookingPage.notOnline',
    'bookings.nothingToPay',
    'passes.trialOnce',
  ],
})
export const healthOnPage = defineEndpoint({
  name: 'bookingPage.health',
  method: 'POST',
  path: `${base}/health`,
  access: 'key',
  input: z.strictObject({ key, token }),
  output: z.object({ url: z.string() }),
  summary:
    'The page on which the yearly declaration of health is signed; a yes asks for a doctor’s letter at the desk',
  errors: ['kit.notFound', 'bookingPage.logInAgain'],
})
export const feedOnPage = defineEndpoint({
  name: 'bookingPage.feed',
  method: 'POST',
  path: `${base}/feed`,
  access: 'key',
  input: z.strictObject({ key, token }),
  output: z.object({ url: z.string() }),
  summary: 'An address from which a calendar elsewhere reads one’s own bookings; the one before ends',
  errors: ['kit.notFound', 'bookingPage.logInAgain'],
})
