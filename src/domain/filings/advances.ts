import { timesRate, type Agorot, type BasisPoints } from '../money.ts'

export interface AdvancePeriod {
  turnover: Agorot
  /** Tax that customers withheld in the period. */
  withheld: Agorot
  /** The rate that holds at the end of the period. */
  rateBp: BasisPoints
}

export interface Advance extends AdvancePeriod {
  /** Turnover times the rate. */
  advance: Agorot
  /** Of earlier periods of the tax year, withheld beyond what was due. */
  brought: Agorot
  /** In whole shekels, as it is reported; in agorot. */
  toPay: Agorot
  /** Left for the next period. */
  carried: Agorot
}

/** Whole shekels, half away from zero, in agorot. */
export const wholeShekels = (amount: Agorot): Agorot =>
  Math.sign(amount) * Math.round(Math.abs(amount) / 100) * 100

/**
 * Income tax advances of the periods of one tax year, in their order: turnover times the rate, less what
 * customers withheld. What was withheld beyond it is taken off the next period; the year's assessment settles
 * the rest.
 */
export function advancesOf(periods: readonly AdvancePeriod[]): Advance[] {
  let carried = 0
  return periods.map((period) => {
    const advance = Math.max(0, timesRate(period.turnover, period.rateBp, 'halfAwayFromZero'))
    const brought = carried
    const due = advance - period.withheld - brought
    carried = Math.max(0, -due)
    return { ...period, advance, brought, toPay: wholeShekels(Math.max(0, due)), carried }
  })
}
