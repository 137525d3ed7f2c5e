import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { faceFields } from '#features/base/companies/face.ts'
import './rules.ts'
import { rhythms, spans } from './when.ts'

const base = '/api4/invoice/reportplans'
export const fileFormats = ['pdf', 'xlsx', 'csv'] as const

const whole = (min: number, max: number) =>
  z.number().int().min(min, { error: 'fields.range' }).max(max, { error: 'fields.range' })

/** Says when there is something to tell; without one the report leaves each time. */
const condition = z.union([
  z.strictObject({ rows: z.literal(true) }),
  z.strictObject({
    /** The name of a column of the report that has a total, in its own unit: agorot where it is money. */
    total: z.string().max(60),
    is: z.enum(['over', 'under']),
    value: z.number().int().min(-1e15).max(1e15),
  }),
])
export type Condition = z.infer<typeof condition>

const plan = z.strictObject({
  report: z.string().max(60),
  /** Filters and view, as `reports.run` takes them. */
  query: z.record(z.string().max(60), z.string().max(500)),
  title: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
  every: z.enum(rhythms, { error: 'fields.choice' }),
  weekday: whole(0, 6),
  /** 1 to 28, or 31 for the last day of a month. */
  monthDay: whole(1, 31).refine((day) => day <= 28 || day === 31, { error: 'fields.range' }),
  daysBefore: whole(0, 14),
  hour: whole(0, 23),
  span: z.enum(spans, { error: 'fields.choice' }),
  formats: z.array(z.enum(fileFormats)).min(1, { error: 'reportPlans.noFormat' }).max(3),
  condition: condition.nullable(),
  isOn: z.boolean(),
  /** Ids out of `reportPlans.people`. */
  people: z.array(z.uuid()).min(1, { error: 'reportPlans.nobody' }).max(50, { error: 'reportPlans.tooMany' }),
})
export type PlanGiven = z.infer<typeof plan>

const person = z.object({
  /** Of the person, or of the accountant who has not come yet. */
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAccountant: z.boolean(),
  isMe: z.boolean(),
})

const shown = plan.omit({ people: true }).extend({
  id: z.string(),
  by: z.string(),
  /** Whether the caller may change it; to others it only goes. */
  isMine: z.boolean(),
  nextAt: z.string().nullable(),
  people: z.array(person.extend({ hasStopped: z.boolean() })),
  last: z.object({ at: z.string(), outcome: z.string() }).nullable(),
})
export type Plan = z.infer<typeof shown>

export const listPlans = defineEndpoint({
  name: 'reportPlans.list',
  method: 'GET',
  path: base,
  access: 'member',
  input: z.object({}),
  output: z.object({ rows: z.array(shown) }),
  summary:
    'Reports that are sent by themselves: those I set, those that come to me, and for whoever sees everything those of all',
})

export const listPlanPeople = defineEndpoint({
  name: 'reportPlans.people',
  method: 'GET',
  path: `${base}/people`,
  access: { rule: 'reportPlans.change' },
  input: z.object({ report: z.string().max(60) }),
  output: z.object({ rows: z.array(person.extend({ mayOpen: z.boolean() })) }),
  summary:
    'Whom a report can be sent to: people of the business and its accountants, and whether they may open it',
  errors: ['kit.notFound'],
})

export const createPlan = defineEndpoint({
  name: 'reportPlans.create',
  method: 'POST',
  path: base,
  access: { rule: 'reportPlans.change' },
  input: plan,
  output: shown,
  summary: 'Sends a report by itself from now on',
  errors: ['kit.notFound'],
})

export const changePlan = defineEndpoint({
  name: 'reportPlans.change',
  method: 'PUT',
  path: `${base}/{id}`,
  access: { rule: 'reportPlans.change' },
  input: plan.extend({ id: z.uuid() }),
  output: shown,
  summary:
    'Changes when, to whom and what is sent; whoever changes it is from then on the one whose rights it needs',
  errors: ['kit.notFound'],
})

export const dropPlan = defineEndpoint({
  name: 'reportPlans.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'reportPlans.change' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Ends a report that is sent by itself; what was sent stays in its log',
  errors: ['kit.notFound'],
})

export const sendPlan = defineEndpoint({
  name: 'reportPlans.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: { rule: 'reportPlans.change' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ queued: z.number() }),
  summary: 'Sends it to everybody now, whatever its condition; answers how many letters left',
  errors: ['kit.notFound'],
})

export const logOfPlan = defineEndpoint({
  name: 'reportPlans.log',
  method: 'GET',
  path: `${base}/{id}/log`,
  access: { rule: 'reportPlans.change' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        dueDay: z.string().nullable(),
        recipient: z.string(),
        /** What became of the letter, or why there was none. */
        outcome: z.string(),
      }),
    ),
  }),
  summary: 'What came of each time, also when nothing was sent',
  errors: ['kit.notFound'],
})

export const stopPlan = defineEndpoint({
  name: 'reportPlans.stop',
  method: 'POST',
  path: `${base}/{id}/stop`,
  access: 'login',
  input: z.object({ id: z.uuid(), stopped: z.boolean() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Sends me this report no more, or again',
  errors: ['kit.notFound'],
})

const byKey = z.object({ key: z.string().max(100) })
const face = z.object({ ...faceFields, language: z.string(), title: z.string(), hasStopped: z.boolean() })

export const stopFace = defineEndpoint({
  name: 'reportPlans.stopFace',
  method: 'GET',
  path: '/api2/invoice/reportstop/{key}',
  access: 'key',
  input: byKey,
  output: face,
  summary: 'Which report a stop link ends, and whether it has',
  errors: ['kit.notFound'],
})

export const stopLogo = defineEndpoint({
  name: 'reportPlans.stopLogo',
  method: 'GET',
  path: '/api2/invoice/reportstop/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The logo of the business whose report a stop link ends',
  errors: ['kit.notFound'],
})

export const stopByKey = defineEndpoint({
  name: 'reportPlans.stopByKey',
  method: 'POST',
  path: '/api2/invoice/reportstop/{key}',
  access: 'key',
  input: byKey.extend({ stopped: z.boolean() }),
  output: face,
  summary: 'Ends a report that is sent by itself for whoever has the link, or lets it come again',
  errors: ['kit.notFound'],
})
