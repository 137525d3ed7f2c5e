import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'reminders.change': 48 })

defineErrors({ 'reminders.sameDays': 422, 'reminders.noSteps': 422 })
