import { z } from 'zod'
import { closingStates } from '#domain/closing/closing.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, languageValue, monthValue, phoneValue, taxIdValue } from '#kit/fields/schema.ts'
import { guessable, passwordValue, sessionAnswer } from '#features/base/session/endpoints.ts'
import { businessKindNames } from '#features/base/companies/company.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api5/invoicecpa/office'
const done = z.object({ done: z.literal(true) })
const name = (max: number) =>
  z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(max, { error: 'fields.tooLong' })
const reason = z
  .string({ error: 'fields.need' })
  .trim()
  .min(3, { error: 'fields.need' })
  .max(300, { error: 'fields.tooLong' })

/** What a client may agree to beyond reading the books. */
export const engagementRights = ['enter', 'post', 'close', 'file'] as const
export type EngagementRight = (typeof engagementRights)[number]
const rights = z.array(z.enum(engagementRights, { error: 'fields.choice' })).max(engagementRights.length)
export const engagementStates = ['asked', 'active', 'paused', 'ended'] as const

const office = {
  name: name(120),
  kind: z.enum(businessKindNames, { error: 'fields.choice' }),
  taxId: taxIdValue,
  licence: z.string().trim().max(20, { error: 'fields.tooLong' }).default(''),
}

export const signUpCpa = defineEndpoint({
  name: 'practice.signUp',
  method: 'POST',
  path: '/api/user/signupcpa',
  access: 'open',
  throttle: 30,
  input: z.strictObject({
    email: emailValue,
    password: passwordValue,
    fullName: name(120),
    phone: z.union([phoneValue, z.literal('')]).optional(),
    office: z.strictObject(office),
    language: languageValue.default('he'),
    termsAccepted: z.literal(true, { error: 'session.termsNeeded' }),
  }),
  output: sessionAnswer,
  summary: 'Opens an accountant’s office with its manager',
  errors: ['session.emailTaken', ...guessable],
})
export const openOffice = defineEndpoint({
  name: 'practice.open',
  method: 'POST',
  path: base,
  access: 'login',
  throttle: 30,
  input: z.strictObject(office),
  output: z.object({ id: z.string() }),
  summary: 'Opens an office for somebody who has a log-in; he is its manager',
  errors: ['practice.haveOne'],
})

const person = z.object({ id: z.string(), name: z.string(), isManager: z.boolean() })
export const myOffice = defineEndpoint({
  name: 'practice.office',
  method: 'GET',
  path: base,
  access: 'login',
  input: z.object({}),
  output: z.object({
    /** Absent for the person who works in no office. */
    office: z
      .object({
        id: z.string(),
        name: z.string(),
        licence: z.string(),
        isManager: z.boolean(),
        /** Whether this session is in the office itself and not in a client. */
        isHere: z.boolean(),
        joinUrl: z.string(),
        people: z.array(person),
        templates: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            kinds: z.array(z.string()),
            skips: z.array(z.string()),
            own: z.array(z.string()),
          }),
        ),
      })
      .nullable(),
  }),
  summary: 'The office I work in',
})

const lineState = z.enum(['ok', 'look', 'stop'])
const lines = z.array(
  z.object({
    line: z.string(),
    /** Of a line of the office’s own. */
    title: z.string().nullable(),
    state: lineState,
    count: z.number(),
    /** Where it is mended, in the client. */
    open: z.string().nullable(),
    /** Of what is handed in once a year. */
    dueDay: z.string().optional(),
    isSigned: z.boolean(),
    signedBy: z.string().nullable(),
    signedAt: z.string().nullable(),
  }),
)
const facts = z.object({
  lines,
  requestsOpen: z.number(),
  requestsAnswered: z.number(),
  isTouched: z.boolean(),
  isClosed: z.boolean(),
  isPaid: z.boolean(),
  said: z.enum(['waiting', 'work', 'review']).nullable(),
  note: z.string(),
  vat: z
    .object({
      from: z.string(),
      to: z.string(),
      dueDay: z.string(),
      /** Which report it is: the detailed one has a later day. Absent in what was summed up before. */
      duty: z.enum(['vat', 'detailedVat']).optional(),
      toPayAgorot: z.number(),
      isFiled: z.boolean(),
      isSent: z.boolean(),
    })
    .nullable(),
  advance: z
    .object({ dueDay: z.string(), toPayAgorot: z.number(), isFiled: z.boolean().optional() })
    .nullable(),
  /**
   * Withheld from suppliers in the month, for form 102; absent in what was summed up before there was this.
   */
  withheld: z.object({ dueDay: z.string(), toPayAgorot: z.number() }).nullish(),
})
export type ClientFacts = z.infer<typeof facts>

