import { describe, expect, test } from 'vitest'
import { documentTypeNames, paperLabels } from '#domain/documents/kinds.ts'
import { languages, say, wordsOf } from '#kit/server/words.ts'
import { checkAgreement, fixedForms } from './agreement.ts'

describe('one fixed form beside the name of a document', () => {
  test.each([
    ['he', 'documents.x', '{name} הופק.'],
    ['he', 'documents.x', 'הופק {name}.'],
    ['he', 'documents.x', '{name} לא יישלח: חסרה כתובת'],
    ['he', 'corrections.x', '{name}: נסגר בתשלום'],
    ['he', 'any.x', 'שלום, מצורפת {document} מאת {business}'],
    ['he', 'any.x', 'החיוב נכשל, ולכן {title} בוטל.'],
    ['he', 'documents.x', '{count, plural, one {{name} נשלח} other {נשלחו}}'],
    ['ar', 'documents.x', 'صدر {name}.'],
    ['ar', 'documents.x', '{name} ينتظر توقيعكم'],
    ['ru', 'documents.x', '{name} уже оплачен.'],
    ['ru', 'any.x', '«{title}» отменено'],
    ['fr', 'documents.x', '{name} a été envoyé.'],
    ['fr', 'any.x', '{title} du {day} est annulé'],
  ] as const)('%s: %s %s', (language, key, message) => {
    expect(fixedForms(language, key, message)).not.toEqual([])
  })
})

describe('sound sentences', () => {
  test.each([
    ['he', 'documents.x', '{name} {nameGender, select, f {הופקה} other {הופק}}.'],
    ['he', 'documents.x', 'המסמך {name} הופק.'],
    ['he', 'documents.x', 'לבטל את {name}?'],
    ['he', 'documents.x', '{name}: לא נדרש מספר'],
    ['he', 'team.x', '{name} הוזמן'],
    ['ar', 'documents.x', 'صدر المستند {name}.'],
    ['ru', 'documents.x', 'Документ {name} выписан.'],
    ['ru', 'documents.x', 'Оплатить: {name}'],
    ['fr', 'documents.x', 'Le document {name} est émis.'],
    ['fr', 'documents.x', '{name} : {nameGender, select, f {émise} other {émis}}'],
  ] as const)('%s: %s %s', (language, key, message) => {
    expect(fixedForms(language, key, message)).toEqual([])
  })
})

test('every type of document has a gender in every language', () => {
  for (const language of languages) {
    const words = wordsOf(language)
    expect(checkAgreement(language, words)).toEqual([])
    for (const name of [...documentTypeNames, ...paperLabels, 'openingItem'])
      expect(words, `${language} ${name}`).toHaveProperty([`documents.gender.${name}`])
  }
  expect(
    checkAgreement('he', { 'documents.types.bill': 'חשבון', 'documents.gender.bill': 'n' }),
  ).toHaveLength(1)
})

test('a sentence follows the gender of its noun, in what the server says too', () => {
  const issued = (text: string, gender: string) =>
    say('he', 'documents.editor.issued', { name: { text, gender } }).replace(/[\u2066-\u2069]/g, '')
  expect(issued('חשבונית מס 1', 'f')).toBe('חשבונית מס 1 הופקה.')
  expect(issued('חשבון עסקה 1', 'm')).toBe('חשבון עסקה 1 הופק.')
  // What is chosen by is compared without the marks that isolate what is shown.
  expect(say('he', 'errors.expenses.vatDiffers', { side: 'more', difference: '1', rate: 18 })).toContain(
    'גבוה',
  )
})
