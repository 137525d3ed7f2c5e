import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'translations.notTranslator': 403,
  'translations.unknownKey': 404,
  'translations.holes': 422,
  'translations.badMessage': 422,
  'translations.tooLong': 422,
  'translations.unknownBrand': 422,
})
