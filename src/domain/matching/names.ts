import { fold } from '../fold.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

/** Forms of business, which banks leave out or shorten. */
const forms = new Set(['בעמ', 'בע', 'מ', 'ltd', 'inc', 'llc', 'co', 'עמותה', 'ער', 'חברה', 'sarl', 'gmbh'])

const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)

/** The words that make a name: without forms of business and single letters. */
const nameWords = (name: string): string[] =>
  wordsOf(name).filter((word) => word.length > 1 && !forms.has(word))

/** Words that stand in any bank's text and prove nobody. */
const common = new Set(
  wordsOf('העברה בנק זיכוי חיוב תשלום הפקדה שיק משכורת שירות bank transfer payment credit'),
)

/**
 * Finds which of many names a bank's text speaks of. All words of the name in the text, in any order, or,
 * because banks cut their texts, the beginning of the name (eight letters or more) at the text's end. Of
 * several the longest holds; two of the same length prove neither.
 */
export function nameFinder<P extends Named>(parties: readonly P[]): (text: string) => P | undefined {
  const byWord = new Map<string, { party: P; words: string[] }[]>()
  for (const party of parties) {
    const words = nameWords(party.name)
    const key = words.find((word) => !common.has(word))
    if (!key || (words.length === 1 && key.length < 3)) continue
    byWord.set(key, [...(byWord.get(key) ?? []), { party, words }])
  }
  return (text) => {
    const words = wordsOf(text)
    const there = new Set(words)
    const found = new Map<P, number>()
    for (const word of there)
      for (const { party, words: name } of byWord.get(word) ?? [])
        if (name.every((one) => there.has(one))) found.set(party, name.join('').length)
    if (found.size === 0) {
      const end = words.join(' ')
      for (const word of there)
        for (const { party, words: name } of byWord.get(word) ?? [])
          if (isCut(name.join(' '), end)) found.set(party, 1)
    }
    const [best, second] = [...found].toSorted((a, b) => b[1] - a[1])
    if (!best || (second && second[1] === best[1] && second[0].name !== best[0].name)) return undefined
    return best[0]
  }
}

/** Whether a text ends with the beginning of a name. */
function isCut(name: string, end: string): boolean {
  for (let length = name.length - 1; length >= 8; length--)
    if (` ${end}`.endsWith(` ${name.slice(0, length).trimEnd()}`)) return true
  return false
}

/**
 * The figures in a text that could be a number of a paper or a cheque: three digits or more, without leading
 * zeros.
 */
export const numbersIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/\d{3,}/g)]
      .map(([digits]) => digits.replace(/^0+/, ''))
      .filter((digits) => digits.length >= 3),
  )
