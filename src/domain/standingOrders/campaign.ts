import { addDays, type Day } from '../day.ts'

/** What may be done when a charge failed, and in the end. */
export const deeds = ['retry', 'mail', 'sms', 'task', 'pause', 'cancel', 'leaveOpen'] as const
export type Deed = (typeof deeds)[number]
export const declineKinds = ['any', 'soft', 'hard'] as const
export type DeclineKind = (typeof declineKinds)[number]

export interface CampaignStep {
  /** Days after the first failure. */
  days: number
  /** Of which kind of decline it is. */
  on: DeclineKind
  deed: Deed
}

/** Ends a campaign: after one of these nothing more is tried. */
export const isEnd = (deed: Deed): boolean => deed === 'pause' || deed === 'cancel' || deed === 'leaveOpen'

/**
 * How a charge's decline is dealt with: soft, the same card may do on another day; hard, only another card
 * will. The classes are those of acquirers; of a bank debit no cover is soft and all else is hard.
 */
export const kindOf = (declineClass: string): Exclude<DeclineKind, 'any'> =>
  declineClass === 'soft' || declineClass === 'technical' || declineClass === '' ? 'soft' : 'hard'

/**
 * What most find good: a letter at once, tries after three, eight and fifteen days; a hard decline asks for
 * another card at once; then the order rests.
 */
export const usualCampaign: readonly CampaignStep[] = [
  { days: 0, on: 'any', deed: 'mail' },
  { days: 3, on: 'soft', deed: 'retry' },
  { days: 4, on: 'hard', deed: 'sms' },
  { days: 8, on: 'soft', deed: 'retry' },
  { days: 10, on: 'any', deed: 'mail' },
  { days: 15, on: 'soft', deed: 'retry' },
  { days: 15, on: 'any', deed: 'task' },
  { days: 20, on: 'any', deed: 'pause' },
]

/** The steps of a campaign for a kind of decline, each on its day after the first failure, in their order. */
export const stepsFor = (
  steps: readonly CampaignStep[],
  kind: DeclineKind,
  firstFailure: Day,
): (CampaignStep & { day: Day })[] =>
  steps
    .map((step, i) => ({ ...step, i }))
    .filter(({ on }) => on === 'any' || on === kind)
    .toSorted((a, b) => a.days - b.days || a.i - b.i)
    .map(({ i: _, ...step }) => ({ ...step, day: addDays(firstFailure, step.days) }))
