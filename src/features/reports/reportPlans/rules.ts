import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'reportPlans.change': 115 })

defineErrors({ 'reportPlans.noTotal': 422, 'reportPlans.noSums': 403 })
