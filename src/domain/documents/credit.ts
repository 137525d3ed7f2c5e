import {
  includedRate,
  splitByLargestRemainder,
  sum,
  timesFraction,
  type Agorot,
  type BasisPoints,
} from '../money.ts'
import type { DocumentTotals, LineTotals, VatClass } from './arithmetic.ts'

/*
 * What is left of an invoice after its credits, and how a credit is limited to it: never above what is left of the
 * total and of each class of VAT, and the last one equals it to the agora. Each credit is rounded separately, so
 * without this the last one would differ by agorot from its invoice, or exceed it.
 */

/** Net and VAT of one class of VAT. */
export interface ClassSum {
  readonly net: Agorot
  readonly vat: Agorot
}

/** Amounts of an issued document, or what is left of them, in its currency. */
export interface CreditSums {
  readonly classes: Readonly<Record<VatClass, ClassSum>>
  readonly rounding: Agorot
  /** Both of every class and the rounding. */
  readonly total: Agorot
}

const vatClasses: readonly VatClass[] = ['standard', 'exempt', 'zero']

/** An issued document's amounts by class. */
export function sumsOf(
  lines: readonly { readonly vatClass: VatClass; readonly net: Agorot; readonly vat: Agorot }[],
  rounding: Agorot,
): CreditSums {
  const of = (vatClass: VatClass): ClassSum => {
    const own = lines.filter((line) => line.vatClass === vatClass)
    return { net: sum(own.map((line) => line.net)), vat: sum(own.map((line) => line.vat)) }
  }
  const classes = { standard: of('standard'), exempt: of('exempt'), zero: of('zero') }
  return { classes, rounding, total: sum([...vatClasses.map((c) => grossOf(classes[c])), rounding]) }
}

/** What credits left of an invoice. */
export function restOf(invoice: CreditSums, credited: CreditSums): CreditSums {
  const less = (vatClass: VatClass): ClassSum => ({
    net: invoice.classes[vatClass].net - credited.classes[vatClass].net,
    vat: invoice.classes[vatClass].vat - credited.classes[vatClass].vat,
  })
  return {
    classes: { standard: less('standard'), exempt: less('exempt'), zero: less('zero') },
    rounding: invoice.rounding - credited.rounding,
    total: invoice.total - credited.total,
  }
}

/** So many agorot are the rounding of single credits; more is a sum that is not there. */
const nearly = 5

/**
 * Whether a credit that comes to this takes all that is left: to the agora, or above it by no more than
 * roundings.
 */
export const takesRest = (total: Agorot, rest: CreditSums): boolean =>
  total >= rest.total && total <= rest.total + nearly + Math.max(0, -rest.rounding)

/**
 * The class of VAT of which a credit takes more than the invoice has left, or undefined. The total is not enough: a
 * credit at zero rate of an invoice with VAT refunds sales that were never made, and leaves VAT that was. A class
 * the credit does not touch may have any rest.
 */
export function takesTooMuchOf(credit: CreditSums, rest: CreditSums): VatClass | undefined {
  return vatClasses.find(
    (c) => grossOf(credit.classes[c]) > 0 && grossOf(credit.classes[c]) > grossOf(rest.classes[c]) + nearly,
  )
}

/** Whether so much of one class, with its VAT, is more than is left of it by more than roundings. */
export const takesTooMuchOfClass = (
  { vatClass, agorot }: { vatClass: VatClass; agorot: Agorot },
  rest: CreditSums,
): boolean => agorot > grossOf(rest.classes[vatClass]) + nearly

export interface Met {
  readonly totals: DocumentTotals
  /** Lines that no longer are quantity times price: they say their sum. */
  readonly asSum: ReadonlySet<number>
}

/**
 * The figures of a credit, kept to what is left. The last one becomes exactly that; another one only gives
 * back what its own roundings took too much. 'tooMuch' when it takes what is not there, 'apart' when the last
 * one lies so far from what is left that its lines cannot stay what they are.
 */
export function meetRest(
  totals: DocumentTotals,
  rest: CreditSums,
  isLast: boolean,
): Met | 'tooMuch' | 'apart' {
  const has = sumsOf(totals.lines, totals.rounding).classes
  const lines = [...totals.lines]
  const asSum = new Set<number>()
  for (const vatClass of vatClasses) {
    const target = isLast ? rest.classes[vatClass] : within(has[vatClass], rest.classes[vatClass])
    if (!target) return 'tooMuch'
    const [net, vat] = [target.net - has[vatClass].net, target.vat - has[vatClass].vat]
    if (!net && !vat) continue
    const at = largestOf(lines, vatClass)
    if (at < 0 || (isLast && Math.max(Math.abs(net), Math.abs(vat)) > nearly)) return 'apart'
    const line = lines[at]!
    const moved = { ...line, net: line.net + net, vat: line.vat + vat, gross: line.gross + net + vat }
    const own = ownOf(moved)
    // Where there is a discount it takes the agora; else the line says its sum.
    if (totals.discount) lines[at] = { ...moved, discountShare: line.amount - own }
    else lines[at] = { ...moved, amount: own }
    if (!totals.discount && own !== line.amount) asSum.add(at)
  }
  return { totals: totalsOfLines(lines, isLast ? rest.rounding : totals.rounding), asSum }
}

/** A line of the invoice, and how much of it no credit took. */
export interface CreditedLine extends Pick<LineTotals, 'vatKind' | 'vatClass' | 'gross'> {
  /** In ten-thousandths. */
  readonly quantity: number
  readonly left: number
}

/**
 * All that is left, spread over the lines that are left of each class, or put on its first line when all its
 * quantities are gone.
 */
