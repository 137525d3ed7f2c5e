import { defineRules } from '#kit/describe/session.ts'

defineRules({ modules: 88 })
