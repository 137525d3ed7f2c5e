import type { VatClass } from '../documents/arithmetic.ts'
import type { PaymentMeans } from '../documents/kinds.ts'
import type { Day } from '../day.ts'
import { divideRounded, sum, toSafeNumber, type Agorot, type BasisPoints } from '../money.ts'
import { toText, type Decimal4 } from '../quantity.ts'
import type {
  AllowanceOrCharge,
  Delivery,
  EInvoice,
  ElectronicLine,
  InvoiceParty,
  VatBreakdown,
  VatCategory,
} from './model.ts'
import { unitCode } from './units.ts'

/**
 * One of our documents with what its electronic form needs; amounts in hundredths of its currency, of a credit above
 * zero as printed.
 */
export interface DocumentSource {
  readonly isCredit: boolean
  /** Written by the buyer in the seller's stead; `seller` and `buyer` are still who sells and who buys. */
  readonly isSelfBilled?: boolean | undefined
  readonly number: number
  readonly day: Day
  readonly dueDay?: Day | undefined
  readonly currency: string
  readonly rateBp: BasisPoints
  readonly orderNumber?: string | undefined
  readonly notes: readonly string[]
  readonly preceding?: { readonly number: number; readonly day: Day } | undefined
  readonly allocationNumber?: string | undefined
  /** A dealer in Israel. */
  readonly seller: Omit<InvoiceParty, 'registration' | 'vatId' | 'id' | 'country'> & {
    readonly taxId?: string | undefined
    readonly iban?: string | undefined
  }
  readonly buyer?:
    | (Omit<InvoiceParty, 'registration' | 'vatId' | 'id'> & {
        readonly taxId?: string | undefined
        readonly isDealer: boolean
      })
    | undefined
  readonly deliverTo?: Delivery | undefined
  readonly lines: readonly SourceLine[]
  readonly vat: Agorot
  /** VAT in shekels, as posted in the books. */
  readonly ilsVat: Agorot
  readonly rounding: Agorot
  readonly total: Agorot
  readonly payments: readonly {
    readonly means: PaymentMeans
    readonly amount: Agorot
    readonly card?: string | undefined
  }[]
  readonly words: SourceWords
}

export interface SourceLine {
  readonly line: number
  readonly description: string
  readonly details: string
  readonly sku: string
  readonly unit: string
  readonly quantity: Decimal4
  readonly unitPrice: Decimal4
  /** A line discount, by percent or by amount: its amount is the difference of price and line. */
  readonly hasDiscount: boolean
  readonly pricesIncludeVat: boolean
  readonly isDeposit: boolean
  readonly vatClass: VatClass
  /** After the line's own discount; with VAT when the price is. */
  readonly amount: Agorot
  /** Its part of the document's discount, on the same footing. */
  readonly discountShare: Agorot
  readonly net: Agorot
  readonly vat: Agorot
}

/** What must be said in words, in the document's language. */
export interface SourceWords {
  readonly discount: string
  readonly charge: string
  readonly exempt: string
  readonly deposit: string
  readonly allocation: string
  /** Left out where the invoice has an explicit due day. */
  readonly terms: string | undefined
  readonly means: Readonly<Record<PaymentMeans, string>>
}

/**
 * The document in the terms of EN 16931, to the agora. Prices with VAT become prices before it (ten decimals,
 * so that quantity times price still gives the line); the discount of the whole becomes one allowance for
 * each VAT category; what paid an invoice receipt is the paid amount. Money held in trust is outside VAT when
 * the document holds nothing else, and exempt beside other lines, since the standard forbids the two together
 * (BR-O-11).
 */
export function fromDocument(source: DocumentSource): EInvoice {
  const isOutsideVat = source.lines.length > 0 && source.lines.every((line) => line.isDeposit)
  const categoryOf = (line: SourceLine): VatCategory =>
    isOutsideVat ? 'O' : line.vatClass === 'standard' ? 'S' : line.vatClass === 'zero' ? 'Z' : 'E'
  const rateOf = (category: VatCategory) => (category === 'S' ? source.rateBp : 0)
  const lines = source.lines.map((line) => lineOf(line, categoryOf(line), source))
  const groups = [...new Set(source.lines.map(categoryOf))].map((category) => {
    const places = source.lines.flatMap((line, place) => (categoryOf(line) === category ? [place] : []))
    return {
      category,
      rateBp: rateOf(category),
      own: places.map((place) => source.lines[place]!),
      written: places.map((place) => lines[place]!),
    }
  })
  const allowances = groups.flatMap(({ category, rateBp, own, written }) => {
    const amount = sum(written.map((line) => line.net)) - sum(own.map((line) => line.net))
    return amount === 0 ? [] : [{ ...takenAway(amount, source.words), category, rateBp }]
  })
  const breakdown = groups.map(({ category, rateBp, own }): VatBreakdown => ({
    category,
    rateBp,
    taxable: sum(own.map((line) => line.net)),
    vat: sum(own.map((line) => line.vat)),
    ...(category === 'E' || category === 'O' ? { reason: reasonOf(own, source.words) } : {}),
  }))
  const net = sum(breakdown.map((one) => one.taxable))
  const vat = sum(breakdown.map((one) => one.vat))
  const paid = sum(source.payments.map((one) => one.amount))
  const isForeign = source.currency !== 'ILS'
  const payable = net + vat + source.rounding - paid
  const payment = paymentOf(source, payable)
  return {
    number: String(source.number),
    day: source.day,
    typeCode: source.isCredit ? 381 : source.isSelfBilled ? 389 : 380,
    currency: source.currency,
    vatCurrency: isForeign ? 'ILS' : undefined,
    dueDay: payable > 0 ? source.dueDay : undefined,
    orderNumber: source.orderNumber,
    terms: payable > 0 ? source.words.terms : undefined,
    notes: source.notes,
    preceding: source.preceding && { number: String(source.preceding.number), day: source.preceding.day },
    allocation: source.allocationNumber
      ? { number: source.allocationNumber, name: source.words.allocation }
      : undefined,
    seller: sellerOf(source, isOutsideVat),
    buyer: source.buyer && buyerOf(source.buyer, isOutsideVat),
    deliverTo: source.deliverTo,
    ...(payment ? { payment } : {}),
    lines,
    allowances,
    breakdown,
    totals: {
      lines: sum(lines.map((line) => line.net)),
      allowances: sum(allowances.map((one) => (one.isCharge ? 0 : one.amount))),
      charges: sum(allowances.map((one) => (one.isCharge ? one.amount : 0))),
      net,
      vat,
      vatInVatCurrency: isForeign ? source.ilsVat : undefined,
      total: net + vat,
      paid,
      rounding: source.rounding,
      payable,
    },
  }
}

