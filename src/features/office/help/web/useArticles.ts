import { useMemo } from 'react'
import { useCall } from '#kit/web/call.ts'
import { ranked, type Findable } from '#kit/web/parts/rank.ts'
import { useLanguage } from '#kit/web/words.tsx'
import { plainOf } from '../blocks.ts'
import { helpArticles, type Article } from '../endpoints.ts'

export const articlePath = (key: string): string => `/invoice/questions?article=${key}`

/** All articles at once: they are found as one types, without asking again. */
export function useArticles() {
  const { lang } = useLanguage()
  const { data, error, refetch } = useCall(helpArticles, { lang }, { staleTime: Infinity, refetchOnWindowFocus: false })
  const findable = useMemo(() => new Map<Article, Findable>((data?.articles ?? []).map((one) => [one, findableOf(one)])), [data])
  return { articles: data?.articles, language: data?.language, isForeign: data !== undefined && data.language !== lang, findable, error, refetch }
}

const findableOf = ({ title, also, blocks }: Article): Findable => ({ name: title, also: `${also} ${plainOf(blocks)}` })

/** What is meant by what was typed, the nearest first: the whole of it; where nothing holds the whole, whatever holds one of its long words. */
export function search(findable: ReadonlyMap<Article, Findable>, text: string): Article[] {
  const all = [...findable.keys()]
  const find = (query: string) => ranked(all, query, (one) => findable.get(one)!).map(({ item }) => item)
  const whole = find(text)
  if (whole.length) return whole
  const words = text.split(/\s+/).filter((word) => word.length > 3)
  return words.length > 1 ? [...new Set(words.flatMap(find))] : []
}
