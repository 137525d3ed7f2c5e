import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// An affiliate has the first and the last; the operator's people the other two.
defineRules({ 'affiliates.own': 320, 'affiliates.manage': 321, 'affiliates.see': 322 })

// Only who sells the product has anybody to pay for it.
defineArea('affiliates', {
  rules: ['affiliates.own', 'affiliates.manage', 'affiliates.see'],
  fits: [],
  begins: [],
  isAsked: true,
  href: '/invoice/affiliates',
  order: 98,
})

defineErrors({
  'affiliates.off': 409,
  'affiliates.stopped': 409,
  'affiliates.noTaxId': 422,
  'affiliates.nothingDue': 409,
  'affiliates.notActive': 409,
  'affiliates.planStarted': 409,
  'affiliates.tooManyLinks': 409,
  'affiliates.badLogo': 422,
})
