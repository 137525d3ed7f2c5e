import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'reportShares.give': 110 })

defineErrors({
  'reportShares.wrongPassword': 422,
  'reportShares.wait': 429,
  'reportShares.ended': 410,
})
