import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'letters.see': 44, 'letters.change': 45 })

defineArea('letters', {
  rules: ['letters.see', 'letters.change'],
  fits: ['services', 'contractor', 'office', 'committee', 'nonProfit'],
  begins: ['office', 'committee', 'nonProfit'],
  rows: ['letters'],
  href: '/invoice/InvoiceDocumentLetter',
  order: 20,
})

defineErrors({
  'letters.unknownField': 422,
  'letters.needsDocument': 422,
  'letters.documentOfAnother': 422,
  'letters.nobody': 422,
  'letters.empty': 422,
  'letters.isSent': 409,
  'letters.stillDraft': 409,
})
