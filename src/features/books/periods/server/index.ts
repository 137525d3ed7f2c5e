import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { check, close, list, reopen } from './periods.ts'

export { checksOf } from './checks.ts'
export { close as closePeriodOf } from './periods.ts'

export const implementations = [
  implement(calls.checkPeriod, check),
  implement(calls.listPeriods, list),
  implement(calls.closePeriod, close),
  implement(calls.reopenPeriod, reopen),
]
