import { convertToIls, totalsOf, type Discount, type DocumentTotals } from '#domain/documents/arithmetic.ts'
import { dueDay, type PaymentTerms } from '#domain/documents/due.ts'
import { chargesVat, vatKindById, type BusinessKind } from '#domain/documents/kinds.ts'
import type { Day } from '#domain/day.ts'
import { timesFraction, type TotalRounding } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { isTaxId } from '#domain/taxId.ts'
import { vatRateOn } from '#domain/vat/rates.ts'

/*
 * How a document is worked out, once for the server that keeps it and for the editor that shows it while it
 * is typed: the figures under the lines are the figures that will be issued, to the agora.
 */

/** 'now', 'net:30', 'eom:60' as the domain's terms. */
export function termsOf(text: string): PaymentTerms {
  const [kind, days] = text.split(':')
  return kind === 'net'
    ? { kind: 'net', dueDays: Number(days) }
    : kind === 'eom'
      ? { kind: 'endOfMonth', dueDays: Number(days) }
      : { kind: 'immediate' }
}

export const dueDayOf = (day: Day, terms: string): Day => dueDay(day, termsOf(terms))

/** The terms of payment that a document shows: null where it has an explicit due day, which they would contradict. */
export const termsShown = (day: Day, due: Day | null, terms: string): string | null =>
  due === null || due === dueDayOf(day, terms) ? terms : null

/** A rate of exchange as millionths: '3.651' is 3651000. */
export const millionths = (rate: string): number => {
  const [whole = '0', part = ''] = rate.split('.')
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0').slice(0, 6))
}

/**
 * The lines and what bears on their sum, as the input has them; what is left open the settings of the
 * business fill in.
 */
export interface Worked {
  lines: readonly {
    quantity: string
    unitPrice: string
    vatKind?: number | undefined
    discount?: Discount | undefined
  }[]
  discount?: Discount | null | undefined
  rounding?: TotalRounding | undefined
}

export interface Settled {
  kind: BusinessKind
  /** A customer at zero rate. */
  zeroRate: boolean
  vatRateBp: number
  defaultVatKind: number
  rounding: TotalRounding
}

/** The rate a business charges on a day. */
export const rateFor = (kind: BusinessKind, day: Day): number => (chargesVat(kind) ? vatRateOn(day) : 0)

/** RangeError for amounts beyond what is exact and for a discount above the amount. */
export const workOut = (content: Worked, settled: Settled): DocumentTotals =>
  totalsOf({
    lines: content.lines.map((line) => ({
      quantity: parseDecimal4(line.quantity) ?? 0,
      unitPrice: parseDecimal4(line.unitPrice) ?? 0,
      vatKind: vatKindById(line.vatKind ?? settled.defaultVatKind) ?? 'beforeVat',
      ...(line.discount ? { discount: line.discount } : {}),
    })),
    ...(content.discount ? { discount: content.discount } : {}),
    vatRate: settled.vatRateBp,
    vatTreatment: !chargesVat(settled.kind) ? 'none' : settled.zeroRate ? 'zero' : 'standard',
    rounding: content.rounding ?? settled.rounding,
  })

/** A customer with a company's number counts as a dealer, whether or not anybody ticked it. */
export const countsAsDealer = (customer: { isDealer: boolean | null; taxId: string | null }): boolean =>
  Boolean(customer.isDealer) ||
  Boolean(customer.taxId && isTaxId(customer.taxId) && /^5[1-8]/.test(customer.taxId))

/**
 * A paper that comes to what was paid, not to its lines: its nets stay zero, unless the money is itself the
 * income. `paid` in the document's currency.
 */
export const totalsOfMoney = (totals: DocumentTotals, paid: number, isIncome: boolean): DocumentTotals => ({
  ...totals,
  subtotal: paid,
  discount: 0,
  netTaxable: 0,
  netExempt: isIncome ? paid : 0,
  netZero: 0,
  net: isIncome ? paid : 0,
  vat: 0,
  rounding: 0,
  total: paid,
})

/** In shekels at a rate in millionths; a paper without lines has one sum to convert. */
export function totalsInIls(totals: DocumentTotals, rateMillionths: number): DocumentTotals {
  if (totals.lines.length && totals.net) return convertToIls(totals, rateMillionths)
  const total = timesFraction(totals.total, rateMillionths, 1_000_000, 'halfAwayFromZero')
  return { ...totals, total, net: totals.net && total, netExempt: totals.netExempt && total }
}
