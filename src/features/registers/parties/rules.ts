import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'customers.see': 10, 'customers.change': 11 })

defineErrors({
  'customers.merged': 409,
  'customers.mergeItself': 422,
  'customers.proposalDecided': 409,
})
