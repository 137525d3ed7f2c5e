import { useState } from 'react'
import { Languages as Spoken } from 'lucide-react'
import type { LanguageCode } from '#domain/languages.ts'
import { languageNames } from '#kit/web/fields/SmallChoices.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { Company } from '../endpoints.ts'
import { detailsIn } from '../inLanguage.ts'
import { LanguageDialog } from './LanguageDialog.tsx'

const all = Object.keys(languageNames) as LanguageCode[]

/** The business in the other languages of its documents: as it is called there, as it is, or not asked yet. */
export function Languages({ company, readOnly }: { company: Company; readOnly: boolean }) {
  const t = useWords()
  const [edits, setEdits] = useState<LanguageCode>()
  return (
    <section>
      <h2>{t('companies.languages.section')}</h2>
      <p className="sub">{t('companies.languages.sectionText')}</p>
      <Card label={t('companies.languages.section')}>
        <Rows>
          {all
            .filter((language) => language !== company.language)
            .map((language) => {
              const details = detailsIn(company, language)
              const called = [details?.name, details?.city].filter(Boolean).join(', ')
              return (
                <div key={language}>
                  <span className="k-tile">
                    <Icon of={Spoken} />
                  </span>
                  <span className="grow">
                    <span className="t">{languageNames[language]}</span>
                    <span className="s">
                      {called ? (
                        <bdi>{called}</bdi>
                      ) : (
                        t(details ? 'companies.languages.asIs' : 'companies.languages.notYet')
                      )}
                    </span>
                  </span>
                  {!readOnly && (
                    <Button
                      kind="quiet"
                      label={t('companies.languages.edit', { language: languageNames[language] })}
                      onPress={() => setEdits(language)}
                    >
                      {t('companies.languages.change')}
                    </Button>
                  )}
                </div>
              )
            })}
        </Rows>
      </Card>
      {edits && (
        <LanguageDialog
          company={company}
          language={edits}
          verb={t('kit.forms.save')}
          onClose={() => setEdits(undefined)}
          onDone={() => {
            setEdits(undefined)
            banner.success(t('companies.saved'))
          }}
        />
      )}
    </section>
  )
}
