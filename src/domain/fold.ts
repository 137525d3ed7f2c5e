import type { LanguageCode } from './languages.ts'

/**
 * A text as search sees it: fold what is stored and what is typed, then compare. Letters that people write in
 * several ways become one: final letters, vowel points and geresh in Hebrew; hamza, alif maqsura, ta marbuta,
 * vowel marks and tatweel in Arabic; ё in Russian; accents in French; capitals everywhere. Maqaf, hyphens and
 * dashes become a space, quotes of every shape disappear.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g, '') // Hebrew points and accents
    .replace(/[\u064b-\u065f\u0670\u0640]/g, '') // Arabic marks and tatweel
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/['"`´‘’‚‛“”„«»‹›׳״′″]/g, '')
    .replace(/[ךםןףץأإآٱىةёœæß]/g, (letter) => sameLetter[letter] ?? letter)
    .replace(/[\s\u05be\-\u2010-\u2015\u2212_]+/g, ' ')
    .trim()
}

const sameLetter: Readonly<Record<string, string>> = {
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ё: 'е',
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
}

/**
 * The order of names in a list: by the interface language, its script first, then Latin, then the rest;
 * numbers inside names by their value; capitals, accents, geresh, maqaf and quotes do not count.
 */
export function compareNames(language: LanguageCode): (left: string, right: string) => number {
  return (collators[language] ??= new Intl.Collator(language, {
    numeric: true,
    sensitivity: 'base',
    ignorePunctuation: true,
  })).compare
}

const collators: Partial<Record<LanguageCode, Intl.Collator>> = {}
