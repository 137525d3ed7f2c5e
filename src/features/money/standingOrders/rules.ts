import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'standingOrders.see': 240,
  'standingOrders.change': 241,
  'standingOrders.run': 242,
  'reports.standingOrders': 243,
})

defineArea('standingOrders', {
  rules: ['standingOrders.see', 'standingOrders.change', 'standingOrders.run', 'reports.standingOrders'],
  fits: ['services', 'contractor', 'studio', 'office', 'committee', 'nonProfit'],
  begins: ['studio', 'office', 'committee', 'nonProfit'],
  rows: ['standing_orders'],
  href: '/invoice/retainers',
  order: 45,
})

defineErrors({
  'standingOrders.gapUnknown': 422,
  'standingOrders.gapMissing': 422,
  'standingOrders.onlyMail': 422,
  'standingOrders.alreadyHere': 409,
  'standingOrders.over': 409,
  'standingOrders.notPaused': 409,
  'standingOrders.notHeld': 409,
  'standingOrders.notFailed': 409,
  'standingOrders.rhythmFixed': 409,
  'standingOrders.nothingAhead': 409,
  'standingOrders.notNext': 422,
  'standingOrders.periodMade': 409,
  'standingOrders.noticeTooLate': 422,
  'standingOrders.needConsent': 422,
  'standingOrders.wrongType': 422,
  'standingOrders.noMandate': 422,
  'standingOrders.noCard': 422,
  'standingOrders.cardCurrency': 422,
  'standingOrders.noCurrency': 422,
  'standingOrders.noIndex': 422,
  'standingOrders.indexNotFound': 422,
  'standingOrders.nothing': 422,
  'standingOrders.firstTooHigh': 422,
  'standingOrders.onlyShekels': 422,
  'standingOrders.campaignNeedsEnd': 422,
  'standingOrders.notAllowed': 403,
  'standingOrders.noticeMissed': 409,
  'standingOrders.noAddress': 422,
  'standingOrders.missed': 409,
})