const clientRow = z.object({
  id: z.string(),
  name: z.string(),
  taxId: z.string(),
  kind: z.enum(businessKindNames),
  vatMonths: z.number(),
  state: z.enum(engagementStates),
  rights: z.array(z.enum(engagementRights)),
  responsible: person.pick({ id: true, name: true }).nullable(),
  templateId: z.string().nullable(),
  /** The client requires a second factor and the caller has none: its figures are not shown. */
  needsFactor: z.boolean(),
  /** Null until the month was summed up, and where a second factor is needed. */
  facts: facts.nullable(),
  closing: z.enum(closingStates).nullable(),
  dueDay: z.string(),
  daysLeft: z.number(),
  madeAt: z.string().nullable(),
})
export type ClientRow = z.infer<typeof clientRow>

export const cockpit = defineEndpoint({
  name: 'practice.cockpit',
  method: 'GET',
  path: `${base}/clients`,
  access: 'login',
  input: z.object({ month: monthValue.optional() }),
  output: z.object({ month: z.string(), rows: z.array(clientRow) }),
  summary:
    'The clients of the office in a month: what is missing, who is responsible, where it stands, what is to be paid',
  errors: ['kit.notFound'],
})
const clientIds = (most: number) =>
  z.array(z.uuid()).min(1, { error: 'fields.need' }).max(most, { error: 'fields.tooLong' })
export const refreshClients = defineEndpoint({
  name: 'practice.refresh',
  method: 'POST',
  path: `${base}/clients/refresh`,
  access: 'login',
  reads: true,
  input: z.strictObject({ month: monthValue, clientIds: clientIds(20) }),
  /** `failed`: clients whose books could not be summed up; their rows are as they were. */
  output: z.object({ rows: z.array(clientRow), failed: z.array(z.string()) }),
  summary: 'Sums the month of these clients up anew from their books',
  errors: ['kit.notFound'],
})

const mark = z.object({
  id: z.string(),
  line: z.string(),
  deed: z.enum(['signed', 'reopened']),
  reason: z.string(),
  count: z.number(),
  by: z.string(),
  at: z.string(),
})
export const clientMonth = defineEndpoint({
  name: 'practice.client',
  method: 'GET',
  path: `${base}/clients/{clientId}`,
  access: 'login',
  input: z.object({ clientId: z.uuid(), month: monthValue }),
  output: clientRow.extend({ month: z.string(), marks: z.array(mark), email: z.string(), phone: z.string() }),
  summary: 'The month of one client: the list before closing, who signed what, and where each line is mended',
  errors: ['kit.notFound'],
})
const ofLine = { clientId: z.uuid(), month: monthValue, line: z.string().min(1).max(60) }
export const signLine = defineEndpoint({
  name: 'practice.sign',
  method: 'POST',
  path: `${base}/clients/{clientId}/sign`,
  access: 'login',
  input: z.strictObject(ofLine),
  output: done,
  summary: 'Signs a line of the list: it was looked at, whatever the books say',
  errors: ['kit.notFound', 'practice.lineStops', 'practice.monthAhead'],
})
export const unsignLine = defineEndpoint({
  name: 'practice.unsign',
  method: 'POST',
  path: `${base}/clients/{clientId}/unsign`,
  access: 'login',
  input: z.strictObject({ ...ofLine, reason }),
  output: done,
  summary: 'Takes a signature back, with the reason',
  errors: ['kit.notFound', 'practice.notSigned'],
})
export const sayState = defineEndpoint({
  name: 'practice.say',
  method: 'POST',
  path: `${base}/clients/{clientId}/state`,
  access: 'login',
  input: z.strictObject({
    clientId: z.uuid(),
    month: monthValue,
    said: z.enum(['waiting', 'work', 'review']).nullable(),
    note: z.string().trim().max(500, { error: 'fields.tooLong' }).optional(),
  }),
  output: done,
  summary: 'Says where a client’s month stands, or lets the books say it, with a note',
  errors: ['kit.notFound', 'practice.monthAhead'],
})

