import { fold } from '#domain/fold.ts'

/** What can be found by typing: its name counts before all other words about it. */
export interface Findable {
  name: string
  /** What it is for, its group, names of its fields. */
  also?: string | undefined
  /** What people call it, with commas: a whole one counts nearly as much as the name. */
  terms?: string | undefined
  /** How often this person opened it, starred or not; among equally near names the most used comes first. */
  use?: number | undefined
  /** Rare: after the others of the same nearness. */
  rare?: boolean | undefined
}

/** The smaller, the nearer. */
export const nearness = {
  whole: 0,
  term: 0.5,
  /** Without what is written before a word in one with it: in ‘מועד’ there is ‘ועד’. */
  wholeNearly: 0.6,
  termNearly: 0.7,
  words: 1,
  begins: 2,
  beginnings: 3,
  termBegins: 3.5,
  inside: 4,
  nearly: 5,
  also: 6,
  nearlyAlso: 7,
} as const

/** Words without meaning, in a query of several. */
const small = new Set(
  'd l de du des la le les un une et of the and for to a an in by и в на о об по от для с за של על את עם או في من على الى عن'.split(
    ' ',
  ),
)

/**
 * A text as its words: French elisions and abbreviations with dots taken apart or together, as people type
 * them.
 */
const wordsOf = (text: string): string[] =>
  fold(
    text
      .replace(/(^|[^\p{L}])(qu|[cdjlmnst])['’](?=\p{L})/giu, '$1$2 ')
      .replace(/(?<=\p{L})\.(?=\p{L})/gu, ''),
  )
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** A word, and what is left of it without what Hebrew and Arabic write before a word in one with it. */
function formsOf(word: string): string[] {
  const forms = [word]
  for (let rest = word; /^[הולבמשכ][א-ת]{3}/.test(rest) && forms.length < 3;)
    forms.push((rest = rest.slice(1)))
  const arabic = /^(?:[وفبكل]?ال|لل|[وبلف](?=[\u0621-\u064a]{4}))([\u0621-\u064a]{3,})$/.exec(word)?.[1]
  return arabic ? [...forms, arabic] : forms
}

/** One letter more, less, other, or two that changed places. */
export function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  if (i === a.length && i === b.length) return true
  const same = (x: number, y: number) => a.slice(x) === b.slice(y)
  return (
    same(i + 1, i + 1) ||
    same(i + 1, i) ||
    same(i, i + 1) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && same(i + 2, i + 2))
  )
}

/** Written with a slip, or with another ending: of a word of four letters and more. */
function isNearly(asked: string, word: string): boolean {
  if (asked.length < 4 || word.length < 3 || /\d/.test(asked)) return false
  if (isOneOff(asked, word)) return true
  const length = Math.min(asked.length, word.length)
  let common = 0
  while (common < length && asked[common] === word[common]) common++
  if (common >= 4 && asked.length - common <= 2 && word.length - common <= 2) return true
  // A slip in the beginning of a word that is still being typed.
  return (
    asked.length >= 5 &&
    word.length > asked.length &&
    [0, -1, 1].some((by) => isOneOff(asked, word.slice(0, asked.length + by)))
  )
}

const exact = 0
const begins = 1
const inside = 2
const nearly = 3
const nothing = 4

function fit(asked: readonly string[], words: readonly (readonly string[])[], guesses: boolean): number {
  let best: number = nothing
  for (const forms of words)
    for (const word of forms)
      for (const one of asked) {
        const now =
          word === one
            ? exact
            : word.startsWith(one)
              ? begins
              : one.length > 2 && word.includes(one)
                ? inside
                : guesses && isNearly(one, word)
                  ? nearly
                  : nothing
        if (now < best) best = now
        if (best === exact) return best
      }
  return best
}

/** Kept for what is searched: a few hundred texts, asked again with each letter that is typed. */
function kept<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size > 5000) known.clear()
    const now = of(text)
    known.set(text, now)
    return now
  }
}
const knownWordsOf = kept(wordsOf)
const knownFormsOf = kept((text: string) => [
  ...new Map(wordsOf(text).map((word) => [word, formsOf(word)])).values(),
])
/** What was typed: its words in their forms, and the whole of it in the forms of its first word. */
const askedOf = kept((query: string) => {
  const typed = wordsOf(query)
  const telling = typed.filter((word) => !small.has(word))
  return {
    asked: (telling.length ? telling : typed).map(formsOf),
    wishes: formsOf(typed[0] ?? '').map((first) => [first, ...typed.slice(1)].join(' ')),
  }
})
const calledOf = kept((terms: string) =>
  terms
    .split(',')
    .map((term) => wordsOf(term).join(' '))
    .filter(Boolean),
)

/** How near something is to what was typed; undefined when it is not meant. `guesses`: words with a slip count, too. */
export function rankOf(
  query: string,
  { name, also = '', terms = '' }: Findable,
  guesses = true,
): number | undefined {
  const { asked, wishes } = askedOf(query)
  if (asked.length === 0) return undefined
  const whole = knownWordsOf(name).join(' ')
  if (wishes[0] === whole) return nearness.whole
  const called = calledOf(terms)
  if (called.includes(wishes[0]!)) return nearness.term
  if (wishes.includes(whole)) return nearness.wholeNearly
  if (called.some((term) => wishes.includes(term))) return nearness.termNearly
  const words = knownFormsOf(name)
  const ofName = asked.map((one) => fit(one, words, guesses))
  const worst = Math.max(...ofName)
  if (worst === exact) return nearness.words
  if (worst === begins)
    return wishes.some((wish) => whole.startsWith(wish)) ? nearness.begins : nearness.beginnings
  if (wishes.some((wish) => wish.length > 1 && called.some((term) => term.startsWith(wish))))
    return nearness.termBegins
  if (worst === inside) return nearness.inside
  if (worst === nearly) return nearness.nearly
  const more = knownFormsOf(`${also} ${terms}`)
  const together = Math.max(...asked.map((one, i) => Math.min(ofName[i]!, fit(one, more, guesses))))
  return together === nothing ? undefined : together === nearly ? nearness.nearlyAlso : nearness.also
}

/**
 * What fits, the nearest first: by name and what people call it, then what this person uses, what is not rare, the
 * shorter name, and as it was given. Words with a slip count only where no name
 * fits as it is written.
 */
export function ranked<T>(
  items: readonly T[],
  query: string,
  of: (item: T) => Findable,
): { item: T; rank: number }[] {
  const fitting = (guesses: boolean) =>
    items.flatMap((item) => {
      const found = of(item)
      const near = rankOf(query, found, guesses)
      // What is rare is not nearer by its word than a common screen by that word's plural.
      const rank = near === nearness.words && found.rare ? nearness.begins : near
      if (rank === undefined) return []
      const length = knownWordsOf(found.name).filter((word) => !small.has(word)).length
      return [{ item, rank, found, length }]
    })
  const certain = fitting(false)
  const isNamed = certain.some(({ rank }) => rank <= nearness.inside)
  return (isNamed ? certain : fitting(true))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        (b.found.use ?? 0) - (a.found.use ?? 0) ||
        Number(a.found.rare ?? false) - Number(b.found.rare ?? false) ||
        a.length - b.length,
    )
    .map(({ item, rank }) => ({ item, rank }))
}
