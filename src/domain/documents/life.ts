import { isInside, type Day, type Period } from '../day.ts'
import { documentStates, type DocumentStatus } from './kinds.ts'

/*
 * The life of a document: a draft has no number and may change or go; issuing freezes it for ever; paying or
 * converting closes it step by step; cancelling issues the document that offsets it.
 */

export function canBecome(from: DocumentStatus, to: DocumentStatus): boolean {
  const next: readonly DocumentStatus[] = documentStates[from].becomes
  return next.includes(to)
}

/** Only a draft may be edited or deleted. */
export function isFrozen(status: DocumentStatus): boolean {
  return documentStates[status].stage !== 'draft'
}

/**
 * The state that what is left of an issued document gives it. Amounts of the document, or quantities; a
 * document of zero is closed at once.
 */
export function statusByWhatIsLeft(total: number, left: number): 'issued' | 'partlyClosed' | 'closed' {
  return left === 0 ? 'closed' : left === total ? 'issued' : 'partlyClosed'
}

export interface IssueDate {
  readonly day: Day
  readonly today: Day
  readonly isTaxDocument: boolean
  /** Date of the last issued document of the same series; undefined for the first. */
  readonly lastOfSeries: Day | undefined
  /** Reported VAT periods, closed months and years. */
  readonly lockedPeriods: readonly Period[]
  /**
   * The setting that allows a date before the last one of the series, as long as it lies in the open VAT
   * period.
   */
  readonly backDatingAllowed: boolean
  readonly openVatPeriod: Period | undefined
}

/** Codes are word keys: each text gives the reason and the legal way out. Parameters are days. */
export type DateRefusal =
  | { readonly code: 'documents.dateInFuture'; readonly params: { readonly day: Day; readonly today: Day } }
  | {
      readonly code: 'documents.dateInLockedPeriod'
      readonly params: { readonly day: Day; readonly from: Day; readonly to: Day }
    }
  | {
      readonly code: 'documents.dateBeforeLastOfSeries'
      readonly params: { readonly day: Day; readonly last: Day }
    }

/**
 * Why a document may not be issued with this date, or undefined when it may. Numbers and dates of a series
 * run together.
 */
export function refuseIssueDate(asked: IssueDate): DateRefusal | undefined {
  const { day, today, lastOfSeries } = asked
  if (asked.isTaxDocument && day > today) return { code: 'documents.dateInFuture', params: { day, today } }

  const locked = asked.lockedPeriods.find((period) => isInside(day, period))
  if (locked)
    return { code: 'documents.dateInLockedPeriod', params: { day, from: locked.from, to: locked.to } }

  const mayGoBack =
    asked.backDatingAllowed && asked.openVatPeriod !== undefined && isInside(day, asked.openVatPeriod)
  if (lastOfSeries !== undefined && day < lastOfSeries && !mayGoBack) {
    return { code: 'documents.dateBeforeLastOfSeries', params: { day, last: lastOfSeries } }
  }
  return undefined
}
