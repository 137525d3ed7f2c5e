import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'settlements.see': 256, 'settlements.change': 257 })

defineErrors({
  'settlements.noList': 422,
  'settlements.notRead': 422,
  'settlements.notDifferent': 409,
  'settlements.notTakenBack': 409,
  'settlements.booked': 409,
  'settlements.future': 422,
})
