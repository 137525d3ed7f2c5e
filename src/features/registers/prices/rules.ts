import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'prices.see': 22, 'prices.change': 23 })

defineErrors({
  'prices.ring': 422,
  'prices.otherCurrency': 422,
  'prices.sameLine': 422,
  'prices.noPrice': 422,
})
