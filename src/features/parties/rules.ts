import { defineRules } from '../../kit/describe/session.ts'

export const partyRules = defineRules({ 'customers.see': 10, 'customers.change': 11 })
