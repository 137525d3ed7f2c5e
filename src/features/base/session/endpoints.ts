import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, languageValue, phoneValue } from '#kit/fields/schema.ts'

/** At least ten characters or eight with two kinds would be rules people fight; length is what counts. */
export const passwordValue = z
  .string({ error: 'fields.need' })
  .min(8, { error: 'fields.password' })
  .max(128, { error: 'fields.tooLong' })

/** Refusals of a password that is easy to guess (`server/passwords.ts`). */
export const guessable = ['session.passwordCommon', 'session.passwordNames']

export const sessionAnswer = z.object({
  UserKey: z.string(),
  TypeID: z.number(),
  subTypeID: z.number(),
  Name: z.string(),
  FullName: z.string(),
  rules: z.array(z.number()),
  docsAllow: z.array(z.number()),
  IsActiveButton: z.boolean(),
  HideNavHeader: z.boolean(),
  HideTotalPrices: z.boolean(),
  ruleid: z.number(),
  dealerID: z.number(),
  /** The business this session works in now. */
  CompanyKey: z.string(),
  /** Areas of the product that business does not use. */
  areasOff: z.array(z.string()),
  /** Areas that work and are in no menu until that business uses them or turns them on. */
  areasHidden: z.array(z.string()),
  /** The legal kind of that business. */
  businessKind: z.string(),
  /** False until an owner of a business from before the shorter menu has seen what left it. */
  menuTold: z.boolean(),
  /** That business requires a second factor, and the person has none yet. */
  mustSetFactor: z.boolean(),
})

/** Log-in answers a session, or asks for the second factor. */
const factorNeeded = z.object({ factorNeeded: z.literal(true), token: z.string() })
const logInAnswer = z.union([sessionAnswer, factorNeeded])
const cleared = {
  cleared: z
    .boolean()
    .optional()
    .describe('The address had never been verified: password, sessions, links and keys of before have ended'),
}
const done = z.object({ done: z.literal(true) })

const translation = z.object({
  dic: z.record(z.string(), z.record(z.string(), z.string())),
  iconlogo: z.string(),
  iconmenu: z.string(),
  name: z.string(),
  iconApp: z.string(),
  secureIcon: z.string(),
  profileIcon: z.string(),
  isDealer: z.boolean(),
  styleurl: z.string(),
  logo: z.string(),
  /** Whom to ask under a white label; empty where it is whom one would ask anyway. */
  support: z.string(),
  words: z
    .record(z.string(), z.string())
    .describe('Words of a white label, by key; they go before the product’s'),
})
const anyLanguage = z.string().max(10).optional()
/**
 * First parts of keys with commas between them, 'kit,menu'; empty for no words at all, absent for all of
 * them.
 */
const someGroups = z.string().max(2000).optional()

export const getTranslateDe = defineEndpoint({
  name: 'session.getTranslateDe',
  method: 'GET',
  path: '/api/user/getTranslateDe',
  access: 'open',
  reads: true,
  input: z.object({ lang: anyLanguage, domain: z.string().max(253).optional(), groups: someGroups }),
  output: translation,
  summary: 'The dictionary of a language, whole or the groups asked for, and the brand of a domain',
})
export const postTranslateDe = defineEndpoint({
  ...getTranslateDe,
  name: 'session.postTranslateDe',
  method: 'POST',
  reads: true,
})
export const brandStyle = defineEndpoint({
  name: 'session.brandStyle',
  method: 'GET',
  path: '/api/user/brandstyle',
  access: 'open',
  file: true,
  input: z.object({ domain: z.string().max(253) }),
  output: z.any(),
  summary: 'The style sheet of a white label that has a colour of its own',
  errors: ['kit.notFound'],
})
export const getTranslate = defineEndpoint({
  name: 'session.getTranslate',
  method: 'GET',
  path: '/api/user/getTranslate',
  access: 'open',
  input: z.object({ lang: anyLanguage, groups: someGroups }),
  output: z.object({ dic: translation.shape.dic }),
  summary: 'The dictionary of a language, whole or the groups asked for',
})
export const logOut = defineEndpoint({
  name: 'session.logOut',
  method: 'POST',
  path: '/api/user/logout',
  access: 'open',
  input: z.strictObject({ key: z.string().max(200) }),
  output: done,
  summary: 'Ends the session of a key; always answers the same',
})
export const logoutInvoice = defineEndpoint({
  name: 'session.logoutInvoice',
  method: 'GET',
  path: '/api/user/logoutInvoice',
  access: 'open',
  // A key in an address is kept in logs on its way.
  deprecated: { since: '2026-11-29', until: '2027-11-30', instead: 'session.logOut' },
  input: z.object({ key: z.string().max(200) }),
  output: done,
  summary: 'Ends the session of a key; always answers the same',
})
export const setAffiliatesViews = defineEndpoint({
  name: 'session.setAffiliatesViews',
  method: 'POST',
  path: '/api/user/setAffiliatesViews',
  access: 'open',
  throttle: 60,
  input: z.object({ data: z.string().min(1).max(100) }),
  output: done,
  summary: 'Counts a view of an affiliate’s link',
})
export const addEventView = defineEndpoint({
  name: 'session.addEventView',
  method: 'GET',
  path: '/api/user/addEventView',
  access: 'open',
  throttle: 300,
  input: z.object({ event: z.string().max(100).optional() }),
  output: done,
  summary: 'Counts an event',
})