export function restByLines(
  lines: readonly CreditedLine[],
  rest: CreditSums,
): { places: number[]; totals: DocumentTotals } {
  const found = vatClasses.flatMap((vatClass) => {
    const target = rest.classes[vatClass]
    const own = lines.flatMap((line, i) => (line.vatClass === vatClass ? [i] : []))
    const open = own.filter((i) => lines[i]!.left > 0)
    if (!open.length && !target.net && !target.vat) return []
    const takers = open.length ? open : own.slice(0, 1)
    const weights = takers.map((i) => Math.max(0, partOf(lines[i]!)))
    const nets = splitByLargestRemainder(target.net, weights)
    const vats = splitByLargestRemainder(target.vat, weights)
    return takers.map((i, place): { i: number; line: LineTotals } => {
      const [net, vat] = [nets[place]!, vats[place]!]
      const { vatKind } = lines[i]!
      const line = { vatKind, vatClass, net, vat, gross: net + vat, discountShare: 0, amount: 0 }
      return { i, line: { ...line, amount: ownOf(line) } }
    })
  })
  const inOrder = found.toSorted((a, b) => a.i - b.i)
  return {
    places: inOrder.map(({ i }) => i),
    totals: totalsOfLines(
      inOrder.map(({ line }) => line),
      rest.rounding,
    ),
  }
}

const partOf = ({ gross, quantity, left }: CreditedLine): number =>
  quantity ? Math.round((gross * left) / quantity) : gross

/**
 * A sum with VAT off the whole, over the classes by what is left of each. Less than asked where only the
 * rounding is left.
 */
export function sumByClasses(agorot: Agorot, rest: CreditSums): { vatClass: VatClass; agorot: Agorot }[] {
  const open = vatClasses.filter((vatClass) => grossOf(rest.classes[vatClass]) > 0)
  const weights = open.map((vatClass) => grossOf(rest.classes[vatClass]))
  const parts = splitByLargestRemainder(Math.min(agorot, sum(weights)), weights)
  return open.flatMap((vatClass, i) => (parts[i] ? [{ vatClass, agorot: parts[i] }] : []))
}

/**
 * A sum with VAT off the whole of which so much is VAT, as a paper of a book says it: that VAT at the
 * invoice's rate tells what of the sum is taxed, and the rest is of what bears none. 'tooMuch' when it is
 * more VAT than the sum can hold.
 */
export function sumByVat(
  agorot: Agorot,
  vat: Agorot,
  rateBp: BasisPoints,
  rest: CreditSums,
): { vatClass: VatClass; agorot: Agorot }[] | 'tooMuch' {
  const usual = rateBp ? includedRate(agorot, rateBp) : 0
  if (vat > usual + 1) return 'tooMuch'
  const isAllTaxed = rateBp > 0 && vat >= usual - 1
  const taxed = isAllTaxed ? agorot : vat ? vat + timesFraction(vat, 10_000, rateBp, 'halfAwayFromZero') : 0
  const untaxed = splitByLargestRemainder(agorot - taxed, [
    Math.max(0, grossOf(rest.classes.exempt)),
    // Where nothing is left the whole is called exempt, and refused as more than there is.
    Math.max(0, grossOf(rest.classes.zero)),
  ])
  const parts = [
    { vatClass: 'standard' as const, agorot: taxed },
    { vatClass: 'exempt' as const, agorot: untaxed[0] ?? 0 },
    { vatClass: 'zero' as const, agorot: untaxed[1] ?? 0 },
  ]
  return parts.filter((part) => part.agorot)
}

/**
 * The same credit with the VAT its paper says: the largest taxed line takes the agora by which its own
 * rounding lies apart.
 */
export function withVatOf(totals: DocumentTotals, vat: Agorot): DocumentTotals {
  const at = largestOf(totals.lines, 'standard')
  const by = vat - totals.vat
  if (at < 0 || !by) return totals
  const lines = totals.lines.map((line, i) =>
    i === at ? { ...line, net: line.net - by, vat: line.vat + by } : line,
  )
  return totalsOfLines(lines, totals.rounding)
}

/** As it is, or with what roundings took too much refunded; undefined when it is more than there is. */
function within(has: ClassSum, rest: ClassSum): ClassSum | undefined {
  const over = grossOf(has) - grossOf(rest)
  if (!has.net && !has.vat) return has
  if (over > nearly) return undefined
  if (over > 0) return rest
  // The sum is there; what of it is VAT may lie an agora apart.
  if (has.net > rest.net) return { net: rest.net, vat: grossOf(has) - rest.net }
  return has.vat > rest.vat ? { net: grossOf(has) - rest.vat, vat: rest.vat } : has
}

const grossOf = ({ net, vat }: ClassSum): Agorot => net + vat

/** A line's sum on the footing of its price. */
const ownOf = (line: Pick<LineTotals, 'vatKind' | 'vatClass' | 'net' | 'gross'>): Agorot =>
  line.vatKind === 'includingVat' && line.vatClass === 'standard' ? line.gross : line.net

const largestOf = (lines: readonly LineTotals[], vatClass: VatClass): number =>
  lines.reduce(
    (best, line, i) =>
      line.vatClass === vatClass && (best < 0 || line.gross > lines[best]!.gross) ? i : best,
    -1,
  )

function totalsOfLines(lines: readonly LineTotals[], rounding: Agorot): DocumentTotals {
  const { classes, total } = sumsOf(lines, rounding)
  return {
    lines,
    subtotal: sum(lines.map((line) => line.amount)),
    discount: sum(lines.map((line) => line.discountShare)),
    netTaxable: classes.standard.net,
    netExempt: classes.exempt.net,
    netZero: classes.zero.net,
    net: sum(vatClasses.map((c) => classes[c].net)),
    vat: sum(vatClasses.map((c) => classes[c].vat)),
    rounding,
    total,
  }
}
