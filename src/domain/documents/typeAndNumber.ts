import { fold } from '../fold.ts'

/**
 * A document by the name of its type and its number, as people call it: 'invoice 3', 'קבלה 12'. Part of a name means
 * every type that has it, and words may be begun. Undefined where the text is something else.
 */
export function typeAndNumber(
  text: string,
  names: readonly { type: number; name: string }[],
): { types: number[]; number: string } | undefined {
  const [, said = '', number] = /^(.*?\p{L}.*?)[\s#.:]*(\d{1,15})$/u.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  const words = wordsOf(said)
  const types = names
    .filter(({ name }) => {
      const named = wordsOf(name)
      return words.every((word) => named.some((one) => one.startsWith(word)))
    })
    .map(({ type }) => type)
  return words.length > 0 && types.length > 0 ? { types: [...new Set(types)], number } : undefined
}

const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