export const logIn = defineEndpoint({
  name: 'session.logIn',
  method: 'POST',
  path: '/api/user/login',
  access: 'open',
  throttle: 60,
  input: z.strictObject({
    email: z.string().trim().toLowerCase().min(1, { error: 'fields.need' }).max(254),
    password: z.string().min(1, { error: 'fields.need' }).max(128),
    language: languageValue.optional(),
  }),
  output: logInAnswer,
  summary: 'Opens a session by mail or phone and password',
  errors: ['session.wrongPassword'],
})
export const logInFactor = defineEndpoint({
  name: 'session.logInFactor',
  method: 'POST',
  path: '/api/user/login/factor',
  access: 'open',
  throttle: 20,
  /** A code of the phone, or one of the recovery codes. */
  input: z.strictObject({ token: z.string().max(200), code: z.string().max(40) }),
  output: sessionAnswer,
  summary: 'Completes a log-in with the code of the second factor, or a recovery code',
  errors: ['session.wrongCode'],
})
const smsCode = z.string().regex(/^\d{6}$/, { error: 'fields.code' })
export const askLogInCode = defineEndpoint({
  name: 'session.askLogInCode',
  method: 'POST',
  path: '/api/user/login/sms',
  access: 'open',
  throttle: 10,
  input: z.strictObject({ phone: phoneValue, language: languageValue.optional() }),
  output: done,
  summary: 'Sends a six-digit code to log in with; the same answer for known and unknown numbers',
})
export const logInSms = defineEndpoint({
  name: 'session.logInSms',
  method: 'POST',
  path: '/api/user/login/sms/use',
  access: 'open',
  throttle: 15,
  input: z.strictObject({ phone: phoneValue, code: smsCode }),
  output: logInAnswer,
  summary: 'Opens a session by the code from the phone; a second factor is asked for after it',
  errors: ['session.wrongCode'],
})
export const logInGoogle = defineEndpoint({
  name: 'session.logInGoogle',
  method: 'POST',
  path: '/api/user/login/google',
  access: 'open',
  throttle: 20,
  input: z.strictObject({
    token: z.string().max(4000),
    join: z
      .boolean()
      .optional()
      .describe('Confirms that an existing account is joined with this Google account'),
  }),
  output: z.union([
    sessionAnswer.extend(cleared),
    factorNeeded.extend(cleared),
    z.object({ joinNeeded: z.literal(true), email: z.string() }),
  ]),
  summary: 'Opens a session with a Google token; joining an existing account needs a confirmation',
  errors: ['session.googleOff', 'session.googleRefused', 'session.googleUnknown', 'session.googleAway'],
})
export const askGoogleStandIn = defineEndpoint({
  name: 'session.googleStandIn',
  method: 'POST',
  path: '/api/user/login/google/standin',
  access: 'open',
  throttle: 300,
  reads: true,
  input: z.strictObject({ email: emailValue, nonce: z.string().max(200).optional() }),
  output: z.object({ token: z.string() }),
  summary: 'A token of the stand-in for Google; in development only',
  errors: ['session.googleOff'],
})
export const mySession = defineEndpoint({
  name: 'session.mine',
  method: 'GET',
  path: '/api/user/session',
  access: 'login',
  ownAccount: true,
  input: z.object({}),
  output: sessionAnswer.omit({ UserKey: true }).extend({
    email: z.string(),
    phone: z.string(),
    factor: z.boolean(),
    /** An account that was opened with Google has none until one is chosen. */
    hasPassword: z.boolean(),
    emailVerified: z.boolean(),
    phoneVerified: z.boolean(),
    /** Figures of the law that operators of the installation entered since the release. */
    law: z.array(
      z.object({
        key: z.string(),
        from: z.string(),
        to: z.string(),
        value: z.string(),
        source: z.string(),
        checked: z.string(),
      }),
    ),
    language: z.string(),
    companyId: z.string(),
    /** Whom to ask for rights: another person who owns the business, by name; empty where there is none. */
    Owner: z.string(),
  }),
  summary: 'Who I am and what I may',
})
/** What proves the owner of an account before a change of how it is reached; the code where a second factor is on. */
const owner = {
  password: z.string().max(128).optional(),
  code: z.string().max(40).optional(),
}
const givenPassword = z.string({ error: 'fields.need' }).min(1, { error: 'fields.need' }).max(128)
const endKeys = z.boolean().optional().describe('Also revokes the API keys I created, in every business')
const changeKind = z.enum([
  'password',
  'phone',
  'email',
  'factorOn',
  'factorOff',
  'recoveryCodes',
  'device',
  'apiKey',
  'google',
])
export const changeMe = defineEndpoint({
  name: 'session.changeMe',
  method: 'PATCH',
  path: '/api/user/me',
  access: 'login',
  ownAccount: true,
  input: z.strictObject({
    fullName: z.string().trim().min(1, { error: 'fields.need' }).max(120).optional(),
    phone: z.union([phoneValue, z.literal('')]).optional(),
    language: languageValue.optional(),
    ...owner,
  }),
  output: done,
  summary:
    'Changes my name, phone and language; another phone needs the password and the code of a second factor',
  errors: ['session.wrongPassword', 'session.wrongCode'],
})
export const sendVerification = defineEndpoint({
  name: 'session.sendVerification',
  method: 'POST',
  path: '/api/user/verify/send',
  access: 'login',
  ownAccount: true,
  throttle: 20,
  input: z.strictObject({ what: z.enum(['email', 'phone']) }),
  output: done.extend({ to: z.string() }),
  summary: 'Sends a code to my address or phone, by email with a link',
  errors: ['kit.notFound'],
})
export const verify = defineEndpoint({
  name: 'session.verify',
  method: 'POST',
  path: '/api/user/verify',
  access: 'login',
  ownAccount: true,
  throttle: 30,
  input: z.strictObject({ what: z.enum(['email', 'phone']), code: smsCode }),
  output: done,
  summary: 'Verifies my address or phone by the code that was sent there',
  errors: ['session.wrongCode', 'session.codeEnded', 'session.emailTaken'],
})
export const verifyLink = defineEndpoint({
  name: 'session.verifyLink',
  method: 'POST',
  path: '/api/user/verify/link',
  access: 'open',
  throttle: 30,
  input: z.strictObject({ token: z.string().max(200) }),
  output: z.object({ email: z.string() }),
  summary: 'Verifies an address by the link that was sent there',
  errors: ['session.linkEnded', 'session.emailTaken'],
})
export const changeEmail = defineEndpoint({
  name: 'session.changeEmail',
  method: 'POST',
  path: '/api/user/email',
  access: 'login',
  ownAccount: true,
  throttle: 10,
  input: z.strictObject({ email: emailValue, password: givenPassword, code: owner.code }),
  output: done,
  summary: 'Sends a code to another address; it becomes mine when it is verified',
  errors: ['session.wrongPassword', 'session.wrongCode'],
})
export const showChange = defineEndpoint({
  name: 'session.showChange',
  method: 'POST',
  path: '/api/user/changes/show',
  access: 'open',
  throttle: 30,
  reads: true,
  input: z.strictObject({ token: z.string().max(200) }),
  output: z.object({ kind: changeKind, address: z.string(), madeAt: z.string() }),
  summary: 'The change of an account that a link undoes',
  errors: ['session.linkEnded'],
})
export const undoChange = defineEndpoint({
  name: 'session.undoChange',
  method: 'POST',
  path: '/api/user/changes/undo',
  access: 'open',
  throttle: 15,
  input: z.strictObject({ token: z.string().max(200) }),
  output: z.object({ token: z.string() }),
  summary:
    'Undoes a change of an account and all later ones, ends all sessions, and opens the choice of a password',
  errors: ['session.linkEnded'],
})
export const changePassword = defineEndpoint({
  name: 'session.changePassword',
  method: 'POST',
  path: '/api/user/password',
  access: 'login',
  ownAccount: true,
  throttle: 20,
  input: z.strictObject({
    current: givenPassword,
    password: passwordValue,
    code: owner.code,
    endKeys: endKeys,
  }),
  output: done,
  summary: 'Changes my password; ends my other sessions, links on their way and, if asked, my API keys',
  errors: ['session.wrongPassword', 'session.wrongCode', ...guessable],
})
export const listSessions = defineEndpoint({
  name: 'session.list',
  method: 'GET',
  path: '/api/user/sessions',
  access: 'login',
  ownAccount: true,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        address: z.string(),
        agent: z.string(),
        createdAt: z.string(),
        usedAt: z.string(),
        current: z.boolean(),
        way: z.enum(['', 'link']),
      }),
    ),
  }),
  summary: 'Where I am logged in',
})
export const listDevices = defineEndpoint({
  name: 'session.devices',
  method: 'GET',
  path: '/api/user/devices',
  access: 'login',
  ownAccount: true,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        address: z.string(),
        agent: z.string(),
        createdAt: z.string(),
        usedAt: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
  summary: 'The devices that my account knows: a log-in from another one is announced to its address',
})
export const forgetDevice = defineEndpoint({
  name: 'session.forgetDevice',
  method: 'DELETE',
  path: '/api/user/devices/{id}',
  access: 'login',
  ownAccount: true,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Forgets a device: the next log-in from it is announced like that of a new one',
  errors: ['kit.notFound'],
})
export const endSession = defineEndpoint({
  name: 'session.end',
  method: 'DELETE',
  path: '/api/user/sessions/{id}',
  access: 'login',
  ownAccount: true,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Ends one of my sessions',
  errors: ['kit.notFound'],
})

