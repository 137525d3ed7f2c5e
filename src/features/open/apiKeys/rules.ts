import { defineErrors } from '#kit/describe/errors.ts'
import { allRules, defineRules, isRuleForKeys } from '#kit/describe/session.ts'

defineRules({ apiKeys: 87 })

defineErrors({
  'apiKeys.tooMany': 422,
  'apiKeys.unknown': 401,
  'apiKeys.revoked': 401,
  'apiKeys.expired': 401,
  'apiKeys.withoutPerson': 401,
})

/** The rules a key may be given, by name and number, in the order of their numbers. */
export const rulesForKeys = (): { name: string; number: number }[] =>
  [...allRules()]
    .filter(([name]) => isRuleForKeys(name))
    .map(([name, number]) => ({ name, number }))
    .toSorted((a, b) => a.number - b.number)
