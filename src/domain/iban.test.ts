import { describe, expect, test } from 'vitest'
import { accountOfIban, groupIban, israeliIban, normaliseIban } from './iban.ts'

describe('an international account number', () => {
  // The examples of the registry.
  test.each([
    'IL620108000000099999999',
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
  ])('%s is right', (iban) => {
    expect(normaliseIban(groupIban(iban).toLowerCase())).toBe(iban)
  })

  test.each([
    ['a digit is wrong', 'IL620108000000099999998'],
    ['two digits are swapped', 'DE98370400440532013000'],
    ['it is too short for Israel', 'IL62010800000009999999'],
    ['it is too long for Germany, whatever its check digits', 'DE9837040044053201300000'],
    ['it is too short for France, whatever its check digits', 'FR50200410100505000'],
    ['it is no number at all', 'hello'],
    ['it is empty', ''],
  ])('is refused when %s', (_why, iban) => {
    expect(normaliseIban(iban)).toBeUndefined()
  })

  test('follows from bank, branch and account, and leads back to them', () => {
    expect(israeliIban(10, '800', '99999999')).toBe('IL620108000000099999999')
    expect(accountOfIban('IL62 0108 0000 0009 9999 999')).toEqual({
      bank: 10,
      branch: '800',
      account: '99999999',
    })
    expect(accountOfIban('DE89370400440532013000')).toBeUndefined()
  })

  test('is made for every account so that its own check holds', () => {
    for (let n = 1; n < 4000; n += 37) {
      const iban = israeliIban(1 + (n % 99), String(n % 1000), String(n * 7919))
      expect(normaliseIban(iban)).toBe(iban)
      expect(accountOfIban(iban)).toEqual({
        bank: 1 + (n % 99),
        branch: String(n % 1000).padStart(3, '0'),
        account: String(n * 7919),
      })
    }
  })

  test('is not made of anything but digits', () => {
    expect(() => israeliIban(10, '8a', '1')).toThrow(RangeError)
    expect(() => israeliIban(10, '800', '')).toThrow(RangeError)
  })
})
