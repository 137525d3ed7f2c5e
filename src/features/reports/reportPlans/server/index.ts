import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import * as calls from '../endpoints.ts'
import { dropPlan, keepPlan, logOf, mine, peopleFor, plans, stopMine } from './plans.ts'
import { duePlans, mail, ring, sendNow } from './ring.ts'
import { faceOfStop, stopBy } from './stop.ts'
import './leaves.ts'

registerBusinessPage('/reportstop', {
  owner: (key) => sql`select company_id from report_plan_people where stop_key = ${key}`,
  words: 'reportPlans.pageFace',
  logo: (key) => `/api2/invoice/reportstop/${key}/logo`,
})

export { keepPlan as planReport } from './plans.ts'
export { filesOfReport, sendNow as sendReportNow } from './ring.ts'

export const implementations = [
  implement(calls.listPlans, async (ctx) => ({ rows: await plans(ctx) })),
  implement(calls.listPlanPeople, peopleFor),
  implement(calls.createPlan, keepPlan),
  implement(calls.changePlan, keepPlan),
  implement(calls.dropPlan, (ctx, { id }) => dropPlan(ctx, id)),
  implement(calls.sendPlan, async (ctx, { id }) => {
    await mine(ctx, id)
    return sendNow(ctx, id)
  }),
  implement(calls.logOfPlan, (ctx, { id }) => logOf(ctx, id)),
  implement(calls.stopPlan, (ctx, { id, stopped }) => stopMine(ctx, id, stopped)),
  implementOpen(calls.stopFace, (ctx, { key }) => faceOfStop(ctx, key)),
  implementOpen(calls.stopLogo, (ctx, { key }) =>
    openPage(
      ctx,
      sql<{ company_id: string }>`select company_id from report_plan_people where stop_key = ${key}`,
      getLogo,
    ),
  ),
  implementOpen(calls.stopByKey, (ctx, { key, stopped }) => stopBy(ctx, key, stopped)),
]

export const jobs: Record<string, Job> = { 'reportPlans.ring': ring, 'reportPlans.mail': mail }

export const start = (app: App): Promise<() => Promise<void>> => keepServing(app, duePlans)

export const machines: Machines = {
  'reportPlans.ring': { orders: ['reportPlans'] },
  'reportPlans.mail': { orders: ['reportPlans'] },
  'schedule duePlans': { orders: ['reportPlans'] },
}
