import type { Language } from './words.tsx'

/** In the order of the language menu. */
export const languages: readonly Language[] = ['he', 'en', 'ar', 'ru', 'fr']

/** Each in its own letters, so that a reader finds it whatever is shown now. */
export const languageNames: Record<Language, string> = {
  he: 'עברית',
  en: 'English',
  ar: 'العربية',
  ru: 'Русский',
  fr: 'Français',
}

/**
 * The numbers the product knows languages by (specification, section 9); the choice is kept under
 * langXmlNumber.
 */
export const langXmlNumber: Record<Language, number> = { he: 359, en: 139, ru: 606, ar: 15, fr: 282 }

export const directionOf = (lang: Language): 'rtl' | 'ltr' => (lang === 'he' || lang === 'ar' ? 'rtl' : 'ltr')

/** A language as anybody may name it: 'he', the old 'iw', a browser's 'en-US', or its number. */
export function languageFrom(given: string | undefined | null): Language | undefined {
  const text = (given ?? '').trim().toLowerCase()
  const code = text.slice(0, 2)
  if (/^iw\b/.test(text)) return 'he'
  return languages.find(
    (lang) => (code === lang && /^[a-z]{2}\b/.test(text)) || String(langXmlNumber[lang]) === text,
  )
}

export interface LanguageClues {
  /** The query parameter `lang`: the address asks for it. */
  asked?: string | undefined
  /** langXmlNumber: what the person chose before. */
  kept?: string | undefined
  /** navigator.languages, the best first. */
  browser?: readonly string[] | undefined
  /**
   * A page shown to a visitor whom nobody knows (a payment page, a document): the second detection, which
   * falls to English.
   */
  publicPage?: boolean
}

/**
 * Which language to speak. The address wins for this visit, then the person's own choice; then the first
 * language of the browser. What is not spoken here falls to Hebrew, on public pages to English
 * (specification, section 9, decision 6).
 */
export function detectLanguage({ asked, kept, browser = [], publicPage }: LanguageClues): Language {
  const chosen = languageFrom(asked) ?? languageFrom(kept)
  if (chosen) return chosen
  return languageFrom(browser[0]) ?? (publicPage ? 'en' : 'he')
}

/**
 * { group: { rest: text } } as the server answers it -> { 'group.rest': text } as the words are looked up.
 */
export function flattenDictionary(dic: Record<string, Record<string, string>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [group, words] of Object.entries(dic))
    for (const [rest, text] of Object.entries(words)) flat[`${group}.${rest}`] = text
  return flat
}
