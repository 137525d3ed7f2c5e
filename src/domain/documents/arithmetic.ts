import {
  apportion,
  assertWhole,
  divideRounded,
  includedRate,
  roundTo,
  splitByLargestRemainder,
  sum,
  timesQuantity,
  timesRate,
  toSafeNumber,
  type Agorot,
  type BasisPoints,
  type TotalRounding,
} from '../money.ts'
import type { Decimal4 } from '../quantity.ts'
import type { VatKind } from './kinds.ts'

/*
 * The arithmetic of a document, defined once: the editor shows the results of these functions, the server stores
 * them, the PDF prints them and the books post them. All amounts are in hundredths of the document's currency.
 */

/** How VAT treats a supply. A trust deposit counts as exempt. */
export type VatClass = 'standard' | 'exempt' | 'zero'

/** A part of the amount, 0 to 10000, or a fixed sum. */
export type Discount = { readonly basisPoints: BasisPoints } | { readonly agorot: Agorot }

export interface DocumentLine {
  readonly quantity: Decimal4
  /** In units of the currency, with VAT when the kind is includingVat. */
  readonly unitPrice: Decimal4
  readonly discount?: Discount
  readonly vatKind: VatKind
  /** What the item is; 'standard' when nothing is said. A kind without VAT wins over it. */
  readonly vatClass?: VatClass
}

export interface DocumentAmounts {
  readonly lines: readonly DocumentLine[]
  readonly discount?: Discount
  /** The rate in force on the document's date; of a credit, the rate of the invoice it credits. */
  readonly vatRate: BasisPoints
  /**
   * 'none': the issuer charges no VAT (exempt dealer, non-profit). 'zero': a customer at zero rate (export,
   * Eilat).
   */
  readonly vatTreatment?: 'standard' | 'none' | 'zero'
  readonly rounding?: TotalRounding
}

export interface LineTotals {
  readonly vatKind: VatKind
  readonly vatClass: VatClass
  /** After the line's own discount; includes VAT when the price does. */
  readonly amount: Agorot
  /** The line's part of the document's discount, on the same footing as the amount. */
  readonly discountShare: Agorot
  readonly net: Agorot
  readonly vat: Agorot
  /** net + vat */
  readonly gross: Agorot
}

/**
 * What holds exactly: subtotal, discount, vat and the three nets are the totals of the lines; net is netTaxable +
 * netExempt + netZero; total is net + vat + rounding.
 */
export interface DocumentTotals {
  readonly lines: readonly LineTotals[]
  readonly subtotal: Agorot
  readonly discount: Agorot
  readonly netTaxable: Agorot
  readonly netExempt: Agorot
  readonly netZero: Agorot
  readonly net: Agorot
  readonly vat: Agorot
  readonly rounding: Agorot
  readonly total: Agorot
}

/** A line on its way: `pricesIncludeVat` is true only where there is VAT to take out. */
interface Line {
  readonly vatKind: VatKind
  readonly vatClass: VatClass
  readonly pricesIncludeVat: boolean
  readonly amount: Agorot
}

/** RangeError for discounts outside 0 to 100%, for fractions of agorot and for amounts beyond 2^53. */
export function totalsOf(document: DocumentAmounts): DocumentTotals {
  const lines = document.lines.map((line) => lineOf(line, document.vatTreatment ?? 'standard'))
  const discountShares = discountSharesOf(lines, document.discount)
  const afterDiscount = lines.map((line, index) => line.amount - at(discountShares, index))
  const vats = vatsOf(lines, afterDiscount, document.vatRate)
  return gather(
    lines.map(({ vatKind, vatClass, pricesIncludeVat, amount }, index) => {
      const vat = at(vats, index)
      const net = at(afterDiscount, index) - (pricesIncludeVat ? vat : 0)
      return {
        vatKind,
        vatClass,
        amount,
        discountShare: at(discountShares, index),
        net,
        vat,
        gross: net + vat,
      }
    }),
    (beforeRounding) => roundTo(beforeRounding, document.rounding ?? 'none') - beforeRounding,
  )
}

