import { defineRules } from '../../kit/describe/session.ts'

defineRules({ 'reports.tax': 65 })
