import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'allocation.see': 66, 'allocation.change': 67 })

defineErrors({
  'allocation.off': 409,
  'allocation.notConnected': 409,
  'allocation.ended': 409,
  'allocation.away': 503,
  'allocation.loginRefused': 409,
  'allocation.beingAsked': 409,
  'allocation.nothingToAsk': 409,
  'allocation.notWaiting': 409,
  'allocation.notWanted': 409,
  'allocation.notRefused': 409,
  'allocation.noReverse': 409,
  'allocation.stockEmpty': 409,
  'allocation.numberUsed': 409,
})
