import { sum, type Agorot } from '../money.ts'
import type { DocumentTotals } from '../documents/arithmetic.ts'
import type { WorkedExpense } from './workOut.ts'

/** Lines of a self-billed invoice that are one line of the bill. */
export interface BilledPart {
  /** What the caller told them apart by; 'rounding' is what the document as a whole was rounded by. */
  readonly key: string
  /** Their places in the document, from zero. */
  readonly places: readonly number[]
  readonly net: Agorot
  readonly vat: Agorot
  readonly ilsNet: Agorot
  readonly ilsVat: Agorot
}

export const roundingKey = 'rounding'

/**
 * A self-billed invoice as its supplier's bill: lines of one key together, and the rounding of the document
 * separately, so that the parts equal the document's totals to the agora, in its currency (`totals`) and in shekels
 * (`ils`). Lines without any amount are left out.
 */
export function billedParts(
  totals: DocumentTotals,
  ils: DocumentTotals,
  keyOf: (place: number) => string,
): BilledPart[] {
  const groups = new Map<string, number[]>()
  for (const place of totals.lines.keys())
    groups.set(keyOf(place), [...(groups.get(keyOf(place)) ?? []), place])
  const of = (document: DocumentTotals, places: readonly number[], side: 'net' | 'vat') =>
    sum(places.map((place) => document.lines[place]![side]))
  const parts = [...groups].map(([key, places]) => ({
    key,
    places,
    net: of(totals, places, 'net'),
    vat: of(totals, places, 'vat'),
    ilsNet: of(ils, places, 'net'),
    ilsVat: of(ils, places, 'vat'),
  }))
  const rounding = {
    key: roundingKey,
    places: [],
    net: totals.rounding,
    vat: 0,
    ilsNet: ils.rounding,
    ilsVat: 0,
  }
  return [...parts, rounding].filter((part) => part.net || part.vat || part.ilsNet || part.ilsVat)
}

/**
 * The totals of such a bill, as any other bill has them; all of its VAT is recognized. `incomeTax` is the part
 * income tax recognizes.
 */
export function workedOfParts(
  parts: readonly (BilledPart & { isFixedAsset: boolean; incomeTax: Agorot })[],
): WorkedExpense {
  const [net, vat] = [sum(parts.map((part) => part.ilsNet)), sum(parts.map((part) => part.ilsVat))]
  const paper = { net: sum(parts.map((part) => part.net)), vat: sum(parts.map((part) => part.vat)) }
  return {
    parts: parts.map(({ ilsNet, ilsVat, incomeTax }) => ({
      net: ilsNet,
      vat: ilsVat,
      recognisedVat: ilsVat,
      cost: ilsNet,
      incomeTax,
    })),
    paper: { ...paper, total: sum([paper.net, paper.vat]) },
    net,
    vat,
    total: sum([net, vat]),
    recognisedVat: vat,
    equipmentVat: sum(parts.map((part) => (part.isFixedAsset ? part.ilsVat : 0))),
    incomeTax: sum(parts.map((part) => part.incomeTax)),
  }
}
