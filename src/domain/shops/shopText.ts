import { entities } from '../entities.ts'

const named: Readonly<Record<string, string>> = {
  ...entities,
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  times: '×',
  deg: '°',
  euro: '€',
  copy: '©',
  reg: '®',
  trade: '™',
}

/**
 * A text of a shop as people read it there: shops send names of goods, choices and buyers as HTML. Tags go first, so
 * that a written '&lt;' stays a sign; characters that no text has are left out.
 */
export function shopText(raw: string): string {
  if (!/[<&]/.test(raw)) return raw
  return raw
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li)>/gi, ' ')
    .replace(/<\/?[a-z][^<>]{0,500}>|<!--[\s\S]*?-->/gi, '')
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
      if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
      const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0x7f
      return isText ? String.fromCodePoint(code) : ''
    })
    .replace(/\s+/g, ' ')
}
