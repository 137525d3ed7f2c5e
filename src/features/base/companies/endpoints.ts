import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import type { Field } from '#kit/fields/field.ts'
import {
  answerOf,
  dayValue,
  emailValue,
  inputOf,
  languageValue,
  phoneValue,
  taxIdValue,
} from '#kit/fields/schema.ts'
import { guessable, passwordValue, sessionAnswer } from '#features/base/session/endpoints.ts'
import { businessKindNames, companyFields, paperKinds } from './company.ts'

const done = z.object({ done: z.literal(true) })

const business = z.strictObject({
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(120, { error: 'fields.tooLong' }),
  kind: z.enum(businessKindNames, { error: 'fields.choice' }),
  taxId: taxIdValue,
})

export const signUp = defineEndpoint({
  name: 'companies.signUp',
  method: 'POST',
  path: '/api/user/signup',
  access: 'open',
  throttle: 30,
  input: z.strictObject({
    email: emailValue,
    /** Left out only beside a token of Google. */
    password: passwordValue.optional(),
    googleToken: z.string().max(4000).optional(),
    fullName: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(120, { error: 'fields.tooLong' }),
    phone: z.union([phoneValue, z.literal('')]).optional(),
    business,
    language: languageValue.default('he'),
    /** The tick of the form; a program that opens a business without it agrees to the terms by calling. */
    termsAccepted: z.boolean().optional(),
    aff: z.string().max(100).optional(),
    catid: z.string().max(100).optional(),
    cpaid: z.string().max(100).optional(),
    area: z
      .string()
      .max(40)
      .optional()
      .describe('A part of the product that is on from the start, for a trade with a way in of its own'),
    /** Of the page it was filled in on: under a white label the business is of that brand. */
    domain: z.string().max(253).optional(),
  }),
  output: sessionAnswer,
  summary: 'Opens a business with its first user and books',
  errors: [
    'session.emailTaken',
    'session.termsNeeded',
    'session.googleOff',
    'session.googleRefused',
    'session.googleAway',
    ...guessable,
  ],
})
const mine = z.object({
  id: z.string(),
  /** The number the old world knows it by. */
  number: z.number(),
  name: z.string(),
  kind: z.enum(businessKindNames),
  taxId: z.string(),
  demo: z.boolean(),
  /** For trying programs out, beside a real one. */
  test: z.boolean(),
  /** What it pays for the product by, by name; null where nothing is charged or nothing was taken yet. */
  plan: z.string().nullable(),
  /** The modules it has, besides the plan. */
  modules: z.array(z.number()),
  TypeID: z.number(),
  subTypeID: z.number(),
  /** When I worked in it last. */
  usedAt: z.string().nullable(),
  current: z.boolean(),
})
export type MyCompany = z.infer<typeof mine>

export const myCompanies = defineEndpoint({
  name: 'companies.mine',
  method: 'GET',
  path: '/api/user/companies',
  access: 'login',
  ownAccount: true,
  input: z.object({}),
  output: z.object({ rows: z.array(mine) }),
  summary: 'The businesses I work in, by name',
})
export const addCompany = defineEndpoint({
  name: 'companies.add',
  method: 'POST',
  path: '/api/user/companies',
  access: 'login',
  throttle: 30,
  input: business,
  output: z.object({ id: z.string() }),
  summary: 'Opens another business of mine, with its books; I am its owner',
  errors: ['companies.tooMany'],
})
export const switchCompany = defineEndpoint({
  name: 'companies.switch',
  method: 'POST',
  path: '/api/user/companies/{id}/switch',
  access: 'login',
  ownAccount: true,
  input: z.object({ id: z.uuid() }),
  output: sessionAnswer.omit({ UserKey: true }),
  summary: 'Takes this session into another business of mine; the token stays',
  errors: ['kit.notFound'],
})

