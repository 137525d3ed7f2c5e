import type { Day } from '../day.ts'
import { addMonths } from '../day.ts'
import { timesRate, type Agorot, type BasisPoints } from '../money.ts'

/** From the how-manieth paying business on this share is paid. */
export interface Step {
  readonly from: number
  readonly rateBp: BasisPoints
}

/** One version of a plan, in force from its day until the next one's. */
export interface Plan {
  readonly fromDay: Day
  readonly steps: readonly Step[]
  /** Months after a business began in which its payments earn; 0 is without end. */
  readonly months: number
  /** Days a commission waits before it may be paid out. */
  readonly holdDays: number
}

/** The version of a day; undefined before the first. */
export const planOn = <P extends Plan>(plans: readonly P[], day: Day): P | undefined =>
  plans.reduce<P | undefined>(
    (best, plan) =>
      plan.fromDay <= day && (best === undefined || plan.fromDay > best.fromDay) ? plan : best,
    undefined,
  )

/** The share of the `rank`-th paying business (from 1); nothing below the first step. */
export const rateOf = ({ steps }: Pick<Plan, 'steps'>, rank: number): BasisPoints =>
  steps.reduce<Step | undefined>(
    (best, step) => (step.from <= rank && (best === undefined || step.from > best.from) ? step : best),
    undefined,
  )?.rateBp ?? 0

/** Whether a payment of a day still earns for a business that began on another. */
export const earns = ({ months }: Pick<Plan, 'months'>, beganOn: Day, paidOn: Day): boolean =>
  months === 0 || paidOn < addMonths(beganOn, months)

/**
 * What a payment earns of what is left of it before VAT, after its credits; half an agora goes away from
 * zero.
 */
export const commissionOf = (netAgorot: Agorot, rateBp: BasisPoints): Agorot =>
  timesRate(netAgorot, rateBp, 'halfAwayFromZero')

/** A plan's steps make sense: the first begins at the first business, each later one further on. */
export const stepsFault = (steps: readonly Step[]): 'first' | 'order' | undefined => {
  if (steps[0]?.from !== 1) return 'first'
  return steps.some((step, at) => at > 0 && step.from <= steps[at - 1]!.from) ? 'order' : undefined
}
