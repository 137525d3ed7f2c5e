import { addDays, type Day } from '../day.ts'

/*
 * The notices the Consumer Protection Law requires of a business to a consumer with a continuing contract: the end
 * of a fixed term in writing, no earlier than sixty and no later than thirty days before it (section 13A), and again
 * by a text message three weeks before; the end of a period of lower prices by a separate notice, without which the
 * higher price has no effect (Supreme Court, CA 3849/20); and that a price goes up. For a business that buys the law
 * requires none.
 */
export const noticeKinds = ['end', 'endShort', 'benefit', 'raise'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export interface Notice {
  kind: NoticeKind
  /** The last day of the term or of the benefit; the first day of the higher price. */
  forDay: Day
  from: Day
  to: Day
}

export interface Deal {
  party: 'consumer' | 'business'
  start: Day
  /** The last day of a deal with an end. */
  end: Day | null
  /** The last day of lower prices. */
  benefitUntil: Day | null
  /** First days of prices that are higher than before them. */
  raises: readonly Day[]
}

/**
 * Sixty to thirty days before; where the deal is younger than that, within its first three days and before
 * the day itself.
 */
function windowOf(day: Day, start: Day): { from: Day; to: Day } {
  const [from, to] = [addDays(day, -60), addDays(day, -30)]
  if (to >= start) return { from: from > start ? from : start, to }
  const soon = addDays(start, 3)
  const before = addDays(day, -1)
  return { from: start, to: soon < before ? soon : before > start ? before : start }
}

/** The notices a deal asks for, in the order of their days. */
export function noticesOf({ party, start, end, benefitUntil, raises }: Deal): Notice[] {
  if (party === 'business') return []
  const found: Notice[] = []
  if (end !== null && addDays(end, -30) > start) {
    found.push({ kind: 'end', forDay: end, ...windowOf(end, start) })
    found.push({ kind: 'endShort', forDay: end, from: addDays(end, -24), to: addDays(end, -21) })
  }
  if (benefitUntil !== null && benefitUntil >= start && (end === null || benefitUntil < end))
    found.push({ kind: 'benefit', forDay: benefitUntil, ...windowOf(benefitUntil, start) })
  for (const day of raises) found.push({ kind: 'raise', forDay: day, ...windowOf(day, start) })
  return found.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.kind < b.kind ? -1 : 1))
}

/**
 * A cancellation takes effect within three business days; the law's word for the person who may cancel at any time
 * (section 13D).
 */
export const cancelDays = 3

/**
 * Whether a notice that was not sent forbids a charge for days from `from` on: an end forbids nothing,
 * because the order itself ends.
 */
export const forbids = ({ kind, forDay }: Pick<Notice, 'kind' | 'forDay'>, from: Day): boolean =>
  kind === 'benefit' ? from > forDay : kind === 'raise' ? from >= forDay : false
