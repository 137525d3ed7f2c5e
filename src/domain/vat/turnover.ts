import { chargesVat, type BusinessKind } from '../documents/kinds.ts'
import type { Agorot } from '../money.ts'

/**
 * What the law asks of a business by what it turned over in a year: an exempt dealer above the ceiling becomes a licensed one (VAT Law, section 1), who
 * reports each two months goes over to each month, and an individual reports in detail (PCN874) as companies do.
 */
export const turnoverDuties = ['exemptCeiling', 'monthlyVat', 'detailedVat'] as const
export type TurnoverDuty = (typeof turnoverDuties)[number]

/** From each year on. A year whose figure was not written here yet goes by the last one before it; before the first row nothing is known. */
const limits: Readonly<Record<TurnoverDuty, readonly (readonly [year: number, limit: Agorot])[]>> = {
  exemptCeiling: [
    [2025, 12_000_000],
    [2026, 12_283_300],
  ],
  monthlyVat: [[2026, 177_500_000]],
  detailedVat: [[2026, 50_000_000]],
}

export const limitOf = (duty: TurnoverDuty, year: number): Agorot | undefined =>
  limits[duty].findLast(([from]) => from <= year)?.[1]

/** An exempt dealer is told ahead, for what he sells above the ceiling carries VAT at once: from this part of it on, in percent. */
const nearPercent = 80

export interface TurnoverFacts {
  kind: BusinessKind
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
  state: 'near' | 'passed'
  limit: Agorot
}

/** Which of them a business is near, or has passed and does not do yet. */
export function turnoverLines({
  kind,
  year,
  turnover,
  vatMonths,
  isDetailed,
}: TurnoverFacts): TurnoverLine[] {
  const asks: Record<TurnoverDuty, boolean> = {
    exemptCeiling: kind === 'exemptDealer',
    monthlyVat: chargesVat(kind) && vatMonths === 2,
    // Companies report in detail whatever they turn over.
    detailedVat: (kind === 'licensedDealer' || kind === 'partnership') && !isDetailed,
  }
  return turnoverDuties.flatMap((duty): TurnoverLine[] => {
    const limit = limitOf(duty, year)
    if (!asks[duty] || limit === undefined) return []
    if (turnover > limit) return [{ duty, state: 'passed', limit }]
    return duty === 'exemptCeiling' && turnover * 100 >= limit * nearPercent
      ? [{ duty, state: 'near', limit }]
      : []
  })
}
