import type { BasisPoints } from '../money.ts'

/**
 * What is withheld when no certificate says otherwise, by the code of form 856. `rateBp` needs a valid approval of the supplier's books,
 * `withoutBooksBp` is withheld from everybody else. The approval of books means nothing for a foreign resident, nor for rent.
 * Gathered from public pages, not from the authority.
 */
export interface WithholdingKind {
  code: string
  rateBp: BasisPoints
  withoutBooksBp: BasisPoints
}

export const withholdingKinds = [
  { code: '01', rateBp: 2000, withoutBooksBp: 3000 },
  { code: '02', rateBp: 2000, withoutBooksBp: 3000 },
  { code: '03', rateBp: 2000, withoutBooksBp: 3000 },
  { code: '06', rateBp: 2000, withoutBooksBp: 3000 },
  { code: '07', rateBp: 2500, withoutBooksBp: 2500 },
  { code: '08', rateBp: 2500, withoutBooksBp: 2500 },
  { code: '11', rateBp: 2000, withoutBooksBp: 3000 },
  { code: '13', rateBp: 3500, withoutBooksBp: 3500 },
] as const satisfies readonly WithholdingKind[]

export type WithholdingCode = (typeof withholdingKinds)[number]['code']

/** In the order of form 856; services and assets (06) is what most suppliers are. */
export const withholdingCodes = withholdingKinds.map(
  ({ code }) => code,
) as readonly WithholdingCode[] as readonly [WithholdingCode, ...WithholdingCode[]]
export const usualCode: WithholdingCode = '06'

export const kindOfCode = (code: string | null): WithholdingKind =>
  withholdingKinds.find((kind) => kind.code === code) ??
  withholdingKinds.find((kind) => kind.code === usualCode)!
