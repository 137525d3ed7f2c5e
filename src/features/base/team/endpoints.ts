import { z } from 'zod'
import { paperLabels } from '#domain/documents/kinds.ts'
import { rowAnswer } from '#kit/describe/answers.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue, languageValue, moneyValue } from '#kit/fields/schema.ts'
import { guessable, passwordValue, sessionAnswer } from '#features/base/session/endpoints.ts'
import { starterNames } from './starters.ts'
import { workers } from './workers.ts'

const done = z.object({ done: z.literal(true) })
const byId = z.object({ id: z.uuid() })
const base = '/api4/invoice/workers'
const sets = '/api4/invoice/permissions'

const name = (max: number) =>
  z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(max, { error: 'fields.tooLong' })

/**
 * Rights as they are given: a set, a ready-made set, or individual rules. What is left out stays as it is.
 */
export const rightsInput = z.object({
  ruleId: z.number().int().min(0).optional(),
  starter: z.enum(starterNames, { error: 'fields.choice' }).optional(),
  rules: z.array(z.number().int()).max(500).optional(),
  docsAllow: z.array(z.number().int()).max(50).optional(),
  hideTotalPrices: z.boolean().optional(),
  ownCustomersOnly: z.boolean().optional(),
  hideNavHeader: z.boolean().optional(),
  isActiveButton: z.boolean().optional(),
  /** Said aloud where the list of rules becomes empty: an empty list means everything. */
  everything: z.boolean().optional(),
})
const worker = rowAnswer(workers)

export const inviteWorker = defineEndpoint({
  name: 'workers.invite',
  method: 'POST',
  path: base,
  access: { rule: 'workers.change' },
  verified: true,
  input: rightsInput
    .extend({
      fullName: name(120),
      email: emailValue,
      job: z.string().trim().max(80, { error: 'fields.tooLong' }).optional(),
      language: languageValue.optional(),
      typeId: z.union([z.literal(4), z.literal(9)]).default(9),
      subTypeId: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
    })
    .strict(),
  output: worker,
  summary: 'Invites a worker by mail with the rights he will have',
  errors: ['team.alreadyHere', 'team.beyondYours', 'team.clearPermissions', 'team.bySet'],
})
export const changeWorker = defineEndpoint({
  name: 'workers.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: { rule: 'workers.change' },
  input: rightsInput
    .extend({
      id: z.uuid(),
      job: z.string().trim().max(80, { error: 'fields.tooLong' }).optional(),
      subTypeId: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
      /** The most this person may refund of one card charge; null is without limit. */
      refundLimitAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().optional(),
      /** The most this person may charge a saved card at once; null is without limit. */
      chargeLimitAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().optional(),
    })
    .strict(),
  output: worker,
  summary: 'Changes what a worker may, or his place in the business',
  errors: [
    'kit.notFound',
    'team.beyondYours',
    'team.lastOwner',
    'team.yourself',
    'team.clearPermissions',
    'team.bySet',
    'team.limitBeyondYours',
  ],
})
const onWorker = (verb: string, summary: string, more: string[] = []) =>
  defineEndpoint({
    name: `workers.${verb}`,
    method: 'POST',
    path: `${base}/{id}/${verb}`,
    access: { rule: 'workers.change' },
    input: byId,
    output: worker,
    summary,
    errors: ['kit.notFound', 'team.beyondYours', ...more],
  })
export const blockWorker = onWorker('block', 'Shuts a worker out and ends his sessions at once', [
  'team.lastOwner',
  'team.yourself',
])
export const unblockWorker = onWorker('unblock', 'Lets a blocked worker in again', ['team.yourself'])
export const resendInvitation = onWorker(
  'resend',
  'Sends an invitation again with a new link; the old link ends',
  ['team.notInvited'],
)
export const removeWorker = defineEndpoint({
  name: 'workers.remove',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'workers.change' },
  input: byId,
  output: done,
  summary: 'Takes a worker out of the business, or an invitation back; what he did stays under his name',
  errors: ['kit.notFound', 'team.beyondYours', 'team.lastOwner', 'team.yourself'],
})

export const leavesKinds = [
  'accountants',
  'apiKeys',
  'classFeeds',
  'drive',
  'fileShares',
  'offices',
  'reportPlans',
  'reportShares',
  'shops',
  'taskFeeds',
  'webhooks',
] as const
const leaving = z.object({
  kind: z.string().describe(`What it is: ${leavesKinds.join(', ')}`),
  id: z.string(),
  name: z.string(),
  to: z.string().describe('Where it goes: an address, a site, a person, or the last day of a link'),
  by: z.string().nullable().describe('The person whose rights it works with; null: the business’s own'),
  byKey: z.string().nullable().describe('The API key it works with, by name'),
  since: z.string(),
  lastAt: z.string().nullable().describe('When something last left by it'),
  isOn: z.boolean(),
  href: z.string().describe('The screen where it is managed'),
  mayEnd: z.boolean().describe('The caller may end it'),
  continues: z
    .boolean()
    .describe('It continues with the rights of an owner when the person is removed; everything else ends'),
})
export type LeavingAnswer = z.output<typeof leaving>

