import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'paymentLinks.see': 46,
  'paymentLinks.change': 47,
})

defineArea('cards', {
  rules: [],
  fits: trades,
  begins: [],
  rows: ['terminals'],
  href: '/invoice/historypayments',
  order: 43,
})

defineErrors({
  'paymentLinks.disputed': 409,
  'paymentLinks.notDisputed': 409,
  'paymentLinks.cannotDispute': 409,
  'paymentLinks.notOpen': 409,
  'paymentLinks.nothingDue': 409,
  'paymentLinks.apart': 409,
  'paymentLinks.quoteOver': 409,
  'paymentLinks.noWallet': 409,
  'paymentLinks.onlyShekels': 422,
  'paymentLinks.onlyNonProfit': 422,
  'paymentLinks.sumOrDocument': 422,
  'paymentLinks.paperNot': 422,
  'paymentLinks.badUrl': 422,
  'paymentLinks.hasPaper': 409,
})
