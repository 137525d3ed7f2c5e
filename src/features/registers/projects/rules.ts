import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'projects.see': 24, 'projects.change': 25 })

defineErrors({ 'projects.closed': 422 })
