import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import {
  bytesValue,
  dayValue,
  emailValue,
  languageValue,
  moneyValue,
  phoneValue,
  taxIdValue,
} from '#kit/fields/schema.ts'
import { businessKindNames } from '#features/base/companies/company.ts'
import { guessable, passwordValue, sessionAnswer } from '#features/base/session/endpoints.ts'

const base = '/api4/invoice/affiliates'
const own = { rule: 'affiliates.own' } as const
const manage = { rule: 'affiliates.manage' } as const
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

/** Why a business that somebody brought waits until it was looked at. */
export const holdReasons = ['ownMail', 'ownPhone', 'ownTaxId', 'sameCard', 'sameBank'] as const
export const signupStates = ['counted', 'held', 'refused'] as const
/** What came of an affiliate's turn on the day of the pay-out. */
export const payoutOutcomes = ['paid', 'noTaxId', 'noAccount', 'accountChanged', 'refused'] as const
export const affiliateStates = ['asked', 'active', 'stopped'] as const

const step = z.strictObject({
  from: z
    .number({ error: 'fields.number' })
    .int({ error: 'fields.number' })
    .min(1, { error: 'fields.range' })
    .max(100_000, { error: 'fields.range' }),
  rateBp: z
    .number({ error: 'fields.number' })
    .int({ error: 'fields.number' })
    .min(0, { error: 'fields.range' })
    .max(10_000, { error: 'fields.range' }),
})
const plan = z.object({
  fromDay: z.string(),
  steps: z.array(z.object({ from: z.number(), rateBp: z.number() })),
  months: z.number(),
  holdDays: z.number(),
  leastAgorot: z.number(),
})
export type PlanAnswer = z.output<typeof plan>

/** A logo as it comes; it is drawn again and smaller. */
export const maxLogoBytes = 5 * 1024 * 1024

/** The state of something that was proved: in use, in use until it is proved again, or out of use. */
export const standingNames = ['none', 'proved', 'lost', 'ended'] as const
const standing = {
  /** Its domain leads here; the day on which it goes out of use, or since which it is. */
  siteState: z.enum(standingNames),
  siteDay: z.string().nullable(),
  /** Letters may leave from its sender's address. */
  mailState: z.enum(standingNames),
  mailDay: z.string().nullable(),
}

const brand = z.object({
  domain: z.string(),
  name: z.string(),
  accent: z.string(),
  /** The address of its picture; empty for none. */
  logo: z.string(),
  ...standing,
  /** When it was asked last. */
  askedAt: z.string().nullable(),
  /** What a record of the sender's domain must say. */
  mailRecord: z.string(),
  mailName: z.string(),
  mailFrom: z.string(),
  supportEmail: z.string(),
  dealerId: z.string().nullable(),
  pageIds: z.array(z.string()),
})

const account = {
  bankCode: z
    .number({ error: 'fields.choice' })
    .int()
    .min(1, { error: 'fields.choice' })
    .max(99, { error: 'fields.choice' })
    .nullable()
    .default(null),
  bankBranch: z.string().trim().max(4, { error: 'fields.tooLong' }).nullable().default(null),
  bankAccount: z.string().trim().max(20, { error: 'fields.tooLong' }).nullable().default(null),
  bankAccountName: z.string().trim().max(120, { error: 'fields.tooLong' }).nullable().default(null),
}
const accountAnswer = z.object({
  bankCode: z.number().nullable(),
  bankBranch: z.string().nullable(),
  bankAccount: z.string().nullable(),
  bankAccountName: z.string().nullable(),
})

export const programme = defineEndpoint({
  name: 'affiliates.programme',
  method: 'GET',
  path: '/api/user/affiliates',
  access: 'open',
  input: z.object({}),
  output: z.object({
    /** Whether this installation pays for businesses that are brought to it. */
    isOn: z.boolean(),
    operator: z.string(),
    plan: plan.nullable(),
  }),
  summary: 'What is paid to whoever brings businesses to the product',
})

export const signUpAff = defineEndpoint({
  name: 'affiliates.signUp',
  method: 'POST',
  path: '/api/user/signupaff',
  access: 'open',
  throttle: 30,
  input: z.strictObject({
    email: emailValue,
    password: passwordValue,
    fullName: name(120),
    phone: z.union([phoneValue, z.literal('')]).optional(),
    business: z.strictObject({
      name: name(120),
      kind: z.enum(businessKindNames, { error: 'fields.choice' }),
      taxId: taxIdValue,
    }),
    account: z.strictObject(account).optional(),
    language: languageValue.default('he'),
    termsAccepted: z.literal(true, { error: 'session.termsNeeded' }),
    /** The affiliate agrees that the operator issues self-billed invoices for the commissions. */
    selfBilling: z.literal(true, { error: 'fields.need' }),
  }),
  output: sessionAnswer,
  summary: 'Opens the account of an affiliate; what is paid to him waits until the operator agreed',
  errors: ['session.emailTaken', 'affiliates.off', ...guessable],
})

