import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, moneyValue, rawValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { leadChannels, outcomes } from './leads.ts'

const base = '/api4/invoice/leads'
const see = { rule: 'leads.see' }
const change = { rule: 'leads.change' }
const setUp = { rule: 'leads.setUp' }
const hand = { rule: 'leads.handOver' }
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

const card = z.object({
  id: z.string(),
  name: z.string(),
  company: z.string(),
  stageId: z.string(),
  rank: z.string(),
  version: z.number(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  sourceId: z.string().nullable(),
  sourceName: z.string().nullable(),
  kindId: z.string().nullable(),
  phone: z.string().nullable(),
  nextDay: z.string().nullable(),
  nextText: z.string(),
  sumAgorot: z.number().nullable(),
  outcome: z.enum(outcomes),
  lostReason: z.string(),
  isStale: z.boolean(),
  arrivedAt: z.string(),
  firstAnswerAt: z.string().nullable(),
  /** What the lead wrote when it came, its beginning; empty where it wrote nothing. */
  message: z.string(),
})
export type LeadCard = z.output<typeof card>
const stage = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  outcome: z.enum(outcomes),
  staleDays: z.number().nullable(),
  kindId: z.string().nullable(),
})
export type LeadStage = z.output<typeof stage>

export const listStages = defineEndpoint({
  name: 'leads.stages',
  method: 'GET',
  path: `${base}/stages`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(stage) }),
  summary: 'The stages of leads in their order; the usual ones are made when they are first looked for',
})
export const leadBoard = defineEndpoint({
  name: 'leads.board',
  method: 'GET',
  path: `${base}/board`,
  access: see,
  input: z.object({ ids: z.string().max(12_000).optional().describe('Only these: what changed meanwhile') }),
  output: z.object({
    rows: z.array(card),
    open: z.number(),
    openAgorot: z.number(),
    answerMinutes: z.number().nullable().describe('To the first answer, the middle one of the last 30 days'),
  }),
  summary: 'Leads as cards in their order: the open ones, and those closed in the last 30 days',
})
export const moveLead = defineEndpoint({
  name: 'leads.move',
  method: 'POST',
  path: `${base}/{id}/move`,
  access: change,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    version: z.number().int(),
    stageId: z.uuid(),
    afterId: z.uuid().nullable().default(null),
    beforeId: z.uuid().nullable().default(null),
    reason: z
      .string()
      .trim()
      .max(200, { error: 'fields.tooLong' })
      .optional()
      .describe('Needed where it is lost'),
  }),
  output: card,
  summary: 'Moves a lead to a stage or a place in it; into a stage of those won it goes by leads.win',
  errors: ['kit.notFound', 'leads.moved', 'leads.winFirst', 'leads.wrongKind'],
})
const quoteLine = z.strictObject({
  description: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(500, { error: 'fields.tooLong' }),
  quantity: z.string().max(20).default('1'),
  unitPrice: z.string().max(20),
  itemId: z.uuid().optional(),
})
export const winLead = defineEndpoint({
  name: 'leads.win',
  method: 'POST',
  path: `${base}/{id}/win`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    version: z.number().int(),
    stageId: z.uuid().optional().describe('One of those won; the first without it'),
    customerId: z
      .uuid()
      .nullable()
      .default(null)
      .describe('Somebody who is a customer already; a new one is made without it'),
    sumAgorot: moneyValue.min(0, { error: 'fields.range' }).nullable().default(null),
    lines: z
      .array(quoteLine)
      .max(100, { error: 'fields.range' })
      .default([])
      .describe('Of a quote, which is left as a draft'),
  }),
  output: z.object({
    lead: card,
    customerId: z.string(),
    contactId: z.string().nullable(),
    quoteId: z.string().nullable(),
  }),
  summary: 'Won: a customer, his contact and a quote with its lines in one step, or nothing of it',
  errors: ['kit.notFound', 'leads.moved', 'leads.isClosed'],
})
export const quoteLead = defineEndpoint({
  name: 'leads.quote',
  method: 'POST',
  path: `${base}/{id}/quote`,
  access: { rule: 'documents.draft' },
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ quoteId: z.string() }),
  summary: 'A quote for a lead, left as a draft; the draft that there is when it has one',
  errors: ['kit.notFound', 'leads.isClosed'],
})
export const leadMessage = defineEndpoint({
  name: 'leads.message',
  method: 'GET',
  path: `${base}/{id}/message`,
  access: see,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ message: z.string() }),
  summary: 'What a lead wrote when it came',
  errors: ['kit.notFound'],
})
const twin = z.object({
  kind: z.enum(['lead', 'customer']),
  id: z.string(),
  name: z.string(),
  by: z.array(z.enum(['phone', 'email'])),
  state: z.string(),
})
export type LeadTwin = z.output<typeof twin>
export const leadTwins = defineEndpoint({
  name: 'leads.twins',
  method: 'GET',
  path: `${base}/twins`,
  access: see,
  input: z.object({
    phone: z.string().max(40).optional(),
    email: z.string().max(320).optional(),
    except: z.uuid().optional(),
  }),
  output: z.object({ rows: z.array(twin) }),
  summary: 'Leads and customers with this phone or mail',
})
export const leadReasons = defineEndpoint({
  name: 'leads.reasons',
  method: 'GET',
  path: `${base}/reasons`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(z.string()) }),
  summary: 'Why leads were lost, the commonest reason first',
})
export const leadHistory = defineEndpoint({
  name: 'leads.history',
  method: 'GET',
  path: `${base}/{id}/history`,
  access: see,
  input: byId,
  output: z.object({
    moves: z.array(
      z.object({
        at: z.string(),
        stage: z.string(),
        by: z.string().nullable(),
        hours: z.number().nullable(),
      }),
    ),
    handovers: z.array(
      z.object({
        at: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        by: z.string().nullable(),
      }),
    ),
  }),
  summary: 'Through which stages a lead went, how long it stayed, and who had it',
  errors: ['kit.notFound'],
})

