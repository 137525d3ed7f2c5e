import { lineAmount } from '../documents/arithmetic.ts'
import {
  chargesVat,
  documentTypes,
  paymentMeans,
  paymentMeansById,
  vatKinds,
  type BusinessKind,
} from '../documents/kinds.ts'
import { missingDetails } from '../documents/paymentDetails.ts'
import { splitByLargestRemainder, sum, type Agorot } from '../money.ts'
import { parseDecimal4 } from '../quantity.ts'
import { normaliseTaxId } from '../taxId.ts'
import type { OrderLine, ShopOrder } from './order.ts'

/** How a business wants the orders of a shop on paper. */
export interface ShopRules {
  /** For people; businesses with a dealer's number get `businessPaper`. */
  readonly paper: 'taxInvoiceReceipt' | 'taxInvoice'
  readonly businessPaper: 'taxInvoice' | 'taxInvoiceReceipt'
  /**
   * Orders without VAT that go to Eilat, abroad, or to tourists are at zero rate (VAT Law 30, Eilat Free
   * Trade Zone Law 5); otherwise a person looks.
   */
  readonly zeroEilat: boolean
  readonly zeroAbroad: boolean
  readonly zeroTourist: boolean
  /** A line without VAT in an order with VAT: exempt, or a person looks. */
  readonly untaxedLines: 'look' | 'exempt'
  /** The means of payment where the shop does not say. */
  readonly means: number
}

/** Why no paper can be made of an order: the word is `shops.trouble.<code>`. */
export interface Trouble {
  readonly code: TroubleCode
  readonly params: Record<string, string | number>
  /** The order's total less what the paper would come to, where that is what is wrong. */
  readonly difference?: Agorot
}

export const troubleCodes = [
  'currency',
  'noRate',
  'line',
  'sum',
  'tax',
  'untaxed',
  'payments',
  'paymentDetails',
  'nothingPaid',
  'noDay',
  'notUnderstood',
  'refused',
  'edited',
  'refundAbove',
  'refundRefused',
  'orderUnknown',
] as const
export type TroubleCode = (typeof troubleCodes)[number]

/** A line of a document. */
export interface PaperLine {
  readonly description: string
  readonly sku: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discount?: { agorot: Agorot }
  readonly vatKind: 1 | 2 | 3 | 4
}

/** What the document of an order says. */
export interface OrderPaper {
  readonly type: number
  /** A tax invoice that is paid gets its receipt too. */
  readonly needsReceipt: boolean
  readonly zeroRate: boolean
  readonly lines: readonly PaperLine[]
  /** isHeld: it came before, when the gift card was sold, and is no longer held now. */
  readonly payments: readonly { means: number; amountAgorot: Agorot; reference: string; isHeld?: true }[]
  readonly total: Agorot
  /**
   * How far the document's arithmetic may differ from the total: the shop's rounding, and one agora for each line it
   * rounded separately.
   */
  readonly most: Agorot
}

const eilat = /^(אילת|eilat|elat|эйлат|إيلات)$/i

/**
 * The document of a paid order, or why there is none. Gift cards pay, a discount on the whole order lies on
 * its goods by largest remainder.
 */
export function paperOf(order: ShopOrder, rules: ShopRules, kind: BusinessKind): OrderPaper | Trouble {
  const wrong = refuse(order)
  if (wrong) return wrong
  const taxes = chargesVat(kind)
  const zero = taxes ? isZero(order, rules) : false
  if (typeof zero === 'object') return zero
  const lines = taxes
    ? linesOf(order, rules, zero)
    : linesOf(order, rules, true).map((line) =>
        'code' in line ? line : { ...line, vatKind: vatKinds.withoutVat },
      )
  const bad = lines.find((line): line is Trouble => 'code' in line)
  if (bad) return bad
  const apart = order.total - sum(order.lines.map((line) => line.total)) + order.discount - order.rounding
  const most = Math.max(1, order.lines.length)
  if (Math.abs(apart) > most) return { code: 'sum', params: {}, difference: apart }
  const payments = paymentsOf(order, rules)
  if ('code' in payments) return payments
  // A shop does not say which cheque it was.
  if (payments.some((one) => missingDetails(paymentMeansById(one.means) ?? 'other', one).length))
    return { code: 'paymentDetails', params: {} }
  const isBusiness = order.customer.taxId !== '' && normaliseTaxId(order.customer.taxId) !== undefined
  const paper = isBusiness ? rules.businessPaper : rules.paper
  return {
    type: taxes ? documentTypes[paper].id : documentTypes.receipt.id,
    needsReceipt: taxes && paper === 'taxInvoice',
    zeroRate: zero,
    lines: lines as PaperLine[],
    payments,
    total: order.total,
    most: most + Math.abs(order.rounding),
  }
}

/**
 * Whether the VAT of the paper is what the shop charged, but for an agora a line; the shop's figure where it
 * is not.
 */
export function isTaxApart(order: ShopOrder, vat: Agorot): boolean {
  return order.vat !== null && Math.abs(order.vat - vat) > order.lines.length + 1
}

