import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'filings.see': 93, 'filings.make': 94 })

defineArea('withholding', {
  rules: [],
  fits: trades,
  begins: [],
  rows: ['withholding_certificates'],
  href: '/invoice/report102',
  order: 36,
})

defineErrors({
  'filings.layoutUnknown': 409,
  'filings.nothingToCertify': 422,
  'filings.headMissing': 422,
  'filings.balanceSheetMust': 422,
  'filings.partnersMissing': 422,
  'filings.identitiesFail': 409,
  'filings.differ': 409,
  'filings.notIndividual': 409,
  'filings.smallBarred': 409,
  'filings.smallFiled': 409,
  'filings.smallNotTaken': 409,
  'filings.smallYearOpen': 409,
  'filings.smallPassed': 409,
})
