import { describe, expect, test } from 'vitest'
import { classOfCode, oldList } from './declines.ts'
import { agorotOf, dayMonthYear, expiryOf, inShekels, lastFour, wholeOf } from './gateways/speak.ts'
import { accessToken } from './gateways/tranzila/client.ts'
import { lastDayOf } from '../acquirers.ts'

describe('decline codes', () => {
  /** What Shva's list for cards with a chip says, by hand. */
  const named: Record<string, string> = {
    '001': 'fraud',
    '002': 'fraud',
    '003': 'soft',
    '004': 'soft',
    '005': 'fraud',
    '006': 'details',
    '009': 'technical',
    '010': 'soft',
    '015': 'expired',
    '017': 'hard',
    '026': 'details',
    '304': 'hard',
    '344': 'hard',
    '425': 'technical',
    '445': 'hard',
    '447': 'details',
    '457': 'hard',
    '474': 'technical',
    '475': 'technical',
    '476': 'technical',
    '477': 'technical',
    '478': 'technical',
    '479': 'technical',
  }
  test('all of 000 to 799: what the list names is that, files missing in the terminal are its own matter, what is unknown is soft', () => {
    for (let n = 0; n < 800; n++) {
      const code = String(n).padStart(3, '0')
      expect([code, classOfCode(code)]).toEqual([
        code,
        named[code] ?? (n >= 51 && n <= 193 ? 'technical' : 'soft'),
      ])
      // Some send it as a number.
      expect(classOfCode(String(n))).toBe(classOfCode(code))
    }
  })
  test('codes of the list before chips mean what they meant there, where a gateway still sends them', () => {
    expect([classOfCode('033', oldList), classOfCode('36', oldList), classOfCode('039', oldList)]).toEqual([
      'details',
      'expired',
      'details',
    ])
    expect([classOfCode('033'), classOfCode('036')]).toEqual(['soft', 'soft'])
    expect([classOfCode(''), classOfCode('INSTRUMENT_DECLINED'), classOfCode('1010')]).toEqual([
      'soft',
      'soft',
      'soft',
    ])
  })
})

describe('shekels and agorot', () => {
  test.each([
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [105, '1.05'],
    [100_000_000_001, '1000000000.01'],
    [-2950, '-29.50'],
  ])('%i agorot are %s', (agorot, shekels) => {
    expect(inShekels(agorot)).toBe(shekels)
    expect(agorotOf(shekels)).toBe(agorot)
    expect(agorotOf(Number(shekels))).toBe(agorot)
  })
  test('every sum up to a hundred shekels goes there and back', () => {
    for (let agorot = 0; agorot <= 10_000; agorot++) expect(agorotOf(inShekels(agorot))).toBe(agorot)
  })
  test.each(['', 'x', '1,000.00', '1.005', '1e3', '0x10', '--1', null, undefined, {}])(
    '%j is no sum, and equals none',
    (text) => {
      expect(agorotOf(text)).toBeNaN()
    },
  )
  test('agorot that come as agorot are whole', () => {
    expect([wholeOf('12345'), wholeOf(7), wholeOf('1.5'), wholeOf('')]).toEqual([
      12_345,
      7,
      Number.NaN,
      Number.NaN,
    ])
  })
})

describe('what cards say of themselves', () => {
  test('months and years of two and four digits', () => {
    expect([expiryOf('4', '31'), expiryOf('04', '2031'), expiryOf('', '31'), expiryOf('4', '1')]).toEqual([
      '2031-04',
      '2031-04',
      '',
      '',
    ])
    expect([lastFour('************4242'), lastFour('12')]).toEqual(['4242', ''])
    expect([dayMonthYear('2026-11-25'), dayMonthYear('2026-11-25', '/')]).toEqual(['25112026', '25/11/2026'])
  })
  test('a card runs to the end of its month, or until its token is forgotten', () => {
    expect([
      lastDayOf('2028-02', null),
      lastDayOf('2027-12', '2027-12-05'),
      lastDayOf('2027-11', '2030-01-01'),
    ]).toEqual(['2028-02-29', '2027-12-05', '2027-11-30'])
  })
})

test('Tranzila’s access token is the HMAC-SHA256 of the app key under secret, time and nonce', () => {
  // Worked out apart: printf app | openssl dgst -sha256 -hmac secret1700000000nonce
  expect(accessToken('app', 'secret', '1700000000', 'nonce')).toBe(
    '8abe8517111694eca91d19e4ea5f4b4e94008b5cc17fe9d14f02a63576de182d',
  )
})