function refuse(order: ShopOrder): Trouble | undefined {
  if (order.total <= 0) return { code: 'nothingPaid', params: {} }
  if (order.lines.length === 0) return { code: 'line', params: { line: 0 } }
  const at = order.lines.findIndex(
    (line) =>
      (line.total < 0 && line.kind !== 'extra') ||
      line.discount < 0 ||
      (parseDecimal4(line.quantity) ?? 0) <= 0 ||
      !line.name.trim(),
  )
  if (at >= 0) return { code: 'line', params: { line: at + 1, name: order.lines[at]!.name.slice(0, 60) } }
  if (order.discount < 0) return { code: 'sum', params: {}, difference: order.discount }
  return undefined
}

function isZero(order: ShopOrder, rules: ShopRules): boolean | Trouble {
  const taxable =
    sum(order.lines.filter((line) => line.kind !== 'giftCard').map((line) => line.total)) - order.discount
  if (order.vat !== 0 || taxable <= 0) return false
  const { city, country } = order.customer
  if (order.isTourist && rules.zeroTourist) return true
  if (country !== '' && country !== 'IL' && rules.zeroAbroad) return true
  if (eilat.test(city.trim()) && rules.zeroEilat) return true
  return { code: 'untaxed', params: { place: [city, country].filter(Boolean).join(', ').slice(0, 60) } }
}

function linesOf(order: ShopOrder, rules: ShopRules, zero: boolean): (PaperLine | Trouble)[] {
  // A fee below zero takes away as a discount does.
  const below = order.lines.filter((line) => line.total < 0)
  const lines = order.lines.filter((line) => line.total >= 0)
  const off = order.discount - sum(below.map((line) => line.total))
  const weights = lines.map((line) => (line.kind === 'goods' ? line.total : 0))
  const shares = splitByLargestRemainder(off, sum(weights) >= off ? weights : lines.map((line) => line.total))
  return lines.map((line, i) => lineOf(order, rules, zero, line, shares[i] ?? 0))
}

function lineOf(
  order: ShopOrder,
  rules: ShopRules,
  zero: boolean,
  line: OrderLine,
  share: Agorot,
): PaperLine | Trouble {
  const isUntaxed =
    !zero && line.kind !== 'giftCard' && line.vat === 0 && line.total > share && (order.vat ?? 0) > 0
  if (isUntaxed && rules.untaxedLines === 'look')
    return { code: 'untaxed', params: { place: line.name.slice(0, 60) } }
  if (share > line.total) return { code: 'sum', params: {}, difference: line.total - share }
  const vatKind =
    line.kind === 'giftCard'
      ? vatKinds.trustDeposit
      : isUntaxed
        ? vatKinds.withoutVat
        : zero
          ? vatKinds.beforeVat
          : vatKinds.includingVat
  return {
    description: line.name.trim().slice(0, 500),
    sku: line.sku.slice(0, 40),
    vatKind,
    ...priced(line, share),
  }
}

/** Quantity and price where they come to the sum to the agora, else one of the sum. */
function priced(line: OrderLine, share: Agorot): Pick<PaperLine, 'quantity' | 'unitPrice' | 'discount'> {
  const quantity = parseDecimal4(line.quantity)!
  const before = line.total + line.discount
  const off = line.discount + share
  const discount = off > 0 ? { discount: { agorot: off } } : {}
  // Ten-thousandths of a unit: agorot x 100 x 10,000 / quantity.
  const unit = Math.round((before * 1_000_000) / quantity)
  if (Number.isSafeInteger(before * 1_000_000) && lineAmount({ quantity, unitPrice: unit }) === before)
    return { quantity: line.quantity, unitPrice: priceText(unit), ...discount }
  return { quantity: '1', unitPrice: priceText(before * 100), ...discount }
}

const priceText = (tenThousandths: number): string => {
  const digits = String(tenThousandths).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '')
}

function paymentsOf(order: ShopOrder, rules: ShopRules): OrderPaper['payments'] | Trouble {
  const said = order.payments.filter((one) => one.amount !== 0)
  const other = {
    means: paymentMeans.other,
    amountAgorot: order.giftCard,
    reference: '',
    isHeld: true as const,
  }
  const cards = order.giftCard > 0 ? [other] : []
  const rest = order.total - order.giftCard
  if (order.giftCard < 0 || rest < 0) return { code: 'payments', params: {}, difference: rest }
  const saidSum = sum(said.map((one) => one.amount))
  if (said.length === 0 || saidSum === 0)
    return [...cards, ...(rest > 0 ? [{ means: rules.means, amountAgorot: rest, reference: '' }] : [])]
  if (saidSum !== rest || said.some((one) => one.amount < 0))
    return { code: 'payments', params: {}, difference: rest - saidSum }
  return [
    ...cards,
    ...said.map(({ means, amount, reference }) => ({
      means: means ?? rules.means,
      amountAgorot: amount,
      reference: reference.slice(0, 100),
    })),
  ]
}
