import { defineRules } from '../../kit/describe/session.ts'

export const itemRules = defineRules({ 'items.see': 20, 'items.change': 21 })
