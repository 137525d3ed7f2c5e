import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { fillMessage, readMessage } from './icu.ts'

const locales = { he: 'he', en: 'en', ar: 'ar-u-nu-latn', ru: 'ru', fr: 'fr' } as const
const library = (text: string, locale: string, values: Record<string, string | number>) =>
  String(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).format(values))
const own = (text: string, locale: string, values: Record<string, string | number>) =>
  fillMessage(readMessage(text), locale, values)

it.each([
  ['plain', {}],
  ['{a} and {b}', { a: 'x', b: 12345.5 }],
  ['{n, plural, =0 {none} one {# thing of {a}} other {# things}}', { n: 0, a: 'x' }],
  ['{n, plural, =0 {none} one {# thing of {a}} other {# things}}', { n: 1, a: 'x' }],
  ['{n, plural, =0 {none} one {# thing} other {# things}} left', { n: 12_000 }],
  ['{k, select, a {A {n, plural, one {one} other {#}}} other {O}}', { k: 'a', n: 5 }],
  ['{k, select, a {A} other {O}}', { k: 'zz' }],
  ["it''s '{quoted}' and don't {a}", { a: 'y' }],
  ["{n, plural, other {'#' is #}}", { n: 3 }],
  ['# outside {a}', { a: 'z' }],
  ['at most {n, number} rows', { n: 100_000 }],
])('answers as the library: %s', (text, values) =>
  expect(own(text, 'en', values as Record<string, string | number>)).toBe(
    library(text, 'en', values as Record<string, string | number>),
  ),
)

it.each(['{a', '{n, plural, one {x}}', '{n, date}', 'a}b{', '{}'])('refuses %s', (text) =>
  expect(() => own(text, 'en', { a: 1, n: 1 })).toThrow(),
)

it('refuses a missing value', () => expect(() => own('{a}', 'en', {})).toThrow())

it('writes thousands with a comma in every language', () => {
  for (const locale of Object.values(locales))
    expect(own('{n, plural, other {#}}', locale, { n: 1_234_567 })).toBe('1,234,567')
})

describe('every message of the product', () => {
  const files = import.meta.glob<Record<string, string>>(
    ['../text/*.json', '../../../features/*/*/text/*.json'],
    {
      eager: true,
      import: 'default',
    },
  )
  it('is among those that are compared', () => expect(Object.keys(files).length).toBeGreaterThan(300))
  for (const [lang, locale] of Object.entries(locales))
    it(`is said as the library says it: ${lang}`, () => {
      const wrong: string[] = []
      for (const [file, words] of Object.entries(files)) {
        if (!file.endsWith(`/${lang}.json`) && !file.endsWith(`.${lang}.json`)) continue
        for (const [key, text] of Object.entries(words)) {
          if (!text.includes('{')) continue
          const names = new Set([...text.matchAll(/\{\s*(\w+)/g)].map((m) => m[1]!))
          for (const n of [0, 1, 2, 3, 5, 11, 21, 100]) {
            const values = Object.fromEntries([...names].map((name) => [name, n]))
            if (own(text, locale, values) !== library(text, locale, values)) wrong.push(`${key} ${n}`)
          }
        }
      }
      expect(wrong).toEqual([])
    })
})