const kindField = z.strictObject({
  id: z.uuid().optional(),
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(60, { error: 'fields.tooLong' }),
  kind: z.enum(['text', 'number', 'day', 'choice', 'flag'], { error: 'fields.choice' }),
  choices: z.array(z.string().trim().min(1).max(60)).max(30, { error: 'fields.range' }).default([]),
  needed: z.boolean().default(false),
})
const kind = z.object({
  id: z.string(),
  name: z.string(),
  fields: z.array(kindField.extend({ id: z.string() })),
})
export type LeadKind = z.output<typeof kind>
export const listKinds = defineEndpoint({
  name: 'leads.kinds',
  method: 'GET',
  path: `${base}/kinds`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(kind) }),
  summary: 'Kinds of leads with their own fields',
})
export const setKindFields = defineEndpoint({
  name: 'leads.kindFields',
  method: 'PUT',
  path: `${base}/kinds/{id}/fields`,
  access: setUp,
  input: z.strictObject({ id: z.uuid(), fields: z.array(kindField).max(30, { error: 'fields.range' }) }),
  output: kind,
  summary: 'The fields of a kind, in their order; values of one that is left out stay where they are',
  errors: ['kit.notFound'],
})
export const orderStages = defineEndpoint({
  name: 'leads.orderStages',
  method: 'PUT',
  path: `${base}/stages/order`,
  access: setUp,
  input: z.strictObject({ ids: z.array(z.uuid()).max(100, { error: 'fields.range' }) }),
  output: done,
  summary: 'The order of the stages',
})

export const sourceDoor = defineEndpoint({
  name: 'leads.door',
  method: 'GET',
  path: `${base}/sources/{id}/door`,
  access: setUp,
  secret: true,
  input: byId,
  output: z.object({
    channel: z.enum(leadChannels),
    key: z.string(),
    pageUrl: z.string(),
    scriptUrl: z.string(),
    apiUrl: z.string(),
    mail: z.string().nullable(),
    receiving: z.boolean(),
    facebook: z.object({ callbackUrl: z.string(), verifyToken: z.string(), isSet: z.boolean() }).nullable(),
  }),
  summary: 'How leads come in by a source: the lines to embed, the address, the key',
  errors: ['kit.notFound'],
})
export const renewDoor = defineEndpoint({
  name: 'leads.renewDoor',
  method: 'POST',
  path: `${base}/sources/{id}/renew`,
  access: setUp,
  input: byId,
  output: done,
  summary: 'A new key for a source; what has the old one brings nothing any more',
  errors: ['kit.notFound'],
})

const secret = z.string().trim().max(1000, { error: 'fields.tooLong' }).default('')
export const setFacebook = defineEndpoint({
  name: 'leads.setFacebook',
  method: 'PUT',
  path: `${base}/sources/{id}/facebook`,
  access: setUp,
  input: byId.extend({ appSecret: secret, pageToken: secret }),
  output: done,
  summary: 'What a page at Facebook and its app are known by; an empty one stays as it was',
  errors: ['kit.notFound'],
})

