import type { Day } from '../day.ts'
import { inForceOn } from '../law/figures.ts'
import type { BasisPoints } from '../money.ts'

/**
 * What is withheld on a day when no certificate says otherwise, by the code of form 856. `rateBp` needs a valid
 * approval of the supplier's books, `withoutBooksBp` is withheld from everybody else. The approval of books
 * means nothing for a foreign resident, nor for rent.
 */
export interface WithholdingKind {
  code: string
  rateBp: BasisPoints
  withoutBooksBp: BasisPoints
}

/** In the order of form 856; services and assets (06) is what most suppliers are. */
export const withholdingCodes = ['01', '02', '03', '06', '07', '08', '11', '13'] as const
export type WithholdingCode = (typeof withholdingCodes)[number]
export const usualCode: WithholdingCode = '06'

export function kindOfCode(asked: string | null, day: Day): WithholdingKind {
  const code = withholdingCodes.find((one) => one === asked) ?? usualCode
  // Both are known from before the first day of any books.
  return {
    code,
    rateBp: inForceOn(`withheld${code}`, day)!,
    withoutBooksBp: inForceOn(`withheldNoBooks${code}`, day)!,
  }
}

/** All kinds as the law has them on a day. */
export const withholdingKindsOn = (day: Day): WithholdingKind[] =>
  withholdingCodes.map((code) => kindOfCode(code, day))