const paper = z.object({
  id: z.string(),
  kind: z.enum(paperKinds),
  name: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  rateBp: z.number().nullable(),
  /** How many files hang on it. */
  files: z.number(),
})
export type CompanyPaper = z.infer<typeof paper>
const paperFields = {
  kind: z.enum(paperKinds, { error: 'fields.choice' }),
  name: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
  validFrom: dayValue,
  validTo: dayValue,
  /** What is withheld from us by it; of a withholding certificate only. */
  rateBp: z
    .number()
    .int()
    .min(0, { error: 'fields.range' })
    .max(10_000, { error: 'fields.range' })
    .nullable()
    .default(null),
}
export const listPapers = defineEndpoint({
  name: 'companies.papers',
  method: 'GET',
  path: '/api4/invoice/company/papers',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(paper) }),
  summary: 'Certificates of the tax authorities and their validity, the newest first',
})
export const addPaper = defineEndpoint({
  name: 'companies.addPaper',
  method: 'POST',
  path: '/api4/invoice/company/papers',
  access: { rule: 'companies.change' },
  input: z.strictObject(paperFields),
  output: paper,
  summary: 'Adds a certificate; its scan is attached as a file of "companyPapers"',
})
export const changePaper = defineEndpoint({
  name: 'companies.changePaper',
  method: 'PATCH',
  path: '/api4/invoice/company/papers/{id}',
  access: { rule: 'companies.change' },
  input: z.strictObject({ id: z.uuid(), ...paperFields }),
  output: paper,
  summary: 'Changes a certificate',
  errors: ['kit.notFound'],
})
export const dropPaper = defineEndpoint({
  name: 'companies.dropPaper',
  method: 'DELETE',
  path: '/api4/invoice/company/papers/{id}',
  access: { rule: 'companies.change' },
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Removes a certificate; its files stay in the store',
  errors: ['kit.notFound'],
})

const advanceRate = z.object({ id: z.string(), from: z.string(), rateBp: z.number() })
/** A rate of income tax advances, in hundredths of a per cent, and the day it holds from. */
export type AdvanceRate = z.output<typeof advanceRate>
export const listAdvanceRates = defineEndpoint({
  name: 'companies.advanceRates',
  method: 'GET',
  path: '/api4/invoice/company/advancerates',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(advanceRate) }),
  summary: 'Rates of income tax advances, the newest first; each holds from its day until the next',
})
export const setAdvanceRate = defineEndpoint({
  name: 'companies.setAdvanceRate',
  method: 'POST',
  path: '/api4/invoice/company/advancerates',
  access: { rule: 'companies.change' },
  input: z.strictObject({
    from: dayValue,
    rateBp: z
      .number({ error: 'fields.need' })
      .int()
      .min(0, { error: 'fields.range' })
      .max(10_000, { error: 'fields.range' }),
  }),
  output: advanceRate,
  summary: 'Sets the rate of advances from a day on; one that was set from the same day gives way',
})
export const dropAdvanceRate = defineEndpoint({
  name: 'companies.dropAdvanceRate',
  method: 'DELETE',
  path: '/api4/invoice/company/advancerates/{id}',
  access: { rule: 'companies.change' },
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Takes a rate back that was set by mistake; the one before it holds on',
  errors: ['kit.notFound'],
})

export const listVatFrequencies = defineEndpoint({
  name: 'companies.vatFrequencies',
  method: 'GET',
  path: '/api4/invoice/company/vatfrequencies',
  access: 'member',
  input: z.object({}),
  output: z.object({
    rows: z.array(z.object({ from: z.string(), months: z.union([z.literal(1), z.literal(2)]) })),
    /** The business reports its VAT in detail, which has another due day. */
    isDetailed: z.boolean(),
    /** From when a change would hold if no day is named. */
    changeFrom: z.string(),
  }),
  summary: 'How many months a VAT period has, from which day on, the oldest first',
})

/** What the business is called in one language; empty parts are printed as they are in its own language. */
const inLanguage = z.object({
  language: languageValue,
  name: z.string(),
  street: z.string(),
  city: z.string(),
  bankDetails: z.string(),
})

