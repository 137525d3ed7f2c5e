import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'law.notOperator': 403,
  'law.overlaps': 409,
  'law.revokedBefore': 409,
  'law.order': 422,
  'law.tooEarly': 422,
  'law.range': 422,
  'law.dueRange': 422,
})
