import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../context.ts'
import { root } from '../settings.ts'
import { wordsOf } from '../words.ts'

/**
 * What no screen says a word of, by the name of a field or of a call: a line each, a column each language; a
 * column that is empty falls to English.
 */
const table = (file: string): Map<string, Partial<Record<Language, string>>> => {
  const path = join(root, 'src/kit/server/openapi', file)
  if (!existsSync(path)) return new Map()
  const [head = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const columns = head.split('\t').slice(1)
  return new Map(
    lines.map((line) => {
      const [name = '', ...texts] = line.split('\t')
      return [
        name,
        Object.fromEntries(columns.flatMap((column, i) => (texts[i] ? [[column, texts[i]]] : []))),
      ]
    }),
  )
}

/** What a program would send to a call, where its schema alone would not say it; and whom it is about. */
function written<T>(file: string, otherwise: T): T {
  const path = join(root, 'src/kit/server/openapi', file)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise
}

/** Which record of a test business a field of an example points to. */
interface Samples {
  fields: Record<string, string>
}

let read:
  | {
      fields: ReturnType<typeof table>
      calls: ReturnType<typeof table>
      examples: Record<string, unknown>
      samples: Samples
    }
  | undefined
export const tables = () =>
  (read ??= {
    fields: table('ofFields.tsv'),
    calls: table('ofCalls.tsv'),
    examples: written<Record<string, unknown>>('ofExamples.json', {}),
    samples: written<Samples>('ofSamples.json', { fields: {} }),
  })

const said = (of: Partial<Record<string, string>> | undefined, column: string): string | undefined =>
  of?.[column] || undefined

/** For each name of a field, the key of the word that most screens have for it. */
let commonKeys: Map<string, string> | undefined
function commonKey(name: string): string | undefined {
  if (!commonKeys) {
    const byName = new Map<string, Map<string, string[]>>()
    for (const [key, text] of Object.entries(wordsOf('en'))) {
      const field = /\.fields\.(\w+)$/.exec(key)?.[1]
      if (!field || key.startsWith('errors.') || key.startsWith('trade.')) continue
      const texts = byName.get(field) ?? new Map<string, string[]>()
      byName.set(field, texts.set(text, [...(texts.get(text) ?? []), key]))
    }
    commonKeys = new Map(
      [...byName].map(([field, texts]) => [
        field,
        [...texts.values()].toSorted((a, b) => b.length - a.length)[0]![0]!,
      ]),
    )
  }
  return commonKeys.get(name)
}

const ended = (text: string): string => (/[.?:…]$/.test(text) ? text : `${text}.`)
/** A message with holes is for a screen that fills them. */
const whole = (text: string | undefined): string | undefined =>
  text && !text.includes('{') ? text : undefined

/**
 * What a field means, where calls of a tag have it: by the words its own screen shows, by the table of what
 * no screen shows, or by the word most screens have for it. The hint of a form says its limits in the same
 * breath.
 */
export function meaningOf(tag: string, name: string, language: Language): string | undefined {
  const words = wordsOf(language)
  const { fields } = tables()
  const by = (key: string): string | undefined =>
    said(fields.get(key), language) ?? said(fields.get(key), 'en')
  const exact = by(`${tag}.${name}`)
  if (exact) return exact
  const label = whole(words[`${tag}.fields.${name}`])
  if (label) {
    const hint = whole(words[`${tag}.hints.${name}`])
    return hint ? `${ended(label)} ${hint}` : label
  }
  const common = by(name) ?? whole(words[commonKey(name) ?? ''])
  if (common) return common
  // The name of the record an id points to is beside it.
  const id = /^(\w+Id)Name$/.exec(name)?.[1]
  const of = id && meaningOf(tag, id, language)
  return of ? `${of} (${words['api.says.name'] ?? 'name'})` : undefined
}

/** What a call is called and what it is for, where somebody wrote it. */
export const callText = (name: string, what: 'summary' | 'about', language: Language): string | undefined => {
  const of = tables().calls.get(name) as Partial<Record<string, string>> | undefined
  return said(of, `${what}.${language}`) ?? said(of, `${what}.en`)
}
