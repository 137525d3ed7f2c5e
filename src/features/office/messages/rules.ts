import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'messages.stillQueued': 409, 'messages.tooOld': 410 })
