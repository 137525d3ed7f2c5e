import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'suppliers.see': 15, 'suppliers.change': 16 })
defineErrors({
  'suppliers.merged': 409,
  'suppliers.mergeItself': 422,
  'suppliers.noWithholdingFile': 409,
  'suppliers.nobodyToAsk': 409,
  'suppliers.answerUnreadable': 422,
})
