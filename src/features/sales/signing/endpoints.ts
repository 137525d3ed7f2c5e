import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import {
  bytesValue,
  dayValue,
  emailValue,
  fileValue,
  languageInput,
  languageValue,
} from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import {
  askErrors,
  askValues,
  copyValue,
  fieldValue,
  filledValue,
  identities,
  mostFields,
  mostRoles,
  personValue,
  roleValue,
  signerValue,
} from './shapes.ts'
import { requestStates } from './signing.ts'
import { queryFlag, queryNumber } from '#kit/fields/query.ts'

const templates = '/api4/invoice/signTemplates'
const requests = '/api4/invoice/signRequests'
const open = '/api2/invoice/sign/{key}'
const byId = z.object({ id: z.uuid() })
const see = { rule: 'signing.see' }
const done = z.object({ done: z.literal(true) })
const words = (max: number) => z.string({ error: 'fields.text' }).trim().max(max, { error: 'fields.tooLong' })

/** Of the PDF that is brought in. */
export const maxTemplateBytes = 15 * 1024 * 1024
/** Of a file that a signer adds. */
export const maxFileBytes = 5 * 1024 * 1024

const pageShape = z.object({ width: z.number(), height: z.number(), text: z.string() })

const templateAnswer = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string(),
  version: z.number(),
  roles: z.array(roleValue),
  fields: z.array(fieldValue),
  pages: z.array(pageShape),
  /** This version was sent: changing it makes the next one. */
  isSent: z.boolean(),
  archivedAt: z.string().nullable(),
  open: z.object({
    isOpen: z.boolean(),
    most: z.number().nullable(),
    each: z.number(),
    until: z.string().nullable(),
    identity: z.enum(['link', 'code']),
    used: z.number(),
    url: z.string(),
  }),
})
export type TemplateAnswer = z.output<typeof templateAnswer>

