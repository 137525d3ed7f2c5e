import { expect, test } from 'vitest'
import { documentTypeNames } from '../documents/kinds.ts'
import { referenceGroup } from './referenceGroup.ts'

test.each([
  ['taxInvoice', '0000'],
  ['taxInvoiceReceipt', '9000'],
  ['creditInvoice', 'A000'],
])('the main series %s has the group %s for good', (series, group) =>
  expect(referenceGroup(series)).toBe(group),
)

test('types, branches, paper books and other programs each have a group of their own', () => {
  const more = ['', '@חיפה', '@Haifa', '@חיפה#hand', '#hand', '#before:', '#before:A', '@1', '@2', '@10']
  const series = documentTypeNames.flatMap((name) => more.map((part) => `${name}${part}`))
  expect(new Set(series.map(referenceGroup)).size).toBe(series.length)
  for (const one of series) expect(referenceGroup(one)).toMatch(/^[0-9A-Z]{4}$/)
})

test('branches of a large business do not share a group', () => {
  const groups = Array.from({ length: 40 }, (_, n) => referenceGroup(`taxInvoice@סניף ${n + 1}`))
  expect(new Set(groups).size).toBe(groups.length)
})