const screenPath = z
  .string()
  .max(300)
  .regex(/^\/[a-zA-Z][\w/.?=&-]*$/, { error: 'fields.choice' })
export const makeAutoLogin = defineEndpoint({
  name: 'session.makeAutoLogin',
  method: 'POST',
  path: '/api/user/autologin',
  access: 'login',
  throttle: 30,
  input: z.strictObject({
    path: screenPath.default('/login'),
    into: z
      .enum(['browser', 'app'])
      .default('browser')
      .describe('Where it will be opened: the application of a phone keeps to itself'),
  }),
  output: z.object({ url: z.string(), seconds: z.number() }),
  summary: 'A link that logs me in on another device, once, within a minute',
})
export const openLetterLink = defineEndpoint({
  name: 'session.openLetterLink',
  method: 'POST',
  path: '/api/user/autologin/letter',
  access: 'open',
  throttle: 30,
  input: z.strictObject({ token: z.string().max(200) }),
  output: z.object({ name: z.string(), business: z.string(), seconds: z.number() }),
  summary: 'For whom a letter’s link opens; from then on it does so for a minute, once',
  errors: ['session.autoUnknown', 'session.autoUsed', 'session.autoEnded'],
})
export const useAutoLogin = defineEndpoint({
  name: 'session.useAutoLogin',
  method: 'POST',
  path: '/api/user/autologin/use',
  access: 'open',
  throttle: 30,
  input: z.strictObject({ token: z.string().max(200) }),
  output: sessionAnswer.extend({ path: z.string() }),
  summary: 'Opens the session of such a link; a refusal says why',
  errors: [
    'session.autoUnknown',
    'session.autoUsed',
    'session.autoEnded',
    'session.autoOther',
    'session.autoShut',
  ],
})

