import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { followCancelledExpenses } from '#features/purchases/expenses/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { takeDepreciationBack } from './cancelled.ts'
import { dispose, open, undispose } from './actions.ts'
import { pageOf, registerImplementations } from './register.ts'
import { assetsInBooks } from './reports/assetsInBooks.ts'
import { formYodAlef } from './reports/formYodAlef.ts'
import { postRun, previewRun, reverseRun, runsOf } from './runs.ts'

export { postMonths as postDepreciationMonths } from './runs.ts'

followCancelledExpenses(takeDepreciationBack)

databaseFailures.PK290 = () => fail('assets.frozen')
registerAttachable('fixedassets', { see: 'assets.see', change: 'assets.change', table: 'fixed_assets' })

export const implementations = [
  ...registerImplementations,
  implement(calls.assetPage, pageOf),
  implement(calls.openAsset, open),
  implement(calls.disposeAsset, dispose),
  implement(calls.undisposeAsset, undispose),
  implement(calls.listRuns, runsOf),
  implement(calls.previewDepreciation, previewRun),
  implement(calls.postDepreciationRun, postRun),
  implement(calls.reverseDepreciationRun, reverseRun),
]

export const reports = [formYodAlef, assetsInBooks]
