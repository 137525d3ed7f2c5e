import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue } from '#kit/fields/schema.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/support'
const byId = z.object({ id: z.uuid() })

export const ticketKinds = ['question', 'fault'] as const
export const severities = ['low', 'normal', 'high', 'blocking'] as const
export const ticketStates = ['new', 'open', 'waiting', 'solved', 'closed'] as const
export type TicketState = (typeof ticketStates)[number]
/** A page drawn by its browser; more is refused before it is read. */
export const maxPictureBytes = 3 * 1024 * 1024
/** A file that was added by hand, and so many of them to a ticket. */
export const maxTicketFileBytes = 5 * 1024 * 1024
export const mostTicketFiles = 10

const kind = z.enum(ticketKinds, { error: 'fields.choice' })
const severity = z.enum(severities, { error: 'fields.choice' })
const state = z.enum(ticketStates, { error: 'fields.choice' })
const text = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(8000, { error: 'fields.tooLong' })

const row = z.object({
  id: z.string(),
  number: z.number(),
  kind,
  severity,
  state,
  subject: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Of the desk: nobody has answered for two days. */
  isLate: z.boolean(),
})
export type TicketRow = z.output<typeof row>

const message = z.object({
  id: z.string(),
  author: z.enum(['asker', 'desk', 'system']),
  name: z.string(),
  text: z.string(),
  at: z.string(),
  /** From an address nobody knows: to be looked at. */
  held: z.boolean(),
  byMail: z.boolean(),
  /** Of the desk: written, and sent at this moment. */
  sendAt: z.string().nullable(),
  /** It is not sent automatically any more: the asker wrote meanwhile. */
  isStopped: z.boolean(),
})
const ticket = row.extend({
  page: z.string(),
  version: z.string(),
  browser: z.string(),
  article: z.string(),
  hasPicture: z.boolean(),
  files: z.array(z.object({ id: z.string(), name: z.string(), mime: z.string(), size: z.number() })),
  messages: z.array(message),
})
export type Ticket = z.output<typeof ticket>

const deskRow = row.extend({
  business: z.string(),
  asker: z.string(),
  held: z.number(),
  /** The moment at which the next answer that is written already is sent. */
  sendAt: z.string().nullable(),
})
export type DeskRow = z.output<typeof deskRow>

export const supportFacts = defineEndpoint({
  name: 'support.facts',
  method: 'GET',
  path: `${base}/facts`,
  access: 'member',
  input: z.object({}),
  output: z.object({
    /** I answer here. */
    isDesk: z.boolean(),
    /** Somebody answers here at all. */
    isAnswered: z.boolean(),
    version: z.string(),
  }),
  summary: 'Whether somebody answers questions on this installation, and whether it is me',
})

export const listTickets = defineEndpoint({
  name: 'support.list',
  method: 'GET',
  path: base,
  access: 'member',
  input: z.object({ kind: kind.optional() }),
  output: z.object({ rows: z.array(row) }),
  summary: 'What I asked and reported; the owner sees what everybody of the business did',
})

export const getTicket = defineEndpoint({
  name: 'support.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: 'member',
  input: byId,
  output: ticket,
  summary: 'A ticket with all its answers',
  errors: ['kit.notFound'],
})

export const askSupport = defineEndpoint({
  name: 'support.ask',
  method: 'POST',
  path: base,
  access: 'member',
  throttle: 30,
  input: z.strictObject({
    kind,
    severity: severity.default('normal'),
    subject: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    text,
    page: z.string().max(300).default(''),
    browser: z.string().max(400).default(''),
    article: z.string().max(80).default(''),
  }),
  output: z.object({ id: z.string(), number: z.number() }),
  summary: 'Asks whoever runs the installation, or reports a fault',
  errors: ['support.nobody'],
})

