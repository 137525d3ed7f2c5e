import {
  addDays,
  addMonths,
  daysBetween,
  endOfMonth,
  monthsBetween,
  startOfMonth,
  type Day,
  type Period,
} from '../day.ts'

export const comparisons = ['previousYear', 'previousPeriod'] as const

/**
 * The period a comparison asks for. Whole months stand beside as many whole months, whatever days these have:
 * a month beside the month before, a quarter beside the quarter before, February beside all of February.
 * Other days stand beside the same days a year before, or as many days just before.
 */
export function comparedTo(by: (typeof comparisons)[number], from: Day, to: Day): Period {
  const endsMonth = to === endOfMonth(to)
  if (by === 'previousPeriod') {
    const isWhole = endsMonth && from === startOfMonth(from)
    return {
      from: isWhole
        ? addMonths(from, -(monthsBetween(from, to) + 1))
        : addDays(from, -daysBetween(from, to) - 1),
      to: addDays(from, -1),
    }
  }
  const before = addMonths(to, -12)
  return { from: addMonths(from, -12), to: endsMonth ? endOfMonth(before) : before }
}
