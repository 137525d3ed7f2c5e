import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'fileShares.ended': 410, 'fileShares.tooMany': 409 })
