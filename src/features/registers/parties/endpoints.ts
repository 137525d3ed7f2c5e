import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, languageValue, phoneValue, taxIdValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { consentWays } from './customers.ts'

const base = '/api4/invoice/customers'
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })
const see = { rule: 'customers.see' }
const change = { rule: 'customers.change' }
const short = z.string().max(200)

/** What makes two records look like one customer. */
export const sameness = ['taxId', 'phone', 'email', 'name'] as const
export type Sameness = (typeof sameness)[number]

const twin = z.object({
  id: z.uuid(),
  name: z.string(),
  taxId: z.string().nullable(),
  city: z.string().nullable(),
  archived: z.boolean(),
  by: z.array(z.enum(sameness)),
})
export type Twin = z.output<typeof twin>

export const findTwins = defineEndpoint({
  name: 'customers.twins',
  method: 'GET',
  path: `${base}/twins`,
  access: see,
  input: z.object({
    taxId: short.optional(),
    email: short.optional(),
    phone: short.optional(),
    mobile: short.optional(),
    except: z.uuid().optional(),
  }),
  output: z.object({ rows: z.array(twin) }),
  summary: 'Customers with the same number, phone or mail; ask before making one',
})

export const findDoubles = defineEndpoint({
  name: 'customers.doubles',
  method: 'GET',
  path: `${base}/doubles`,
  access: change,
  input: z.object({}),
  output: z.object({
    groups: z.array(z.object({ by: z.enum(sameness), ids: z.array(z.uuid()), names: z.array(z.string()) })),
  }),
  summary: 'Customers who are likely the same: one phone, one mail, one name',
})

export const mergeCustomers = defineEndpoint({
  name: 'customers.merge',
  method: 'POST',
  path: `${base}/merge`,
  access: change,
  input: z.object({
    keepId: z.uuid(),
    ids: z.array(z.uuid()).min(1).max(20),
    /** From whom each field is taken; from the one who stays when not named. */
    from: z.record(z.string().max(40), z.uuid()).default({}),
  }),
  output: z.object({ id: z.uuid(), merged: z.number().int() }),
  summary:
    'Makes several records one customer: balances move by an entry, papers stay where they were issued',
  errors: ['kit.notFound', 'customers.merged', 'customers.mergeItself', 'ledger.periodClosed'],
})

export const listTags = defineEndpoint({
  name: 'customers.tags',
  method: 'GET',
  path: `${base}/tags`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(z.object({ tag: z.string(), customers: z.number().int() })) }),
  summary: 'The tags in use',
})

export const changeMany = defineEndpoint({
  name: 'customers.changeMany',
  method: 'POST',
  path: `${base}/bulk`,
  access: change,
  input: z.object({
    ids: z.array(z.uuid()).min(1).max(500),
    set: z
      .object({
        typeId: z.uuid().nullable(),
        statusId: z.uuid().nullable(),
        portfolioId: z.uuid().nullable(),
        agentId: z.uuid().nullable(),
      })
      .partial()
      .default({}),
    addTags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
    dropTags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  }),
  output: z.object({ changed: z.number().int() }),
  summary: 'Changes type, status, portfolio, agent or tags of many customers at once',
  errors: ['kit.notFound'],
})

export const giveConsent = defineEndpoint({
  name: 'customers.consent',
  method: 'POST',
  path: `${base}/{id}/consent`,
  access: change,
  input: byId.extend({
    how: z.enum(consentWays).exclude(['registered', 'signed']),
    by: z.string().trim().max(120).default(''),
  }),
  output: done,
  summary: 'Notes that the customer agreed to get documents by electronic means',
  errors: ['kit.notFound'],
})

export const takeConsentBack = defineEndpoint({
  name: 'customers.revokeConsent',
  method: 'DELETE',
  path: `${base}/{id}/consent`,
  access: change,
  input: byId,
  output: done,
  summary: 'The customer took his consent back',
  errors: ['kit.notFound'],
})

