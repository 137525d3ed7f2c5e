import { IntlMessageFormat } from 'intl-messageformat'
import { genderOf } from '#kit/describe/noun.ts'
import type { Language } from '../context.ts'

/** The branches a plural has in each language; '=0' and its like may stand beside them. */
const categories: Record<Language, string[]> = {
  he: ['one', 'two', 'other'],
  en: ['one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  fr: ['one', 'many', 'other'],
}

const forbidden: readonly [pattern: RegExp, why: string, only?: Language][] = [
  [/!/, 'an exclamation mark'],
  [/"/, 'a straight quotation mark'],
  [/\p{L}'/u, 'a straight apostrophe'],
  [/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a direction mark'],
  [/[\u0660-\u0669\u06f0-\u06f9]/, 'Arabic-Indic digits'],
  [/\u0640(?=\p{Script=Arabic})/u, 'a tatweel'],
  [/בבקשה.*בבקשה/su, 'בבקשה twice', 'he'],
  [/please.*please/su, '“please” twice', 'en'],
]

interface Element {
  value?: string
  pluralType?: string
  options?: Record<string, { value: Element[] }>
}

/** The holes of a message; complaints about its plurals go to `problems`. */
function holesOf(elements: Element[], language: Language, complain: (why: string) => void): string[] {
  return elements.flatMap((e) => {
    if (!e.options) return 'type' in e && e.type === 1 ? [`{${e.value}}`] : []
    const branches = Object.keys(e.options).filter((branch) => !branch.startsWith('='))
    if (e.pluralType && branches.toSorted().join() !== categories[language].toSorted().join())
      complain(
        `the plural of {${e.value}} has ${branches.join(', ')} instead of ${categories[language].join(', ')}`,
      )
    return [
      `{${e.value}}`,
      ...Object.values(e.options).flatMap((option) => holesOf(option.value, language, complain)),
    ]
  })
}

/**
 * Looks at one message; answers the names it is filled with, `{name}` by the program and `[name]` by the
 * business. The gender of a noun comes with the noun, and only some languages ask for it.
 */
export function checkMessage(message: string, language: Language, complain: (why: string) => void): string {
  for (const [pattern, why, only] of forbidden)
    if ((!only || only === language) && pattern.test(message)) complain(`has ${why}`)
  const square = [...message.matchAll(/\[\w+\]/g)].map((m) => m[0])
  let holes: string[] = []
  // Most messages have no placeholder; parsing them would only cost time.
  const isPlain = !/[{}']/.test(message)
  try {
    holes = isPlain
      ? []
      : holesOf(
          new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst() as Element[],
          language,
          complain,
        )
  } catch (e) {
    complain(`does not parse: ${(e as Error).message.split('\n')[0]}`)
  }
  const genders = new Set(holes.map((hole) => `{${genderOf(hole.slice(1, -1))}}`))
  return [...new Set([...holes.filter((hole) => !genders.has(hole)), ...square])].toSorted().join(' ')
}
