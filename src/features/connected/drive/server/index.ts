import { implement, implementOutside } from '#kit/server/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import {
  addPlace,
  againCopies,
  beginGoogle,
  changeTarget,
  copies,
  dropTarget,
  endGoogle,
  targets,
} from './targets.ts'

export { start } from './run.ts'
export { showDrive } from './demo.ts'

export const implementations = [
  implement(calls.listTargets, async (ctx) => ({
    rows: await targets(ctx),
    offersGoogle: ctx.app.settings.drive !== undefined,
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