export const bulkDeeds = ['ask', 'close', 'fileVat', 'fileAll', 'paid'] as const
const deedInput = {
  deed: z.enum(bulkDeeds, { error: 'fields.choice' }),
  month: monthValue,
}
const outcome = z.object({
  clientId: z.string(),
  name: z.string(),
  /** What refuses it. */
  code: z.string().nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Of asking: how many papers. */
  count: z.number(),
  /** Of filing: what is to be paid. */
  sumAgorot: z.number().nullable(),
  /** Of closing: lines that are left and would be closed over. */
  left: z.array(z.string()),
})
export type Outcome = z.infer<typeof outcome>
export const reviewBulk = defineEndpoint({
  name: 'practice.review',
  method: 'POST',
  path: `${base}/bulk/review`,
  access: 'login',
  reads: true,
  input: z.strictObject({ ...deedInput, clientIds: clientIds(300) }),
  output: z.object({ rows: z.array(outcome) }),
  summary: 'What a deed over many clients would do with each of them',
  errors: ['kit.notFound'],
})
export const runBulk = defineEndpoint({
  name: 'practice.bulk',
  method: 'POST',
  path: `${base}/bulk`,
  access: 'login',
  input: z.strictObject({ ...deedInput, clientIds: clientIds(50), despite: z.boolean().default(false) }),
  output: z.object({ rows: z.array(outcome) }),
  summary: 'Does one deed with many clients, each by itself: what one refuses stops no other',
  about:
    'Asking for papers, closing the month, filing VAT, or writing down that it was paid. Each client ends as if it had been done with him alone.',
  errors: ['kit.notFound'],
})
export const filesOfClients = defineEndpoint({
  name: 'practice.files',
  method: 'GET',
  path: '/api4/invoiceexport/office/files',
  access: 'login',
  file: true,
  input: z.object({
    month: monthValue,
    clientIds: z
      .string()
      .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,49}$/, { error: 'fields.choice' })
      .describe('Ids of clients with commas between them, at most 50'),
  }),
  output: z.any(),
  summary:
    'The reports of a month of these clients in one archive: trial balance, profit and loss, and the VAT file where it was filed',
  errors: ['kit.notFound'],
})
export const yearFolder = defineEndpoint({
  name: 'practice.yearFolder',
  method: 'GET',
  path: '/api4/invoiceexport/office/year',
  access: 'login',
  file: true,
  input: z.object({
    clientId: z.uuid(),
    year: queryNumber(z.int().min(2000, { error: 'fields.range' }).max(2200, { error: 'fields.range' })),
  }),
  output: z.any(),
  summary:
    'The year-end folder of a client in one archive: adjusted trial balance, lead schedules, form 6111, statement of depreciation, and what is left open',
  errors: ['kit.notFound'],
})

