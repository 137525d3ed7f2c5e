import { useMemo } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { useLanguage } from '#kit/web/words/words.tsx'
import { helpArticles } from '../endpoints.ts'
import { searched } from './search.ts'

export const articlePath = (key: string): string => `/invoice/questions?article=${key}`

/** All articles at once: they are found as one types, without asking again. */
export function useArticles() {
  const { lang } = useLanguage()
  const { data, error, refetch } = useCall(
    helpArticles,
    { lang },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  )
  const all = useMemo(() => (data?.articles ?? []).map(searched), [data])
  return {
    articles: data?.articles,
    language: data?.language,
    isForeign: data !== undefined && data.language !== lang,
    all,
    error,
    refetch,
  }
}
