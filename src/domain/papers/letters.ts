/*
 * Letters as a reading machine sees them. Labels are compared by a skeleton: quotes and points gone, final
 * letters opened, and those that machines take for one another made one letter.
 */

export const hebrew = /[\u05d0-\u05ea]/
/** Letters of Hebrew and of Arabic: their words are read from the right. */
export const rightToLeft = /[\u05d0-\u05ea\u0620-\u064a]/

/** Arabic and Persian digits and signs of figures as the rest of the reader knows them. */
export const westernDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')

const alike: Readonly<Record<string, string>> = {
  ך: 'ב',
  כ: 'ב',
  ב: 'ב',
  ם: 'ס',
  ס: 'ס',
  ח: 'ה',
  ה: 'ה',
  ת: 'ה',
  ן: 'ו',
  ו: 'ו',
  י: 'ו',
  ז: 'ו',
  ד: 'ר',
  ר: 'ר',
  ף: 'פ',
  ץ: 'צ',
  ג: 'נ',
  נ: 'נ',
}

/**
 * Letters and digits with look-alikes made one; 'סה"כ' and 'םה״ב' are the same. Latin letters are made small.
 */
export function skeleton(text: string): string {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^\p{L}\p{Nd}%#]/gu, '')
      // Arabic machines and people write these without difference; a tatweel only makes a word longer.
      .replace(/ـ/g, '')
      .replace(/[أإآٱ]/g, 'ا')
      .replace(/ى/g, 'ي')
      .replace(/ة/g, 'ه')
      .replace(/[\u05d0-\u05ea]/g, (letter) => alike[letter] ?? letter)
  )
}

/** True when two skeletons are the same but for one letter in five; short ones must be the same. */
export function isNearly(seen: string, wanted: string): boolean {
  if (seen === wanted) return true
  const most = Math.floor(Math.max(wanted.length, seen.length) / 5)
  return (
    wanted.length >= 5 &&
    Math.abs(seen.length - wanted.length) <= most &&
    distance(seen, wanted, most) <= most
  )
}

/** Levenshtein's distance, given up above `most`. */
export function distance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length]!
}

const finals = /[ךםןףץ]/

/**
 * Whether Hebrew came in the order of sight: final letters then stand at the beginning of words. Some
 * programs write their PDF so, and a reader that turns what is already turned gives the same.
 */
export function isReversed(texts: readonly string[]): boolean {
  let first = 0
  let last = 0
  for (const text of texts) {
    const letters = text.replace(/[^\u05d0-\u05ea]/g, '')
    if (letters.length < 2) continue
    if (finals.test(letters[0]!)) first++
    if (finals.test(letters.at(-1)!)) last++
  }
  return first > last && first >= 2
}

/** Turns a word round, its numbers and Latin pieces as they are. */
export const turned = (text: string): string =>
  hebrew.test(text)
    ? [...text]
        .reverse()
        .join('')
        .replace(/[A-Za-z0-9]+(?:[.,/-][A-Za-z0-9]+)*/g, (run) => [...run].reverse().join(''))
        .replace(/[()[\]]/g, (sign) => ({ '(': ')', ')': '(', '[': ']', ']': '[' })[sign]!)
    : text

/** What machines see for digits; only to be used where a digit is expected. */
export const asDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[OoQDסם]/g, '0')
    .replace(/[lI|!וןי]/g, '1')
    .replace(/[Zz]/g, '2')
    .replace(/[Ss]/g, '5')
    .replace(/[Bß]/g, '8')

/** The members of each key in their order. */
export function grouped<T, K>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
