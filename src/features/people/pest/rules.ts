import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'pest.see': 232, 'pest.change': 233 })

// One trade's own: off until somebody turns it on.
defineArea('pest', {
  rules: ['pest.see', 'pest.change'],
  fits: [],
  begins: [],
  rows: ['pest_sites'],
  isAsked: true,
  href: '/invoice/InvoiceCustomersMadbir',
  order: 95,
})

defineErrors({
  'pest.licenceExpired': 422,
  'pest.notYet': 422,
  'pest.nextTooEarly': 422,
  'pest.stays': 409,
  'pest.noVisit': 409,
})
