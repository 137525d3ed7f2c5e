import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'documentJobs.noMail': 422, 'documentJobs.tooLarge': 422, 'documentJobs.nothing': 422 })
