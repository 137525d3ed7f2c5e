import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'matching.see': 77, 'matching.change': 78 })

defineErrors({
  'matching.notZero': 422,
  'matching.taken': 409,
  'matching.partTooMuch': 422,
  'matching.oneAccount': 422,
  'matching.tooFew': 422,
  'matching.cardOfDocuments': 422,
  'matching.cardOfBank': 422,
  'matching.foreignCurrency': 422,
  'matching.wrongSide': 422,
  'matching.controlAccount': 422,
  'matching.sameAccount': 422,
  'matching.notTheSum': 422,
  'matching.dateInFuture': 422,
  'matching.noReturn': 422,
  'matching.noRate': 422,
})
