import { expect, test } from 'vitest'
import { lacksDetailsIn } from './inLanguage.ts'

const business = { name: 'זרם טוב', street: '', city: 'חיפה', bankDetails: '', language: 'he', languages: [] }

test.each([
  ['in its own language', business, 'he', false],
  ['in another script', business, 'en', true],
  [
    'a Hebrew name serves Hebrew documents of an owner who works in English',
    { ...business, language: 'en' },
    'he',
    false,
  ],
  [
    'English details serve French documents',
    { ...business, name: 'Blue Fig', city: '', language: 'en' },
    'fr',
    false,
  ],
  ['an English name with a Hebrew address', { ...business, name: 'Blue Fig' }, 'en', true],
  ['a name without letters', { ...business, name: '5×6', city: '' }, 'ru', false],
  [
    'answered once, also with nothing',
    { ...business, languages: [{ language: 'en', name: '', street: '', city: '', bankDetails: '' }] },
    'en',
    false,
  ],
] as const)('details are asked for: %s', (_, company, language, isAsked) => {
  expect(lacksDetailsIn(company as never, language)).toBe(isAsked)
})
