import { ranked } from '#kit/web/parts/rank.ts'
import { plainOf } from '../blocks.ts'
import type { Article } from '../endpoints.ts'

/** What is searched of an article; its text is put together once. */
export interface Searched {
  article: Article
  text: string
}

export const searched = (article: Article): Searched => ({
  article,
  text: `${article.also} ${plainOf(article.blocks)}`,
})

/**
 * What is meant by what was typed, the nearest first: by title and the words it is looked for by, then by the
 * whole text; where nothing holds all that was typed, whatever holds one of its long words.
 */
export function search(all: readonly Searched[], typed: string): Article[] {
  const find = (query: string) =>
    [
      ...ranked(all, query, ({ article }) => ({ name: article.title, also: article.also })),
      ...ranked(all, query, ({ article, text }) => ({ name: article.title, also: text })),
    ].map(({ item }) => item.article)
  const whole = find(typed)
  const words = typed.split(/\s+/).filter((word) => word.length > 3)
  return [...new Set(whole.length || words.length < 2 ? whole : words.flatMap(find))]
}
