import type { Day } from '../day.ts'
import type { VatClass } from '../documents/arithmetic.ts'

/*
 * Why a supply bears no VAT: the law's own places, as a choice of the person who issues. Whether the conditions of a
 * place hold is for that person to know; nothing here decides it.
 */

/**
 * Where the place in the law was read: publications of the Tax Authority, pages of lawyers or accountants that quote the
 * law, or nothing that names it. A ground without a source is not offered; documents that name it keep it.
 */
type GroundSource = 'taxAuthority' | 'professional' | 'general' | 'none'

interface Ground {
  readonly vatClass: Exclude<VatClass, 'standard'>
  /** The day from which it can be named on a document. */
  readonly from: Day
  /** The last day on which it can be named. */
  readonly to?: Day
  /** `general`: it names a whole section, or none, so that there is no place to check. */
  readonly source: GroundSource
  readonly checked: Day
}

// The VAT Law is in force from 1 July 1976 (the first rate of `vatRate`). Items that were added later are not dated here.
const vatLaw: Day = '1976-07-01'

/** In the order in which they are offered. The words of each are 'paper.ground.<name>'. */
export const vatGrounds = {
  /** VAT Law, section 30(a)(5): services to a resident of another country. */
  servicesToNonResident: { vatClass: 'zero', from: vatLaw, source: 'taxAuthority', checked: '2026-11-28' },
  /** 30(a)(1): goods that are exported, with their export declaration. */
  exportOfGoods: { vatClass: 'zero', from: vatLaw, source: 'professional', checked: '2026-11-30' },
  /** 30(a)(2): an intangible asset sold to a resident of another country. */
  intangibleToNonResident: { vatClass: 'zero', from: vatLaw, source: 'professional', checked: '2026-11-28' },
  /** 30(a)(7): services given abroad by a business whose main place is in Israel. */
  servicesAbroad: { vatClass: 'zero', from: vatLaw, source: 'professional', checked: '2026-11-28' },
  /** 30(a)(8): lodging and other services to tourists, as the regulations list them. */
  tourism: { vatClass: 'zero', from: vatLaw, source: 'taxAuthority', checked: '2026-11-28' },
  /**
   * Eilat Free Trade Zone (Exemptions and Reductions of Taxes) Law, 1985, section 5(b): goods sold by a dealer from
   * elsewhere to a dealer of Eilat; its regulations 20A and 20B add services. The law was published in August 1985; its
   * first day was not confirmed.
   */
  eilat: { vatClass: 'zero', from: '1985-11-01', source: 'professional', checked: '2026-11-30' },
  /**
   * Nothing was found that puts such a supply at zero rate: section 47(b)(2) asks for a special invoice, and section 1A
   * treats the movement of goods.
   */
  palestinianAuthority: { vatClass: 'zero', from: '1994-05-18', source: 'none', checked: '2026-11-30' },
  /** Another item of section 30. */
  otherZero: { vatClass: 'zero', from: vatLaw, source: 'general', checked: '2026-11-30' },
  /** Section 31(1): a dwelling let for living in. */
  dwellingLet: { vatClass: 'exempt', from: vatLaw, source: 'professional', checked: '2026-11-30' },
  /** 31(4): an asset whose input tax could not be deducted. */
  noInputTax: { vatClass: 'exempt', from: vatLaw, source: 'professional', checked: '2026-11-30' },
  /** Eilat Free Trade Zone Law, section 5(c) to (e): goods, real estate and services within Eilat. */
  withinEilat: { vatClass: 'exempt', from: '1985-11-01', source: 'professional', checked: '2026-11-30' },
  /** Another item of section 31. */
  otherExempt: { vatClass: 'exempt', from: vatLaw, source: 'general', checked: '2026-11-30' },
  /** No transaction as the law defines one, such as expenses passed on or compensation. */
  outsideScope: { vatClass: 'exempt', from: vatLaw, source: 'general', checked: '2026-11-30' },
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

/**
 * The grounds that a person chooses from: those whose place in the law was read somewhere, and the one that was chosen
 * before. With a day, those that can be named on a document of it.
 */
export const groundsOffered = <G extends VatGround>(
  grounds: readonly G[],
  chosen: string | null,
  day?: Day,
): G[] =>
  grounds.filter(
    (name) =>
      name === chosen || (vatGrounds[name].source !== 'none' && (day === undefined || isGroundOn(name, day))),
  )
