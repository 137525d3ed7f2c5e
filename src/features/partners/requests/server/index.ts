import { can } from '#kit/describe/session.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { answer, dropLink, link, logo, mailJob, page, paper } from './page.ts'
import { askMissing, end, list, makeOne, missing, say, seen } from './requests.ts'

export { showRequests } from './demo.ts'
export { link as requestLinkOf } from './page.ts'
export { askMissing as askMissingOf, missing as missingOf } from './requests.ts'

registerAttachable('clientRequests', {
  see: 'requests.see',
  change: 'requests.see',
  table: 'client_requests',
})

export const implementations = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.missingPapers, (ctx, given) => missing(ctx, given)),
  implement(calls.askMissing, askMissing),
  implement(calls.seeRequests, seen),
  implement(calls.requestLink, link),
  implement(calls.dropRequestLink, dropLink),
  implement(calls.listRequests, list),
  implement(calls.makeRequest, async (ctx, given) => ({ id: (await makeOne(ctx, given))! })),
  implement(calls.sayRequest, async (ctx, { id, text }) => {
    // The accountant asks on; everybody else answers.
    await say(ctx, { id, text, byAsker: ctx.caller.typeId === 5 && can(ctx.caller, 'requests.make') })
    return { done: true as const }
  }),
  implement(calls.endRequest, end),
  implementOpen(calls.pageOfRequests, page),
  implementOpen(calls.pageAnswer, answer),
  implementOpen(calls.pagePaper, paper),
  implementOpen(calls.pageLogoOfRequests, logo),
]

export const jobs: Record<string, Job> = { 'requests.mail': mailJob }

export const machines: Machines = {
  'requests.mail': { completes: 'a letter that a call queued within the rights of its caller' },
}
