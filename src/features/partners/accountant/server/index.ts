import type { App } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import {
  accountantList,
  blockAccountant,
  changeAccountant,
  inviteAccountant,
  removeAccountant,
  resendAccountant,
  unblockAccountant,
} from './accountants.ts'
import { duePackages, mailJob, packageJob, sendPackage } from './package.ts'

export { inviteAccountant, refuseContents } from './accountants.ts'

export const implementations = [
  ...serveResource({ ...accountantList, verbs: ['list', 'get', 'export'] }),
  implement(calls.inviteAccountant, inviteAccountant),
  implement(calls.changeAccountant, changeAccountant),
  implement(calls.resendAccountant, resendAccountant),
  implement(calls.blockAccountant, blockAccountant),
  implement(calls.unblockAccountant, unblockAccountant),
  implement(calls.removeAccountant, removeAccountant),
  implement(calls.sendPackage, sendPackage),
]

export const jobs: Record<string, Job> = { 'accountant.package': packageJob, 'accountant.mail': mailJob }

export const start = (app: App): Promise<() => Promise<void>> => keepServing(app, duePackages)

export const machines: Machines = {
  'accountant.package': { orders: ['accountantPackages'] },
  'accountant.mail': { orders: ['accountantPackages'] },
  'schedule duePackages': { orders: ['accountantPackages'] },
}