const company = z.object({
  ...Object.fromEntries(Object.entries<Field>(companyFields).map(([name, field]) => [name, answerOf(field)])),
  transferAccountId: z.string().nullable(),
  languages: z.array(inLanguage),
  id: z.string(),
  demo: z.boolean(),
  /** For trying programs out, beside a real one. */
  test: z.boolean(),
  hasLogo: z.boolean(),
  logoVersion: z.string().nullable(),
})
export type Company = {
  [K in Exclude<keyof typeof companyFields, 'transferAccountId'>]: (typeof companyFields)[K] extends {
    type?: infer T
  }
    ? NonNullable<T>
    : never
} & {
  /** Where transfers go that name no account. */
  transferAccountId: string | null
  /** Its name, address and bank in the languages of its documents that are not its own. */
  languages: z.output<typeof inLanguage>[]
  id: string
  demo: boolean
  test: boolean
  hasLogo: boolean
  logoVersion: string | null
}

export const getCompany = defineEndpoint({
  name: 'companies.get',
  method: 'GET',
  path: '/api4/invoice/company',
  access: 'member',
  input: z.object({}),
  output: company as unknown as z.ZodType<Company, Company>,
  summary: 'My business and its settings',
})
/** Settings to change; a new frequency of reporting VAT holds from a day on. */
export type CompanyChange = Partial<Company> & { vatPeriodFrom?: string | undefined }
export const changeCompany = defineEndpoint({
  name: 'companies.change',
  method: 'PATCH',
  path: '/api4/invoice/company',
  access: { rule: 'companies.change' },
  input: (inputOf(companyFields, 'change') as unknown as z.ZodObject).extend({
    vatPeriodFrom: dayValue.optional(),
  }) as unknown as z.ZodType<CompanyChange, CompanyChange>,
  output: getCompany.output,
  summary: 'Changes the settings of my business',
})
const inWords = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' }).default('')
export const setCompanyLanguage = defineEndpoint({
  name: 'companies.setLanguage',
  method: 'PUT',
  path: '/api4/invoice/company/languages/{language}',
  access: { rule: 'companies.change' },
  input: z.strictObject({
    language: languageValue,
    name: inWords(120),
    street: inWords(120),
    city: inWords(80),
    bankDetails: inWords(500),
    /** Of the account that money from abroad goes to, in every language; left as they are when absent. */
    iban: z.string().max(42, { error: 'fields.tooLong' }).optional(),
    swift: z.string().max(16, { error: 'fields.tooLong' }).optional(),
  }),
  output: getCompany.output,
  summary:
    'Sets what my business is called in documents of another language; empty parts are printed as they are',
})
export type CompanyInLanguage = z.output<typeof setCompanyLanguage.input>
export const getLogo = defineEndpoint({
  name: 'companies.logo',
  method: 'GET',
  path: '/api4/invoice/company/logo',
  access: 'member',
  input: z.object({ v: z.string().optional() }),
  output: z.any(),
  file: true,
  summary: 'The logo',
  errors: ['kit.notFound'],
})
export const setLogo = defineEndpoint({
  name: 'companies.setLogo',
  method: 'PUT',
  path: '/api4/invoice/company/logo',
  access: { rule: 'companies.change' },
  maxBody: 3_000_000,
  input: z.strictObject({ image: z.string().max(2_800_000, { error: 'fields.tooLong' }) }),
  output: done,
  summary: 'Sets the logo: a JPEG or PNG as base64, 10 to 2000 pixels a side',
  errors: ['companies.badImage'],
})
export const dropLogo = defineEndpoint({
  name: 'companies.dropLogo',
  method: 'DELETE',
  path: '/api4/invoice/company/logo',
  access: { rule: 'companies.change' },
  input: z.object({}),
  output: done,
  summary: 'Removes the logo',
})

