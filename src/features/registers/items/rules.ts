import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'items.see': 20, 'items.change': 21 })

defineErrors({
  'items.isVariant': 422,
  'items.sameVariantTwice': 422,
  'items.nothingChosen': 422,
  'items.alreadyUndone': 409,
  'items.categoryBelowItself': 422,
})