const intake = z.object({
  id: z.string(),
  at: z.string(),
  source: z.string(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  message: z.string(),
  doubts: z.array(z.string()),
  state: z.enum(['taken', 'toCheck', 'dropped']),
  leadId: z.string().nullable(),
})
export type LeadIntake = z.output<typeof intake>
export const listIntakes = defineEndpoint({
  name: 'leads.intakes',
  method: 'GET',
  path: `${base}/intakes`,
  access: hand,
  input: z.object({
    state: z.enum(['toCheck', 'dropped', 'taken']).default('toCheck'),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ rows: z.array(intake), nextCursor: z.string().nullable(), toCheck: z.number() }),
  summary: 'What came in by forms, mail and programs, and what is still to be looked at',
})
export const decideIntake = defineEndpoint({
  name: 'leads.decide',
  method: 'POST',
  path: '/api4/invoice/leadIntakes/{id}',
  former: { path: `${base}/intakes/{id}`, since: '2026-11-30', until: '2027-11-30' },
  access: hand,
  input: z.strictObject({ id: z.uuid(), take: z.boolean() }),
  output: z.object({ leadId: z.string().nullable() }),
  summary: 'Takes what was doubtful, or drops it',
  errors: ['kit.notFound', 'leads.decided'],
})

const rule = z.object({
  id: z.string(),
  name: z.string(),
  isOn: z.boolean(),
  sourceId: z.string().nullable(),
  kindId: z.string().nullable(),
  cities: z.array(z.string()),
  how: z.enum(['turn', 'load']),
  people: z.array(z.string()),
})
export type LeadRule = z.output<typeof rule>
export const listRules = defineEndpoint({
  name: 'leads.rules',
  method: 'GET',
  path: `${base}/rules`,
  access: hand,
  input: z.object({}),
  output: z.object({
    rows: z.array(rule),
    absences: z.array(z.object({ userId: z.string(), until: z.string() })),
    loads: z.array(z.object({ userId: z.string(), name: z.string(), open: z.number() })),
  }),
  summary: 'By which rules a lead that nobody has is given to somebody, who is away, and how many each has',
})
export const saveRule = defineEndpoint({
  name: 'leads.saveRule',
  method: 'PUT',
  path: `${base}/rules`,
  access: hand,
  input: z.strictObject({
    id: z.uuid().optional(),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(60, { error: 'fields.tooLong' }),
    isOn: z.boolean().default(true),
    sourceId: z.uuid().nullable().default(null),
    kindId: z.uuid().nullable().default(null),
    cities: z.array(z.string().trim().min(1).max(80)).max(100, { error: 'fields.range' }).default([]),
    how: z.enum(['turn', 'load'], { error: 'fields.choice' }).default('turn'),
    people: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(100, { error: 'fields.range' }),
  }),
  output: rule,
  summary: 'Makes or changes a rule; the first that fits holds',
  errors: ['kit.notFound'],
})
export const dropRule = defineEndpoint({
  name: 'leads.dropRule',
  method: 'DELETE',
  path: `${base}/rules/{id}`,
  access: hand,
  input: byId,
  output: done,
  summary: 'Ends a rule',
  errors: ['kit.notFound'],
})
export const setAbsence = defineEndpoint({
  name: 'leads.absence',
  method: 'PUT',
  path: `${base}/absences`,
  access: hand,
  input: z.strictObject({ userId: z.uuid(), until: dayValue.nullable() }),
  output: done,
  summary: 'Somebody is away until a day and is given no leads; null: he is back',
})
const transferInput = z.strictObject({
  from: z
    .union([z.uuid(), z.literal('nobody'), z.literal('anybody')])
    .describe('Whose open leads: one person’s, those nobody has, or all'),
  sourceId: z.uuid().nullable().default(null),
  stageId: z.uuid().nullable().default(null),
  most: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(1000, { error: 'fields.range' })
    .nullable()
    .default(null),
  how: z.enum(['rules', 'turn', 'load'], { error: 'fields.choice' }),
  people: z
    .array(z.uuid())
    .max(100, { error: 'fields.range' })
    .default([])
    .describe('Among whom; needed unless by the rules'),
})
const dealt = z.object({
  rows: z.array(
    z.object({
      leadId: z.string(),
      name: z.string(),
      from: z.string().nullable(),
      toId: z.string(),
      to: z.string(),
    }),
  ),
  left: z.number(),
})
export const previewTransfer = defineEndpoint({
  name: 'leads.transferPreview',
  method: 'POST',
  path: `${base}/transfer/preview`,
  access: hand,
  reads: true,
  input: transferInput,
  output: dealt,
  summary: 'Who would get which leads',
})
export const transferLeads = defineEndpoint({
  name: 'leads.transfer',
  method: 'POST',
  path: `${base}/transfer`,
  access: hand,
  input: transferInput,
  output: dealt,
  summary: 'Hands open leads over, and leaves a trace of each',
  errors: ['leads.nobodyThere'],
})
export const listHandovers = defineEndpoint({
  name: 'leads.handovers',
  method: 'GET',
  path: `${base}/handovers`,
  access: hand,
  input: z.object({ cursor: z.string().max(200).optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        leadId: z.string(),
        name: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        by: z.string().nullable(),
        rule: z.string().nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  summary: 'The trace: who was given which lead, by whom or by which rule',
})

/* Doors for strangers and for programs, by the key of a source. */

const key = z.string().regex(/^[a-z2-7]{26}$/, { error: 'fields.text' })
const doorBase = '/api2/invoice/leadform/{key}'
export const formPage = defineEndpoint({
  name: 'leads.form',
  method: 'GET',
  path: doorBase,
  access: 'key',
  anyOrigin: true,
  input: z.object({ key, lang: z.string().max(5).optional() }),
  output: z.object({
    ...faceFields,
    language: z.string(),
    fields: z.array(kindField.extend({ id: z.string() })),
    challenge: z.string(),
    bits: z.number().describe('How much work is asked for: so many zero bits of SHA-256'),
    words: z.record(z.string(), z.string()),
  }),
  summary: 'What a form for leads shows, and the work it is to do before it is sent',
  errors: ['kit.notFound'],
})
export const formLogo = defineEndpoint({
  name: 'leads.formLogo',
  method: 'GET',
  path: `${doorBase}/logo`,
  access: 'key',
  input: z.object({ key }),
  output: z.any(),
  file: true,
  summary: 'The logo of the business whose form it is',
  errors: ['kit.notFound'],
})
const short = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' }).default('')
export const sendForm = defineEndpoint({
  name: 'leads.sendForm',
  method: 'POST',
  path: doorBase,
  access: 'key',
  anyOrigin: true,
  throttle: 30,
  input: z.strictObject({
    key,
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    phone: short(40),
    email: short(320),
    company: short(200),
    city: short(80),
    message: short(5000),
    campaign: short(80),
    own: z
      .record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
      .default({}),
    website: short(500).describe('No person fills it'),
    challenge: short(300),
    proof: short(40),
  }),
  output: z.object({ thanks: z.string() }),
  summary: 'Takes what somebody wrote into a form',
  errors: ['kit.notFound'],
})
export const formScript = defineEndpoint({
  name: 'leads.script',
  method: 'GET',
  path: `${doorBase}/form.js`,
  access: 'key',
  anyOrigin: true,
  input: z.object({ key }),
  output: z.any(),
  file: true,
  summary: 'The script that puts the form into a foreign page; it sets no cookie and keeps nothing',
  errors: ['kit.notFound'],
})
export const bringLead = defineEndpoint({
  name: 'leads.bring',
  method: 'POST',
  path: '/api2/invoice/leadintake/{key}',
  access: 'key',
  throttle: 600,
  input: z.strictObject({
    key,
    externalId: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('What the sender knows it by: the same one twice is once'),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    phone: short(40),
    email: short(320),
    company: short(200),
    city: short(80),
    message: short(20_000),
    campaign: short(80),
    own: z
      .record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]))
      .default({}),
  }),
  output: z.object({ leadId: z.string().nullable(), isNew: z.boolean() }),
  summary:
    'Brings a lead by the key of a source; one whose phone or mail is known adds a contact to the lead there is',
  errors: ['kit.notFound'],
})

const facebookBase = '/api2/invoice/leadfacebook/{key}'
const hub = z.string().max(300).default('')
export const facebookHello = defineEndpoint({
  name: 'leads.facebookHello',
  method: 'GET',
  path: facebookBase,
  access: 'key',
  input: z.object({ key, 'hub.mode': hub, 'hub.verify_token': hub, 'hub.challenge': hub }),
  output: z.any(),
  file: true,
  summary: 'Facebook asks whether the address of a source is ours; its word comes back to whoever knows ours',
  errors: ['kit.notFound', 'leads.badVerify'],
})
export const facebookNotice = defineEndpoint({
  name: 'leads.facebookNotice',
  method: 'POST',
  path: facebookBase,
  access: 'key',
  throttle: 3000,
  raw: { maxBytes: 524_288 },
  input: z.object({ key, raw: rawValue }),
  output: done,
  summary:
    'Facebook tells that somebody left a lead: JSON, with X-Hub-Signature-256 (hex HMAC-SHA256 of the body by the secret of the app)',
  errors: ['kit.notFound', 'kit.badJson', 'leads.badSignature'],
})
