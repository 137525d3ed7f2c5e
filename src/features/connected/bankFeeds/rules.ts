import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'bankFeeds.isOff': 409, 'bankFeeds.tooMany': 422 })
