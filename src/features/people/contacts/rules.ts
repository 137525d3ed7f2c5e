import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'contacts.see': 212, 'contacts.change': 213, 'contacts.settings': 214 })
