import { isCurrency } from '../currencies.ts'
import { sum } from '../money.ts'
import { countryCode } from '../countries.ts'
import type { EInvoice, InvoiceParty } from './model.ts'

/**
 * A rule of EN 16931 that an invoice breaks, and where. `place` is what a person can mend; 'invoice' is a
 * mistake of ours.
 */
export interface Fault {
  readonly rule: string
  readonly place:
    | 'number'
    | 'currency'
    | 'seller'
    | 'buyer'
    | 'buyerCountry'
    | 'lines'
    | 'preceding'
    | 'invoice'
  /** Of a line: its number. */
  readonly line?: string | undefined
}

/**
 * The business rules of EN 16931 that one of our documents could break, each by its own name; an empty list
 * is what may leave the house. The rules of codes stand here as far as people's words become codes.
 */
export function faultsOf(invoice: EInvoice): Fault[] {
  return [
    ...headFaults(invoice),
    ...partyFaults(invoice),
    ...lineFaults(invoice),
    ...sumFaults(invoice),
    ...vatFaults(invoice),
  ]
}

const fault = (broken: boolean, rule: string, place: Fault['place'], line?: string): Fault[] =>
  broken ? [{ rule, place, ...(line === undefined ? {} : { line }) }] : []

const isBlank = (text: string | undefined): boolean => !text?.trim()

function headFaults(invoice: EInvoice): Fault[] {
  const { payment, totals } = invoice
  return [
    ...fault(isBlank(invoice.number), 'BR-02', 'number'),
    ...fault(!/^\d{4}-\d{2}-\d{2}$/.test(invoice.day), 'BR-03', 'invoice'),
    ...fault(!isCurrency(invoice.currency), 'BR-05', 'currency'),
    ...fault(invoice.vatCurrency !== undefined && totals.vatInVatCurrency === undefined, 'BR-53', 'currency'),
    ...fault(totals.payable > 0 && isBlank(invoice.dueDay) && isBlank(invoice.terms), 'BR-CO-25', 'invoice'),
    ...fault(invoice.typeCode === 381 && isBlank(invoice.preceding?.number), 'BR-55', 'preceding'),
    ...fault(payment !== undefined && isBlank(payment.code), 'BR-49', 'invoice'),
    ...fault(payment?.code === '30' && isBlank(payment.iban), 'BR-61', 'seller'),
    ...fault(payment?.card !== undefined && !/^\d{4,6}$/.test(payment.card), 'BR-51', 'invoice'),
  ]
}

function partyFaults({ seller, buyer, breakdown }: EInvoice): Fault[] {
  const isOutside = breakdown.some((one) => one.category === 'O')
  const hasWrongLetters = (party: InvoiceParty | undefined) =>
    party?.vatId !== undefined && !/^[A-Z]{2}\w/.test(party.vatId)
  const taxed = breakdown.find((one) => one.category !== 'O')
  return [
    ...fault(isBlank(seller.name), 'BR-06', 'seller'),
    ...fault(!countryCode(seller.country), 'BR-09', 'seller'),
    ...fault(isBlank(seller.registration) && isBlank(seller.vatId), 'BR-CO-26', 'seller'),
    ...fault(taxed !== undefined && isBlank(seller.vatId), `BR-${taxed?.category}-02`, 'seller'),
    ...fault(isBlank(buyer?.name), 'BR-07', 'buyer'),
    ...fault(buyer !== undefined && !countryCode(buyer.country), 'BR-11', 'buyerCountry'),
    ...fault(hasWrongLetters(seller), 'BR-CO-09', 'seller'),
    ...fault(hasWrongLetters(buyer), 'BR-CO-09', 'buyer'),
    ...fault(isOutside && (seller.vatId !== undefined || buyer?.vatId !== undefined), 'BR-O-02', 'invoice'),
  ]
}

