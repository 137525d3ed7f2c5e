import { lexer, type Token, type Tokens } from 'marked'
import type { Block, Span } from '../blocks.ts'

function spansOf(tokens: readonly Token[] = [], within: Omit<Span, 'text'> = {}): Span[] {
  return tokens.flatMap((token): Span[] => {
    if (token.type === 'strong') return spansOf(token.tokens, { ...within, strong: true })
    if (token.type === 'codespan') return [{ ...within, text: (token as Tokens.Codespan).text, code: true }]
    if (token.type === 'link') return spansOf(token.tokens, { ...within, href: (token as Tokens.Link).href })
    if (token.type === 'text' || token.type === 'escape') {
      const inner = (token as Tokens.Text).tokens
      return inner ? spansOf(inner, within) : [{ ...within, text: unescaped((token as Tokens.Text).text).replace(/\s+/g, ' ') }]
    }
    throw new Error(`a text of the help may not hold "${token.raw}"`)
  })
}

/** The lexer hands text on ready for HTML, and here it goes into text. */
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** A text of this house as blocks. What it may not hold (HTML, pictures, tables) is an error, so that a test finds it. */
export const blocksOf = (tokens: readonly Token[]): Block[] =>
  tokens.flatMap((token): Block[] => {
    if (token.type === 'space' || token.type === 'def') return []
    if (token.type === 'paragraph') return [{ kind: 'text', spans: spansOf(token.tokens) }]
    if (token.type === 'heading') return [{ kind: 'head', spans: spansOf(token.tokens) }]
    if (token.type === 'list') {
      const list = token as Tokens.List
      return [{ kind: 'list', ordered: list.ordered, items: list.items.map((item) => spansOf(item.tokens)) }]
    }
    throw new Error(`a text of the help may not hold "${token.raw}"`)
  })

export const tokensOf = (markdown: string): Token[] => lexer(markdown)
