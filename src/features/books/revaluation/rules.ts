import { defineErrors } from '#kit/describe/errors.ts'
import '#features/base/ledger/rules.ts'

defineErrors({
  'revaluation.alreadyPosted': 409,
  'revaluation.nothingToPost': 409,
  'revaluation.noRate': 422,
  'revaluation.undone': 409,
})
