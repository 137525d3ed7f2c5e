import type { Language } from '../words/words.tsx'

/**
 * A character of each script that a screen in a language is sure to show; names of customers and currency signs are
 * Hebrew in every language.
 */
const letters: Record<Language, string> = { he: 'aא', en: 'aא', fr: 'aא', ar: 'aאب', ru: 'aאж' }

/**
 * Asks for the faces of the first screen before there is a text in them: a screen drawn in one go in the
 * fonts of the system would break its lines again, and move, when its own arrive.
 */
export const fetchFonts = (lang: Language): Promise<unknown> =>
  Promise.all([400, 500, 600].map((weight) => document.fonts.load(`${weight} 1rem Rubik`, letters[lang])))
