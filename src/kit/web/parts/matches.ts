import { fold } from '#domain/fold.ts'

/**
 * Every word of the query begins some word of the text, or occurs anywhere in it when it is long enough to mean it.
 */
export const matches = (text: string, query: string): boolean => {
  const folded = fold(text)
  return fold(query)
    .split(' ')
    .every(
      (word) =>
        word === '' ||
        folded.startsWith(word) ||
        folded.includes(` ${word}`) ||
        (word.length > 2 && folded.includes(word)),
    )
}
