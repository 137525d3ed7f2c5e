import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// The person who sells sees what came of the orders; connecting a shop is the owner's affair.
defineRules({ 'shops.see': 220, 'shops.connect': 221 })

defineArea('shops', {
  rules: [],
  fits: trades,
  begins: [],
  rows: ['shops'],
  href: '/invoice/shops',
  order: 66,
})

defineErrors({
  'shops.badSignature': 401,
  'shops.badToken': 403,
  'shops.badOrder': 422,
  'shops.isOff': 409,
  'shops.wouldNotIssue': 409,
  'shops.tooMany': 422,
  'shops.notOffered': 409,
  'shops.badAddress': 422,
  'shops.taken': 409,
  'shops.tieEnded': 409,
  'shops.refused': 409,
  'shops.away': 503,
  'shops.notInTrouble': 409,
  'shops.otherKind': 409,
})
