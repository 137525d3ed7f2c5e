import { onSignUp } from '#features/base/companies/server/index.ts'
import { implement, implementOpen, implementOutside } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import {
  acceptInvite,
  askByLink,
  consentOffice,
  dropInvite,
  endOffice,
  inviteClient,
  listInvites,
  myOffice,
  myOffices,
  openOffice,
  pauseClient,
  seeInvite,
  signUpCpa,
  wayIn,
} from './clients.ts'
import { client, cockpit, refresh } from './cockpit.ts'
import { bulk, review, say, sign, unsign } from './actions.ts'
import { chargeFees } from './fees.ts'
import { files, yearFolder } from './folders.ts'
import { assign, dropTemplate, inviteColleague, keepTemplate, load, seeAll } from './manager.ts'

onSignUp(async ({ tx }, { companyId, userId, given }) => {
  if (given.cpaid) await askByLink(tx, companyId, userId, given.cpaid)
})

export { start } from './sweep.ts'
export { systemJobs } from './clients.ts'
export { showOffice } from './demo.ts'

export const implementations = [
  implementOpen(calls.signUpCpa, signUpCpa),
  implement(calls.openOffice, openOffice),
  implementOutside(calls.myOffice, myOffice),
  implementOutside(calls.cockpit, cockpit),
  implementOutside(calls.refreshClients, refresh),
  implementOutside(calls.reviewBulk, review),
  implementOutside(calls.runBulk, bulk),
  implementOutside(calls.filesOfClients, files),
  implementOutside(calls.yearFolder, yearFolder),
  implementOutside(calls.inviteClient, inviteClient),
  implementOutside(calls.listInvites, listInvites),
  implement(calls.acceptInvite, acceptInvite),
  implementOutside(calls.dropInvite, dropInvite),
  implementOpen(calls.seeInvite, seeInvite),
  implement(calls.myOffices, myOffices),
  implement(calls.consentOffice, consentOffice),
  implement(calls.endOffice, endOffice),
  implementOutside(calls.officeLoad, load),
  implementOutside(calls.inviteColleague, inviteColleague),
  implementOutside(calls.seeAllClients, seeAll),
  implementOutside(calls.assignClients, assign),
  implementOutside(calls.chargeFees, chargeFees),
  implementOutside(calls.keepTemplate, keepTemplate),
  implementOutside(calls.dropTemplate, dropTemplate),
  implementOutside(calls.clientMonth, client),
  implementOutside(calls.signLine, sign),
  implementOutside(calls.unsignLine, unsign),
  implementOutside(calls.sayState, say),
  implementOutside(calls.pauseClient, pauseClient),
  implementOutside(calls.wayIn, wayIn),
]

export const machines: Machines = {
  'practice.mail': { completes: 'an invitation that a person sent' },
  'timer sweep.ts': { inside: 'sums up the duties of clients' },
}
