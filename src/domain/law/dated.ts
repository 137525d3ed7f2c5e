import type { Day } from '../day.ts'

/** Where figures and forms of the code were read; `law.sources.<name>` says it in words. */
export type LawSource =
  | 'cashLaw'
  | 'withholding'
  | 'depreciation'
  | 'announcements'
  | 'vatOrders'
  | 'invoicesIsrael'
  | 'uniform'
  | 'detailedVat'
  | 'form6111'
  | 'practice'
  | 'open'
  | 'days2026'
  | 'smallBusiness'

/**
 * A figure of the law as a dated table: what holds from each day on, where that was read, when it was checked, and
 * the last day for which it is known. After that day nothing is answered silently (`lawOn`).
 */
export interface Law {
  readonly unit: 'agorot' | 'basisPoints'
  readonly steps: readonly (readonly [from: Day, value: number])[]
  /** The last day for which the last step is known to hold. */
  readonly knownTo: Day
  /**
   * `open`: the figure holds until another is set, so that after `knownTo` the last one is in force as far as anybody
   * here knows. `yearly`: every year has its figure, and after `knownTo` there is none.
   */
  readonly ends: 'open' | 'yearly'
  readonly source: LawSource
  readonly checked: Day
}

/**
 * What an operator of the installation entered since the release: a figure from one day to another, or the day on
 * which a period is reported (`value` is then that day).
 */
export interface EnteredLaw {
  readonly key: string
  readonly from: Day
  readonly to: Day
  readonly value: string
  readonly source: string
  /** The day on which it was entered. */
  readonly checked: Day
}

let entered: readonly EnteredLaw[] = []
/** The steps of each figure, put together once: rates are asked for line by line. */
const together = new Map<string, (Step & { isEntered: boolean })[]>()
const listeners = new Set<() => void>()

/**
 * The law is one for the whole process, server or browser, like the tables in the code: whatever asks for a figure
 * asks without a business or a connection at hand.
 */
export function useEnteredLaw(rows: readonly EnteredLaw[]): void {
  if (JSON.stringify(rows) === JSON.stringify(entered)) return
  entered = rows
  together.clear()
  for (const listener of listeners) listener()
}

export const enteredLaw = (): readonly EnteredLaw[] => entered

/** Calls `listener` whenever an operator's entries changed; answers how to stop it. */
export function listenToLaw(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What was entered for a day, if anything. */
export const enteredOn = (key: string, day: Day): EnteredLaw | undefined =>
  entered.findLast((one) => one.key === key && one.from <= day && day <= one.to)

interface Step {
  readonly from: Day
  readonly value: number
  readonly knownTo: Day | null
  readonly source: string
  readonly checked: Day
}

/** A figure on a day, or that it is not known, since when, and what held last. */
export type LawAnswer =
  | { known: true; value: number; knownTo: Day | null; source: string; checked: Day; isEntered: boolean }
  | { known: false; after: Day | null; last: number | undefined }

/** The steps of the code and of the operators in one order; of two from one day the entered one counts. */
function stepsOf(key: string, law: Law): (Step & { isEntered: boolean })[] {
  const kept = together.get(key)
  if (kept) return kept
  const own = law.steps.map(([from, value], at) => ({
    from,
    value,
    knownTo: at === law.steps.length - 1 ? law.knownTo : null,
    source: law.source,
    checked: law.checked,
    isEntered: false,
  }))
  const added = entered
    .filter((one) => one.key === key)
    .map((one) => ({
      from: one.from,
      value: Number(one.value),
      knownTo: one.to,
      source: one.source,
      checked: one.checked,
      isEntered: true,
    }))
  const steps = [...own, ...added].toSorted((a, b) =>
    a.from === b.from ? Number(a.isEntered) - Number(b.isEntered) : a.from < b.from ? -1 : 1,
  )
  together.set(key, steps)
  return steps
}

/** A figure of the law on a day. Before its first step and after the last known day the answer says so. */
export function answerOf(key: string, law: Law, day: Day): LawAnswer {
  const step = stepsOf(key, law).findLast(({ from }) => from <= day)
  if (!step) return { known: false, after: null, last: undefined }
  if (step.knownTo !== null && day > step.knownTo)
    return { known: false, after: step.knownTo, last: step.value }
  return {
    known: true,
    value: step.value,
    knownTo: step.knownTo,
    source: step.source,
    checked: step.checked,
    isEntered: step.isEntered,
  }
}

/** The day on which the figure of a day began to hold. */
export const stepOf = (key: string, law: Law, day: Day): Day | undefined =>
  stepsOf(key, law).findLast(({ from }) => from <= day)?.from