export const uploadTemplate = defineEndpoint({
  name: 'signTemplates.upload',
  method: 'POST',
  path: templates,
  access: { rule: 'signing.templates' },
  upload: { maxBytes: maxTemplateBytes },
  input: z.object({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    bytes: bytesValue,
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Takes in a PDF to be signed; scripts, locks, XFA forms, signed and broken files are refused by name',
  errors: [
    'signing.notPdf',
    'signing.broken',
    'signing.locked',
    'signing.active',
    'signing.tooLong',
    'signing.xfa',
    'signing.signedAlready',
    'files.overQuota',
  ],
})
export const getTemplate = defineEndpoint({
  name: 'signTemplates.whole',
  method: 'GET',
  path: `${templates}/{id}/whole`,
  access: see,
  secret: true,
  input: byId,
  output: templateAnswer,
  summary: 'A template with its pages, roles and fields',
  errors: ['kit.notFound'],
})
export const saveTemplate = defineEndpoint({
  name: 'signTemplates.fields',
  method: 'PUT',
  path: `${templates}/{id}/fields`,
  access: { rule: 'signing.templates' },
  maxBody: 1_000_000,
  input: z.strictObject({
    id: z.uuid(),
    /** The version it was made from. */
    version: z.number().int(),
    roles: z.array(roleValue).min(1, { error: 'signing.noRole' }).max(mostRoles),
    fields: z.array(fieldValue).max(mostFields, { error: 'signing.tooMany' }),
  }),
  output: templateAnswer,
  summary: 'Puts roles and fields on a template; a version that was sent stays, and a new one is made',
  errors: [
    'kit.notFound',
    'signing.moved',
    'signing.fieldOutside',
    'signing.roleUnknown',
    'signing.needOptions',
    'signing.doubleField',
    'signing.noRole',
    'signing.tooMany',
  ],
})
export const openTemplate = defineEndpoint({
  name: 'signTemplates.open',
  method: 'PUT',
  path: `${templates}/{id}/open`,
  access: { rule: 'signing.send' },
  input: z.strictObject({
    id: z.uuid(),
    isOpen: z.boolean(),
    most: z
      .number()
      .int()
      .min(1, { error: 'fields.choice' })
      .max(100_000, { error: 'fields.choice' })
      .nullable()
      .default(null),
    each: z.number().int().min(1, { error: 'fields.choice' }).max(100, { error: 'fields.choice' }).default(1),
    until: dayValue.nullable().default(null),
    identity: z.enum(['link', 'code']).default('link'),
  }),
  output: templateAnswer,
  summary: 'Opens or closes the link by which anybody may sign a template, with its limits',
  errors: [
    'kit.notFound',
    'signing.needSignature',
    'signing.noRole',
    'signing.needAmount',
    'signing.dayPast',
  ],
})
export const copyTemplate = defineEndpoint({
  name: 'signTemplates.copy',
  method: 'POST',
  path: `${templates}/{id}/copy`,
  makes: { see: 'signTemplates.get' },
  access: { rule: 'signing.templates' },
  input: byId,
  output: z.object({ id: z.string() }),
  summary: 'A second template like it',
  errors: ['kit.notFound'],
})
export const templatePicture = defineEndpoint({
  name: 'signTemplates.picture',
  method: 'GET',
  path: `${templates}/{id}/pages/{page}`,
  access: see,
  file: true,
  input: z.object({ id: z.uuid(), page: queryNumber(z.int().min(1).max(300)) }),
  output: z.any(),
  summary: 'A page of a template as a picture',
  errors: ['kit.notFound'],
})

const groupAnswer = z.object({
  id: z.string(),
  name: z.string(),
  people: z.array(personValue),
  inTurn: z.boolean(),
  copies: z.array(copyValue),
})
export type GroupAnswer = z.output<typeof groupAnswer>
const groupFields = {
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(120, { error: 'fields.tooLong' }),
  people: z.array(personValue).max(50, { error: 'signing.tooMany' }),
  /** They sign one after another, as they stand here, where the template leaves them side by side. */
  inTurn: z.boolean().default(false),
  copies: z.array(copyValue).max(20, { error: 'signing.tooMany' }).default([]),
}
export const listGroups = defineEndpoint({
  name: 'signGroups.all',
  method: 'GET',
  path: '/api4/invoice/signing/groups',
  access: see,
  input: z.object({
    archived: queryFlag.optional().describe('Those that were put away, too'),
  }),
  output: z.object({ rows: z.array(groupAnswer) }),
  summary: 'The groups of signers with their people, by name',
})
export const createGroup = defineEndpoint({
  name: 'signGroups.make',
  makes: { see: 'signGroups.get' },
  method: 'POST',
  path: '/api4/invoice/signing/groups',
  access: { rule: 'signing.templates' },
  input: z.strictObject(groupFields),
  output: groupAnswer,
  summary: 'Keeps people who sign together under a name',
  errors: ['signing.tooMany'],
})
export const changeGroup = defineEndpoint({
  name: 'signGroups.people',
  method: 'PUT',
  path: '/api4/invoice/signing/groups/{id}',
  access: { rule: 'signing.templates' },
  input: z.strictObject({ id: z.uuid(), ...groupFields }),
  output: groupAnswer,
  summary: 'Changes a group of signers',
  errors: ['kit.notFound', 'signing.tooMany'],
})

const sending = {
  name: words(200).optional(),
  message: words(2000).default(''),
  language: languageInput.optional(),
  customerId: z.uuid().optional(),
  documentId: z.uuid().optional(),
  /** Of what is signed; roles that sign above a sum look at it. A document's own is taken from it. */
  sumAgorot: z.number().int().min(0).safe().optional(),
  copies: z.array(copyValue).max(20).default([]),
  expiresDay: dayValue.optional(),
  remindDays: z.array(z.number().int().min(1).max(90)).max(10).optional(),
  /** 'each': a seal after every signer; 'once': one when all have signed. */
  mode: z.enum(['once', 'each'], { error: 'fields.choice' }).default('once'),
}
const sendErrors = [
  'kit.notFound',
  'signing.needSignature',
  'signing.roleEmpty',
  'signing.roleUnknown',
  'signing.noWay',
  'signing.codeNeedsWay',
  'signing.loginNeedsMail',
  'signing.dayPast',
  'signing.noRole',
  'signing.needAmount',
  'signing.payOff',
  'sms.notMobile',
]

export const sendTemplate = defineEndpoint({
  name: 'signTemplates.send',
  method: 'POST',
  path: `${templates}/{id}/send`,
  makes: { see: 'signRequests.get' },
  access: { rule: 'signing.send' },
  input: z.strictObject({
    id: z.uuid(),
    ...sending,
    signers: z.array(signerValue).min(1, { error: 'signing.roleEmpty' }).max(50),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Sends a template to be signed: who signs in which role, how he is reached and told apart',
  errors: sendErrors,
})
export const bulkTemplate = defineEndpoint({
  name: 'signTemplates.bulk',
  method: 'POST',
  path: `${templates}/{id}/bulk`,
  access: { rule: 'signing.send' },
  input: z.strictObject({
    id: z.uuid(),
    ...sending,
    /** One paper each, in the template's first role. */
    rows: z
      .array(signerValue.omit({ role: true, turn: true }))
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'signing.tooMany' }),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  summary: 'Sends a template to many people, a paper of his own to each',
  errors: [...sendErrors, 'signing.tooMany'],
})

const signerAnswer = z.object({
  id: z.string(),
  role: z.string(),
  roleName: z.string(),
  order: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  identity: z.enum(identities),
  state: z.enum(['waiting', 'open', 'signed', 'declined', 'delegated', 'spared']),
  sentAt: z.string().nullable(),
  openedAt: z.string().nullable(),
  signedAt: z.string().nullable(),
  /** The signer's page, during the signer's turn; nothing for people who may not send. */
  url: z.string().nullable(),
})
const requestAnswer = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(requestStates),
  mode: z.enum(['once', 'each']),
  message: z.string(),
  templateId: z.string().nullable(),
  version: z.number().nullable(),
  customer: z.object({ id: z.string(), name: z.string() }).nullable(),
  sender: z.string().nullable(),
  sentAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().nullable(),
  reason: z.string(),
  isLate: z.boolean(),
  hasFile: z.boolean(),
  sha256: z.string().nullable(),
  stamped: z.boolean(),
  signers: z.array(signerAnswer),
  copies: z.array(z.object({ name: z.string(), email: z.string() })),
  acts: z.array(
    z.object({
      no: z.number(),
      kind: z.string(),
      who: z.string().nullable(),
      at: z.string(),
      address: z.string(),
      hash: z.string(),
    }),
  ),
})
export type RequestAnswer = z.output<typeof requestAnswer>
export type RequestSigner = z.output<typeof signerAnswer>

export const getRequest = defineEndpoint({
  name: 'signRequests.whole',
  method: 'GET',
  path: `${requests}/{id}/whole`,
  access: see,
  secret: true,
  input: byId,
  output: requestAnswer,
  summary: 'A paper sent to be signed: its signers, where it stands, and the chain of what happened',
  errors: ['kit.notFound'],
})
export const recallRequest = defineEndpoint({
  name: 'signRequests.recall',
  method: 'POST',
  path: `${requests}/{id}/recall`,
  access: { rule: 'signing.recall' },
  input: z.strictObject({ id: z.uuid(), reason: words(500).default('') }),
  output: done,
  summary: 'Takes a paper back before all have signed; its links open no more',
  errors: ['kit.notFound', 'signing.hasEnded'],
})
export const remindRequest = defineEndpoint({
  name: 'signRequests.remind',
  method: 'POST',
  path: `${requests}/{id}/remind`,
  access: { rule: 'signing.send' },
  input: byId.strict(),
  output: z.object({ reminded: z.number() }),
  summary: 'Reminds those whose turn it is, by the way they were asked',
  errors: ['kit.notFound', 'signing.hasEnded', 'signing.noWay'],
})
export const requestPdf = defineEndpoint({
  name: 'signRequests.pdf',
  method: 'GET',
  path: `${requests}/{id}/pdf`,
  access: see,
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The sealed PDF with its page of evidence: always the same bytes',
  errors: ['kit.notFound', 'signing.notSealed'],
})

export const signDocument = defineEndpoint({
  name: 'signRequests.document',
  method: 'POST',
  path: `${requests}/document/{documentId}`,
  access: { rule: 'signing.send' },
  input: z.strictObject({
    documentId: z.uuid(),
    ...askValues,
    /** A quote becomes an order automatically when it is signed. */
    becomesOrder: z.boolean().default(false),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Sends a quote, an order or a delivery note to be signed, with a page of approval behind it',
  errors: [...askErrors, 'signing.notAgreement', 'documents.cannotConvert'],
})
export const askConsent = defineEndpoint({
  name: 'signRequests.consent',
  method: 'POST',
  path: `${requests}/consent/{customerId}`,
  access: { rule: 'signing.send' },
  input: z.strictObject({ customerId: z.uuid(), ...askValues }),
  output: z.object({ id: z.string() }),
  summary:
    'Asks a customer to sign that he agrees to get documents by electronic means; when he has, it stands on his card',
  errors: askErrors,
})
const askedAbout = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(requestStates),
  signers: z.string(),
  sentAt: z.string(),
  endedAt: z.string().nullable(),
  hasFile: z.boolean(),
})
export type AskedAbout = z.output<typeof askedAbout>
export const signAbout = defineEndpoint({
  name: 'signRequests.about',
  method: 'GET',
  path: `${requests}/about/{about}`,
  access: see,
  input: z.object({
    /** The thing that the signatures are for. */
    about: z.uuid(),
    /** One or more purposes, parted by commas. */
    purposes: z.string().regex(/^[a-zA-Z]{1,40}(,[a-zA-Z]{1,40}){0,5}$/, { error: 'fields.text' }),
  }),
  output: z.object({ rows: z.array(askedAbout) }),
  summary: 'The papers sent to be signed for one thing, the newest first, and what became of each',
})

export const signSettings = z.strictObject({
  /** Empty: seals bear the server's time alone. */
  tsaUrl: words(500),
  remindDays: z
    .array(z.number().int().min(1, { error: 'fields.choice' }).max(90, { error: 'fields.choice' }))
    .max(5),
  expireDays: z.number().int().min(1, { error: 'fields.choice' }).max(365, { error: 'fields.choice' }),
})
export const getSignSettings = defineEndpoint({
  name: 'signing.settings',
  method: 'GET',
  path: '/api4/invoice/signsettings',
  access: see,
  input: z.object({}),
  output: signSettings,
  summary: 'How papers are sent to be signed: reminders, expiry and the time-stamp authority',
})
export const setSignSettings = defineEndpoint({
  name: 'signing.setSettings',
  method: 'PUT',
  path: '/api4/invoice/signsettings',
  access: { rule: 'signing.settings' },
  input: signSettings,
  output: signSettings,
  summary: 'Sets reminders, expiry and the time-stamp authority of signed papers',
  errors: ['signing.tsaAddress'],
})
export const signHome = defineEndpoint({
  name: 'signing.home',
  method: 'GET',
  path: '/api4/invoice/signing/home',
  access: see,
  input: z.object({}),
  output: z.object({ waiting: z.number(), late: z.number(), declined: z.number(), done: z.number() }),
  summary:
    'How many papers wait for a signature, are late, were declined in the last thirty days and were signed in the last seven',
})

// What a signer sees.
const byKey = z.object({ key: z.string().max(100), visit: z.string().max(100).optional() })
const shownField = fieldValue
  .pick({
    id: true,
    kind: true,
    page: true,
    x: true,
    y: true,
    w: true,
    h: true,
    label: true,
    must: true,
    check: true,
    options: true,
  })
  .extend({
    /** To be filled in by the person who looks; otherwise it shows what others filled in before. */
    mine: z.boolean(),
    /** What a field that asks for a payment asks for. */
    amountAgorot: z.number().nullable(),
    value: filledValue.nullable(),
    by: z.string(),
  })
const pageAnswer = z.object({
  ...faceFields,
  language: languageValue,
  name: z.string(),
  /** 'code' and 'login': nothing more is shown until it is given. */
  needs: z.enum(['nothing', 'code', 'login']),
  /** Where a code would go, mostly hidden. */
  codeTo: z.string(),
  state: z.enum(['turn', 'waiting', 'signed', 'declined', 'delegated', 'spared', 'ended', 'sealing', 'done']),
  signer: z.object({ name: z.string(), role: z.string() }),
  sender: z.string(),
  message: z.string(),
  expiresAt: z.string(),
  pages: z.array(pageShape),
  fields: z.array(shownField),
  others: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
  hasFile: z.boolean(),
  mayDelegate: z.boolean(),
  /** The signer may use a personal certificate, here or outside. */
  mayCertify: z.boolean(),
})
export type SignPageAnswer = z.output<typeof pageAnswer>
export type ShownField = z.output<typeof shownField>

export const signPage = defineEndpoint({
  name: 'signing.page',
  method: 'GET',
  path: open,
  access: 'key',
  input: byKey,
  output: pageAnswer,
  summary: 'A paper as its signer sees it: after he is told apart, and nothing before',
  errors: ['kit.notFound'],
})
export const signPicture = defineEndpoint({
  name: 'signing.pagePicture',
  method: 'GET',
  path: `${open}/pages/{page}`,
  access: 'key',
  file: true,
  input: byKey.extend({ page: queryNumber(z.int().min(1).max(300)) }),
  output: z.any(),
  summary: 'A page of the paper as a picture, for its signer',
  errors: ['kit.notFound', 'signing.needCode', 'signing.needLogin'],
})
export const signLogo = defineEndpoint({
  name: 'signing.pageLogo',
  method: 'GET',
  path: `${open}/logo`,
  access: 'key',
  file: true,
  input: z.object({ key: z.string().max(100) }),
  output: z.any(),
  summary: 'The business’s logo on the signer’s page',
  errors: ['kit.notFound'],
})
export const askSignCode = defineEndpoint({
  name: 'signing.askCode',
  method: 'POST',
  path: `${open}/code`,
  access: 'key',
  throttle: 10,
  input: z.strictObject({ key: z.string().max(100) }),
  output: z.object({ to: z.string() }),
  summary: 'Sends the signer a code of six digits, good for ten minutes',
  errors: ['kit.notFound', 'signing.hasEnded', 'kit.tooMany'],
})
export const giveSignCode = defineEndpoint({
  name: 'signing.identify',
  method: 'POST',
  path: `${open}/identify`,
  access: 'key',
  throttle: 30,
  input: z.strictObject({ key: z.string().max(100), code: z.string().trim().max(20) }),
  output: z.object({ visit: z.string() }),
  summary: 'Opens the paper by the code; five tries a code',
  errors: ['kit.notFound', 'signing.wrongCode', 'signing.codeEnded'],
})
export const signLogin = defineEndpoint({
  name: 'signing.byLogin',
  method: 'POST',
  path: `${open}/login`,
  access: 'key',
  throttle: 30,
  input: z.strictObject({ key: z.string().max(100) }),
  output: z.object({ visit: z.string() }),
  summary: 'Opens the paper for whoever is logged in with the signer’s own mail',
  errors: ['kit.notFound', 'signing.needLogin', 'signing.wrongLogin', 'session.verifyFirst'],
})
export const addSignFile = defineEndpoint({
  name: 'signing.addFile',
  method: 'POST',
  path: `${open}/files/{field}`,
  access: 'key',
  throttle: 60,
  upload: { maxBytes: maxFileBytes },
  input: byKey.extend({
    field: z.string().max(20),
    name: z.string().trim().min(1).max(200),
    bytes: bytesValue,
  }),
  output: z.object({ id: z.string(), name: z.string() }),
  summary: 'A file for a field that asks for one: PDF, PNG or JPEG',
  errors: ['kit.notFound', 'signing.badFile', 'signing.needCode', 'signing.needLogin', 'signing.notYourTurn'],
})
const signing = {
  key: z.string().max(100),
  visit: z.string().max(100).optional(),
  values: z.record(z.string().max(20), filledValue),
  /** The language it was shown in, and how long it was open. */
  shown: languageValue,
  seconds: z.number().int().min(0).max(86_400).default(0),
}
const signErrors = [
  'kit.notFound',
  'signing.needCode',
  'signing.needLogin',
  'signing.notYourTurn',
  'signing.hasEnded',
  'signing.done',
  'signing.unprintable',
  'signing.badPicture',
  'signing.badFile',
  'signing.notDigits',
  'signing.notLetters',
  'signing.notPaid',
]
export const signPaper = defineEndpoint({
  name: 'signing.sign',
  method: 'POST',
  path: `${open}/sign`,
  access: 'key',
  maxBody: 4_000_000,
  throttle: 60,
  input: z.strictObject(signing),
  output: z.object({ state: z.enum(['signed', 'sealing']) }),
  summary: 'Signs: every field of the signer’s own, checked one by one',
  errors: signErrors,
})
export const payField = defineEndpoint({
  name: 'signing.pay',
  method: 'POST',
  path: `${open}/pay`,
  access: 'key',
  throttle: 30,
  input: byKey.extend({ field: z.string().max(20) }).strict(),
  output: z.object({ url: z.string() }),
  summary: 'The page on which the signer pays what a field asks for, before he signs',
  errors: [
    'kit.notFound',
    'signing.needCode',
    'signing.needLogin',
    'signing.notYourTurn',
    'signing.hasEnded',
    'signing.done',
    'signing.isPaid',
  ],
})
export const signOwn = defineEndpoint({
  name: 'signing.signOwn',
  method: 'POST',
  path: `${open}/own`,
  access: 'key',
  maxBody: 262_144,
  throttle: 20,
  input: z.strictObject({
    ...signing,
    pkcs12: z
      .string()
      .min(1, { error: 'fields.need' })
      .max(200_000, { error: 'signing.certificateBroken' })
      .regex(/^[A-Za-z0-9+/=]+$/, { error: 'signing.certificateBroken' }),
    password: z.string().max(200),
  }),
  output: z.object({ state: z.enum(['signed', 'sealing']) }),
  summary:
    'Signs by the signer’s own certificate: its file is opened in memory for this once and kept nowhere',
  errors: [
    ...signErrors,
    'signing.onlyEach',
    'signing.certificatePassword',
    'signing.certificateBroken',
    'signing.certificateEnded',
    'signing.certificateSelfMade',
  ],
})
export const prepareOutside = defineEndpoint({
  name: 'signing.prepareOutside',
  method: 'POST',
  path: `${open}/outside`,
  access: 'key',
  maxBody: 4_000_000,
  throttle: 20,
  input: z.strictObject(signing),
  output: done,
  summary: 'Fills in what the signer wrote and makes the file that he signs by a program of his own',
  errors: [...signErrors, 'signing.onlyEach'],
})
export const handout = defineEndpoint({
  name: 'signing.handout',
  method: 'GET',
  path: `${open}/outside`,
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The file to be signed outside: its place for the signature waits',
  errors: signErrors,
})
export const handBack = defineEndpoint({
  name: 'signing.handBack',
  method: 'POST',
  path: `${open}/back`,
  access: 'key',
  throttle: 60,
  upload: { maxBytes: maxTemplateBytes + 5 * 1024 * 1024 },
  input: byKey.extend({ bytes: bytesValue }),
  output: z.object({ state: z.enum(['signed', 'sealing']) }),
  summary: 'Takes back the file that was signed outside: the same bytes and one signature more, nothing else',
  errors: [
    ...signErrors,
    'signing.moved',
    'signing.backOther',
    'signing.backChanged',
    'signing.backUnsigned',
    'signing.backElsewhere',
    'signing.backBroken',
    'signing.certificateSelfMade',
  ],
})
export const declinePaper = defineEndpoint({
  name: 'signing.decline',
  method: 'POST',
  path: `${open}/decline`,
  access: 'key',
  throttle: 30,
  input: byKey
    .extend({
      reason: z.string().trim().min(1, { error: 'fields.need' }).max(500, { error: 'fields.tooLong' }),
    })
    .strict(),
  output: done,
  summary: 'Declines to sign, with a reason that the sender reads',
  errors: [
    'kit.notFound',
    'signing.needCode',
    'signing.needLogin',
    'signing.notYourTurn',
    'signing.hasEnded',
  ],
})
export const delegatePaper = defineEndpoint({
  name: 'signing.delegate',
  method: 'POST',
  path: `${open}/delegate`,
  access: 'key',
  throttle: 30,
  input: byKey
    .extend({
      name: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
      email: emailValue,
      reason: words(500).default(''),
    })
    .strict(),
  output: done,
  summary: 'Hands the signature on to somebody else; the trace of it stays in the evidence',
  errors: [
    'kit.notFound',
    'signing.needCode',
    'signing.needLogin',
    'signing.notYourTurn',
    'signing.hasEnded',
  ],
})
export const signPagePdf = defineEndpoint({
  name: 'signing.pagePdf',
  method: 'GET',
  path: `${open}/pdf`,
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The paper for its signer: as it was sent, and sealed when all have signed',
  errors: ['kit.notFound', 'signing.needCode', 'signing.needLogin'],
})

// The open link.
const linkKey = z.object({ key: z.string().max(100) })
export const openLink = defineEndpoint({
  name: 'signing.link',
  method: 'GET',
  path: '/api2/invoice/signpage/{key}',
  access: 'key',
  input: linkKey,
  output: z.object({
    ...faceFields,
    language: languageValue,
    name: z.string(),
    state: z.enum(['open', 'closed', 'full']),
    pages: z.number(),
    role: z.string(),
    needsCode: z.boolean(),
    challenge: z.string(),
    bits: z.number().describe('How much work is asked for: so many zero bits of SHA-256'),
  }),
  summary: 'A template that anybody may sign: what it is and whether it is open',
  errors: ['kit.notFound'],
})
export const openLinkLogo = defineEndpoint({
  name: 'signing.linkLogo',
  method: 'GET',
  path: '/api2/invoice/signpage/{key}/logo',
  access: 'key',
  file: true,
  input: linkKey,
  output: z.any(),
  summary: 'The business’s logo on the open link',
  errors: ['kit.notFound'],
})
export const beginLink = defineEndpoint({
  name: 'signing.begin',
  method: 'POST',
  path: '/api2/invoice/signpage/{key}/begin',
  access: 'key',
  throttle: 20,
  input: z.strictObject({
    key: z.string().max(100),
    name: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
    email: emailValue,
    language: languageValue,
    website: z.string().max(500).default('').describe('No person fills it'),
    challenge: z.string().max(300).default(''),
    proof: z.string().max(40).default(''),
  }),
  output: z.object({ key: z.string() }),
  summary: 'Opens a paper of one’s own from an open link',
  errors: ['kit.notFound', 'signing.closed', 'signing.full', 'signing.notPerson'],
})

const checkedSeal = z.object({
  name: z.string(),
  issuer: z.string(),
  at: z.string().nullable(),
  stampedAt: z.string().nullable(),
  /** Its bytes are as they were signed. */
  isValid: z.boolean(),
  /** Nothing came after it, or only what it allows: filled-in fields and further signatures. */
  after: z.enum(['nothing', 'allowed', 'changed']),
  isSelfMade: z.boolean(),
})
export const verifyFile = defineEndpoint({
  name: 'signing.verify',
  method: 'POST',
  path: '/api2/invoice/signverify',
  access: 'open',
  reads: true,
  throttle: 60,
  upload: { maxBytes: 40 * 1024 * 1024, toFile: true, atOnce: 2 },
  input: z.object({ bytes: fileValue }),
  output: z.object({
    verdict: z.enum(['holds', 'changed', 'unsealed', 'broken']),
    seals: z.array(checkedSeal),
    pages: z.number(),
    /** Pages (from 1) that are not as they were sealed, where the file says how they were. */
    changedPages: z.array(z.number()),
    /** Something beside the pages was changed. */
    changedElse: z.boolean(),
    evidence: z
      .object({
        paper: z.string(),
        request: z.string(),
        business: z.string(),
        signers: z.array(z.object({ name: z.string(), role: z.string(), at: z.string(), how: z.string() })),
      })
      .nullable(),
    /** This very file was sealed here. */
    isKnown: z.boolean(),
    sha256: z.string(),
  }),
  summary: 'Says of a PDF which of its seals hold, what was changed and on which page; nothing of it is kept',
  errors: ['signing.notPdf'],
})