/** A branch has separate numbers for each type. */
const series = z.object({
  series: z.string(),
  branch: z.string(),
  type: z.number(),
  nextNumber: z.number(),
  started: z.boolean(),
})
export const listSeries = defineEndpoint({
  name: 'companies.series',
  method: 'GET',
  path: '/api4/invoice/company/series',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(series) }),
  summary: 'The next number of every document type',
})
export const setSeries = defineEndpoint({
  name: 'companies.setSeries',
  method: 'PUT',
  path: '/api4/invoice/company/series',
  access: { rule: 'companies.change' },
  input: z.strictObject({
    series: z.string().max(40),
    nextNumber: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(9_999_999_999, { error: 'fields.range' }),
  }),
  output: done,
  summary: 'Sets the first number of a document type, before its first document',
  errors: ['companies.seriesStarted'],
})

const certificate = z.object({
  id: z.string(),
  subject: z.string(),
  issuer: z.string(),
  selfMade: z.boolean(),
  validFrom: z.string(),
  validTo: z.string(),
  active: z.boolean(),
})
export const listCertificates = defineEndpoint({
  name: 'companies.certificates',
  method: 'GET',
  path: '/api4/invoice/company/certificates',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(certificate) }),
  summary: 'The signing certificates, the one in use first',
})
export const addCertificate = defineEndpoint({
  name: 'companies.addCertificate',
  method: 'POST',
  path: '/api4/invoice/company/certificates',
  access: { rule: 'companies.change' },
  throttle: 30,
  input: z.strictObject({
    pkcs12: z.string().max(100_000, { error: 'fields.tooLong' }),
    password: z.string().max(200),
  }),
  output: certificate,
  summary: 'Uploads a signing certificate (PKCS#12 as base64) and uses it from now on',
  errors: ['companies.certificatePassword', 'companies.certificateBroken', 'companies.certificateExpired'],
})
export const makeCertificate = defineEndpoint({
  name: 'companies.makeCertificate',
  method: 'POST',
  path: '/api4/invoice/company/certificates/own',
  access: { rule: 'companies.change' },
  throttle: 10,
  input: z.strictObject({}),
  output: certificate,
  summary: 'Makes a signing certificate of our own and uses it from now on',
})

export const listAudit = defineEndpoint({
  name: 'companies.audit',
  method: 'GET',
  path: '/api4/invoice/audit',
  access: { rule: 'companies.audit' },
  input: z.object({
    cursor: z.string().max(200).optional(),
    entityId: z.uuid().optional(),
    action: z.string().max(60).optional(),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        who: z.string().nullable(),
        address: z.string(),
        action: z.string(),
        entity: z.string(),
        entityId: z.string().nullable(),
        before: z.any(),
        after: z.any(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  summary: 'Who did what, newest first',
})

export const savedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()),
  /** Everybody's in the business, and not one person's. */
  isShared: z.boolean(),
  mayDrop: z.boolean(),
})
export const listViews = defineEndpoint({
  name: 'companies.views',
  method: 'GET',
  path: '/api4/invoice/views/{list}',
  access: 'login',
  input: z.object({ list: z.string().max(60) }),
  output: z.object({ rows: z.array(savedView) }),
  summary: 'Saved views of a list: everybody’s and my own',
})
export const saveView = defineEndpoint({
  name: 'companies.saveView',
  method: 'POST',
  path: '/api4/invoice/views/{list}',
  access: 'login',
  input: z.strictObject({
    list: z.string().max(60),
    name: z.string().trim().min(1, { error: 'fields.need' }).max(60, { error: 'fields.tooLong' }),
    query: z.record(z.string().max(60), z.string().max(500)),
    isShared: z.boolean().optional(),
  }),
  output: savedView,
  summary: 'Saves a view of a list, for oneself or for everybody in the business',
})
export const dropView = defineEndpoint({
  name: 'companies.dropView',
  method: 'DELETE',
  path: '/api4/invoice/views/{list}/{id}',
  access: 'login',
  input: z.object({ list: z.string().max(60), id: z.uuid() }),
  output: done,
  summary: 'Removes a saved view',
  errors: ['kit.notFound'],
})
