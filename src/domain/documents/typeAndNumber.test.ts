import { expect, test } from 'vitest'
import { dayAsked } from '../dayAsked.ts'
import { phoneAsked } from '../phone.ts'
import { typeAndNumber } from './typeAndNumber.ts'

const names = [
  { type: 1, name: 'הצעת מחיר' },
  { type: 5, name: 'דרישת תשלום' },
  { type: 5, name: 'חשבון עסקה (דרישת תשלום)' },
  { type: 6, name: 'קבלה' },
  { type: 8, name: 'חשבונית מס' },
  { type: 9, name: 'חשבונית מס/קבלה' },
  { type: 10, name: 'חשבונית מס זיכוי' },
]

test.each([
  ['חשבונית 3', [8, 9, 10], '3'],
  ['חשבונית מס קבלה 14', [9], '14'],
  ['חשבון עסקה 7', [5], '7'],
  ['קבלה #12', [9, 6], '12'],
  ['הצעה 5', undefined, undefined],
  ['הצעת 5', [1], '5'],
  ['דנה 3', undefined, undefined],
  ['3', undefined, undefined],
  ['חשבונית', undefined, undefined],
])('%s is %j %s', (text, types, number) => {
  const found = typeAndNumber(text, names)
  expect([found?.types.toSorted(), found?.number]).toEqual([types?.toSorted(), number])
})

test.each([
  ['5.3.2026', '2026-03-05'],
  ['05/03/26', '2026-03-05'],
  ['2026-03-05', '2026-03-05'],
  ['31.2.2026', undefined],
  ['5.3', undefined],
])('the day %s is %s', (text, day) => expect(dayAsked(text)).toBe(day))

test.each([
  ['054-123-4567', '0541234567'],
  ['+972 54 123 4567', '0541234567'],
  ['(054) 1234567', '0541234567'],
  ['0541234', '0541234'],
  ['12345', undefined],
  ['8,260', undefined],
  ['דנה 0541234567', undefined],
])('the phone %s is %s', (text, key) => expect(phoneAsked(text)).toBe(key))