export const inviteClient = defineEndpoint({
  name: 'practice.invite',
  method: 'POST',
  path: `${base}/invites`,
  access: 'login',
  throttle: 60,
  verified: true,
  input: z.strictObject({ email: emailValue, name: name(120), rights }),
  output: z.object({ id: z.string() }),
  summary: 'Asks the owner of a business by mail to let the office work in it',
  errors: ['practice.managerOnly', 'kit.notFound'],
})
export const listInvites = defineEndpoint({
  name: 'practice.invites',
  method: 'GET',
  path: `${base}/invites`,
  access: 'login',
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        expiresAt: z.string(),
        isOver: z.boolean(),
      }),
    ),
  }),
  summary: 'Clients who were asked and have not answered',
  errors: ['kit.notFound'],
})
export const dropInvite = defineEndpoint({
  name: 'practice.dropInvite',
  method: 'DELETE',
  path: `${base}/invites/{id}`,
  access: 'login',
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Takes an invitation of a client back',
  errors: ['practice.managerOnly', 'kit.notFound'],
})
export const seeInvite = defineEndpoint({
  name: 'practice.seeInvite',
  method: 'POST',
  path: '/api/user/officeinvite',
  access: 'open',
  reads: true,
  throttle: 60,
  input: z.strictObject({ token: z.string().max(200) }),
  output: z.object({
    office: z.string(),
    by: z.string(),
    licence: z.string(),
    email: z.string(),
    name: z.string(),
    rights,
  }),
  summary: 'What an office asks for, by the link of its letter',
  errors: ['practice.linkEnded'],
})
export const acceptInvite = defineEndpoint({
  name: 'practice.acceptInvite',
  method: 'POST',
  path: `${base}/invites/accept`,
  access: { rule: 'accountant.change' },
  input: z.strictObject({ token: z.string().max(200), rights }),
  output: done,
  summary: 'Lets the office of an invitation work in this business, with the rights chosen',
  errors: ['practice.linkEnded', 'practice.ownOffice', 'practice.notOwner'],
})

const offices = z.object({
  officeId: z.string(),
  name: z.string(),
  licence: z.string(),
  state: z.enum(engagementStates),
  rights: z.array(z.enum(engagementRights)),
  askedBy: z.string(),
  askedAt: z.string(),
  consentedAt: z.string().nullable(),
  people: z.array(z.object({ name: z.string(), seenAt: z.string().nullable() })),
})
export const myOffices = defineEndpoint({
  name: 'practice.mine',
  method: 'GET',
  path: '/api4/invoice/offices',
  access: { rule: 'accountant.see' },
  input: z.object({}),
  output: z.object({
    rows: z.array(offices),
    /** The last months as the office left them. */
    months: z.array(
      z.object({
        month: z.string(),
        signed: z.number(),
        note: z.string(),
        isClosed: z.boolean(),
        isPaid: z.boolean(),
      }),
    ),
  }),
  summary: 'The offices that work in this business or ask to, who of them comes in, and what they signed',
})
export const consentOffice = defineEndpoint({
  name: 'practice.consent',
  method: 'POST',
  path: '/api4/invoice/offices/{officeId}/consent',
  access: { rule: 'accountant.change' },
  input: z.strictObject({ officeId: z.uuid(), rights }),
  output: done,
  summary: 'Agrees that an office works in this business, or changes what it may',
  errors: ['kit.notFound', 'practice.notOwner'],
})
export const endOffice = defineEndpoint({
  name: 'practice.end',
  method: 'POST',
  path: '/api4/invoice/offices/{officeId}/end',
  access: { rule: 'accountant.change' },
  input: z.strictObject({
    officeId: z.uuid(),
    reason: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
  }),
  output: done,
  summary: 'Ends the work of an office in this business: its people are out at once',
  errors: ['kit.notFound', 'practice.notOwner'],
})

