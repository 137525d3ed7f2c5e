import { sql } from 'kysely'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './importing.ts'
import { accept, joinAsMe, see } from './accept.ts'
import { activity, exportActivity } from './activity.ts'
import { block, changePerson, inviteWorker, remove, resendTo, unblock } from './change.ts'
import { mailInvitation } from './invite.ts'
import { factorRule, mailFactorRule, setFactorRule } from './factorRule.ts'
import { endLeaving, leaves } from './leaves.ts'
import { myWork } from './myWork.ts'
import { workerList } from './people.ts'
import { rulesTable } from './rulesTable.ts'
import { assignSet, changeSet, listSets, makeSet, removeSet } from './sets.ts'

export {
  block as blockPerson,
  changePerson,
  remove as removePerson,
  resendTo,
  unblock as unblockPerson,
} from './change.ts'
export { invite } from './invite.ts'
export { hearerOf } from './hearer.ts'
export { grantOf, onePerson } from './people.ts'
export { sumLimitOf } from './sumLimits.ts'
export { settleRights } from './settle.ts'

// An invitation that ran out and was not sent again goes a quarter of a year later; what an accountant was
// asked by stays as the trace of it.
registerSweep((db) =>
  sql`delete from invitations i where i.used_at is null and i.expires_at < now() - interval '90 days'
    and not exists (select 1 from accountants a where a.company_id = i.company_id
    and a.invitation_id = i.id)`.execute(db),
)

export const implementations = [
  ...serveResource({ ...workerList, verbs: ['list', 'get', 'export'] }),
  implement(calls.inviteWorker, inviteWorker),
  implement(calls.changeWorker, (ctx, given) => changePerson(ctx, given)),
  implement(calls.blockWorker, (ctx, { id }) => block(ctx, id)),
  implement(calls.unblockWorker, (ctx, { id }) => unblock(ctx, id)),
  implement(calls.resendInvitation, (ctx, { id }) => resendTo(ctx, id)),
  implement(calls.removeWorker, (ctx, { id }) => remove(ctx, id)),
  implement(calls.listLeaves, leaves),
  implement(calls.endLeaving, endLeaving),
  implement(calls.getFactorRule, factorRule, (_input, { companyId }) => `account:${companyId}`),
  implement(calls.setFactorRule, setFactorRule, (_input, { companyId }) => `account:${companyId}`),
  implement(calls.workerActivity, activity),
  implement(calls.exportActivity, exportActivity),
  implement(calls.listSets, listSets),
  implement(calls.listRules, async ({ caller }) => rulesTable(caller)),
  implement(calls.makeSet, makeSet),
  implement(calls.changeSet, changeSet),
  implement(calls.removeSet, removeSet),
  implement(calls.assignSet, assignSet),
  implementOpen(calls.seeInvitation, see),
  implementOpen(calls.acceptInvitation, accept),
  implement(calls.joinInvitation, joinAsMe),
  implement(calls.myWork, myWork),
]

export const jobs: Record<string, Job> = { 'team.mail': mailInvitation, 'team.factorMail': mailFactorRule }

export const machines: Machines = {
  'team.mail': { completes: 'an invitation that a person sent' },
  'team.factorMail': { completes: 'a change of the second factor rule that an owner made' },
}
