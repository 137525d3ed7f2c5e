/**
 * An element: its text or its children, in order. What holds nothing is not written, for empty elements are
 * refused by those who read.
 */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string | readonly Element[]
}

type Child = Element | undefined | false | readonly (Element | undefined)[]

/** undefined when there is neither text nor child. */
export function element(
  name: string,
  content: string | undefined | readonly Child[],
  attributes: Readonly<Record<string, string>> = {},
): Element | undefined {
  if (content === undefined) return undefined
  if (typeof content === 'string') {
    const text = printable(content)
    return text === '' ? undefined : { name, attributes, content: text }
  }
  const children = content
    .flatMap((child) => child || [])
    .filter((child): child is Element => child !== undefined)
  return children.length ? { name, attributes, content: children } : undefined
}

/** The file, UTF-8, indented by two. */
export const xmlFile = (root: Element): Uint8Array =>
  new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${lines(root, '').join('\n')}\n`)

function lines({ name, attributes, content }: Element, indent: string): string[] {
  const opening = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('')}`
  if (typeof content === 'string') return [`${opening}>${escaped(content)}</${name}>`]
  if (!content.length) return [`${opening}/>`]
  return [`${opening}>`, ...content.flatMap((child) => lines(child, `${indent}  `)), `${indent}</${name}>`]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * XML has no place for control characters and halves of pairs, and a carriage return would come back as
 * another sign.
 */
function printable(text: string): string {
  return [...text.replace(/\r\n?/g, '\n')]
    .filter((sign) => {
      const code = sign.codePointAt(0)!
      return (
        code === 9 ||
        code === 10 ||
        (code >= 32 && code < 0xd800) ||
        (code >= 0xe000 && code < 0xfffe) ||
        code >= 0x10000
      )
    })
    .join('')
    .trim()
}