export const myAffiliate = defineEndpoint({
  name: 'affiliates.mine',
  method: 'GET',
  path: `${base}/mine`,
  access: own,
  input: z.object({}),
  output: z.object({
    state: z.enum(affiliateStates),
    operator: z.string(),
    plan: plan.nullable(),
    figures: z.object({
      views: z.number(),
      signUps: z.number(),
      paying: z.number(),
      earnedAgorot: z.number(),
      /** Of payments that may still be refunded. */
      waitingAgorot: z.number(),
      heldAgorot: z.number(),
      dueAgorot: z.number(),
      paidAgorot: z.number(),
    }),
    links: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        code: z.string(),
        url: z.string(),
        isOld: z.boolean(),
        views: z.number(),
        signUps: z.number(),
        paying: z.number(),
        earnedAgorot: z.number(),
      }),
    ),
    /** The businesses the affiliate brought: no names, only days and amounts. */
    signUps: z.array(
      z.object({
        day: z.string(),
        link: z.string(),
        state: z.enum(signupStates),
        reasons: z.array(z.string()),
        /** The how-manieth paying business it is; null while it pays nothing. */
        rank: z.number().nullable(),
        earnedAgorot: z.number(),
      }),
    ),
    payouts: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        amountAgorot: z.number(),
        number: z.number(),
        /** Of the page on which the invoice is had. */
        key: z.string(),
        state: z.enum(['waiting', 'paid', 'undone']),
      }),
    ),
    account: accountAnswer,
    taxId: z.string(),
    /**
     * For a dealer: the brand, and the businesses that use the product under it. Counts and days; nothing of their
     * books.
     */
    brand: z
      .object({
        domain: z.string(),
        name: z.string(),
        ...standing,
        mailFrom: z.string(),
        mailRecord: z.string(),
        businesses: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            day: z.string(),
            people: z.number(),
            seenDay: z.string().nullable(),
            isPaying: z.boolean(),
            earnedAgorot: z.number(),
          }),
        ),
      })
      .nullable(),
  }),
  summary: 'An affiliate’s own page: his links, whom they brought, what that earned and what was paid',
  errors: ['kit.notFound'],
})

export const dealerWayIn = defineEndpoint({
  name: 'affiliates.wayIn',
  method: 'POST',
  path: `${base}/mine/wayin`,
  access: { ...own, person: true },
  throttle: 30,
  verified: true,
  input: z.strictObject({}),
  output: z.object({ url: z.string(), seconds: z.number() }),
  summary: 'A link that logs a dealer into his own page on his brand’s domain, once, within a minute',
  errors: ['kit.notFound'],
})

export const makeLink = defineEndpoint({
  name: 'affiliates.makeLink',
  method: 'POST',
  path: `${base}/links`,
  access: own,
  throttle: 60,
  verified: true,
  input: z.strictObject({ name: name(60) }),
  output: z.object({ id: z.string(), url: z.string() }),
  summary: 'Makes another link that is counted by itself',
  errors: ['kit.notFound', 'affiliates.tooManyLinks', 'affiliates.stopped'],
})
export const dropLink = defineEndpoint({
  name: 'affiliates.dropLink',
  method: 'DELETE',
  path: `${base}/links/{id}`,
  access: own,
  input: z.object({ id: z.uuid() }),
  output: done,
  summary: 'Puts a link away; who comes by it is counted no more, who came stays',
  errors: ['kit.notFound'],
})
export const saveAccount = defineEndpoint({
  name: 'affiliates.saveAccount',
  method: 'PUT',
  path: `${base}/account`,
  access: own,
  throttle: 20,
  verified: true,
  input: z.strictObject({
    ...account,
    password: z.string({ error: 'fields.need' }).min(1, { error: 'fields.need' }).max(128),
  }),
  output: done,
  summary: 'Says where an affiliate is paid; the operator is warned of a change for thirty days',
  errors: ['kit.notFound', 'session.wrongPassword'],
})

