import type { DocumentTypeName } from './kinds.ts'

/*
 * What a later paper takes of an earlier one. Supplying, charging, asking for money and giving back are
 * different things: an order that was asked money for is still to be supplied, and goods that were charged
 * can still come back. So what is left of a line depends on who wants it. The database checks by the same
 * table (`used_by` in the migrations).
 */

type Names = readonly DocumentTypeName[]

/** Of a source, by what may follow it: the papers that use up what that follower could take. */
const table: Partial<Record<DocumentTypeName, readonly (readonly [followers: Names, usedBy: Names])[]>> = {
  priceQuote: [
    [
      ['order', 'deliveryNote', 'taxInvoice', 'taxInvoiceReceipt'],
      ['order', 'deliveryNote', 'taxInvoice', 'taxInvoiceReceipt'],
    ],
    [['paymentRequest'], ['paymentRequest', 'taxInvoice', 'taxInvoiceReceipt']],
  ],
  order: [
    [
      ['deliveryNote', 'taxInvoice', 'taxInvoiceReceipt'],
      ['deliveryNote', 'taxInvoice', 'taxInvoiceReceipt'],
    ],
    [['paymentRequest'], ['paymentRequest', 'taxInvoice', 'taxInvoiceReceipt']],
  ],
  // What was returned is not charged any more. A request is replaced by the invoice that is created from it.
  deliveryNote: [
    [
      ['paymentRequest', 'taxInvoice', 'taxInvoiceReceipt'],
      ['returnNote', 'paymentRequest', 'taxInvoice', 'taxInvoiceReceipt'],
    ],
    [['returnNote'], ['returnNote']],
  ],
  paymentRequest: [
    [
      ['taxInvoice', 'taxInvoiceReceipt'],
      ['taxInvoice', 'taxInvoiceReceipt'],
    ],
  ],
  // What was credited is not supplied any more.
  taxInvoice: [
    [['deliveryNote'], ['deliveryNote', 'creditInvoice']],
    [['creditInvoice'], ['creditInvoice']],
  ],
  taxInvoiceReceipt: [
    [['deliveryNote'], ['deliveryNote', 'creditInvoice']],
    [['creditInvoice'], ['creditInvoice']],
  ],
  purchaseOrder: [
    [
      ['goodsReceived', 'selfBilledInvoice'],
      ['goodsReceived', 'selfBilledInvoice'],
    ],
  ],
  goodsReceived: [[['selfBilledInvoice'], ['selfBilledInvoice']]],
}

/**
 * The followers that close a source: a quote is done when it was ordered or asked money for, an order when it
 * was supplied.
 */
const closing: Partial<Record<DocumentTypeName, Names>> = {
  priceQuote: ['order', 'paymentRequest'],
  order: ['deliveryNote'],
  deliveryNote: ['taxInvoice'],
  paymentRequest: ['taxInvoice'],
  taxInvoice: ['creditInvoice'],
  taxInvoiceReceipt: ['creditInvoice'],
  purchaseOrder: ['goodsReceived'],
  goodsReceived: ['selfBilledInvoice'],
}

/**
 * The types that use up what `follower` could take of a paper of type `source`; where nothing is said, its
 * own kind.
 */
export const usedBy = (source: DocumentTypeName, follower: DocumentTypeName): Names =>
  table[source]?.find(([followers]) => followers.includes(follower))?.[1] ?? [follower]

/** Whether later documents close a document of this type, line by line. */
export const isClosedByFollowers = (type: DocumentTypeName): boolean => closing[type] !== undefined

/** How much of a line, in ten-thousandths, was taken by papers of each type. */
export type Taken = Partial<Record<DocumentTypeName, number>>

/**
 * What of a line's quantity is left for a follower; nothing rather than less than nothing. Quantities in
 * ten-thousandths.
 */
export function leftFor(
  source: DocumentTypeName,
  follower: DocumentTypeName,
  quantity: number,
  taken: Taken,
): number {
  const used = usedBy(source, follower).reduce((sum, type) => sum + (taken[type] ?? 0), 0)
  return quantity < 0 ? quantity : Math.max(0, quantity - used)
}

/** What keeps the source open: the least that is left for what closes it; the whole where nothing does. */
export const leftOpen = (source: DocumentTypeName, quantity: number, taken: Taken): number =>
  Math.min(quantity, ...(closing[source] ?? []).map((follower) => leftFor(source, follower, quantity, taken)))
