import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'files.see': 50, 'files.change': 51 })

defineErrors({
  'files.badType': 422,
  'files.broken': 422,
  'files.overQuota': 422,
  'files.folderTaken': 422,
  'files.folderInItself': 422,
  'files.inUse': 409,
})
