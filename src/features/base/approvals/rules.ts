import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// In nobody's ready-made set: owners have it alone until they give it.
defineRules({ 'approvals.decide': 331 })

defineErrors({ 'approvals.over': 409 })
