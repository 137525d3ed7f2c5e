const finals: Record<string, string> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ', أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', ё: 'е' }

/**
 * A text as a searcher hears it: small letters, no accents, final letters as plain ones, quotation marks, geresh and maqaf left out.
 * `fold('בע״מ') === fold('בעמ')`.
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ךםןףץأإآىةё]/g, (letter) => finals[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0640'"׳״’‘“”`]/g, '')
    .replace(/[־\-–]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Every word of the query begins some word of the text, or stands anywhere in it when it is long enough to mean it. */
export const matches = (text: string, query: string): boolean => {
  const folded = fold(text)
  return fold(query)
    .split(' ')
    .every((word) => word === '' || folded.startsWith(word) || folded.includes(` ${word}`) || (word.length > 2 && folded.includes(word)))
}
