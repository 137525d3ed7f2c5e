import { defineRules } from '../../kit/describe/session.ts'

defineRules({ 'customers.see': 10, 'customers.change': 11 })