const totals = {
  views: z.number(),
  signUps: z.number(),
  paying: z.number(),
  earnedAgorot: z.number(),
  dueAgorot: z.number(),
  paidAgorot: z.number(),
}
export const listAffiliates = defineEndpoint({
  name: 'affiliates.list',
  method: 'GET',
  path: base,
  access: manage,
  input: z.object({}),
  output: z.object({
    /** Only the business that sells the product has affiliates. */
    isOperator: z.boolean(),
    signUpUrl: z.string(),
    plans: z.array(plan),
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        taxId: z.string(),
        email: z.string(),
        phone: z.string(),
        state: z.enum(affiliateStates),
        since: z.string(),
        supplierId: z.string().nullable(),
        ...totals,
        heldAgorot: z.number(),
        hasAccount: z.boolean(),
        /** Another account than before within the last month. */
        accountChanged: z.boolean(),
        /** The affiliate asks to be paid to another account than the supplier card says. */
        accountDiffers: z.boolean(),
      }),
    ),
    held: z.array(
      z.object({
        clientId: z.string(),
        client: z.string(),
        affiliate: z.string(),
        day: z.string(),
        reasons: z.array(z.enum(holdReasons)),
        waitingAgorot: z.number(),
      }),
    ),
    brands: z.array(brand.extend({ dealer: z.string(), businesses: z.number() })),
    /** The operator's pages of subscription, of which a brand may offer its own. */
    pages: z.array(z.object({ id: z.string(), title: z.string() })),
    payouts: z.array(
      z.object({
        id: z.string(),
        affiliate: z.string(),
        day: z.string(),
        amountAgorot: z.number(),
        documentId: z.string(),
        number: z.number(),
        state: z.enum(['waiting', 'paid', 'undone']),
      }),
    ),
    /** What is due is paid out automatically on a day of each month; null: only by hand. */
    monthly: z.object({ day: z.number(), nextOn: z.string() }).nullable(),
    /** Who was left out on the last of those days, and why. */
    leftOut: z.array(
      z.object({
        affiliateId: z.string(),
        affiliate: z.string(),
        day: z.string(),
        outcome: z.enum(payoutOutcomes).exclude(['paid']),
        /** What it was refused with: a word of errors, and what fills its gaps. */
        refusal: z.object({ code: z.string(), params: z.record(z.string(), z.any()) }).nullable(),
        amountAgorot: z.number(),
      }),
    ),
  }),
  summary: 'Who brings businesses to the operator, what that earned, and what waits for a decision',
})
export const savePlan = defineEndpoint({
  name: 'affiliates.savePlan',
  method: 'PUT',
  path: `${base}/plan`,
  access: manage,
  input: z.strictObject({
    fromDay: dayValue,
    steps: z.array(step).min(1, { error: 'fields.need' }).max(10, { error: 'fields.tooMany' }),
    months: z
      .number({ error: 'fields.number' })
      .int({ error: 'fields.number' })
      .min(0, { error: 'fields.range' })
      .max(120, { error: 'fields.range' }),
    holdDays: z
      .number({ error: 'fields.number' })
      .int({ error: 'fields.number' })
      .min(0, { error: 'fields.range' })
      .max(365, { error: 'fields.range' }),
    leastAgorot: moneyValue.min(0, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' }),
  }),
  output: done,
  summary: 'Says what is paid from a day on; payments before it stay as they were counted',
  errors: ['kit.notFound', 'affiliates.planStarted'],
})
export const setPayDay = defineEndpoint({
  name: 'affiliates.setPayDay',
  method: 'PUT',
  path: `${base}/payday`,
  access: manage,
  input: z.strictObject({
    day: z
      .number({ error: 'fields.number' })
      .int({ error: 'fields.number' })
      .min(1, { error: 'fields.range' })
      .max(28, { error: 'fields.range' })
      .nullable(),
  }),
  output: z.object({ nextOn: z.string().nullable() }),
  summary:
    'On which day of each month the invoices of what is due are made by themselves; null: by press alone',
  errors: ['kit.notFound'],
})
export const setAffiliate = defineEndpoint({
  name: 'affiliates.set',
  method: 'POST',
  path: `${base}/{id}/state`,
  access: manage,
  input: z.strictObject({
    id: z.uuid(),
    state: z.enum(['active', 'stopped']),
    reason: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
  }),
  output: done,
  summary: 'Agrees to an affiliate, whereby he becomes a supplier, or stops him',
  errors: ['kit.notFound'],
})
export const takeAccount = defineEndpoint({
  name: 'affiliates.takeAccount',
  method: 'POST',
  path: `${base}/{id}/account`,
  access: manage,
  input: z.strictObject({ id: z.uuid() }),
  output: done,
  summary: 'Lays the account an affiliate asks to be paid to onto his card of supplier',
  errors: ['kit.notFound'],
})
export const decideSignup = defineEndpoint({
  name: 'affiliates.decide',
  method: 'POST',
  path: `${base}/signups/{clientId}`,
  access: manage,
  input: z.strictObject({ clientId: z.uuid(), counts: z.boolean(), reason }),
  output: done,
  summary: 'Lets a business that was held be counted, or refuses it for good',
  errors: ['kit.notFound'],
})
export const payAffiliates = defineEndpoint({
  name: 'affiliates.pay',
  method: 'POST',
  path: `${base}/payouts`,
  access: manage,
  input: z.strictObject({
    ids: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(100, { error: 'fields.tooMany' }),
  }),
  output: z.object({
    rows: z.array(
      z.object({ id: z.string(), documentId: z.string(), number: z.number(), amountAgorot: z.number() }),
    ),
  }),
  summary:
    'Writes the invoices for commissions that are due in the affiliates’ stead; each becomes a bill that a Masav run pays',
  errors: [
    'kit.notFound',
    'affiliates.noTaxId',
    'affiliates.nothingDue',
    'affiliates.notActive',
    'ledger.periodClosed',
  ],
})
const domainValue = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, { error: 'fields.tooLong' })
  .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, { error: 'fields.domain' })
