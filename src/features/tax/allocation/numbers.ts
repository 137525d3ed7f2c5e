import { documentTypes } from '#domain/documents/kinds.ts'

/** What is printed and reported of an allocation number: its rightmost nine digits. */
export const lastNine = (number: string): string => number.slice(-9)

/**
 * An invoice that was paid as it was issued cannot be issued again without its VAT: the sum that came in would
 * not fit it.
 */
export const typesWithReverse: readonly number[] = [documentTypes.taxInvoice.id]
