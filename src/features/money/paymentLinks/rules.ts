import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'paymentLinks.see': 46, 'paymentLinks.change': 47 })

defineErrors({
  'paymentLinks.off': 409,
  'paymentLinks.notOpen': 409,
  'paymentLinks.nothingDue': 409,
  'paymentLinks.onlyShekels': 422,
  'paymentLinks.onlyNonProfit': 422,
  'paymentLinks.sumOrDocument': 422,
  'paymentLinks.acquirerAway': 503,
  'paymentLinks.notTestCard': 422,
  'paymentLinks.cardExpired': 422,
  'paymentLinks.formClosed': 409,
  'paymentLinks.notPaid': 409,
  'paymentLinks.refundsTooMuch': 422,
  'paymentLinks.donationWhole': 422,
  'paymentLinks.hasPaper': 409,
})
