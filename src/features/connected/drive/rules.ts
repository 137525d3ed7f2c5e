import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ drive: 222 })

defineErrors({
  'drive.notOffered': 409,
  'drive.tieEnded': 409,
  'drive.refused': 409,
  'drive.away': 503,
  'drive.badPattern': 422,
  'drive.badPlace': 422,
  'drive.tooMany': 422,
  'drive.notWhole': 403,
  'drive.noKeys': 403,
})