export const askReset = defineEndpoint({
  name: 'session.askReset',
  method: 'POST',
  path: '/api/user/reset',
  access: 'open',
  throttle: 15,
  input: z.strictObject({ email: emailValue, language: languageValue.optional() }),
  output: done,
  summary: 'Mails a link to choose a new password; the same answer for known and unknown accounts',
})
export const checkReset = defineEndpoint({
  name: 'session.checkReset',
  method: 'POST',
  path: '/api/user/reset/check',
  access: 'open',
  throttle: 60,
  reads: true,
  input: z.strictObject({ token: z.string().max(200) }),
  output: done,
  summary: 'Whether a link to choose a password is still good; the link is not used up',
  errors: ['session.linkEnded'],
})
export const useReset = defineEndpoint({
  name: 'session.useReset',
  method: 'POST',
  path: '/api/user/reset/use',
  access: 'open',
  throttle: 20,
  input: z.strictObject({ token: z.string().max(200), password: passwordValue, endKeys }),
  output: done,
  summary: 'Sets a new password by the link’s token; ends all sessions and, if asked, all API keys',
  errors: ['session.linkEnded', ...guessable],
})
export const askSmsCode = defineEndpoint({
  name: 'session.askSmsCode',
  method: 'POST',
  path: '/api/user/reset/sms',
  access: 'open',
  throttle: 10,
  input: z.strictObject({ phone: phoneValue, language: languageValue.optional() }),
  output: done,
  summary: 'Sends a six-digit code to a phone; the same answer for known and unknown numbers',
})
export const useSmsCode = defineEndpoint({
  name: 'session.useSmsCode',
  method: 'POST',
  path: '/api/user/reset/sms/use',
  access: 'open',
  throttle: 15,
  input: z.strictObject({ phone: phoneValue, code: smsCode, password: passwordValue, endKeys }),
  output: done,
  summary: 'Sets a new password by the code from the phone',
  errors: ['session.wrongCode', ...guessable],
})

