import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { recover, standing } from './recover.ts'
import { badDebts } from './report.ts'
import { plan, writeOff } from './writeOff.ts'

export { showBadDebt } from './demo.ts'

export const implementations = [
  implement(calls.planWriteOff, plan),
  implement(calls.writeOffDebt, writeOff),
  implement(calls.recoverDebt, recover),
  implement(calls.standingOfDebt, standing),
]

export const reports = [badDebts]
