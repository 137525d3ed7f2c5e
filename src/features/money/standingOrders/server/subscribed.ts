import type { Day } from '#domain/day.ts'
import type { Agorot } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { SubscriptionState } from '../standingOrders.ts'

/** What the report of subscriptions asks for; absent is all. */
export interface SubscriptionsAsked {
  /** What it is for holds this. */
  kind?: string | undefined
  customer?: string | undefined
  /** Days it began. */
  from?: Day | undefined
  to?: Day | undefined
  /** No more than so many are left; what has no count is left out then. */
  left?: number | undefined
  state?: SubscriptionState | undefined
}

/**
 * One thing that somebody has for a time, as the report tells it; what a kind of thing does not know is null.
 */
export interface Subscribed {
  state: SubscriptionState
  customer: string
  title: string
  startDay: Day
  nextDay: Day | null
  untilDay: Day | null
  /** Visits or charges. */
  left: number | null
  turns: number | null
  sumAgorot: Agorot
  /** Null for what is paid once. */
  monthlyAgorot: Agorot | null
  /** Null for what another row tells already. */
  broughtAgorot: Agorot | null
  reason: string
  /** Where a click leads. */
  open: string
}

/** What else customers have for a time besides orders. */
export interface SubscribedSource {
  /** The person who may not see them does not find them in the report. */
  rule: string
  find: (ctx: Ctx, asked: SubscriptionsAsked) => Promise<Subscribed[]>
}

let passes: SubscribedSource | undefined

/** Called by the feature that sells them. */
export const registerPasses = (source: SubscribedSource): void => void (passes = source)
export const passesSource = (): SubscribedSource | undefined => passes

/** A pattern of `ilike` for what holds a text. */
export const holds = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
