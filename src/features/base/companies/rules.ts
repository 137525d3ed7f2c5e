import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'companies.see': 80,
  'companies.change': 81,
  'companies.audit': 82,
  'companies.shareViews': 116,
})

defineErrors({
  'companies.badImage': 422,
  'companies.certificatePassword': 422,
  'companies.certificateBroken': 422,
  'companies.certificateExpired': 422,
  'companies.seriesStarted': 422,
  'companies.tooMany': 422,
})
