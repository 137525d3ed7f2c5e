import { describe, expect, test } from 'vitest'
import { checkMessage } from '#kit/server/outside/messages.ts'
import { checkWords } from './words.ts'

test('every language says every word, soundly', () => {
  expect(checkWords()).toEqual([])
})

describe('one message', () => {
  const complaints = (message: string, language: 'he' | 'en' | 'ar' | 'ru' | 'fr') => {
    const all: string[] = []
    checkMessage(message, language, (why) => all.push(why))
    return all
  }

  test.each([
    ['he', '{n, plural, one {מסמך אחד} two {שני מסמכים} other {# מסמכים}}'],
    ['en', '{n, plural, =0 {No documents} one {# document} other {# documents}}'],
    ['ar', 'لا توجد نتائج لـ«{text}».'],
    ['ru', 'Выбрано: {count}'],
    ['fr', 'Aucun résultat pour «\u00a0{text}\u00a0».'],
  ] as const)('%s: %s is in order', (language, message) => {
    expect(complaints(message, language)).toEqual([])
  })

  test.each([
    [
      'he',
      '{n, plural, one {מסמך אחד} other {# מסמכים}}',
      'the plural of {n} has one, other instead of one, two, other',
    ],
    ['he', 'סה"כ', 'has a straight quotation mark'],
    ['he', "מס' מסמך", 'has a straight apostrophe'],
    ['en', 'Saved!', 'has an exclamation mark'],
    ['ar', 'حتى ٣ أيام', 'has Arabic-Indic digits'],
    ['ru', '\u2066{number}\u2069', 'has a direction mark'],
  ] as const)('%s: %s is refused', (language, message, why) => {
    expect(complaints(message, language)).toEqual([why])
  })

  test('what does not parse is refused', () => {
    expect(complaints('Page {page', 'en')[0]).toMatch(/^does not parse/)
  })

  test('names are told, whoever fills them in', () => {
    expect(
      checkMessage('{n, plural, one {# of [total]} other {{left} of [total]}}', 'en', () => undefined),
    ).toBe('[total] {left} {n}')
  })
})
