import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'prices.see': 22, 'prices.change': 23 })

defineArea('prices', {
  rules: [],
  fits: trades,
  begins: ['shop'],
  rows: ['price_lists'],
  href: '/invoice/pricelist',
  order: 8,
})

defineErrors({
  'prices.ring': 422,
  'prices.otherCurrency': 422,
  'prices.sameLine': 422,
  'prices.noPrice': 422,
})
