import { addDays, addMonths, weekday, type Day } from '../day.ts'

/** 'week:2' is every second week; a working day is Sunday to Thursday. */
export const repeatUnits = ['day', 'workday', 'week', 'month', 'year'] as const
export type RepeatUnit = (typeof repeatUnits)[number]

const shape = /^(day|workday|week|month|year):([1-9]\d?)$/

export const isRepeat = (rule: string): boolean => shape.test(rule)

const isWorkday = (day: Day): boolean => weekday(day) <= 4

/**
 * The day `n` steps of a rule after its anchor. Months are counted from the anchor, so the 31st comes back
 * after a short month.
 */
function step(rule: string, anchor: Day, n: number): Day {
  const [, unit, every] = shape.exec(rule)!
  const count = n * Number(every)
  if (unit === 'month') return addMonths(anchor, count)
  if (unit === 'year') return addMonths(anchor, 12 * count)
  if (unit === 'week') return addDays(anchor, 7 * count)
  if (unit === 'day') return addDays(anchor, count)
  let day = anchor
  for (let left = count; left > 0;) {
    day = addDays(day, 1)
    if (isWorkday(day)) left--
  }
  return day
}

/** The first day of a rule that lies after `after`; counted from the anchor, never from the day before it. */
export function nextDay(rule: string, anchor: Day, after: Day): Day {
  if (!isRepeat(rule)) throw new RangeError(`${rule} is no rule`)
  let low = 0
  let high = 1
  while (step(rule, anchor, high) <= after) [low, high] = [high, high * 2]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (step(rule, anchor, middle) <= after) low = middle
    else high = middle
  }
  return step(rule, anchor, high)
}
