import { addDays, addMonths, daysBetween, endOfMonth, startOfMonth, type Day } from '../day.ts'
import { shifted, type Shift } from '../bankDays.ts'

export const units = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]

/**
 * When a standing order charges, and for which days. Everything is counted from its first day and never from
 * the last run.
 */
export interface Plan {
  /** The first day of the deal. */
  start: Day
  every: number
  unit: Unit
  /**
   * Of a month: 0 the day it began on, 1 to 28, 31 for the last day whatever the month's length. Days and
   * weeks count from their first day only.
   */
  billingDay: number
  shift: Shift
  /** The first charge comes at once and not on the first billing day. */
  chargeToday: boolean
  /** A part of a period at the beginning or the end costs its part. */
  prorate: boolean
  /** Charged when a period is over. */
  arrears: boolean
  /** Days at the beginning that cost nothing. */
  trialDays: number
  /** The last day of the deal. */
  until: Day | null
  /** How many charges there are. */
  times: number | null
}

/** One charge: the days it is for, and its own. */
export interface Turn {
  /** From 1. */
  no: number
  from: Day
  to: Day
  day: Day
  /** How much of a whole period it is, in days. */
  part: { days: number; of: number } | null
}

const monthsOf = ({ unit, every }: Pick<Plan, 'unit' | 'every'>): number => every * (unit === 'year' ? 12 : 1)
const inMonths = ({ unit }: Pick<Plan, 'unit'>): boolean => unit === 'month' || unit === 'year'

/** The billing day of the month a day is in. */
const billingDayIn = (month: Day, billingDay: number): Day =>
  billingDay > 28 ? endOfMonth(month) : addDays(startOfMonth(month), billingDay - 1)

/** The first billing day on or after a day. */
function billingDayFrom(day: Day, billingDay: number): Day {
  const here = billingDayIn(day, billingDay)
  return here >= day ? here : billingDayIn(addMonths(startOfMonth(day), 1), billingDay)
}

/** The last billing day on or before a day. */
function billingDayUntil(day: Day, billingDay: number): Day {
  const here = billingDayIn(day, billingDay)
  return here <= day ? here : billingDayIn(addMonths(startOfMonth(day), -1), billingDay)
}

/** The first day that is paid for. */
export const paidFrom = ({ start, trialDays }: Pick<Plan, 'start' | 'trialDays'>): Day =>
  addDays(start, trialDays)

/** Where the periods begin, without an end: the first one may be a part of a period. */
function* beginnings(plan: Plan): Generator<{ from: Day; part: boolean; chargedOn: Day }, never> {
  const first = paidFrom(plan)
  if (!inMonths(plan)) {
    const step = plan.every * (plan.unit === 'week' ? 7 : 1)
    for (let day = first; ; day = addDays(day, step)) yield { from: day, part: false, chargedOn: day }
  }
  const months = monthsOf(plan)
  if (plan.billingDay === 0)
    for (let i = 0; ; i++) {
      const day = addMonths(first, i * months)
      yield { from: day, part: false, chargedOn: day }
    }
  let regular = billingDayFrom(first, plan.billingDay)
  if (regular !== first) {
    if (plan.prorate) yield { from: first, part: true, chargedOn: plan.chargeToday ? first : regular }
    else if (plan.chargeToday) {
      yield { from: first, part: false, chargedOn: first }
      // A whole period was paid on the first day: the next begins when it is over, or on the last billing day
      // before.
      const next = billingDayUntil(addMonths(first, months), plan.billingDay)
      if (next > regular) regular = next
    }
  }
  const anchor = startOfMonth(regular)
  for (let i = 0; ; i++) {
    const day = billingDayIn(addMonths(anchor, i * months), plan.billingDay)
    yield { from: day, part: false, chargedOn: day }
  }
}

/** All charges in their order; without an end when the plan has none. */
export function* turnsOf(plan: Plan): Generator<Turn, void> {
  const walk = beginnings(plan)
  let now = walk.next().value
  for (let no = 1; plan.times === null || no <= plan.times; no++) {
    if (plan.until !== null && now.from > plan.until) return
    const next = walk.next().value
    const whole = addDays(next.from, -1)
    const isCut = plan.until !== null && plan.until < whole
    const to = isCut ? plan.until! : whole
    const isPart = plan.prorate && (now.part || isCut)
    // A part at the beginning is measured by the period it would have been the end of.
    const of = now.part
      ? daysBetween(addMonths(next.from, -monthsOf(plan)), next.from)
      : daysBetween(now.from, next.from)
    const days = daysBetween(now.from, to) + 1
    yield {
      no,
      from: now.from,
      to,
      day: shifted(plan.arrears ? addDays(to, 1) : now.chargedOn, plan.shift),
      part: isPart && days < of ? { days, of } : null,
    }
    now = next
  }
}

/** The charge that begins on a day or the first after it; undefined when there is none. */
export function turnFrom(plan: Plan, day: Day): Turn | undefined {
  for (const turn of turnsOf(plan)) if (turn.from >= day) return turn
  return undefined
}

/** The last day of a deal that has an end. */
export function endOf(plan: Plan): Day | null {
  if (plan.times === null) return plan.until
  let last: Day | null = null
  for (const { to } of turnsOf(plan)) last = to
  return last ?? plan.until
}
