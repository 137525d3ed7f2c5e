import { defineErrors } from '#kit/describe/errors.ts'
import '#features/sales/documents/rules.ts'

/** What a person can mend; each is also the last part of an error's word. */
export const mendable = [
  'number',
  'currency',
  'seller',
  'buyer',
  'buyerCountry',
  'lines',
  'preceding',
  'supplier',
  'invoice',
] as const

defineErrors({ 'einvoice.notThisType': 422, 'einvoice.incomplete': 422 })
