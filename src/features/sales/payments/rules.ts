import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'payments.see': 35, 'payments.change': 36 })
defineErrors({
  'payments.notInHand': 409,
  'payments.notDueYet': 422,
  'payments.notSoMuchCash': 422,
  'payments.noBankAccount': 422,
  'payments.cannotBounce': 409,
  'payments.cannotGiveBack': 409,
  'payments.cannotUndo': 409,
  'payments.cameBack': 409,
  'payments.alreadyUndone': 409,
  'payments.dateInFuture': 422,
  'payments.nothingToRefund': 409,
  'payments.sumsHidden': 403,
})
