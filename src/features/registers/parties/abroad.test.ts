import { describe, expect, test } from 'vitest'
import { currencyFor, whenAbroad, whenCountry } from './abroad.ts'

describe('a customer abroad', () => {
  test('is one switch: language, currency and zero rate', () => {
    expect(whenAbroad(true, { language: 'he', country: 'Germany', currency: null })).toEqual({
      isAbroad: true,
      language: 'en',
      currency: 'EUR',
      zeroRate: true,
    })
  })

  test('keeps the language and the currency that were chosen', () => {
    expect(whenAbroad(true, { language: 'fr', country: 'Suisse', currency: 'USD' })).toMatchObject({
      language: 'fr',
      currency: 'USD',
    })
  })

  test('leaves nothing behind when it is switched off', () => {
    expect(whenAbroad(false, { language: 'en', currency: 'EUR' })).toEqual({
      isAbroad: false,
      currency: null,
      zeroRate: false,
      zeroGround: null,
      hidesIls: false,
    })
  })

  test('takes the currency of a country that is written later, and no chosen one away', () => {
    expect(whenCountry('גרמניה', { isAbroad: true, currency: 'USD', country: '' })).toEqual({
      country: 'גרמניה',
      currency: 'EUR',
    })
    expect(whenCountry('UK', { isAbroad: true, currency: 'EUR', country: 'USA' })).toEqual({ country: 'UK' })
    expect(whenCountry('UK', { isAbroad: false, currency: 'USD', country: '' })).toEqual({ country: 'UK' })
  })

  test.each([
    ['Deutschland', 'EUR'],
    ['England', 'GBP'],
    ['יפן', 'JPY'],
    ['Brazil', 'USD'],
    ['', 'USD'],
  ])('in %s is usually charged in %s', (country, currency) => expect(currencyFor(country)).toBe(currency))
})
