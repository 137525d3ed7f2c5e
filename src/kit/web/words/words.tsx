import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { placeholdersOf, type Filling } from '#kit/describe/noun.ts'
import { fillMessage, readMessage, type Message } from './icu.ts'

/** Looks up a word by key and fills it in; an unknown key comes back as itself. */
export type Words = (key: string, params?: Filling) => string
export type Language = 'he' | 'en' | 'ar' | 'ru' | 'fr'

interface Held {
  lang: Language
  dir: 'rtl' | 'ltr'
  t: Words
}

const Context = createContext<Held>({ lang: 'he', dir: 'rtl', t: (key) => key })

/** First-strong isolate and its end: a placeholder never turns the sentence round it over. */
const isolated = (value: string | number) => (typeof value === 'number' ? value : `\u2068${value}\u2069`)

/**
 * What to do about a key nobody has a word for; the application tells it, and fetches the group it may be in.
 */
export const wordEvents = { unknown: (_lang: Language, _key: string): void => undefined }

let maybe = false

/** The word of a key that need not have one: a hint, a shorter heading. Undefined where there is none. */
export function wordIfAny(t: Words, key: string, params?: Filling): string | undefined {
  maybe = true
  try {
    const said = t(key, params)
    return said === key ? undefined : said
  } finally {
    maybe = false
  }
}

/**
 * Makes the look-up of one language over its words, those of a white label first; outside React for notices
 * and tests. `{product}` fills itself.
 */
export function makeWords(
  lang: Language,
  dic: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
  product = dic['kit.product'] ?? '',
): Words {
  const made = new Map<string, Message>()
  const locale = lang === 'ar' ? 'ar-u-nu-latn' : lang
  return (key, params) => {
    const text = own[key] ?? dic[key]
    if (text === undefined) {
      if (!maybe) wordEvents.unknown(lang, key)
      return key
    }
    if (!text.includes('{')) return text
    try {
      let message = made.get(key)
      if (!message) made.set(key, (message = readMessage(text)))
      const filled = Object.fromEntries(
        placeholdersOf({ product, ...params }).map(([name, value]) => [name, isolated(value)]),
      )
      return fillMessage(message, locale, filled)
    } catch {
      // A placeholder without its value, or a broken message: the bare text still tells more than a broken
      // page.
      return text
    }
  }
}

/** Gives a language and its words to everything inside. */
export function WordsProvider({
  lang,
  dic,
  own,
  product,
  children,
}: {
  lang: Language
  dic: Record<string, string>
  own?: Readonly<Record<string, string>>
  /** How the product is called here: its own name, or a white label's. */
  product?: string
  children: ReactNode
}) {
  const held = useMemo<Held>(
    () => ({
      lang,
      dir: lang === 'he' || lang === 'ar' ? 'rtl' : 'ltr',
      t: makeWords(lang, dic, own, product),
    }),
    [lang, dic, own, product],
  )
  return <Context value={held}>{children}</Context>
}

export const useWords = (): Words => useContext(Context).t
export const useLanguage = (): { lang: Language; dir: 'rtl' | 'ltr' } => useContext(Context)
