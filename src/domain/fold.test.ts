import { describe, expect, test } from 'vitest'
import { compareNames, fold } from './fold.ts'

describe('search finds what is written another way', () => {
  test.each([
    ['שלום', 'שלומ'],
    ['מע״מ', 'מעמ'],
    ['מע"מ', "מע''מ"],
    ["צ'ק", 'צ׳ק'],
    ['בית־ספר', 'בית ספר'],
    ['בית-ספר', 'בית  ספר'],
    ['שָׁלוֹם', 'שלום'],
    ['\u2066שלום\u2069', 'שלום'],
    ['أحمد', 'احمد'],
    ['إبراهيم', 'ابراهيم'],
    ['آمال', 'امال'],
    ['ليلى', 'ليلي'],
    ['فاطمة', 'فاطمه'],
    ['مُحَمَّد', 'محمد'],
    ['محـــمد', 'محمد'],
    ['Семён', 'СЕМЕН'],
    ['Échéance', 'echeance'],
    ['Œuvre', 'oeuvre'],
    ["L'Oréal", 'l’oreal'],
    ['  COHEN \u00a0 Ltd ', 'cohen ltd'],
    ['ﬁne', 'fine'],
  ])('%s and %s', (left, right) => {
    expect(fold(left)).toBe(fold(right))
  })

  test.each([
    ['Андрей', 'Андреи'],
    ['כהן', 'כוהן'],
    ['سؤال', 'سوال'],
    ['cote', 'coat'],
    ['5', '15'],
  ])('%s is not %s', (left, right) => {
    expect(fold(left)).not.toBe(fold(right))
  })

  test('folding twice changes nothing', () => {
    for (const text of ['בית־ספר ״אור״', 'إِبْرَاهِيم', 'Ёлка', 'Ça va – bien', 'ABC-123/45'])
      expect(fold(fold(text))).toBe(fold(text))
  })
})

describe('names in order', () => {
  const names = ['Zamir', 'אבי', 'Яна', 'Avi', 'שרה', 'أحمد', 'Анна']
  test.each([
    ['he', ['אבי', 'שרה', 'Avi', 'Zamir', 'Анна', 'Яна', 'أحمد']],
    ['ar', ['أحمد', 'Avi', 'Zamir', 'Анна', 'Яна', 'אבי', 'שרה']],
    ['ru', ['Анна', 'Яна', 'Avi', 'Zamir', 'אבי', 'שרה', 'أحمد']],
    ['en', ['Avi', 'Zamir', 'Анна', 'Яна', 'אבי', 'שרה', 'أحمد']],
    ['fr', ['Avi', 'Zamir', 'Анна', 'Яна', 'אבי', 'שרה', 'أحمد']],
  ] as const)('%s: own script, Latin, the rest', (language, expected) => {
    expect(names.toSorted(compareNames(language))).toEqual(expected)
  })

  test('numbers by value, and marks, capitals and accents do not count', () => {
    expect(['סניף 10', 'סניף 9'].toSorted(compareNames('he'))).toEqual(['סניף 9', 'סניף 10'])
    expect(compareNames('he')('א״ב בע״מ', 'אב בעמ')).toBe(0)
    expect(compareNames('fr')('Élan', 'elan')).toBe(0)
  })
})
