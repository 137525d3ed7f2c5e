import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { defineLongJob } from '#kit/server/work/progress.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { askJob, askWaiting } from './ask.ts'
import { listToVerify, verifyExpenses, verifying, verifyNumber } from './checks.ts'
import { decide, tell } from './decide.ts'
import { beginLogin, connectionOf, endConnection, endLogin, needConnection, renewNow } from './link.ts'
import {
  askAll,
  askingAll,
  askNow,
  enterNumber,
  fromStock,
  listMissing,
  markNotNeeded,
  wantNumber,
} from './missing.ts'
import { start } from './threshold.ts'
import { addStock, dropStock, fetchStock, listStock, report } from './stock.ts'

defineLongJob('allocation.askAll', askingAll)
defineLongJob('allocation.verify', verifying)

export { send as sendToAuthority, tokensFor } from './authorityHttp.ts'
export { isGoodToken, simulated as simulatedAuthority, simulatedLogin } from './simulator.ts'
export { start }
export { authorityLink, type LinkState, type LoginDoor } from './authorityLink.ts'
export { AuthorityAway, LoginRefused, TokenRefused, type Tokens } from './authority.ts'

export const implementations = [
  implement(calls.getConnection, connectionOf),
  implement(calls.connect, beginLogin),
  implement(calls.returned, async (ctx, given) => {
    await endLogin(ctx, given)
    return connectionOf(ctx)
  }),
  implement(calls.renew, async (ctx) => {
    await needConnection(ctx)
    await renewNow(ctx)
    return connectionOf(ctx)
  }),
  implement(calls.revoke, async (ctx) => {
    await endConnection(ctx)
    return connectionOf(ctx)
  }),
  implement(calls.listStock, listStock),
  implement(calls.addStock, (ctx, { numbers }) => addStock(ctx, numbers)),
  implement(calls.fetchStock, fetchStock),
  implement(calls.dropStock, dropStock),
  // Before `{id}`, which would take these words for one.
  implement(calls.askAll, askAll),
  implement(calls.listMissing, listMissing),
  implement(calls.askNow, askNow),
  implement(calls.markNotNeeded, markNotNeeded),
  implement(calls.enterNumber, enterNumber),
  implement(calls.fromStock, fromStock),
  implement(calls.wantNumber, wantNumber),
  implement(calls.decide, decide),
  implement(calls.verifyNumber, verifyNumber),
  implement(calls.listToVerify, listToVerify),
  implement(calls.verifyExpenses, verifyExpenses),
]

export const jobs: Record<string, Job> = {
  'allocation.ask': askJob,
  'allocation.askWaiting': askWaiting,
  'allocation.tell': tell,
  'allocation.report': report,
}

export const machines: Machines = {
  'allocation.ask': { completes: 'asks for the number of a document that was issued, as the law asks' },
  'allocation.askWaiting': {
    completes: 'asks for the number of a document that was issued, as the law asks',
  },
  'allocation.tell': { completes: 'sends the document whose letter waited for its number' },
  'allocation.report': { completes: 'reports a number of the emergency stock that a document used' },
  'allocation.askAll': { person: 'who started it' },
  'allocation.verify': { person: 'who started it' },
  'timer threshold.ts': { inside: 'asks the authority for the amount from which numbers are needed' },
}
