import { defineErrors } from '#kit/describe/errors.ts'
// What is asked about has its own rules; they must be known wherever the screen is.
import '#features/sales/documents/rules.ts'
import '#features/sales/payments/rules.ts'
import '#features/purchases/expenses/rules.ts'
import '#features/registers/items/rules.ts'
import '#features/registers/parties/rules.ts'
import '#features/base/ledger/rules.ts'

defineErrors({
  'questions.unknown': 422,
  'questions.twice': 422,
  'questions.tooMany': 422,
  'questions.need': 422,
  'questions.notAdditive': 422,
  'questions.turned': 422,
  'questions.hidden': 403,
  'questions.tooSlow': 422,
  'questions.notYours': 403,
})
