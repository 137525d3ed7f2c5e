import { addDays, daysBetween, type Day } from '../day.ts'

/**
 * The middle one; of an even number the earlier of the two in the middle, so that it is a day somebody really
 * took.
 */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length / 2) - 1]
}

/**
 * What somebody's papers of the last year tell: how many days after their due day they were paid, in the
 * middle, and how many papers that is.
 */
export interface Habit {
  lateDays: number
  papers: number
}

/** Fewer settled papers than these are chance and no habit. */
export const fewestPapers = 3
/** What should have come so long ago is not counted on any more. */
export const doubtfulAfter = 180
/** What should have come already is looked for so many days ahead. */
export const lateAgain = 7

/** Whose habit a debt is expected by. */
export const habitSources = ['customer', 'business', 'terms'] as const
export type HabitSource = (typeof habitSources)[number]

export interface Expected {
  /** Null when it is too old to be counted on. */
  day: Day | null
  lateDays: number
  by: HabitSource
}

/**
 * The day a debt is paid on: its due day plus as many days as this customer usually takes beyond it, or all
 * customers together without a habit of this one yet, or none. What should have arrived by then and did not is
 * expected a week ahead, and after half a year not at all.
 */
export function expectedOn(due: Day, own: Habit | undefined, all: Habit | undefined, today: Day): Expected {
  const [by, lateDays] =
    own && own.papers >= fewestPapers
      ? (['customer', own.lateDays] as const)
      : all && all.papers >= fewestPapers
        ? (['business', all.lateDays] as const)
        : (['terms', 0] as const)
  const day = addDays(due, lateDays)
  if (day > today) return { day, lateDays, by }
  return { day: daysBetween(day, today) > doubtfulAfter ? null : addDays(today, lateAgain), lateDays, by }
}
