import { useEffect } from 'react'
import { languageFrom } from './language.ts'
import { store } from '../session/storage.ts'
import { changeLanguage, languageChosen, wordingNow } from './wording.ts'

/** A visitor of unknown language reads that of the page; it is not stored as a choice. */
export function useOwnLanguage(language: string | undefined): void {
  useEffect(() => {
    const own = languageFrom(language)
    if (!own || languageChosen() || own === wordingNow().lang) return
    void changeLanguage(own)
      .then(() => store.drop('langXmlNumber'))
      .catch(() => undefined)
  }, [language])
}
