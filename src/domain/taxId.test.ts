import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeCheckDigit, guessTaxIdKind, isTaxId, normaliseTaxId } from './taxId.ts'

describe('the check digit', () => {
  // The tax authority's own test dealers, and one number worked out by hand: 1+4+3+8+5+3+7+7 = 38, so the
  // check digit is 2.
  test.each([
    '777777715',
    '777777723',
    '777777731',
    '777777749',
    '123456782',
    '18',
    '51-000000-3',
    ' 777 777 715 ',
  ])('%s is right', (text) => {
    expect(isTaxId(text)).toBe(true)
  })

  test.each(['777777716', '123456789', '000000000', '0', '', '1234567821', '12345678a', '-'])(
    '%j is refused',
    (text) => {
      expect(isTaxId(text)).toBe(false)
    },
  )

  test('completing eight digits', () => {
    expect(completeCheckDigit('12345678')).toBe('123456782')
    expect(completeCheckDigit('1')).toBe('000000018')
    expect(() => completeCheckDigit('123456782')).toThrow(RangeError)
    expect(() => completeCheckDigit('')).toThrow(RangeError)
    expect(() => completeCheckDigit('12a')).toThrow(RangeError)
  })

  test('a completed number is right and every other last digit is wrong', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (first) => {
        const whole = completeCheckDigit(String(first))
        const right = [...'0123456789'].filter((digit) => isTaxId(whole.slice(0, 8) + digit))
        expect(right).toEqual([whole[8]])
      }),
    )
  })

  test('a single mistyped digit is always caught', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (first, place, shift) => {
          const whole = completeCheckDigit(String(first))
          const wrong = String((Number(whole[place]) + shift) % 10)
          expect(isTaxId(whole.slice(0, place) + wrong + whole.slice(place + 1))).toBe(false)
        },
      ),
    )
  })
})

test('normalising', () => {
  expect(normaliseTaxId('18')).toBe('000000018')
  expect(normaliseTaxId('\u206651-123456-7\u2069')).toBe('511234567')
  expect(normaliseTaxId('IL511234567')).toBeUndefined()
})

test.each([
  ['511234567', 'company'],
  ['580000000', 'nonProfit'],
  ['540000000', 'partnership'],
  ['557000000', 'partnership'],
  ['570000000', 'cooperative'],
  ['051234567', 'person'],
  ['5', 'person'],
  ['abc', undefined],
])('%s looks like a %s', (text, kind) => {
  expect(guessTaxIdKind(text)).toBe(kind)
})
