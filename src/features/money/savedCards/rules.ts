import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'savedCards.see': 172, 'savedCards.charge': 173, 'savedCards.change': 174 })

defineArea('savedCards', {
  rules: ['savedCards.see', 'savedCards.charge', 'savedCards.change'],
  fits: ['services', 'studio', 'office', 'committee', 'nonProfit'],
  begins: [],
  rows: ['cards'],
  href: '/invoice/savecards',
  order: 44,
})

defineErrors({
  'savedCards.noTerminal': 409,
  'savedCards.notOpen': 409,
  'savedCards.isNumber': 422,
  'savedCards.notKnown': 422,
  'savedCards.beyondLimit': 422,
})
