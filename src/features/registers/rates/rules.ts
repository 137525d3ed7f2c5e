import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'rates.future': 422,
  'rates.badFile': 422,
  'rates.nothingFound': 422,
  'rates.needCurrency': 422,
})