export const addTicketPicture = defineEndpoint({
  name: 'support.picture',
  method: 'POST',
  path: `${base}/{id}/picture`,
  access: 'member',
  upload: { maxBytes: maxPictureBytes },
  input: byId.extend({ bytes: bytesValue }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Puts the picture of a page beside my ticket, once; it is drawn anew',
  errors: ['kit.notFound', 'support.notPicture', 'support.pictureTooLarge'],
})

export const ticketPicture = defineEndpoint({
  name: 'support.pictureOf',
  method: 'GET',
  path: `${base}/{id}/picture`,
  access: 'member',
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The picture of a ticket',
  errors: ['kit.notFound'],
})

export const addTicketFile = defineEndpoint({
  name: 'support.addFile',
  method: 'POST',
  path: `${base}/{id}/files`,
  access: 'member',
  throttle: 60,
  upload: { maxBytes: maxTicketFileBytes },
  input: byId.extend({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    bytes: bytesValue,
  }),
  output: ticket,
  summary: 'Adds a file to my ticket: a picture, a PDF, a sheet or a text, by its content',
  errors: ['kit.notFound', 'support.isClosed', 'support.badFile', 'support.tooManyFiles'],
})

export const ticketFile = defineEndpoint({
  name: 'support.file',
  method: 'GET',
  path: `${base}/{id}/files/{fileId}`,
  access: 'member',
  file: true,
  input: byId.extend({ fileId: z.uuid() }),
  output: z.any(),
  summary: 'A file of my ticket',
  errors: ['kit.notFound'],
})

export const answerTicket = defineEndpoint({
  name: 'support.answer',
  method: 'POST',
  path: `${base}/{id}/answer`,
  access: 'member',
  throttle: 60,
  input: byId.extend({ text }),
  output: ticket,
  summary: 'Writes on in my ticket; one that was ended opens again',
  errors: ['kit.notFound'],
})

export const closeTicket = defineEndpoint({
  name: 'support.close',
  method: 'POST',
  path: `${base}/{id}/close`,
  access: 'member',
  input: byId,
  output: ticket,
  summary: 'Ends my ticket',
  errors: ['kit.notFound', 'support.isClosed'],
})

export const deskTickets = defineEndpoint({
  name: 'support.desk',
  method: 'GET',
  path: `${base}/desk/tickets`,
  access: 'login',
  input: z.object({ view: z.enum(['mine', 'waiting', 'ended']).default('mine') }),
  output: z.object({ rows: z.array(deskRow), counts: z.object({ mine: z.number(), waiting: z.number() }) }),
  summary: 'For whoever answers: tickets of all businesses; worst and oldest first',
  errors: ['support.notDesk'],
})

export const deskTicket = defineEndpoint({
  name: 'support.deskOne',
  method: 'GET',
  path: `${base}/desk/tickets/{number}`,
  access: 'login',
  input: z.object({ number: queryNumber(z.int()) }),
  output: ticket.extend({ ...deskRow.shape, email: z.string(), language: z.string() }),
  summary: 'For whoever answers: one ticket by its number',
  errors: ['kit.notFound', 'support.notDesk'],
})

export const deskAnswer = defineEndpoint({
  name: 'support.deskAnswer',
  method: 'POST',
  path: `${base}/desk/tickets/{number}/answer`,
  access: 'login',
  input: z.object({
    number: queryNumber(z.int()),
    text,
    solved: z.boolean().default(false),
    at: z.iso
      .datetime({ offset: true, error: 'fields.moment' })
      .optional()
      .describe('When it is to be sent; at once without it'),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'For whoever answers: an answer, which is mailed to the asker, at once or later',
  errors: ['kit.notFound', 'support.notDesk', 'support.notAhead'],
})

export const deskPlanned = defineEndpoint({
  name: 'support.deskPlanned',
  method: 'POST',
  path: `${base}/desk/tickets/{number}/planned/{messageId}`,
  access: 'login',
  input: z.object({
    number: queryNumber(z.int()),
    messageId: z.uuid(),
    deed: z.enum(['send', 'drop'], { error: 'fields.choice' }),
  }),
  output: z.object({ text: z.string() }),
  summary: 'For whoever answers: sends an answer now that was to be sent later, or takes it back',
  errors: ['kit.notFound', 'support.notDesk'],
})

export const deskChange = defineEndpoint({
  name: 'support.deskChange',
  method: 'PATCH',
  path: `${base}/desk/tickets/{number}`,
  access: 'login',
  input: z.object({
    number: queryNumber(z.int()),
    state: state.exclude(['new']).optional(),
    severity: severity.optional(),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'For whoever answers: another state or severity',
  errors: ['kit.notFound', 'support.notDesk'],
})

export const deskTake = defineEndpoint({
  name: 'support.deskTake',
  method: 'POST',
  path: `${base}/desk/tickets/{number}/take`,
  access: 'login',
  input: z.object({ number: queryNumber(z.int()), messageId: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'For whoever answers: a letter from an unknown address belongs to the thread',
  errors: ['kit.notFound', 'support.notDesk'],
})

export const deskPicture = defineEndpoint({
  name: 'support.deskPicture',
  method: 'GET',
  path: `${base}/desk/tickets/{number}/picture`,
  access: 'login',
  file: true,
  input: z.object({ number: queryNumber(z.int()) }),
  output: z.any(),
  summary: 'For whoever answers: the picture of a ticket',
  errors: ['kit.notFound', 'support.notDesk'],
})

export const deskFile = defineEndpoint({
  name: 'support.deskFile',
  method: 'GET',
  path: `${base}/desk/tickets/{number}/files/{fileId}`,
  access: 'login',
  file: true,
  input: z.object({ number: queryNumber(z.int()), fileId: z.uuid() }),
  output: z.any(),
  summary: 'For whoever answers: a file of a ticket',
  errors: ['kit.notFound', 'support.notDesk'],
})

const givenUpRow = z.object({
  kind: z.enum(['job', 'row', 'copy', 'webhook', 'mail']),
  companyId: z.uuid().nullable(),
  key: z.string(),
  business: z.string().nullable(),
  name: z.string(),
  error: z.string(),
  tries: z.number(),
  count: z.number(),
  at: z.string(),
})
export type GivenUpRow = z.output<typeof givenUpRow>

export const deskGivenUp = defineEndpoint({
  name: 'support.givenUp',
  method: 'GET',
  path: `${base}/desk/givenup`,
  access: 'login',
  input: z.object({}),
  output: z.object({ rows: z.array(givenUpRow), count: z.number() }),
  summary: 'For the operator of the installation: work of all businesses that was given up after all tries',
  errors: ['support.notDesk'],
})

export const deskRetry = defineEndpoint({
  name: 'support.retry',
  method: 'POST',
  path: `${base}/desk/givenup/retry`,
  access: 'login',
  input: givenUpRow.pick({ kind: true, companyId: true }).extend({ key: z.string().min(1).max(300) }),
  output: z.object({ done: z.literal(true) }),
  summary: 'For the operator of the installation: tries again what was given up',
  errors: ['kit.notFound', 'support.notDesk'],
})