// Of the manager.
export const officeLoad = defineEndpoint({
  name: 'practice.load',
  method: 'GET',
  path: `${base}/people`,
  access: 'login',
  input: z.object({ month: monthValue.optional() }),
  output: z.object({
    month: z.string(),
    people: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        isManager: z.boolean(),
        isInvited: z.boolean(),
        allClients: z.boolean(),
        /** Clients the person is responsible for, and those the person may enter. */
        responsible: z.number(),
        clients: z.number(),
        late: z.number(),
        done: z.number(),
        waiting: z.number(),
        seenAt: z.string().nullable(),
      }),
    ),
    clients: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        taxId: z.string(),
        state: z.enum(engagementStates),
        responsibleId: z.string().nullable(),
        templateId: z.string().nullable(),
        feeAgorot: z.number().nullable(),
        people: z.array(z.string()),
      }),
    ),
    /** What was done in clients by people of the office, the newest first. */
    deeds: z.array(
      z.object({ id: z.string(), at: z.string(), by: z.string(), client: z.string(), action: z.string() }),
    ),
  }),
  summary: 'The people of the office, who has which clients, what is late, and what was done where',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const assignClients = defineEndpoint({
  name: 'practice.assign',
  method: 'POST',
  path: `${base}/assign`,
  access: 'login',
  input: z.strictObject({
    clientIds: clientIds(300),
    responsibleId: z.uuid().nullable().optional(),
    templateId: z.uuid().nullable().optional(),
    feeAgorot: z
      .number()
      .int()
      .min(0, { error: 'fields.range' })
      .max(100_000_000_00, { error: 'fields.range' })
      .nullable()
      .optional(),
    /** Who besides the responsible may enter them. */
    people: z.array(z.uuid()).max(100).optional(),
  }),
  output: done,
  summary:
    'Says who is responsible for clients, who else may enter them, which list is asked before closing, and the fee',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const seeAllClients = defineEndpoint({
  name: 'practice.seeAll',
  method: 'POST',
  path: `${base}/people/{id}/all`,
  access: 'login',
  input: z.strictObject({ id: z.uuid(), all: z.boolean() }),
  output: done,
  summary: 'Lets a person of the office enter all clients, or only those given to him',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const pauseClient = defineEndpoint({
  name: 'practice.pause',
  method: 'POST',
  path: `${base}/clients/{clientId}/pause`,
  access: 'login',
  input: z.strictObject({
    clientId: z.uuid(),
    as: z.enum(['active', 'paused', 'ended'], { error: 'fields.choice' }),
  }),
  output: done,
  summary: 'Pauses work for a client, takes it up again, or ends it from the office’s side',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const inviteColleague = defineEndpoint({
  name: 'practice.inviteColleague',
  method: 'POST',
  path: `${base}/people`,
  access: 'login',
  throttle: 60,
  verified: true,
  input: z.strictObject({ email: emailValue, fullName: name(120), isManager: z.boolean().default(false) }),
  output: done,
  summary: 'Asks somebody by mail to work in the office',
  errors: ['kit.notFound', 'practice.managerOnly', 'team.alreadyHere'],
})
export const keepTemplate = defineEndpoint({
  name: 'practice.keepTemplate',
  method: 'PUT',
  path: `${base}/templates`,
  access: 'login',
  input: z.strictObject({
    id: z.uuid().nullable().default(null),
    name: name(60),
    kinds: z.array(z.enum(businessKindNames, { error: 'fields.choice' })).max(5),
    skips: z.array(z.string().max(40)).max(20),
    own: z.array(name(120)).max(20, { error: 'fields.tooLong' }),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Keeps a list that is asked before a month is closed, by kind of client, with lines of one’s own',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const dropTemplate = defineEndpoint({
  name: 'practice.dropTemplate',
  method: 'DELETE',
  path: `${base}/templates/{id}`,
  access: 'login',
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Takes such a list away; its clients go back to the usual one',
  errors: ['kit.notFound', 'practice.managerOnly'],
})
export const chargeFees = defineEndpoint({
  name: 'practice.chargeFees',
  method: 'POST',
  path: `${base}/fees`,
  access: 'login',
  input: z.strictObject({ month: monthValue }),
  output: z.object({ count: z.number(), sumAgorot: z.number() }),
  summary: 'Lays the fees of a month onto drafts of invoices to the clients, each client and month once',
  errors: ['kit.notFound', 'practice.managerOnly', 'session.forbidden'],
})
/** Into a client in another browser or on a phone. */
export const wayIn = defineEndpoint({
  name: 'practice.wayIn',
  method: 'POST',
  path: `${base}/clients/{clientId}/wayin`,
  access: 'login',
  throttle: 60,
  input: z.strictObject({ clientId: z.uuid() }),
  output: z.object({ url: z.string(), seconds: z.number() }),
  summary: 'A link that opens this client for me once, within a minute, in another browser or on a phone',
  errors: ['kit.notFound'],
})
