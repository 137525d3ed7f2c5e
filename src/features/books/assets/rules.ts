import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'assets.see': 91, 'assets.change': 92 })

defineArea('assets', {
  rules: ['assets.see', 'assets.change'],
  fits: ['contractor', 'shop', 'studio', 'office', 'nonProfit'],
  begins: [],
  rows: ['fixed_assets'],
  href: '/invoice/fixedassets',
  order: 40,
})

defineErrors({
  'assets.alreadyPosted': 409,
  'assets.nothingToPost': 409,
  'assets.yearFirst': 409,
  'assets.notLast': 409,
  'assets.reversed': 409,
  'assets.posted': 409,
  'assets.fromExpense': 409,
  'assets.disposed': 409,
  'assets.notDisposed': 409,
  'assets.opened': 409,
  'assets.notOpening': 409,
  'assets.frozen': 409,
})
