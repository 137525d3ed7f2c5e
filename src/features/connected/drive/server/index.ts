import { implement, implementOutside } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import { tellJob } from './run.ts'
import {
  addPlace,
  againCopies,
  beginGoogle,
  changeTarget,
  copies,
  dropTarget,
  endGoogle,
  mayConnect,
  targets,
} from './targets.ts'

export { start } from './run.ts'
export { showDrive } from './demo.ts'

export const implementations = [
  implement(calls.listTargets, async (ctx) => ({
    rows: await targets(ctx),
    offersGoogle: ctx.app.settings.drive !== undefined,
    mayConnect: mayConnect(ctx.caller),
  })),
  implement(calls.beginGoogle, (ctx) => beginGoogle(ctx)),
  implementOutside(calls.endGoogle, endGoogle),
  implementOutside(calls.addPlace, addPlace),
  implement(calls.changeTarget, changeTarget),
  implement(calls.dropTarget, async (ctx, { id }) => {
    await dropTarget(ctx, id)
    return { done: true as const }
  }),
  implement(calls.listCopies, copies),
  implement(calls.againCopies, againCopies),
]

export const jobs: Record<string, Job> = { 'drive.mail': tellJob }

export const machines: Machines = {
  'drive.mail': { inside: 'notifies the person who connected a place, or an owner' },
  'timer run.ts': [
    { person: 'who connected the place has to see everything at each copy' },
    { inside: 'notifies of a place that paused' },
  ],
}
