import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { makeSamples } from './samples.ts'
import { discardSandbox, emptySandbox, openSandbox, sandboxOf } from './sandbox.ts'

export const implementations = [
  implement(calls.getSandbox, sandboxOf),
  implement(calls.openSandbox, openSandbox),
  implement(calls.emptySandbox, emptySandbox),
  implement(calls.discardSandbox, discardSandbox),
]

export const jobs: Record<string, Job> = {
  // After the commit: each record is a separate call.
  'sandbox.samples': async ({ app, companyId, afterCommit }, { userId }) =>
    afterCommit!(async () => void (await makeSamples(app, companyId, String(userId)))),
}

export const machines: Machines = {
  'sandbox.samples': { inside: 'makes the records of a test business, which nothing leaves' },
}
