import { describe, expect, it } from 'vitest'
import { detectLanguage, directionOf, flattenDictionary, langXmlNumber, languageFrom } from './language.ts'

describe('which language to speak', () => {
  it('knows a language by code, by the old code, by a browser’s name and by number', () => {
    expect(languageFrom('he')).toBe('he')
    expect(languageFrom('iw')).toBe('he')
    expect(languageFrom('iw-IL')).toBe('he')
    expect(languageFrom('EN-us')).toBe('en')
    expect(languageFrom('606')).toBe('ru')
    expect(languageFrom('15')).toBe('ar')
    expect(languageFrom('de')).toBeUndefined()
    expect(languageFrom('fry')).toBeUndefined()
    expect(languageFrom('')).toBeUndefined()
    expect(languageFrom(undefined)).toBeUndefined()
  })

  it.each([
    [{ browser: ['iw-IL'] }, 'he'],
    [{ browser: ['de-DE', 'en'] }, 'he'],
    [{ browser: [] }, 'he'],
    [{ browser: ['ru-RU'] }, 'ru'],
    [{ browser: ['ru-RU'], kept: '15' }, 'ar'],
    [{ browser: ['ru-RU'], kept: '15', asked: 'fr' }, 'fr'],
    [{ browser: ['ru-RU'], kept: '15', asked: 'xx' }, 'ar'],
    [{ browser: ['de-DE'], publicPage: true }, 'en'],
    [{ browser: ['he'], publicPage: true }, 'he'],
    [{ browser: ['de-DE'], kept: '359', publicPage: true }, 'he'],
  ] as const)('%o -> %s', (clues, lang) => expect(detectLanguage(clues)).toBe(lang))

  it('writes Hebrew and Arabic from right to left', () => {
    expect((['he', 'ar', 'en', 'ru', 'fr'] as const).map(directionOf)).toEqual([
      'rtl',
      'rtl',
      'ltr',
      'ltr',
      'ltr',
    ])
  })

  it('keeps the numbers of the specification', () => {
    expect(langXmlNumber).toEqual({ he: 359, en: 139, ru: 606, ar: 15, fr: 282 })
  })

  it('flattens the answer of the server', () => {
    expect(flattenDictionary({ kit: { 'actions.back': 'x' }, errors: { 'kit.notFound': 'y' } })).toEqual({
      'kit.actions.back': 'x',
      'errors.kit.notFound': 'y',
    })
  })
})
