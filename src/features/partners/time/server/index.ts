import { sql } from 'kysely'
import { implement } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerBell } from '#features/people/bell/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { chargeHours, payrollFile, report } from './charge.ts'
import { clockNow, takePresses } from './clock.ts'
import { askChange, decide, dropAbsence, keepAbsence, withdraw } from './corrections.ts'
import { approveSheet, sheetOf, signSheet, teamOf } from './sheets.ts'
import { askNotice } from './notice.ts'
import { agreePlace, inviteClocker, keepSettings, keepTerms } from './terms.ts'

export { showHours } from './demo.ts'
export { start } from './forgotten.ts'

registerBell('time.forgotten', 'time.clock')

// Hours of a merged customer are those of the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update clockings set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

export const implementations = [
  implement(calls.clockNow, clockNow),
  implement(calls.pressClock, takePresses),
  implement(calls.agreePlace, agreePlace),
  implement(calls.monthSheet, sheetOf),
  implement(calls.signSheet, signSheet),
  implement(calls.approveSheet, approveSheet),
  implement(calls.askChange, askChange),
  implement(calls.withdrawRequest, withdraw),
  implement(calls.decideRequest, decide),
  implement(calls.keepAbsence, keepAbsence),
  implement(calls.dropAbsence, dropAbsence),
  implement(calls.teamMonth, teamOf),
  implement(calls.keepTerms, keepTerms),
  implement(calls.askNotice, askNotice),
  implement(calls.keepTimeSettings, keepSettings),
  implement(calls.inviteClocker, inviteClocker),
  implement(calls.hoursReport, report),
  implement(calls.payrollFile, payrollFile),
  implement(calls.chargeHours, chargeHours),
]

export const machines: Machines = {
  'timer forgotten.ts': { inside: 'notifies of clocks that were left running' },
}
