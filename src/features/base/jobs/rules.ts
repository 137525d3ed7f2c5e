import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'jobs.ended': 409 })
