import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ backup: 106 })
defineErrors({ 'backup.notWhole': 403 })
