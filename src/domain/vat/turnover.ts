import { chargesVat, type BusinessKind } from '../documents/kinds.ts'
import { knownOn, lawOn } from '../law/figures.ts'
import type { Agorot } from '../money.ts'

/**
 * What the law asks of a business by what it turned over in a year: an exempt dealer above the ceiling
 * becomes a licensed one (VAT Law, section 1), who reports each two months goes over to each month, and an
 * individual reports in detail (PCN874) as companies do. A small business loses the fixed deduction above the same
 * ceiling (Income Tax Ordinance, section 87b); of an exempt dealer the first line says so.
 */
export const turnoverDuties = ['exemptCeiling', 'smallCeiling', 'monthlyVat', 'detailedVat'] as const
export type TurnoverDuty = (typeof turnoverDuties)[number]

/** Where the limit of a duty is found in the law. */
const figureOf = (duty: TurnoverDuty) => (duty === 'smallCeiling' ? 'exemptCeiling' : duty)
/** A ceiling is reported before it is passed, too. */
const isCeiling = (duty: TurnoverDuty): boolean => duty === 'exemptCeiling' || duty === 'smallCeiling'

/** The limit of a year; undefined where it is not known: each year has its own. */
export const limitOf = (duty: TurnoverDuty, year: number): Agorot | undefined =>
  knownOn(figureOf(duty), `${year}-12-31`)

/**
 * An exempt dealer is warned ahead, for sales above the ceiling carry VAT at once: from this part of it on, in
 * percent.
 */
const nearPercent = 80

export interface TurnoverFacts {
  kind: BusinessKind
  /** It takes the deduction of a small business in this year. */
  isSmall: boolean
  year: number
  /** Turned over in the year so far, without VAT. */
  turnover: Agorot
  /** Months of a VAT period. */
  vatMonths: 1 | 2
  /** A detailed report was handed in for this year. */
  isDetailed: boolean
}

export interface TurnoverLine {
  duty: TurnoverDuty
  /** `unknown`: the year's limit is not known here; `limit` is the last one that was. */
  state: 'near' | 'passed' | 'unknown'
  limit: Agorot
}

/** Which of them a business is near, or has passed and does not do yet. */
export function turnoverLines({
  kind,
  isSmall,
  year,
  turnover,
  vatMonths,
  isDetailed,
}: TurnoverFacts): TurnoverLine[] {
  const asks: Record<TurnoverDuty, boolean> = {
    exemptCeiling: kind === 'exemptDealer',
    smallCeiling: isSmall && kind !== 'exemptDealer',
    monthlyVat: chargesVat(kind) && vatMonths === 2,
    // Companies report in detail whatever they turn over.
    detailedVat: (kind === 'licensedDealer' || kind === 'partnership') && !isDetailed,
  }
  return turnoverDuties.flatMap((duty): TurnoverLine[] => {
    if (!asks[duty]) return []
    const answer = lawOn(figureOf(duty), `${year}-12-31`)
    if (!answer.known) {
      // Far below the last limit there is nothing to tell, whatever the new one is.
      const isNear = answer.last !== undefined && turnover * 100 >= answer.last * nearPercent
      return isNear ? [{ duty, state: 'unknown', limit: answer.last! }] : []
    }
    const limit = answer.value
    if (turnover > limit) return [{ duty, state: 'passed', limit }]
    return isCeiling(duty) && turnover * 100 >= limit * nearPercent ? [{ duty, state: 'near', limit }] : []
  })
}
