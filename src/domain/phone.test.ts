import { expect, test } from 'vitest'
import { internationalPhone, israeliMobile, phoneKey, whatsAppLink } from './phone.ts'

test.each([
  ['050-1234567', '972501234567', '0501234567'],
  ['+972 (0)50 123 4567', '972501234567', '0501234567'],
  ['00972501234567', '972501234567', '0501234567'],
  ['972501234567', '972501234567', '0501234567'],
  ['03-6123456', '97236123456', undefined],
  ['+44 20 7946 0958', '442079460958', undefined],
  ['', undefined, undefined],
  [null, undefined, undefined],
  ['123', undefined, undefined],
])('%s', (phone, whole, mobile) =>
  expect([internationalPhone(phone), israeliMobile(phone)]).toEqual([whole, mobile]),
)

test('a link keeps every sign of its text', () => {
  expect(whatsAppLink('050-1234567', 'שלום & 50%\nhttps://a.b/?x=1')).toMatch(
    /^https:\/\/wa\.me\/972501234567\?text=[\w%.~!*'()-]+$/,
  )
  expect(new URL(whatsAppLink(null, 'a&b=c #1')).searchParams.get('text')).toBe('a&b=c #1')
})

test('one phone has one key, however it is written', () => {
  for (const one of [
    '+972 52 123 4567',
    '(052) 123-4567',
    '0521234567',
    '00972 (0)52.123.4567',
    '972521234567',
  ])
    expect(phoneKey(one), one).toBe('0521234567')
  expect(phoneKey('+44 20 7946 0958')).toBe('442079460958')
})
