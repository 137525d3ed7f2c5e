import type { Plugin } from 'vite'

/** Files with the words that react-aria says itself, one for each of its thirty-four languages. */
const ofReactAria = /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/(?:.*\/)?([a-z]{2})-[A-Z]{2}\.mjs$/
const ours: ReadonlySet<string> = new Set(['he', 'en', 'ar', 'ru', 'fr'])

/** A board carried 150 kB of words in languages that nobody reads here: those say the English ones. */
export function locales(): Plugin {
  return {
    name: 'locales',
    apply: 'build',
    load(id) {
      const language = ofReactAria.exec(id)?.[1]
      return language && !ours.has(language) ? `export { default } from './en-US.mjs'` : undefined
    },
  }
}
