import { lexer, type Token, type Tokens } from 'marked'
import type { Block, Span } from '../blocks.ts'

/**
 * What a text does not know: of an article it is an error, so that a test finds it; of the CHANGELOG it is
 * shown as it was written.
 */
export type Manner = 'strict' | 'asWritten'

function unknown(raw: string, manner: Manner): string {
  if (manner === 'strict') throw new Error(`a text of the help may not hold "${raw}"`)
  return raw.trim()
}

function spansOf(tokens: readonly Token[] = [], manner: Manner, within: Omit<Span, 'text'> = {}): Span[] {
  return tokens.flatMap((token): Span[] => {
    if (token.type === 'space') return []
    // Items of a list with an empty line between them are paragraphs.
    if (token.type === 'paragraph' || token.type === 'em') return spansOf(token.tokens, manner, within)
    if (token.type === 'strong') return spansOf(token.tokens, manner, { ...within, strong: true })
    if (token.type === 'codespan') return [{ ...within, text: (token as Tokens.Codespan).text, code: true }]
    if (token.type === 'link')
      return spansOf(token.tokens, manner, { ...within, href: (token as Tokens.Link).href })
    if (token.type === 'text' || token.type === 'escape') {
      const inner = (token as Tokens.Text).tokens
      return inner
        ? spansOf(inner, manner, within)
        : [{ ...within, text: unescaped((token as Tokens.Text).text).replace(/\s+/g, ' ') }]
    }
    return [{ ...within, text: unknown(token.raw, manner) }]
  })
}

/** The lexer hands text on ready for HTML, and here it goes into text. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A text of this house as blocks; nothing of it can be more than text, weight, keys and ways. */
export const blocksOf = (tokens: readonly Token[], manner: Manner = 'strict'): Block[] =>
  tokens.flatMap((token): Block[] => {
    if (token.type === 'space' || token.type === 'def') return []
    if (token.type === 'paragraph') return [{ kind: 'text', spans: spansOf(token.tokens, manner) }]
    if (token.type === 'heading') return [{ kind: 'head', spans: spansOf(token.tokens, manner) }]
    if (token.type === 'list') {
      const list = token as Tokens.List
      return [
        {
          kind: 'list',
          ordered: list.ordered,
          items: list.items.map((item) => spansOf(item.tokens, manner)),
        },
      ]
    }
    return [{ kind: 'text', spans: [{ text: unknown(token.raw, manner) }] }]
  })

export const tokensOf = (markdown: string): Token[] => lexer(markdown)