export const saveBrand = defineEndpoint({
  name: 'affiliates.saveBrand',
  method: 'PUT',
  path: `${base}/brands`,
  access: manage,
  input: z.strictObject({
    domain: domainValue,
    name: name(60),
    accent: z
      .string()
      .regex(/^(#[0-9a-f]{6})?$/, { error: 'fields.choice' })
      .default(''),
    mailName: z.string().trim().max(120, { error: 'fields.tooLong' }).default(''),
    mailFrom: z.union([emailValue, z.literal('')]).default(''),
    supportEmail: z.union([emailValue, z.literal('')]).default(''),
    dealerId: z.uuid({ error: 'fields.ref' }).nullable().default(null),
    pageIds: z
      .array(z.uuid({ error: 'fields.ref' }))
      .max(50, { error: 'fields.tooMany' })
      .default([]),
  }),
  output: done,
  summary: 'The brand of a domain: name, colours, sender, support, prices, and the dealer whose it is',
  errors: ['kit.notFound'],
})

export const setBrandLogo = defineEndpoint({
  name: 'affiliates.setBrandLogo',
  method: 'POST',
  path: `${base}/brands/{domain}/logo`,
  access: manage,
  upload: { maxBytes: maxLogoBytes },
  input: z.object({ domain: domainValue, bytes: bytesValue }),
  output: done,
  summary: 'The logo of a brand, a PNG or JPEG; it is drawn anew',
  errors: ['kit.notFound', 'affiliates.badLogo'],
})
export const dropBrandLogo = defineEndpoint({
  name: 'affiliates.dropBrandLogo',
  method: 'DELETE',
  path: `${base}/brands/{domain}/logo`,
  access: manage,
  input: z.object({ domain: domainValue }),
  output: done,
  summary: 'Takes the logo of a brand away',
  errors: ['kit.notFound'],
})
export const proveBrand = defineEndpoint({
  name: 'affiliates.proveBrand',
  method: 'POST',
  path: `${base}/brands/{domain}/proof`,
  access: manage,
  throttle: 30,
  input: z.object({ domain: domainValue }),
  output: z.object({ site: z.boolean(), mail: z.boolean() }),
  summary:
    'Asks whether a brand’s domain leads here and whether letters may leave from its sender; until then both are the installation’s own',
  errors: ['kit.notFound'],
})
export const brandLogo = defineEndpoint({
  name: 'affiliates.brandLogo',
  method: 'GET',
  path: '/api/user/brandlogo',
  access: 'open',
  file: true,
  input: z.object({ domain: z.string().max(253), of: z.string().max(40).optional() }),
  output: z.any(),
  summary: 'The logo of a white label',
  errors: ['kit.notFound'],
})
export const brandProof = defineEndpoint({
  name: 'affiliates.brandProof',
  method: 'POST',
  path: '/api/user/brandproof',
  access: 'open',
  throttle: 60,
  input: z.object({ domain: z.string().max(253) }),
  output: z.object({ proof: z.string() }),
  summary: 'What only this installation answers for the domain of a white label',
  errors: ['kit.notFound'],
})
