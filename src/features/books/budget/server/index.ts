import { can } from '#kit/describe/session.ts'
import { registerBudgets } from '#kit/server/described/budgets.ts'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { budgetByAccount, budgetOf, copy, exportFile, keep, readFile } from './budget.ts'
import { forecast } from './forecast.ts'
import { budgetActual } from './reports/budgetActual.ts'
import { cashMovements } from './reports/cashMovements.ts'
import { whole } from './sight.ts'
import { add, change, drop, leaveOut, list } from './sums.ts'

export { showBudget } from './show.ts'

registerBudgets({ may: ({ caller }) => can(caller, 'budget.see'), in: budgetByAccount })

export const implementations = [
  implement(calls.budgetOfYear, whole(budgetOf)),
  implement(calls.keepBudget, whole(keep)),
  implement(calls.copyBudget, whole(copy)),
  implement(calls.readBudgetFile, whole(readFile)),
  implement(calls.exportBudget, whole(exportFile)),
  implement(calls.cashForecast, whole(forecast)),
  implement(calls.leaveOutSeries, whole(leaveOut)),
  implement(calls.listSums, whole(list)),
  implement(calls.addSum, whole(add)),
  implement(calls.changeSum, whole(change)),
  implement(calls.dropSum, whole(drop)),
]

export const reports = [budgetActual, cashMovements]
