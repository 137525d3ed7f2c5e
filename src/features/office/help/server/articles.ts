import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#kit/server/context.ts'
import { readsAnew, root } from '#kit/server/settings.ts'
import type { Article } from '../endpoints.ts'
import { blocksOf, tokensOf } from './markdown.ts'

/** Languages the articles are written in; readers of others see the English ones, with a notice. */
export const written = ['he', 'en'] as const
export type Written = (typeof written)[number]

export const articlesFolder = join(root, 'src/features/office/help/articles')

/** The head of a file: `name: value` between two lines of dashes. */
export function parseArticle(key: string, file: string): Article & { version: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? []
  const facts = new Map(
    head
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const [first, ...rest] = tokensOf(body.trim())
  const screens = (facts.get('screens') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (first?.type !== 'heading' || !screens.length)
    throw new Error(`the article ${key} lacks its title or its screens`)
  return {
    key,
    wing: facts.get('wing') ?? '',
    screens,
    also: facts.get('also') ?? '',
    version: facts.get('version') ?? '',
    title: String((first as { text?: string }).text ?? ''),
    blocks: blocksOf(rest),
  }
}

export const articleKeys = (): string[] =>
  [...new Set(readdirSync(articlesFolder).map((name) => name.split('.')[0]!))].toSorted()

export const readArticle = (key: string, language: Written) =>
  parseArticle(key, readFileSync(join(articlesFolder, `${key}.${language}.md`), 'utf8'))

const kept = new Map<Written, Article[]>()

/**
 * They change with the program only, so each language is read once; while somebody develops, at every call.
 */
export function articlesIn(language: Language): { language: Written; articles: Article[] } {
  const own = written.find((one) => one === language) ?? 'en'
  let articles = kept.get(own)
  if (!articles || readsAnew) {
    articles = articleKeys().map((key) => {
      const { version: _, ...article } = readArticle(key, own)
      return article
    })
    kept.set(own, articles)
  }
  return { language: own, articles }
}