export const listLeaves = defineEndpoint({
  name: 'team.leaves',
  method: 'GET',
  path: '/api4/invoice/leaves',
  access: { rule: 'workers.see' },
  input: z.object({ userId: z.uuid().optional().describe('Only what works with the rights of this person') }),
  output: z.object({ rows: z.array(leaving) }),
  summary:
    'Everything that leaves the business: copies, messages, feeds, schedules, links, people from outside',
  about:
    'Names and recipients are returned to people who see the whole business; others get them only for entries that work with their own rights.',
})
export const endLeaving = defineEndpoint({
  name: 'team.endLeaving',
  method: 'POST',
  path: '/api4/invoice/leaves/end',
  access: { rule: 'workers.change' },
  input: z.strictObject({ kind: z.enum(leavesKinds), id: z.uuid() }),
  output: done,
  summary: 'Ends something that leaves the business, for good',
  errors: ['kit.notFound'],
})

const activityQuery = z.object({
  id: z.uuid(),
  area: z.string().max(40).optional(),
  from: dayValue.optional(),
  to: dayValue.optional(),
})
export const workerActivity = defineEndpoint({
  name: 'workers.activity',
  method: 'GET',
  path: `${base}/{id}/activity`,
  access: { rule: 'workers.see' },
  input: activityQuery.extend({ cursor: z.string().max(200).optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        action: z.string(),
        entity: z.string(),
        entityId: z.string().nullable(),
        about: z.string(),
        address: z.string(),
      }),
    ),
    areas: z.array(z.string()),
    nextCursor: z.string().nullable(),
  }),
  summary: 'What a worker did, newest first',
  errors: ['kit.notFound'],
})
export const exportActivity = defineEndpoint({
  name: 'workers.exportActivity',
  method: 'GET',
  path: '/api4/invoiceexport/workers/{id}/activity',
  access: { rule: 'workers.see' },
  input: activityQuery.extend({ format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  output: z.any(),
  file: true,
  summary: 'What a worker did, as CSV or XLSX',
  errors: ['kit.notFound'],
})

const permissionSet = z.object({
  id: z.string(),
  number: z.number(),
  name: z.string(),
  starter: z.string().nullable(),
  rules: z.array(z.number()),
  docsAllow: z.array(z.number()),
  hideTotalPrices: z.boolean(),
  ownCustomersOnly: z.boolean(),
  hideNavHeader: z.boolean(),
  people: z.number(),
})
export type PermissionSet = z.infer<typeof permissionSet>
export const listSets = defineEndpoint({
  name: 'permissions.list',
  method: 'GET',
  path: sets,
  access: { rule: 'workers.see' },
  input: z.object({}),
  output: z.object({
    rows: z.array(permissionSet),
    /** Ready-made sets that the business has not made its own yet. */
    starters: z.array(
      z.object({ name: z.enum(starterNames), rules: z.array(z.number()), hideTotalPrices: z.boolean() }),
    ),
  }),
  summary: 'The sets of rights, and the ready-made ones to begin with',
})
export const listRules = defineEndpoint({
  name: 'permissions.rules',
  method: 'GET',
  path: `${sets}/rules`,
  access: { rule: 'workers.see' },
  input: z.object({}),
  output: z.object({
    areas: z.array(
      z.object({
        name: z.string(),
        rules: z.array(
          z.object({
            number: z.number(),
            name: z.string(),
            calls: z.array(
              z.object({ name: z.string(), method: z.string(), path: z.string(), summary: z.string() }),
            ),
            reports: z.array(z.object({ words: z.string(), path: z.string() })),
          }),
        ),
      }),
    ),
  }),
  summary: 'Every rule with its number, and the calls and reports it opens',
})
const setInput = rightsInput.omit({ ruleId: true, starter: true, isActiveButton: true })
export const makeSet = defineEndpoint({
  name: 'permissions.create',
  method: 'POST',
  path: sets,
  access: { rule: 'workers.change' },
  input: setInput.extend({ name: name(60).optional(), starter: z.enum(starterNames).optional() }).strict(),
  output: permissionSet,
  summary: 'Makes a set of rights, or takes a ready-made one',
  errors: ['team.beyondYours', 'team.clearPermissions', 'team.setKnown'],
})
export const changeSet = defineEndpoint({
  name: 'permissions.change',
  method: 'PATCH',
  path: `${sets}/{id}`,
  access: { rule: 'workers.change' },
  input: setInput.extend({ id: z.uuid(), name: name(60).optional() }).strict(),
  output: permissionSet,
  summary: 'Changes a set of rights and with it what its people may',
  errors: ['kit.notFound', 'team.beyondYours', 'team.clearPermissions', 'team.setKnown'],
})
export const removeSet = defineEndpoint({
  name: 'permissions.remove',
  method: 'DELETE',
  path: `${sets}/{id}`,
  access: { rule: 'workers.change' },
  input: byId,
  output: done,
  summary: 'Removes a set of rights that nobody has',
  errors: ['kit.notFound', 'team.setInUse'],
})
export const assignSet = defineEndpoint({
  name: 'permissions.assign',
  method: 'POST',
  path: `${sets}/{id}/assign`,
  access: { rule: 'workers.change' },
  input: z.strictObject({
    id: z.uuid(),
    workers: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(200),
    everything: z.boolean().optional(),
  }),
  output: z.object({ rows: z.array(worker) }),
  summary: 'Gives a set of rights to people',
  errors: ['kit.notFound', 'team.beyondYours', 'team.lastOwner', 'team.yourself', 'team.clearPermissions'],
})

const token = z.string().min(20, { error: 'team.linkEnded' }).max(200, { error: 'team.linkEnded' })
export const seeInvitation = defineEndpoint({
  name: 'team.seeInvitation',
  method: 'POST',
  path: '/api/user/invitation',
  access: 'open',
  reads: true,
  throttle: 60,
  input: z.strictObject({ token }),
  output: z.object({
    company: z.string(),
    invitedBy: z.string(),
    email: z.string(),
    fullName: z.string(),
    typeId: z.number(),
    setName: z.string().nullable(),
    language: languageValue,
    /** Has an account already: its password is requested instead of a new one. */
    known: z.boolean(),
    factor: z.boolean(),
  }),
  summary: 'What an invitation says, for whoever holds its link',
  errors: ['team.linkEnded'],
})
export const acceptInvitation = defineEndpoint({
  name: 'team.acceptInvitation',
  method: 'POST',
  path: '/api/user/invitation/accept',
  access: 'open',
  throttle: 30,
  input: z.strictObject({
    token,
    fullName: name(120).optional(),
    /** A new one, or the one the account has. */
    password: z
      .string({ error: 'fields.need' })
      .min(1, { error: 'fields.need' })
      .max(128, { error: 'fields.tooLong' }),
    code: z.string().max(20).optional(),
    language: languageValue.optional(),
  }),
  output: sessionAnswer,
  summary: 'Accepts an invitation and opens a session in the business; the link works once',
  errors: ['team.linkEnded', 'session.wrongPassword', 'session.wrongCode', 'fields.password', ...guessable],
})
export const joinInvitation = defineEndpoint({
  name: 'team.joinInvitation',
  method: 'POST',
  path: '/api/user/invitation/join',
  access: 'login',
  throttle: 30,
  input: z.strictObject({ token }),
  output: sessionAnswer,
  summary: 'Accepts an invitation as the person who is logged in already',
  errors: ['team.linkEnded', 'team.otherPerson'],
})

export const myWork = defineEndpoint({
  name: 'team.myWork',
  method: 'GET',
  path: '/api4/invoice/mywork',
  access: 'login',
  input: z.object({}),
  output: z.object({
    drafts: z.array(
      z.object({
        id: z.string(),
        type: z.number(),
        label: z.enum(paperLabels).nullable(),
        customer: z.string(),
        totalAgorot: z.number(),
        currency: z.string(),
        at: z.string(),
      }),
    ),
    issued: z.array(
      z.object({
        id: z.string(),
        type: z.number(),
        number: z.number(),
        label: z.enum(paperLabels).nullable(),
        customer: z.string(),
        totalAgorot: z.number(),
        currency: z.string(),
        at: z.string(),
      }),
    ),
    done: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        action: z.string(),
        entity: z.string(),
        entityId: z.string().nullable(),
        about: z.string(),
      }),
    ),
  }),
  summary: 'What I have done lately and what I have left open',
})

const factorRule = z.object({
  required: z.boolean(),
  /** Since when; null where it is not required. */
  since: z.string().nullable(),
  /** How many people have no second factor yet. */
  without: z.number().int(),
})
export const getFactorRule = defineEndpoint({
  name: 'team.factorRule',
  method: 'GET',
  path: '/api4/invoice/team/factor',
  access: { rule: 'workers.see' },
  input: z.object({}),
  output: factorRule,
  summary: 'Whether the business requires a second factor of its people, and how many have none yet',
})
export const setFactorRule = defineEndpoint({
  name: 'team.setFactorRule',
  method: 'PUT',
  path: '/api4/invoice/team/factor',
  access: { rule: 'workers.change', person: true },
  throttle: 20,
  input: z.strictObject({
    required: z.boolean(),
    password: z.string({ error: 'fields.need' }).min(1, { error: 'fields.need' }).max(128),
  }),
  output: factorRule,
  summary: 'Requires a second factor of everybody who works in the business, or no longer; owners only',
  errors: ['team.ownersOnly', 'team.factorFirst', 'session.wrongPassword'],
})

export { passwordValue }