function lineFaults({ lines, breakdown }: EInvoice): Fault[] {
  return [
    ...fault(lines.length === 0, 'BR-16', 'lines'),
    ...fault(new Set(lines.map((line) => line.id)).size !== lines.length, 'BR-21', 'invoice'),
    ...lines.flatMap((line) => [
      ...fault(!/^-?\d+(\.\d+)?$/.test(line.quantity), 'BR-22', 'lines', line.id),
      ...fault(isBlank(line.unit), 'BR-23', 'lines', line.id),
      ...fault(!Number.isSafeInteger(line.net), 'BR-24', 'lines', line.id),
      ...fault(isBlank(line.name), 'BR-25', 'lines', line.id),
      ...fault(!/^-?\d+(\.\d+)?$/.test(line.price), 'BR-26', 'lines', line.id),
      ...fault(line.price.startsWith('-'), 'BR-27', 'lines', line.id),
      ...fault(line.allowance !== undefined && isBlank(line.allowance.reason), 'BR-42', 'lines', line.id),
      ...fault(
        !breakdown.some((one) => one.category === line.category && one.rateBp === line.rateBp),
        `BR-${line.category}-01`,
        'lines',
        line.id,
      ),
      ...fault(
        line.category === 'S' ? line.rateBp <= 0 : line.rateBp !== 0,
        `BR-${line.category}-05`,
        'lines',
        line.id,
      ),
    ]),
  ]
}

function sumFaults({ lines, allowances, breakdown, totals }: EInvoice): Fault[] {
  const amountsOf = (isCharge: boolean) =>
    sum(allowances.filter((one) => one.isCharge === isCharge).map((one) => one.amount))
  return [
    ...fault(
      !Object.values(totals).every((one) => one === undefined || Number.isSafeInteger(one)),
      'BR-DEC',
      'invoice',
    ),
    ...fault(
      allowances.some((one) => isBlank(one.reason)),
      'BR-33',
      'invoice',
    ),
    ...fault(totals.lines !== sum(lines.map((line) => line.net)), 'BR-CO-10', 'invoice'),
    ...fault(totals.allowances !== amountsOf(false), 'BR-CO-11', 'invoice'),
    ...fault(totals.charges !== amountsOf(true), 'BR-CO-12', 'invoice'),
    ...fault(totals.net !== totals.lines - totals.allowances + totals.charges, 'BR-CO-13', 'invoice'),
    ...fault(totals.vat !== sum(breakdown.map((one) => one.vat)), 'BR-CO-14', 'invoice'),
    ...fault(totals.total !== totals.net + totals.vat, 'BR-CO-15', 'invoice'),
    ...fault(totals.payable !== totals.total - totals.paid + totals.rounding, 'BR-CO-16', 'invoice'),
  ]
}

function vatFaults({ lines, allowances, breakdown }: EInvoice): Fault[] {
  const keys = breakdown.map((one) => `${one.category}${one.rateBp}`)
  return [
    ...fault(breakdown.length === 0, 'BR-CO-18', 'invoice'),
    ...fault(new Set(keys).size !== keys.length, 'BR-S-01', 'invoice'),
    ...fault(breakdown.some((one) => one.category === 'O') && breakdown.length > 1, 'BR-O-11', 'invoice'),
    ...breakdown.flatMap((one) => {
      const belongs = (other: { category: string; rateBp: number }) =>
        other.category === one.category && other.rateBp === one.rateBp
      const taxable =
        sum(lines.filter(belongs).map((line) => line.net)) +
        sum(allowances.filter(belongs).map((of) => (of.isCharge ? of.amount : -of.amount)))
      const needsReason = one.category === 'E' || one.category === 'O'
      return [
        ...fault(one.taxable !== taxable, `BR-${one.category}-08`, 'invoice'),
        // VAT is calculated from amounts with VAT and from amounts without it: an agora apart, and less than the unit
        // the rule allows.
        ...fault(Math.abs(one.vat - (one.taxable * one.rateBp) / 10_000) >= 100, 'BR-CO-17', 'invoice'),
        ...fault(one.category !== 'S' && one.vat !== 0, `BR-${one.category}-09`, 'invoice'),
        ...fault(needsReason === isBlank(one.reason), `BR-${one.category}-10`, 'invoice'),
      ]
    }),
  ]
}
