import { expect, test } from 'vitest'
import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { mostChips } from '#kit/web/parts/FewChips.tsx'
import { chipsInOrder, extras, type EditorChip } from './chips.ts'

const all: EditorChip[] = [...extras, 'lines', 'files']
const shown = (name: (typeof documentTypeNames)[number], often = {}) =>
  chipsInOrder(documentTypes[name].id, all, often).slice(0, mostChips)

test('four chips, those of the type first', () => {
  expect(mostChips).toBe(4)
  expect(shown('priceQuote')).toEqual(['discount', 'notes', 'files', 'project'])
  expect(shown('taxInvoice')).toEqual(['discount', 'notes', 'orderNumber', 'project'])
  expect(shown('deliveryNote')).toEqual(['deliverTo', 'orderNumber', 'notes', 'project'])
})

test.each(documentTypeNames)('nothing of %s is lost', (name) => {
  expect(chipsInOrder(documentTypes[name].id, all, {}).toSorted()).toEqual(all.toSorted())
})

test('what a person uses often is among the four', () => {
  expect(shown('taxInvoice', { currency: 1 })).not.toContain('currency')
  expect(shown('taxInvoice', { currency: 4 })).toContain('currency')
})
