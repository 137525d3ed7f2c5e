import { defineRules } from '../../kit/describe/session.ts'
import '../expenses/rules.ts'

defineRules({ 'codingRules.change': 95 })
