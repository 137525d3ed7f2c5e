import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { useLanguage } from '../words/words.tsx'

const locales = { he: 'he-IL', en: 'en-GB', ar: 'ar-IL-u-nu-latn', ru: 'ru-RU', fr: 'fr-FR' }

/**
 * Sets the language of the interface for React Aria, not that of the browser: which arrow key goes forward, where
 * menus open, how months are named. It wraps the application once, inside WordsProvider.
 */
export function AriaLocale({ children }: { children: ReactNode }) {
  return <I18nProvider locale={locales[useLanguage().lang]}>{children}</I18nProvider>
}
