import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'periods.change': 79 })

defineErrors({
  'periods.alreadyClosed': 409,
  'periods.notOver': 409,
  'periods.blocked': 409,
  'periods.waits': 409,
  'periods.notClosed': 409,
  'periods.frozen': 409,
})
