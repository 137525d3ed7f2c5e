import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'payPages.see': 250,
  'payPages.change': 251,
  'payPages.payers': 252,
  'payPages.capture': 253,
  'coupons.see': 254,
  'coupons.change': 255,
  // What the business pays for the product itself.
  'billing.see': 258,
  'billing.change': 330,
})

defineArea('payPages', {
  rules: [
    'payPages.see',
    'payPages.change',
    'payPages.payers',
    'payPages.capture',
    'coupons.see',
    'coupons.change',
  ],
  fits: ['services', 'shop', 'studio', 'office', 'nonProfit'],
  begins: ['studio', 'nonProfit'],
  rows: ['pay_pages'],
  href: '/invoice/paypages',
  order: 46,
})

defineErrors({
  'payPages.notOpen': 409,
  'payPages.over': 409,
  'payPages.full': 409,
  'payPages.soldOut': 409,
  'payPages.reservedTooOften': 429,
  'payPages.sumChanged': 409,
  'payPages.sumRange': 422,
  'payPages.agreeFirst': 422,
  'payPages.itemGone': 409,
  'payPages.takenMore': 422,
  'payPages.noSite': 422,
  'payPages.badUrl': 422,
  'payPages.noItems': 422,
  'payPages.needCards': 409,
  'payPages.needHolds': 409,
  'payPages.needTokens': 409,
  'payPages.onlyNonProfit': 422,
  'payPages.paperNot': 422,
  'payPages.changedMeanwhile': 409,
  'payPages.badImage': 422,
  'payPages.badFile': 422,
  'payPages.fileGone': 422,
  'payPages.filesFull': 429,
  'payPages.mostFiles': 422,
  'payPages.noWallet': 409,
  'payPages.couponUnknown': 422,
  'payPages.couponOver': 422,
  'payPages.couponUsedUp': 409,
  'payPages.couponOncePerCustomer': 409,
  'payPages.couponNeedsWho': 422,
  'payPages.couponLeast': 422,
  'payPages.couponOther': 422,
  'payPages.couponNothingLeft': 422,
  'coupons.codeUsed': 409,
  'coupons.badCode': 422,
  'coupons.belowUsed': 422,
  'billing.noPlan': 409,
})
