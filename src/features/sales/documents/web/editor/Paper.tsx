import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Languages, Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { labelOf } from '#domain/documents/kinds.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { call, useFailureText, putAnswer, changeAnswer } from '#kit/web/calls/call.ts'
import { languageNames } from '#kit/web/words/language.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { layouts } from '#features/base/companies/company.ts'
import { companyIn } from '#features/base/companies/inLanguage.ts'
import { changeCompany, getCompany, type Company } from '#features/base/companies/endpoints.ts'
import { previewDocument, type DocumentInput } from '../../endpoints.ts'
import { PaperPages } from '../page/PaperPages.tsx'
import { typeWord } from '../words.ts'

const REST_MS = 150

/**
 * The picture of what is being written, a rest after the last key. A newer question calls the older off; the
 * old picture stays meanwhile.
 */
export function usePreview(input: DocumentInput, look: string) {
  const text = JSON.stringify(input)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['documents.preview', asked, look],
    queryFn: ({ signal }) =>
      call(previewDocument, JSON.parse(asked) as DocumentInput, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // A picture per key: none is worth keeping long.
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  })
}

export interface PaperProps {
  input: DocumentInput
  company: Company
  language: LanguageCode
}

/** The desk at the inline end: how the paper will look, and the layout the business prints in. */
export function Paper({ input, company, language }: PaperProps) {
  const t = useWords()
  const may = useCan()
  const failureText = useFailureText()
  const { data, isError } = usePreview(
    input,
    [company.layout, company.accent, company.logoVersion, JSON.stringify(companyIn(company, language))].join(
      ' ',
    ),
  )
  const setLayout = async (layout: Company['layout'], isUndo = false) => {
    const before = company.layout
    const put = (next: Company['layout']) =>
      changeAnswer(getCompany, {}, (held) => ({ ...held, layout: next }), { again: false })
    put(layout)
    try {
      putAnswer(getCompany, {}, await call(changeCompany, { layout }))
      if (!isUndo)
        toast(
          t('documents.paper.layoutChanged', { layout: t(`companies.layout.${layout}`) }),
          () => void setLayout(before, true),
        )
    } catch (e) {
      put(before)
      banner.error(failureText(e))
    }
  }
  return (
    <>
      <div className="doc-papertools">
        {may('companies.change') ? (
          <Segmented
            label={t('companies.fields.layout')}
            value={company.layout}
            onChange={(layout) => void setLayout(layout)}
            options={layouts.map((key) => ({ key, label: t(`companies.layout.${key}`) }))}
          />
        ) : (
          <span className="hint text-12">{t(`companies.layout.${company.layout}`)}</span>
        )}
        <span className="grow" />
        <span className="hint text-12 doc-paperlang">
          <Icon of={Languages} size="s" /> {languageNames[language]}
        </span>
        {may('companies.change') && (
          <Button
            kind="quiet"
            size="s"
            icon={Settings2}
            href="/invoice/settingsdoc"
            label={t('documents.paper.settings')}
          />
        )}
      </div>
      <PaperPages
        pages={data?.pages}
        failed={isError}
        label={t('documents.paper.of', {
          name: typeWord(t, input.type, labelOf({ subType: 0, pro: false, ...input })),
        })}
      />
    </>
  )
}
