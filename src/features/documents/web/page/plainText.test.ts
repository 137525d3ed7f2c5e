import { expect, test } from 'vitest'
import { withoutMarks } from '../words.ts'
import { fillText, whatsAppNumber } from './plainText.ts'

test.each([
  ['050-1234567', '972501234567'],
  ['+44 20 7946 0958', '442079460958'],
  ['972501234567', '972501234567'],
  ['', undefined],
  [null, undefined],
  ['123', undefined],
])('%s for WhatsApp is %s', (phone, number) => expect(whatsAppNumber(phone)).toBe(number))

test('a text keeps what it does not know', () =>
  expect(fillText('[document] [number] [x]', { document: 'A', number: '1' })).toBe('A 1 [x]'))

test('marks of direction stay behind', () => expect(withoutMarks('\u2068a\u2069 \u2066b\u2069')).toBe('a b'))
