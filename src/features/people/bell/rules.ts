import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'bell.unknownKind': 422 })
