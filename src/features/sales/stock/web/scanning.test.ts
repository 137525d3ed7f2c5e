import { expect, test } from 'vitest'
import { meantBy } from './scanning.ts'

const sheet = [
  { sku: 'QWAZ', item: 'American' },
  { sku: 'AZQW', item: 'French' },
  { sku: 'BCD-Z', item: 'alone' },
]
const lineOf = (code: string) => sheet.find(({ sku }) => sku === code)

test.each([
  // Both readings are of something: whoever scanned says which.
  [['QWAZ', 'AZQW'], ['American', 'French']],
  [['AZQW', 'QWAZ'], ['French', 'American']],
  // One of them is: that it is, whichever was likelier.
  [['BCD6W', 'BCD-Z'], ['alone']],
  [['BCD-Z', 'BCD6W'], ['alone']],
  [['BCD-Z'], ['alone']],
  [['BCDE', 'QQQ'], []],
  [['QWAZ', 'QWAZ'], ['American']],
])('%j are readings of %j', (readings, items) => {
  expect(meantBy(readings, lineOf).map(({ item }) => item)).toEqual(items)
})
