import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'rates.change': 26 })

defineErrors({
  'rates.future': 422,
  'rates.badFile': 422,
  'rates.nothingFound': 422,
  'rates.needCurrency': 422,
})
