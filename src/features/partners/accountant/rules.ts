import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'accountant.see': 85, 'accountant.change': 86 })

defineErrors({ 'accountant.blocked': 409, 'accountant.gone': 409, 'accountant.noMonth': 422 })
