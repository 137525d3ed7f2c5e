import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'proof.noMonth': 422 })
