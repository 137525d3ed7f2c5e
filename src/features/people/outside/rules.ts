import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'outside.see': 53, 'outside.change': 54 })

defineArea('outside', {
  rules: ['outside.see', 'outside.change'],
  fits: ['services', 'contractor', 'office'],
  begins: [],
  rows: ['outside_documents'],
  href: '/invoice/documentsoutside',
  order: 30,
})

defineErrors({
  'outside.notPdf': 422,
  'outside.broken': 422,
  'outside.locked': 422,
  'outside.active': 422,
  'outside.tooLong': 422,
  'outside.signedElsewhere': 422,
  'outside.isSent': 409,
})
