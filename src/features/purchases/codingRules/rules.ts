import { defineRules } from '#kit/describe/session.ts'
import '#features/purchases/expenses/rules.ts'

defineRules({ 'codingRules.change': 95 })
