import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const job = z.object({
  id: z.string(),
  /** Its words are `jobs.kinds.<kind>`. */
  kind: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
  /** Fills its words; `href` is where its result is seen. */
  about: z.record(z.string(), z.union([z.string(), z.number()])),
  done: z.number(),
  total: z.number().nullable(),
  /** A stop was asked for and has not come about yet. */
  stopping: z.boolean(),
  result: z.record(z.string(), z.any()).nullable(),
  error: z
    .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})
export type Job = z.infer<typeof job>

export const listJobs = defineEndpoint({
  name: 'jobs.list',
  method: 'GET',
  path: '/api4/invoice/jobs',
  access: 'member',
  input: z.object({}),
  output: z.object({ rows: z.array(job) }),
  summary: 'The long work this person started, newest first',
})
export const getJob = defineEndpoint({
  name: 'jobs.get',
  method: 'GET',
  path: '/api4/invoice/jobs/{id}',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  output: job,
  summary: 'How far a long piece of work is',
  errors: ['kit.notFound'],
})
export const stopJob = defineEndpoint({
  name: 'jobs.stop',
  method: 'POST',
  path: '/api4/invoice/jobs/{id}/stop',
  access: 'member',
  input: z.object({ id: z.uuid() }),
  output: job,
  summary: 'Stops a long piece of work at its next step; what is done stays',
  errors: ['kit.notFound', 'jobs.ended'],
})