const tenPlaces = 10n ** 10n

function lineOf(line: SourceLine, category: VatCategory, { rateBp, words }: DocumentSource): ElectronicLine {
  const hasVatInside = line.pricesIncludeVat && category === 'S'
  const before = (amount: Agorot) =>
    hasVatInside ? toSafeNumber(divideRounded(BigInt(amount) * 10_000n, 10_000n + BigInt(rateBp))) : amount
  // The document's discount is added again: here a line is before it.
  const net = line.net + before(line.discountShare)
  // A price below zero is not allowed (BR-27): the quantity carries the sign.
  const sign = line.unitPrice < 0 ? -1 : 1
  const quantity = line.quantity * sign || 0
  const price = divideRounded(
    BigInt(line.unitPrice * sign) * (tenPlaces / 10_000n) * 10_000n,
    10_000n + (hasVatInside ? BigInt(rateBp) : 0n),
  )
  const beforeDiscount = toSafeNumber(divideRounded(BigInt(quantity) * price, tenPlaces * 100n))
  const allowance =
    line.hasDiscount && beforeDiscount !== net ? takenAway(beforeDiscount - net, words) : undefined
  return {
    id: String(line.line),
    quantity: toText(quantity),
    unit: unitCode(line.unit),
    price: decimalText(price, 10),
    net,
    ...(allowance ? { allowance } : {}),
    name: line.description,
    description: line.details || undefined,
    sellersId: line.sku || undefined,
    category,
    rateBp: category === 'S' ? rateBp : 0,
  }
}

/**
 * A discount on returned goods makes an amount larger: then it is a charge, for the standard's amounts have no sign.
 */
const takenAway = (amount: Agorot, words: SourceWords): AllowanceOrCharge =>
  amount < 0
    ? { isCharge: true, amount: -amount, reason: words.charge }
    : { isCharge: false, amount, reason: words.discount, reasonCode: '95' }

const reasonOf = (lines: readonly SourceLine[], words: SourceWords): string =>
  [...new Set(lines.map((line) => (line.isDeposit ? words.deposit : words.exempt)))].join('; ')

function sellerOf(
  { seller: { taxId, iban: _, ...seller } }: DocumentSource,
  isOutsideVat: boolean,
): InvoiceParty {
  if (!taxId) return { ...seller, country: 'IL' }
  return { ...seller, country: 'IL', registration: taxId, ...(isOutsideVat ? {} : { vatId: `IL${taxId}` }) }
}

/** The VAT number of a dealer; of others the number of the person. */
function buyerOf(
  { taxId, isDealer, ...buyer }: NonNullable<DocumentSource['buyer']>,
  isOutsideVat: boolean,
): InvoiceParty {
  if (!taxId) return buyer
  if (!isDealer) return { ...buyer, id: taxId }
  return { ...buyer, registration: taxId, ...(isOutsideVat ? {} : { vatId: `IL${taxId}` }) }
}

/** UNTDID 4461. A transfer that was made is 42: 30 would want the account's number (BR-61). */
const codes: Readonly<Record<PaymentMeans, string>> = {
  cash: '10',
  cheque: '20',
  transfer: '42',
  card: '48',
  paymentApp: '68',
  payPal: '68',
  withheldTax: 'ZZZ',
  other: '1',
}

function paymentOf(
  { payments, seller, isCredit, words }: DocumentSource,
  payable: Agorot,
): EInvoice['payment'] {
  const first = payments.find((one) => one.means !== 'withheldTax') ?? payments[0]
  if (first)
    return {
      code: codes[first.means],
      text: [...new Set(payments.map((one) => words.means[one.means]))].join(', '),
      card: first.means === 'card' ? first.card || undefined : undefined,
    }
  return !isCredit && payable > 0 && seller.iban ? { code: '30', iban: seller.iban } : undefined
}

/** `value` in units of ten to the minus `places`, without zeros at its end. */
function decimalText(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0')
  const decimals = digits.slice(-places).replace(/0+$/, '')
  return digits.slice(0, -places) + (decimals && `.${decimals}`)
}
