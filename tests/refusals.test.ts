import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { errorStatus, fail, forbidden, sights } from '#kit/describe/errors.ts'
import { allRules } from '#kit/describe/session.ts'
import { root } from '#kit/server/settings.ts'
import { languages, say, wordsOf } from '#kit/server/words.ts'
import '../src/features.ts'

interface Element {
  value?: string
  type: number
  options?: Record<string, { value: Element[] }>
}

/** The names that a message is filled with; a pound sign and plain text are none. */
const namesIn = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ type, value, options }) => [
    ...(type !== 0 && type !== 7 && value !== undefined ? [value] : []),
    ...Object.values(options ?? {}).flatMap((option) => namesIn(option.value)),
  ])

/** What the sentence of a code needs, over all languages; the product names itself. */
const needs = new Map<string, Set<string>>()
for (const language of languages)
  for (const [key, message] of Object.entries(wordsOf(language))) {
    if (!key.startsWith('errors.') || !message.includes('{')) continue
    const format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })
    const known = needs.get(key.slice(7)) ?? new Set()
    for (const name of namesIn(format.getAst() as Element[])) if (name !== 'product') known.add(name)
    needs.set(key.slice(7), known)
  }

/** The text between brackets that open at `from`, and where they close. */
function within(text: string, from: number): { inner: string; parts: string[] } {
  const parts: string[] = []
  let depth = 0
  let start = from + 1
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (sign === "'" || sign === '"' || sign === '`') {
      for (at++; text[at] !== sign && at < text.length; at++) if (text[at] === '\\') at++
      continue
    }
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (depth === 1 && sign === ',') {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
    if (depth === 0) {
      parts.push(text.slice(start, at).trim())
      return { inner: text.slice(from + 1, at), parts: parts.filter(Boolean) }
    }
  }
  throw new Error('brackets that never close')
}

/** The names of an object literal; undefined where they cannot be read from the source. */
function keysOf(literal: string): string[] | undefined {
  if (!literal.startsWith('{')) return undefined
  const { parts } = within(literal, 0)
  if (parts.some((part) => part.startsWith('...') || part.startsWith('['))) return undefined
  return parts.map((part) => /^['"]?([\w$]+)/.exec(part)?.[1] ?? '')
}

const codesIn = (argument: string): string[] =>
  [...argument.matchAll(/'([a-z]\w*(?:\.\w+)+)'/gi)]
    .map(([, code]) => code!)
    .filter((code) => needs.has(code))

interface Site {
  file: string
  line: number
  codes: string[]
  /** As it is written; undefined where nothing is. */
  params: string | undefined
}

/** Every place of the source that makes a refusal with a code that is written out. */
function sitesIn(file: string): Site[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  )
  const sites: Site[] = []
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  for (const found of text.matchAll(/\b(fail|failAt|failField|new Failure)\(/g)) {
    const [, name] = found
    const { parts } = within(text, found.index + found[0].length - 1)
    const codeAt = name === 'fail' || name === 'new Failure' ? 0 : 1
    const argument = parts[codeAt] ?? ''
    // `fail` itself, and what hands a code on.
    if (/^code\b/.test(argument)) continue
    sites.push({
      file,
      line: lineAt(found.index),
      codes: codesIn(argument),
      params: name === 'failAt' ? undefined : parts[codeAt + 1],
    })
  }
  // Helpers of a file that take a code and what its sentence is filled with.
  for (const found of text.matchAll(/\b(?!fail|Failure)\w+\((?=[^()]*'[\w.]+', \{)/g)) {
    const { parts } = within(text, found.index + found[0].length - 1)
    const at = parts.findIndex((part, n) => /^'[\w.]+'$/.test(part) && parts[n + 1]?.startsWith('{'))
    if (at >= 0)
      sites.push({ file, line: lineAt(found.index), codes: codesIn(parts[at]!), params: parts[at + 1] })
  }
  for (const found of text.matchAll(/\{[^{}]*\bcode: '[\w.]+'/g)) {
    const { parts } = within(text, found.index)
    const said = parts.find((part) => part.startsWith('code:')) ?? ''
    const params = parts.find((part) => /^(params\b|\.\.\.)/.test(part))
    sites.push({
      file,
      line: lineAt(found.index),
      codes: codesIn(said),
      params: params?.replace(/^params:\s*/, ''),
    })
  }
  return sites.filter(({ codes }) => codes.length > 0)
}

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && !file.includes('/web/'))

describe('a refusal', () => {
  test('is made with everything that its sentence is filled with', () => {
    const sites = files.flatMap(sitesIn)
    expect(sites.length).toBeGreaterThan(200)
    const lacking = sites.flatMap(({ file, line, codes, params }) => {
      const given = params === undefined ? [] : keysOf(params)
      return given === undefined
        ? []
        : codes.flatMap((code) => {
            const missing = [...needs.get(code)!].filter((name) => !given.includes(name))
            return missing.length ? [`${file}:${line} ${code} lacks ${missing.join(', ')}`] : []
          })
    })
    expect(lacking).toEqual([])
  })

  test('has a sentence in every language', () => {
    const silent = languages.flatMap((language) =>
      Object.keys(errorStatus).filter((code) => !wordsOf(language)[`errors.${code}`]),
    )
    expect(silent).toEqual([])
  })

  test('of a missing permission names it: there is no other way to make one', () => {
    // @ts-expect-error the type takes every code but this one
    fail('session.forbidden')
    for (const rule of allRules().keys())
      for (const language of languages)
        expect(say(language, `team.rules.${rule}`)).not.toContain('team.rules')
    for (const sight of sights)
      for (const language of languages)
        expect(say(language, `api.says.sight.${sight}`)).not.toContain('api.says')
    expect(forbidden({ rule: 'documents.issue' }).params).toEqual({ rule: 'documents.issue' })
    const others = files.filter(
      (file) =>
        file !== 'src/kit/describe/errors.ts' &&
        /new Failure\(\s*'session\.forbidden'/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(others).toEqual([])
  })
})
