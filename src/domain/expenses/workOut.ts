import { divideRounded, sum, timesRate, toSafeNumber, type Agorot, type BasisPoints } from '../money.ts'
import { recognisedVat } from '../ledger/posting.ts'
import { vatShares } from '../law/vatShares.ts'
import type { VatShare } from '../vat/shares.ts'

/*
 * How a supplier's bill is worked out, once for the server that keeps it and for the form that shows it while
 * it is typed.
 */

export interface ExpensePart {
  /** In the currency of the paper; a supplier's credit is negative. */
  readonly net: Agorot
  readonly vat: Agorot
  readonly vatShare: VatShare
  readonly incomeTaxBp: BasisPoints
  readonly isFixedAsset: boolean
}

export interface WorkedPart {
  /** In agorot of the books' currency. */
  readonly net: Agorot
  readonly vat: Agorot
  readonly recognisedVat: Agorot
  /** Net and the VAT that is not recognised: what the account carries. */
  readonly cost: Agorot
  /** The part of the cost that income tax recognises. */
  readonly incomeTax: Agorot
}

export interface WorkedExpense {
  readonly parts: readonly WorkedPart[]
  /** In the currency of the paper. */
  readonly paper: { readonly net: Agorot; readonly vat: Agorot; readonly total: Agorot }
  readonly net: Agorot
  readonly vat: Agorot
  readonly total: Agorot
  readonly recognisedVat: Agorot
  /** The part of the recognized VAT on fixed assets; the VAT return reports it separately. */
  readonly equipmentVat: Agorot
  readonly incomeTax: Agorot
}

export interface ExpenseTerms {
  /** Shekels for one unit of the paper's currency, in millionths; 1000000 for shekels. */
  readonly rateMillionths: number
  /** False for the person who deducts no VAT, for a paper that carries none, and for a claim given up. */
  readonly recognisesVat: boolean
}

/**
 * Each part is converted and rounded separately, so that the lines are the entry; RangeError for amounts beyond what
 * is exact.
 */
export function workOutExpense(
  given: readonly ExpensePart[],
  { rateMillionths, recognisesVat }: ExpenseTerms,
): WorkedExpense {
  const converted = (amount: Agorot): Agorot =>
    rateMillionths === 1_000_000
      ? amount
      : toSafeNumber(divideRounded(BigInt(amount) * BigInt(rateMillionths), 1_000_000n))
  const parts = given.map((part): WorkedPart => {
    const net = converted(part.net)
    const vat = converted(part.vat)
    const [numerator, denominator] = vatShares[part.vatShare]
    const recognised = recognisesVat ? recognisedVat(vat, numerator, denominator) : 0
    const cost = sum([net, vat, -recognised])
    return {
      net,
      vat,
      recognisedVat: recognised,
      cost,
      incomeTax: timesRate(cost, part.incomeTaxBp, 'halfAwayFromZero'),
    }
  })
  const paperNet = sum(given.map((part) => part.net))
  const paperVat = sum(given.map((part) => part.vat))
  const net = sum(parts.map((part) => part.net))
  const vat = sum(parts.map((part) => part.vat))
  return {
    parts,
    paper: { net: paperNet, vat: paperVat, total: sum([paperNet, paperVat]) },
    net,
    vat,
    total: sum([net, vat]),
    recognisedVat: sum(parts.map((part) => part.recognisedVat)),
    equipmentVat: sum(parts.map((part, i) => (given[i]!.isFixedAsset ? part.recognisedVat : 0))),
    incomeTax: sum(parts.map((part) => part.incomeTax)),
  }
}
