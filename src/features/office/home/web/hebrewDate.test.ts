import { expect, test } from 'vitest'
import { hebrewDate, inLetters } from './hebrewDate.ts'

test.each([
  [1, 'א׳'],
  [10, 'י׳'],
  [15, 'ט״ו'],
  [16, 'ט״ז'],
  [29, 'כ״ט'],
  [787, 'תשפ״ז'],
  [800, 'ת״ת'],
  [715, 'תשט״ו'],
])('%d in letters is %s', (number, text) => expect(inLetters(number)).toBe(text))

test('a day of Kislev, in letters and in figures; leap months say which Adar', () => {
  expect(hebrewDate('2026-11-20', 'he')).toBe('י׳ בכסלו תשפ״ז')
  expect(hebrewDate('2026-11-20', 'en')).toBe('10 Kislev 5787')
  expect(hebrewDate('2027-03-23', 'he')).toBe('י״ד באדר ב׳ תשפ״ז')
})
