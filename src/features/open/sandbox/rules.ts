import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'sandbox.none': 404, 'sandbox.isTest': 422 })
