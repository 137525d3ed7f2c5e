import { expect, test } from 'vitest'
import { meantBy, readCode } from './scanning.ts'

const sheet = [
  { sku: 'QWAZ', item: 'American' },
  { sku: 'AZQW', item: 'French' },
  { sku: 'BCD-Z', item: 'alone' },
]
const lineOf = (code: string) => sheet.find(({ sku }) => sku === code)

test.each([
  // Both readings are of something: the person who scanned says which.
  [
    ['QWAZ', 'AZQW'],
    ['American', 'French'],
  ],
  [
    ['AZQW', 'QWAZ'],
    ['French', 'American'],
  ],
  // One of them is: that it is, whichever was likelier.
  [['BCD6W', 'BCD-Z'], ['alone']],
  [['BCD-Z', 'BCD6W'], ['alone']],
  [['BCD-Z'], ['alone']],
  [['BCDE', 'QQQ'], []],
  [['QWAZ', 'QWAZ'], ['American']],
])('%j are readings of %j', (readings, items) => {
  expect(meantBy(readings, lineOf).map(({ item }) => item)).toEqual(items)
})

test.each([
  ['17310215', '2031-02-15'],
  ['17310200', '2031-02-28'],
  ['17320200', '2032-02-29'],
  ['17311200', '2031-12-31'],
])('a code that expires %s is good until %s', (said, expires) => {
  expect(readCode(`0107290000000001${said}10AB`)).toMatchObject({
    code: '7290000000001',
    batch: 'AB',
    expires,
  })
})
