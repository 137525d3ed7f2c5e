import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'expenses.see': 40,
  'expenses.enter': 41,
  'expenses.approve': 42,
  'expenses.settings': 43,
  'reports.expenses': 62,
})

defineErrors({
  'expenses.notAwaited': 422,
  'expenses.endsBeforeItBegins': 422,
  'expenses.rowsDiffer': 422,
  'expenses.sumsNeeded': 422,
  'expenses.frozen': 409,
  'expenses.notApproved': 409,
  'expenses.notWaiting': 409,
  'expenses.alreadyCancelled': 409,
  'expenses.duplicate': 409,
  'expenses.hasPayments': 409,
  'expenses.ofDocument': 409,
  'expenses.openingItem': 409,
  'expenses.nothingOpen': 409,
  'expenses.nothingToPay': 422,
  'expenses.paymentCancelled': 409,
})
