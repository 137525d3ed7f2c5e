import { defineRules } from '../../kit/describe/session.ts'

export const vatRules = defineRules({ 'reports.tax': 65 })
