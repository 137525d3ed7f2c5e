import { Globe } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { languageNames, languages } from '../words/language.ts'
import type { Language } from '../words/words.tsx'
import { useLanguage, useWords } from '../words/words.tsx'
import { changeLanguage } from '../words/wording.ts'
import { banner } from './banner.ts'
import { LazyMenu } from './LazyMenu.tsx'

const short: Record<Language, string> = { he: 'עב', en: 'EN', ar: 'ع', ru: 'РУ', fr: 'FR' }

let afterChange: (lang: Language) => void = () => undefined

/** What else a choice of language changes: the account of the person, where there is one. */
export const onLanguageChosen = (then: (lang: Language) => void): void => void (afterChange = then)

/** he en ar ru fr. Words arrive, then the page turns; the present screen stays. */
export function LanguageMenu({ full }: { full?: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const client = useQueryClient()
  const choose = async (next: Language) => {
    if (next === lang) return
    try {
      await changeLanguage(next)
      afterChange(next)
      // What the server says in words (titles of reports, kinds) is asked for again.
      await client.invalidateQueries()
    } catch {
      banner.error(t('errors.kit.network'))
    }
  }
  return (
    <LazyMenu
      label={t('kit.shell.language')}
      items={languages.map((one) => ({
        key: one,
        label: languageNames[one],
        checked: one === lang,
        onPress: () => void choose(one),
      }))}
      trigger={
        full
          ? {
              icon: Globe,
              text: languageNames[lang],
              label: `${t('kit.shell.language')}: ${languageNames[lang]}`,
            }
          : { text: short[lang], label: `${t('kit.shell.language')}: ${languageNames[lang]}` }
      }
    />
  )
}
