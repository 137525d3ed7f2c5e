import { defineErrors } from '#kit/describe/errors.ts'

/** Why a debt is held to be lost. */
export const grounds = ['insolvency', 'enforcement', 'notFound', 'agreement', 'other'] as const
export type Ground = (typeof grounds)[number]

defineErrors({
  'badDebts.notInvoice': 422,
  'badDebts.nothingOpen': 409,
  'badDebts.held': 422,
  'badDebts.notReported': 422,
  'badDebts.notWrittenOff': 422,
  'badDebts.allRecovered': 409,
})
