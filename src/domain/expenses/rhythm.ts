import { addMonths, monthsBetween, startOfMonth, type Day } from '../day.ts'

/** A supplier's bill: its day and what it came to, in agorot. */
export interface UsualBill {
  day: Day
  totalAgorot: number
}

/** So many bills, each as long after the one before, make a rhythm. */
const times = 3
/**
 * Bills come every month, every second or every quarter; what comes more seldom is no habit within a year.
 */
const rhythms = [1, 2, 3] as const

/**
 * The bill that a supplier's rhythm predicts for a month in which none arrived: on the day of the month of the last
 * one, with the same amount. Undefined where one arrived, or where the last bills had no rhythm that leads to this
 * month. `month`: its first day. Bills may be in any order.
 */
export function billByRhythm(bills: readonly UsualBill[], month: Day): UsualBill | undefined {
  const months = new Set(bills.map(({ day }) => monthsBetween(startOfMonth(day), month)))
  if (months.has(0)) return undefined
  // Months from one bill to the next, the newest first; what came after this month says nothing of it.
  const ago = [...months].filter((one) => one > 0).toSorted((a, b) => a - b)
  const step = rhythms.find((every) =>
    Array.from({ length: times }, (_, n) => every * (n + 1)).every((at, n) => ago[n] === at),
  )
  if (!step) return undefined
  const last = bills.filter(({ day }) => day < month).toSorted((a, b) => (a.day < b.day ? 1 : -1))[0]!
  return { day: addMonths(last.day, step), totalAgorot: last.totalAgorot }
}

/**
 * The days of a bill that returns every so many months, from the day one is awaited until a day, both
 * included.
 */
export function awaitedDays(awaited: Day, every: number, until: Day): Day[] {
  const days: Day[] = []
  for (let n = 0, day = awaited; day <= until; day = addMonths(awaited, ++n * every)) days.push(day)
  return days
}
