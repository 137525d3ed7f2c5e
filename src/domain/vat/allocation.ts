import type { Day } from '../day.ts'
import type { DocumentTotals } from '../documents/arithmetic.ts'
import { inForceOn, stepOn } from '../law/figures.ts'
import { sum, type Agorot } from '../money.ts'

/** What the authority answered when it was asked on a day. */
export interface ToldThreshold {
  readonly day: Day
  readonly agorot: Agorot
}

/**
 * An allocation number is needed when the amount before VAT exceeds this. The authority's own service answers with
 * the current one, which takes precedence over the table; the table holds where it was silent. In agorot; undefined
 * before the law began. The authority's last answer before that day, or on it, holds, unless the law's table has a
 * step since: an answer on the last day of a year says nothing of the next. @param told in the order of their days
 */
export function allocationThresholdOn(day: Day, told: readonly ToldThreshold[] = []): Agorot | undefined {
  const law = inForceOn('allocationThreshold', day)
  const last = told.findLast((one) => one.day <= day)
  // An answer before the last step of the law says nothing of what came after it.
  return law !== undefined && last && last.day >= stepOn('allocationThreshold', day)! ? last.agorot : law
}

export interface AllocationQuestion {
  /** What the type of document says: tax invoices may need a number, credits and receipts never. */
  readonly documentAllows: boolean
  readonly day: Day
  /** After discount, before VAT, in shekels: of the whole invoice (`netOfInvoice`). */
  readonly net: Agorot
  readonly vat: Agorot
  /** Only a dealer can deduct the VAT, so only a dealer's invoice needs the number. */
  readonly customerIsDealer: boolean
}

/**
 * The amount of an invoice before VAT, in shekels. The law measures the invoice, not its taxed part: exempt and
 * zero-rated lines count too, and a number is needed as soon as there is VAT to deduct. A received bill is measured
 * the same way. Money held in trust is nobody's price.
 */
export const netOfInvoice = (totals: Pick<DocumentTotals, 'net' | 'lines'>): Agorot =>
  totals.net - heldIn(totals)

/** What lines hold in trust for its owner. */
export const heldIn = ({ lines }: Pick<DocumentTotals, 'lines'>): Agorot =>
  sum(lines.filter(({ vatKind }) => vatKind === 'trustDeposit').map((line) => line.net))

/**
 * Whether the document must ask the tax authority for an allocation number. Exactly at the threshold it need
 * not.
 * @param thresholdOn by what the authority told, where the person who asks knows it
 */
export function needsAllocation(
  { documentAllows, day, net, vat, customerIsDealer }: AllocationQuestion,
  thresholdOn: (day: Day) => Agorot | undefined = allocationThresholdOn,
): boolean {
  const threshold = thresholdOn(day)
  return documentAllows && customerIsDealer && vat > 0 && threshold !== undefined && net > threshold
}
