import { addDays, daysBetween, yearOf, yearPeriod, type Day } from '../day.ts'
import { divideRounded, toSafeNumber, type Agorot, type BasisPoints } from '../money.ts'

/** What the depreciation of an asset is worked out from. */
export interface AssetTerms {
  cost: Agorot
  rateBp: BasisPoints
  /** The first day of use. */
  startDay: Day
  /** Of an asset older than the books: what was worn until the end of a day. */
  openingDay?: Day | null
  openingWorn?: Agorot
  /** The day it was sold or scrapped, which is no day of use. */
  disposedDay?: Day | null
}

const ORDINARY = 365
const LEAP = 366
/** A year in the parts that days of both kinds of year are whole numbers of. */
const YEAR = ORDINARY * LEAP

const daysIn = (period: { from: Day; to: Day }): number => daysBetween(period.from, period.to) + 1

/**
 * Years between two days, both included, in 133,590ths: a day is a 365th of an ordinary year and a 366th of a
 * leap year.
 */
function yearParts(from: Day, to: Day): number {
  let parts = 0
  for (let day = from; day <= to; day = addDays(yearPeriod(day).to, 1)) {
    const year = yearPeriod(day)
    parts +=
      daysIn({ from: day, to: to < year.to ? to : year.to }) * (daysIn(year) === LEAP ? ORDINARY : LEAP)
  }
  return parts
}

/** The straight line from the first day of use until the end of a day, as if it had no end. */
function line({ cost, rateBp, startDay }: AssetTerms, until: Day): Agorot {
  if (until < startDay) return 0
  return toSafeNumber(
    divideRounded(BigInt(cost) * BigInt(rateBp) * BigInt(yearParts(startDay, until)), 10_000n * BigInt(YEAR)),
  )
}

/**
 * What an asset has lost until the end of a day: a straight line from the first day of use, by days, so that
 * a whole year loses exactly its rate; never more than the cost. One that came with more or less worn than
 * its line says wears on from there until the cost is gone. Rounded once over the whole time, half away from
 * zero: months add up to their year.
 */
export function wornUntil(asset: AssetTerms, day: Day): Agorot {
  const { cost, openingDay, openingWorn = 0, disposedDay } = asset
  const last = disposedDay && disposedDay <= day ? addDays(disposedDay, -1) : day
  const worn = line(asset, last)
  if (!openingDay) return Math.min(cost, worn)
  if (last < openingDay) return Math.min(cost, worn, openingWorn)
  return Math.min(cost, openingWorn + worn - line(asset, openingDay))
}

export interface AssetYear {
  year: number
  /** Of this year. */
  depreciation: Agorot
  worn: Agorot
  left: Agorot
}

const MOST_YEARS = 100

/** Year by year until nothing is left, it is sold, or a hundred years have gone. */
export function planOf(asset: AssetTerms): AssetYear[] {
  const years: AssetYear[] = []
  const first = yearOf(asset.startDay)
  for (let year = first; year < first + MOST_YEARS; year++) {
    const period = yearPeriod(`${year}-01-01`)
    const worn = wornUntil(asset, period.to)
    const depreciation = worn - (years.at(-1)?.worn ?? 0)
    years.push({ year, depreciation, worn, left: asset.cost - worn })
    if (worn === asset.cost || (asset.disposedDay && asset.disposedDay <= period.to) || asset.rateBp === 0)
      break
  }
  return years
}
