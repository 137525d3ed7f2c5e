import { expect, test } from 'vitest'
import { scriptOf, scriptOfLanguage } from './script.ts'

test.each([
  ['זרם טוב בע״מ', 'Hebrew'],
  ['Blue Fig Hosting Ltd.', 'Latin'],
  ['مطعم الزعتر', 'Arabic'],
  ['Водяной знак', 'Cyrillic'],
  ['מוסך הציר BMW', 'Hebrew'],
  ['Café Élan 5×6', 'Latin'],
  ['אב AB', 'Latin'],
  ['12 / 34', undefined],
  ['', undefined],
])('the script of %j is %s', (text, script) => {
  expect(scriptOf(text)).toBe(script)
})

test('each language of the product has a script', () => {
  expect(['he', 'ar', 'en', 'ru', 'fr'].map(scriptOfLanguage)).toEqual([
    'Hebrew',
    'Arabic',
    'Latin',
    'Cyrillic',
    'Latin',
  ])
})
