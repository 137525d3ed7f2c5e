import { failField } from '#kit/describe/errors.ts'
import type { Language } from '#kit/server/context.ts'
import { checkMessage } from '#kit/server/outside/messages.ts'

/**
 * The narrowest places: a line of the menu and of the list of all screens; any other word is measured against its
 * text in the five languages.
 */
const narrow: readonly [prefix: string, most: number][] = [
  ['screensFor.', 70],
  ['screens.', 42],
]

/** How long a text of this key may be, in letters as people see them. */
export function mostLetters(key: string, texts: readonly string[]): number {
  const of = narrow.find(([prefix]) => key.startsWith(prefix))
  return of?.[1] ?? Math.ceil(Math.max(0, ...texts.map(lettersOf)) * 1.5) + 20
}

export const lettersOf = (text: string): number => [...text.replace(/\{[^{}]*\}/g, '000')].length

/** A text must be sound, hold the gaps of its source and fit its place. */
export function checkText(
  key: string,
  language: Language,
  text: string,
  source: string,
  texts: readonly string[],
): void {
  const wrong: string[] = []
  const holes = checkMessage(text, language, (why) => wrong.push(why))
  if (wrong.length) throw failField('text', 'translations.badMessage', { why: wrong[0]!.slice(0, 200) })
  const wanted = checkMessage(source, 'he', () => undefined)
  if (holes !== wanted) throw failField('text', 'translations.holes', { holes: wanted || '–' })
  const most = mostLetters(key, texts)
  if (lettersOf(text) > most) throw failField('text', 'translations.tooLong', { most })
}
