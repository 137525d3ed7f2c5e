import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'budget.see': 120, 'budget.change': 121, 'forecast.see': 122, 'forecast.change': 123 })

defineErrors({
  'budget.nothingToCopy': 422,
  'budget.badPercent': 422,
  'budget.nothingRead': 422,
  'forecast.noSum': 422,
})
