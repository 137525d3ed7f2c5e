import { divideRounded, sum, toSafeNumber, type Agorot, type BasisPoints } from '../money.ts'

/** A line of an electronic invoice that was read. */
export interface InvoiceLine {
  readonly description: string
  readonly quantity: string
  /** Before VAT, after the discount of the whole invoice. */
  readonly netAgorot: Agorot
  /** null when the invoice does not say how its VAT is made up. */
  readonly vatAgorot: Agorot | null
  /** null outside VAT. */
  readonly vatRateBp: BasisPoints | null
}

interface Category {
  /** UNTDID 5305: 'S', 'Z', 'E' and others. */
  readonly category: string | null
  readonly vatRateBp: BasisPoints | null
}

/** What an invoice says of one category of VAT: base and VAT, after its discounts. */
export interface BreakdownPart extends Category {
  readonly netAgorot: Agorot
  readonly vatAgorot: Agorot
}

type WrittenLine = Omit<InvoiceLine, 'vatAgorot'> & Category

/**
 * The lines with the invoice's discounts and charges and with their VAT in them, so that the lines of a
 * category come to exactly what the invoice says of it; the odd agorot stand on its largest line. A category
 * that is not broken down keeps its lines as they were written.
 */
export function shareBreakdown(
  lines: readonly WrittenLine[],
  breakdown: readonly BreakdownPart[],
): InvoiceLine[] {
  const nets = lines.map((line) => line.netAgorot)
  const vats: (Agorot | null)[] = lines.map(() => null)
  for (const part of breakdown) {
    const places = lines.flatMap((line, i) =>
      line.category === part.category && (line.vatRateBp ?? 0) === (part.vatRateBp ?? 0) ? [i] : [],
    )
    const weights = places.map((i) => nets[i]!)
    const written = sum(weights)
    spread(part.netAgorot, weights, written).forEach((net, at) => (nets[places[at]!] = net))
    spread(part.vatAgorot, weights, written).forEach((vat, at) => (vats[places[at]!] = vat))
  }
  return lines.map(({ description, quantity, vatRateBp }, i) => ({
    description,
    quantity,
    netAgorot: nets[i]!,
    vatAgorot: vats[i]!,
    vatRateBp,
  }))
}

function spread(whole: Agorot, weights: readonly Agorot[], written: Agorot): Agorot[] {
  const shares = weights.map((weight) =>
    written === 0 ? 0 : toSafeNumber(divideRounded(BigInt(whole) * BigInt(weight), BigInt(written))),
  )
  const largest = weights.reduce(
    (best, weight, i) => (Math.abs(weight) > Math.abs(weights[best]!) ? i : best),
    0,
  )
  if (shares.length) shares[largest] = shares[largest]! + whole - sum(shares)
  return shares
}

/** What is booked of an invoice: base and VAT for each rate. */
export interface VatPart {
  readonly netAgorot: Agorot
  readonly vatAgorot: Agorot
  /** What was bought, when the rate has one line only. */
  readonly description: string
}

/**
 * The lines added up by their rate, equal to this net and VAT in all; undefined when they do not contain their VAT
 * or give another VAT, and when there is only one rate: then the totals of the invoice are enough. The rounding of
 * the total is part of the first.
 */
export function partsByRate(
  lines: readonly {
    description: string
    netAgorot: Agorot
    vatAgorot?: Agorot | null | undefined
    vatRateBp: BasisPoints | null
  }[],
  whole: { net: Agorot; vat: Agorot },
): VatPart[] | undefined {
  if (lines.some((line) => typeof line.vatAgorot !== 'number')) return undefined
  const rates = [...new Set(lines.map((line) => line.vatRateBp ?? 0))]
  if (rates.length < 2) return undefined
  const parts = rates.map((rate) => {
    const own = lines.filter((line) => (line.vatRateBp ?? 0) === rate)
    return {
      netAgorot: sum(own.map((line) => line.netAgorot)),
      vatAgorot: sum(own.map((line) => line.vatAgorot ?? 0)),
      description: own.length === 1 ? own[0]!.description : '',
    }
  })
  const rounding = whole.net - sum(parts.map((part) => part.netAgorot))
  if (sum(parts.map((part) => part.vatAgorot)) !== whole.vat || Math.abs(rounding) >= mostRounding)
    return undefined
  return parts.map((part, i) => (i === 0 ? { ...part, netAgorot: part.netAgorot + rounding } : part))
}

/** Nobody rounds by more than a unit of the currency. */
const mostRounding = 100
