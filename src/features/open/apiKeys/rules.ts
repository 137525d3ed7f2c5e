import { defineErrors } from '#kit/describe/errors.ts'
import { allRules, defineRules } from '#kit/describe/session.ts'

defineRules({ apiKeys: 87 })

defineErrors({ 'apiKeys.tooMany': 422 })

/** What no program may do, whatever its key: give rights, let people in, buy, make keys. */
const neverForKeys: readonly string[] = [
  'workers.change',
  'accountant.change',
  'apiKeys',
  'modules',
  'companies.change',
]

/** The rules a key may be given, by name and number, in the order of their numbers. */
export const rulesForKeys = (): { name: string; number: number }[] =>
  [...allRules()]
    .filter(([name]) => !neverForKeys.includes(name))
    .map(([name, number]) => ({ name, number }))
    .toSorted((a, b) => a.number - b.number)
