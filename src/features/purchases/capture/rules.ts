import { defineErrors } from '#kit/describe/errors.ts'

// The rights are those of expenses: the person who enters them files the papers they come from.
import '#features/purchases/expenses/rules.ts'

defineErrors({
  'capture.badType': 422,
  'capture.alreadyFiled': 409,
  'capture.notWaiting': 409,
  'capture.cannotSplit': 422,
})
