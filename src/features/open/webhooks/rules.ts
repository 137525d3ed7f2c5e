import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ webhooks: 140 })

defineErrors({
  'webhooks.ofPayments': 409,
  'webhooks.tooMany': 422,
  'webhooks.noSums': 403,
  'webhooks.badAddress': 422,
  'webhooks.privateAddress': 422,
  'webhooks.unknownEvent': 422,
  'webhooks.unknownField': 422,
  'webhooks.twice': 422,
  'webhooks.isOff': 409,
})
