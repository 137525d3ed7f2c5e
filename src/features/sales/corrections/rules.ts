import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'corrections.cancelled': 409,
  'corrections.ofCredit': 422,
  'corrections.nothingChanged': 422,
  'corrections.nothingLeft': 422,
  'corrections.credited': 409,
  'corrections.used': 409,
  'corrections.banked': 409,
  'corrections.todayLocked': 422,
  'corrections.changed': 409,
})
