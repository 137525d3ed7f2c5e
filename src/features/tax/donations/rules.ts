import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'donations.change': 90 })

defineArea('donations', {
  rules: ['donations.change'],
  fits: ['nonProfit'],
  begins: ['nonProfit'],
  rows: ['donation_reports'],
  href: '/taxdonation',
  order: 60,
})

defineErrors({
  'donations.off': 409,
  'donations.notConnected': 409,
  'donations.ended': 409,
  'donations.away': 503,
  'donations.loginRefused': 409,
  'donations.beingAsked': 409,
  'donations.notWaiting': 409,
  'donations.nothingToAsk': 409,
})