/** What a line's amount is worked out from. */
export type PricedLine = Pick<DocumentLine, 'quantity' | 'unitPrice' | 'discount'>

/**
 * round(quantity x unit price x (1 - discount)): one rounding. A discount by sum lessens the rounded amount,
 * of a returned line too. RangeError for one above the line.
 */
export function lineAmount({ quantity, unitPrice, discount }: PricedLine): Agorot {
  const whole = timesQuantity(unitPrice, quantity)
  if (!discount) return whole
  if ('basisPoints' in discount) return timesQuantity(unitPrice, quantity, assertShare(discount.basisPoints))
  if (assertWhole(discount.agorot) < 0 || discount.agorot > Math.abs(whole))
    throw new RangeError(`not a discount of ${whole}: ${discount.agorot} agorot`)
  return whole - Math.sign(whole) * discount.agorot
}

/** Whether a line's discount by amount is above the line: the error shown at the line itself. */
export const isDiscountAbove = ({ quantity, unitPrice, discount }: PricedLine): boolean =>
  discount !== undefined &&
  'agorot' in discount &&
  discount.agorot > Math.abs(timesQuantity(unitPrice, quantity))

function lineOf(line: DocumentLine, treatment: 'standard' | 'none' | 'zero'): Line {
  const vatClass = classOf(line, treatment)
  return {
    vatKind: line.vatKind,
    vatClass,
    pricesIncludeVat: vatClass === 'standard' && line.vatKind === 'includingVat',
    amount: lineAmount(line),
  }
}

function classOf(
  { vatKind, vatClass = 'standard' }: DocumentLine,
  treatment: 'standard' | 'none' | 'zero',
): VatClass {
  if (treatment === 'none' || vatKind === 'trustDeposit') return 'exempt'
  if (vatKind === 'withoutVat') return vatClass === 'zero' ? 'zero' : 'exempt'
  return vatClass === 'standard' && treatment === 'zero' ? 'zero' : vatClass
}

/**
 * Each class carries the discount of its own lines, so that a discount never moves between what is taxed and
 * what is not. Prices with VAT and prices without are summed apart, being different money.
 */
function discountSharesOf(lines: readonly Line[], discount: Discount | undefined): Agorot[] {
  const shares = lines.map(() => 0)
  if (!discount) return shares
  const amounts = lines.map((line) => line.amount)
  if ('agorot' in discount) return splitByLargestRemainder(lines.length === 0 ? 0 : discount.agorot, amounts)
  const part = assertShare(discount.basisPoints)
  for (const group of groupsOf(lines)) {
    const weights = group.map((index) => at(amounts, index))
    const total = timesRate(sum(weights), part, 'halfAwayFromZero')
    splitRated(total, weights, BigInt(part), 10_000n).forEach(
      (share, place) => (shares[at(group, place)] = share),
    )
  }
  return shares
}

/**
 * VAT is worked out once on the sum after discount, then split: VAT line by line would differ from the VAT
 * return by agorot.
 */
function vatsOf(lines: readonly Line[], afterDiscount: readonly Agorot[], rate: BasisPoints): Agorot[] {
  const vats = lines.map(() => 0)
  for (const group of groupsOf(lines)) {
    const first = lines[at(group, 0)]
    if (first?.vatClass !== 'standard') continue
    const weights = group.map((index) => at(afterDiscount, index))
    const base = sum(weights)
    const vat = first.pricesIncludeVat
      ? includedRate(base, rate, 'halfAwayFromZero')
      : timesRate(base, rate, 'halfAwayFromZero')
    const denominator = 10_000n + (first.pricesIncludeVat ? BigInt(rate) : 0n)
    splitRated(vat, weights, BigInt(rate), denominator).forEach(
      (share, place) => (vats[at(group, place)] = share),
    )
  }
  return vats
}

