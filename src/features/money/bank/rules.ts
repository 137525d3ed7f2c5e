import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'bank.see': 75, 'bank.change': 76 })

defineArea('bank', {
  rules: [],
  fits: trades,
  begins: 'always',
  rows: ['bank_statements'],
  href: '/invoice/banklist',
  order: 48,
})

defineErrors({
  'bank.notAStatement': 422,
  'bank.empty': 422,
  'bank.unmapped': 422,
  'bank.otherCurrency': 422,
  'bank.severalAccounts': 422,
  'bank.wrongState': 409,
  'bank.nothingNew': 422,
  'bank.lineMatched': 409,
  'bank.accountKind': 422,
  'bank.accountUsed': 409,
  'bank.hasLines': 409,
  'bank.mixedCurrency': 422,
  'bank.tooMany': 422,
})
