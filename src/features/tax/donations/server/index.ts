import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { loadDocument } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { connectionOf, link } from './link.ts'
import { askAll, askWaiting, listDonations, markNotNeeded, report, reportJob } from './report.ts'

export const implementations = [
  implement(calls.getConnection, connectionOf),
  implement(calls.connect, link.beginLogin),
  implement(calls.returned, async (ctx, given) => {
    await link.endLogin(ctx, given)
    return connectionOf(ctx)
  }),
  implement(calls.renew, async (ctx) => {
    await link.needConnection(ctx)
    await link.renewNow(ctx)
    return connectionOf(ctx)
  }),
  implement(calls.revoke, async (ctx) => {
    await link.endConnection(ctx)
    return connectionOf(ctx)
  }),
  implement(calls.listDonations, listDonations),
  implement(calls.askAllDonations, askAll),
  implement(calls.askDonation, async (ctx, { id }) => {
    await loadDocument(ctx, id)
    return (await report(ctx, id, true))!
  }),
  implement(calls.donationNotNeeded, markNotNeeded),
]

export const jobs: Record<string, Job> = { 'donations.report': reportJob, 'donations.askWaiting': askWaiting }

export const machines: Machines = {
  'donations.report': { completes: 'reports a donation receipt that was issued, as the law asks' },
  'donations.askWaiting': { completes: 'reports a donation receipt that was issued, as the law asks' },
}
