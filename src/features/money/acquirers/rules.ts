import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// Keys of acquirers: in nobody's ready-made set, so that owners have it alone until they give it.
defineRules({ 'acquirers.change': 170, 'charges.refund': 171 })

// Programs know these codes: they keep the names they were first given.
defineErrors({
  'acquirers.used': 409,
  'acquirers.onlyOne': 409,
  'acquirers.noKind': 422,
  'acquirers.overlap': 422,
  'acquirers.byPaymentOnly': 409,
  'paymentLinks.off': 409,
  'paymentLinks.acquirerAway': 503,
  'paymentLinks.inDoubt': 409,
  'paymentLinks.notInDoubt': 409,
  'paymentLinks.notPaid': 409,
  'paymentLinks.refundsTooMuch': 422,
  'paymentLinks.refundBeyondLimit': 422,
  'paymentLinks.donationWhole': 422,
  'paymentLinks.notHeld': 409,
  'savedCards.gone': 409,
  'savedCards.askAgain': 409,
  'savedCards.terminalOff': 409,
  'savedCards.notTaken': 422,
  'paymentLinks.notTestCard': 422,
  'paymentLinks.cardExpired': 422,
  'paymentLinks.formClosed': 409,
})
