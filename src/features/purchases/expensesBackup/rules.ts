import { defineErrors } from '#kit/describe/errors.ts'
import '#features/purchases/expenses/rules.ts'

defineErrors({
  'expensesBackup.nothing': 422,
  'expensesBackup.tooLarge': 422,
  'expensesBackup.notReady': 409,
  'expensesBackup.changed': 409,
})