/**
 * In proportion to the weights. When a returned line is among the sold ones the total may almost cancel out, and
 * proportion to it would inflate half an agora to shekels; then each line starts from its exact value instead.
 */
function splitRated(total: Agorot, weights: readonly Agorot[], rate: bigint, denominator: bigint): Agorot[] {
  const hasBothSigns = weights.some((weight) => weight > 0) && weights.some((weight) => weight < 0)
  if (!hasBothSigns) return splitByLargestRemainder(total, weights)
  return apportion(
    total,
    weights.map((weight) => BigInt(weight) * rate),
    denominator,
  )
}

/**
 * Indices of the lines that are summed together: by class, and the standard class by whether its prices
 * include VAT.
 */
function groupsOf(lines: readonly Line[]): number[][] {
  const groups = new Map<string, number[]>()
  lines.forEach((line, index) => {
    const key = line.vatClass + String(line.pricesIncludeVat)
    groups.set(key, [...(groups.get(key) ?? []), index])
  })
  return [...groups.values()]
}

function gather(
  lines: readonly LineTotals[],
  roundingOf: (beforeRounding: Agorot) => Agorot,
): DocumentTotals {
  const netOf = (vatClass: VatClass) =>
    sum(lines.filter((line) => line.vatClass === vatClass).map((line) => line.net))
  const net = sum(lines.map((line) => line.net))
  const vat = sum(lines.map((line) => line.vat))
  const rounding = roundingOf(sum([net, vat]))
  return {
    lines,
    subtotal: sum(lines.map((line) => line.amount)),
    discount: sum(lines.map((line) => line.discountShare)),
    netTaxable: netOf('standard'),
    netExempt: netOf('exempt'),
    netZero: netOf('zero'),
    net,
    vat,
    rounding,
    total: sum([net, vat, rounding]),
  }
}

/** An exchange rate in millionths: shekels for one unit of the currency, 3.651 is 3651000. */
export type Millionths = number

/**
 * The same document in shekels, for the books. Total, VAT, rounding and discount are converted each by
 * itself, since these are the figures that law and customer see; the lines follow by largest remainder, so
 * that they sum to the totals in shekels too.
 */
export function convertToIls(totals: DocumentTotals, rate: Millionths): DocumentTotals {
  if (assertWhole(rate) <= 0) throw new RangeError(`not an exchange rate: ${rate}`)
  const convert = (amount: Agorot) => toSafeNumber(divideRounded(BigInt(amount) * BigInt(rate), MILLION))
  const spread = (total: Agorot, amounts: readonly Agorot[]) =>
    apportion(
      total,
      amounts.map((amount) => BigInt(amount) * BigInt(rate)),
      MILLION,
    )
  const rounding = convert(totals.rounding)
  const vat = convert(totals.vat)
  const nets = spread(
    convert(totals.total) - vat - rounding,
    totals.lines.map((line) => line.net),
  )
  const vats = spread(
    vat,
    totals.lines.map((line) => line.vat),
  )
  const discountShares = spread(
    convert(totals.discount),
    totals.lines.map((line) => line.discountShare),
  )
  return gather(
    totals.lines.map(({ vatKind, vatClass }, index) => {
      const [net, lineVat, discountShare] = [at(nets, index), at(vats, index), at(discountShares, index)]
      const gross = net + lineVat
      const amount = (vatKind === 'includingVat' ? gross : net) + discountShare
      return { vatKind, vatClass, amount, discountShare, net, vat: lineVat, gross }
    }),
    () => rounding,
  )
}

const MILLION = 1_000_000n

function assertShare(basisPoints: BasisPoints): BasisPoints {
  if (assertWhole(basisPoints) < 0 || basisPoints > 10_000)
    throw new RangeError(`not a discount: ${basisPoints} basis points`)
  return basisPoints
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0
}