export const startFactor = defineEndpoint({
  name: 'session.startFactor',
  method: 'POST',
  path: '/api/user/factor/start',
  access: 'login',
  ownAccount: true,
  throttle: 20,
  input: z.strictObject({ password: givenPassword, code: owner.code }),
  output: z.object({ secret: z.string(), uri: z.string() }),
  summary: 'Begins a second factor: the secret for an authenticator application',
  errors: ['session.wrongPassword', 'session.wrongCode'],
})
export const confirmFactor = defineEndpoint({
  name: 'session.confirmFactor',
  method: 'POST',
  path: '/api/user/factor/confirm',
  access: 'login',
  ownAccount: true,
  throttle: 20,
  input: z.strictObject({ code: z.string().max(40) }),
  /** `codes`: recovery codes, shown this once. */
  output: done.extend({ codes: z.array(z.string()) }),
  summary: 'Turns the second factor on with its first right code, and gives ten recovery codes',
  errors: ['session.wrongCode', 'session.noFactor'],
})
export const dropFactor = defineEndpoint({
  name: 'session.dropFactor',
  method: 'POST',
  path: '/api/user/factor/drop',
  access: 'login',
  throttle: 20,
  input: z.strictObject({ password: givenPassword, code: owner.code }),
  output: done,
  summary: 'Turns the second factor off',
  errors: ['session.wrongPassword', 'session.wrongCode'],
})
export const recoveryCodes = defineEndpoint({
  name: 'session.recoveryCodes',
  method: 'GET',
  path: '/api/user/factor/recovery',
  access: 'login',
  ownAccount: true,
  input: z.object({}),
  output: z.object({ left: z.number().int() }),
  summary: 'How many of my recovery codes are left',
})
export const renewRecoveryCodes = defineEndpoint({
  name: 'session.renewRecoveryCodes',
  method: 'POST',
  path: '/api/user/factor/recovery',
  access: 'login',
  ownAccount: true,
  throttle: 20,
  input: z.strictObject({ password: givenPassword, code: owner.code }),
  output: z.object({ codes: z.array(z.string()) }),
  summary: 'Ten new recovery codes, shown this once; those from before open nothing any more',
  errors: ['session.wrongPassword', 'session.wrongCode', 'session.noFactor'],
})

/** What the log-in pages may offer. */
export const logInMeans = defineEndpoint({
  name: 'session.means',
  method: 'GET',
  path: '/api/user/means',
  access: 'open',
  input: z.object({}),
  output: z.object({
    googleClientId: z.string().nullable(),
    /** Where a browser goes to choose a Google account. */
    googleAddress: z.string().nullable(),
    demo: z.boolean(),
  }),
  summary: 'Which ways of logging in are switched on',
})
