import type { Day } from '../day.ts'
import { chargesVat, type BusinessKind, type DocumentTypeName, type PaymentMeans } from './kinds.ts'

/*
 * Which document money needs. A business that charges VAT proves a sale by a tax invoice; where it is paid at once, that
 * is a tax invoice with its receipt (VAT law, sections 45 and 47). A receipt alone is for businesses that charge no VAT,
 * and for the payment of an invoice that was issued before (bookkeeping rules, section 5).
 */

/** What a business is, from a day on. */
export interface KindFrom {
  readonly from: Day
  readonly kind: BusinessKind
}

export interface MoneyReceived {
  /** The kinds of the business, oldest first: an exempt dealer may become a licensed one. At least one. */
  readonly kinds: readonly KindFrom[]
  /** The day of the money. */
  readonly day: Day
  /** What it is for. A deposit is held for its owner and is no income. */
  readonly for: 'sale' | 'donation' | 'deposit'
  /** What it pays: an invoice of this business, a request for payment, or nothing that was issued. */
  readonly pays: 'invoice' | 'request' | 'nothing'
  /** All means of the payment. At least one. */
  readonly means: readonly PaymentMeans[]
}

/** Why a document is the one that is needed. */
export type NeededBecause = 'deposit' | 'paysInvoice' | 'donation' | 'chargesNoVat' | 'chargesVat'

/**
 * The document that money needs on its day, and why; undefined where it needs none: tax that was withheld is no money
 * received, and counts only as a part of the payment of an invoice. RangeError without a kind or means, and for a
 * deposit or a donation that pays an invoice.
 */
export function neededDocument(
  money: MoneyReceived,
): { readonly document: DocumentTypeName; readonly because: NeededBecause } | undefined {
  if (!money.means.length) throw new RangeError('money without means of payment')
  const kind = kindOn(money.kinds, money.day)
  if (money.pays === 'invoice') {
    if (money.for !== 'sale') throw new RangeError(`a ${money.for} pays no invoice`)
    return { document: 'receipt', because: 'paysInvoice' }
  }
  if (money.means.every((means) => means === 'withheldTax')) return undefined
  if (money.for === 'deposit') return { document: 'depositReceipt', because: 'deposit' }
  // Only a non-profit takes donations: what another business calls one is the price of something.
  if (money.for === 'donation' && kind === 'nonProfit')
    return { document: 'donationReceipt', because: 'donation' }
  return chargesVat(kind)
    ? { document: 'taxInvoiceReceipt', because: 'chargesVat' }
    : { document: 'receipt', because: 'chargesNoVat' }
}

/** The document that money by card needs, of a business of this kind: it always needs one. */
export const neededByCard = (
  kind: BusinessKind,
  money: Pick<MoneyReceived, 'for' | 'pays'>,
): DocumentTypeName =>
  neededDocument({ ...money, kinds: [{ from: '0001-01-01', kind }], day: '0001-01-01', means: ['card'] })!
    .document

/** The kind on a day; before the first of them, the first. */
function kindOn(kinds: readonly KindFrom[], day: Day): BusinessKind {
  const found = kinds.findLast(({ from }) => from <= day) ?? kinds[0]
  if (!found) throw new RangeError('a business without a kind')
  return found.kind
}
