import { defineRules } from '../../kit/describe/session.ts'

defineRules({ 'items.see': 20, 'items.change': 21 })
