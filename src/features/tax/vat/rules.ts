import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'reports.tax': 65, 'vat.see': 68, 'vat.file': 69 })

defineErrors({
  'vat.noVat': 409,
  'vat.periodFiled': 409,
  'vat.periodNotOver': 409,
  'vat.alreadyFiled': 409,
  'vat.differ': 409,
  'vat.faulty': 409,
  'vat.negative': 409,
  'vat.notFiled': 409,
  'vat.filingFrozen': 409,
  'vat.basisFiled': 409,
  'vat.noMail': 422,
  'vat.notInPeriod': 409,
  'vat.alreadySettled': 409,
  'vat.noExport': 409,
  'vat.alreadyInvoiced': 422,
})
