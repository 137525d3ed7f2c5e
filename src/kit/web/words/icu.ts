/*
 * ICU messages, the part that languages.md uses: {name}, {count, number}, {count, plural, =0 {…} one {…}
 * other {# …}}, {kind, select, a {…} other {…}}, nested, with the apostrophe as ICU's quote. The whole
 * library weighs 10 kB (gzip) of the first page; this is one, and icu.test.ts holds it to the library's
 * answer for every message there is.
 */

type Part =
  | string
  | { name: string; kind?: 'number' }
  | { name: string; kind: 'plural' | 'select'; branches: Map<string, Part[]> }
  | '#count'

/** A message ready to be filled. */
export type Message = Part[]

const hash = '#count' as const

/** Reads a message; throws on one that is broken. */
export function readMessage(text: string): Message {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`broken message at ${at}: ${text}`)
  }
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const word = () => {
    space()
    const from = at
    while (/[^\s,{}]/.test(text[at] ?? '')) at++
    if (from === at) fail()
    const found = text.slice(from, at)
    space()
    return found
  }

  const parts = (inPlural: boolean, nested: boolean): Part[] => {
    const found: Part[] = []
    let plain = ''
    const push = (part: Part) => {
      if (plain) found.push(plain)
      plain = ''
      found.push(part)
    }
    while (at < text.length) {
      const sign = text[at]!
      if (sign === '}' && nested) break
      if (sign === "'") {
        // Doubled: an apostrophe. Before a sign with a meaning: quotes up to the next one. Else itself.
        const next = text[at + 1]
        if (next === "'") {
          plain += "'"
          at += 2
        } else if (next !== undefined && (next === '{' || next === '}' || (inPlural && next === '#'))) {
          at++
          while (at < text.length && text[at] !== "'") {
            plain += text[at++]
            if (text[at] === "'" && text[at + 1] === "'") {
              plain += "'"
              at += 2
            }
          }
          at++
        } else {
          plain += sign
          at++
        }
      } else if (sign === '{') {
        at++
        push(placeholder())
      } else if (sign === '#' && inPlural) {
        at++
        push(hash)
      } else {
        plain += sign
        at++
      }
    }
    if (plain) found.push(plain)
    return found
  }

  const placeholder = (): Part => {
    const name = word()
    if (text[at] === '}') {
      at++
      return { name }
    }
    if (text[at++] !== ',') fail()
    const kind = word()
    if (kind === 'number' && text[at] === '}') {
      at++
      return { name, kind }
    }
    if (kind !== 'plural' && kind !== 'select') fail()
    if (text[at++] !== ',') fail()
    const branches = new Map<string, Part[]>()
    for (space(); text[at] !== '}'; space()) {
      const key = word()
      if (text[at++] !== '{') fail()
      branches.set(key, parts(kind === 'plural', true))
      if (text[at++] !== '}') fail()
    }
    at++
    if (!branches.has('other')) fail()
    return { name, kind: kind as 'plural' | 'select', branches }
  }

  const message = parts(false, false)
  if (at < text.length) fail()
  return message
}

/** Fills a message. Throws when a value is missing, as the library does. */
export function fillMessage(
  message: Message,
  locale: string,
  values: Record<string, string | number>,
): string {
  const rules = () => pluralRules(locale)
  const write = (parts: Part[], count: number | undefined): string =>
    parts
      .map((part) => {
        if (part === hash) return figure(count ?? 0)
        if (typeof part === 'string') return part
        const value = values[part.name]
        if (value === undefined) throw new Error(`no value for ${part.name}`)
        if (!('branches' in part)) return part.kind === 'number' ? figure(Number(value)) : String(value)
        const { branches } = part
        // What is shown is isolated from the text around it; what is chosen by is the value alone.
        if (part.kind === 'select')
          return write(
            branches.get(String(value).replace(/[\u2068\u2069]/g, '')) ?? branches.get('other')!,
            count,
          )
        const n = Number(value)
        return write(branches.get(`=${n}`) ?? branches.get(rules().select(n)) ?? branches.get('other')!, n)
      })
      .join('')
  return write(message, undefined)
}

const plurals = new Map<string, Intl.PluralRules>()
const pluralRules = (locale: string): Intl.PluralRules =>
  plurals.get(locale) ?? plurals.set(locale, new Intl.PluralRules(locale)).get(locale)!
let grouped: Intl.NumberFormat | undefined
/**
 * Comma for thousands in every language, as everywhere in the product. The first of its kind costs a phone a
 * tenth of a second, and most numbers need none.
 */
const figure = (n: number): string =>
  Number.isInteger(n) && Math.abs(n) < 1000 ? String(n) : (grouped ??= new Intl.NumberFormat('en')).format(n)
