import type { Day } from '../day.ts'
import type { VatClass } from '../documents/arithmetic.ts'

/*
 * Why a supply bears no VAT: the law's own places, as a choice of the person who issues. Whether the conditions of a
 * place hold is for that person to know; nothing here decides it.
 */

interface Ground {
  readonly vatClass: Exclude<VatClass, 'standard'>
  /** The day from which it can be named on a document. */
  readonly from: Day
  /** The last day on which it can be named. */
  readonly to?: Day
}

/** In the order in which they are offered. The words of each are 'paper.ground.<name>'. */
export const vatGrounds = {
  /** VAT Law, section 30(a)(5): services to a resident of another country. */
  servicesToNonResident: { vatClass: 'zero', from: '1976-07-01' },
  /** 30(a)(1): export of goods. */
  exportOfGoods: { vatClass: 'zero', from: '1976-07-01' },
  /** 30(a)(2): an intangible asset sold to a resident of another country. */
  intangibleToNonResident: { vatClass: 'zero', from: '1976-07-01' },
  /** 30(a)(7): services given abroad by a business whose main place is in Israel. */
  servicesAbroad: { vatClass: 'zero', from: '1976-07-01' },
  /** 30(a)(8): lodging and other services to tourists, as the regulations list them. */
  tourism: { vatClass: 'zero', from: '1976-07-01' },
  /** Eilat Free Trade Zone (Exemptions and Reductions of Taxes) Law. */
  eilat: { vatClass: 'zero', from: '1985-11-01' },
  palestinianAuthority: { vatClass: 'zero', from: '1994-05-18' },
  /** Another item of section 30. */
  otherZero: { vatClass: 'zero', from: '1976-07-01' },
  /** Section 31(1): a dwelling let for living in. */
  dwellingLet: { vatClass: 'exempt', from: '1976-07-01' },
  /** 31(4): an asset whose input tax could not be deducted. */
  noInputTax: { vatClass: 'exempt', from: '1976-07-01' },
  /** Another item of section 31. */
  otherExempt: { vatClass: 'exempt', from: '1976-07-01' },
  /** No transaction as the law defines one, such as expenses passed on or compensation. */
  outsideScope: { vatClass: 'exempt', from: '1976-07-01' },
} as const satisfies Record<string, Ground>
export type VatGround = keyof typeof vatGrounds

export const vatGroundNames = Object.keys(vatGrounds) as readonly VatGround[]

const of = <C extends Ground['vatClass']>(vatClass: C) =>
  vatGroundNames.filter((name) => vatGrounds[name].vatClass === vatClass) as {
    [Name in VatGround]: (typeof vatGrounds)[Name]['vatClass'] extends C ? Name : never
  }[VatGround][]

export const zeroGrounds = of('zero')
export type ZeroGround = (typeof zeroGrounds)[number]
export const exemptGrounds = of('exempt')
export type ExemptGround = (typeof exemptGrounds)[number]

/** Whether a ground can be named on a document of a day. */
export function isGroundOn(name: VatGround, day: Day): boolean {
  const { from, to }: Ground = vatGrounds[name]
  return day >= from && (to === undefined || day <= to)
}
