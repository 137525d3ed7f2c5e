import { expect, test } from 'vitest'
import { fieldsIn, merge } from './merge.ts'

test.each([
  ['Dear {customer.name}', { 'customer.name': 'Cohen' }, 'Dear Cohen'],
  ['{customer.name}, {customer.name}', { 'customer.name': 'א' }, 'א, א'],
  // What a customer is called is text, whatever it looks like.
  ['{customer.name}', { 'customer.name': '{today}', today: '01/01/2026' }, '{today}'],
  ['{customer.name}', { 'customer.name': '$&' }, '$&'],
  ['a\n{customer.address}\nb', {}, 'a\nb'],
  ['a\n\nb', {}, 'a\n\nb'],
  ['a {customer.contact}b', {}, 'a b'],
  ['{no.such} {x', {}, '{no.such} {x'],
])('%j', (text, values, filled) => expect(merge(text, values)).toBe(filled))

test('what a text asks for is told from what nobody knows', () =>
  expect(fieldsIn('{today} {customer.nmae} {today} {document.total} {not a field}')).toEqual({
    known: ['today', 'document.total'],
    unknown: ['customer.nmae'],
  }))
