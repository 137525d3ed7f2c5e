import { z } from 'zod'
import { effects, whys } from '#kit/describe/effects.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const base = '/api4/invoice/approvals'
/** Keys decide nothing. */
const access = { rule: 'approvals.decide', person: true } as const

export const states = ['waiting', 'approved', 'rejected'] as const

const approval = z.object({
  id: z.string(),
  kind: z.string(),
  /** What waits, in the words of the business; empty where it is no longer there. */
  title: z.string(),
  href: z.string(),
  /** Who ordered it. */
  by: z.string(),
  keyName: z.string().nullable(),
  keyPrefix: z.string().nullable(),
  effect: z.enum(effects),
  why: z.enum(whys),
  /** Null where the caller does not see amounts. */
  amountAgorot: z.number().nullable(),
  limitAgorot: z.number().nullable(),
  documentType: z.number().nullable(),
  state: z.enum(states),
  askedAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string(),
})
export type Approval = z.output<typeof approval>

export const listApprovals = defineEndpoint({
  name: 'approvals.list',
  method: 'GET',
  path: base,
  access,
  input: z.object({
    state: z.enum(states).default('waiting'),
    /** What it is about, such as a draft. */
    subject: z.uuid().optional(),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ rows: z.array(approval), nextCursor: z.string().nullable(), waiting: z.number() }),
  summary: 'What waits for approval, and what was decided',
})
export const countApprovals = defineEndpoint({
  name: 'approvals.count',
  method: 'GET',
  path: `${base}/count`,
  access,
  input: z.object({}),
  output: z.object({ waiting: z.number() }),
  summary: 'How much waits for the approval of the caller',
})
export const approve = defineEndpoint({
  name: 'approvals.approve',
  method: 'POST',
  path: `${base}/{id}/approve`,
  access,
  input: z.object({ id: z.uuid() }),
  output: approval,
  errors: ['approvals.over', 'approvals.beyondYours', 'approvals.noRate', 'kit.notFound'],
  summary: 'Carry out what waits, under the rights of the caller',
})
export const reject = defineEndpoint({
  name: 'approvals.reject',
  method: 'POST',
  path: `${base}/{id}/reject`,
  access,
  input: z.object({
    id: z.uuid(),
    reason: z.string().trim().max(500, { error: 'fields.tooLong' }).default(''),
  }),
  output: approval,
  errors: ['approvals.over', 'kit.notFound'],
  summary: 'Refuse what waits, with a reason',
})
export const approveAll = defineEndpoint({
  name: 'approvals.approveAll',
  method: 'POST',
  path: `${base}/approve`,
  access,
  input: z.object({ kind: z.string().max(60) }),
  output: z.object({ approved: z.number(), left: z.number() }),
  summary: 'Carry out everything of one kind that waits and that the caller may approve',
})
