import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'budget.see': 120, 'budget.change': 121, 'forecast.see': 122, 'forecast.change': 123 })

defineArea('budget', {
  rules: [],
  fits: trades,
  begins: ['committee', 'nonProfit'],
  rows: ['budget_sums'],
  href: '/invoice/budget',
  order: 52,
})

defineErrors({
  'budget.nothingToCopy': 422,
  'budget.badPercent': 422,
  'budget.nothingRead': 422,
  'forecast.noSum': 422,
})
