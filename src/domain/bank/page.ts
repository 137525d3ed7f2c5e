import { plainText } from './statement.ts'
import { entities as basic } from '../entities.ts'

/** Whether a text is a page with a table: several banks call such a file .xls. */
export const isPage = (text: string): boolean => /<table[\s>]/i.test(text) && /<t[dh][\s>]/i.test(text)

const entities: Readonly<Record<string, string>> = {
  ...basic,
  rlm: '',
  lrm: '',
}

function textOf(html: string): string {
  const bare = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
      if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
      return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
    })
  return plainText(bare)
}

/** The rows of all tables of a page, in their order. The content of scripts and styles is not read. */
export function pageRows(html: string): string[][] {
  const body = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
  return body
    .split(/<tr\b[^>]*>/i)
    .slice(1)
    .map((row) =>
      row
        .split(/<\/tr>|<\/table>/i)[0]!
        .split(/<t[dh]\b[^>]*>/i)
        .slice(1)
        .map(textOf),
    )
    .filter((row) => row.some((cell) => cell !== ''))
}
