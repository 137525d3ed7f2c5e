import type { Plugin } from 'vite'

/** Files with the words that react-aria says itself, one for each of its thirty-four languages. */
const ofReactAria =
  /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/(?:.*\/)?([a-z]{2})-[A-Z]{2}\.mjs$/
const ours: ReadonlySet<string> = new Set(['he', 'en', 'ar', 'ru', 'fr'])

/** Where react-aria finds out which language the browser speaks, and which way a language is read. */
const ofItsLocale = /\/react-aria\/dist\/private\/i18n\/(useDefaultLocale|utils)\.mjs$/
/** The application says its language itself (`AriaLocale`): until then the page's own holds. */
const instead: Record<string, string> = {
  useDefaultLocale: `
    const locale = () => (document.documentElement.dir === 'rtl' ? rightToLeft : leftToRight)
    const rightToLeft = { locale: 'he-IL', direction: 'rtl' }
    const leftToRight = { locale: 'en-GB', direction: 'ltr' }
    export { locale as getDefaultLocale, locale as useDefaultLocale }`,
  utils: `export const isRTL = (locale) => /^(he|ar)\\b/.test(locale)`,
}

/**
 * A board carried 150 kB of words in languages that nobody reads here: those say the English ones. And asking
 * the browser which languages it knows was the dearest line before the first screen (a tenth of a second on a
 * phone), for an answer that nobody uses.
 */
export function locales(): Plugin {
  return {
    name: 'locales',
    apply: 'build',
    load(id) {
      const place = ofItsLocale.exec(id)?.[1]
      if (place) return instead[place]
      const language = ofReactAria.exec(id)?.[1]
      return language && !ours.has(language) ? `export { default } from './en-US.mjs'` : undefined
    },
  }
}