export const activityOf = defineEndpoint({
  name: 'customers.activity',
  method: 'GET',
  path: `${base}/{id}/activity`,
  access: see,
  input: byId.extend({ cursor: z.string().max(100).optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.uuid(),
        at: z.string(),
        who: z.string().nullable(),
        action: z.string(),
        entity: z.string(),
        before: z.any(),
        after: z.any(),
        /** Of a message: its subject, to whom, and what became of it. */
        message: z
          .object({
            subject: z.string(),
            recipient: z.string(),
            state: z.string(),
            channel: z.string(),
            openedAt: z.string().nullable(),
          })
          .nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  summary: 'Who changed what in a customer, and what was sent to him, newest first',
  errors: ['kit.notFound'],
})

export const setOrder = defineEndpoint({
  name: 'customerSorts.order',
  method: 'POST',
  path: '/api4/invoice/customersorts/order',
  access: change,
  input: z.object({ of: z.enum(['customerStatuses', 'customerFields']), ids: z.array(z.uuid()).max(200) }),
  output: done,
  summary: 'The order in which statuses or own fields stand',
})

// ---- customers who register themselves

const link = z.object({ url: z.string().nullable(), isOn: z.boolean(), madeAt: z.string().nullable() })

export const getLink = defineEndpoint({
  name: 'registration.link',
  method: 'GET',
  path: '/api4/invoice/registrationlink',
  access: change,
  secret: true,
  input: z.object({}),
  output: link,
  summary: 'The link by which customers register themselves',
})

export const makeLink = defineEndpoint({
  name: 'registration.makeLink',
  method: 'POST',
  path: '/api4/invoice/registrationlink',
  access: change,
  input: z.object({}),
  output: link,
  summary: 'Makes the link, or a new one: the old one opens nothing any more',
})

export const switchLink = defineEndpoint({
  name: 'registration.switchLink',
  method: 'PATCH',
  path: '/api4/invoice/registrationlink',
  access: change,
  input: z.object({ isOn: z.boolean() }),
  output: link,
  summary: 'Turns the link off or on again',
  errors: ['kit.notFound'],
})

const key = z.object({ key: z.string().min(1).max(100) })

export const registrationPage = defineEndpoint({
  name: 'registration.page',
  method: 'GET',
  path: '/api2/invoice/createcustomer/{key}',
  access: 'key',
  input: key,
  output: z.object({ ...faceFields, language: languageValue }),
  summary: 'Whose form it is',
  errors: ['kit.notFound'],
})

export const registrationLogo = defineEndpoint({
  name: 'registration.logo',
  method: 'GET',
  path: '/api2/invoice/createcustomer/{key}/logo',
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business',
  errors: ['kit.notFound'],
})

const maybe = <T extends z.ZodType>(of: T) => z.preprocess((v) => (v === '' ? undefined : v), of.optional())
const line = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })

export const registration = z.object({
  name: line(200).min(1, { error: 'fields.need' }),
  nameOnDocument: maybe(line(200)),
  taxId: maybe(taxIdValue),
  email: maybe(emailValue),
  mobile: maybe(phoneValue),
  street: maybe(line(120)),
  city: maybe(line(80)),
  zip: maybe(line(10)),
  consents: z.boolean().default(false),
})
export type Registration = z.output<typeof registration>

export const registerMyself = defineEndpoint({
  name: 'registration.send',
  method: 'POST',
  path: '/api2/invoice/createcustomer/{key}',
  access: 'key',
  throttle: 10,
  input: registration.extend({ key: key.shape.key }),
  output: done,
  summary: 'A customer writes himself down; the answer does not tell whether he was known',
  errors: ['kit.notFound', 'kit.tooMany'],
})

const proposal = z.object({
  id: z.uuid(),
  at: z.string(),
  partyId: z.uuid(),
  name: z.string(),
  by: z.array(z.enum(sameness)),
  consents: z.boolean(),
  /** What differs: as it is, and as the customer wrote it. */
  changes: z.array(z.object({ field: z.string(), now: z.string().nullable(), given: z.string() })),
})
export type Proposal = z.output<typeof proposal>

export const listProposals = defineEndpoint({
  name: 'customerProposals.list',
  method: 'GET',
  path: `${base}/proposals`,
  access: change,
  input: z.object({}),
  output: z.object({ rows: z.array(proposal) }),
  summary: 'What known customers wrote into the form, waiting for a decision',
})

export const decideProposal = defineEndpoint({
  name: 'customerProposals.decide',
  method: 'POST',
  path: '/api4/invoice/customerProposals/{id}',
  former: { path: `${base}/proposals/{id}`, since: '2026-11-30', until: '2027-11-30' },
  access: change,
  input: byId.extend({
    take: z.array(z.string().max(40)).max(20).default([]),
    asNew: z.boolean().default(false),
  }),
  output: done,
  summary: 'Takes the named fields over, or makes a customer of his own, or neither',
  errors: ['kit.notFound', 'customers.proposalDecided'],
})
