import { statusFacts, typeFacts } from './facts.ts'
import { described, type DocumentStatus, type DocumentTypeName } from './kinds.ts'

/** One thing that is done next with an issued document. */
export type DocumentStep =
  | { do: 'send' | 'sendAgain' | 'bill' }
  /** Its money is recorded, by a document of this type. */
  | { do: 'receive'; type: DocumentTypeName }
  /** The next document of the sale, or another one of the same type. */
  | { do: 'make' | 'another'; type: DocumentTypeName }

export interface StepFacts {
  type: DocumentTypeName
  status: DocumentStatus
  isSent: boolean
  /** What is still to be paid of it, owed or asked for. */
  toPayAgorot: number
  /** Types that may follow it, for this business and this person. */
  next: readonly DocumentTypeName[]
  maySend: boolean
  /** The bill of what was received may be entered. */
  mayBill: boolean
  /** Another document of its type may be started. */
  mayStart: boolean
}

/** The order of a sale; a type that is not listed comes last. */
const process: readonly DocumentTypeName[] = [
  'priceQuote',
  'order',
  'purchaseOrder',
  'deliveryNote',
  'goodsReceived',
  'selfBilledInvoice',
  'paymentRequest',
  'taxInvoice',
  'taxInvoiceReceipt',
  'receipt',
  'returnNote',
]
const placeOf = (type: DocumentTypeName): number => (process.indexOf(type) + 1 || process.length + 1) - 1

/** Types in the order in which the documents of a sale follow each other. */
export const inProcessOrder = (types: readonly DocumentTypeName[]): DocumentTypeName[] =>
  types.toSorted((one, other) => placeOf(one) - placeOf(other))

/**
 * The document that records the money: of an asked amount its invoice with the receipt, where the business issues
 * one, of an owed one a receipt.
 */
function payingType({ type, next }: StepFacts): DocumentTypeName | undefined {
  const paying = next.filter((one) => described(one).money === 'payment')
  return (
    (typeFacts(type).asks ? paying.find((one) => typeFacts(one).isPaidInvoice) : undefined) ??
    paying.find((one) => !typeFacts(one).isPaidInvoice) ??
    paying[0]
  )
}

/**
 * The next steps of an issued document, the most likely first: the first is the primary action of its page, the
 * second is beside it. It is sent, then its money is received or the next document of the sale is created, then
 * another of its type begins.
 */
export function stepsOf(facts: StepFacts): DocumentStep[] {
  const { type, status, isSent, toPayAgorot, next, maySend, mayBill, mayStart } = facts
  const { isLive, isOpen } = statusFacts(status)
  const another: DocumentStep[] = mayStart ? [{ do: 'another', type }] : []
  if (!isLive) return another
  const paying = typeFacts(type).isToBePaid && toPayAgorot > 0 ? payingType(facts) : undefined
  const follows = typeFacts(type).waitsForFollowers && isOpen ? inProcessOrder(next) : []
  return [
    // What was received is billed; its note stays in the house.
    ...(mayBill ? [{ do: 'bill' } as const] : []),
    ...(maySend && !isSent ? [{ do: 'send' } as const] : []),
    ...(paying ? [{ do: 'receive', type: paying } as const] : []),
    ...follows.map((one) => ({ do: 'make', type: one }) as const),
    // While it is open, another one is not what comes next.
    ...(paying || follows.length ? [] : another),
    ...(maySend && isSent ? [{ do: 'sendAgain' } as const] : []),
    // Goods and requests beside the payment, for which nothing waits.
    ...inProcessOrder(next)
      .filter((one) => one !== paying && !follows.includes(one))
      .map((one) => ({ do: 'make', type: one }) as const),
  ]
}
